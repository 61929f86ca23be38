//! V12: on models where the order of things should not matter, every schedule comes out the same and executes the same
//! multiset of nodes.
//!
//! Under symbolic conditions where a token goes is a choice, and a choice is no order: runs are compared that make the
//! same choices. The n-th token that leaves a node goes where a hash of the node and n says, whatever the schedule.

use std::collections::BTreeMap;

use trackside_engine::NodeId;
use trackside_engine::instance::{Conditions, Options, Record};
use trackside_engine::model::Definitions;
use trackside_engine::template::Compiled;
use trackside_engine::world::{Action, Part, World};

use super::outcome::Outcome;
use super::structure;
use crate::oracle::read::Reader;
use crate::oracle::{NotCovered, Violation};
use crate::schedule::Dice;

/// Why schedules of a model may come out differently.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("schedules may differ: {why}: `{element}`")]
pub struct NotConfluent {
    /// The reason.
    pub why: &'static str,
    /// The element.
    pub element: String,
}

impl NotConfluent {
    pub(super) fn new(why: &'static str, element: &str) -> Self {
        let element = element.to_owned();
        Self { why, element }
    }
}

impl From<NotCovered> for NotConfluent {
    fn from(refused: NotCovered) -> Self {
        Self::new(refused.what, &refused.element)
    }
}

/// Whether all schedules of a process come out the same, once choices are made: without deferred choice, complex join, data
/// race, terminate and interruption, and either without inclusive joins or made of blocks.
///
/// ```
/// use trackside_engine::instance::{Conditions, Options};
/// use trackside_engine::model::notation::parse;
/// use trackside_sim::oracle::laws::confluence;
///
/// let options = Options { conditions: Conditions::Symbolic, ..Options::default() };
/// let judge = |model| confluence::judge(&parse(model).unwrap(), 0, &Default::default(), &options);
/// assert_eq!(judge("s > O > A > J > e; O > B > J; or J O"), Ok(()));
/// let refused = judge("s > F > m > J; F > m; F > O > B > J; J > e; O > e2; or J O; and F").unwrap_err();
/// assert_eq!(refused.element, "J");
/// ```
///
/// # Errors
///
/// [`NotConfluent`] names an element by which the order may matter.
pub fn judge(file: &Definitions, process: usize, settings: &Compiled, options: &Options) -> Result<(), NotConfluent> {
    let process = file.processes.get(process);
    let process = process.ok_or_else(|| NotConfluent::new("a process that is not in the file", ""))?;
    let environment = options.environment;
    if options.conditions == Conditions::Data || environment.failures || environment.cancel {
        return Err(NotConfluent::new(
            "conditions over data, failures and cancellation race",
            &process.id,
        ));
    }
    let net = Reader { file, settings }.net(process.body)?;
    structure::judge(&net)
}

/// What is compared: how a run has come out and how often it has executed which node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// How it has come out.
    pub outcome: Outcome,
    /// How often each node was executed.
    pub executed: BTreeMap<NodeId, u32>,
}

/// Runs one instance of the first template of `world`, which is reset, by its `birth`-th way of beginning. The order is
/// that of the seed `order`; where tokens go is decided by `choices`. `None` if it is not over after `steps_max`
/// transitions.
///
/// # Panics
///
/// If there is no such template or birth.
pub fn run(world: &mut World, birth: usize, choices: u64, order: u64, steps_max: u64) -> Option<Story> {
    world.reset();
    let instance = world.start(0, birth, trackside_engine::expr::Data::default());
    let mut order = Dice::new(order);
    let mut left: BTreeMap<NodeId, u64> = BTreeMap::new();
    let mut executed = BTreeMap::new();
    for _ in 0..steps_max {
        for (_, record) in world.records() {
            if let Record::Stepped { node, .. } = record {
                *executed.entry(*node).or_default() += 1;
            }
        }
        if let Some(outcome) = Outcome::of(world, instance) {
            return Some(Story { outcome, executed });
        }
        let count = world.count(Part::All) as u64;
        let action = world.nth(Part::All, order.below(count) as usize);
        let action = decide(world, action, choices, &mut left);
        world.apply(action).ok()?;
    }
    None
}

/// The action with its choice made.
fn decide(world: &World, action: Action, choices: u64, left: &mut BTreeMap<NodeId, u64>) -> Action {
    let (_, ways) = world.choices(action);
    let Some(node) = world.label(action).node.filter(|_| ways > 1) else {
        return action;
    };
    let times = left.entry(node).or_default();
    *times += 1;
    // A seed of its own for every token that leaves a node.
    let seed = choices ^ u64::from(node.0).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ times.rotate_left(32);
    action.choose(0, Dice::new(seed).below(u64::from(ways)) as u32)
}

/// Holds two runs with the same choices against each other.
///
/// # Errors
///
/// [`Violation`] of V12 says what differs.
pub fn same_story(one: &Story, other: &Story) -> Result<(), Violation> {
    if one.outcome != other.outcome {
        let message = format!(
            "one schedule comes out as {:?}, another as {:?}",
            one.outcome, other.outcome
        );
        return Err(Violation::new("V12", "TRK-7", None, message));
    }
    let nodes = one.executed.keys().chain(other.executed.keys());
    let mut differing = nodes.filter(|node| one.executed.get(node) != other.executed.get(node));
    match differing.next() {
        None => Ok(()),
        Some(node) => {
            let times = |story: &Story| story.executed.get(node).copied().unwrap_or_default();
            let (one, other) = (times(one), times(other));
            let message = format!("one schedule executes node {node} {one} times, another {other} times");
            Err(Violation::new("V12", "TRK-7", None, message))
        }
    }
}
