//! New accounts, and the people who may make one.

use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;

/// Knows which addresses are invited.
pub trait Invitations: Send + Sync + fmt::Debug + 'static {
    /// True if somebody has invited this address, which is in lower case.
    ///
    /// # Errors
    /// Those of the store.
    fn invites<'a>(&'a self, email: &'a str) -> BoxFuture<'a, docstore::Result<bool>>;
}

/// People who may make an account of their own in the project (serving mode only). Anonymous accounts have a setting of
/// their own, and become accounts of one's own under this rule. Administrators, and the server itself, make any.
#[derive(Debug, Clone, Default)]
pub enum SignUps {
    /// Everybody.
    #[default]
    Open,
    /// People with an invited address.
    ByInvitation(Arc<dyn Invitations>),
    /// Nobody.
    Closed,
}
