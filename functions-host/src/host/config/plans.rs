//! The section `tuckbox.plans`: limits of accounts, and payment for larger ones.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// Most plans that can be offered.
pub const MAX_PLANS: usize = 10;

/// Stripe's own service.
const STRIPE_API: &str = "https://api.stripe.com";

/// Default environment variable with Stripe's secret key.
const SECRET_KEY_ENV: &str = "STRIPE_SECRET_KEY";

/// Default environment variable with the signing secret of Stripe's webhook.
const WEBHOOK_SECRET_ENV: &str = "STRIPE_WEBHOOK_SECRET";

/// Plans, smallest first. If there are none, nothing is limited and nothing is sold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "Written")]
pub struct PlansSection {
    /// The plans. The first one is free and the default.
    pub offered: Vec<Plan>,
    /// The payment service; without it, plans are only granted by administrators.
    pub stripe: Option<Stripe>,
}

/// A plan.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Plan {
    /// Id stored in accounts: lower-case letters, digits and hyphens.
    pub id: String,
    /// Its name, as shown to users.
    pub name: String,
    /// Its price with currency and period, as shown to users.
    pub price: String,
    /// Lines about what it includes besides its limits, as shown to users. Default: none.
    #[serde(default)]
    pub includes: Vec<String>,
    /// Its limits. A limit that is left out does not hold.
    #[serde(default)]
    pub limits: PlanLimits,
    /// Id of its price at Stripe. Default: none; the plan cannot be bought.
    pub stripe_price: Option<String>,
}

/// Limits of a plan; a missing value is unlimited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanLimits {
    /// Number of projects, including those in the trash. Default: unlimited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub projects: Option<u32>,
    /// Number of layouts. Default: unlimited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layouts: Option<u32>,
    /// Number of images in the library. Default: unlimited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub images: Option<u32>,
    /// Number of members of one project, besides its owner. Default: unlimited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<u32>,
    /// Documents written per minute, after a burst. Default: `documents.rates.documents`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documents_a_minute: Option<u32>,
    /// Bytes of documents written per minute, after a burst. Default: `documents.rates.bytes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_bytes_a_minute: Option<u64>,
    /// Total size of documents, in bytes. Default: `documents.userBytes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_bytes: Option<u64>,
    /// Total size of files, in bytes. Default: `files.limits.userBytes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_bytes: Option<u64>,
}

/// Stripe, or a service with the same API. Its keys come from the environment, because shared configuration files must
/// not hold secrets.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Stripe {
    /// Base URL of its API, without a path. Default: `https://api.stripe.com`.
    pub api: String,
    /// Name of the environment variable with the secret key. Default: `STRIPE_SECRET_KEY`.
    pub secret_key_env: String,
    /// Name of the environment variable with the webhook's signing secret. Default: `STRIPE_WEBHOOK_SECRET`.
    pub webhook_secret_env: String,
}

impl Default for Stripe {
    fn default() -> Self {
        Self {
            api: STRIPE_API.to_owned(),
            secret_key_env: SECRET_KEY_ENV.to_owned(),
            webhook_secret_env: WEBHOOK_SECRET_ENV.to_owned(),
        }
    }
}

/// The section as deserialized, before validation.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"offered\": [{\"id\": \"free\", …}], \"stripe\": {}}"
)]
struct Written {
    /// The plans, smallest first, ten at most. The first one is free, and every account's until it has another. Default:
    /// none.
    #[serde(default)]
    offered: Vec<Plan>,
    /// Stripe as the payment service; without this section plans are only granted by administrators. Its keys come from
    /// the environment.
    stripe: Option<Stripe>,
}

impl TryFrom<Written> for PlansSection {
    type Error = String;

    fn try_from(Written { offered, stripe }: Written) -> Result<Self, String> {
        if offered.len() > MAX_PLANS {
            return Err(format!("at most {MAX_PLANS} plans, found {}", offered.len()));
        }
        let mut ids = BTreeSet::new();
        for plan in &offered {
            check(plan)?;
            if !ids.insert(plan.id.as_str()) {
                return Err(format!("two plans have the id \"{}\"", plan.id));
            }
        }
        let sold = offered.iter().find(|plan| plan.stripe_price.is_some());
        if offered.first().is_some_and(|first| first.stripe_price.is_some()) {
            return Err(
                "the first plan is what everybody has without paying: it can have no stripePrice".to_owned()
            );
        }
        match (&stripe, sold) {
            (None, Some(plan)) => {
                return Err(format!(
                    "the stripePrice of \"{}\" needs a section \"stripe\" beside the plans",
                    plan.id
                ));
            }
            (Some(_), None) => {
                return Err("there is a section \"stripe\" but no plans with a stripePrice".to_owned());
            }
            _ => {}
        }
        if let Some(stripe) = &stripe
            && !(stripe.api.starts_with("https://") || stripe.api.starts_with("http://"))
        {
            return Err("stripe.api must be an address that begins with https:// or http://".to_owned());
        }
        Ok(Self { offered, stripe })
    }
}

fn check(plan: &Plan) -> Result<(), String> {
    let of = |text: &str, allowed: fn(char) -> bool| !text.is_empty() && text.chars().all(allowed);
    if !of(&plan.id, |c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
        return Err(format!("the id \"{}\" must be of lower-case letters, digits and hyphens", plan.id));
    }
    let price = plan.stripe_price.as_deref();
    if price.is_some_and(|price| !of(price, |c| c.is_ascii_alphanumeric() || c == '_')) {
        return Err(format!("the stripePrice of \"{}\" must be of letters, digits and underscores", plan.id));
    }
    Ok(())
}
