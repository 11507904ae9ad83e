//! The functions and methods that come with the language: one table of signatures, from which both the checks
//! and the messages follow.

mod collection;
mod hashing;
mod number;
mod path;
mod pattern;
#[cfg(test)]
mod tests;
mod text;
mod time;

use regex::Regex;

use crate::limits::MAX_BUILT_BYTES;
use crate::value::{Type, Value};

pub(crate) use number::as_text;
pub(crate) use pattern::{anchored, compile as compile_pattern};
pub(crate) use text::substring;
pub(crate) use time::{duration, timestamp};

/// Why a call failed, as a sentence.
pub(crate) type Failure = String;

/// Namespace or type a function belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Home {
    /// `name(…)`
    Global,
    /// `home.name(…)`
    Namespace(&'static str),
    /// `value.name(…)` for values of this type.
    Method(Type),
}

/// One overload of a function.
pub(crate) struct Native {
    pub(crate) home: Home,
    pub(crate) name: &'static str,
    pub(crate) parameters: &'static [Type],
    /// Gets the receiver, if any, and then the arguments, all of the right types.
    pub(crate) call: fn(&mut Context<'_>, &[Value]) -> Result<Value, Failure>,
}

/// Input of a function beside its arguments.
pub(crate) struct Context<'a> {
    /// The compiled pattern, if it was written as a literal.
    pub(crate) pattern: Option<&'a Regex>,
    pub(crate) budget: &'a mut Budget,
}

/// Bounds the memory one evaluation can build.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    built: usize,
}

impl Budget {
    /// Accounts for `bytes` about to be built.
    pub(crate) fn build(&mut self, bytes: usize) -> Result<(), Failure> {
        self.built = self.built.saturating_add(bytes);
        if self.built > MAX_BUILT_BYTES {
            return Err(format!("The evaluation builds more than {MAX_BUILT_BYTES} bytes of values."));
        }
        Ok(())
    }

    /// Accounts for a list of `count` values.
    pub(crate) fn build_values(&mut self, count: usize) -> Result<(), Failure> {
        self.build(count.saturating_mul(size_of::<Value>()))
    }
}

/// All that there is.
const TABLES: [&[Native]; 6] =
    [number::TABLE, text::TABLE, collection::TABLE, path::TABLE, time::TABLE, hashing::TABLE];

const NAMESPACES: [&str; 5] = ["math", "hashing", "timestamp", "duration", "latlng"];

/// The namespace called `name`, if there is one: `name.f(…)` is then not a method call.
pub(crate) fn namespace(name: &str) -> Option<&'static str> {
    NAMESPACES.into_iter().find(|known| *known == name)
}

const fn global(
    name: &'static str,
    parameters: &'static [Type],
    call: fn(&mut Context<'_>, &[Value]) -> Result<Value, Failure>,
) -> Native {
    Native { home: Home::Global, name, parameters, call }
}

const fn within(
    namespace: &'static str,
    name: &'static str,
    parameters: &'static [Type],
    call: fn(&mut Context<'_>, &[Value]) -> Result<Value, Failure>,
) -> Native {
    Native { home: Home::Namespace(namespace), name, parameters, call }
}

const fn method(
    receiver: Type,
    name: &'static str,
    parameters: &'static [Type],
    call: fn(&mut Context<'_>, &[Value]) -> Result<Value, Failure>,
) -> Native {
    Native { home: Home::Method(receiver), name, parameters, call }
}

/// All overloads called `name` at `home` (methods: of any receiver).
pub(crate) fn overloads(home: Home, name: &str) -> Vec<&'static Native> {
    let same_home = |native: &Native| match (home, native.home) {
        (Home::Method(_), Home::Method(_)) => true,
        (a, b) => a == b,
    };
    TABLES.iter().copied().flatten().filter(|native| native.name == name && same_home(native)).collect()
}

/// Calls the overload that fits. `values` begins with the receiver for methods.
pub(crate) fn call(
    overloads: &[&'static Native],
    display: &str,
    values: &[Value],
    context: &mut Context<'_>,
) -> Result<Value, Failure> {
    let is_method = overloads.first().is_none_or(|native| matches!(native.home, Home::Method(_)));
    let receiver = if is_method { values.first().map(Value::type_of) } else { None };
    let of_receiver = |native: &&&'static Native| match native.home {
        Home::Method(kind) => Some(kind) == receiver,
        Home::Global | Home::Namespace(_) => true,
    };
    let arguments = values.get(usize::from(is_method)..).unwrap_or(&[]);
    let fits = |native: &&&'static Native| {
        native.parameters.len() == arguments.len()
            && native.parameters.iter().zip(arguments).all(|(p, a)| p.accepts(a.type_of()))
    };
    if let Some(native) = overloads.iter().filter(of_receiver).find(fits) {
        return (native.call)(context, values);
    }
    if receiver == Some(Type::Null) {
        return Err("Null value error.".into());
    }
    let candidates: Vec<_> = overloads.iter().filter(of_receiver).collect();
    if candidates.is_empty() {
        return Err(format!("Function not found error: Name: [{display}]."));
    }
    let prefix = receiver.map_or_else(String::new, |kind| format!("{}.", kind.name()));
    let signature = |types: &mut dyn Iterator<Item = Type>| {
        format!("{prefix}{display}({})", types.map(Type::name).collect::<Vec<_>>().join(", "))
    };
    let expected: Vec<_> =
        candidates.iter().map(|native| signature(&mut native.parameters.iter().copied())).collect();
    let expected = expected.join(", ");
    if candidates.iter().any(|native| native.parameters.len() == arguments.len()) {
        let received = signature(&mut arguments.iter().map(Value::type_of));
        Err(format!("Unsupported operation error. Received: {received}. Expected: {expected}."))
    } else {
        Err(format!("Incorrect number of arguments. Received: {}. Expected: {expected}.", arguments.len()))
    }
}

/// Error of a function called with arguments its table entry does not have.
fn mismatch() -> Result<Value, Failure> {
    Err("Internal error: a function was called with arguments its signature does not have.".into())
}
