//! Kinds of `firebase.json` as projects have them: each starts, or says why not.

use super::{Launch, ServerArgs, Settings};
use crate::host::config::Service;

/// The services that a file starts, or a part of the reason why none.
type Outcome = Result<&'static [Service], &'static str>;

use Service::{Auth, Firestore, Functions, Hosting, Pubsub, Storage};
use docstore::access::Mode;

/// Name, text, what it starts, and parts of the lines about what is left out.
const KINDS: &[(&str, &str, Outcome, &[&str])] = &[
    (
        "site",
        r#"{"hosting": {"public": "public", "ignore": ["firebase.json", "**/.*"]}}"#,
        Ok(&[Hosting]),
        &[],
    ),
    (
        "site with rewrites to one page",
        r#"{"hosting": {"public": "build", "rewrites": [{"source": "**", "destination": "/index.html"}]}}"#,
        Ok(&[Hosting]),
        &[],
    ),
    (
        "site with headers by extension",
        r#"{"hosting": {"public": "_site", "headers": [{"source": "**/*.@(jpg|jpeg|gif|png|svg)",
            "headers": [{"key": "Cache-Control", "value": "max-age=30672000"}]}]}}"#,
        Ok(&[Hosting]),
        &[],
    ),
    (
        "site with a negated group",
        r#"{"hosting": {"public": "dist", "rewrites": [{"source": "!/(js/**|css/**|admin/**)", "destination": "/index.html"}]}}"#,
        Ok(&[Hosting]),
        &[],
    ),
    (
        "redirects of every type",
        r#"{"hosting": {"public": "p", "redirects": [{"source": "/", "destination": "https://a.example", "type": 301},
            {"source": "/b{,/**}", "destination": "/c", "type": 302}, {"regex": "/d/(?P<e>.+)", "destination": "/:e"}]}}"#,
        Ok(&[Hosting]),
        &[],
    ),
    (
        "sites by target",
        r#"{"hosting": [{"target": "a", "public": "a/out"}, {"target": "b", "public": "b/dist", "predeploy": ["x"]}]}"#,
        Ok(&[Hosting]),
        &[],
    ),
    (
        "unknown keys of hosting",
        r#"{"hosting": {"site": "s", "public": "p", "appAssociation": "AUTO", "customDomains": ["a.example"]}}"#,
        Ok(&[Hosting]),
        &[],
    ),
    (
        "languages",
        r#"{"hosting": {"public": "p", "i18n": {"root": "/localized"}}}"#,
        Ok(&[Hosting]),
        &["i18n"],
    ),
    (
        "Cloud Run",
        r#"{"hosting": {"public": "p", "site": "s", "rewrites": [{"source": "**", "run": {"serviceId": "web"}}]}}"#,
        Ok(&[Hosting]),
        &["hosting s: rewrites to the Cloud Run service \"web\""],
    ),
    (
        "rewrite to another server",
        r#"{"hosting": {"public": "p", "rewrites": [{"source": "/api/**", "destination": "https://api.example/:splat"}]}}"#,
        Ok(&[Hosting]),
        &["https://api.example"],
    ),
    (
        "rewrite to a pinned function",
        r#"{"hosting": {"public": ".output/public", "rewrites": [{"source": "**", "function": {"functionId": "server", "pinTag": true}}]},
            "functions": {"source": ".output/server"}}"#,
        Ok(&[Hosting, Functions]),
        &[],
    ),
    (
        "framework",
        r#"{"hosting": {"source": ".", "ignore": [], "frameworksBackend": {"region": "us-central1"}}}"#,
        Ok(&[Hosting]),
        &["hosting.source"],
    ),
    (
        "documents",
        r#"{"firestore": {"rules": "firestore.rules", "indexes": "i.json", "ignore": []}}"#,
        Ok(&[Firestore]),
        &[],
    ),
    (
        "databases with names",
        r#"{"firestore": [{"database": "(default)", "rules": "a"}, {"database": "b", "rules": "b", "location": "x"}]}"#,
        Ok(&[Firestore]),
        &[],
    ),
    (
        "buckets by target",
        r#"{"storage": [{"target": "a", "rules": "a.rules"}, {"bucket": "", "rules": "b.rules"}], "emulators": {"storage": {"port": 9199}}}"#,
        Ok(&[Storage]),
        &[],
    ),
    (
        "functions with settings of the cloud",
        r#"{"functions": {"source": "f", "runtime": "nodejs18", "memory": "2GB", "cpu": 2, "vpc": {"connector": "c"},
            "predeploy": "npm run build", "isolate": true, "disallowLegacyRuntimeConfig": true}}"#,
        Ok(&[Functions]),
        &[],
    ),
    (
        "functions without a source",
        r#"{"functions": {}, "storage": {"rules": "s"}}"#,
        Ok(&[Functions, Storage]),
        &[],
    ),
    (
        "functions of several languages",
        r#"{"functions": [{"source": "a", "codebase": "a"}, {"source": "b", "codebase": "b", "runtime": "python313"}]}"#,
        Ok(&[Functions]),
        &["codebase b (python313)"],
    ),
    ("functions of another language", r#"{"functions": {"runtime": "dart3"}}"#, Err("Node.js alone"), &[]),
    (
        "accounts with functions that block",
        r#"{"auth": {"blockingFunctions": {"triggers": {"beforeCreate": {"function": "f"}}}}}"#,
        Ok(&[Auth]),
        &[],
    ),
    (
        "emulators alone",
        r#"{"emulators": {"auth": {"host": "0.0.0.0", "port": 9099}, "ui": {"enabled": true}, "singleProjectMode": true}}"#,
        Ok(&[Auth]),
        &[],
    ),
    (
        "ports as text",
        r#"{"emulators": {"hub": {"port": "4400"}, "auth": {"port": "9099"}, "logging": {"port": "4500"}, "eventarc": {"port": "9299"}}}"#,
        Ok(&[Auth]),
        &[],
    ),
    (
        "keys of older emulators",
        r#"{"emulators": {"auth": {"enabled": true, "import": "x"}, "firestore": {"port": 8080, "websocketPort": 5005, "export": "y"}}}"#,
        Ok(&[Auth, Firestore]),
        &[],
    ),
    ("topics", r#"{"emulators": {"pubsub": {"port": 8085}, "extensions": {}}}"#, Ok(&[Pubsub]), &[]),
    (
        "Realtime Database beside a site",
        r#"{"hosting": {"public": "p"}, "database": {"rules": "database.rules.bolt"}}"#,
        Ok(&[Hosting]),
        &["no Realtime Database"],
    ),
    ("Realtime Database alone", r#"{"database": {"rules": "r"}}"#, Err("no Realtime Database"), &[]),
    (
        "Data Connect beside accounts",
        r#"{"dataconnect": {"source": "d"}, "emulators": {"auth": {}, "dataconnect": {"dataDir": "d/.data", "port": 9399}}}"#,
        Ok(&[Auth]),
        &["no Data Connect"],
    ),
    ("Data Connect alone", r#"{"emulators": {"dataconnect": {"port": 9399}}}"#, Err("no Data Connect"), &[]),
    (
        "App Hosting beside documents",
        r#"{"apphosting": [{"backendId": "b", "rootDir": "/"}], "firestore": {"rules": "r"},
            "emulators": {"apphosting": {"port": 5002, "startCommand": "npm run dev"}}}"#,
        Ok(&[Firestore]),
        &["no App Hosting"],
    ),
    ("App Hosting alone", r#"{"apphosting": {"backendId": "b"}}"#, Err("no App Hosting"), &[]),
    (
        "extensions, and templates of Remote Config",
        r#"{"extensions": {"e": "firebase/e@1"}, "remoteconfig": {"template": "t"}, "firestore": {}}"#,
        Ok(&[Firestore]),
        &["no Extensions"],
    ),
    (
        "empty extensions",
        r#"{"extensions": {}, "remoteconfig": {}, "storage": {"rules": "s"}}"#,
        Ok(&[Storage]),
        &[],
    ),
    (
        "Flutter",
        r#"{"flutter": {"platforms": {}}, "functions": [{"source": "functions"}]}"#,
        Ok(&[Functions]),
        &[],
    ),
    ("Flutter alone", r#"{"flutter": {"platforms": {}}}"#, Err("names no product"), &[]),
    ("comments", "{ // site\n \"hosting\": {\"public\": \"p\"} /* the\n end */ }", Ok(&[Hosting]), &[]),
    ("byte order mark", "\u{feff}{\"hosting\": {\"public\": \"p\"}}", Ok(&[Hosting]), &[]),
    (
        "a key twice",
        r#"{"emulators": {"auth": {}}, "hosting": {"public": "a"}, "emulators": {"firestore": {}}}"#,
        Ok(&[Firestore, Hosting]),
        &[],
    ),
    (
        "the oldest form",
        r#"{"firebase": "app", "public": ".", "rules": "security-rules.json", "functions": {"helloworld": {}, ".source": "x"}}"#,
        Ok(&[Functions]),
        &[],
    ),
    ("an empty file", "", Err("firebase.json:1: EOF"), &[]),
    ("broken JSON", "{\"hosting\": [{\n\"source: \"/about\"}]}", Err("firebase.json:2"), &[]),
];

/// The services that the file starts, and the lines about what is left out.
fn plan(text: &str) -> Result<(Vec<Service>, Vec<String>), String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("firebase.json");
    std::fs::write(&file, text).unwrap();
    let args = ServerArgs { config: Some(file), in_memory: true, ..ServerArgs::default() };
    let launch = Launch { suite: true, ..Launch::default() };
    let settings = Settings::launched(&args, Mode::Emulator, launch);
    let settings = settings.map_err(|error| error.message().to_owned())?;
    settings.check_targets().map_err(|error| error.message().to_owned())?;
    let products = [Hosting, Functions, Firestore, Auth, Storage, Pubsub];
    let opened = |service: &Service| settings.endpoints.iter().any(|endpoint| endpoint.service == *service);
    let named = |service: &Service| super::endpoints::names(&settings.config, *service);
    let started = products.into_iter().filter(|service| opened(service) && named(service)).collect();
    Ok((started, settings.lacking()))
}

#[test]
fn every_kind_starts_or_says_why_not() {
    for (name, text, outcome, lacking) in KINDS {
        match (plan(text), outcome) {
            (Ok((started, lines)), Ok(expected)) => {
                let mut expected = expected.to_vec();
                expected.sort_unstable();
                assert_eq!(started, expected, "{name}");
                assert_eq!(lines.len(), lacking.len(), "{name}: {lines:?}");
                for part in *lacking {
                    assert!(lines.iter().any(|line| line.contains(part)), "{name}: {part}: {lines:?}");
                }
                assert!(lines.iter().all(|line| line.lines().count() == 1), "{name}: {lines:?}");
            }
            (Err(said), Err(reason)) => {
                assert!(said.contains(reason) && said.lines().count() == 1, "{name}: {said}");
            }
            (found, _) => unreachable!("{name}: {found:?}"),
        }
    }
}

#[test]
fn an_emulated_application_is_another_unless_firebase_json_has_our_section() {
    let (bare, ours) =
        (r#"{"firestore": {"rules": "f"}}"#, r#"{"firestore": {"rules": "f"}, "tuckbox": {}}"#);
    let site = r#"{"hosting": {"public": "."}, "tuckbox": {}}"#;
    for (text, mode, other) in [
        (Some(bare), Mode::Emulator, true),
        (Some(ours), Mode::Emulator, false),
        (Some(site), Mode::Emulator, true),
        (Some(bare), Mode::Serving, false),
        (None, Mode::Emulator, false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("firebase.json");
        if let Some(text) = text {
            std::fs::write(&config, text).unwrap();
        }
        let config = text.map(|_| config);
        let args = ServerArgs { config, in_memory: true, ..ServerArgs::default() };
        let settings = Settings::new(&args, mode).unwrap();
        assert_eq!(settings.is_other_application(), other, "{text:?} {mode:?}");
    }
}
