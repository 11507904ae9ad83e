//! Addresses of buckets: `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`.

use docstore::{Error, Result};
use storage_emu::{S3Options, S3Waits};
use url::Url;

/// Beginning of every address.
pub(super) const SCHEME: &str = "s3://";
/// The region of services that have none.
const DEFAULT_REGION: &str = "us-east-1";

/// A place in a bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) bucket: String,
    /// Keys begin with it; may be empty.
    pub(super) prefix: String,
    /// URL of the service; `None` for AWS.
    pub(super) endpoint: Option<String>,
    pub(super) region: String,
}

impl Address {
    /// # Errors
    /// `InvalidArgument` (`BackupAddress`).
    pub(super) fn parse(named: &str) -> Result<Self> {
        let refused = |why: &str| {
            let message = format!(
                "the address of the bucket for backups {why}: write s3://BUCKET/FOLDER, and for another service than AWS s3://BUCKET/FOLDER?endpoint=https://HOST&region=NAME"
            );
            Error::invalid("BackupAddress", message)
        };
        let url = Url::parse(named).map_err(|cause| refused(&format!("cannot be read ({cause})")))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused(
                "contains a key, which everybody who lists processes would see; keys come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)",
            ));
        }
        if url.port().is_some() || url.fragment().is_some() {
            return Err(refused("has a port or a fragment, which belong to an endpoint"));
        }
        let bucket =
            url.host_str().filter(|host| !host.is_empty()).ok_or_else(|| refused("names no bucket"))?;
        let (mut endpoint, mut region) = (None, None);
        for (name, value) in url.query_pairs() {
            match &*name {
                "endpoint" => endpoint = Some(value.into_owned()),
                "region" => region = Some(value.into_owned()),
                other => return Err(refused(&format!("has an unknown setting \"{other}\""))),
            }
        }
        if let Some(endpoint) = &endpoint {
            let is_url = Url::parse(endpoint).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
            if !is_url {
                return Err(refused("has an endpoint that is no URL"));
            }
        }
        Ok(Self {
            bucket: bucket.to_owned(),
            prefix: url.path().trim_matches('/').to_owned(),
            endpoint,
            region: region.unwrap_or_else(|| DEFAULT_REGION.to_owned()),
        })
    }

    /// Options of the service.
    pub(super) fn options(&self) -> S3Options {
        S3Options {
            bucket: self.bucket.clone(),
            endpoint: self.endpoint.clone(),
            region: self.region.clone(),
            credentials: None,
            waits: S3Waits::default(),
        }
    }

    /// The address in messages.
    pub(super) fn shown(&self) -> String {
        let separator = if self.prefix.is_empty() { "" } else { "/" };
        format!("{SCHEME}{}{separator}{}", self.bucket, self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_bucket_prefix_and_service() {
        let address = Address::parse("s3://cards/a/b?endpoint=http://127.0.0.1:9000&region=eu-1").unwrap();
        let expected = Address {
            bucket: "cards".to_owned(),
            prefix: "a/b".to_owned(),
            endpoint: Some("http://127.0.0.1:9000".to_owned()),
            region: "eu-1".to_owned(),
        };
        assert_eq!(address, expected);
        assert_eq!(address.shown(), "s3://cards/a/b");
        let whole = Address::parse("s3://cards").unwrap();
        assert_eq!((whole.prefix.as_str(), whole.region.as_str()), ("", "us-east-1"));
        assert_eq!(whole.shown(), "s3://cards");
    }

    #[test]
    fn others_are_refused_with_the_form_to_write() {
        for (named, why) in [
            ("s3://", "names no bucket"),
            ("s3:///x", "names no bucket"),
            ("s3://id:secret@cards", "contains a key"),
            ("s3://cards:9000/x", "a port"),
            ("s3://cards?endpont=x", "unknown setting \"endpont\""),
            ("s3://cards?endpoint=minio", "an endpoint that is no URL"),
        ] {
            let error = Address::parse(named).unwrap_err();
            assert_eq!(error.tag(), "BackupAddress", "{named}");
            assert!(
                error.message().contains(why) && error.message().contains("s3://BUCKET"),
                "{named}: {error}"
            );
            assert!(!error.message().contains("secret@"), "{error}");
        }
    }
}
