//! Conversions, `math` and `latlng`.

use crate::value::{LatLng, Type, Value, java_float};

use super::{Failure, Native, global, method, mismatch, within};

/// Metres; the mean radius with which distances agree with Firebase's.
const EARTH_RADIUS: f64 = 6_371_009.0;

pub(super) const TABLE: &[Native] = &[
    global("debug", &[Type::Any], |_, values| Ok(values.first().cloned().unwrap_or_default())),
    global("int", &[Type::Int], |_, values| Ok(values.first().cloned().unwrap_or_default())),
    global("int", &[Type::Float], |_, values| match values {
        [Value::Float(value)] => Ok(Value::Int(truncated(*value))),
        _ => mismatch(),
    }),
    global("int", &[Type::String], |_, values| match values {
        [Value::String(text)] => {
            text.parse().map(Value::Int).map_err(|_| conversion_failure(text, Type::Int))
        }
        _ => mismatch(),
    }),
    global("float", &[Type::Int], |_, values| float_function(values, |value| value)),
    global("float", &[Type::Float], |_, values| Ok(values.first().cloned().unwrap_or_default())),
    global("float", &[Type::String], |_, values| match values {
        [Value::String(text)] => parse_float(text),
        _ => mismatch(),
    }),
    global("string", &[Type::Int], to_string),
    global("string", &[Type::Float], to_string),
    global("string", &[Type::Null], to_string),
    global("string", &[Type::String], to_string),
    global("string", &[Type::Bool], to_string),
    global("string", &[Type::Path], to_string),
    global("bool", &[Type::Bool], |_, values| Ok(values.first().cloned().unwrap_or_default())),
    global("bool", &[Type::String], |_, values| match values {
        [Value::String(text)] if &**text == "true" => Ok(Value::Bool(true)),
        [Value::String(text)] if &**text == "false" => Ok(Value::Bool(false)),
        [Value::String(text)] => Err(conversion_failure(text, Type::Bool)),
        _ => mismatch(),
    }),
    within("math", "abs", &[Type::Int], |_, values| match values {
        [Value::Int(value)] => Ok(Value::Int(value.wrapping_abs())),
        _ => mismatch(),
    }),
    within("math", "abs", &[Type::Float], |_, values| float_function(values, f64::abs)),
    within("math", "ceil", &[Type::Float], |_, values| float_function(values, f64::ceil)),
    within("math", "floor", &[Type::Float], |_, values| float_function(values, f64::floor)),
    within("math", "round", &[Type::Float], |_, values| match values {
        [Value::Int(value)] => Ok(Value::Int(*value)),
        [Value::Float(value)] => Ok(Value::Int(truncated((value + 0.5).floor()))),
        _ => mismatch(),
    }),
    within("math", "sqrt", &[Type::Float], |_, values| float_function(values, f64::sqrt)),
    within("math", "pow", &[Type::Float, Type::Float], |_, values| {
        match (values.first().and_then(Value::as_float), values.get(1).and_then(Value::as_float)) {
            (Some(base), Some(exponent)) => Ok(Value::Float(base.powf(exponent))),
            _ => mismatch(),
        }
    }),
    within("math", "isNaN", &[Type::Float], |_, values| float_test(values, f64::is_nan)),
    within("math", "isInfinite", &[Type::Float], |_, values| float_test(values, f64::is_infinite)),
    within("latlng", "value", &[Type::Float, Type::Float], |_, values| {
        let (Some(latitude), Some(longitude)) =
            (values.first().and_then(Value::as_float), values.get(1).and_then(Value::as_float))
        else {
            return mismatch();
        };
        if (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude) {
            return Ok(Value::LatLng(LatLng { latitude, longitude }));
        }
        Err(format!(
            "Latitude should be in [-90,90] range and longitude should be in [-180,180] range. \
             latitude: {}, longitude: {}.",
            java_float(latitude),
            java_float(longitude)
        ))
    }),
    method(Type::LatLng, "latitude", &[], |_, values| match values {
        [Value::LatLng(point)] => Ok(Value::Float(point.latitude)),
        _ => mismatch(),
    }),
    method(Type::LatLng, "longitude", &[], |_, values| match values {
        [Value::LatLng(point)] => Ok(Value::Float(point.longitude)),
        _ => mismatch(),
    }),
    method(Type::LatLng, "distance", &[Type::LatLng], |_, values| match values {
        [Value::LatLng(a), Value::LatLng(b)] => Ok(Value::Float(distance(*a, *b))),
        _ => mismatch(),
    }),
];

fn float_function(values: &[Value], function: fn(f64) -> f64) -> Result<Value, Failure> {
    values.first().and_then(Value::as_float).map_or_else(mismatch, |value| Ok(Value::Float(function(value))))
}

fn float_test(values: &[Value], test: fn(f64) -> bool) -> Result<Value, Failure> {
    values.first().and_then(Value::as_float).map_or_else(mismatch, |value| Ok(Value::Bool(test(value))))
}

/// Towards zero; too large values become the largest, NaN becomes 0.
#[expect(clippy::cast_possible_truncation, reason = "the cast saturates, which is what the language does")]
fn truncated(value: f64) -> i64 {
    value as i64
}

fn parse_float(text: &str) -> Result<Value, Failure> {
    // Rust also takes "inf", "nan" and "infinity" in any case, which the language does not know.
    let unsigned = text.trim_start_matches(['+', '-']);
    let plausible = matches!(unsigned, "NaN" | "Infinity")
        || unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    match text.parse() {
        Ok(value) if plausible => Ok(Value::Float(value)),
        _ => Err(conversion_failure(text, Type::Float)),
    }
}

fn conversion_failure(text: &str, to: Type) -> Failure {
    format!("Type conversion error. Argument: [{text}], From type: [string], To type: [{}].", to.name())
}

fn to_string(context: &mut super::Context<'_>, values: &[Value]) -> Result<Value, Failure> {
    let text = as_text(values.first().unwrap_or(&Value::Null))?;
    context.budget.build(text.len())?;
    Ok(Value::string(text))
}

/// `string(value)`
pub(crate) fn as_text(value: &Value) -> Result<String, Failure> {
    Ok(match value {
        Value::String(text) => text.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => java_float(*value),
        Value::Bool(value) => value.to_string(),
        Value::Null => "null".into(),
        Value::Path(path) => path.to_string(),
        other => {
            return Err(format!(
                "Unsupported operation error. Received: string({}). Expected: string(int), string(float), \
                 string(null), string(string), string(bool), string(path).",
                other.type_of().name()
            ));
        }
    })
}

/// Metres along the great circle.
fn distance(a: LatLng, b: LatLng) -> f64 {
    let (lat_a, lat_b) = (a.latitude.to_radians(), b.latitude.to_radians());
    let half_lat = (lat_b - lat_a) / 2.0;
    let half_lng = (b.longitude - a.longitude).to_radians() / 2.0;
    let h = half_lat.sin().powi(2) + lat_a.cos() * lat_b.cos() * half_lng.sin().powi(2);
    2.0 * EARTH_RADIUS * h.sqrt().min(1.0).asin()
}
