//! The grammar of a line.

use std::collections::BTreeMap;
use std::sync::Arc;

use trackside_engine::expr::Data;
use trackside_engine::time;

use super::cursor::{Complaint, Cursor};
use super::{Input, Work};

const COMMANDS: &str = "complete, error, fail, message, signal, advance, set, cancel";

/// Reads one line; `None` for an empty one and for a comment.
pub(super) fn line(text: &str) -> Result<Option<Input>, Complaint> {
    let mut cursor = Cursor::new(text);
    if cursor.done() || cursor.rest().starts_with('#') {
        return Ok(None);
    }
    let start = Cursor::new(text);
    let input = match cursor.word() {
        "complete" => Input::Complete {
            work: work(&mut cursor)?,
            data: data(&mut cursor)?,
        },
        "error" => Input::Error {
            work: work(&mut cursor)?,
            code: rest(&mut cursor, "the code of the error")?,
        },
        "fail" => Input::Fail {
            work: work(&mut cursor)?,
            text: rest(&mut cursor, "a text that says what failed")?,
        },
        "message" => Input::Message {
            name: cursor.name("the name of a message")?,
            data: data(&mut cursor)?,
        },
        "signal" => Input::Signal {
            name: cursor.name("the name of a signal")?,
            data: data(&mut cursor)?,
        },
        "advance" => advance(&mut cursor)?,
        "set" if cursor.done() => return cursor.complain("NAME=JSON expected"),
        "set" => Input::Set(data(&mut cursor)?),
        "cancel" => Input::Cancel,
        other => return start.complain(format!("`{other}` is none of {COMMANDS}")),
    };
    if cursor.done() {
        Ok(Some(input))
    } else {
        cursor.complain("nothing more is expected here")
    }
}

fn work(cursor: &mut Cursor<'_>) -> Result<Work, Complaint> {
    if cursor.done() {
        return cursor.complain("the id of a node expected");
    }
    let place = Cursor::complain::<Work>;
    let complaint = place(cursor, "an activation is a number from 1, as in `Pay#2`");
    let word = cursor.word();
    let Some((element, nth)) = word.rsplit_once('#') else {
        return Ok(Work {
            element: word.to_owned(),
            nth: None,
        });
    };
    match nth.parse() {
        Ok(nth) if nth > 0 && !element.is_empty() => Ok(Work {
            element: element.to_owned(),
            nth: Some(nth),
        }),
        _ => complaint,
    }
}

fn data(cursor: &mut Cursor<'_>) -> Result<Data, Complaint> {
    let mut data = BTreeMap::new();
    while !cursor.done() {
        let again = cursor.complain("this name stands here twice");
        let Some(name) = cursor.take_variable() else {
            return cursor.complain("NAME=JSON expected");
        };
        let value = cursor.json()?;
        if data.insert(name.to_owned(), value).is_some() {
            return again;
        }
    }
    Ok(Arc::new(data))
}

fn rest(cursor: &mut Cursor<'_>, what: &str) -> Result<String, Complaint> {
    if cursor.done() {
        return cursor.complain(format!("{what} expected"));
    }
    Ok(cursor.all().to_owned())
}

fn advance(cursor: &mut Cursor<'_>) -> Result<Input, Complaint> {
    let wrong = |error: &dyn std::fmt::Display| cursor.complain(error.to_string());
    let text = cursor.rest().split_whitespace().next().unwrap_or_default();
    let interval = match time::duration(text) {
        Ok(interval) => interval,
        Err(error) => return wrong(&error),
    };
    cursor.word();
    Ok(Input::Advance(interval))
}
