//! Settings that promise to keep an object, which this server does not.

use docstore::{Code, Error, Result};
use serde_json::{Map, Value};

/// The refusal.
pub(crate) const MESSAGE: &str = "Retention policies and holds do not exist here: who may delete a file deletes it. Leave the setting out.";
/// Settings of an object that promise to keep it.
const SETTINGS: [&str; 3] = ["temporaryHold", "eventBasedHold", "retention"];

/// Refuses metadata that would hold the object.
///
/// # Errors
/// `Unimplemented` (`Retention`).
pub(super) fn refuse(given: &Map<String, Value>) -> Result<()> {
    if SETTINGS.into_iter().any(|name| given.get(name).is_some_and(is_on)) {
        return Err(Error::new(Code::Unimplemented, "Retention", MESSAGE));
    }
    Ok(())
}

/// True unless the setting switches off what it is about.
pub(crate) fn is_on(setting: &Value) -> bool {
    match setting {
        Value::Null | Value::Bool(false) => false,
        Value::Object(members) => {
            let is = |name: &str, off: &[Value]| members.get(name).is_some_and(|value| off.contains(value));
            !members.is_empty()
                && !is("enabled", &[false.into()])
                && !is("retentionDurationSeconds", &[0.into(), "0".into()])
        }
        _ => true,
    }
}
