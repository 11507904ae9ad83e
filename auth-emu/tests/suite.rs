//! The services as their callers see them: requests in, replies out, on a store in memory.

#![expect(clippy::unwrap_used, reason = "a test that fails says so")]

#[path = "suite/harness.rs"]
mod harness;
#[path = "suite/software_authenticator.rs"]
mod software_authenticator;

#[path = "suite/administration.rs"]
mod administration;
#[path = "suite/attacks.rs"]
mod attacks;
#[path = "suite/authenticator.rs"]
mod authenticator;
#[path = "suite/errors.rs"]
mod errors;
#[path = "suite/flows.rs"]
mod flows;
#[path = "suite/idp_configs.rs"]
mod idp_configs;
#[path = "suite/own_account.rs"]
mod own_account;
#[path = "suite/passkeys.rs"]
mod passkeys;
#[path = "suite/providers.rs"]
mod providers;
#[path = "suite/replies.rs"]
mod replies;
#[path = "suite/sign_ups.rs"]
mod sign_ups;
#[path = "suite/takeover.rs"]
mod takeover;
#[path = "suite/verified_passkeys.rs"]
mod verified_passkeys;
#[path = "suite/ways_in_by_passkey.rs"]
mod ways_in_by_passkey;
