//! The registry of functions.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use docstore::{Code, Error, Result};
use futures::future::{BoxFuture, FutureExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::address::{Address, check_name, is_region};
use super::codec::encode;
use super::context::Context;
use super::error::CallError;
use super::stream::Chunks;
use crate::DEFAULT_REGION;

/// Default time limit of a call: the time clients wait by default.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(70);

/// Longest time limit of a function: that of the cloud.
pub const MAX_TIMEOUT: Duration = Duration::from_secs(3600);

/// The code behind a function.
#[derive(Clone)]
#[non_exhaustive]
pub enum Handler {
    /// Code of this program.
    Native(NativeHandler),
}

/// Takes decoded data and returns an encoded result; partial results go to the chunks.
pub(super) type NativeHandler =
    Arc<dyn Fn(Context, Value, Chunks) -> BoxFuture<'static, Result<Value, CallError>> + Send + Sync>;

impl fmt::Debug for Handler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Native(_) => f.write_str("Native"),
        }
    }
}

/// A function with its name and settings.
#[derive(Debug, Clone)]
pub struct Function {
    pub(super) name: String,
    pub(super) region: String,
    pub(super) timeout: Duration,
    pub(super) enforce_app_check: bool,
    pub(super) admits_guests: bool,
    pub(super) handler: Handler,
}

impl Function {
    /// A function with a single reply. `Request` is read from the call's data; data that does not fit is rejected as
    /// invalid-argument with the path of the wrong field.
    pub fn new<Request, Reply, Run, Running, Failure>(name: impl Into<String>, run: Run) -> Self
    where
        Request: DeserializeOwned + Send,
        Reply: Serialize,
        Failure: Into<CallError>,
        Run: Fn(Context, Request) -> Running + Send + Sync + 'static,
        Running: Future<Output = Result<Reply, Failure>> + Send + 'static,
    {
        Self::streaming(name, move |context, request, _chunks| run(context, request))
    }

    /// A function that may send chunks before its result, to callers that accept them.
    pub fn streaming<Request, Reply, Run, Running, Failure>(name: impl Into<String>, run: Run) -> Self
    where
        Request: DeserializeOwned + Send,
        Reply: Serialize,
        Failure: Into<CallError>,
        Run: Fn(Context, Request, Chunks) -> Running + Send + Sync + 'static,
        Running: Future<Output = Result<Reply, Failure>> + Send + 'static,
    {
        let handler: NativeHandler = Arc::new(move |context, data, chunks| {
            let request = match typed::<Request>(data) {
                Ok(request) => request,
                Err(error) => return std::future::ready(Err(error)).boxed(),
            };
            let running = run(context, request, chunks);
            async move {
                let reply = running.await.map_err(Into::into)?;
                let value = serde_json::to_value(reply)
                    .map_err(|error| CallError::internal("ReplyNotJson", error.to_string()))?;
                Ok(encode(value))
            }
            .boxed()
        });
        Self {
            name: name.into(),
            region: DEFAULT_REGION.to_owned(),
            timeout: DEFAULT_TIMEOUT,
            enforce_app_check: false,
            admits_guests: false,
            handler: Handler::Native(handler),
        }
    }

    /// Sets a region other than [`DEFAULT_REGION`].
    #[must_use]
    pub fn region(mut self, region: impl Into<String>) -> Self {
        self.region = region.into();
        self
    }

    /// Sets the time limit of a call; at most [`MAX_TIMEOUT`].
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout.min(MAX_TIMEOUT);
        self
    }

    /// Rejects calls without a valid application attestation.
    #[must_use]
    pub const fn enforce_app_check(mut self) -> Self {
        self.enforce_app_check = true;
        self
    }

    /// Lets guests of tables call it too: accounts with the claim [`GUEST`](super::GUEST). All other functions refuse them.
    #[must_use]
    pub const fn admit_guests(mut self) -> Self {
        self.admits_guests = true;
        self
    }

    /// The function's name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

