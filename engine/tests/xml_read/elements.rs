//! Every family of elements.

use trackside_engine::model::{
    Activation, ArtifactKind, Binding, Gateway, GatewayDirection, NodeKind, Position, SubProcessKind, TaskKind, Timer,
    Trigger,
};
use trackside_engine::xml;

use super::{BPMN, clean, file, in_process};

/// The kinds of the nodes of the first scope.
fn kinds(inside: &str) -> Vec<NodeKind> {
    let definitions = clean(&in_process(inside)).definitions;
    definitions.scopes[0]
        .nodes
        .iter()
        .map(|node| node.kind.clone())
        .collect()
}

#[test]
fn tasks_and_their_attributes() {
    let kinds = kinds(
        "<task id='a'/><manualTask id='b'/><scriptTask id='c'><script>x &lt; 1</script></scriptTask>\
         <sendTask id='d' messageRef='tns:m'/><receiveTask id='e' messageRef='m' instantiate='1'/>\
         <userTask id='f' isForCompensation='true'/><serviceTask id='g' messageRef='not a message'/>\
         <businessRuleTask id='h'><standardLoopCharacteristics/></businessRuleTask>",
    );
    let tasks: Vec<_> = kinds
        .into_iter()
        .map(|kind| match kind {
            NodeKind::Task {
                task,
                message,
                instantiate,
                repeat,
                for_compensation,
            } => (task, message, instantiate, repeat.is_some(), for_compensation),
            other => panic!("{other:?}"),
        })
        .collect();
    let message = || Some("m".to_owned());
    let expected = [
        (TaskKind::Abstract, None, false, false, false),
        (TaskKind::Manual, None, false, false, false),
        (TaskKind::Script, None, false, false, false),
        (TaskKind::Send, message(), false, false, false),
        (TaskKind::Receive, message(), true, false, false),
        (TaskKind::User, None, false, false, true),
        (TaskKind::Service, None, false, false, false),
        (TaskKind::BusinessRule, None, false, true, false),
    ];
    assert_eq!(tasks, expected);
}

#[test]
fn events_and_their_definitions() {
    let kinds = kinds(
        "<startEvent id='a' isInterrupting='false' parallelMultiple='true'>\
           <messageEventDefinition id='x' messageRef='tns:m'/><signalEventDefinition/></startEvent>\
         <boundaryEvent id='b' attachedToRef='t' cancelActivity='false'><errorEventDefinition errorRef='e'/></boundaryEvent>\
         <boundaryEvent id='c' attachedToRef='t'><outgoing>f</outgoing><cancelEventDefinition/></boundaryEvent>\
         <endEvent id='d'><terminateEventDefinition/></endEvent>\
         <intermediateThrowEvent id='e'><linkEventDefinition name='L'><target>g</target></linkEventDefinition>\
         </intermediateThrowEvent><endEvent id='f'><escalationEventDefinition escalationRef='s'/></endEvent>\
         <intermediateThrowEvent id='g'><compensateEventDefinition activityRef='t'/></intermediateThrowEvent>",
    );
    let all = |kind: &NodeKind| match kind {
        NodeKind::Start { events, binding, .. }
        | NodeKind::Catch { events, binding }
        | NodeKind::Boundary { events, binding, .. } => (events.clone(), *binding),
        NodeKind::End { events } | NodeKind::Throw { events } => (events.clone(), Binding::Any),
        other => panic!("{other:?}"),
    };
    let text = |text: &str| Some(text.to_owned());
    let found: Vec<(Vec<_>, _)> = kinds
        .iter()
        .map(all)
        .map(|(events, binding)| (events.into_iter().map(|e| e.trigger).collect(), binding))
        .collect();
    let expected = [
        (vec![Trigger::Message(text("m")), Trigger::Signal(None)], Binding::All),
        (vec![Trigger::Error(text("e"))], Binding::Any),
        (vec![Trigger::Cancel], Binding::Any),
        (vec![Trigger::Terminate], Binding::Any),
        (vec![Trigger::Link(text("L"))], Binding::Any),
        (vec![Trigger::Escalation(text("s"))], Binding::Any),
        (vec![Trigger::Compensate], Binding::Any),
    ];
    assert_eq!(found, expected);
    assert!(matches!(&kinds[0], NodeKind::Start { interrupting: false, events, .. } if events[0].id == text("x")));
    assert!(matches!(&kinds[1], NodeKind::Boundary { interrupting: false, attached_to: Some(t), .. } if t == "t"));
    assert!(matches!(&kinds[2], NodeKind::Boundary { interrupting: true, .. }));
}

