//! The values of the rules language.

mod order;
mod path;
mod show;
mod time;

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) use order::{loosely_equal, order_int_and_float, order_loosely, order_strictly, strictly_equal};
pub use path::{Path, PathPiece};
pub(crate) use show::java_float;
pub use time::{Duration, Timestamp};

use crate::proof::Unknown;

/// A value. Cloning is cheap: everything large is shared.
#[derive(Debug, Clone, Default)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `bool`
    Bool(bool),
    /// `int`
    Int(i64),
    /// `float`
    Float(f64),
    /// `string`
    String(Arc<str>),
    /// `bytes`
    Bytes(Arc<[u8]>),
    /// `list`
    List(Arc<[Self]>),
    /// `map`
    Map(Map),
    /// `set`; see [`Set`]
    Set(Set),
    /// `path`
    Path(Path),
    /// `timestamp`
    Timestamp(Timestamp),
    /// `duration`
    Duration(Duration),
    /// `latlng`
    LatLng(LatLng),
    /// `vector`
    Vector(Arc<[f64]>),
    /// Result of `map.diff`.
    MapDiff(Arc<MapDiff>),
    /// Something a query proof knows only in part. Never appears outside proofs.
    Unknown(Unknown),
}

/// A map with string keys, in key order.
#[derive(Debug, Clone, Default)]
pub struct Map(Arc<BTreeMap<Arc<str>, Value>>);

impl Map {
    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entries, in key order.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &Value)> {
        self.0.iter()
    }

    pub(crate) fn contains<K: ?Sized + Ord>(&self, key: &K) -> bool
    where
        Arc<str>: Borrow<K>,
    {
        self.0.contains_key(key)
    }
}

impl<K: Into<Arc<str>>> FromIterator<(K, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(entries: I) -> Self {
        Self(Arc::new(entries.into_iter().map(|(key, value)| (key.into(), value)).collect()))
    }
}

/// A set of values, in which `1` and `1.0` are the same.
#[derive(Debug, Clone, Default)]
pub struct Set(Arc<[Value]>);

impl Set {
    /// The elements, in an order of no meaning.
    pub fn as_slice(&self) -> &[Value] {
        &self.0
    }

    pub(crate) fn contains(&self, value: &Value) -> bool {
        self.0.binary_search_by(|element| order_loosely(element, value)).is_ok()
    }
}

impl FromIterator<Value> for Set {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        let mut values: Vec<_> = values.into_iter().collect();
        values.sort_by(order_loosely);
        values.dedup_by(|a, b| order_loosely(a, b).is_eq());
        Self(values.into())
    }
}

/// Degrees of latitude (-90 to 90) and longitude (-180 to 180).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatLng {
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
}

/// Difference between a map and an earlier one.
#[derive(Debug, Clone, Default)]
pub struct MapDiff {
    pub(crate) added: Vec<Arc<str>>,
    pub(crate) removed: Vec<Arc<str>>,
    pub(crate) changed: Vec<Arc<str>>,
    pub(crate) unchanged: Vec<Arc<str>>,
}

/// Type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Type {
    Any,
    Null,
    Bool,
    Int,
    Float,
    /// `int` or `float`
    Number,
    String,
    Bytes,
    List,
    Map,
    Set,
    Path,
    Timestamp,
    Duration,
    LatLng,
    Vector,
    MapDiff,
    Constraint,
}

impl Type {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Null => "null",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Float => "float",
            Self::Number => "number",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::List => "list",
            Self::Map => "map",
            Self::Set => "set",
            Self::Path => "path",
            Self::Timestamp => "timestamp",
            Self::Duration => "duration",
            Self::LatLng => "latlng",
            Self::Vector => "vector",
            Self::MapDiff => "map_diff",
            Self::Constraint => "constraint",
        }
    }

    /// The type `is` calls `name`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        const NAMED: [Type; 16] = [
            Type::Bool,
            Type::Int,
            Type::Float,
            Type::Number,
            Type::String,
            Type::Bytes,
            Type::List,
            Type::Map,
            Type::Set,
            Type::Path,
            Type::Timestamp,
            Type::Duration,
            Type::LatLng,
            Type::Vector,
            Type::MapDiff,
            Type::Constraint,
        ];
        NAMED.into_iter().find(|candidate| candidate.name() == name)
    }

    pub(crate) fn accepts(self, value: Self) -> bool {
        self == value
            || self == Self::Any
            || (self == Self::Float && value == Self::Int)
            || (self == Self::Number && matches!(value, Self::Int | Self::Float))
    }
}

impl Value {
    pub(crate) const fn type_of(&self) -> Type {
        match self {
            Self::Null => Type::Null,
            Self::Bool(_) => Type::Bool,
            Self::Int(_) => Type::Int,
            Self::Float(_) => Type::Float,
            Self::String(_) => Type::String,
            Self::Bytes(_) => Type::Bytes,
            Self::List(_) => Type::List,
            Self::Map(_) => Type::Map,
            Self::Set(_) => Type::Set,
            Self::Path(_) => Type::Path,
            Self::Timestamp(_) => Type::Timestamp,
            Self::Duration(_) => Type::Duration,
            Self::LatLng(_) => Type::LatLng,
            Self::Vector(_) => Type::Vector,
            Self::MapDiff(_) => Type::MapDiff,
            Self::Unknown(_) => Type::Constraint,
        }
    }

    /// A number as a float.
    pub(crate) fn as_float(&self) -> Option<f64> {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "the language converts int to float so")]
            Self::Int(value) => Some(*value as f64),
            Self::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// A `string`.
    pub fn string(text: impl Into<Arc<str>>) -> Self {
        Self::String(text.into())
    }

    /// A `list`.
    pub fn list(items: impl IntoIterator<Item = Self>) -> Self {
        Self::List(items.into_iter().collect())
    }

    /// A `map`. A key given twice has the later value.
    pub fn map<K: Into<Arc<str>>>(entries: impl IntoIterator<Item = (K, Self)>) -> Self {
        Self::Map(entries.into_iter().collect())
    }
}
