//! From bytes to characters: UTF-8, UTF-16 and ISO-8859-1.
//!
//! The encoding is found the way XML describes it: a byte order mark, else the zero bytes around the first `<` that
//! betray UTF-16, else what the XML declaration says, else UTF-8.

use std::borrow::Cow;

use crate::model::Position;
use crate::problem::Problem;

use super::position::place;
use super::problems::{Problems, Stop, quote};
use super::rule;

/// How far into a file an XML declaration is looked for, in bytes.
const DECLARATION_MAX: usize = 256;

const START: Position = Position { line: 1, column: 1 };
const HINT: &str = "Save the file as UTF-8.";

/// The characters of `bytes`, without a byte order mark.
pub(super) fn decode<'a>(bytes: &'a [u8], problems: &mut Problems) -> Result<Cow<'a, str>, Stop> {
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf8(rest),
        [0xFE, 0xFF, rest @ ..] | rest @ [0, b'<', 0, ..] => utf16(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] | rest @ [b'<', 0, _, 0, ..] => utf16(rest, u16::from_le_bytes),
        _ => match declared(bytes) {
            None => utf8(bytes),
            Some(name) => named(bytes, name, problems),
        },
    }
}

/// The bytes are one to a character, at least in the declaration, which says `name`.
fn named<'a>(bytes: &'a [u8], name: &str, problems: &mut Problems) -> Result<Cow<'a, str>, Stop> {
    let is = |names: &[&str]| names.iter().any(|other| other.eq_ignore_ascii_case(name));
    if is(&["utf-8", "utf8", "us-ascii", "ascii"]) {
        return utf8(bytes);
    }
    if is(&["iso-8859-1", "iso_8859-1", "latin1", "latin-1", "l1"]) {
        return Ok(latin1(bytes));
    }
    if is(&["utf-16", "utf-16le", "utf-16be", "utf16", "unicode"]) {
        let message = format!(
            "the file says {}, but is written in bytes; it is read as UTF-8",
            quote(name)
        );
        problems.push(Problem::warning(rule::ENCODING, START, message).hint(HINT));
        return utf8(bytes);
    }
    let message = format!("the encoding {} is not read", quote(name));
    Err(Problem::error(rule::ENCODING, START, message).hint(HINT).into())
}

fn utf8(bytes: &[u8]) -> Result<Cow<'_, str>, Stop> {
    std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|error| {
        let (valid, _) = bytes.split_at(error.valid_up_to());
        let valid = String::from_utf8_lossy(valid);
        let at = place(&valid, valid.len());
        let message = "a byte here does not belong to a UTF-8 character";
        Problem::error(rule::ENCODING, at, message).hint(HINT).into()
    })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Cow<'_, str>, Stop> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let decoded: Option<String> = char::decode_utf16(pairs.iter().map(|&pair| unit(pair)))
        .map(Result::ok)
        .collect();
    match decoded {
        Some(text) if rest.is_empty() => Ok(Cow::Owned(text)),
        _ => {
            let message = "the file looks like UTF-16, but has half a character in it";
            Err(Problem::error(rule::ENCODING, START, message).hint(HINT).into())
        }
    }
}

/// In ISO-8859-1 every byte is the character with its number.
fn latin1(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => Cow::Borrowed(text),
        _ => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// The value of `encoding` in an XML declaration.
fn declared(bytes: &[u8]) -> Option<&str> {
    let head = &bytes[..bytes.len().min(DECLARATION_MAX)];
    let end = head.windows(2).position(|pair| pair == b"?>")?;
    let declaration = std::str::from_utf8(&head[..end]).ok()?;
    let declaration = declaration.strip_prefix("<?xml")?;
    let (_, after) = declaration.split_once("encoding")?;
    let value = after.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|&first| first == '"' || first == '\'')?;
    value[1..].split(quote).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: Result<&str, &str>) {
        let mut problems = Problems::new(10);
        let found = decode(bytes, &mut problems);
        match (&found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected),
            (Err(stop), Err(expected)) => assert!(format!("{stop:?}").contains(expected), "{stop:?}"),
            _ => panic!("{found:?} is not {expected:?}"),
        }
    }

    #[test]
    fn encodings() {
        check("<é/>".as_bytes(), Ok("<é/>"));
        check(b"\xEF\xBB\xBF<a/>", Ok("<a/>"));
        check(
            b"<?xml version='1.0' encoding='ISO-8859-1'?>\xE9",
            Ok("<?xml version='1.0' encoding='ISO-8859-1'?>é"),
        );
        check(b"<?xml encoding=\"utf-8\"?>\xE9", Err("UTF-8"));
        check(b"<?xml encoding='EBCDIC'?>", Err("EBCDIC"));
        check(b"\xFE\xFF\0<\x01\x61", Ok("<š"));
        check(b"\xFF\xFE<\0\x61\x01", Ok("<š"));
        check(b"<\0a\0", Ok("<a"));
        check(b"\0<\0a", Ok("<a"));
        check(b"\xFF\xFE<\0a", Err("half a character"));
        check(b"\xFF\xFE\0\xD8", Err("half a character"));
        check(b"", Ok(""));
    }

    #[test]
    fn a_wrong_byte_has_its_place() {
        let stop = decode(b"<a>\n\xC3\xA9\xFF", &mut Problems::new(1)).expect_err("not UTF-8");
        assert_eq!(stop.into_problem().at, Position { line: 2, column: 2 });
    }

    #[test]
    fn bytes_that_claim_utf16_are_read_with_a_warning() {
        let mut problems = Problems::new(10);
        assert!(decode(b"<?xml encoding='UTF-16'?><a/>", &mut problems).is_ok());
        assert_eq!(problems.finish()[0].rule, rule::ENCODING);
    }
}
