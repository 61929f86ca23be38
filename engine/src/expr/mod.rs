//! Expressions over process data (EVT-6): one seam, routed by expression language.
//!
//! A [`Program`] is an expression compiled once, at registration. It is total over its inputs: it gives a value or an
//! [`ExprError`], never a guess. Evaluation is deterministic and bounded.
//!
//! # Languages
//!
//! The default is the [Common Expression Language](https://cel.dev), and the usual spellings of real files are read by
//! the same engine:
//!
//! | spelling | read as |
//! |---|---|
//! | `amount > 10`, `name == 'x' && done` | CEL; `and`, `or`, `not`, `eq`, `ne`, `lt`, `gt`, `le`, `ge`, `div`, `mod` are understood too |
//! | `${…}`, `#{…}` around the whole | JUEL: the same, with `/` as real division and `+` for numbers only |
//! | `=…` | FEEL: `=` is equality, `not(…)`, `and`, `or`; `/` is real division; no `[…]` after a value |
//!
//! An element's own `language` is believed, and one that is not evaluated here is an [`ExprError::Language`]. The
//! inherited `expressionLanguage` gives way to an unmistakable spelling, and an unknown one also to a text that is an
//! expression of the default language, because it is so often wrong in real files.
//!
//! # What is offered
//!
//! Booleans, numbers, texts, `null`, lists; fields (`order.total`, `has(order.total)`) and elements (`items[0]`, from 0);
//! `! && || ?:`, `== != < <= > >= in`, `+ - * / %`; `size(x)`, `string(x)`, `int(x)`, `double(x)`; `x.size()`,
//! `x.contains(y)`, `x.startsWith(y)`, `x.endsWith(y)`; and over lists of at most 10 000 items
//! `x.all(i, …)`, `x.exists(i, …)`, `x.exists_one(i, …)`, not inside one another. Everything else is refused when it is
//! compiled: above all clocks, random numbers, maps as literals, and whatever goes through a map.
//!
//! - An unknown variable that is reached is an error, never `false` and never forgiven by the other side of `||`.
//! - Values of different types are not equal (`1 == "1"` is `false`), except that numbers compare as numbers
//!   (`5 == 5.0`). Ordering across types, `null` among them, is an error.
//! - Whole numbers are checked, never wrapped. A mix of whole and real numbers is real. CEL's `5 / 2` is 2; in JUEL and
//!   FEEL it is 2.5.

mod evaluate;
mod known;
mod language;
mod lex;
mod number;
mod translate;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use cel::common::ast::IdedExpr;
use serde_json::Value;

use crate::model::{Expression, Timer};
use crate::time;
pub use known::Known;
use language::Route;

/// Process data: names and JSON values, in name order. Cheap to clone.
pub type Data = Arc<BTreeMap<String, Value>>;

/// Why an expression can't be compiled or evaluated.
///
/// The messages name the expression, variables and types. They hold no values of process data.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExprError {
    /// The language is not one this engine evaluates.
    #[error("unknown expression language `{0}`")]
    Language(String),
    /// The text is not an expression of its language, or uses a part of it that is not offered.
    #[error("{0}")]
    Syntax(String),
    /// Evaluation failed: an unknown variable, a wrong type, a bound.
    #[error("{0}")]
    Evaluation(String),
}

/// An expression, compiled. Cheap to clone, and shared between threads as it is.
///
/// ```
/// use std::sync::Arc;
/// use serde_json::json;
/// use trackside_engine::expr::{Data, Program};
/// use trackside_engine::model::{Expression, Position};
///
/// let expression = Expression {
///     text: "${amount > 10 and not done}".to_owned(),
///     language: None,
///     at: Position::default(),
/// };
/// let program = Program::compile(&expression, None)?;
/// assert_eq!(program.variables(), ["amount", "done"]);
///
/// let data: Data = Arc::new([("amount".to_owned(), json!(12.5)), ("done".to_owned(), json!(false))].into());
/// assert_eq!(program.holds(&data, &[]), Ok(true));
/// assert!(program.holds(&Data::default(), &[]).is_err());
/// # Ok::<(), trackside_engine::expr::ExprError>(())
/// ```
#[derive(Clone)]
pub struct Program {
    inner: Arc<Inner>,
}

