//! The inside of a tag: its attributes one by one, and the characters behind references.

use std::borrow::Cow;

/// One attribute, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attribute<'a> {
    /// The prefix; empty where there is none.
    pub(super) prefix: &'a str,
    pub(super) local: &'a str,
    /// The value between its quotes.
    pub(super) raw: &'a str,
}

impl<'a> Attribute<'a> {
    /// The prefix that it declares, where it is a namespace declaration; empty for the default namespace.
    pub(super) fn declares(&self) -> Option<&'a str> {
        match (self.prefix, self.local) {
            ("", "xmlns") => Some(""),
            ("xmlns", prefix) => Some(prefix),
            _ => None,
        }
    }
}

/// Walks through what follows the name in a tag.
#[derive(Debug)]
pub(super) struct Attributes<'a> {
    rest: &'a str,
}

impl<'a> Attributes<'a> {
    pub(super) fn new(rest: &'a str) -> Self {
        Self { rest }
    }

    fn read(&mut self) -> Result<Attribute<'a>, &'static str> {
        let rest = trim_start(self.rest);
        if rest.len() == self.rest.len() {
            return Err("there is no space before an attribute");
        }
        let ends = |byte: u8| byte == b'=' || is_space(char::from(byte));
        let end = rest.bytes().position(ends).ok_or("an attribute has no value")?;
        let (prefix, local) = split_name(&rest[..end]).ok_or("an attribute has a name that XML does not allow")?;
        let rest = trim_start(&rest[end..]);
        let rest = rest.strip_prefix('=').ok_or("an attribute has no value")?;
        let rest = trim_start(rest);
        let quote = rest.chars().next().filter(|&c| c == '"' || c == '\'');
        let quote = quote.ok_or("an attribute's value is not in quotes")?;
        let (raw, rest) = rest[1..]
            .split_once(quote)
            .ok_or("an attribute's value has no closing quote")?;
        if raw.contains('<') {
            return Err("an attribute's value has a `<` in it, which must be written `&lt;`");
        }
        self.rest = rest;
        Ok(Attribute { prefix, local, raw })
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Result<Attribute<'a>, &'static str>;

    fn next(&mut self) -> Option<Self::Item> {
        if trim_start(self.rest).is_empty() {
            return None;
        }
        let read = self.read();
        if read.is_err() {
            self.rest = "";
        }
        Some(read)
    }
}

/// White space as XML has it.
pub(super) fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

/// `text` without white space at its start. Byte by byte, for it runs twice for each attribute of a file.
fn trim_start(text: &str) -> &str {
    let spaces = text.bytes().take_while(|&byte| is_space(char::from(byte))).count();
    &text[spaces..]
}

/// Prefix (empty for none) and local part of a name; `None` where it is not a name.
pub(super) fn split_name(name: &str) -> Option<(&str, &str)> {
    let (prefix, local) = name.split_once(':').unwrap_or(("", name));
    let has_prefix = prefix.len() + local.len() < name.len();
    (is_plain_name(local) && (!has_prefix || is_plain_name(prefix))).then_some((prefix, local))
}

/// A name without a colon. Beyond ASCII, where XML's tables are long and of no use here, everything is accepted.
fn is_plain_name(name: &str) -> bool {
    let starts = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80;
    let goes_on = |byte: u8| starts(byte) || byte.is_ascii_digit() || byte == b'-' || byte == b'.';
    name.bytes().next().is_some_and(starts) && name.bytes().all(goes_on)
}

/// What is wrong with a reference such as `&x;`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadReference<'a> {
    /// An `&` without a name and a `;`.
    Unfinished,
    /// A number that is no character of XML.
    NotACharacter(&'a str),
    /// An entity that XML does not predefine.
    Unknown(&'a str),
}

/// The character that the reference `&name;` stands for.
pub(super) fn resolve_reference(name: &str) -> Result<char, BadReference<'_>> {
    match name {
        "lt" => return Ok('<'),
        "gt" => return Ok('>'),
        "amp" => return Ok('&'),
        "apos" => return Ok('\''),
        "quot" => return Ok('"'),
        "" => return Err(BadReference::Unfinished),
        _ => {}
    }
    let number = name.strip_prefix('#').ok_or(BadReference::Unknown(name))?;
    let (digits, radix) = match number.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    let all_digits = digits.chars().all(|c| c.is_digit(radix));
    Some(digits)
        .filter(|_| all_digits)
        .and_then(|digits| u32::from_str_radix(digits, radix).ok())
        .and_then(char::from_u32)
        .filter(|&c| is_character(c))
        .ok_or(BadReference::NotACharacter(name))
}

/// Whether XML 1.0 can hold `character`.
pub(super) fn is_character(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => true,
        '\u{FFFE}' | '\u{FFFF}' => false,
        _ => character >= ' ',
    }
}

