use std::fs;

use super::{Config, DEFAULT_PROJECT, RewriteTarget, Service, SiteWords, project_id};

fn load(text: &str) -> Result<Config, String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("firebase.json"), text).unwrap();
    Config::load(None, folder.path())
        .map_err(|error| error.message().replace(folder.path().to_str().unwrap(), "DIR"))
}

#[test]
fn a_usual_file_is_understood() {
    let config = load(
        r#"{
            // a comment
            "firestore": {"rules": "firestore.rules", "indexes": "firestore.indexes.json"},
            "storage": [{"bucket": "b", "rules": "storage.rules"}],
            "functions": {"source": "functions", "runtime": "nodejs22"},
            "hosting": {
                "public": "site", "cleanUrls": true, "ignore": ["firebase.json", "**/.*"],
                "rewrites": [{"source": "/api/**", "function": {"functionId": "api", "region": "europe-west1"}},
                             {"source": "**", "destination": "/index.html"}],
                "redirects": [{"source": "/old/:id", "destination": "/new/:id", "type": 302}],
                "headers": [{"source": "**/*.js", "headers": [{"key": "X-A", "value": "b"}]}]
            },
            "emulators": {
                "auth": {"port": 9099}, "firestore": {"host": "0.0.0.0"}, "ui": {"enabled": false},
                "singleProjectMode": true, "database": {"port": 9000}
            },
            "remoteconfig": {"template": "x"}
        }"#,
    )
    .unwrap();
    assert!(config.firestore_rules().unwrap().ends_with("firestore.rules"));
    assert!(config.storage_rules().unwrap().ends_with("storage.rules"));
    let hosting = config.firebase.hosting.first().unwrap();
    assert_eq!(
        hosting.rewrites[0].target,
        RewriteTarget::Function { name: "api".to_owned(), region: Some("europe-west1".to_owned()) }
    );
    let emulators = config.firebase.emulators.unwrap();
    assert_eq!(emulators.service(Service::Auth).unwrap().port.unwrap().0, 9099);
    assert_eq!(emulators.service(Service::Firestore).unwrap().host.as_deref(), Some("0.0.0.0"));
    assert!(emulators.service(Service::Ui).is_none());
    assert!(emulators.service(Service::Functions).is_none());
}