#[test]
fn timers_and_conditions() {
    let timers = "<timerEventDefinition><timeDuration xsi:type='b:tFormalExpression' language='L'> PT1S\n\
         </timeDuration></timerEventDefinition><timerEventDefinition><timeDate>d</timeDate></timerEventDefinition>\
         <timerEventDefinition><timeCycle><![CDATA[R2/<x>]]>&amp;</timeCycle></timerEventDefinition>\
         <timerEventDefinition/><conditionalEventDefinition><condition xsi:type='tFormalExpression'>a &gt; 1\
         </condition></conditionalEventDefinition><conditionalEventDefinition/>";
    let kinds = kinds(&format!(
        "<intermediateCatchEvent id='a'>{timers}</intermediateCatchEvent>"
    ));
    let NodeKind::Catch { events, .. } = &kinds[0] else {
        panic!("{kinds:?}")
    };
    let triggers: Vec<_> = events.iter().map(|event| &event.trigger).collect();
    assert!(matches!(triggers[0], Trigger::Timer(Some(Timer::Duration(e)))
        if e.text == "PT1S" && e.language.as_deref() == Some("L")));
    assert!(matches!(triggers[1], Trigger::Timer(Some(Timer::Date(e))) if e.text == "d" && e.language.is_none()));
    assert!(matches!(triggers[2], Trigger::Timer(Some(Timer::Cycle(e))) if e.text == "R2/<x>&"));
    assert!(matches!(triggers[3], Trigger::Timer(None)));
    assert!(matches!(triggers[4], Trigger::Conditional(Some(e)) if e.text == "a > 1"));
    assert!(matches!(triggers[5], Trigger::Conditional(None)));
}

#[test]
fn shared_event_definitions() {
    let source = file(
        "<timerEventDefinition id='T'><timeDate>d</timeDate></timerEventDefinition><process id='p'>\
         <startEvent id='s'><eventDefinitionRef>tns:T</eventDefinitionRef></startEvent></process>",
    );
    let definitions = clean(&source).definitions;
    let NodeKind::Start { events, .. } = &definitions.scopes[0].nodes[0].kind else {
        panic!("{definitions:?}")
    };
    assert!(matches!(&events[0].trigger, Trigger::Timer(Some(Timer::Date(e))) if e.text == "d"));
    assert_eq!(events[0].id, None, "the id belongs to the original");
}

#[test]
fn gateways() {
    let kinds = kinds(
        "<exclusiveGateway id='a' gatewayDirection='Diverging' default='f'/><parallelGateway id='b'/>\
         <inclusiveGateway id='c' gatewayDirection='Mixed'/>\
         <eventBasedGateway id='d' instantiate='true' eventGatewayType='Parallel'/><eventBasedGateway id='e'/>\
         <complexGateway id='f'><extensionElements><v:x><task/></v:x>\
           <trackside:activation count=' 2 ' required=' f1  tns:f2 '>\
             <trackside:condition language='cel'>a</trackside:condition></trackside:activation>\
           <trackside:activation/></extensionElements><activationCondition>n</activationCondition></complexGateway>",
    );
    let directions: Vec<_> = kinds
        .iter()
        .map(|kind| match kind {
            NodeKind::Gateway { gateway, direction } => (gateway.clone(), *direction),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(directions[0], (Gateway::Exclusive, GatewayDirection::Diverging));
    assert_eq!(directions[1], (Gateway::Parallel, GatewayDirection::Unspecified));
    assert_eq!(directions[2], (Gateway::Inclusive, GatewayDirection::Mixed));
    let event_based = |instantiate, parallel| Gateway::EventBased { instantiate, parallel };
    assert_eq!(directions[3].0, event_based(true, true));
    assert_eq!(directions[4].0, event_based(false, false));
    let Gateway::Complex { activations, condition } = &directions[5].0 else {
        panic!("{directions:?}")
    };
    assert_eq!(condition.as_ref().map(|c| c.text.as_str()), Some("n"));
    let [first, second] = activations.as_slice() else {
        panic!("{activations:?}")
    };
    assert_eq!(
        (first.count, first.required.as_slice()),
        (Some(2), &["f1".to_owned(), "f2".to_owned()][..])
    );
    assert_eq!(
        first
            .condition
            .as_ref()
            .map(|c| (c.text.as_str(), c.language.as_deref())),
        Some(("a", Some("cel")))
    );
    let empty = Activation {
        at: second.at,
        count: None,
        required: Vec::new(),
        condition: None,
    };
    assert_eq!(*second, empty);
}

#[test]
fn bodies_open_in_the_order_of_the_file() {
    let source = in_process(
        "<subProcess id='a'><transaction id='b'><task id='t'/></transaction><adHocSubProcess id='c'/></subProcess>\
         <subProcess id='d' triggeredByEvent='true'><multiInstanceLoopCharacteristics>\
         <loopCardinality>3</loopCardinality></multiInstanceLoopCharacteristics></subProcess><task id='e'/>",
    );
    let definitions = clean(&source).definitions;
    let mut found = Vec::new();
    for (index, scope) in definitions.scopes.iter().enumerate() {
        for node in &scope.nodes {
            let body = match &node.kind {
                NodeKind::SubProcess { kind, body, repeat, .. } => Some((*kind, body.0, repeat.is_some())),
                _ => None,
            };
            found.push((index, node.id.as_str(), body));
        }
    }
    let expected = [
        (0, "a", Some((SubProcessKind::Embedded, 1, false))),
        (0, "d", Some((SubProcessKind::Event, 4, true))),
        (0, "e", None),
        (1, "b", Some((SubProcessKind::Transaction, 2, false))),
        (1, "c", Some((SubProcessKind::AdHoc, 3, false))),
        (2, "t", None),
    ];
    assert_eq!(found, expected);
    let parents: Vec<_> = definitions
        .scopes
        .iter()
        .map(|scope| scope.parent.map(|p| p.0))
        .collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(1), Some(0)]);
}