struct Inner {
    text: String,
    /// In name order.
    variables: Vec<String>,
    /// The names under which the variables are bound, in the same order.
    bound_names: Vec<String>,
    body: Body,
}

/// A constant is folded when it is compiled, and nothing is interpreted afterwards.
enum Body {
    Constant(Value),
    Code(IdedExpr),
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Program").field(&self.inner.text).finish()
    }
}

impl Program {
    /// Compiles `expression`; `inherited` is the file's `expressionLanguage`.
    ///
    /// An expression without variables is evaluated here, once; if that fails it is no expression.
    ///
    /// # Errors
    ///
    /// [`ExprError::Language`] or [`ExprError::Syntax`].
    pub fn compile(expression: &Expression, inherited: Option<&str>) -> Result<Self, ExprError> {
        let text = expression.text.trim();
        let route = language::route(text, expression.language.as_deref(), inherited)?;
        compile_body(text, route).map_err(|reason| match route.suspect {
            Some(suspect) => ExprError::Language(suspect.to_owned()),
            None => ExprError::Syntax(about(text, &reason)),
        })
    }

    /// Compiles the value of a timer (EVT-7): an ISO 8601 text as it stands, or an expression that gives one.
    ///
    /// A text that is plain ISO 8601 becomes a constant, whatever the language. One that only starts like it, and cron
    /// or `1h`, is an error that names the accepted forms. Anything else is an expression.
    ///
    /// ```
    /// use serde_json::json;
    /// use trackside_engine::expr::Program;
    /// use trackside_engine::model::{Expression, Position, Timer};
    ///
    /// let text = |text: &str| Expression { text: text.to_owned(), language: None, at: Position::default() };
    /// let fixed = Program::compile_timer(&Timer::Duration(text("PT1H")), None)?;
    /// assert_eq!(fixed.constant(), Some(&json!("PT1H")));
    /// let read = Program::compile_timer(&Timer::Duration(text("${patience}")), None)?;
    /// assert_eq!(read.variables(), ["patience"]);
    /// assert!(Program::compile_timer(&Timer::Cycle(text("0 0 9 * * ?")), None).is_err());
    /// # Ok::<(), trackside_engine::expr::ExprError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ExprError::Language`] or [`ExprError::Syntax`]; also where a constant is no value for this kind of timer.
    pub fn compile_timer(timer: &Timer, inherited: Option<&str>) -> Result<Self, ExprError> {
        let expression = timer.expression();
        let text = expression.text.trim();
        let literal = Value::from(text);
        match time::timer(timer, &literal) {
            Ok(_) => return Ok(Self::of_constant(text, literal)),
            Err(error) if !language::has_mark(text) && looks_like_time(text) => {
                return Err(ExprError::Syntax(error.to_string()));
            }
            Err(_) => {}
        }
        let program = Self::compile(expression, inherited)?;
        if let Some(constant) = program.constant() {
            time::timer(timer, constant).map_err(|error| ExprError::Syntax(about(text, &error.to_string())))?;
        }
        Ok(program)
    }

    fn of_constant(text: &str, value: Value) -> Self {
        let inner = Inner {
            text: text.to_owned(),
            variables: Vec::new(),
            bound_names: Vec::new(),
            body: Body::Constant(value),
        };
        Self { inner: Arc::new(inner) }
    }

    /// The text as its author wrote it.
    pub fn text(&self) -> &str {
        &self.inner.text
    }

    /// The value of a constant expression, known without data.
    pub fn constant(&self) -> Option<&Value> {
        match &self.inner.body {
            Body::Constant(value) => Some(value),
            Body::Code(_) => None,
        }
    }

    /// The names of the variables it may read, in name order.
    pub fn variables(&self) -> &[String] {
        &self.inner.variables
    }

