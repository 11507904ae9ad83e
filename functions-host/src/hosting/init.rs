//! `/__/firebase/init.json` and `init.js`: the project's configuration for pages.

use docstore::access::Mode;
use http::HeaderName;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use serde_json::{Value, json};

use crate::host::config::{Plan, PlansSection, SignUp, SiteWords};
use crate::host::settings::Settings;
use crate::{DEFAULT_REGION, VERSION};

/// Headers of `init.json`.
pub(super) const HEADERS_JSON: [(HeaderName, &str); 2] =
    [(CONTENT_TYPE, "application/json; charset=utf-8"), (CACHE_CONTROL, "no-cache")];

/// Headers of `init.js`.
pub(super) const HEADERS_JS: [(HeaderName, &str); 2] =
    [(CONTENT_TYPE, "text/javascript; charset=utf-8"), (CACHE_CONTROL, "no-cache")];

/// Connects each loaded part of the SDK to the page's own port, which serves every service.
const CONNECT: &str = "(function () {
  var port = Number(location.port || (location.protocol === 'https:' ? 443 : 80));
  ['firestore', 'functions', 'storage'].forEach(function (part) {
    if (typeof firebase[part] === 'function') firebase[part]().useEmulator(location.hostname, port);
  });
  if (typeof firebase.auth === 'function') firebase.auth().useEmulator(location.origin);
})();
";

/// Configuration for pages.
#[derive(Debug)]
pub(super) struct WebConfig {
    project: String,
    api_key: String,
    bucket: String,
    mode: Mode,
    site: SiteWords,
    sign_in: Value,
    sign_up: SignUp,
    /// Address that passkeys belong to, where there are any.
    passkeys_at: Option<String>,
    plans: Option<Value>,
    /// Identity of the documents' history: another one means that the server was restored from a backup.
    history: Option<String>,
}

impl WebConfig {
    pub(super) fn new(settings: &Settings, history: Option<&str>) -> Self {
        Self {
            project: settings.project.clone(),
            history: history.map(ToOwned::to_owned),
            api_key: settings.api_key(),
            bucket: settings.bucket(),
            mode: settings.mode,
            site: settings.config.firebase.tuckbox.site.clone(),
            passkeys_at: passkeys_at(settings),
            plans: shown(&settings.config.firebase.tuckbox.plans),
            sign_up: settings.config.firebase.tuckbox.sign_in.sign_up(settings.mode),
            sign_in: settings.config.firebase.tuckbox.sign_in.shown(settings.mode),
        }
    }

    /// The configuration for a page reached as `host`.
    pub(super) fn json(&self, host: Option<&str>) -> Value {
        let project = &self.project;
        let mut tuckbox = json!(self.site);
        if let Some(plans) = &self.plans {
            tuckbox["plans"] = plans.clone();
        }
        if let Some(history) = &self.history {
            tuckbox["history"] = json!(history);
        }
        tuckbox["signIn"] = self.sign_in.clone();
        tuckbox["signUp"] = json!(self.sign_up);
        if let Some(address) = &self.passkeys_at {
            tuckbox["passkeysAt"] = json!(address);
        }
        tuckbox["mode"] = self.mode.name().into();
        tuckbox["region"] = DEFAULT_REGION.into();
        tuckbox["version"] = VERSION.into();
        json!({
            "projectId": project,
            "apiKey": self.api_key,
            "authDomain": host.unwrap_or("localhost"),
            "storageBucket": self.bucket,
            "appId": format!("1:0:web:{project}"),
            "tuckbox": tuckbox,
        })
    }

    /// A script that initialises the official compatibility SDK, which must have been loaded before. In emulator mode,
    /// and with `useEmulator=true` in the query, it also connects each part of the SDK to this server.
    pub(super) fn script(&self, host: Option<&str>, query: Option<&str>) -> String {
        let asked = query.is_some_and(|query| query.split('&').any(|pair| pair == "useEmulator=true"));
        let connect = if asked && self.mode == Mode::Emulator { CONNECT } else { "" };
        let mut config = self.json(host);
        if let Some(map) = config.as_object_mut() {
            map.remove("tuckbox");
        }
        // JSON is valid JavaScript except for `</`, which could end an inline script.
        let config = config.to_string().replace("</", "<\\/");
        format!(
            "if (typeof firebase === 'undefined') {{\n  throw new Error('Load the Firebase SDK before /__/firebase/init.js.');\n}}\nfirebase.initializeApp({config});\n{connect}"
        )
    }
}

/// Emulator mode verifies no passkeys, so pages there offer none.
fn passkeys_at(settings: &Settings) -> Option<String> {
    let url = settings.public_url.as_deref().filter(|_| settings.mode == Mode::Serving)?;
    auth_emu::passkey_origin(url)
}

/// Plans without the ids of their prices, which concern the operator only.
fn shown(section: &PlansSection) -> Option<Value> {
    let plan = |plan: &Plan| {
        json!({
            "id": plan.id,
            "name": plan.name,
            "price": plan.price,
            "includes": plan.includes,
            "limits": plan.limits,
            "sold": plan.stripe_price.is_some(),
        })
    };
    (!section.offered.is_empty()).then(|| section.offered.iter().map(plan).collect())
}
