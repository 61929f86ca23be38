//! One choice that differs from the default order, named so that it means the same in another run.
//!
//! A deviation says *at which step* (the number of the transition, as traces show it) *which action* was taken: its
//! class, its track and its node. Those stay the same when a model grows or a schedule shrinks, where the position in
//! some list of enabled actions would not.
//!
//! Written, it is `STEP CLASS TRACK /OUTCOME /CHOICE ~RUN @INSTANCE .NODE` without the spaces, and without what is absent or
//! zero: `12c3.Approve`, `12c3/1.Approve` (the first BPMN error), `9s0/0/2.O` (the third way out), `30t` (the clock).

use std::fmt;

use trackside_engine::world::{Action, Class, Label, Part, World};
use trackside_engine::{InstanceId, TrackId};

use crate::token::percent;

/// A choice other than the default one.
///
/// ```
/// use trackside_sim::schedule::Deviation;
///
/// let deviation = Deviation::parse("12c3/1.Approve")?;
/// assert_eq!((deviation.step, deviation.outcome), (12, 1));
/// assert_eq!(deviation.node.as_deref(), Some("Approve"));
/// assert_eq!(deviation.to_string(), "12c3/1.Approve");
/// assert!(Deviation::parse("12q3").is_err());
/// # Ok::<(), trackside_sim::schedule::DeviationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Deviation {
    /// The number of the transition, from 1.
    pub step: u64,
    /// The class of the action.
    pub class: Class,
    /// Its track, where it has one.
    pub track: Option<u32>,
    /// The scope run whose subscription it is, where that is not a track's and not the process itself.
    pub run: Option<u32>,
    /// Its instance; the clock has none.
    pub instance: Option<u32>,
    /// The element id of its node, where it has one.
    pub node: Option<String>,
    /// Which outcome external work has.
    pub outcome: u32,
    /// Which free choice is taken.
    pub choice: u32,
}

/// Why a text is no deviation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no step of a schedule: {reason}")]
pub struct DeviationError {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

const LETTERS: [(Class, char); 8] = [
    (Class::Step, 's'),
    (Class::Arrival, 'a'),
    (Class::Completion, 'c'),
    (Class::Late, 'l'),
    (Class::Firing, 'f'),
    (Class::Clock, 't'),
    (Class::Data, 'd'),
    (Class::Control, 'x'),
];

fn letter(class: Class) -> char {
    LETTERS
        .iter()
        .find(|(of, _)| *of == class)
        .map_or('?', |&(_, letter)| letter)
}

impl Deviation {
    /// What taking `action` in `world` deviates by, as its next transition; `None` for the default one.
    pub fn of(world: &World, part: Part, action: Action) -> Option<Self> {
        if world.oldest(part) == Some(action) {
            return None;
        }
        let label = world.label(action);
        debug_assert!(
            world
                .find(label)
                .map(|found| found.choose(action.outcome(), action.choice()))
                == Some(action),
            "{label:?} names one action"
        );
        let template = label.instance.map(|id| world.instance(id).template());
        Some(Self {
            step: world.transitions() + 1,
            class: label.class,
            track: label.track.map(|track| track.0),
            run: label.run.filter(|&run| run != 0),
            instance: label.instance.map(|id| id.0),
            node: template
                .zip(label.node)
                .map(|(template, node)| template.node(node).id.clone()),
            outcome: action.outcome(),
            choice: action.choice(),
        })
    }

    /// The enabled action that it names, if there is one.
    pub fn find(&self, world: &World) -> Option<Action> {
        let instance = match self.instance {
            Some(ix) if (ix as usize) < world.instances().count() => Some(InstanceId(ix)),
            Some(_) => return None,
            None => None,
        };
        let node = match (&self.node, instance) {
            (Some(id), Some(instance)) => Some(world.instance(instance).template().find(id)?),
            (Some(_), None) => return None,
            (None, _) => None,
        };
        let action = world.find(Label {
            class: self.class,
            instance,
            track: self.track.map(TrackId),
            run: (self.class == Class::Firing && self.track.is_none()).then_some(self.run.unwrap_or(0)),
            node,
        })?;
        let (outcomes, choices) = world.choices(action);
        let possible = self.outcome < outcomes.max(1) && self.choice < choices.max(1);
        possible.then(|| action.choose(self.outcome, self.choice))
    }

    /// Reads what [`fmt::Display`] writes.
    ///
    /// # Errors
    ///
    /// [`DeviationError`] for any other text.
    pub fn parse(text: &str) -> Result<Self, DeviationError> {
        parse(text).map_err(|reason| DeviationError {
            text: text.chars().take(80).collect(),
            reason,
        })
    }
}

fn parse(text: &str) -> Result<Deviation, &'static str> {
    let (head, node) = match text.split_once('.') {
        Some((head, node)) => (
            head,
            Some(percent::decode(node).ok_or("its element id is not readable")?),
        ),
        None => (text, None),
    };
    let (head, instance) = match head.split_once('@') {
        Some((head, instance)) => (head, Some(number(instance)?)),
        None => (head, None),
    };
    let (head, run) = match head.split_once('~') {
        Some((head, run)) => (head, Some(number(run)?)),
        None => (head, None),
    };
    let at = head.find(|c: char| !c.is_ascii_digit()).ok_or("it names no action")?;
    let (step, rest) = head.split_at(at);
    let mut chars = rest.chars();
    let first = chars.next();
    let class = LETTERS.iter().find(|(_, letter)| Some(*letter) == first);
    let &(class, _) = class.ok_or("there is no such kind of action")?;
    let mut numbers = chars.as_str().split('/');
    let track = numbers.next().filter(|text| !text.is_empty()).map(number).transpose()?;
    let outcome = numbers.next().map_or(Ok(0), number)?;
    let choice = numbers.next().map_or(Ok(0), number)?;
    if numbers.next().is_some() {
        return Err("it has too many parts");
    }
    Ok(Deviation {
        step: number(step)?,
        class,
        track,
        run,
        instance: instance.or((class != Class::Clock).then_some(0)),
        node,
        outcome,
        choice,
    })
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, &'static str> {
    if text.bytes().all(|b| b.is_ascii_digit()) {
        text.parse().map_err(|_| "a number is missing or too large")
    } else {
        Err("a number is expected")
    }
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.step, letter(self.class))?;
        if let Some(track) = self.track {
            write!(f, "{track}")?;
        }
        match (self.outcome, self.choice) {
            (0, 0) => {}
            (outcome, 0) => write!(f, "/{outcome}")?,
            (outcome, choice) => write!(f, "/{outcome}/{choice}")?,
        }
        if let Some(run) = self.run {
            write!(f, "~{run}")?;
        }
        if let Some(instance) = self.instance.filter(|&instance| instance != 0) {
            write!(f, "@{instance}")?;
        }
        match &self.node {
            Some(node) => write!(f, ".{}", percent::encode(node)),
            None => Ok(()),
        }
    }
}
