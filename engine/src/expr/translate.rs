//! From the parser's tree to the tree that is evaluated: a closed list of what an expression may use.
//!
//! Everything not on the list is refused when the model is registered, so that a condition never turns out to be
//! unknown in the middle of a run. The tree that comes out differs from the one that goes in:
//!
//! - variables are named `$x`, and an item of `all` or `exists` is `@x`, so that neither can be mistaken for one of the
//!   engine's own names (`int`, `list`, …), which would otherwise stand in for an unknown variable;
//! - `&&` and `||` go from left to right and stop early. The engine's own ones forgive an error on one side when the
//!   other decides; here an unknown variable that is reached is an error, always (EVT-8);
//! - arithmetic is that of [`number`](super::number).

use std::collections::BTreeSet;

use cel::common::ast::{CallExpr, ComprehensionExpr, Expr, IdedExpr, ListExpr, LiteralValue, SelectExpr, operators};

use super::language::Dialect;
use super::number;

/// The name under which a free variable is bound.
pub(super) fn bound_name(variable: &str) -> String {
    format!("${variable}")
}

/// The accumulator of a quantifier; the engine's own name for it.
const ACCUMULATOR: &str = "@result";

/// What came out: the tree, and the free variables in name order.
pub(super) struct Translated {
    pub(super) code: IdedExpr,
    pub(super) variables: BTreeSet<String>,
}

/// Translates `parsed`, or says what is not offered.
pub(super) fn translate(parsed: &IdedExpr, dialect: Dialect) -> Result<Translated, String> {
    let mut translator = Translator {
        dialect,
        variables: BTreeSet::new(),
        item: None,
    };
    let code = translator.expression(parsed)?;
    Ok(Translated {
        code,
        variables: translator.variables,
    })
}

struct Translator {
    dialect: Dialect,
    variables: BTreeSet<String>,
    /// The item that the quantifier around this place names; quantifiers don't nest.
    item: Option<String>,
}

type Outcome = Result<IdedExpr, String>;

impl Translator {
    /// Recurses at most as deep as the tree is, which the limits on tokens bound.
    fn expression(&mut self, parsed: &IdedExpr) -> Outcome {
        match &parsed.expr {
            Expr::Literal(literal) => checked_literal(literal),
            Expr::Ident(name) => self.variable(name),
            Expr::Select(select) => self.select(select, false),
            Expr::Call(call) => match &call.target {
                Some(target) => self.method(call, target),
                None => self.call(call),
            },
            Expr::List(list) if list.optional_indices.is_empty() => {
                Ok(node(Expr::List(ListExpr::new(self.all_of(&list.elements)?))))
            }
            Expr::List(_) => Err("optional elements are not offered".to_owned()),
            Expr::Map(_) | Expr::Struct(_) => Err("literals of maps are not offered".to_owned()),
            Expr::Comprehension(_) | Expr::Unspecified => Err("this is no expression".to_owned()),
        }
    }

    fn all_of(&mut self, parsed: &[IdedExpr]) -> Result<Vec<IdedExpr>, String> {
        parsed.iter().map(|parsed| self.expression(parsed)).collect()
    }

    fn variable(&mut self, name: &str) -> Outcome {
        if self.item.as_deref() == Some(name) {
            return Ok(ident(&item_name(name)));
        }
        if name.starts_with('.') {
            return Err("a name doesn't start with `.`".to_owned());
        }
        self.variables.insert(name.to_owned());
        Ok(ident(&bound_name(name)))
    }

    fn select(&mut self, select: &SelectExpr, test: bool) -> Outcome {
        Ok(node(Expr::Select(SelectExpr {
            operand: Box::new(self.expression(&select.operand)?),
            field: select.field.clone(),
            test,
        })))
    }

    fn call(&mut self, written: &CallExpr) -> Outcome {
        let name = written.func_name.as_str();
        if let ("has", [argument]) = (name, written.args.as_slice()) {
            return match &argument.expr {
                Expr::Select(select) => self.select(select, true),
                _ => Err("`has` takes a field: `has(order.total)`".to_owned()),
            };
        }
        let function = self.function(name, written.args.len())?;
        let mut args = self.all_of(&written.args)?;
        match (name, args.as_mut_slice()) {
            (operators::LOGICAL_AND, [left, right]) => Ok(conditional(take(left), strict(take(right)), boolean(false))),
            (operators::LOGICAL_OR, [left, right]) => Ok(conditional(take(left), boolean(true), strict(take(right)))),
            _ => Ok(call(function, args)),
        }
    }