#[test]
fn a_section_may_be_in_a_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("firebase.json", r#"{"hosting": "hosting.json", "emulators": "more/emulators.json"}"#);
    write("hosting.json", r#"{ /* a comment */ "public": "site", "extra": true }"#);
    let load = || {
        Config::load(None, folder.path())
            .map_err(|error| error.message().replace(folder.path().to_str().unwrap(), "DIR"))
    };
    assert_eq!(
        load().unwrap_err(),
        "DIR/firebase.json: emulators: cannot read DIR/more/emulators.json; create it, or write the section here"
    );
    let without = Config::load_without(None, folder.path(), &["emulators".to_owned()]).unwrap();
    assert_eq!(without.firebase.hosting.first().unwrap().public.as_deref(), Some("site".as_ref()));
    fs::create_dir(folder.path().join("more")).unwrap();
    write("more/emulators.json", r#"{"emulators": {"auth": {"port": 9098}}}"#);
    let config = load().unwrap();
    assert_eq!(config.firebase.emulators.unwrap().service(Service::Auth).unwrap().port.unwrap().0, 9098);
    write("more/emulators.json", "{\n nonsense }");
    assert!(load().unwrap_err().starts_with("DIR/more/emulators.json:2: emulators: "), "{:?}", load());
}

#[test]
fn the_engine_of_the_documents_view_can_be_chosen() {
    let chosen = |text: &str| load(text).unwrap().firebase.tuckbox.documents.view.0;
    assert_eq!(chosen("{}"), docstore::ViewEngine::default());
    for engine in docstore::ViewEngine::ALL {
        let text = format!(r#"{{"tuckbox": {{"documents": {{"view": "{}"}}}}}}"#, engine.name());
        assert_eq!(chosen(&text), engine);
    }
}

#[test]
fn errors_name_the_file_the_line_and_the_key() {
    let rows = [
        ("{\n  \"hosting\": {\n", "DIR/firebase.json:3: hosting: EOF while parsing an object"),
        (
            "{\n \"emulators\": {\n  \"auth\": {\n   \"port\": \"web\"\n} } }",
            "DIR/firebase.json:4: emulators.auth.port: invalid value: string \"web\", expected a port number from 0 to 65535",
        ),
        (
            "{\"tuckbox\": {\"documents\": {\n\"view\": \"rocks\"}}}",
            "DIR/firebase.json:2: tuckbox.documents.view: unknown engine \"rocks\": expected \"sled\" or \"fjall\"",
        ),
        (
            "{\"emulators\": {\"hub\": {\n\"port\": 70000}}}",
            "DIR/firebase.json:2: emulators.hub.port: invalid value: integer `70000`, expected a port number from 0 to 65535",
        ),
        (
            "{\"hosting\": {\"rewrites\": [\n{\"source\": \"**\"}]}}",
            "DIR/firebase.json:2: hosting.rewrites[0]: needs a \"destination\" or a \"function\"",
        ),
        (
            "{\"hosting\": {\"redirects\": [\n{\"source\": \"/a\", \"destination\": \"/b\",\n \"type\": 200}]}}",
            "DIR/firebase.json:3: hosting.redirects[0]: its \"type\" 200 must be 301, 302, 303, 307 or 308",
        ),
        (
            "{\"hosting\": {\"ignore\": [\"ok\",\n\"/a[\"]}}",
            "DIR/firebase.json:2: hosting.ignore[1]: the pattern \"/a[\" has a [ without its ]",
        ),
        (
            "{\"firestore\": 7}",
            "DIR/firebase.json:1: firestore: invalid type: integer `7`, expected an object, or a list of objects",
        ),
        (
            "{\"tuckbox\": {\"backup\": {\n\"folder\": \"b\", \"every\": \"6h\", \"at\": \"03:30\"}}}",
            "DIR/firebase.json:2: tuckbox.backup: there are both \"every\" and \"at\": leave one of them out",
        ),
        ("{} {}", "DIR/firebase.json:1: trailing characters"),
        (
            "7",
            "DIR/firebase.json:1: invalid type: integer `7`, expected an object of sections such as \"hosting\"",
        ),
    ];
    for (text, message) in rows {
        assert_eq!(load(text).unwrap_err(), message, "{text}");
    }
}

#[test]
fn ports_as_text_are_read_as_the_official_suite_reads_them() {
    for (text, port) in [("\"9099\"", 9099), ("\" 9099\"", 9099), ("\"9099/tcp\"", 9099), ("0", 0)] {
        let config = load(&format!("{{\"emulators\": {{\"auth\": {{\"port\": {text}}}}}}}")).unwrap();
        let auth = config.firebase.emulators.unwrap().service(Service::Auth).unwrap();
        assert_eq!(auth.port.unwrap().0, port, "{text}");
    }
    for text in ["\"\"", "\"-1\"", "\"70000\"", "true"] {
        let error = load(&format!("{{\"emulators\": {{\"auth\": {{\"port\": {text}}}}}}}")).unwrap_err();
        assert!(error.contains("emulators.auth.port") && error.contains("a port number"), "{text}: {error}");
    }
}

#[test]
fn the_last_of_two_values_counts() {
    let config = load(
        "{\"hosting\": {\"public\": \"a\"}, \"emulators\": {\"auth\": {\"port\": 1, \"port\": 2}},\n\"hosting\": {\"public\": \"b\"}}",
    )
    .unwrap();
    assert_eq!(config.firebase.hosting.first().unwrap().public.as_deref(), Some("b".as_ref()));
    let auth = config.firebase.emulators.unwrap().service(Service::Auth).unwrap();
    assert_eq!(auth.port.unwrap().0, 2);
}

#[test]
fn faults_below_keys_that_are_left_out_are_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let text = "{\"hosting\": 7, \"emulators\": {\"auth\": {\"port\": -1}, \"firestore\": {\"port\": 1}}}";
    fs::write(folder.path().join("firebase.json"), text).unwrap();
    let load = |left_out: &[&str]| {
        let left_out: Vec<_> = left_out.iter().map(|key| (*key).to_owned()).collect();
        Config::load_without(None, folder.path(), &left_out)
    };
    let config = load(&["hosting", "emulators.auth"]).unwrap();
    assert!(config.firebase.hosting.is_empty());
    let emulators = config.firebase.emulators.unwrap();
    assert!(emulators.service(Service::Auth).is_none());
    assert_eq!(emulators.service(Service::Firestore).unwrap().port.unwrap().0, 1);
    for (left_out, key) in
        [(&[][..], "hosting"), (&["hosting"], "emulators.auth.port"), (&["host"], "hosting")]
    {
        let error = load(left_out).unwrap_err();
        assert!(error.message().contains(key), "{left_out:?}: {error}");
    }
}

#[test]
fn rewrites_that_lead_elsewhere_are_known_as_such() {
    let config = load(
        r#"{"hosting": {"rewrites": [
            {"source": "/run", "run": {"serviceId": "api", "region": "europe-west1"}},
            {"source": "/link/**", "dynamicLinks": true},
            {"source": "/far/**", "destination": "https://api.example/:splat"},
            {"source": "/near", "destination": "near.html"}
        ]}}"#,
    )
    .unwrap();
    let targets: Vec<_> = config
        .firebase
        .hosting
        .first()
        .unwrap()
        .rewrites
        .iter()
        .map(|rewrite| rewrite.target.clone())
        .collect();
    let expected = [
        RewriteTarget::Elsewhere("the Cloud Run service \"api\"".to_owned()),
        RewriteTarget::Elsewhere("Dynamic Links".to_owned()),
        RewriteTarget::Elsewhere("https://api.example/:splat".to_owned()),
        RewriteTarget::File("/near.html".to_owned()),
    ];
    assert_eq!(targets, expected);
}

