//! EVT-6: conditions as free choices, for exploration.

use std::collections::BTreeSet;

use trackside_engine::expr::Data;
use trackside_engine::instance::{Conditions, CoverageMark, Options, Record};
use trackside_engine::template::Compiled;
use trackside_engine::world::{Part, World};

use crate::marks::hits;
use crate::run::template;
use crate::scenario::{parse, play_one};

/// All ways out of `node`, as the places that a token can be in after it, with symbolic conditions.
fn ways(model: &str, node: &str) -> Vec<String> {
    let run = play_one(model, "@symbolic @hold | step:s");
    let arrival = run.world.oldest(Part::Inside).expect("the token is in transit");
    let mut before = run;
    before.apply(arrival);
    let step = before.world.oldest(Part::Inside).expect("the token is ready");
    assert_eq!(before.world.label(step).node, Some(before.node(node)));
    let (outcomes, choices) = before.world.choices(step);
    assert_eq!(outcomes, 1);
    let mut places: Vec<String> = (0..choices)
        .map(|choice| {
            let mut run = before.clone();
            run.apply(step.choose(0, choice));
            let flows = run.tracks().into_iter().filter_map(|track| track.flow);
            let mut names: Vec<&str> = flows.map(|flow| run.template().flow(flow).id.as_str()).collect();
            names.sort_unstable();
            names.join(" ")
        })
        .collect();
    places.sort_unstable();
    places
}

#[test]
fn evt_6_symbolic_conditions_are_free_choices() {
    assert_eq!(
        ways("s > X -[a]> A; X -[b]> B; X -[default]> C", "X"),
        ["X_A", "X_B", "X_C"]
    );
    let inclusive = "s > O -[a]> A; O -[b]> B";
    assert_eq!(
        ways(inclusive, "O"),
        ["O_A", "O_A O_B", "O_B"],
        "none true is not explored"
    );
    assert_eq!(
        ways(&format!("{inclusive}; O -[default]> C"), "O"),
        ["O_A", "O_A O_B", "O_B", "O_C"]
    );
    assert_eq!(
        ways("s > T -[a]> A; T -[b]> B; T > C; auto T", "T"),
        ["T_A T_B T_C", "T_A T_C", "T_B T_C", "T_C"]
    );
    assert_eq!(ways("s > F -[a]> A; F -[b]> B", "F"), ["F_A F_B"]);
}

/// The ends that a run in the default order can reach, by every choice on the way, with symbolic conditions.
fn ends(model: &str) -> BTreeSet<String> {
    let definitions = parse(model);
    let mut world = World::new(Options {
        conditions: Conditions::Symbolic,
        ..Options::default()
    });
    let process = world.add(template(&definitions, &Compiled::default()));
    let instance = world.start(process, 0, Data::default());
    let mut reached = BTreeSet::new();
    let mut open = vec![(world, Vec::new())];
    while let Some((world, path)) = open.pop() {
        let Some(action) = world.oldest(Part::All) else {
            crate::marks::noted(world.instance(instance));
            reached.insert(path.join(" "));
            continue;
        };
        let (_, ways) = world.choices(action);
        for choice in 0..ways {
            let (mut world, mut path) = (world.clone(), path.clone());
            let records = world.apply(action.choose(0, choice)).expect("it is enabled").to_vec();
            let template = world.instance(instance).template();
            path.extend(records.iter().filter_map(|(_, record)| match record {
                Record::Stepped { node, .. } => Some(template.node(*node).id.clone()).filter(|id| id.starts_with('e')),
                _ => None,
            }));
            path.sort_unstable();
            open.push((world, path));
        }
    }
    reached
}

/// The way out of a node is a choice also where its token leaves within an action that is about something else.
#[test]
fn evt_6_what_leaves_within_another_action_chooses_too() {
    let _tied = hits(CoverageMark::ChoosesLater);
    let set = |all: &[&str]| all.iter().map(ToString::to_string).collect::<BTreeSet<String>>();
    let drained = "s > S{s1 > d} > A* > e0; S -[a]> e1; S -[b]> e2";
    assert_eq!(ends(drained), set(&["e0", "e0 e1", "e0 e1 e2", "e0 e2"]));
    let raised = "s > S{s1 > r; end r(error k)}{!error k as T -[a]> e1} > e0; T -[b]> e2";
    assert_eq!(ends(raised), set(&["e1", "e1 e2", "e2"]));
    let signaled =
        "and F; catch c(signal g); catch d(signal g); s > F > c -[a]> e1; c -[b]> e2; F > d -[a]> e3; d -[b]> e4";
    assert_eq!(
        ends(signaled).len(),
        9,
        "either receiver chooses, whoever the action was about"
    );
    let handled = "s > H > e0; ESP!h{s1(message m) -[a]> e1; s1 -[b]> e2}; user H";
    assert_eq!(ends(handled), set(&["e1", "e1 e2", "e2"]), "the handler is armed first");
}
