//! Limits on what accounts write and have, as hooks of commits.

use std::sync::Arc;

use docstore::access::CommitHook;
use docstore::clock::SharedClock;

use crate::host::settings::Settings;
use crate::product::plans::{Hooks, PlanHook, Plans, RateHook, SizeHook};

/// True if something limits the bytes of accounts' documents.
pub(super) fn counts_documents(settings: &Settings) -> bool {
    let tuckbox = &settings.config.firebase.tuckbox;
    tuckbox.documents.user_bytes(settings.mode).is_some()
        || tuckbox.plans.offered.iter().any(|plan| plan.limits.document_bytes.is_some())
}

/// The limits on the rates of callers' commits.
pub(super) fn rate_hook(
    settings: &Settings,
    plans: &Plans,
    clock: &SharedClock,
) -> Option<Arc<dyn CommitHook>> {
    let rates = settings.config.firebase.tuckbox.documents.rates(settings.mode);
    rates.map(|rates| Arc::new(RateHook::new(rates, plans.clone(), Arc::clone(clock))) as _)
}

/// The limits on what callers may have: bytes, then what plans count.
pub(super) fn room_hook(
    settings: &Settings,
    plans: &Plans,
    clock: &SharedClock,
) -> Option<Arc<dyn CommitHook>> {
    let tuckbox = &settings.config.firebase.tuckbox;
    let sizes = counts_documents(settings).then(|| {
        let usual = tuckbox.documents.user_bytes(settings.mode);
        Arc::new(SizeHook::new(plans.clone(), usual, Arc::clone(clock))) as _
    });
    let counts = !tuckbox.plans.offered.is_empty();
    let counts = counts.then(|| Arc::new(PlanHook::new(plans.clone())) as _);
    Hooks::of([sizes, counts].into_iter().flatten())
}
