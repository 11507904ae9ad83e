//! Callable functions: remote procedure calls over `POST {"data": …}`.
//!
//! [`Registry`] holds the functions by region and name; [`Callables`] speaks the protocol around them. A function is an
//! async closure over a [`Context`] and a typed request:
//!
//! ```
//! use functions_host::functions::callable::{CallError, Context, Function, Registry};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Deserialize)]
//! struct Add { a: i64, b: i64 }
//! #[derive(Serialize)]
//! struct Sum { sum: i64 }
//!
//! let mut registry = Registry::default();
//! registry.register(Function::new("add", |_context: Context, request: Add| async move {
//!     let sum = request.a.checked_add(request.b);
//!     let sum = sum.ok_or_else(|| CallError::invalid("a and b are too large to add"))?;
//!     Ok::<_, CallError>(Sum { sum })
//! }))?;
//! # Ok::<(), docstore::Error>(())
//! ```

mod address;
mod codec;
mod context;
mod cors;
mod error;
mod registry;
mod request;
mod serve;
mod stream;
mod transaction;

pub use address::Address;
pub use codec::{decode, encode};
pub use context::{AppCheck, AuthContext, Context, GUEST, RefuseTokens, TokenVerifier};
pub use error::CallError;
pub use registry::{DEFAULT_TIMEOUT, Function, Handler, MAX_TIMEOUT, Registry};
pub use request::MAX_REQUEST_BYTES;
pub use serve::Callables;
pub use stream::{Chunks, HEARTBEAT};
pub(crate) use transaction::retried;

#[cfg(test)]
mod tests;
