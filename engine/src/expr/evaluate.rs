//! Running a translated expression over JSON values.
//!
//! Only the variables that an expression names are brought in, and texts are borrowed. JSON becomes the engine's values
//! as one expects: whole numbers are `int` (beyond `i64::MAX`: `uint`), others `double`, objects are maps with text
//! keys. The way back is the same; a value without a JSON form is an error. Reasons of errors hold names and types,
//! never values, so that whoever shows them need not know what must be kept from view.

use std::collections::HashMap;
use std::sync::Arc;

use cel::common::ast::IdedExpr;
use cel::common::types::{CelBool, CelDouble, CelInt, CelList, CelMap, CelMapKey, CelNull, CelString, CelUInt};
use cel::common::value::Val;
use cel::objects::Key;
use cel::{Context, ExecutionError, Value as Evaluated};
use serde_json::Value;

use super::number::ENVIRONMENT;

/// The deepest nesting of a value that goes in or comes out.
const DATA_DEPTH_MAX: usize = 64;

/// The value of `code` with `bindings`, or a reason; `text` is the expression as its author wrote it.
pub(super) fn evaluate<'v>(
    code: &IdedExpr,
    text: &str,
    bindings: impl Iterator<Item = (&'v str, &'v Value)>,
) -> Result<Value, String> {
    let mut context = Context::with_env(Arc::clone(&ENVIRONMENT));
    for (name, value) in bindings {
        let value = into_engine(value, DATA_DEPTH_MAX)?;
        context.add_variable_as_val(name, value);
    }
    let value = Evaluated::resolve(code, &context).map_err(|error| reason(&error, text))?;
    from_engine(&value, DATA_DEPTH_MAX)
}

fn too_deep() -> String {
    format!("a value nests deeper than {DATA_DEPTH_MAX}")
}

fn into_engine(value: &Value, depth: usize) -> Result<Box<dyn Val + '_>, String> {
    let inner = depth.checked_sub(1).ok_or_else(too_deep)?;
    Ok(match value {
        Value::Null => Box::new(CelNull),
        Value::Bool(boolean) => Box::new(CelBool::from(*boolean)),
        Value::Number(number) => {
            if let Some(int) = number.as_i64() {
                Box::new(CelInt::from(int))
            } else if let Some(uint) = number.as_u64() {
                Box::new(CelUInt::from(uint))
            } else {
                Box::new(CelDouble::from(number.as_f64().ok_or("a number is out of range")?))
            }
        }
        Value::String(text) => Box::new(CelString::from(text.as_str())),
        Value::Array(items) => {
            let items: Result<Vec<_>, _> = items.iter().map(|item| into_engine(item, inner)).collect();
            Box::new(CelList::from(items?))
        }
        Value::Object(fields) => {
            let fields: Result<HashMap<CelMapKey<'_>, _>, String> = fields
                .iter()
                .map(|(key, value)| Ok((CelMapKey::from(key.as_str()), into_engine(value, inner)?)))
                .collect();
            Box::new(CelMap::from(fields?))
        }
    })
}

fn from_engine(value: &Evaluated, depth: usize) -> Result<Value, String> {
    let inner = depth.checked_sub(1).ok_or_else(too_deep)?;
    Ok(match value {
        Evaluated::Null => Value::Null,
        Evaluated::Bool(boolean) => Value::Bool(*boolean),
        Evaluated::Int(int) => Value::from(*int),
        Evaluated::UInt(uint) => Value::from(*uint),
        Evaluated::Float(real) => {
            let number = serde_json::Number::from_f64(*real);
            Value::Number(number.ok_or("the result is no finite number")?)
        }
        Evaluated::String(text) => Value::String(text.as_str().to_owned()),
        Evaluated::List(items) => {
            let items: Result<Vec<_>, _> = items.iter().map(|item| from_engine(item, inner)).collect();
            Value::Array(items?)
        }
        // The target map is in name order, whatever the order of the source.
        Evaluated::Map(map) => {
            let fields: Result<serde_json::Map<_, _>, String> = map
                .map
                .iter()
                .map(|(key, value)| match key {
                    Key::String(key) => Ok((key.as_str().to_owned(), from_engine(value, inner)?)),
                    _ => Err("a key of the result is no text".to_owned()),
                })
                .collect();
            Value::Object(fields?)
        }
        _ => return Err("the result has no JSON form".to_owned()),
    })
}

/// Why evaluation failed, in names and types.
fn reason(error: &ExecutionError, text: &str) -> String {
    match error {
        ExecutionError::UndeclaredReference(name) => {
            format!("unknown variable `{}`", name.trim_start_matches('$'))
        }
        // A key that stands in the text is a name; any other one is a value.
        ExecutionError::NoSuchKey(key) if text.contains(key.as_str()) => format!("there is no field `{key}`"),
        ExecutionError::NoSuchKey(_) => "there is no such field".to_owned(),
        ExecutionError::NoSuchOverload(overload) => {
            let operator = overload.function().trim_matches(|c| c == '_' || c == '@');
            let types = overload.argument_types().join(", ");
            format!("`{operator}` can't be applied to {types}")
        }
        ExecutionError::UnexpectedType { got, want } => {
            format!("there is a value of type {got} where {want} is needed")
        }
        ExecutionError::FunctionError { function, message } if function.starts_with('@') => message.clone(),
        ExecutionError::FunctionError { function, .. } => format!("`{function}` can't take this value"),
        ExecutionError::IndexOutOfBounds(_) => "the index is out of bounds".to_owned(),
        ExecutionError::Overflow(..) => "integer overflow".to_owned(),
        ExecutionError::UnsupportedBinaryOperator(..) | ExecutionError::ValuesNotComparable(..) => {
            "the operator can't be applied to values of these types".to_owned()
        }
        ExecutionError::UnsupportedIndex(..) | ExecutionError::UnsupportedKeyType(_) => {
            "a value of this type is no index".to_owned()
        }
        _ => "it can't be evaluated over these values".to_owned(),
    }
}