#[test]
fn a_named_file_must_exist_and_an_unnamed_one_is_looked_for_above() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("a/b");
    fs::create_dir_all(&below).unwrap();
    fs::write(folder.path().join("firebase.json"), "{}").unwrap();
    assert_eq!(Config::load(None, &below).unwrap().root, folder.path());
    let error = Config::load(Some("none.json".as_ref()), &below).unwrap_err();
    assert_eq!(error.tag(), "ConfigUnreadable");
    assert!(error.message().contains("none.json") && error.message().contains("--config"), "{error}");
}

#[test]
fn the_project_comes_from_the_argument_the_aliases_or_the_default() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    assert_eq!(project_id(None, root).unwrap(), DEFAULT_PROJECT);
    assert_eq!(project_id(Some("demo-a1"), root).unwrap(), "demo-a1");
    fs::write(root.join(".firebaserc"), r#"{"projects": {"default": "p-one", "staging": "p-two"}}"#).unwrap();
    assert_eq!(project_id(None, root).unwrap(), "p-one");
    assert_eq!(project_id(Some("staging"), root).unwrap(), "p-two");
    fs::write(root.join(".firebaserc"), "{ // shared\n\"projects\": {\"default\": \"p-three\"}}").unwrap();
    assert_eq!(project_id(None, root).unwrap(), "p-three");
    for bad in ["", "A", "a_b", "1a", "a-", "a/b", "é"] {
        assert_eq!(project_id(Some(bad), root).unwrap_err().tag(), "ProjectInvalid", "{bad:?}");
    }
    fs::write(root.join(".firebaserc"), "{\n\"projects\": 3}").unwrap();
    assert!(project_id(None, root).unwrap_err().message().contains(".firebaserc:2:"));
}

