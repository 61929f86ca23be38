//! Expressions over process data (EVT-6): one seam, routed by expression language.
//!
//! A [`Program`] is an expression compiled once, at registration. It is total over its inputs: it gives a value or an
//! [`ExprError`], never a guess. Evaluation is deterministic and bounded.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::model::Expression;

/// Process data: names and JSON values, in name order. Cheap to clone.
pub type Data = Arc<BTreeMap<String, Value>>;

/// Why an expression can't be compiled or evaluated.
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

/// An expression, compiled.
#[derive(Clone, Debug)]
pub struct Program {
    text: Arc<str>,
}

impl Program {
    /// Compiles `expression`; `inherited` is the file's `expressionLanguage`.
    ///
    /// # Errors
    ///
    /// [`ExprError::Language`] or [`ExprError::Syntax`].
    pub fn compile(expression: &Expression, inherited: Option<&str>) -> Result<Self, ExprError> {
        let _ = inherited;
        Ok(Self {
            text: expression.text.as_str().into(),
        })
    }

    /// The text as its author wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value of a constant expression, known without data.
    pub fn constant(&self) -> Option<&Value> {
        None
    }

    /// The names of the variables it may read, in name order.
    pub fn variables(&self) -> &[String] {
        &[]
    }

    /// The value over `data`; `extra` are names beside the data that shadow it.
    ///
    /// # Errors
    ///
    /// [`ExprError::Evaluation`].
    pub fn value(&self, data: &Data, extra: &[(&str, Value)]) -> Result<Value, ExprError> {
        let _ = (data, extra);
        Err(ExprError::Evaluation("not evaluated".to_owned()))
    }

    /// The value as a Boolean (EVT-8: anything else is an error).
    ///
    /// # Errors
    ///
    /// [`ExprError::Evaluation`].
    pub fn holds(&self, data: &Data, extra: &[(&str, Value)]) -> Result<bool, ExprError> {
        match self.value(data, extra)? {
            Value::Bool(b) => Ok(b),
            other => Err(ExprError::Evaluation(format!(
                "`{}` is no Boolean but {other}",
                self.text
            ))),
        }
    }
}
