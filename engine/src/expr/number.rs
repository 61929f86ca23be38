//! Arithmetic over JSON's numbers.
//!
//! JSON has one kind of number and no author knows whether a program wrote `5` or `5.0`. The default engine compares
//! across its three kinds but refuses to add them, so that `amount * 0.2` would fail on a whole amount. These functions
//! stand in for its operators: whole numbers stay whole and are checked, mixed ones become real, and what is not finite
//! is an error. Nothing wraps, and no NaN or infinity exists in here.

use std::sync::{Arc, LazyLock};

use cel::common::types::{CelDouble, CelInt, CelList, CelString, CelUInt, DYN_TYPE};
use cel::common::value::{CowVal, Val};
use cel::{Env, ExecutionError};

pub(super) const SUM: &str = "@sum";
pub(super) const SUM_OF_NUMBERS: &str = "@sum_of_numbers";
pub(super) const DIFFERENCE: &str = "@difference";
pub(super) const PRODUCT: &str = "@product";
pub(super) const QUOTIENT: &str = "@quotient";
pub(super) const RATIO: &str = "@ratio";
pub(super) const REMAINDER: &str = "@remainder";
pub(super) const REAL: &str = "@real";
pub(super) const ITEMS: &str = "@items";

/// The longest list that `all`, `exists` and `exists_one` go through.
const ITEMS_MAX: usize = 10_000;

type Outcome<T> = Result<T, ExecutionError>;

/// The engine's environment: its standard functions and the ones of this file. Their names start with `@`, which no
/// author can write.
pub(super) static ENVIRONMENT: LazyLock<Arc<Env>> = LazyLock::new(|| {
    let mut env = Env::default().with_optional_support(false).with_stdlib();
    let binary: [(&str, cel::common::functions::Function); 7] = [
        (SUM, |args| sum(&args)),
        (SUM_OF_NUMBERS, |args| {
            arithmetic("+", &args, i128::checked_add, |a, b| a + b)
        }),
        (DIFFERENCE, |args| {
            arithmetic("-", &args, i128::checked_sub, |a, b| a - b)
        }),
        (PRODUCT, |args| arithmetic("*", &args, i128::checked_mul, |a, b| a * b)),
        (QUOTIENT, |args| quotient(&args)),
        (RATIO, |args| ratio(&args)),
        (REMAINDER, |args| remainder(&args)),
    ];
    for (name, function) in binary {
        env.add_overload(name, name, vec![DYN_TYPE, DYN_TYPE], function)
            .expect("each name is declared once");
    }
    let unary: [(&str, cel::common::functions::Function); 2] = [(REAL, |args| real(&args)), (ITEMS, items)];
    for (name, function) in unary {
        env.add_overload(name, name, vec![DYN_TYPE], function)
            .expect("each name is declared once");
    }
    Arc::new(env)
});

#[derive(Clone, Copy)]
enum Number {
    /// A whole number; `wide` if the engine holds it unsigned, which JSON's do beyond `i64::MAX` only.
    Whole {
        value: i128,
        wide: bool,
    },
    Real(f64),
}

impl Number {
    fn of(value: &dyn Val) -> Option<Self> {
        if let Some(int) = value.downcast_ref::<CelInt>() {
            Some(Number::Whole {
                value: i128::from(*int.inner()),
                wide: false,
            })
        } else if let Some(uint) = value.downcast_ref::<CelUInt>() {
            Some(Number::Whole {
                value: i128::from(*uint.inner()),
                wide: true,
            })
        } else {
            value
                .downcast_ref::<CelDouble>()
                .map(|real| Number::Real(*real.inner()))
        }
    }

    #[allow(clippy::cast_precision_loss)] // As in JSON itself: whole numbers beyond 2^53 round when they become real.
    fn to_real(self) -> f64 {
        match self {
            Number::Whole { value, .. } => value as f64,
            Number::Real(real) => real,
        }
    }
}

fn operands(operator: &str, args: &[CowVal<'_, '_>]) -> Outcome<(Number, Number)> {
    let [left, right] = args else {
        return Err(ExecutionError::invalid_argument_count(2, args.len()));
    };
    if let (Some(left), Some(right)) = (Number::of(left.as_ref()), Number::of(right.as_ref())) {
        return Ok((left, right));
    }
    let types = args.iter().map(|arg| arg.get_type().name().to_owned()).collect();
    Err(ExecutionError::no_such_overload(operator, types))
}

