//! Values as text, for traces and for `string()`.

use std::fmt::{self, Write as _};

use base64::Engine as _;

use super::Value;

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => f.write_str(&java_float(*value)),
            Self::String(text) => write!(f, "{text:?}"),
            Self::Bytes(bytes) => {
                write!(f, "b'{}'", base64::engine::general_purpose::STANDARD.encode(bytes))
            }
            Self::List(items) => show_all(f, '[', items, ']'),
            Self::Set(set) => show_all(f, '{', set.as_slice(), '}'),
            Self::Map(map) => {
                f.write_char('{')?;
                for (index, (key, value)) in map.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(f, "{comma}{key:?}: {value}")?;
                }
                f.write_char('}')
            }
            Self::Path(path) => write!(f, "{path}"),
            Self::Timestamp(time) => write!(f, "{time}"),
            Self::Duration(duration) => write!(f, "{duration}"),
            Self::LatLng(point) => write!(f, "latlng({}, {})", point.latitude, point.longitude),
            Self::Vector(numbers) => write!(f, "vector{numbers:?}"),
            Self::MapDiff(diff) => write!(
                f,
                "diff(added: {:?}, removed: {:?}, changed: {:?}, unchanged: {:?})",
                diff.added, diff.removed, diff.changed, diff.unchanged
            ),
            Self::Unknown(_) => f.write_str("<unknown>"),
        }
    }
}

fn show_all(f: &mut fmt::Formatter<'_>, open: char, items: &[Value], close: char) -> fmt::Result {
    f.write_char(open)?;
    for (index, item) in items.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(f, "{comma}{item}")?;
    }
    f.write_char(close)
}

/// A float as the language writes it: at least one digit after the point, powers of ten from 10^7 upwards and
/// below 10^-3 with an exponent.
pub(crate) fn java_float(value: f64) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity".into() } else { "-Infinity".into() };
    }
    let magnitude = value.abs();
    if magnitude == 0.0 || (1e-3..1e7).contains(&magnitude) {
        return format!("{value:?}");
    }
    let text = format!("{value:E}");
    match text.split_once('E') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0E{exponent}"),
        _ => text,
    }
}
