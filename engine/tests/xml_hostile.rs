//! Files that mean harm, or that were cut off: the reader must come back, soon, and with a reason.

use proptest::prelude::*;
use trackside_engine::problem::any_error;
use trackside_engine::xml::{self, rule};

const HEAD: &str = "<definitions xmlns=\"http://www.omg.org/spec/BPMN/20100524/MODEL\" \
                    xmlns:bpmndi=\"http://www.omg.org/spec/BPMN/20100524/DI\">";

const SMALL: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <b:definitions xmlns:b=\"http://www.omg.org/spec/BPMN/20100524/MODEL\" xmlns:v='urn:v'><!-- é -->\n\
    <b:process id=\"p\"><b:startEvent id='s'><b:timerEventDefinition><b:timeDate><![CDATA[a<b]]>&lt;</b:timeDate>\
    </b:timerEventDefinition></b:startEvent><b:subProcess id='u'><b:extensionElements><v:x y='&amp;'/>\
    </b:extensionElements><b:task id='t'/></b:subProcess></b:process><?pi?></b:definitions>";

/// Every reading of `source` is an error of this rule, and leaves nothing behind.
fn refused(source: &[u8], rule: &str) {
    let reading = xml::read(source);
    let last = reading.problems.last().expect("a reason");
    assert_eq!(last.rule, rule, "{last:?}");
    assert!(any_error(&reading.problems));
    assert_eq!(reading.definitions, xml::read(b"").definitions);
}

#[test]
fn a_million_open_tags() {
    refused("<a>".repeat(1_000_000).as_bytes(), rule::LIMIT);
    refused(
        format!("{HEAD}{}", "<subProcess>".repeat(1_000_000)).as_bytes(),
        rule::LIMIT,
    );
    refused(format!("{HEAD}{}", "<v>".repeat(1_000_000)).as_bytes(), rule::LIMIT);
}

#[test]
fn what_nests_up_to_the_limit_is_read() {
    let nested = |open: &str, close: &str, times: usize| format!("{}{}", open.repeat(times), close.repeat(times));
    let sub_processes = nested("<subProcess id='s'>", "</subProcess>", 4_990);
    let lanes = nested("<lane id='l'><childLaneSet>", "</childLaneSet></lane>", 2_490);
    let conversations = nested("<subConversation>", "</subConversation>", 4_990);
    let source = format!(
        "{HEAD}<collaboration>{conversations}</collaboration>\
         <process id='p'><laneSet>{lanes}</laneSet>{sub_processes}</process></definitions>"
    );
    let reading = xml::read(source.as_bytes());
    assert_eq!(reading.problems, []);
    assert_eq!(reading.definitions.scopes.len(), 4_991);
    assert_eq!(reading.definitions.scopes[0].lanes.len(), 2_490);
    let written = xml::write(&reading.definitions);
    assert!(
        written.len() < 10 * source.len(),
        "indentation does not grow without bound"
    );
    assert_eq!(xml::read(written.as_bytes()).definitions.scopes.len(), 4_991);
}

#[test]
fn too_much_of_everything() {
    refused(
        format!("{HEAD}{}</definitions>", "<process id='p'/>".repeat(1_000_001)).as_bytes(),
        rule::LIMIT,
    );
    let attributes = (0..100_000).map(|n| format!(" a{n}=''")).collect::<Vec<_>>().concat();
    refused(
        format!("{HEAD}<process{attributes}/></definitions>").as_bytes(),
        rule::LIMIT,
    );
    let spaces = (0..900)
        .map(|n| format!(" xmlns:a{n}='urn:{n}'"))
        .collect::<Vec<_>>()
        .concat();
    refused(
        format!("{HEAD}<process{spaces}/></definitions>").as_bytes(),
        rule::LIMIT,
    );
    refused(
        format!("{HEAD}<process id='{}'/></definitions>", "x".repeat(1 << 20)).as_bytes(),
        rule::LIMIT,
    );
    refused(&vec![b' '; (64 << 20) + 1], rule::LIMIT);
}

