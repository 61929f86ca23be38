//! Every rule by which the reader complains.

use trackside_engine::model::{Definitions, Position};
use trackside_engine::problem::{Severity, any_error};
use trackside_engine::xml::{self, Limits, rule};

use super::{BPMN, file, in_process};

/// The rules of the problems of `source`, with severity and place.
fn complaints(source: &str) -> Vec<(Severity, String, Position)> {
    let problems = xml::read(source.as_bytes()).problems;
    for problem in &problems {
        assert!(!problem.hint.is_empty(), "no hint: {problem:?}");
    }
    problems.into_iter().map(|p| (p.severity, p.rule, p.at)).collect()
}

/// Checks that `inside` gives exactly this one complaint.
fn check(source: &str, severity: Severity, rule: &str, line: u32, column: u32) {
    let expected = (severity, rule.to_owned(), Position { line, column });
    assert_eq!(complaints(source), [expected], "{source}");
}

#[test]
fn missing_ids_are_made_up() {
    let source = in_process(
        "<task id='_task_2'/><task/><task id=' '/><task id='_task_2_'/><sequenceFlow sourceRef='a' targetRef='b'/>",
    );
    let reading = xml::read(source.as_bytes());
    let ids: Vec<_> = reading.definitions.scopes[0]
        .nodes
        .iter()
        .map(|n| n.id.as_str())
        .collect();
    assert_eq!(ids, ["_task_2", "_task_2__", "_task_3", "_task_2_"]);
    assert_eq!(reading.definitions.scopes[0].flows[0].id, "_sequenceFlow_1");
    let named: Vec<_> = reading.problems.iter().filter_map(|p| p.element.as_deref()).collect();
    assert_eq!(named, ["_task_2__", "_task_3", "_sequenceFlow_1"]);
    assert!(
        reading
            .problems
            .iter()
            .all(|p| p.rule == rule::MISSING_ID && p.severity == Severity::Warning)
    );
}

#[test]
fn values_that_cannot_be() {
    let error = |inside: &str, column| check(&in_process(inside), Severity::Error, rule::VALUE, 2, column);
    error("<startEvent id='s' isInterrupting='yes'/>", 17);
    error("<parallelGateway id='s' gatewayDirection='Up'/>", 17);
    error("<eventBasedGateway id='s' eventGatewayType='parallel'/>", 17);
    error("<sequenceFlow id='s' sourceRef='a'/>", 17);
    error("<sequenceFlow id='s' sourceRef='' targetRef='a'/>", 17);
    error("<transaction id='s' triggeredByEvent='true'/>", 17);
    error(
        "<startEvent id='s'><eventDefinitionRef>x</eventDefinitionRef></startEvent>",
        36,
    );
    error(
        "<task id='s'><standardLoopCharacteristics/><multiInstanceLoopCharacteristics/></task>",
        60,
    );
    let complex = "<complexGateway id='s'><extensionElements><trackside:activation count='two'/></extensionElements></complexGateway>";
    error(complex, 59);
    let timer = "<startEvent id='s'><timerEventDefinition><timeDate/><timeCycle/></timerEventDefinition></startEvent>";
    error(timer, 69);
    let shape = "<bpmndi:BPMNDiagram><bpmndi:BPMNPlane><bpmndi:BPMNShape bpmnElement='a'><dc:Bounds x='NaN' y='0' width='0' height='0'/></bpmndi:BPMNShape></bpmndi:BPMNPlane></bpmndi:BPMNDiagram>";
    check(&file(shape), Severity::Warning, rule::VALUE, 2, 73);
    let odd_type = "<sequenceFlow id='s' sourceRef='a' targetRef='b'><conditionExpression xsi:type='v:tFormalExpression'/></sequenceFlow>";
    check(&in_process(odd_type), Severity::Warning, rule::VALUE, 2, 66);
}

