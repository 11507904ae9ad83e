//! Enumerations that arrive by name or by number.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// Declares an enumeration with its wire names; a value's number is its position.
macro_rules! wire_enum {
    ($(#[$doc:meta])* $vis:vis $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $name { $($(#[$vdoc])* $variant),+ }

        impl $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The wire name.
            $vis const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct EnumVisitor;
                impl Visitor<'_> for EnumVisitor {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str(concat!("one of", $(" ", $text),+))
                    }

                    fn visit_str<E: Error>(self, text: &str) -> Result<$name, E> {
                        let found = $name::ALL.iter().copied().find(|value| value.name() == text);
                        found.ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
                    }

                    fn visit_u64<E: Error>(self, number: u64) -> Result<$name, E> {
                        let found = usize::try_from(number).ok().and_then(|index| $name::ALL.get(index));
                        found.copied().ok_or_else(|| {
                            E::invalid_value(serde::de::Unexpected::Unsigned(number), &self)
                        })
                    }
                }
                deserializer.deserialize_any(EnumVisitor)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    };
}

wire_enum! {
    /// Purpose of an out-of-band code.
    #[expect(missing_docs, reason = "the wire names say it")]
    pub OobRequestType {
        Unspecified = "OOB_REQ_TYPE_UNSPECIFIED",
        PasswordReset = "PASSWORD_RESET",
        OldEmailAgree = "OLD_EMAIL_AGREE",
        NewEmailAccept = "NEW_EMAIL_ACCEPT",
        VerifyEmail = "VERIFY_EMAIL",
        RecoverEmail = "RECOVER_EMAIL",
        EmailSignin = "EMAIL_SIGNIN",
        VerifyAndChangeEmail = "VERIFY_AND_CHANGE_EMAIL",
        RevertSecondFactorAddition = "REVERT_SECOND_FACTOR_ADDITION",
    }
}

wire_enum! {
    /// An attribute that `accounts:update` can drop.
    pub(crate) DeleteAttribute {
        Unspecified = "USER_ATTRIBUTE_NAME_UNSPECIFIED",
        Email = "EMAIL",
        DisplayName = "DISPLAY_NAME",
        Provider = "PROVIDER",
        PhotoUrl = "PHOTO_URL",
        Password = "PASSWORD",
        RawUserInfo = "RAW_USER_INFO",
    }
}

wire_enum! {
    /// The order of an account query.
    pub(crate) SortOrder {
        Unspecified = "ORDER_UNSPECIFIED",
        Ascending = "ASC",
        Descending = "DESC",
    }
}
