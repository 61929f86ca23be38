//! What stands in parentheses, or first in the braces of a boundary event: triggers.

use super::NotationError;
use super::build::Owner;
use super::cursor::{Cursor, is_word};
use crate::model::{Binding, EventDefinition, Expression, Timer, Trigger};

/// The triggers of an event: alternatives with `|`, all needed with `&`.
pub(super) fn triggers(text: Cursor<'_>) -> Result<(Vec<EventDefinition>, Binding), NotationError> {
    let alternatives = text.split(&['|']);
    let (parts, binding) = match alternatives.as_slice() {
        [_] => {
            let parts = text.split(&['&']);
            let several = parts.len() > 1;
            (parts, if several { Binding::All } else { Binding::Any })
        }
        _ => (alternatives, Binding::Any),
    };
    let events: Result<Vec<_>, _> = parts.into_iter().map(definition).collect();
    Ok((events?, binding))
}

fn definition(text: Cursor<'_>) -> Result<EventDefinition, NotationError> {
    let mut text = text.trimmed();
    let start = text;
    let at = start.at();
    let word = text.word();
    text = text.trimmed();
    let trigger = match word {
        "" => return Err(start.expected("a trigger")),
        "message" => Trigger::Message(reference(&mut text)),
        "signal" => Trigger::Signal(reference(&mut text)),
        "error" => Trigger::Error(reference(&mut text)),
        "escalation" => Trigger::Escalation(reference(&mut text)),
        "link" => Trigger::Link(reference(&mut text)),
        "timer" => Trigger::Timer(timer(&mut text)?),
        "if" => Trigger::Conditional(rest(&mut text)),
        "terminate" => Trigger::Terminate,
        "cancel" => Trigger::Cancel,
        "compensate" => Trigger::Compensate,
        message => Trigger::Message(Some(message.into())),
    };
    end(text)?;
    Ok(EventDefinition { id: None, at, trigger })
}

fn reference(text: &mut Cursor<'_>) -> Option<String> {
    Some(text.word()).filter(|word| !word.is_empty()).map(Into::into)
}

/// An expression: everything that is left.
pub(super) fn rest(text: &mut Cursor<'_>) -> Option<Expression> {
    let all = text.trimmed();
    text.take_while(|_, _| true);
    (!all.rest().is_empty()).then(|| Expression {
        text: all.rest().into(),
        language: None,
        at: all.at(),
    })
}

/// The end of the part.
pub(super) fn end(text: Cursor<'_>) -> Result<(), NotationError> {
    match text.trimmed().peek() {
        None => Ok(()),
        Some(_) => Err(text.trimmed().expected("nothing more in here")),
    }
}

fn timer(text: &mut Cursor<'_>) -> Result<Option<Timer>, NotationError> {
    let mut value = *text;
    let kind: fn(Expression) -> Timer = match value.word() {
        "date" => Timer::Date,
        "cycle" => Timer::Cycle,
        _ => {
            value = *text;
            match text.peek() {
                Some('P' | '=') => Timer::Duration,
                Some('R') => Timer::Cycle,
                Some('0'..='9') => Timer::Date,
                None => return Ok(None),
                Some(_) => return Err(text.expected("a timer: `PT…`, `R…`, a date or `=…`")),
            }
        }
    };
    *text = value;
    Ok(rest(text).map(kind))
}

/// A trigger without parentheses: words up to an arrow, a brace or `as`.
pub(super) fn bare<'t>(text: &mut Cursor<'t>) -> Result<Cursor<'t>, NotationError> {
    let start = *text;
    loop {
        let mut ahead = *text;
        ahead.skip_blanks();
        let word = ahead.take_while(|rest, c| is_bare(c) && !rest.starts_with("-["));
        let is_first = start.until(text).rest().is_empty();
        match word.rest() {
            "if" if is_first => return Err(word.expected("parentheses around a trigger with a condition")),
            "as" if !is_first => break,
            "" if is_first => return Err(ahead.expected("a trigger")),
            "" => break,
            _ => *text = ahead,
        }
    }
    Ok(start.until(text))
}

/// What a word of a trigger is made of: names and ISO 8601.
fn is_bare(c: char) -> bool {
    is_word(c) || matches!(c, ':' | '.' | ',' | '+' | '-' | '/')
}

/// The word that a boundary event's id is made of.
pub(super) fn slug(trigger: &Trigger) -> &str {
    match trigger {
        Trigger::Message(name) => name.as_deref().unwrap_or("message"),
        Trigger::Signal(name) => name.as_deref().unwrap_or("signal"),
        Trigger::Error(name) => name.as_deref().unwrap_or("error"),
        Trigger::Escalation(name) => name.as_deref().unwrap_or("escalation"),
        Trigger::Link(name) => name.as_deref().unwrap_or("link"),
        Trigger::Timer(_) => "timer",
        Trigger::Conditional(_) => "if",
        Trigger::Terminate => "terminate",
        Trigger::Compensate => "compensate",
        Trigger::Cancel => "cancel",
    }
}

/// What a trigger declares in the model, and under which word.
pub(super) fn declares(trigger: &Trigger) -> Option<(Owner, &str)> {
    match trigger {
        Trigger::Message(Some(name)) => Some((Owner::Message, name)),
        Trigger::Signal(Some(name)) => Some((Owner::Signal, name)),
        Trigger::Error(Some(code)) => Some((Owner::Error, code)),
        Trigger::Escalation(Some(code)) => Some((Owner::Escalation, code)),
        _ => None,
    }
}