#[test]
fn a_shared_definition_is_not_copied_without_bound() {
    let source = format!(
        "{HEAD}<timerEventDefinition id='T'><timeDate>{}</timeDate></timerEventDefinition><process id='p'>{}</process>\
         </definitions>",
        "x".repeat(60_000),
        "<startEvent id='s'><eventDefinitionRef>T</eventDefinitionRef></startEvent>".repeat(10_000),
    );
    let reading = xml::read(source.as_bytes());
    assert_eq!(reading.problems[0].rule, rule::LIMIT);
    assert!(xml::write(&reading.definitions).len() < 4 << 20);
}

#[test]
fn a_file_of_complaints_has_a_bounded_list() {
    let source = format!(
        "{HEAD}<process id='p'>{}</process></definitions>",
        "<nonsense/><task/>".repeat(100_000)
    );
    let problems = xml::read(source.as_bytes()).problems;
    assert_eq!(problems.len(), 1_001);
}

#[test]
fn entity_bombs_and_external_entities() {
    let bomb = "<!DOCTYPE a [<!ENTITY x0 'ha'><!ENTITY x1 '&x0;&x0;'>]><a>&x1;</a>";
    refused(bomb.as_bytes(), rule::ENTITY);
    refused(b"<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", rule::ENTITY);
    refused(
        b"<!DOCTYPE a [<!ENTITY % p SYSTEM 'http://example.org/p'> %p;]><a/>",
        rule::ENTITY,
    );
}

#[test]
fn bytes_that_are_no_text() {
    refused(b"\0\0\0\0", rule::WELL_FORMED);
    refused(b"<a>\0</a>", rule::WELL_FORMED);
    refused(b"\xFF\xFF\xFF", rule::ENCODING);
    refused(b"\xFE\xFF\xD8\x00", rule::ENCODING);
    refused(b"\x1F\x8B\x08\0", rule::ENCODING);
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    assert_eq!(xml::read(SMALL.as_bytes()).problems, []);
    for end in 0..SMALL.len() {
        let reading = xml::read(&SMALL.as_bytes()[..end]);
        assert!(any_error(&reading.problems), "cut at {end}");
        for problem in &reading.problems {
            assert!(
                problem.at.line >= 1 && problem.at.column >= 1,
                "cut at {end}: {problem:?}"
            );
        }
    }
}

/// Pieces of which random files are made: mark-up that fits together often enough to get deep.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        HEAD,
        "</definitions>",
        "<process id='p'>",
        "</process>",
        "<subProcess>",
        "</subProcess>",
        "<task/>",
        "<startEvent id='s'>",
        "</startEvent>",
        "<timerEventDefinition><timeDate>",
        "</timeDate></timerEventDefinition>",
        "<laneSet><lane>",
        "</lane></laneSet>",
        "<bpmndi:BPMNDiagram><bpmndi:BPMNPlane><bpmndi:BPMNShape>",
        "</bpmndi:BPMNShape></bpmndi:BPMNPlane></bpmndi:BPMNDiagram>",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "&lt;",
        "&#x;",
        "&x",
        ";",
        "<?",
        "?>",
        "<!",
        "<",
        ">",
        "'",
        "=\"",
        " a:b='c'",
        "é",
        "\r\n",
        "\0",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let reading = xml::read(&bytes);
        prop_assert!(any_error(&reading.problems), "no file of random bytes is BPMN");
    }

    #[test]
    fn random_mark_up(pieces in prop::collection::vec(piece(), 0..30)) {
        let source = format!("{HEAD}{}</definitions>", pieces.concat());
        let reading = xml::read(source.as_bytes());
        let again = xml::read(xml::write(&reading.definitions).as_bytes());
        prop_assert_eq!(reading.definitions.scopes.len(), again.definitions.scopes.len());
    }

    #[test]
    fn a_small_file_with_bytes_changed(changes in prop::collection::vec((0..SMALL.len(), any::<u8>()), 1..6)) {
        let mut bytes = SMALL.as_bytes().to_vec();
        for (place, byte) in changes {
            bytes[place] = byte;
        }
        let reading = xml::read(&bytes);
        let again = xml::read(xml::write(&reading.definitions).as_bytes());
        prop_assert!(!any_error(&again.problems), "{:?}", again.problems);
    }
}
