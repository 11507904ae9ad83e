//! The section `tuckbox.plans`: what people may have on this server, and how they pay for more.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// How many plans may be offered.
pub const MAX_PLANS: usize = 10;

/// Stripe's own service.
const STRIPE_API: &str = "https://api.stripe.com";

/// The environment variable with the key that opens Stripe's service.
const SECRET_KEY_ENV: &str = "STRIPE_SECRET_KEY";

/// The environment variable with the key that signs what Stripe tells this server.
const WEBHOOK_SECRET_ENV: &str = "STRIPE_WEBHOOK_SECRET";

/// Plans, the smallest first. Without any, everybody may have everything and nothing is sold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub struct PlansSection {
    /// The plans. The first is what everybody has without paying.
    pub offered: Vec<Plan>,
    /// Where people pay; without it, plans are given by admins alone.
    pub stripe: Option<Stripe>,
}

/// A plan.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Plan {
    /// What accounts remember: lower-case letters, digits and hyphens.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its price with its currency and period, as it is shown.
    pub price: String,
    /// What it includes beside its limits, a line each.
    #[serde(default)]
    pub includes: Vec<String>,
    /// How much people may have.
    #[serde(default)]
    pub limits: PlanLimits,
    /// The id of its price at Stripe; a plan without one cannot be bought here.
    pub stripe_price: Option<String>,
}

/// How much people may have; what is not said is not limited by the plan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanLimits {
    /// Projects, those in the trash counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub projects: Option<u32>,
    /// Layouts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layouts: Option<u32>,
    /// Pictures in the library.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub images: Option<u32>,
    /// Members of one project, its owner not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<u32>,
    /// Documents written a minute, after a burst. Without it, `tuckbox.documents.rates` holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documents_a_minute: Option<u32>,
    /// Bytes of documents written a minute, after a burst. Without it, `tuckbox.documents.rates` holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_bytes_a_minute: Option<u64>,
    /// All files together, in bytes. Without it, `tuckbox.files.limits.userBytes` holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_bytes: Option<u64>,
}

/// Stripe, or a service with the same requests. Its keys come from the environment: a file that is shared must not
/// hold secrets.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Stripe {
    /// Where its requests go, without a path.
    pub api: String,
    /// The environment variable that holds the secret key.
    pub secret_key_env: String,
    /// The environment variable that holds the webhook's signing secret.
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

/// The section as it is written, not yet checked as a whole.
#[derive(Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"offered\": [{\"id\": \"free\", …}], \"stripe\": {}}"
)]
struct Written {
    #[serde(default)]
    offered: Vec<Plan>,
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