#[test]
fn flows_lanes_artifacts_and_data() {
    let source = in_process(
        "<laneSet><lane id='l1'><flowNodeRef> tns:a </flowNodeRef><childLaneSet><lane id='l2'/><lane id='l3'>\
         <flowNodeRef>b</flowNodeRef></lane></childLaneSet></lane><lane id='l4'/></laneSet>\
         <sequenceFlow id='f' name='n&#10;m' sourceRef='tns:a' targetRef='undeclared:b'>\
         <conditionExpression xsi:type='b:tFormalExpression'>${x}</conditionExpression></sequenceFlow>\
         <dataObject id='d'/><dataObjectReference id='r' dataObjectRef='d'/><dataStoreReference id='s'/>\
         <textAnnotation id='t'><text> hi </text></textAnnotation><group id='g'/>\
         <association id='o' sourceRef='a' targetRef='t' associationDirection='One'/>",
    );
    let definitions = clean(&source).definitions;
    let scope = &definitions.scopes[0];
    let lanes: Vec<_> = scope
        .lanes
        .iter()
        .map(|l| (l.id.as_str(), l.parent, l.nodes.join(",")))
        .collect();
    let lane = |id, parent, nodes: &str| (id, parent, nodes.to_owned());
    let expected = [
        lane("l1", None, "a"),
        lane("l2", Some(0), ""),
        lane("l3", Some(0), "b"),
        lane("l4", None, ""),
    ];
    assert_eq!(lanes, expected);
    let flow = &scope.flows[0];
    assert_eq!((flow.source.as_str(), flow.target.as_str()), ("a", "undeclared:b"));
    assert_eq!(flow.name.as_deref(), Some("n\nm"));
    assert_eq!(flow.condition.as_ref().map(|c| c.text.as_str()), Some("${x}"));
    let data: Vec<_> = scope
        .data
        .iter()
        .map(|d| (d.element.as_str(), d.refers_to.as_deref()))
        .collect();
    let expected = [
        ("dataObject", None),
        ("dataObjectReference", Some("d")),
        ("dataStoreReference", None),
    ];
    assert_eq!(data, expected);
    assert_eq!(scope.artifacts[0].kind, ArtifactKind::Annotation(" hi ".to_owned()));
    assert_eq!(scope.artifacts.len(), 3);
}

#[test]
fn declarations_and_collaborations() {
    let source = file(
        "<message id='m' name='M'/><signal id='s'/><error id='e' errorCode='E1'/>\
         <escalation id='c' escalationCode='C1'/><correlationProperty id='cp'>\
         <correlationPropertyRetrievalExpression messageRef='m'><messagePath>a.b</messagePath>\
         </correlationPropertyRetrievalExpression></correlationProperty>\
         <collaboration id='col'><participant id='x' processRef='tns:p'/><participant id='y'/>\
         <messageFlow id='mf' sourceRef='x' targetRef='y'/><textAnnotation/><conversation><subConversation>\
         <correlationKey id='k'><correlationPropertyRef>tns:cp</correlationPropertyRef></correlationKey>\
         </subConversation></conversation></collaboration><process id='p' isExecutable='0'/>",
    );
    let definitions = clean(&source).definitions;
    assert_eq!(definitions.errors[0].code.as_deref(), Some("E1"));
    assert_eq!(definitions.escalations[0].code.as_deref(), Some("C1"));
    assert_eq!(
        (definitions.messages[0].name.as_deref(), definitions.signals.len()),
        (Some("M"), 1)
    );
    assert_eq!(definitions.correlation_properties[0].retrievals[0].path.text, "a.b");
    let collaboration = &definitions.collaborations[0];
    let pools: Vec<_> = collaboration
        .participants
        .iter()
        .map(|p| p.process.as_deref())
        .collect();
    assert_eq!(pools, [Some("p"), None]);
    assert_eq!(collaboration.keys[0].properties, ["cp"]);
    assert_eq!(collaboration.message_flows[0].target, "y");
    assert_eq!(definitions.processes[0].is_executable, Some(false));
}

