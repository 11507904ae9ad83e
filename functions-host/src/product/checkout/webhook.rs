//! Webhook of the payment service, and its effect on accounts.

use std::sync::Arc;

use auth_emu::AuthState;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use docstore::clock::SharedClock;
use docstore::{Code, Error, Result};
use http::{HeaderMap, StatusCode};

use super::{CheckoutProvider, Subscription};
use crate::product::plans::{Account, Plans};

/// Path to which the service sends its messages.
pub const PATH: &str = "/__/checkout/webhook";

/// Largest message, in bytes.
const MAX_MESSAGE: usize = 256 * 1024;

/// Header with a message's signature.
const SIGNATURE: &str = "stripe-signature";

/// The payment service and the plans it pays for. Clones share them.
#[derive(Debug, Clone)]
pub struct Payments {
    provider: Arc<dyn CheckoutProvider>,
    plans: Plans,
    accounts: AuthState,
    clock: SharedClock,
}

/// `POST` [`PATH`]: 200 once the message has taken effect, 400 for messages not from the service, 503 to have it sent
/// again.
pub fn router(payments: Payments) -> Router {
    Router::new().route(PATH, post(webhook)).layer(DefaultBodyLimit::max(MAX_MESSAGE)).with_state(payments)
}

async fn webhook(State(payments): State<Payments>, headers: HeaderMap, body: Bytes) -> Response {
    let signature = headers.get(SIGNATURE).and_then(|value| value.to_str().ok());
    match payments.handle(signature, &body).await {
        Ok(()) => (StatusCode::OK, "ok\n").into_response(),
        Err(error) => {
            tracing::warn!(%error, tag = error.tag(), "a message of the payment service had no effect");
            let refused = matches!(error.code(), Code::PermissionDenied | Code::InvalidArgument);
            let status = if refused { StatusCode::BAD_REQUEST } else { StatusCode::SERVICE_UNAVAILABLE };
            (status, format!("{}\n", error.message())).into_response()
        }
    }
}

impl Payments {
    /// Payments at `provider` for the accounts of `plans`.
    pub fn new(
        provider: Arc<dyn CheckoutProvider>,
        plans: Plans,
        accounts: AuthState,
        clock: SharedClock,
    ) -> Self {
        Self { provider, plans, accounts, clock }
    }

    /// The service.
    pub fn provider(&self) -> &dyn CheckoutProvider {
        self.provider.as_ref()
    }

    /// Handles a message of the service.
    ///
    /// # Errors
    /// Those of [`CheckoutProvider::verify`], of the service and of the store.
    async fn handle(&self, signature: Option<&str>, body: &[u8]) -> Result<()> {
        let Some(id) = self.provider.verify(signature, body, self.clock.now())? else { return Ok(()) };
        let uid = match self.provider.subscription(&id).await {
            Ok(subscription) => subscription.uid,
            // It belongs to another application at the same service.
            Err(error) if error.code() == Code::NotFound => None,
            Err(error) => return Err(error),
        };
        let Some(uid) = uid else { return Ok(()) };
        if self.accounts.account(&uid).await?.is_none() {
            tracing::warn!(uid, subscription = id, "a subscription pays for an account that does not exist");
            return Ok(());
        }
        // The service is queried again while the plan is locked, so that of two concurrent messages the later state is
        // stored.
        let change = async |account: &mut Account| {
            let now = self.provider.subscription(&id).await?;
            let now = self.only_one(account.subscription.as_deref(), now).await?;
            settle(account, &now, &self.plans);
            Ok::<_, Error>(())
        };
        self.plans.change(&uid, change).await?;
        Ok(())
    }

    /// Decides between the known subscription and the one a message announced: a user who paid on two pages is charged
    /// for the newer alone from now on.
    async fn only_one(&self, known: Option<&str>, announced: Subscription) -> Result<Subscription> {
        let Some(known) = known.filter(|known| announced.runs && *known != announced.id) else {
            return Ok(announced);
        };
        let known = match self.provider.subscription(known).await {
            Ok(known) if known.runs => known,
            Ok(_) => return Ok(announced),
            Err(error) if error.code() == Code::NotFound => return Ok(announced),
            Err(error) => return Err(error),
        };
        let (stays, ends) =
            if announced.created < known.created { (known, announced) } else { (announced, known) };
        tracing::warn!(
            stays = stays.id,
            ends = ends.id,
            uid = ends.uid,
            "somebody paid twice: refund what ends"
        );
        self.provider.cancel(&ends.id).await?;
        Ok(stays)
    }
}

/// Applies a subscription's state to an account.
fn settle(account: &mut Account, now: &Subscription, plans: &Plans) {
    account.customer = Some(now.customer.clone());
    if now.runs {
        let sold =
            plans.offered().iter().find(|plan| plan.stripe_price.is_some() && plan.stripe_price == now.price);
        if sold.is_none() {
            tracing::warn!(
                subscription = now.id,
                price = now.price,
                "a subscription has a price that belongs to no plan"
            );
        }
        account.paid = sold.map(|plan| plan.id.clone());
        account.subscription = Some(now.id.clone());
    } else if account.subscription.as_ref().is_none_or(|known| *known == now.id) {
        // The end of an earlier subscription does not affect the current one.
        account.paid = None;
        account.subscription = None;
    }
}