#[test]
fn elements_that_are_not_read() {
    let warning = |source: &str, column| check(source, Severity::Warning, rule::UNKNOWN_ELEMENT, 2, column);
    warning(&in_process("<tusk id='s'/>"), 17);
    warning(&in_process("<choreographyTask id='s'/>"), 17);
    warning(&in_process("<message id='s'/>"), 17);
    warning(&in_process("<standardLoopCharacteristics/>"), 17);
    warning(&in_process("<task id='t'><startEvent/></task>"), 30);
    warning(
        &in_process("<startEvent id='t'><pigeonEventDefinition/></startEvent>"),
        36,
    );
    warning(&in_process("<laneSet><flowNodeRef>a</flowNodeRef></laneSet>"), 26);
    warning(
        &in_process("<task id='t'><extensionElements><trackside:activation/></extensionElements></task>"),
        49,
    );
    warning(
        &in_process(
            "<sequenceFlow id='t' sourceRef='a' targetRef='b'><conditionExpression/><conditionExpression/></sequenceFlow>",
        ),
        88,
    );
    warning(&file("<globalTask id='g'/>"), 1);
    warning(&file("<task id='g'/>"), 1);
    warning(&file(&format!("<import importType='{BPMN}'/>")), 1);
    assert_eq!(
        complaints(&file("<import importType='http://www.w3.org/2001/XMLSchema'/>")),
        []
    );
    let lost = "<task xmlns='' id='t'/>";
    check(&in_process(lost), Severity::Warning, rule::NAMESPACE, 2, 17);
}

#[test]
fn not_bpmn_at_all() {
    for source in [
        "",
        " \n",
        "<html/>",
        "<definitions/>",
        "<definitions xmlns='urn:x'/>",
        "<!-- only a comment -->",
    ] {
        let reading = xml::read(source.as_bytes());
        assert_eq!(reading.problems.len(), 1, "{source}");
        assert_eq!(reading.problems[0].rule, rule::NOT_BPMN, "{source}");
        assert!(any_error(&reading.problems));
    }
    let process = format!("<process xmlns='{BPMN}'/>");
    check(&process, Severity::Error, rule::NOT_BPMN, 1, 1);
}

#[test]
fn xml_that_is_not_well_formed() {
    let error = |inside: &str, line, column| check(&file(inside), Severity::Error, rule::WELL_FORMED, line, column);
    error("<process>", 2, 10);
    error("<process id='a' id='b'/>", 2, 1);
    error("<process v:x='1' v:x='2'/>", 2, 1);
    error("<process xmlns:w='urn:vendor' v:x='1' w:x='2'/>", 2, 1);
    error("<process id=a/>", 2, 1);
    error("<process id='a'name='b'/>", 2, 1);
    error("<process id='<'/>", 2, 1);
    error("\n<process id='&'/>", 3, 1);
    error("<process id='&#0;'/>", 2, 1);
    error("<process>&#xFFFF;</process>", 2, 10);
    error("<documentation>\u{1}</documentation>", 2, 16);
    error("<1/>", 2, 1);
    error("<a:b:c/>", 2, 1);
    let whole = |source: &str, column| check(source, Severity::Error, rule::WELL_FORMED, 1, column);
    whole("<a/><b/>", 5);
    whole("<a/> x", 6);
    whole("x<a/>", 1);
    whole("<a/>&amp;", 5);
    whole(" <?xml version='1.0'?><a/>", 2);
    whole("<a><b>", 4);
    whole("<a>\0</a>", 4);
}

#[test]
fn entities_and_document_types_are_refused() {
    let bomb = "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]>\n<x>&b;</x>";
    check(bomb, Severity::Error, rule::ENTITY, 1, 1);
    assert_eq!(xml::read(bomb.as_bytes()).definitions, Definitions::default());
    check(
        &in_process("<task id='t' name='&nbsp;'/>"),
        Severity::Error,
        rule::ENTITY,
        2,
        17,
    );
    check(
        &in_process("<documentation>a&nbsp;</documentation>"),
        Severity::Error,
        rule::ENTITY,
        2,
        33,
    );
}

