//! The section `tuckbox.site`: what the operator says about the server. All of it is public.

use serde::{Deserialize, Serialize};

/// How many ids or addresses `admins` may list.
pub const MAX_ADMINS: usize = 5;

/// What pages are told of the server and of who runs it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SiteWords {
    /// Who runs the server, as the policies name them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operator: Option<String>,
    /// Where they can be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
    /// The address of a community chat.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "web_address", default)]
    pub chat_url: Option<String>,
    /// Ids or addresses that are shown an admin's links. Rights come from the claim alone.
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

/// A link on every page must not be a script.
fn web_address<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let address = Option::<String>::deserialize(deserializer)?;
    let is_web = |address: &String| address.starts_with("https://") || address.starts_with("http://");
    if address.as_ref().is_some_and(|address| !is_web(address)) {
        return Err(serde::de::Error::custom("an address that begins with https:// or http://"));
    }
    Ok(address)
}