/// The value behind `raw`: references resolved, each line break and tab a space.
pub(super) fn attribute_value(raw: &str) -> Result<Cow<'_, str>, BadReference<'_>> {
    if !raw.contains(['&', '\t', '\r', '\n']) {
        return Ok(Cow::Borrowed(raw));
    }
    let mut value = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(next) = rest.find(['&', '\t', '\r', '\n']) {
        value.push_str(&rest[..next]);
        if let Some(reference) = rest[next..].strip_prefix('&') {
            let (name, after) = reference.split_once(';').ok_or(BadReference::Unfinished)?;
            value.push(resolve_reference(name)?);
            rest = after;
        } else {
            value.push(' ');
            let broken = rest[next..].strip_prefix("\r\n");
            rest = broken.unwrap_or(&rest[next + 1..]);
        }
    }
    value.push_str(rest);
    Ok(Cow::Owned(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(inside: &str, expected: Result<&[(&str, &str, &str)], &str>) {
        let found: Result<Vec<_>, _> = Attributes::new(inside)
            .map(|read| read.map(|a| (a.prefix, a.local, a.raw)))
            .collect();
        match (found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{inside}"),
            (Err(found), Err(expected)) => assert!(found.contains(expected), "{inside}: {found}"),
            (found, expected) => panic!("{inside}: {found:?} is not {expected:?}"),
        }
    }

    #[test]
    fn attributes() {
        check("", Ok(&[]));
        check(" \n", Ok(&[]));
        check(" a='1' b:c = \"2'3\"\n", Ok(&[("", "a", "1"), ("b", "c", "2'3")]));
        check(" a=''", Ok(&[("", "a", "")]));
        check(" a='1'b='2'", Err("no space"));
        check(" a", Err("no value"));
        check(" a b='1'", Err("no value"));
        check(" a=1 ", Err("not in quotes"));
        check(" a='1", Err("closing quote"));
        check(" 1='1'", Err("name"));
        check(" a:b:c='1'", Err("name"));
        check(" :b='1'", Err("name"));
        check(" ='1'", Err("name"));
        check(" a='<'", Err("&lt;"));
    }

    #[test]
    fn values() {
        let check = |raw, expected| assert_eq!(attribute_value(raw).as_deref(), expected, "{raw}");
        check("a b", Ok("a b"));
        check("a\r\nb\tc\rd\ne", Ok("a b c d e"));
        check("&lt;&gt;&amp;&apos;&quot;&#10;&#x41;", Ok("<>&'\"\nA"));
        check("&nbsp;", Err(&BadReference::Unknown("nbsp")));
        check("&", Err(&BadReference::Unfinished));
        check("&;", Err(&BadReference::Unfinished));
        for name in [
            "#0",
            "#x1F",
            "#xFFFE",
            "#xD800",
            "#99999999999",
            "#",
            "#x",
            "#-1",
            "#+1",
        ] {
            assert_eq!(resolve_reference(name), Err(BadReference::NotACharacter(name)));
        }
    }
}
