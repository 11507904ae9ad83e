//! `path(…)` and methods of paths.

use std::sync::Arc;

use crate::value::{Path, Type, Value};

use super::number::as_text;
use super::{Failure, Native, global, method, mismatch};

pub(super) const TABLE: &[Native] = &[
    global("path", &[Type::String], |context, values| match values {
        [Value::String(text)] => {
            context.budget.build(text.len().saturating_mul(4))?;
            Path::parse(text).map(Value::Path)
        }
        _ => mismatch(),
    }),
    method(Type::Path, "bind", &[Type::Map], |context, values| match values {
        [Value::Path(path), Value::Map(map)] => {
            let unknown: Vec<_> =
                map.iter().map(|(name, _)| &**name).filter(|name| !path.has_hole(name)).collect();
            if !unknown.is_empty() {
                let unknown = unknown.join(", ");
                return Err(format!("Variable(s) {unknown} do not exist in the path template."));
            }
            context.budget.build_values(path.pieces().len())?;
            let value_of = |name: &str, recursive: bool| -> Result<Option<Arc<[Arc<str>]>>, Failure> {
                let Some(value) = map.get(name) else { return Ok(None) };
                match (recursive, value) {
                    (true, Value::Path(path)) => Ok(Some(path.segments().cloned().collect())),
                    (true, other) => {
                        Err(format!("Type error. Received: [{}] Expected: [path].", other.type_of().name()))
                    }
                    (false, value) => Ok(Some(Arc::new([as_text(value)?.into()]))),
                }
            };
            path.bind(value_of).map(Value::Path)
        }
        _ => mismatch(),
    }),
];
