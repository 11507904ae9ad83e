//! The section `tuckbox.site`: the operator's information about the server. All of it is public.

use serde::{Deserialize, Serialize};

/// Most entries in `admins`.
pub const MAX_ADMINS: usize = 5;

/// Information about the server and its operator, sent to pages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SiteWords {
    /// The operator's name in the policies. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operator: Option<String>,
    /// The operator's contact address. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
    /// URL of a community chat. Default: none.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "web_address", default)]
    pub chat_url: Option<String>,
    /// User ids or e-mail addresses, five at most, that see links to the administrators' pages. Rights come from
    /// `tuckbox admin grant` alone. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "few", default)]
    pub admins: Vec<String>,
}

fn few<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let admins = Vec::<String>::deserialize(deserializer)?;
    if admins.len() > MAX_ADMINS {
        let found = admins.len();
        return Err(serde::de::Error::custom(format!("at most {MAX_ADMINS} entries, found {found}")));
    }
    Ok(admins)
}

/// A link shown on every page must not be a script.
fn web_address<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let address = Option::<String>::deserialize(deserializer)?;
    let is_web = |address: &String| address.starts_with("https://") || address.starts_with("http://");
    if address.as_ref().is_some_and(|address| !is_web(address)) {
        return Err(serde::de::Error::custom("an address that begins with https:// or http://"));
    }
    Ok(address)
}
