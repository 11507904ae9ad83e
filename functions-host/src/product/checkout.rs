//! Paying for a plan: the interface to a payment service.
//!
//! The message that announces a payment is never taken as its state, because messages arrive late, twice and out of
//! order. Each only causes a query of the service.

mod signature;
mod stripe;
mod webhook;

use std::fmt::Debug;

use docstore::Result;
use docstore::model::Ts;
use futures::future::BoxFuture;

pub use stripe::StripeCheckout;
pub use webhook::{PATH, Payments, router};

/// An order of a plan, before payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The user.
    pub uid: String,
    /// The user's address, for the receipt.
    pub email: Option<String>,
    /// The service's id of the customer, if they have paid before.
    pub customer: Option<String>,
    /// The service's id of the plan's price.
    pub price: String,
    /// URL to return to after payment.
    pub done_url: String,
    /// URL to return to if the user cancels.
    pub back_url: String,
}

/// A subscription at the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    /// The service's id of it.
    pub id: String,
    /// The user it pays for.
    pub uid: Option<String>,
    /// The service's id of the customer.
    pub customer: String,
    /// The service's id of the price.
    pub price: Option<String>,
    /// True while it is in force.
    pub runs: bool,
    /// Time of creation, in seconds since the epoch.
    pub created: u64,
}

/// A payment service.
pub trait CheckoutProvider: Send + Sync + Debug {
    /// Opens a payment page. Returns its address.
    ///
    /// # Errors
    /// `Unavailable` if the service does not respond, `FailedPrecondition` if it refuses.
    fn start<'a>(&'a self, order: &'a Order) -> BoxFuture<'a, Result<String>>;

    /// Opens a page on which a customer changes or ends their subscription. Returns its address.
    ///
    /// # Errors
    /// As [`Self::start`].
    fn portal<'a>(&'a self, customer: &'a str, back_url: &'a str) -> BoxFuture<'a, Result<String>>;

    /// Current state of a subscription.
    ///
    /// # Errors
    /// As [`Self::start`].
    fn subscription<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Subscription>>;

    /// Ends a subscription at once. One that has ended already is no error.
    ///
    /// # Errors
    /// As [`Self::start`].
    fn cancel<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<()>>;

    /// The subscription that a message of the service concerns, if any.
    ///
    /// # Errors
    /// `PermissionDenied` if the message is not from the service or too old; `InvalidArgument` if it cannot be parsed.
    fn verify(&self, signature: Option<&str>, body: &[u8], now: Ts) -> Result<Option<String>>;
}
