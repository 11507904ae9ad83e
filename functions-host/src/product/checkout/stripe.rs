//! Client of Stripe's API, or of a service compatible with it.

use std::fmt;
use std::time::Duration;

use docstore::model::Ts;
use docstore::{Code, Error, Result};
use futures::future::BoxFuture;
use http::Method;
use reqwest::{Client, StatusCode};
use serde_json::Value;

use super::{CheckoutProvider, Order, Subscription, signature};
use crate::host::config::Stripe;

/// Time limit of a request to the service.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// Largest response read, in bytes.
const MAX_ANSWER: usize = 1024 * 1024;

/// Longest id sent to the service, in bytes.
const MAX_ID_BYTES: usize = 255;

/// Version of the API that these requests are written for.
const VERSION: &str = "2024-06-20";

const MICROS_PER_SECOND: u64 = 1_000_000;

/// Stripe, with one account's keys.
pub struct StripeCheckout {
    client: Client,
    api: String,
    secret_key: String,
    webhook_secret: String,
}

impl fmt::Debug for StripeCheckout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StripeCheckout").field("api", &self.api).finish_non_exhaustive()
    }
}

impl StripeCheckout {
    /// The service of `settings`, with keys from the environment.
    ///
    /// # Errors
    /// `FailedPrecondition` (`NoCheckoutSecret`) if a variable is not set; `Internal` if TLS is not available.
    pub fn new(settings: &Stripe, variable: impl Fn(&str) -> Option<String>) -> Result<Self> {
        let secret = |name: &str, what: &str| {
            variable(name).filter(|secret| !secret.is_empty()).ok_or_else(|| {
                let message = format!("tuckbox.plans.stripe: set {name} to {what}");
                Error::new(Code::FailedPrecondition, "NoCheckoutSecret", message)
            })
        };
        let secret_key = secret(&settings.secret_key_env, "the secret key of the payment service")?;
        let webhook_secret = secret(&settings.webhook_secret_env, "the signing secret of its webhook")?;
        // An error means that the same provider was installed before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(TIME_LIMIT)
            .user_agent("Tuckbox")
            .build()
            .map_err(|error| Error::internal("ClientFailed", "Nobody can pay here now.", error))?;
        let api = settings.api.trim_end_matches('/').to_owned();
        Ok(Self { client, api, secret_key, webhook_secret })
    }

    async fn ask(&self, method: Method, path: &str, form: &[(&str, &str)]) -> Result<Value> {
        let request = self
            .client
            .request(method, format!("{}/v1/{path}", self.api))
            .bearer_auth(&self.secret_key)
            .header("Stripe-Version", VERSION);
        let request = if form.is_empty() { request } else { request.form(form) };
        let mut response = request.send().await.map_err(silent)?;
        let status = response.status();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(silent)? {
            if body.len() + chunk.len() > MAX_ANSWER {
                return Err(silent("the answer is too long"));
            }
            body.extend_from_slice(&chunk);
        }
        let answer: Value = serde_json::from_slice(&body).map_err(silent)?;
        if status.is_success() {
            return Ok(answer);
        }
        let why = answer.pointer("/error/message").and_then(Value::as_str).unwrap_or("no reason").to_owned();
        if status == StatusCode::NOT_FOUND {
            return Err(Error::new(
                Code::NotFound,
                "CheckoutUnknown",
                "The payment service does not know this subscription.",
            )
            .with_source(why));
        }
        if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
            return Err(silent(format!("{status}: {why}")));
        }
        // The reason mentions keys and prices, which concern the operator only.
        tracing::error!(%status, why, path, "the payment service refused a request");
        Err(Error::new(
            Code::FailedPrecondition,
            "CheckoutRefused",
            "The payment service refused this. Tell whoever runs this server.",
        )
        .with_source(why))
    }

    async fn page(&self, path: &str, form: &[(&str, &str)]) -> Result<String> {
        let answer = self.ask(Method::POST, path, form).await?;
        let url = answer.get("url").and_then(Value::as_str).unwrap_or_default();
        if url.starts_with("https://") || url.starts_with("http://") {
            return Ok(url.to_owned());
        }
        Err(silent("the answer has no address"))
    }
}

impl CheckoutProvider for StripeCheckout {
    fn start<'a>(&'a self, order: &'a Order) -> BoxFuture<'a, Result<String>> {
        Box::pin(async move {
            let mut form = vec![
                ("mode", "subscription"),
                ("line_items[0][price]", &order.price),
                ("line_items[0][quantity]", "1"),
                ("success_url", &order.done_url),
                ("cancel_url", &order.back_url),
                ("client_reference_id", &order.uid),
                ("subscription_data[metadata][uid]", &order.uid),
            ];
            match (&order.customer, &order.email) {
                (Some(customer), _) => form.push(("customer", customer)),
                (None, Some(email)) => form.push(("customer_email", email)),
                (None, None) => {}
            }
            self.page("checkout/sessions", &form).await
        })
    }

    fn portal<'a>(&'a self, customer: &'a str, back_url: &'a str) -> BoxFuture<'a, Result<String>> {
        let form = [("customer", customer), ("return_url", back_url)];
        Box::pin(async move { self.page("billing_portal/sessions", &form).await })
    }

    fn subscription<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Subscription>> {
        Box::pin(async move {
            let path = format!("subscriptions/{}", checked(id)?);
            read(&self.ask(Method::GET, &path, &[]).await?).ok_or_else(|| silent("this is no subscription"))
        })
    }

    fn cancel<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let path = format!("subscriptions/{}", checked(id)?);
            match self.ask(Method::DELETE, &path, &[]).await {
                Err(error) if error.code() != Code::NotFound => Err(error),
                _ => Ok(()),
            }
        })
    }

    fn verify(&self, header: Option<&str>, body: &[u8], now: Ts) -> Result<Option<String>> {
        signature::check(header, body, self.webhook_secret.as_bytes(), now.micros() / MICROS_PER_SECOND)?;
        let event: Value = serde_json::from_slice(body)
            .map_err(|_| Error::invalid("WebhookUnreadable", "The message is no JSON object."))?;
        let about = match event.get("type").and_then(Value::as_str) {
            Some("checkout.session.completed") => event.pointer("/data/object/subscription"),
            Some(kind) if kind.starts_with("customer.subscription.") => event.pointer("/data/object/id"),
            _ => None,
        };
        about.and_then(Value::as_str).map(|id| checked(id).map(str::to_owned)).transpose()
    }
}

/// An id that is safe as part of a path.
fn checked(id: &str) -> Result<&str> {
    let plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if plain && !id.is_empty() && id.len() <= MAX_ID_BYTES {
        return Ok(id);
    }
    Err(Error::invalid("CheckoutId", "The message names no subscription."))
}

fn read(answer: &Value) -> Option<Subscription> {
    let text = |at: &str| answer.pointer(at).and_then(Value::as_str).map(str::to_owned);
    // A late payment keeps the plan while the service goes on collecting it.
    let runs = matches!(answer.get("status")?.as_str()?, "active" | "trialing" | "past_due");
    Some(Subscription {
        id: text("/id")?,
        uid: text("/metadata/uid").filter(|uid| !uid.is_empty() && !uid.contains('/')),
        customer: text("/customer")?,
        price: text("/items/data/0/price/id"),
        runs,
        created: answer.get("created").and_then(Value::as_u64).unwrap_or_default(),
    })
}

fn silent(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(
        Code::Unavailable,
        "CheckoutSilent",
        "The payment service does not answer. Nothing was changed; try again later.",
    )
    .with_source(cause)
}