#[test]
fn namespaces_that_are_wrong() {
    check(
        &in_process("<w:task/><w:task/>"),
        Severity::Error,
        rule::NAMESPACE,
        2,
        17,
    );
    check(
        &in_process("<task id='t' w:x='1'/>"),
        Severity::Error,
        rule::NAMESPACE,
        2,
        17,
    );
    check(
        &in_process("<task id='t' xmlns:w=''/>"),
        Severity::Error,
        rule::NAMESPACE,
        2,
        17,
    );
    check(
        &in_process("<task id='t' xmlns:xml='urn:x'/>"),
        Severity::Error,
        rule::NAMESPACE,
        2,
        17,
    );
    assert_eq!(complaints(&in_process("<task id='t' xml:lang='en'/>")), []);
}

#[test]
fn encodings_that_are_not_read() {
    check(
        "<?xml version='1.0' encoding='EBCDIC'?><a/>",
        Severity::Error,
        rule::ENCODING,
        1,
        1,
    );
    assert_eq!(xml::read(b"<a>\xFF</a>").problems[0].rule, rule::ENCODING);
}

#[test]
fn every_limit_is_kept() {
    let limits = Limits::default();
    let long = "x".repeat(9);
    let shared = "<timerEventDefinition id='T'><timeDate>long enough</timeDate></timerEventDefinition><process id='p'>\
                  <startEvent id='s'><eventDefinitionRef>T</eventDefinitionRef></startEvent></process>";
    let list = in_process(
        "<complexGateway id='c'><extensionElements><trackside:activation required='a b c'/></extensionElements></complexGateway>",
    );
    let cases = [
        (
            Limits {
                file_bytes: 100,
                ..limits
            },
            in_process(""),
        ),
        (Limits { depth: 2, ..limits }, in_process("<task id='t'></task>")),
        (Limits { elements: 2, ..limits }, in_process("<task id='t'/>")),
        (Limits { elements: 7, ..limits }, list.clone()),
        (
            Limits {
                attributes: 10,
                ..limits
            },
            in_process("<task id='t' b='' c='' d='' e='' f='' g='' h='' i='' j='' k=''/>"),
        ),
        (
            Limits {
                attribute_bytes: 70,
                ..limits
            },
            in_process(&format!("<task id='{}'/>", long.repeat(8))),
        ),
        (
            Limits {
                text_bytes: 8,
                ..limits
            },
            in_process(&format!("<textAnnotation id='t'><text>{long}</text></textAnnotation>")),
        ),
        (
            Limits {
                namespaces: 9,
                ..limits
            },
            in_process("<task id='t' xmlns:new='urn:new'/>"),
        ),
        (
            Limits {
                shared_bytes: 5,
                ..limits
            },
            file(shared),
        ),
    ];
    for (limits, source) in cases {
        assert_eq!(complaints(&source), [], "within the defaults");
        let problems = xml::read_with(source.as_bytes(), &limits).problems;
        assert_eq!(problems.len(), 1, "{limits:?}: {problems:?}");
        assert_eq!(
            (problems[0].rule.as_str(), problems[0].severity),
            (rule::LIMIT, Severity::Error)
        );
    }
    let exact = Limits { elements: 8, ..limits };
    assert_eq!(xml::read_with(list.as_bytes(), &exact).problems, []);
    let few = Limits { problems: 2, ..limits };
    let problems = xml::read_with(in_process(&"<task/>".repeat(5)).as_bytes(), &few).problems;
    assert_eq!(
        problems.iter().map(|p| p.rule.as_str()).collect::<Vec<_>>(),
        ["XML-5", "XML-5", "XML-2"]
    );
    assert!(!any_error(&problems));
}
