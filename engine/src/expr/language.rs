//! Which language an expression is in.
//!
//! The `language` of an element is believed: one that is not evaluated here is a problem of the model, never a condition
//! that is always true. The `expressionLanguage` that an element only inherits is often wrong in real files (BPMN's own
//! default is `XPath`, and tools write it above `${…}`), so that an unmistakable spelling of the text is believed more.

use super::ExprError;

/// How a text is to be read. All three are evaluated by one engine; they differ in spelling and in a few meanings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// The default: the Common Expression Language.
    Cel,
    /// The unified expression language, `${…}` or `#{…}`.
    Juel,
    /// DMN's friendly enough expression language, `=…`.
    Feel,
}

/// What is to be compiled, and as what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Route<'t> {
    pub(super) dialect: Dialect,
    /// The expression without its enclosing marks.
    pub(super) body: &'t str,
    /// An inherited language that is ignored as long as the body compiles, and is to blame when it doesn't.
    pub(super) suspect: Option<&'t str>,
}

/// Routes `text` by the element's own language and by the one it inherits.
pub(super) fn route<'t>(
    text: &'t str,
    own: Option<&'t str>,
    inherited: Option<&'t str>,
) -> Result<Route<'t>, ExprError> {
    let text = text.trim();
    let certain = |dialect, body| Route {
        dialect,
        body,
        suspect: None,
    };
    if let Some(own) = present(own) {
        let dialect = dialect_of(own).ok_or_else(|| ExprError::Language(own.to_owned()))?;
        return Ok(certain(dialect, without_marks(text, dialect)));
    }
    if let Some(dialect) = dialect_by_mark(text) {
        return Ok(certain(dialect, without_marks(text, dialect)));
    }
    let suspect = present(inherited).filter(|language| dialect_of(language).is_none());
    Ok(Route {
        dialect: present(inherited).and_then(dialect_of).unwrap_or(Dialect::Cel),
        body: text,
        suspect,
    })
}

/// Whether the spelling alone says that `text` is an expression: `${…}`, `#{…}` or a leading `=`.
pub(super) fn has_mark(text: &str) -> bool {
    dialect_by_mark(text.trim()).is_some()
}

fn dialect_by_mark(text: &str) -> Option<Dialect> {
    if text.starts_with("${") || text.starts_with("#{") {
        Some(Dialect::Juel)
    } else if text.starts_with('=') && !text.starts_with("==") {
        Some(Dialect::Feel)
    } else {
        None
    }
}

fn without_marks(text: &str, dialect: Dialect) -> &str {
    let inner = match dialect {
        Dialect::Feel => text.strip_prefix('='),
        Dialect::Juel | Dialect::Cel => text
            .strip_prefix("${")
            .or_else(|| text.strip_prefix("#{"))
            .and_then(|rest| rest.strip_suffix('}')),
    };
    inner.unwrap_or(text).trim()
}

fn present(language: Option<&str>) -> Option<&str> {
    language.map(str::trim).filter(|language| !language.is_empty())
}

/// The dialect that a name or a URI stands for: `feel`, `http://www.omg.org/spec/FEEL/20140401`,
/// `https://www.omg.org/spec/DMN/20191111/FEEL/`, `juel`, `https://cel.dev`, …
fn dialect_of(language: &str) -> Option<Dialect> {
    let parts = language.split(|c: char| !c.is_ascii_alphanumeric());
    parts.rev().find_map(|part| match part.to_ascii_lowercase().as_str() {
        "feel" => Some(Dialect::Feel),
        "juel" | "uel" => Some(Dialect::Juel),
        "cel" => Some(Dialect::Cel),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const XPATH: &str = "http://www.w3.org/1999/XPath";
    const JAVA: &str = "http://www.java.com/javaTypes";

    fn check(text: &str, own: Option<&str>, inherited: Option<&str>, dialect: Dialect, body: &str) {
        let route = route(text, own, inherited).expect(text);
        assert_eq!((route.dialect, route.body), (dialect, body), "{text}");
    }

    #[test]
    fn a_mark_says_the_language() {
        for inherited in [
            None,
            Some(""),
            Some(XPATH),
            Some(JAVA),
            Some("feel"),
            Some("juel"),
            Some("nobody:knows"),
        ] {
            check("${a > 1}", None, inherited, Dialect::Juel, "a > 1");
            check("#{ a }", None, inherited, Dialect::Juel, "a");
            check("=a = 1", None, inherited, Dialect::Feel, "a = 1");
            check("= a", Some(" "), inherited, Dialect::Feel, "a");
        }
    }

    #[test]
    fn without_a_mark_the_inherited_language_holds_where_it_is_known() {
        check("a", None, None, Dialect::Cel, "a");
        check(
            "a",
            None,
            Some("http://www.omg.org/spec/FEEL/20140401"),
            Dialect::Feel,
            "a",
        );
        check(
            "a",
            None,
            Some("https://www.omg.org/spec/DMN/20191111/FEEL/"),
            Dialect::Feel,
            "a",
        );
        check("a", None, Some("JUEL"), Dialect::Juel, "a");
        check("a", None, Some("https://cel.dev"), Dialect::Cel, "a");
        let suspicious = route("a", None, Some(XPATH)).expect("an unknown inherited language is only suspected");
        assert_eq!((suspicious.dialect, suspicious.suspect), (Dialect::Cel, Some(XPATH)));
    }

    #[test]
    fn the_elements_own_language_is_believed() {
        check("a = 1", Some("feel"), Some(XPATH), Dialect::Feel, "a = 1");
        check("=a", Some("feel"), None, Dialect::Feel, "a");
        check("${a}", Some("juel"), Some("feel"), Dialect::Juel, "a");
        check("${a}", Some("feel"), None, Dialect::Feel, "${a}");
        for unknown in ["javascript", "groovy", "python", "http://www.java.com/java", XPATH] {
            assert_eq!(
                route("${a}", Some(unknown), None),
                Err(ExprError::Language(unknown.to_owned()))
            );
        }
    }
}