fn typed<Request: DeserializeOwned>(data: Value) -> Result<Request, CallError> {
    serde_path_to_error::deserialize(data).map_err(|error| {
        let path = error.path().to_string();
        let place =
            if path == "." { "The data of the call".to_owned() } else { format!("The field {path:?}") };
        CallError::invalid(format!("{place} is not as expected: {}.", error.inner()))
    })
}

/// All functions, by region and name.
#[derive(Debug, Default)]
pub struct Registry {
    regions: BTreeMap<String, BTreeMap<String, Function>>,
}

impl Registry {
    /// Adds a function.
    ///
    /// # Errors
    /// Its name or region is invalid, or the name is taken in that region.
    pub fn register(&mut self, function: Function) -> Result<()> {
        check_name(&function.name)?;
        if !is_region(&function.region) {
            return Err(Error::invalid(
                "FunctionRegion",
                format!("{:?} is no region: use one like {DEFAULT_REGION}", function.region),
            ));
        }
        let region = self.regions.entry(function.region.clone()).or_default();
        if region.contains_key(&function.name) {
            return Err(Error::new(
                Code::AlreadyExists,
                "FunctionTaken",
                format!("there is already a function {:?} in {}", function.name, function.region),
            ));
        }
        region.insert(function.name.clone(), function);
        Ok(())
    }

    /// The function at `address`.
    pub fn get(&self, address: Address<'_>) -> Option<&Function> {
        self.regions.get(address.region)?.get(address.name)
    }

    /// The region that has a function of this name; [`DEFAULT_REGION`] first.
    pub fn region_of(&self, name: &str) -> Option<&str> {
        let has = |region: &&String| self.regions.get(*region).is_some_and(|all| all.contains_key(name));
        let default = self.regions.keys().find(|region| *region == DEFAULT_REGION).filter(has);
        default.or_else(|| self.regions.keys().find(has)).map(String::as_str)
    }

    /// All functions as region and name, in order.
    pub fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.regions.values().flat_map(|region| region.values()).map(|f| (f.region.as_str(), f.name.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use docstore::Code;
    use serde_json::{Value, json};

    use super::{Address, CallError, Context, Function, Registry, typed};

    fn echo(name: &str) -> Function {
        Function::new(name, |_: Context, data: Value| async move { Ok::<_, CallError>(data) })
    }

    #[test]
    fn a_function_is_found_where_it_was_put() {
        let mut registry = Registry::default();
        registry.register(echo("a")).unwrap();
        registry.register(echo("a").region("europe-west1")).unwrap();
        registry.register(echo("b").region("europe-west1")).unwrap();
        assert!(registry.get(Address { region: "us-central1", name: "a" }).is_some());
        assert!(registry.get(Address { region: "us-central1", name: "b" }).is_none());
        assert_eq!(registry.region_of("a"), Some("us-central1"));
        assert_eq!(registry.region_of("b"), Some("europe-west1"));
        assert_eq!(registry.region_of("c"), None);
        assert_eq!(registry.names().count(), 3);
    }

    #[test]
    fn wrong_names_and_doubles_are_refused() {
        let mut registry = Registry::default();
        registry.register(echo("a")).unwrap();
        assert_eq!(registry.register(echo("a")).unwrap_err().code(), Code::AlreadyExists);
        for name in ["", "1a", "a/b", "a.b", &"a".repeat(64)] {
            assert_eq!(registry.register(echo(name)).unwrap_err().tag(), "FunctionName", "{name:?}");
        }
        assert_eq!(registry.register(echo("c").region("nowhere")).unwrap_err().tag(), "FunctionRegion");
    }

    #[test]
    fn what_does_not_fit_is_named() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Request {
            #[expect(dead_code, reason = "only read from the wire")]
            deck_id: String,
        }
        let error = typed::<Request>(json!({"deckId": 5})).unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument);
        assert!(error.inner().message().contains("deckId"), "{error:?}");
        assert!(typed::<Request>(json!({})).unwrap_err().inner().message().contains("deckId"));
    }
}
