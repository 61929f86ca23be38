//! Words before meaning: the tokens of an expression, and its spelling in the default language.
//!
//! The authors of real files write `amount gt 10 and not done`, `= end = "x"` and `amount > 10` and mean the same kind
//! of thing. [`spell`] rewrites the first two into the third, token by token, so that the inside of a text literal is
//! never touched. It is also the gate in front of the parser: nesting and the number of operators are bounded here,
//! because a parser that recurses must not be handed `((((…` or `a.b.c.d…` of any length.

use super::language::Dialect;

/// The longest expression, in bytes.
pub(super) const TEXT_BYTES_MAX: usize = 4096;
/// The most tokens in one expression. The parser's time grows with the square of a long list.
pub(super) const TOKENS_MAX: usize = 600;
/// The deepest nesting of brackets.
pub(super) const NESTING_MAX: usize = 24;
/// The most operators (`.` and `?` among them) in one expression. It bounds the depth of the syntax tree.
pub(super) const OPERATORS_MAX: usize = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word,
    Number,
    Text,
    Mark,
}

#[derive(Clone, Copy, Debug)]
struct Token<'t> {
    kind: Kind,
    text: &'t str,
    /// Where it starts, in bytes.
    start: usize,
}

impl Token<'_> {
    fn is(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text == mark
    }

    /// Whether an operand can end here, so that an infix operator may follow.
    fn ends_operand(&self) -> bool {
        match self.kind {
            Kind::Word => self.text != "in",
            Kind::Number | Kind::Text => true,
            Kind::Mark => matches!(self.text, ")" | "]"),
        }
    }

    /// Whether an operand can start here.
    fn starts_operand(&self) -> bool {
        self.kind != Kind::Mark || matches!(self.text, "(" | "[" | "!" | "-")
    }
}

/// The expression `text` of `dialect` in the spelling of the default language; a reason where that can't be.
pub(super) fn spell(text: &str, dialect: Dialect) -> Result<String, String> {
    let tokens = scan(text)?;
    if tokens.is_empty() {
        return Err("there is no expression".to_owned());
    }
    if tokens.len() > TOKENS_MAX {
        return Err(format!("more than {TOKENS_MAX} words and marks"));
    }
    check_nesting(&tokens)?;
    let mut spelled = String::with_capacity(text.len() + 8);
    let mut end = 0;
    let mut operators = 0;
    let mut before_was_operator = true;
    for (i, token) in tokens.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| &tokens[i]);
        let after = tokens.get(i + 1);
        let place = Place {
            after_operand: !before_was_operator,
            after_dot: before.is_some_and(|t| t.is(".")),
            next: after,
        };
        let replacement = respell(token, place, dialect)?;
        // An index is an operator too: `a[0][0]…` makes the tree as deep as `a.b.b…` does.
        let is_operator = replacement.is_some() || is_operator(token) || (token.is("[") && place.after_operand);
        operators += usize::from(is_operator);
        before_was_operator = replacement.is_some() || !token.ends_operand();
        spelled.push_str(&text[end..token.start]);
        spelled.push_str(replacement.unwrap_or(token.text));
        end = token.start + token.text.len();
    }
    if operators > OPERATORS_MAX {
        return Err(format!("more than {OPERATORS_MAX} operators"));
    }
    Ok(spelled)
}

/// What stands around a token.
#[derive(Clone, Copy)]
struct Place<'t> {
    after_operand: bool,
    after_dot: bool,
    next: Option<&'t Token<'t>>,
}

/// The default language's spelling of `token`, where it differs.
///
/// A word is an operator only where nothing else can be meant: `a mod b`, but not `mod > 5`, where `mod` is a variable.
fn respell(token: &Token<'_>, place: Place<'_>, dialect: Dialect) -> Result<Option<&'static str>, String> {
    if token.is("=") {
        return match dialect {
            Dialect::Feel => Ok(Some("==")),
            Dialect::Cel | Dialect::Juel => {
                Err("`=` is no comparison here: write `==`, or FEEL with a leading `=`".to_owned())
            }
        };
    }
    if token.kind != Kind::Word || place.after_dot {
        return Ok(None);
    }
    if place.after_operand {
        let goes_on = place.next.is_some_and(Token::starts_operand);
        return Ok(infix_word(token.text, dialect).filter(|_| goes_on));
    }
    Ok((token.text == "not" && negates(place.next, dialect)).then_some("!  "))
}