#[test]
fn files_may_lie_in_a_bucket_and_have_other_limits() {
    let config = load(
        r#"{"tuckbox": {"files": {"s3": {"bucket": "cards", "endpoint": "https://s3.example"},
                                  "limits": {"userBytes": 1000}}}}"#,
    )
    .unwrap();
    let files = config.firebase.tuckbox.files;
    let s3 = files.s3.unwrap().options();
    assert_eq!((s3.bucket.as_str(), s3.region.as_str()), ("cards", "us-east-1"));
    assert!(s3.credentials.is_none());
    let usual = storage_emu::Limits::default();
    let limits = files.limits.over(usual);
    assert_eq!(limits, storage_emu::Limits { user_bytes: 1000, ..usual });
    let unknown = load(r#"{"tuckbox": {"files": {"s3": {"bucket": "b", "secret": "x"}}}}"#).unwrap_err();
    assert!(unknown.contains("tuckbox.files.s3.secret: unknown field"), "{unknown}");
}

#[test]
fn what_the_operator_says_is_read_and_checked() {
    let config = load(
        r#"{"tuckbox": {"site": {"operator": "Ada", "contact": "ada@example.org", "chatUrl": "https://chat.example", "admins": ["u1"]}}}"#,
    );
    let said = config.unwrap().firebase.tuckbox.site;
    assert_eq!((said.operator.as_deref(), said.admins.len()), (Some("Ada"), 1));
    assert_eq!(load("{}").unwrap().firebase.tuckbox.site, SiteWords::default());
    let faults = [
        (
            r#"{"tuckbox": {"site": {"admins": ["1", "2", "3", "4", "5", "6"]}}}"#,
            "at most 5 entries, found 6",
        ),
        (r#"{"tuckbox": {"site": {"chatUrl": "javascript:alert(1)"}}}"#, "begins with https://"),
        (r#"{"tuckbox": {"site": {"operatr": "Ada"}}}"#, "operatr"),
    ];
    for (text, fault) in faults {
        let message = load(text).unwrap_err();
        assert!(message.contains("tuckbox") && message.contains(fault), "{message}");
    }
}

#[test]
fn secrets_of_sign_in_providers_come_from_the_environment() {
    let config = load(
        r#"{"tuckbox": {"signIn": {"providers": [{"id": "oidc.guild", "name": "Guild",
            "issuer": "https://guild.example", "clientId": "c", "clientSecretEnv": "GUILD_SECRET"}]}}}"#,
    )
    .unwrap();
    let sign_in = config.firebase.tuckbox.sign_in;
    let missing = sign_in.options(|_| None).unwrap_err();
    assert!(missing.message().contains("set GUILD_SECRET"), "{}", missing.message());
    let options = sign_in.options(|name| (name == "GUILD_SECRET").then(|| "s".to_owned())).unwrap();
    assert_eq!(options[0].client_secret.as_deref(), Some("s"));
    let guild = serde_json::json!({"id": "oidc.guild", "name": "Guild"});
    let google = serde_json::json!({"id": "google.com", "name": "Google"});
    assert_eq!(sign_in.shown(docstore::access::Mode::Serving), serde_json::json!([guild]));
    assert_eq!(sign_in.shown(docstore::access::Mode::Emulator), serde_json::json!([guild, google]));
}