    /// The value over `data`; `extra` are names beside the data that shadow it.
    ///
    /// The cost grows with the variables that the expression names and with what is in them, not with all data.
    ///
    /// # Errors
    ///
    /// [`ExprError::Evaluation`].
    pub fn value(&self, data: &Data, extra: &[(&str, Value)]) -> Result<Value, ExprError> {
        let code = match &self.inner.body {
            Body::Constant(value) => return Ok(value.clone()),
            Body::Code(code) => code,
        };
        let names = self.inner.variables.iter().zip(&self.inner.bound_names);
        let bindings = names.filter_map(|(name, bound)| {
            let beside = extra.iter().find(|(beside, _)| beside == name).map(|(_, value)| value);
            beside.or_else(|| data.get(name)).map(|value| (bound.as_str(), value))
        });
        evaluate::evaluate(code, self.text(), bindings)
            .map_err(|reason| ExprError::Evaluation(about(self.text(), &reason)))
    }

    /// The value as a Boolean (EVT-8: anything else is an error).
    ///
    /// # Errors
    ///
    /// [`ExprError::Evaluation`].
    pub fn holds(&self, data: &Data, extra: &[(&str, Value)]) -> Result<bool, ExprError> {
        let value = match self.constant() {
            Some(value) => value,
            None => &self.value(data, extra)?,
        };
        value.as_bool().ok_or_else(|| {
            let reason = format!("this is no Boolean but {}", time::type_name(value));
            ExprError::Evaluation(about(self.text(), &reason))
        })
    }
}

fn compile_body(text: &str, route: Route<'_>) -> Result<Program, String> {
    if text.len() > lex::TEXT_BYTES_MAX {
        return Err(format!("it is longer than {} bytes", lex::TEXT_BYTES_MAX));
    }
    let spelled = lex::spell(route.body, route.dialect)?;
    let parsed = number::ENVIRONMENT
        .parser()
        .parse(&spelled)
        .map_err(|errors| first_reason(&errors))?;
    let translated = translate::translate(&parsed, route.dialect)?;
    if translated.variables.is_empty() {
        let value = evaluate::evaluate(&translated.code, text, std::iter::empty())?;
        return Ok(Program::of_constant(text, value));
    }
    let variables: Vec<String> = translated.variables.into_iter().collect();
    let inner = Inner {
        text: text.to_owned(),
        bound_names: variables.iter().map(|name| translate::bound_name(name)).collect(),
        variables,
        body: Body::Code(translated.code),
    };
    Ok(Program { inner: Arc::new(inner) })
}

/// The parser's first complaint without the list of what it would have liked better.
fn first_reason(errors: &cel::ParseErrors) -> String {
    let first = errors
        .errors
        .first()
        .map_or("it can't be parsed", |error| error.msg.as_str());
    first.split(" expecting ").next().unwrap_or(first).to_owned()
}

/// How much of a long text a message repeats, in characters.
const QUOTED_CHARACTERS_MAX: usize = 200;

fn about(text: &str, reason: &str) -> String {
    match text.char_indices().nth(QUOTED_CHARACTERS_MAX) {
        Some((end, _)) => format!("`{}…`: {reason}", &text[..end]),
        None => format!("`{text}`: {reason}"),
    }
}

/// Whether a timer's text was meant as a time and not as an expression: it starts with a digit, or like `PT…`, `P1…`,
/// `R/…`, `R3/…`, or is cron.
fn looks_like_time(text: &str) -> bool {
    let text = text.trim_start_matches(['+', '-']);
    let digits = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    let period = |rest: &str| {
        digits(rest)
            || rest
                .strip_prefix('T')
                .is_some_and(|rest| rest.is_empty() || digits(rest))
    };
    let repeated = |rest: &str| {
        rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-')
            .starts_with('/')
    };
    digits(text)
        || text.starts_with(['*', '@'])
        || text.strip_prefix(['P', 'p']).is_some_and(period)
        || text.strip_prefix(['R', 'r']).is_some_and(repeated)
}
