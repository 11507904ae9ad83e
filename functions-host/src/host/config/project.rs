//! The project id: the owner of the data, and the first segment of many paths.

use std::collections::BTreeMap;
use std::path::Path;

use docstore::{Error, Result};
use serde::Deserialize;

use super::source::blank_comments;

/// Default project id.
pub const DEFAULT_PROJECT: &str = "tuckbox";

/// Allowed length of a project id, in characters: as in the cloud console, but with room for the short names of local
/// set-ups.
const LENGTH: std::ops::RangeInclusive<usize> = 1..=63;

#[derive(Deserialize)]
struct FirebaseRc {
    #[serde(default)]
    projects: BTreeMap<String, String>,
}

/// The project id: `argument`, else `projects.default` of the `.firebaserc` in `root`, else [`DEFAULT_PROJECT`]. An
/// argument that is an alias in `.firebaserc` is resolved.
///
/// # Errors
/// `.firebaserc` is malformed, or the id is invalid.
pub fn project_id(argument: Option<&str>, root: &Path) -> Result<String> {
    let aliases = aliases(root)?;
    let id = match argument {
        Some(name) => aliases.get(name).map_or(name, String::as_str),
        None => aliases.get("default").map_or(DEFAULT_PROJECT, String::as_str),
    };
    let fits = LENGTH.contains(&id.len())
        && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && id.starts_with(|c: char| c.is_ascii_lowercase())
        && !id.ends_with('-');
    if !fits {
        return Err(Error::invalid(
            "ProjectInvalid",
            format!(
                "{id:?} is no project id: use 1 to 63 lower-case letters, digits and hyphens, a letter first and no hyphen last"
            ),
        ));
    }
    Ok(id.to_owned())
}

fn aliases(root: &Path) -> Result<BTreeMap<String, String>> {
    let file = root.join(".firebaserc");
    let Ok(text) = std::fs::read_to_string(&file) else { return Ok(BTreeMap::new()) };
    let rc: FirebaseRc = serde_json::from_str(&blank_comments(&text)).map_err(|error| {
        Error::invalid("FirebasercInvalid", format!("{}:{}: {error}", file.display(), error.line()))
    })?;
    Ok(rc.projects)
}
