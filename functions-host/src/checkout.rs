//! Paying for a plan: what a payment service does for this server.
//!
//! The service's word on what is paid is never taken from the message that announces it: messages come late, twice and
//! out of order. Each is only a reason to ask the service what holds now.

mod signature;
mod stripe;
mod webhook;

use std::fmt::Debug;

use docstore::Result;
use docstore::model::Ts;
use futures::future::BoxFuture;

pub use stripe::StripeCheckout;
pub use webhook::{PATH, Payments, router};

/// Somebody who is about to pay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Who.
    pub uid: String,
    /// Their address, for the receipt.
    pub email: Option<String>,
    /// Whom the service knows them as, when they have paid before.
    pub customer: Option<String>,
    /// The price of the plan at the service.
    pub price: String,
    /// Where to go when it is done.
    pub done_url: String,
    /// Where to go when they change their mind.
    pub back_url: String,
}

/// What is paid regularly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    /// The service's name for it.
    pub id: String,
    /// For whom.
    pub uid: Option<String>,
    /// Who pays, as the service knows them.
    pub customer: String,
    /// The price that is paid.
    pub price: Option<String>,
    /// Whether it is in force.
    pub runs: bool,
    /// When it was made, in seconds since the epoch.
    pub created: u64,
}

/// A payment service.
pub trait CheckoutProvider: Send + Sync + Debug {
    /// Opens a page where somebody pays; its address.
    ///
    /// # Errors
    /// `Unavailable` when the service does not answer, `FailedPrecondition` when it refuses.
    fn start<'a>(&'a self, order: &'a Order) -> BoxFuture<'a, Result<String>>;

    /// Opens a page where somebody changes or ends what they pay; its address.
    ///
    /// # Errors
    /// As [`Self::start`].
    fn portal<'a>(&'a self, customer: &'a str, back_url: &'a str) -> BoxFuture<'a, Result<String>>;

    /// How a subscription stands now.
    ///
    /// # Errors
    /// As [`Self::start`].
    fn subscription<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Subscription>>;

    /// Ends a subscription at once. One that has ended already is as good.
    ///
    /// # Errors
    /// As [`Self::start`].
    fn cancel<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<()>>;

    /// The subscription that a message of the service is about, if it is about one.
    ///
    /// # Errors
    /// `PermissionDenied` when the message is not from the service or too old; `InvalidArgument` when it cannot be read.
    fn heard(&self, signature: Option<&str>, body: &[u8], now: Ts) -> Result<Option<String>>;
}
