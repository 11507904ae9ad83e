//! Functions of users for their own plan, and of admins for granting one.

use auth_emu::AuthState;
use docstore::Code;
use serde::{Deserialize, Serialize};
use storage_emu::StorageState;

use crate::functions::callable::{AuthContext, CallError, Context, Function};
use crate::product::admin::{account_of, admin_of, name_of};
use crate::product::audit::AuditLog;
use crate::product::checkout::{Order, Payments};
use crate::product::plans::{Account, Plans};

/// Dependencies of the functions.
#[derive(Debug, Clone)]
pub(crate) struct Counter {
    pub(crate) plans: Plans,
    /// `None` if nothing is sold.
    pub(crate) payments: Option<Payments>,
    pub(crate) files: StorageState,
    /// Public URL of the application.
    pub(crate) url: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    /// Id of the plan; null if there are no plans.
    plan: Option<String>,
    /// True if it is paid by a subscription.
    paid: bool,
    /// True if the payment service has a page for it.
    manageable: bool,
    projects: u64,
    layouts: u64,
    images: u64,
    storage_bytes: u64,
    /// Null while they are not counted.
    document_bytes: Option<u64>,
}

#[derive(Debug, Deserialize)]
struct Wanted {
    plan: String,
}

#[derive(Debug, Serialize)]
struct Page {
    url: String,
}

#[derive(Debug, Deserialize)]
struct PlanGrant {
    uid: String,
    /// Null revokes a granted plan.
    plan: Option<String>,
}

#[derive(Debug, Serialize)]
struct Given {
    /// The plan now in force.
    plan: Option<String>,
}

/// `readMyPlan`, `startCheckout`, `managePlan` and `adminGivePlan`.
pub(crate) fn functions(counter: &Counter, accounts: &AuthState, log: &AuditLog) -> [Function; 4] {
    let shared = counter.clone();
    let read = Function::new("readMyPlan", move |context: Context, (): ()| {
        let counter = shared.clone();
        async move { counter.read(&context.user()?.uid).await }
    });
    let shared = counter.clone();
    let start = Function::new("startCheckout", move |context: Context, wanted: Wanted| {
        let counter = shared.clone();
        async move { counter.start(context.user()?, &wanted.plan).await }
    });
    let shared = counter.clone();
    let manage = Function::new("managePlan", move |context: Context, (): ()| {
        let counter = shared.clone();
        async move { counter.manage(&context.user()?.uid).await }
    });
    let (shared, accounts, log) = (counter.clone(), accounts.clone(), log.clone());
    let grant = Function::new("adminGivePlan", move |context: Context, grant: PlanGrant| {
        let (counter, accounts, log) = (shared.clone(), accounts.clone(), log.clone());
        async move {
            let admin = admin_of(&context)?;
            let account = account_of(&accounts, &grant.uid).await?;
            counter.grant(admin, &log, grant, name_of(&account)).await
        }
    });
    [read, start, manage, grant]
}

impl Counter {
    async fn read(&self, uid: &str) -> Result<Shown, CallError> {
        let account = self.plans.account(uid).await?;
        let (held, stored) = (self.plans.held(uid).await?, self.files.usage(uid).await?);
        Ok(Shown {
            plan: self.plans.held_by(&account).map(|plan| plan.id.clone()),
            paid: account.subscription.is_some(),
            manageable: self.payments.is_some() && account.customer.is_some(),
            projects: held.projects,
            layouts: held.layouts,
            images: held.images,
            storage_bytes: stored.bytes,
            document_bytes: self.plans.sizes().of(uid).await?,
        })
    }

    fn payments(&self) -> Result<&Payments, CallError> {
        self.payments.as_ref().ok_or_else(|| {
            CallError::new(Code::FailedPrecondition, "Nothing is sold on this server: ask whoever runs it.")
        })
    }

    async fn start(&self, user: &AuthContext, id: &str) -> Result<Page, CallError> {
        let payments = self.payments()?;
        let price = self.plans.by_id(id).and_then(|plan| plan.stripe_price.clone());
        let Some(price) = price else {
            return Err(CallError::invalid(format!("plan must be one that is sold here, and not “{id}”.")));
        };
        let Account { customer, subscription, .. } = self.plans.account(&user.uid).await?;
        if subscription.is_some() {
            return Err(CallError::new(
                Code::FailedPrecondition,
                "You pay for a plan already: change it with “Manage plan” on the Account page.",
            ));
        }
        let email = user.token.get("email").and_then(serde_json::Value::as_str).map(str::to_owned);
        let (done_url, back_url) = (format!("{}/account?paid=1", self.url), format!("{}/pricing", self.url));
        let order = Order { uid: user.uid.clone(), email, customer, price, done_url, back_url };
        Ok(Page { url: payments.provider().start(&order).await? })
    }

    async fn manage(&self, uid: &str) -> Result<Page, CallError> {
        let payments = self.payments()?;
        let Some(customer) = self.plans.account(uid).await?.customer else {
            return Err(CallError::new(Code::FailedPrecondition, "You have not paid for anything here."));
        };
        let back_url = format!("{}/account", self.url);
        Ok(Page { url: payments.provider().portal(&customer, &back_url).await? })
    }

    async fn grant(
        &self,
        admin: &AuthContext,
        log: &AuditLog,
        grant: PlanGrant,
        name: &str,
    ) -> Result<Given, CallError> {
        if let Some(id) = &grant.plan
            && self.plans.by_id(id).is_none()
        {
            return Err(CallError::invalid(format!("plan must be one of this server’s, and not “{id}”.")));
        }
        let action = grant
            .plan
            .as_ref()
            .map_or_else(|| "took the given plan from".to_owned(), |plan| format!("gave the plan {plan} to"));
        log.write(admin, &action, name).await?;
        let change = async |account: &mut Account| {
            account.granted = grant.plan;
            Ok::<_, CallError>(())
        };
        let account = self.plans.change(&grant.uid, change).await?;
        Ok(Given { plan: self.plans.held_by(&account).map(|plan| plan.id.clone()) })
    }

    /// Ends the subscription of a deleted account and removes its plan.
    pub(crate) async fn close(&self, uid: &str) -> Result<(), CallError> {
        let change = async |account: &mut Account| {
            if let (Some(id), Some(payments)) = (&account.subscription, &self.payments) {
                payments.provider().cancel(id).await?;
            }
            *account = Account::default();
            Ok::<_, CallError>(())
        };
        self.plans.change(uid, change).await.map(drop)
    }
}