fn whole<'b, 'v>(value: Option<i128>, wide: bool) -> Outcome<CowVal<'b, 'v>> {
    let overflow = || failed("integer overflow");
    let value = value.ok_or_else(overflow)?;
    if let Ok(value) = i64::try_from(value) {
        return Ok(CowVal::owned(CelInt::from(value)));
    }
    let value = u64::try_from(value).ok().filter(|_| wide).ok_or_else(overflow)?;
    Ok(CowVal::owned(CelUInt::from(value)))
}

fn finite<'b, 'v>(value: f64) -> Outcome<CowVal<'b, 'v>> {
    if value.is_finite() {
        Ok(CowVal::owned(CelDouble::from(value)))
    } else {
        Err(failed("the result is no finite number"))
    }
}

/// An error of this file; the reason holds no values.
fn failed(reason: &str) -> ExecutionError {
    ExecutionError::function_error("@", reason)
}

fn arithmetic<'b, 'v>(
    operator: &str,
    args: &[CowVal<'b, 'v>],
    wholes: fn(i128, i128) -> Option<i128>,
    reals: fn(f64, f64) -> f64,
) -> Outcome<CowVal<'b, 'v>> {
    match operands(operator, args)? {
        (Number::Whole { value: a, wide }, Number::Whole { value: b, wide: other }) => {
            whole(wholes(a, b), wide || other)
        }
        (a, b) => finite(reals(a.to_real(), b.to_real())),
    }
}

fn sum<'b, 'v>(args: &[CowVal<'b, 'v>]) -> Outcome<CowVal<'b, 'v>> {
    if let [left, right] = args {
        let (left, right) = (left.as_ref(), right.as_ref());
        let texts = left.downcast_ref::<CelString>().is_some() && right.downcast_ref::<CelString>().is_some();
        let lists = left.downcast_ref::<CelList>().is_some() && right.downcast_ref::<CelList>().is_some();
        if let Some(adder) = left.as_adder().filter(|_| texts || lists) {
            return Ok(CowVal::Owned(adder.add(right)?.into_owned()));
        }
    }
    arithmetic("+", args, i128::checked_add, |a, b| a + b)
}

fn quotient<'b, 'v>(args: &[CowVal<'b, 'v>]) -> Outcome<CowVal<'b, 'v>> {
    refuse_zero("/", args)?;
    arithmetic("/", args, i128::checked_div, |a, b| a / b)
}

fn ratio<'b, 'v>(args: &[CowVal<'b, 'v>]) -> Outcome<CowVal<'b, 'v>> {
    refuse_zero("/", args)?;
    let (left, right) = operands("/", args)?;
    finite(left.to_real() / right.to_real())
}

fn remainder<'b, 'v>(args: &[CowVal<'b, 'v>]) -> Outcome<CowVal<'b, 'v>> {
    refuse_zero("%", args)?;
    arithmetic("%", args, i128::checked_rem, |a, b| a % b)
}

fn refuse_zero(operator: &str, args: &[CowVal<'_, '_>]) -> Outcome<()> {
    let (_, divisor) = operands(operator, args)?;
    match divisor {
        Number::Whole { value: 0, .. } | Number::Real(0.0) => Err(failed("division by zero")),
        _ => Ok(()),
    }
}

/// `double(x)` of a number or of a text that is one.
fn real<'b, 'v>(args: &[CowVal<'b, 'v>]) -> Outcome<CowVal<'b, 'v>> {
    let [arg] = args else {
        return Err(ExecutionError::invalid_argument_count(1, args.len()));
    };
    if let Some(number) = Number::of(arg.as_ref()) {
        return finite(number.to_real());
    }
    let text = arg.downcast_ref::<CelString>();
    let value = text.and_then(|text| text.inner().parse::<f64>().ok());
    finite(value.ok_or_else(|| failed("`double` takes a number or the text of one"))?)
}

/// The list itself. Maps have no order that anyone may see, and a long list is a bound that was crossed.
fn items<'b, 'v>(mut args: Vec<CowVal<'b, 'v>>) -> Outcome<CowVal<'b, 'v>> {
    let list = args.pop().ok_or_else(ExecutionError::missing_argument_or_target)?;
    match list.downcast_ref::<CelList>().map(|list| list.inner().len()) {
        None => Err(failed("only a list has items")),
        Some(length) if length > ITEMS_MAX => Err(failed("the list is too long to go through")),
        Some(_) => Ok(list),
    }
}