#[test]
fn diagrams() {
    let source = file(
        "<bpmndi:BPMNDiagram id='d'><bpmndi:BPMNPlane bpmnElement='tns:p'>\
         <bpmndi:BPMNShape id='s' bpmnElement='a' isExpanded='true'><dc:Bounds x='1' y='-2.5' width='1e2' height='80'/>\
         <bpmndi:BPMNLabel><dc:Bounds x='0' y='0' width='1' height='2'/></bpmndi:BPMNLabel></bpmndi:BPMNShape>\
         <bpmndi:BPMNEdge bpmnElement='f'><di:waypoint x='1' y='2'/><di:waypoint x='3' y='4'/><bpmndi:BPMNLabel/>\
         </bpmndi:BPMNEdge></bpmndi:BPMNPlane><bpmndi:BPMNLabelStyle/></bpmndi:BPMNDiagram>",
    );
    let diagrams = clean(&source).definitions.diagrams;
    assert_eq!(diagrams[0].plane.as_deref(), Some("p"));
    let shape = &diagrams[0].shapes[0];
    assert_eq!(
        (shape.bounds, shape.label),
        ([1.0, -2.5, 100.0, 80.0], Some([0.0, 0.0, 1.0, 2.0]))
    );
    assert_eq!((shape.expanded, shape.horizontal), (Some(true), None));
    assert_eq!(diagrams[0].edges[0].waypoints, [[1.0, 2.0], [3.0, 4.0]]);
}

#[test]
fn positions_are_those_of_start_tags() {
    let source = in_process("\n  é<task\n id='a'/>\r\n\t<!-- \n --><sequenceFlow id='f' sourceRef='a' targetRef='a'/>");
    let definitions = clean(&source).definitions;
    assert_eq!(definitions.processes[0].at, Position { line: 2, column: 1 });
    assert_eq!(definitions.scopes[0].nodes[0].at, Position { line: 3, column: 4 });
    assert_eq!(definitions.scopes[0].flows[0].at, Position { line: 6, column: 5 });
}

#[test]
fn prefixes_do_not_matter() {
    let plain = format!("<definitions xmlns='{BPMN}'><process id='p'><task id='t'/></process></definitions>");
    let odd = format!(
        "<q:definitions xmlns:q='{BPMN}'><r:process xmlns:r='{BPMN}' id='p'><q:task id='t'/></r:process></q:definitions>"
    );
    let shadowed = format!(
        "<a:definitions xmlns:a='{BPMN}'><a:process id='p'><a:task id='t'/><a:task xmlns:a='urn:other' id='u'/>\
         </a:process></a:definitions>"
    );
    for source in [plain, odd, shadowed] {
        let definitions = clean(&source).definitions;
        let ids: Vec<_> = definitions.scopes[0]
            .nodes
            .iter()
            .map(|node| node.id.as_str())
            .collect();
        assert_eq!(ids, ["t"], "{source}");
    }
}

#[test]
fn encodings() {
    let text = in_process("<task id='t' name='é→'/>");
    let name = |bytes: &[u8]| xml::read(bytes).definitions.scopes[0].nodes[0].name.clone();
    let expected = Some("é→".to_owned());
    assert_eq!(name(text.as_bytes()), expected);
    assert_eq!(name(&[b"\xEF\xBB\xBF", text.as_bytes()].concat()), expected);
    let little = [0xFEFF]
        .into_iter()
        .chain(text.encode_utf16())
        .flat_map(u16::to_le_bytes);
    assert_eq!(name(&little.collect::<Vec<_>>()), expected);
    let big = text.encode_utf16().flat_map(u16::to_be_bytes);
    assert_eq!(name(&big.collect::<Vec<_>>()), expected);
    let mut latin = b"<?xml version='1.0' encoding='iso-8859-1'?>".to_vec();
    latin.extend(
        in_process("<task id='t' name='?'/>")
            .bytes()
            .map(|b| if b == b'?' { 0xE9 } else { b }),
    );
    assert_eq!(name(&latin), Some("é".to_owned()));
}
