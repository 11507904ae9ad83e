//! The words of `tuckbox --version`.

use std::sync::LazyLock;

use docstore::engine::FOLDER_VERSION;

use crate::{VERSION, schema};

/// Version, commit, and the formats that this program writes: data folders and documents of these and older versions can
/// be opened. `scripts/release` names the commit in `TUCKBOX_COMMIT`; other builds have none.
pub(super) fn long() -> &'static str {
    static LONG: LazyLock<String> = LazyLock::new(|| {
        format!(
            "{VERSION}\ncommit {}\ndata folder version {FOLDER_VERSION}, schema version {}",
            option_env!("TUCKBOX_COMMIT").unwrap_or("unknown"),
            schema::VERSION
        )
    });
    &LONG
}