/// Whether `not` in front of `next` is the operator. FEEL knows it as a function only.
fn negates(next: Option<&Token<'_>>, dialect: Dialect) -> bool {
    let Some(next) = next else { return false };
    match next.kind {
        Kind::Mark => next.text == "(",
        Kind::Word => dialect != Dialect::Feel && next.text != "in" && infix_word(next.text, dialect).is_none(),
        Kind::Number | Kind::Text => dialect != Dialect::Feel,
    }
}

/// The operator that an infix word stands for, padded to the word's width.
fn infix_word(word: &str, dialect: Dialect) -> Option<&'static str> {
    match word {
        "and" => return Some("&& "),
        "or" => return Some("||"),
        _ if dialect == Dialect::Feel => return None,
        _ => {}
    }
    Some(match word {
        "eq" => "==",
        "ne" => "!=",
        "lt" => "< ",
        "gt" => "> ",
        "le" => "<=",
        "ge" => ">=",
        "div" => " / ",
        "mod" => " % ",
        _ => return None,
    })
}

fn is_operator(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Mark => !matches!(token.text, "(" | ")" | "[" | "]" | ","),
        Kind::Word => token.text == "in",
        Kind::Number | Kind::Text => false,
    }
}

fn check_nesting(tokens: &[Token<'_>]) -> Result<(), String> {
    let mut depth = 0_usize;
    for token in tokens.iter().filter(|t| t.kind == Kind::Mark) {
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.checked_sub(1).ok_or("a bracket closes that was never opened")?,
            _ => {}
        }
        if depth > NESTING_MAX {
            return Err(format!("brackets nest deeper than {NESTING_MAX}"));
        }
    }
    match depth {
        0 => Ok(()),
        _ => Err("a bracket is never closed".to_owned()),
    }
}

fn scan(text: &str) -> Result<Vec<Token<'_>>, String> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        if first.is_whitespace() {
            start += first.len_utf8();
            continue;
        }
        let (kind, length) = token_at(&text[start..], first)?;
        debug_assert!(length > 0, "a token has a length, or scanning would not end");
        tokens.push(Token {
            kind,
            text: &text[start..start + length],
            start,
        });
        start += length;
    }
    Ok(tokens)
}

/// The marks of two characters.
const LONG_MARKS: [&str; 6] = ["==", "!=", "<=", ">=", "&&", "||"];

fn token_at(rest: &str, first: char) -> Result<(Kind, usize), String> {
    if let Some(length) = literal_length(rest) {
        return Ok((Kind::Text, length?));
    }
    let run = |more: fn(char) -> bool| rest.find(|c: char| !more(c)).unwrap_or(rest.len());
    if first.is_ascii_digit() {
        return Ok((Kind::Number, run(|c| c.is_ascii_alphanumeric() || c == '.')));
    }
    if first.is_ascii_alphabetic() || first == '_' {
        return Ok((Kind::Word, run(|c| c.is_ascii_alphanumeric() || c == '_')));
    }
    if rest.starts_with("//") {
        return Err("comments are not offered".to_owned());
    }
    if LONG_MARKS.iter().any(|mark| rest.starts_with(mark)) {
        return Ok((Kind::Mark, 2));
    }
    match first {
        '(' | ')' | '[' | ']' | ',' | '.' | '?' | ':' | '+' | '-' | '*' | '/' | '%' | '<' | '>' | '!' | '=' => {
            Ok((Kind::Mark, 1))
        }
        '{' | '}' | '$' | '#' => {
            Err("`${…}` has to enclose the whole expression, and literals of maps are not offered".to_owned())
        }
        _ if first.is_alphabetic() => Err(format!("`{first}` is no letter of a name here: names are ASCII")),
        _ => Err(format!("`{}` has no meaning here", first.escape_default())),
    }
}

