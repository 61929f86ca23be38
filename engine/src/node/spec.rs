//! What a catching node waits for, compiled from its event definition.

use std::collections::BTreeMap;

use super::Build;
use crate::expr::{Data, Program};
use crate::model::{Declaration, Definitions, EventDefinition, Timer, Trigger};
use crate::template::EventRef;
use crate::time::{self, Schedule};

/// A compiled event definition of a catching node.
#[derive(Debug)]
pub(crate) enum Spec {
    Message(EventRef),
    Signal(EventRef),
    Timer(Timing),
    Conditional(Program),
    /// The code it catches; every code without one.
    Error(Option<String>),
    Escalation(Option<String>),
}

/// A timer's value: a schedule known at registration, or an expression (EVT-7).
#[derive(Debug)]
pub(crate) enum Timing {
    Fixed(Schedule),
    Computed(Program, Timer),
    /// The model says only that there is a timer.
    Open,
}

impl Timing {
    /// The schedule over these data; an error says why there is none.
    pub(crate) fn schedule(&self, data: &Data) -> Result<Schedule, String> {
        match self {
            Timing::Fixed(schedule) => Ok(*schedule),
            Timing::Computed(program, timer) => {
                let explain = |error: &dyn std::fmt::Display| format!("timer `{}`: {error}", program.text());
                let value = program.value(data, &[]).map_err(|error| explain(&error))?;
                time::timer(timer, &value).map_err(|error| explain(&error))
            }
            Timing::Open => Err("the timer has no value".to_owned()),
        }
    }

    /// Whether every run of an instance meets the same schedule, and one that depends on the time of arming only.
    pub(crate) fn is_relative(&self) -> bool {
        matches!(self, Timing::Fixed(schedule) if schedule.is_relative())
    }

    pub(crate) fn variables(&self) -> &[String] {
        match self {
            Timing::Fixed(_) | Timing::Open => &[],
            Timing::Computed(program, _) => program.variables(),
        }
    }
}

impl Spec {
    /// Compiles the definition of a catching node; `None` after a report, or for what does not catch.
    pub(crate) fn compile(build: &mut Build<'_, '_>, definition: &EventDefinition) -> Option<Self> {
        Some(match &definition.trigger {
            Trigger::Message(name) => Spec::Message(build.event(true, name.as_deref())?),
            Trigger::Signal(name) => Spec::Signal(build.event(false, name.as_deref())?),
            Trigger::Timer(timer) => Spec::Timer(timing(build, timer.as_ref())?),
            Trigger::Conditional(Some(condition)) => Spec::Conditional(build.program(condition)?),
            Trigger::Conditional(None) => {
                let message = format!("conditional event `{}` has no condition", build.node.id);
                build.error("EVT-4", message, "add a condition");
                return None;
            }
            Trigger::Error(name) => Spec::Error(code_of(build, Coded::Error, name.as_deref()).ok()?),
            Trigger::Escalation(name) => Spec::Escalation(code_of(build, Coded::Escalation, name.as_deref()).ok()?),
            Trigger::Link(_) | Trigger::Terminate | Trigger::Compensate | Trigger::Cancel => return None,
        })
    }

    /// Whether it can be interrupting only, as a boundary event.
    pub(crate) const fn always_interrupts(&self) -> bool {
        matches!(self, Spec::Error(_))
    }
}

fn timing(build: &mut Build<'_, '_>, timer: Option<&Timer>) -> Option<Timing> {
    if let Some(text) = build.around.settings.timers.get(&build.node.id).cloned() {
        return match overriding(&text) {
            Ok(schedule) => Some(Timing::Fixed(schedule)),
            Err(error) => {
                let message = format!("timer override for `{}`: {error}", build.node.id);
                build.error("EVT-7", message, "give an ISO 8601 duration, date or cycle");
                None
            }
        };
    }
    let Some(timer) = timer else { return Some(Timing::Open) };
    let compiled = Program::compile_timer(timer, build.around.definitions.expression_language.as_deref());
    match compiled {
        Ok(program) => Some(match program.constant().map(|value| time::timer(timer, value)) {
            Some(Ok(schedule)) => Timing::Fixed(schedule),
            _ => Timing::Computed(program, timer.clone()),
        }),
        Err(error) => {
            let message = format!("timer `{}`: {error}", build.node.id);
            build.error(
                "EVT-3",
                message,
                "write ISO 8601 (PT15M, 2026-01-31T09:00:00Z, R3/PT10S) or an expression",
            );
            None
        }
    }
}

/// A value from outside is whichever of the three forms it looks like.
fn overriding(text: &str) -> Result<Schedule, time::TimeError> {
    let text = text.trim();
    match text.as_bytes().first() {
        Some(b'R') => time::cycle(text),
        Some(b'P') => Ok(Schedule::After(time::duration(text)?)),
        _ => Ok(Schedule::At(time::date(text)?)),
    }
}

/// Which declarations carry the code.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Coded {
    Error,
    Escalation,
}

/// The errors and the escalations of a file by what they are called.
#[derive(Debug)]
pub(crate) struct CodeIndex<'m> {
    errors: Called<'m>,
    escalations: Called<'m>,
}

/// Declarations by id, and by code or name: some tools write those where the id belongs.
#[derive(Debug, Default)]
struct Called<'m> {
    by_id: BTreeMap<&'m str, &'m Declaration>,
    otherwise: BTreeMap<&'m str, &'m Declaration>,
}

impl<'m> Called<'m> {
    fn new(list: &'m [Declaration]) -> Self {
        let mut called = Self::default();
        for declared in list {
            called.by_id.entry(&declared.id).or_insert(declared);
            for other in [&declared.code, &declared.name].into_iter().flatten() {
                called.otherwise.entry(other).or_insert(declared);
            }
        }
        called
    }
}

impl<'m> CodeIndex<'m> {
    pub(crate) fn new(definitions: &'m Definitions) -> Self {
        Self {
            errors: Called::new(&definitions.errors),
            escalations: Called::new(&definitions.escalations),
        }
    }

    /// The declaration that `reference` names.
    pub(crate) fn find(&self, what: Coded, reference: &str) -> Option<&'m Declaration> {
        let called = match what {
            Coded::Error => &self.errors,
            Coded::Escalation => &self.escalations,
        };
        called
            .by_id
            .get(reference)
            .or_else(|| called.otherwise.get(reference))
            .copied()
    }
}

/// What an error or escalation is matched by: its code, else its name, else its id.
pub(crate) fn code(declared: &Declaration) -> &str {
    let texts = [&declared.code, &declared.name].into_iter().flatten();
    texts
        .map(String::as_str)
        .find(|text| !text.is_empty())
        .unwrap_or(&declared.id)
}

/// What was wrong has been reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

/// The code behind a reference: its declaration's code, else its name, else its id. Without a reference it is any code.
pub(crate) fn code_of(
    build: &mut Build<'_, '_>,
    what: Coded,
    reference: Option<&str>,
) -> Result<Option<String>, Reported> {
    let Some(reference) = reference else { return Ok(None) };
    if let Some(found) = build.around.codes.find(what, reference) {
        return Ok(Some(code(found).to_owned()));
    }
    let element = match what {
        Coded::Error => "error",
        Coded::Escalation => "escalation",
    };
    let message = format!(
        "`{}` refers to {element} `{reference}`, which is not declared",
        build.node.id
    );
    build.error(
        "XML-REF",
        message,
        "declare it beside the processes, or correct the reference",
    );
    Err(Reported)
}
