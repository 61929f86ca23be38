//! What a catching node waits for, compiled from its event definition.

use serde_json::Value;

use super::Build;
use crate::expr::{Data, Program};
use crate::model::{Declaration, EventDefinition, Expression, Timer, Trigger};
use crate::template::EventRef;
use crate::time::Schedule;

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

/// How the form of a timer value is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Duration,
    Date,
    Cycle,
    /// An override from outside: whichever of the three it is.
    Any,
}

/// A timer's value: a schedule known at registration, or an expression (EVT-7).
#[derive(Debug)]
pub(crate) enum Timing {
    Fixed(Schedule),
    Computed(Program, &'static str),
}

impl Timing {
    /// The schedule over these data; an error says why there is none.
    pub(crate) fn schedule(&self, data: &Data) -> Result<Schedule, String> {
        match self {
            Timing::Fixed(schedule) => Ok(schedule.clone()),
            Timing::Computed(program, form) => {
                let value = program.value(data, &[]).map_err(|error| format!("timer `{}`: {error}", program.text()))?;
                let Value::String(text) = value else {
                    return Err(format!("timer `{}` gives no text", program.text()));
                };
                let form = [Form::Duration, Form::Date, Form::Cycle].into_iter().find(|f| f.name() == *form);
                parse(form.unwrap_or(Form::Any), &text).map_err(|error| format!("timer `{}`: {error}", program.text()))
            }
        }
    }

    pub(crate) fn variables(&self) -> &[String] {
        match self {
            Timing::Fixed(_) => &[],
            Timing::Computed(program, _) => program.variables(),
        }
    }
}

impl Form {
    const fn name(self) -> &'static str {
        match self {
            Form::Duration => "timeDuration",
            Form::Date => "timeDate",
            Form::Cycle => "timeCycle",
            Form::Any => "timer",
        }
    }
}

fn parse(form: Form, text: &str) -> Result<Schedule, String> {
    let text = text.trim();
    let parsed = match form {
        Form::Duration => Schedule::duration(text),
        Form::Date => Schedule::date(text),
        Form::Cycle => Schedule::cycle(text),
        Form::Any => Schedule::any(text),
    };
    parsed.map_err(|error| error.to_string())
}

impl Spec {
    /// Compiles the definition of a catching node; `None` after a report, or for what does not catch.
    pub(crate) fn compile(build: &mut Build<'_, '_>, definition: &EventDefinition) -> Option<Self> {
        Some(match &definition.trigger {
            Trigger::Message(name) => Spec::Message(build.event(true, name.as_deref())?),
            Trigger::Signal(name) => Spec::Signal(build.event(false, name.as_deref())?),
            Trigger::Timer(Some(timer)) => Spec::Timer(timing(build, timer)?),
            Trigger::Timer(None) => {
                let message = format!("timer `{}` has no value", build.node.id);
                build.error("EVT-3", message, "add a timeDuration, timeDate or timeCycle in ISO 8601");
                return None;
            }
            Trigger::Conditional(Some(condition)) => Spec::Conditional(build.program(condition)?),
            Trigger::Conditional(None) => {
                let message = format!("conditional event `{}` has no condition", build.node.id);
                build.error("EVT-4", message, "add a condition");
                return None;
            }
            Trigger::Error(name) => Spec::Error(code_of(build, Coded::Error, name.as_deref())?),
            Trigger::Escalation(name) => Spec::Escalation(code_of(build, Coded::Escalation, name.as_deref())?),
            Trigger::Link(_) | Trigger::Terminate | Trigger::Compensate | Trigger::Cancel => return None,
        })
    }

    /// Whether it can be interrupting only, as a boundary event.
    pub(crate) const fn always_interrupts(&self) -> bool {
        matches!(self, Spec::Error(_))
    }
}

fn timing(build: &mut Build<'_, '_>, timer: &Timer) -> Option<Timing> {
    if let Some(text) = build.settings.timers.get(&build.node.id).cloned() {
        return match parse(Form::Any, &text) {
            Ok(schedule) => Some(Timing::Fixed(schedule)),
            Err(error) => {
                let message = format!("timer override for `{}`: {error}", build.node.id);
                build.error("EVT-7", message, "give an ISO 8601 duration, date or cycle");
                None
            }
        };
    }
    let (form, expression) = match timer {
        Timer::Duration(e) => (Form::Duration, e),
        Timer::Date(e) => (Form::Date, e),
        Timer::Cycle(e) => (Form::Cycle, e),
    };
    let fixed = parse(form, &expression.text);
    match fixed {
        Ok(schedule) => Some(Timing::Fixed(schedule)),
        Err(error) if !computed(&expression.text) => {
            let message = format!("timer `{}`: {error}", build.node.id);
            build.error("EVT-3", message, "write ISO 8601 (PT15M, 2026-01-31T09:00:00Z, R3/PT10S) or an expression");
            None
        }
        Err(_) => constant_or_computed(build, form, expression),
    }
}

/// An expression whose value is known now is checked now.
fn constant_or_computed(build: &mut Build<'_, '_>, form: Form, expression: &Expression) -> Option<Timing> {
    let program = build.program(expression)?;
    let Some(value) = program.constant() else {
        return Some(Timing::Computed(program, form.name()));
    };
    let parsed = match value {
        Value::String(text) => parse(form, text),
        other => Err(format!("{other} is no text")),
    };
    match parsed {
        Ok(schedule) => Some(Timing::Fixed(schedule)),
        Err(error) => {
            let message = format!("timer `{}`: {error}", build.node.id);
            build.error("EVT-3", message, "let the expression give ISO 8601 text");
            None
        }
    }
}

/// Whether a timer value is meant as an expression rather than as ISO 8601 text.
fn computed(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("${") || text.starts_with("#{") || text.starts_with('=') || is_name(text)
}

fn is_name(text: &str) -> bool {
    let looks_iso = text.starts_with('P') && text[1..].starts_with(|c: char| c.is_ascii_digit() || c == 'T');
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
        && !looks_iso
}

/// Which declarations carry the code.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Coded {
    Error,
    Escalation,
}

/// The code behind a reference: its declaration's code, else its name, else its id. `Some(None)` is "any code".
pub(crate) fn code_of(build: &mut Build<'_, '_>, what: Coded, reference: Option<&str>) -> Option<Option<String>> {
    let Some(reference) = reference else { return Some(None) };
    let (list, element): (&[Declaration], _) = match what {
        Coded::Error => (&build.definitions.errors, "error"),
        Coded::Escalation => (&build.definitions.escalations, "escalation"),
    };
    let found = list.iter().find(|d| d.id == reference).or_else(|| {
        // Some tools write the code or the name where the id belongs.
        list.iter().find(|d| d.code.as_deref() == Some(reference) || d.name.as_deref() == Some(reference))
    });
    if let Some(found) = found {
        let code = [&found.code, &found.name].into_iter().flatten().find(|text| !text.is_empty());
        return Some(Some(code.unwrap_or(&found.id).clone()));
    }
    let message = format!("`{}` refers to {element} `{reference}`, which is not declared", build.node.id);
    build.error("XML-REF", message, "declare it beside the processes, or correct the reference");
    None
}
