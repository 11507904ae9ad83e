//! Orders to the server of a data folder, which may be running or stopped.

use std::path::Path;

use docstore::Result;
use serde::Serialize;

use crate::host::control::{self, Answer};
use crate::host::data_dir::DataDir;

/// Has the running server of a data folder carry out an order; without one, `stopped` does so on the folder.
///
/// # Errors
/// The folder cannot be taken; those of the order.
pub(super) async fn order<Order: Serialize>(
    data: &Path,
    route: &str,
    order: &Order,
    stopped: impl AsyncFnOnce(&DataDir) -> Result<Answer>,
) -> Result<Answer> {
    match DataDir::take(data) {
        Ok(data_dir) => stopped(&data_dir).await,
        Err(error) if error.tag() == "DataDirLocked" => control::order(data, route, order).await,
        Err(error) => Err(error),
    }
}