    /// The function behind `name`, if `name` with so many arguments is on the list.
    fn function<'n>(&self, name: &'n str, arguments: usize) -> Result<&'n str, String> {
        let exact = self.dialect == Dialect::Cel;
        Ok(match (name, arguments) {
            (operators::ADD, 2) if self.dialect == Dialect::Juel => number::SUM_OF_NUMBERS,
            (operators::ADD, 2) => number::SUM,
            (operators::SUBSTRACT, 2) => number::DIFFERENCE,
            (operators::MULTIPLY, 2) => number::PRODUCT,
            (operators::DIVIDE, 2) if exact => number::QUOTIENT,
            (operators::DIVIDE, 2) => number::RATIO,
            (operators::MODULO, 2) => number::REMAINDER,
            (operators::INDEX, 2) if self.dialect == Dialect::Feel => {
                return Err(
                    "`[…]` after a value is not offered in FEEL, whose lists count from 1 and filter".to_owned(),
                );
            }
            ("double", 1) => number::REAL,
            _ if is_native(name, arguments) => name,
            _ => return Err(unknown("function", name, arguments)),
        })
    }

    fn method(&mut self, written: &CallExpr, target: &IdedExpr) -> Outcome {
        let name = written.func_name.as_str();
        match (name, written.args.as_slice()) {
            ("contains" | "startsWith" | "endsWith", [_]) | ("size", []) => {
                let target = Box::new(self.expression(target)?);
                let args = self.all_of(&written.args)?;
                Ok(node(Expr::Call(CallExpr {
                    func_name: name.to_owned(),
                    target: Some(target),
                    args,
                })))
            }
            ("all" | "exists" | "exists_one", [item, predicate]) => self.quantifier(name, target, item, predicate),
            (_, args) => Err(unknown("method", name, args.len())),
        }
    }

    /// `list.all(x, …)` and its siblings, over lists alone and not inside one another: their cost is bounded so.
    fn quantifier(&mut self, name: &str, range: &IdedExpr, item: &IdedExpr, predicate: &IdedExpr) -> Outcome {
        let Expr::Ident(item) = &item.expr else {
            return Err(format!("`{name}` names its item first: `list.{name}(x, x > 0)`"));
        };
        if self.item.is_some() {
            return Err(format!("`{name}` inside another quantifier is not offered"));
        }
        let iter_range = call(number::ITEMS, vec![self.expression(range)?]);
        self.item = Some(item.clone());
        let predicate = strict(self.expression(predicate)?);
        self.item = None;
        let result = || ident(ACCUMULATOR);
        let (accu_init, loop_cond, loop_step, end) = match name {
            "all" => (boolean(true), result(), predicate, result()),
            "exists" => {
                let go_on = call(operators::LOGICAL_NOT, vec![result()]);
                (boolean(false), go_on, predicate, result())
            }
            _ => {
                let one_more = call(number::SUM, vec![result(), integer(1)]);
                let step = conditional(predicate, one_more, result());
                let end = call(operators::EQUALS, vec![result(), integer(1)]);
                (integer(0), boolean(true), step, end)
            }
        };
        Ok(node(Expr::Comprehension(Box::new(ComprehensionExpr {
            iter_range,
            iter_var: item_name(item),
            iter_var2: None,
            accu_var: ACCUMULATOR.to_owned(),
            accu_init,
            loop_cond,
            loop_step,
            result: end,
        }))))
    }
}

/// Whether the engine's own operator or function is offered as it is.
fn is_native(name: &str, arguments: usize) -> bool {
    match arguments {
        1 => matches!(
            name,
            operators::LOGICAL_NOT | operators::NEGATE | "size" | "string" | "int"
        ),
        2 => matches!(
            name,
            operators::EQUALS
                | operators::NOT_EQUALS
                | operators::LESS
                | operators::LESS_EQUALS
                | operators::GREATER
                | operators::GREATER_EQUALS
                | operators::IN
                | operators::INDEX
                | operators::LOGICAL_AND
                | operators::LOGICAL_OR
        ),
        3 => name == operators::CONDITIONAL,
        _ => false,
    }
}

fn checked_literal(literal: &LiteralValue) -> Outcome {
    match literal {
        LiteralValue::Bytes(_) => Err("literals of bytes are not offered".to_owned()),
        LiteralValue::UInt(_) => Err("unsigned literals are not offered".to_owned()),
        LiteralValue::Double(real) if !real.inner().is_finite() => Err("a number is too large".to_owned()),
        LiteralValue::Boolean(_)
        | LiteralValue::Double(_)
        | LiteralValue::Int(_)
        | LiteralValue::Null
        | LiteralValue::String(_) => Ok(node(Expr::Literal(literal.clone()))),
    }
}

fn unknown(what: &str, name: &str, arguments: usize) -> String {
    let plural = if arguments == 1 { "" } else { "s" };
    format!("unknown {what} `{name}` of {arguments} argument{plural}")
}

fn item_name(item: &str) -> String {
    format!("@{item}")
}

fn node(expr: Expr) -> IdedExpr {
    IdedExpr { id: 0, expr }
}

fn ident(name: &str) -> IdedExpr {
    node(Expr::Ident(name.to_owned()))
}

fn call(function: &str, args: Vec<IdedExpr>) -> IdedExpr {
    node(Expr::Call(CallExpr {
        func_name: function.to_owned(),
        target: None,
        args,
    }))
}

fn boolean(value: bool) -> IdedExpr {
    node(Expr::Literal(LiteralValue::Boolean(value.into())))
}

fn integer(value: i64) -> IdedExpr {
    node(Expr::Literal(LiteralValue::Int(value.into())))
}

fn conditional(condition: IdedExpr, then: IdedExpr, otherwise: IdedExpr) -> IdedExpr {
    call(operators::CONDITIONAL, vec![condition, then, otherwise])
}

/// `expression` if it is a Boolean, an error otherwise.
fn strict(expression: IdedExpr) -> IdedExpr {
    conditional(expression, boolean(true), boolean(false))
}

fn take(expression: &mut IdedExpr) -> IdedExpr {
    std::mem::take(expression)
}
