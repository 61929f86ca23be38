//! Programs that are known before a model is compiled: for whoever compiles thousands of models with the same few
//! expressions, as a generator's are.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{ExprError, Program};
use crate::model::Expression;

/// Compiled programs by their text. It is made once and never changes, so that it may be shared freely.
///
/// ```
/// use trackside_engine::expr::{Known, Program};
/// use trackside_engine::model::{Expression, Position};
///
/// let known = Known::of(["a > 0", "${b == 2}"])?;
/// let expression = Expression { text: "a > 0".to_owned(), language: None, at: Position::default() };
/// assert_eq!(known.program(&expression, None)?.text(), Program::compile(&expression, None)?.text());
/// assert!(Known::of(["a >"]).is_err());
/// # Ok::<(), trackside_engine::expr::ExprError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Known(Arc<BTreeMap<&'static str, Program>>);

impl Known {
    /// Compiles these texts, as expressions that name no language in files that name none.
    ///
    /// # Errors
    ///
    /// That of the first one that is no expression.
    pub fn of(texts: impl IntoIterator<Item = &'static str>) -> Result<Self, ExprError> {
        let compiled = texts.into_iter().map(|text| {
            let expression = Expression {
                text: text.to_owned(),
                language: None,
                at: crate::model::Position::default(),
            };
            Ok((text, Program::compile(&expression, None)?))
        });
        Ok(Self(Arc::new(compiled.collect::<Result<_, _>>()?)))
    }

    /// The same as [`Program::compile`].
    ///
    /// # Errors
    ///
    /// [`ExprError`] as there.
    pub fn program(&self, expression: &Expression, inherited: Option<&str>) -> Result<Program, ExprError> {
        // A language decides what a text means.
        let plain = expression.language.is_none() && inherited.is_none();
        match self.0.get(&*expression.text) {
            Some(program) if plain => Ok(program.clone()),
            _ => Program::compile(expression, inherited),
        }
    }
}
