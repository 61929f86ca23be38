//! A model in a few words: what is drawn, shrunk and shown, before it is written out as [`Definitions`].
//!
//! Every plan is a valid model. Nothing in it refers to anything that may be missing: indices are taken modulo what is
//! there, and what makes no sense where it stands is read as something that does. So whatever is cut out of a plan, the
//! rest is a plan.

use trackside_engine::model::Definitions;

use super::build;
use super::reduce::{self, Reductions};

/// What decides a generated model, in a form that can be shrunk.
///
/// ```
/// use trackside_sim::generate::{Parameters, plan};
///
/// let plan = plan(7, &Parameters::default());
/// let smaller = plan.reductions().next().expect("there is something to cut");
/// let nodes = |plan: &trackside_sim::generate::Plan| plan.definitions().scopes.iter().map(|s| s.nodes.len()).sum::<usize>();
/// assert!(nodes(&smaller) < nodes(&plan));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The start events; one of them at most has no trigger.
    pub(super) starts: Vec<Trigger>,
    pub(super) root: Scope,
    /// How the elements are shuffled; 0 for not at all.
    pub(super) order: u16,
}

impl Plan {
    /// The model.
    pub fn definitions(&self) -> Definitions {
        build::definitions(self)
    }

    /// Whether it is made of blocks alone. Then, under symbolic conditions and in the default environment, it completes
    /// whatever the schedule; with loops, unless it goes round for ever.
    pub fn is_structured(&self) -> bool {
        self.root.is_structured()
    }

    /// All that can be cut out at once or made simpler, the largest cuts first. Each is a plan, so a valid model; and where
    /// this one always completes because it is made of blocks, so does each of them.
    pub fn reductions(&self) -> Reductions<'_> {
        reduce::reductions(self)
    }
}

/// What stands between the start and the end of a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Body {
    Block(Block),
    Graph(Graph),
}

/// A block has one way in and one way out, and gives back every token that it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Sequence(Vec<Block>),
    Task(Task),
    Event(Event),
    Fork(Fork),
    Race(Race),
    Scope(Box<Scope>),
    /// Branches, each of which sends a token through the rest.
    Surplus(Vec<Block>, Box<Block>),
    Loop(Box<Repeat>),
}

impl Block {
    fn is_structured(&self) -> bool {
        let all = |blocks: &[Block]| blocks.iter().all(Block::is_structured);
        match self {
            Block::Sequence(blocks) => all(blocks),
            Block::Task(task) => task.boundaries.iter().all(Boundary::is_structured),
            Block::Event(_) => true,
            Block::Fork(fork) => all(&fork.branches),
            Block::Race(race) => race.arms.iter().all(|(_, block)| block.is_structured()),
            Block::Scope(scope) => scope.is_structured(),
            Block::Surplus(feeders, rest) => all(feeders) && rest.is_structured(),
            Block::Loop(repeat) => repeat.body.is_structured(),
        }
    }
}

impl Boundary {
    fn is_structured(&self) -> bool {
        matches!(&self.way, Way::Block(block, _) if block.is_structured())
    }
}

impl Scope {
    fn is_structured(&self) -> bool {
        matches!(&self.body, Body::Block(block) if block.is_structured())
            && self.side.iter().all(|side| side.way.is_structured())
            && self.handlers.iter().all(|handler| handler.body.is_structured())
            && self.boundaries.iter().all(Boundary::is_structured)
    }
}

/// A task with its boundary events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) work: Work,
    pub(super) boundaries: Vec<Boundary>,
}

/// What a task does. Messages are indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    Abstract,
    Manual,
    Script,
    User,
    Service,
    BusinessRule,
    Send(u8),
    Receive(u8),
}

/// What starts, catches, watches. The index is that of a message, a timer value, a condition, a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trigger {
    pub(super) kind: Cause,
    pub(super) index: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    None,
    Message,
    Timer,
    Signal,
    Conditional,
    Error,
    Escalation,
}

