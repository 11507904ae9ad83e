//! The product's own functions.

use docstore::Result;

use crate::callable::Registry;

/// All of them.
///
/// # Errors
/// Two have the same name, or a name is none.
pub fn registry() -> Result<Registry> {
    Ok(Registry::default())
}
