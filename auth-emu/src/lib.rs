//! Accounts, sign-in and tokens: the identitytoolkit and securetoken services.
//!
//! Accounts are documents of a reserved database, `__auth__`, in the store that holds everything else: they are as
//! durable, live and distributed as any document. Each unique name of an account (address, phone, id at a provider) is
//! a document of its own, claimed in the commit that writes the account.
//!
//! There are two modes. *Serving* mode signs tokens (RS256), hashes passwords with argon2id, limits attempts and gives
//! nobody an administrator's rights over the wire. *Emulator* mode serves the SDKs' emulator settings: unsigned tokens,
//! `Bearer owner`, visible codes, no limits, and no protection at all.

mod accounts;
mod admin;
mod authenticator;
mod blocking;
mod call;
mod codes;
mod config;
mod encoding;
pub mod entropy;
pub mod error;
pub mod events;
pub mod limits;
pub mod mail;
mod operations;
mod options;
mod passwords;
pub mod providers;
mod router;
mod sessions;
mod sign_in;
mod state;
mod tokens;
mod validate;
mod wire;

pub use accounts::sign_ups::{Invitations, SignUps};
pub use admin::AccountChange;
pub use operations::passkey::{fuzz, passkey_origin};
pub use options::AuthOptions;
pub use router::{index, router};
pub use state::{AuthState, DATABASE};
pub use tokens::operator::OperatorToken;
pub use tokens::{ID_TOKEN_SECONDS, KeySource};
pub use validate::is_email;
pub use wire::OobRequestType;
