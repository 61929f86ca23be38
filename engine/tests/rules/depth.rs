//! Depth and width: nothing in the engine recurses on the size of a model. Every model here runs in a thread whose
//! stack would not hold a frame per element.

use trackside_engine::expr::Data;
use trackside_engine::instance::{End, FaultKind, Grain, Options};
use trackside_engine::model::{
    Definitions, FlowNode, Gateway, GatewayDirection, NodeKind, Position, Process, Scope, ScopeRef, SequenceFlow,
    SubProcessKind, TaskKind,
};
use trackside_engine::template::Compiled;
use trackside_engine::world::{Part, World};

use crate::run::template;

/// Less than 30 bytes for each of 10,000 elements.
const STACK_BYTES: usize = 256 * 1024;

fn definitions(scopes: Vec<Scope>) -> Definitions {
    Definitions {
        processes: vec![Process {
            id: "p".into(),
            name: None,
            at: Position::default(),
            is_executable: None,
            body: ScopeRef(0),
        }],
        scopes,
        ..Definitions::default()
    }
}

fn node(id: String, kind: NodeKind) -> FlowNode {
    FlowNode {
        id,
        name: None,
        at: Position::default(),
        default: None,
        kind,
    }
}

fn task() -> NodeKind {
    NodeKind::Task {
        task: TaskKind::Abstract,
        message: None,
        instantiate: false,
        repeat: None,
        for_compensation: false,
    }
}

fn gateway(gateway: Gateway) -> NodeKind {
    let direction = GatewayDirection::Unspecified;
    NodeKind::Gateway { gateway, direction }
}

fn flow(source: &str, target: &str) -> SequenceFlow {
    SequenceFlow {
        id: format!("{source}_{target}"),
        name: None,
        at: Position::default(),
        source: source.into(),
        target: target.into(),
        condition: None,
    }
}

fn chain(length: usize) -> Definitions {
    let mut scope = Scope::default();
    for n in 0..length {
        scope.nodes.push(node(format!("t{n}"), task()));
        if n > 0 {
            scope.flows.push(flow(&format!("t{}", n - 1), &format!("t{n}")));
        }
    }
    definitions(vec![scope])
}

fn fan(width: usize, join: &Gateway) -> Definitions {
    let mut scope = Scope::default();
    scope.nodes.push(node("fork".into(), gateway(Gateway::Parallel)));
    scope.nodes.push(node("join".into(), gateway(join.clone())));
    for n in 0..width {
        let id = format!("t{n}");
        scope.flows.push(flow("fork", &id));
        scope.flows.push(flow(&id, "join"));
        scope.nodes.push(node(id, task()));
    }
    definitions(vec![scope])
}

fn nest(depth: u32) -> Definitions {
    let mut scopes = Vec::new();
    for level in 0..=depth {
        let kind = if level == depth {
            task()
        } else {
            NodeKind::SubProcess {
                kind: SubProcessKind::Embedded,
                body: ScopeRef(level + 1),
                repeat: None,
                for_compensation: false,
            }
        };
        scopes.push(Scope {
            parent: level.checked_sub(1).map(ScopeRef),
            nodes: vec![node(format!("n{level}"), kind)],
            ..Scope::default()
        });
    }
    definitions(scopes)
}

/// Runs `model` to its end in a small thread; gives the number of transitions.
fn run_in_a_small_stack(model: Definitions, options: Options, cancel: bool) -> (Option<End>, u64) {
    let small = std::thread::Builder::new().stack_size(STACK_BYTES);
    let thread = small.spawn(move || {
        let mut world = World::new(options);
        world.add(template(&model, &Compiled::default()));
        let id = world.start(0, 0, Data::default());
        while let Some(action) = world.oldest(Part::All) {
            world.apply(action).expect("the action is enabled");
        }
        if cancel {
            world.cancel(id);
        }
        let canonical = world.instance(id).canonical();
        assert!(canonical.len() < 100, "an ended instance is small");
        assert!(world.instance(id).waits().is_empty());
        (world.instance(id).end().cloned(), world.transitions())
    });
    thread.expect("a thread").join().expect("no overflow")
}

fn silent() -> Options {
    Options {
        records: false,
        ..Options::default()
    }
}

#[test]
fn ins_3_ten_thousand_tasks_in_a_row() {
    let (end, transitions) = run_in_a_small_stack(chain(10_000), silent(), false);
    assert_eq!(end, Some(End::Completed));
    assert_eq!(
        transitions,
        1 + 10_000 + 9_999,
        "the start, a step per task and an arrival per flow"
    );
}

#[test]
fn par_2_a_fork_of_ten_thousand_branches() {
    let (end, transitions) = run_in_a_small_stack(fan(10_000, &Gateway::Parallel), silent(), false);
    assert_eq!(end, Some(End::Completed));
    assert_eq!(transitions, 1 + 1 + 3 * 10_000 + 1);
}

#[test]
fn orj_1_an_inclusive_join_of_a_thousand_branches() {
    let (end, _) = run_in_a_small_stack(fan(1_000, &Gateway::Inclusive), silent(), false);
    assert_eq!(end, Some(End::Completed));
}

#[test]
fn ins_9_sub_processes_nested_a_thousand_deep() {
    for grain in [
        trackside_engine::instance::Grain::Protocol,
        trackside_engine::instance::Grain::Atomic,
    ] {
        let options = Options { grain, ..silent() };
        assert_eq!(
            run_in_a_small_stack(nest(1_000), options, false).0,
            Some(End::Completed)
        );
    }
}

#[test]
fn ins_5_a_deep_instance_is_withdrawn_by_cancellation() {
    let mut model = nest(1_000);
    let last = model.scopes.last_mut().expect("the innermost");
    last.nodes[0].kind = NodeKind::Task {
        task: TaskKind::Receive,
        message: None,
        instantiate: false,
        repeat: None,
        for_compensation: false,
    };
    let small = std::thread::Builder::new().stack_size(STACK_BYTES);
    let thread = small.spawn(move || {
        let mut world = World::new(silent());
        world.add(template(&model, &Compiled::default()));
        let id = world.start(0, 0, Data::default());
        while let Some(action) = world.oldest(Part::Inside) {
            world.apply(action).expect("the action is enabled");
        }
        assert_eq!(world.instance(id).tracks().len(), 1_001);
        assert_eq!(world.instance(id).waits().len(), 1, "hosts wait for what is below them");
        world.cancel(id);
        assert!(world.instance(id).tracks().is_empty());
        world.instance(id).end().cloned()
    });
    assert_eq!(
        thread.expect("a thread").join().expect("no overflow"),
        Some(End::Canceled)
    );
}

/// The chain of causes is cut, but each of its links makes two more.
#[test]
fn ins_5_a_loop_that_multiplies_its_tokens_faults() {
    let model = crate::scenario::parse("s > k > e; catch k(if c); k > k; k > k");
    let mut world = World::new(Options {
        grain: Grain::Atomic,
        records: false,
        ..Options::default()
    });
    let process = world.add(template(&model, &Compiled::default()));
    let data = std::collections::BTreeMap::from([("c".to_owned(), true.into())]);
    let instance = world.start(process, 0, std::sync::Arc::new(data));
    world.run(Part::All, 1_000);
    let Some(End::Faulted(fault)) = world.instance(instance).end() else {
        panic!("{:?}", world.instance(instance).end());
    };
    assert_eq!(fault.kind, FaultKind::TooManyTokens);
    assert!(world.instance(instance).tracks().is_empty());
}