/// The length of the text literal that `rest` starts with, in bytes: `"…"`, `'…'`, either one tripled, and each of them
/// after a prefix `r` (raw) or `b` (bytes).
fn literal_length(rest: &str) -> Option<Result<usize, String>> {
    let prefix = rest.find(['"', '\'']).filter(|&n| n <= 2)?;
    let (letters, literal) = rest.split_at(prefix);
    if !matches!(letters, "" | "r" | "R" | "b" | "B" | "br" | "bR" | "Br" | "BR") {
        return None;
    }
    let raw = letters.contains(['r', 'R']);
    let quote = &literal[..1];
    let triple = quote.repeat(3);
    let delimiter = if literal.starts_with(&triple) {
        triple.as_str()
    } else {
        quote
    };
    let mut at = delimiter.len();
    while let Some(c) = literal[at..].chars().next() {
        if literal[at..].starts_with(delimiter) {
            return Some(Ok(prefix + at + delimiter.len()));
        }
        at += c.len_utf8();
        if c == '\\' && !raw {
            at += literal[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    Some(Err("a text literal is never closed".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, dialect: Dialect, expected: &str) {
        assert_eq!(spell(text, dialect).as_deref(), Ok(expected), "{text}");
    }

    #[test]
    fn words_become_operators_where_nothing_else_can_be_meant() {
        for dialect in [Dialect::Cel, Dialect::Juel] {
            check("a and b or not c", dialect, "a &&  b || !   c");
            check("a eq 1 and b ne 2", dialect, "a == 1 &&  b != 2");
            check("a lt b", dialect, "a <  b");
            check("a div 2 mod 3", dialect, "a  /  2  %  3");
            check("mod > 5", dialect, "mod > 5");
            check("mod mod mod", dialect, "mod  %  mod");
            check("x.and == 1", dialect, "x.and == 1");
            check("not == 1", dialect, "not == 1");
            check("not not x", dialect, "!   !   x");
        }
    }

    #[test]
    fn feel_has_one_equals_sign_and_fewer_words() {
        check(r#"end = "x""#, Dialect::Feel, r#"end == "x""#);
        check("not(x) and y", Dialect::Feel, "!  (x) &&  y");
        check("a eq b", Dialect::Feel, "a eq b");
        check("not x", Dialect::Feel, "not x");
        assert!(spell("a = b", Dialect::Juel).is_err());
    }

    #[test]
    fn literals_are_never_touched() {
        for literal in [
            r#""a and b = c""#,
            r#"'a or "b'"#,
            r#""a \" and b""#,
            r#"r"a \""#,
            "'''a ' and b'''",
            r#""${x}""#,
        ] {
            check(literal, Dialect::Feel, literal);
        }
    }

    #[test]
    fn bounds_hold_before_the_parser_sees_anything() {
        for (text, limit) in [
            ("(".repeat(NESTING_MAX + 1), "nest"),
            ("[".repeat(NESTING_MAX + 1), "nest"),
            (format!("{}a", "!".repeat(OPERATORS_MAX + 1)), "operators"),
            (format!("{}1", "-".repeat(OPERATORS_MAX + 1)), "operators"),
            (format!("a{}", ".b".repeat(OPERATORS_MAX + 1)), "operators"),
            (format!("a{}", "[0]".repeat(OPERATORS_MAX + 1)), "operators"),
            (format!("{}a", "a?b:".repeat(OPERATORS_MAX)), "operators"),
            (format!("{}a", "a and ".repeat(OPERATORS_MAX + 1)), "operators"),
            (format!("[{}1]", "1,".repeat(TOKENS_MAX)), "words"),
        ] {
            let reason = spell(&text, Dialect::Cel).expect_err(&text);
            assert!(reason.contains(limit), "{reason}");
        }
    }

    #[test]
    fn what_is_no_token_has_a_reason() {
        for text in [
            "",
            "  ",
            "a // b",
            "{'a': 1}",
            "PT${n}H",
            "a; b",
            "'open",
            "a)",
            "(a",
            "größe > 1",
            "a | b",
        ] {
            assert!(spell(text, Dialect::Cel).is_err(), "{text}");
        }
    }
}