/// An intermediate event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Catch(Trigger),
    /// Messages, signals, escalations; everything else is a plain one.
    Throw(Trigger),
    /// A throw and its catch.
    Link,
}

/// How a way ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// An end event that throws messages, signals, errors, escalations, or nothing.
    Event(Trigger),
    Terminate,
    /// No end event.
    Open,
}

impl Trigger {
    pub(super) const NONE: Self = Self {
        kind: Cause::None,
        index: 0,
    };
}

impl Ending {
    pub(super) const PLAIN: Self = Self::Event(Trigger::NONE);
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Boundary {
    pub(super) watch: Watch,
    pub(super) way: Way,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Watch {
    pub(super) trigger: Trigger,
    pub(super) interrupting: bool,
}

/// Where a boundary event leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Through a block: back to the way of the host if it interrupts, else to this end.
    Block(Block, Ending),
    /// To a vertex of the same graph.
    To(u32),
}

/// Branches between a split and a join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fork {
    pub(super) split: Split,
    pub(super) join: Join,
    pub(super) choice: Choice,
    pub(super) triples: Vec<Triple>,
    pub(super) branches: Vec<Block>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Split {
    Parallel,
    Exclusive,
    Inclusive,
    Complex,
    /// A task with several flows, all of them taken.
    ImplicitAll,
    /// A task with several flows, conditions on them.
    ImplicitSome,
}

/// A join that does not suit its split is read as the plain one that does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    Parallel,
    Exclusive,
    Inclusive,
    Complex,
    /// A task with several flows into it.
    Implicit,
}

/// Conditions on the flows of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) form: Form,
    /// Of the first condition.
    pub(super) index: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Nothing on any flow.
    Bare,
    /// The first flow is the default, the others have conditions.
    Default,
    /// A condition on every flow.
    Open,
    /// A condition on every second flow.
    Mixed,
}

impl Choice {
    pub(super) const BARE: Self = Self {
        form: Form::Bare,
        index: 0,
    };
}

/// An activation of a complex join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Triple {
    pub(super) count: u8,
    /// A bit for each incoming flow.
    pub(super) required: u8,
    pub(super) guard: Option<u8>,
}

/// An event-based gateway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Race {
    /// Whether messages are taken by receive tasks.
    pub(super) receive: bool,
    pub(super) join: Join,
    pub(super) arms: Vec<(Trigger, Block)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Repeat {
    pub(super) body: Block,
    /// Whether it is decided before the body.
    pub(super) ahead: bool,
    pub(super) choice: Choice,
}

/// A sub-process, or the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scope {
    pub(super) body: Body,
    pub(super) ending: Ending,
    pub(super) side: Option<Box<Side>>,
    pub(super) handlers: Vec<Handler>,
    pub(super) boundaries: Vec<Boundary>,
}

/// What is done beside the body of a scope; at its end it may raise something, or terminate the scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) way: Block,
    pub(super) ending: Ending,
    /// Whether it may as well not.
    pub(super) optional: bool,
}

/// An event sub-process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Handler {
    pub(super) watch: Watch,
    pub(super) body: Block,
    pub(super) ending: Ending,
}

/// Nodes and flows without any structure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Graph {
    pub(super) vertices: Vec<Vertex>,
    pub(super) edges: Vec<Edge>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Vertex {
    pub(super) kind: VertexKind,
    pub(super) choice: Choice,
    /// How it ends where no edge leads on.
    pub(super) ending: Ending,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum VertexKind {
    Task(Task),
    Event(Event),
    Scope(Box<Scope>),
    Exclusive,
    Parallel,
    Inclusive,
    Complex(Vec<Triple>),
    /// An event-based gateway, and whether messages are taken by receive tasks.
    Gate(bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    /// Whether it is drawn as a pair of link events.
    pub(super) link: bool,
    /// What an arm waits for, where it leaves a gate.
    pub(super) arm: Trigger,
}