#[test]
fn authorized_domains_are_plain_hosts() {
    let hosts = |host: &str| {
        let text = format!(r#"{{"tuckbox": {{"signIn": {{"authorizedDomains": ["{host}"]}}}}}}"#);
        load(&text).unwrap().firebase.tuckbox.sign_in.hosts()
    };
    for good in ["app.example", "localhost", "127.0.0.1", "[::1]"] {
        assert_eq!(hosts(good).unwrap(), [good]);
    }
    for bad in
        ["", "https://app.example", "app.example:80", "app.example/x", "*.example", "App.example", "a b"]
    {
        let message = hosts(bad).unwrap_err();
        assert!(message.message().contains("authorizedDomains"), "{bad}: {message}");
    }
}

#[test]
fn plans_are_read_and_checked_as_a_whole() {
    let free = r#"{"id": "free", "name": "Free", "price": "€0", "limits": {"projects": 3}}"#;
    let maker = r#"{"id": "maker", "name": "Maker", "price": "€5 a month", "stripePrice": "price_1"}"#;
    let plans = |offered: &str, more: &str| {
        load(&format!(r#"{{"tuckbox": {{"plans": {{"offered": [{offered}]{more}}}}}}}"#))
    };
    let section = plans(&format!("{free}, {maker}"), r#", "stripe": {}"#).unwrap().firebase.tuckbox.plans;
    assert_eq!(section.offered.len(), 2);
    assert_eq!((section.offered[0].limits.projects, section.offered[1].limits.projects), (Some(3), None));
    let stripe = section.stripe.unwrap();
    assert_eq!(
        (stripe.api.as_str(), stripe.secret_key_env.as_str()),
        ("https://api.stripe.com", "STRIPE_SECRET_KEY")
    );
    assert!(load("{}").unwrap().firebase.tuckbox.plans.offered.is_empty(), "everything is free");
    let faults = [
        (format!("{free}, {free}"), "", "two plans have the id \"free\""),
        (maker.to_owned(), r#", "stripe": {}"#, "the first plan is what everybody has"),
        (format!("{free}, {maker}"), "", "needs a section \"stripe\""),
        (format!("{free}, {maker}"), r#", "stripe": {"api": "ftp://x"}"#, "https://"),
        (format!("{free}, {}", maker.replace("price_1", "a/b")), r#", "stripe": {}"#, "stripePrice"),
        (free.replace("\"free\"", "\"Free!\""), "", "lower-case letters"),
        (free.replace("projects", "project"), "", "project"),
        (String::new(), r#", "stripe": {}"#, "no plans"),
    ];
    for (offered, more, fault) in faults {
        let message = plans(&offered, more).unwrap_err();
        assert!(message.contains("tuckbox.plans") && message.contains(fault), "{message}");
    }
}

// The mailer's connection pool needs a runtime.
#[tokio::test]
async fn the_mail_server_comes_from_the_environment() {
    let config = load(r#"{"tuckbox": {"mail": {"from": "Tuckbox <cards@example.com>"}}}"#).unwrap();
    let mail = config.firebase.tuckbox.mail.unwrap();
    let missing = mail.mailer(|_| None).unwrap_err();
    assert!(missing.message().contains("set TUCKBOX_MAIL_SERVER"), "{}", missing.message());
    let server =
        |name: &str| (name == "TUCKBOX_MAIL_SERVER").then(|| "smtps://u:hunter2@mail.example".to_owned());
    let mailer = format!("{:?}", mail.mailer(server).unwrap());
    assert!(mailer.contains("mail.example") && !mailer.contains("hunter2"), "{mailer}");
    assert!(load(r#"{"tuckbox": {"mail": {"server": "x"}}}"#).unwrap_err().contains("tuckbox.mail"));
}

#[test]
fn networks_are_checked_where_they_are_written() {
    let config =
        load(r#"{"tuckbox": {"trustedProxies": ["127.0.0.1"], "metrics": {"allow": ["10.0.0.0/8"]}}}"#);
    let tuckbox = config.unwrap().firebase.tuckbox;
    assert!(tuckbox.trusted_proxies.contains("127.0.0.1".parse().unwrap()));
    assert!(tuckbox.metrics.allow.contains("10.1.2.3".parse().unwrap()));
    let error = load("{\"tuckbox\": {\n\"trustedProxies\": [\"proxy.lan\"]}}").unwrap_err();
    assert!(error.starts_with("DIR/firebase.json:2: tuckbox.trustedProxies: "), "{error}");
    assert!(error.contains("\"proxy.lan\" is no network"), "{error}");
}
