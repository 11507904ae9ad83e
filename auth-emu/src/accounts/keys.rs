//! The unique names of an account, each a document of its own.
//!
//! The commit that writes an account also claims its names, with the precondition that nobody else has them: of two
//! racing sign-ups with one address, only one can commit.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use super::{Account, PASSWORD, PHONE};

/// A name under which exactly one account can be found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// A canonical e-mail address.
    Email(String),
    /// A phone number in E.164 form.
    Phone(String),
    /// An id at an identity provider.
    Federated {
        /// The provider, such as `google.com`.
        provider: String,
        /// The id there.
        raw_id: String,
    },
    /// A passkey's credential.
    Passkey(String),
}

impl Key {
    /// The collection that holds names of this kind.
    pub(crate) const fn collection(&self) -> &'static str {
        match self {
            Self::Email(_) => "emails",
            Self::Phone(_) => "phones",
            Self::Federated { .. } => "federated",
            Self::Passkey(_) => "passkeys",
        }
    }

    /// The name as a document id. Ids at providers may be long and have any character, so they are hashed.
    pub(crate) fn id(&self) -> String {
        match self {
            Self::Email(text) | Self::Phone(text) => document_id(text),
            Self::Federated { provider, raw_id } => {
                let mut hash = Sha256::new();
                hash.update(u64::try_from(provider.len()).unwrap_or(u64::MAX).to_be_bytes());
                hash.update(provider);
                hash.update(raw_id);
                URL_SAFE_NO_PAD.encode(hash.finalize())
            }
            Self::Passkey(id) => URL_SAFE_NO_PAD.encode(Sha256::digest(id)),
        }
    }

    /// Error for a second account that claims this name.
    pub(crate) const fn taken(&self) -> &'static str {
        match self {
            Self::Email(_) => "EMAIL_EXISTS",
            Self::Phone(_) => "PHONE_NUMBER_EXISTS",
            Self::Federated { .. } => "FEDERATED_USER_ID_ALREADY_LINKED",
            Self::Passkey(_) => "CREDENTIAL_ALREADY_IN_USE",
        }
    }

    /// Every unique name of an account.
    pub(crate) fn all_of(account: &Account) -> BTreeSet<Self> {
        let email = account.email.clone().map(Self::Email);
        let phone = account.phone_number.clone().map(Self::Phone);
        let infos = account.provider_user_info.iter().flatten();
        let federated = infos
            .filter(|info| info.provider_id != PASSWORD && info.provider_id != PHONE)
            .map(|info| Self::Federated { provider: info.provider_id.clone(), raw_id: info.raw_id.clone() });
        let passkeys = account.passkey_info.iter().flatten();
        let passkeys = passkeys.map(|passkey| Self::Passkey(passkey.credential_id.clone()));
        email.into_iter().chain(phone).chain(federated).chain(passkeys).collect()
    }
}

/// Any text as a document id: characters a path cannot hold are percent-encoded, so that different texts stay different
/// and plain addresses keep their order.
pub(crate) fn document_id(text: &str) -> String {
    let reserved =
        text.is_empty() || text.chars().all(|character| character == '.') || text.starts_with("__");
    let mut id = String::with_capacity(text.len());
    for (index, byte) in text.bytes().enumerate() {
        let plain = byte.is_ascii_alphanumeric() || b"@._-+".contains(&byte);
        if plain && !(reserved && index == 0) {
            id.push(char::from(byte));
        } else {
            id.push_str(&format!("%{byte:02X}"));
        }
    }
    if id.is_empty() { "%".to_owned() } else { id }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_text_is_one_legal_document_id(text in ".{0,64}", other in ".{0,64}") {
            let id = document_id(&text);
            let path = docstore::model::DocPath::parse(&format!("emails/{id}"));
            prop_assert!(path.is_ok(), "{id}");
            prop_assert_eq!(text == other, id == document_id(&other));
        }
    }

    #[test]
    fn names_that_paths_reserve_are_still_usable() {
        for text in ["", ".", "..", "__x__", "a/b@x", "\0", "%2F"] {
            let id = document_id(text);
            assert!(docstore::model::DocPath::parse(&format!("emails/{id}")).is_ok(), "{text:?} -> {id:?}");
        }
        assert_eq!(document_id("ada@example.com"), "ada@example.com");
    }

    #[test]
    fn provider_and_id_do_not_run_together() {
        let key = |provider: &str, raw_id: &str| Key::Federated {
            provider: provider.into(),
            raw_id: raw_id.into(),
        };
        assert_ne!(key("ab", "c").id(), key("a", "bc").id());
    }
}
