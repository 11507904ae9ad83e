//! `docs/configuration.md`, made from the definitions of settings and flags. This test fails while the page differs from
//! them; with `UPDATE_DOCS` set it writes the page.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::CommandFactory as _;
use regex::Regex;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::Cli;
use crate::host::config::{Rates, Tuckbox};

/// Environment variables that the program reads.
const READ: [(&str, &str); 9] = [
    ("TUCKBOX_LOG", "Log filter, such as `info` (the default), `debug` or `info,docstore=debug`."),
    ("TUCKBOX_METRICS_TOKEN", "Token that `/metrics` accepts as `Authorization: Bearer …`."),
    ("TUCKBOX_TRUSTED_PROXIES", "The same as `--trusted-proxies`."),
    (
        "TUCKBOX_MAIL_SERVER",
        "The mail server, `smtps://user:password@host`; `tuckbox.mail.serverEnv` names another variable.",
    ),
    ("TUCKBOX_PASSWORD", "The account's password for `tuckbox export-deck`."),
    ("TUCKBOX_TOKEN", "An ID token for `tuckbox export-deck`, used instead of address and password."),
    ("STRIPE_SECRET_KEY", "Stripe's secret key; `tuckbox.plans.stripe.secretKeyEnv` names another variable."),
    (
        "STRIPE_WEBHOOK_SECRET",
        "The signing secret of Stripe's webhook; `tuckbox.plans.stripe.webhookSecretEnv` names another variable.",
    ),
    (
        "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY",
        "Keys of the buckets in `tuckbox.files.s3` and `tuckbox.backup`; the other variables of AWS's SDKs work too.",
    ),
];

/// Variables that are read when the program is built, by `scripts/release` alone.
const BUILD: [&str; 1] = ["TUCKBOX_COMMIT"];

/// Variables that the program sets for the processes it starts, and nobody else.
const INTERNAL: [&str; 6] = [
    "TUCKBOX_FONT_PACK",
    "TUCKBOX_FUNCTIONS_CONTROL",
    "TUCKBOX_FUNCTIONS_CREDENTIAL",
    "TUCKBOX_FUNCTIONS_HOST",
    "TUCKBOX_FUNCTIONS_SOCKET",
    "TUCKBOX_FUNCTIONS_SOURCE",
];

/// Variables that commands of `tuckbox exec` and functions receive.
const SET: [&str; 14] = [
    "FIRESTORE_EMULATOR_HOST",
    "FIREBASE_FIRESTORE_EMULATOR_ADDRESS",
    "FIREBASE_AUTH_EMULATOR_HOST",
    "FIREBASE_STORAGE_EMULATOR_HOST",
    "STORAGE_EMULATOR_HOST",
    "PUBSUB_EMULATOR_HOST",
    "CLOUD_EVENTARC_EMULATOR_HOST",
    "EVENTARC_EMULATOR",
    "CLOUD_TASKS_EMULATOR_HOST",
    "FIREBASE_EMULATOR_HUB",
    "GCLOUD_PROJECT",
    "GOOGLE_CLOUD_PROJECT",
    "FIREBASE_CONFIG",
    "TUCKBOX_URL",
];

const HEAD: &str = r##"# Configuration

For operators. A server needs no configuration: every setting has a default. A flag takes precedence over an environment
variable, and both over `firebase.json`. Secrets do not belong in `firebase.json`: its settings name the environment
variables that hold them. `tuckbox doctor` checks the configuration without starting a server.

This page is generated from the program's definitions; a test compares them. To write it again:
`UPDATE_DOCS=1 cargo nextest run --workspace --locked -E 'test(configuration_page)'`.

## `firebase.json`

The file is found in the current folder or the nearest folder above it, or named with `--config`; `//` and `/* */`
comments are allowed. The sections of other Firebase tools have their usual meaning, and keys unknown to this server are
ignored in them: `hosting` (one site or a list, with `public`, `ignore`, `rewrites`, `redirects`, `headers`, `cleanUrls`,
`trailingSlash`), `firestore` (`rules`, `indexes`), `storage` (`rules`), `functions` (`source`, `codebase`), and
`emulators` (`host` and `port` of each service).

The section `tuckbox` has the settings of this server alone. An unknown key in it is an error that names the file, the
line and the key. An example:

```json
{
  "tuckbox": {
    "site": { "operator": "Ada Lovelace", "contact": "cards@example.com" },
    "mail": { "from": "Tuckbox <cards@example.com>" },
    "trustedProxies": ["127.0.0.1"],
    "files": { "limits": { "userBytes": 5368709120 } }
  }
}
```

Keys in this table are below `tuckbox`; `[]` stands for each entry of a list. Changes of the file count from the next
start.
"##;

/// Sections with a value of every setting, shown as its example; several, because some settings exclude each other.
const EXAMPLES: &str = r#"[{
    "documents": {
        "cacheMiB": 1024,
        "missingIndexes": "refuse",
        "rates": {"documents": 600, "bytes": 4194304, "burstDocuments": 50000, "burstBytes": 134217728},
        "userBytes": 2147483648,
        "slowMillis": 500,
        "view": "fjall"
    },
    "store": {"url": "postgres://tuckbox@db.example.com/tuckbox?sslmode=verify-full", "keepHours": 48},
    "files": {
        "s3": {"bucket": "tuckbox-files", "endpoint": "https://s3.example.com", "region": "eu-central-1"},
        "activeSvg": true,
        "limits": {
            "userBytes": 5368709120, "userFiles": 50000, "fileBytes": 52428800, "imagePixels": 100000000,
            "userSessions": 64
        }
    },
    "signIn": {
        "providers": [{
            "id": "oidc.example", "name": "Example", "issuer": "https://login.example.com", "clientId": "tuckbox",
            "clientSecretEnv": "EXAMPLE_CLIENT_SECRET"
        }],
        "authorizedDomains": ["games.example.com"],
        "anonymous": true,
        "signUp": "invitation"
    },
    "site": {
        "operator": "Ada Lovelace", "contact": "cards@example.com", "chatUrl": "https://chat.example.com",
        "admins": ["ada@example.com"]
    },
    "tables": {"hosts": ["docs.google.com", "*.example.com"], "privateHosts": ["sheets.lan:8080"]},
    "mail": {"from": "Tuckbox <cards@example.com>", "serverEnv": "SMTP_URL"},
    "plans": {
        "offered": [
            {
                "id": "free", "name": "Free", "price": "€0", "includes": ["All exports"],
                "limits": {
                    "projects": 10, "layouts": 50, "images": 500, "members": 3, "documentsAMinute": 600,
                    "documentBytesAMinute": 4194304, "documentBytes": 536870912,
                    "storageBytes": 1073741824
                }
            },
            {"id": "studio", "name": "Studio", "price": "€5 a month", "stripePrice": "price_1Abc"}
        ],
        "stripe": {
            "api": "https://api.stripe.com", "secretKeyEnv": "SHOP_KEY", "webhookSecretEnv": "SHOP_WEBHOOK"
        }
    },
    "functions": {"serve": true},
    "hosts": ["devbox.lan"],
    "trustedProxies": ["127.0.0.1", "10.0.0.0/8"],
    "backup": {"folder": "/mnt/backups", "every": "6h", "keep": 30, "keyFile": "/etc/tuckbox/backup.key",
               "logTo": "/mnt/other/log"},
    "tls": {"cert": "/etc/tuckbox/cert.pem", "key": "/etc/tuckbox/key.pem"},
    "metrics": {"allow": ["10.0.7.0/24"]}
}, {
    "backup": {"folder": "/mnt/backups", "at": "03:30"}
}]"#;

#[test]
fn the_examples_are_accepted() {
    let examples: Vec<Tuckbox> = serde_json::from_str(EXAMPLES).expect("every value is valid");
    assert_eq!(examples[0].plans.offered.len(), 2);
}

#[test]
fn defaults_on_the_page_are_those_of_the_program() {
    let (rates, files) = (Rates::default(), storage_emu::Limits::default());
    let cache_mib = docstore::Limits::default().cache_bytes >> 20;
    let settings = settings();
    for (key, default) in [
        ("documents.cacheMiB", cache_mib),
        ("documents.rates.documents", rates.documents.a_minute),
        ("documents.rates.bytes", rates.bytes.a_minute),
        ("documents.rates.burstDocuments", rates.documents.burst),
        ("documents.rates.burstBytes", rates.bytes.burst),
        ("files.limits.userBytes", files.user_bytes),
        ("files.limits.userFiles", files.user_files),
        ("files.limits.fileBytes", files.file_bytes),
        ("files.limits.imagePixels", files.image_pixels),
        ("files.limits.userSessions", files.user_sessions),
    ] {
        let row = settings.iter().find(|row| row[0] == format!("`{key}`")).expect("a setting");
        let told = row[3].split_once("Default: ").expect("a default").1.replace(',', "");
        let told: String = told.chars().take_while(char::is_ascii_digit).collect();
        assert_eq!(told, default.to_string(), "{key}");
    }
}

#[test]
fn the_page_of_settings_and_flags_is_up_to_date() {
    let page = page();
    let path = root().join("docs/configuration.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, page).expect("the page is writable");
        return;
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == page,
        "docs/configuration.md differs from the definitions; write it again with UPDATE_DOCS=1 and look at the difference"
    );
}

#[test]
fn every_environment_variable_in_the_source_is_on_the_page() {
    let listed: BTreeSet<&str> = READ
        .iter()
        .flat_map(|(names, _)| names.split(", "))
        .chain(SET)
        .chain(BUILD)
        .chain(INTERNAL)
        .collect();
    let name = Regex::new(r#"["'`]((?:TUCKBOX|STRIPE)_[A-Z_]+)["'`]"#).expect("an expression");
    let mut seen = BTreeSet::new();
    for folder in
        ["functions-host/src", "auth-emu/src", "storage-emu/src", "docstore/src", "client/src/headless"]
    {
        for file in files(&root().join(folder)) {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            let source = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            seen.extend(name.captures_iter(source).map(|found| found[1].to_owned()));
        }
    }
    assert!(seen.contains("TUCKBOX_METRICS_TOKEN"), "the source was not read");
    let missing: Vec<_> = seen.iter().filter(|name| !listed.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "list these variables here: {missing:?}");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of the source");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    table(&mut page, &["Key", "Value", "Example", "Meaning"], &settings());
    page.push_str("\n## Environment variables\n\nRead by the program:\n");
    let read = READ.map(|(names, meaning)| [code_list(names), meaning.to_owned()]);
    table(&mut page, &["Variable", "Meaning"], &read);
    page.push_str("\nCommands of `tuckbox exec`, and functions, receive the project and the addresses of the services in these\nvariables:\n");
    let set = SET.map(|name| format!("`{name}`")).join(", ");
    let _ = writeln!(page, "{set}.");
    page.push_str("\n## Commands and flags\n");
    let mut cli = Cli::command();
    cli.build();
    commands(&mut page, &cli, "tuckbox");
    page
}

fn code_list(names: &str) -> String {
    names.split(", ").map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn table<const N: usize>(page: &mut String, head: &[&str; N], rows: &[[String; N]]) {
    let _ = writeln!(page, "\n| {} |\n|{}", head.join(" | "), " --- |".repeat(N));
    for row in rows {
        let _ = writeln!(page, "| {} |", row.clone().map(|cell| cell.replace('|', "\\|")).join(" | "));
    }
}

/// Rows of all settings below `tuckbox`.
fn settings() -> Vec<[String; 4]> {
    let examples: Value = serde_json::from_str(EXAMPLES).expect("JSON");
    let inline = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = inline.into_generator().into_root_schema_for::<Tuckbox>().to_value();
    let mut rows = Vec::new();
    properties(&schema, "", &[&examples], &mut rows);
    rows
}

/// Rows of the settings in `schema`. Of the `examples`, and of the entries of those that are lists, one has the setting.
fn properties(schema: &Value, path: &str, examples: &[&Value], rows: &mut Vec<[String; 4]>) {
    let required = |key: &str| {
        schema["required"].as_array().is_some_and(|keys| keys.iter().any(|name| name.as_str() == Some(key)))
    };
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        let inner = present(property);
        let mut kind = kind(inner);
        let is_object = inner["properties"].is_object();
        if required(key) && !is_object {
            kind.push_str(", required");
        }
        let examples: Vec<&Value> = examples
            .iter()
            .flat_map(|example| example.as_array().map_or(std::slice::from_ref(*example), Vec::as_slice))
            .filter_map(|example| example.get(key))
            .collect();
        let example = *examples.first().unwrap_or_else(|| panic!("tuckbox.{path} has no example"));
        let has_parts = is_object || present(&inner["items"])["properties"].is_object();
        let shown = if has_parts { String::new() } else { format!("`{}`", spaced(example)) };
        let description = property["description"].as_str().or_else(|| inner["description"].as_str());
        assert!(description.is_some(), "tuckbox.{path} has no doc comment");
        let meaning = plain(description.unwrap_or_default());
        let told = is_object || kind.ends_with("required") || meaning.contains("Default: ");
        assert!(told, "the doc comment of tuckbox.{path} has no default: {meaning}");
        rows.push([format!("`{path}`"), kind, shown, meaning]);
        properties(inner, &path, &examples, rows);
        properties(present(&inner["items"]), &format!("{path}[]"), &examples, rows);
    }
}

/// A value as JSON on one line, with a space between the entries of a list.
fn spaced(value: &Value) -> String {
    match value {
        Value::Array(entries) => format!("[{}]", entries.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// The schema of an optional value without its `null`.
fn present(schema: &Value) -> &Value {
    let choices = schema["anyOf"].as_array().map(Vec::as_slice).unwrap_or_default();
    choices.iter().find(|choice| choice["type"] != "null").unwrap_or(schema)
}

fn kind(schema: &Value) -> String {
    let choices = schema["oneOf"].as_array().map(Vec::as_slice).unwrap_or_default();
    let words: Vec<_> = choices.iter().filter_map(|choice| choice["const"].as_str()).collect();
    if !words.is_empty() {
        return words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(" or ");
    }
    let types = &schema["type"];
    let name = types
        .as_str()
        .or_else(|| types.as_array()?.iter().filter_map(Value::as_str).find(|name| *name != "null"));
    match name {
        Some("object") => "object".to_owned(),
        Some("array") => format!("list of {}s", kind(present(&schema["items"]))),
        Some("string") => "text".to_owned(),
        Some("integer" | "number") => "number".to_owned(),
        Some("boolean") => "`true` or `false`".to_owned(),
        other => panic!("a value of the type {other:?} needs words: {schema}"),
    }
}

/// A doc comment as text of a table.
fn plain(description: &str) -> String {
    let links = Regex::new(r"\[(`[^`]+`)\](\([^)]*\))?").expect("an expression");
    let text = links.replace_all(description, "$1");
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("; `None` for none", "")
}

fn commands(page: &mut String, command: &clap::Command, path: &str) {
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help" && !inner.is_hide_set())
    {
        let path = format!("{path} {}", inner.get_name());
        let about =
            inner.get_long_about().or_else(|| inner.get_about()).map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(page, "\n### `{path}`\n\n{}", about.trim_end());
        let own = |flag: &&clap::Arg| !["help", "version", "log_format"].contains(&flag.get_id().as_str());
        let rows: Vec<_> = inner.get_arguments().filter(own).map(flag).collect();
        if !rows.is_empty() {
            table(page, &["Flag", "Meaning"], &rows);
        }
        commands(page, inner, &path);
    }
}

fn flag(flag: &clap::Arg) -> [String; 2] {
    let value = flag.get_value_names().filter(|_| flag.get_action().takes_values());
    let value = value.and_then(|names| names.first()).map(ToString::to_string).unwrap_or_default();
    let name = match flag.get_long() {
        Some(long) if value.is_empty() => format!("`--{long}`"),
        Some(long) => format!("`--{long} {value}`"),
        None => format!("`{value}`"),
    };
    let help = flag.get_long_help().or_else(|| flag.get_help()).map(ToString::to_string).unwrap_or_default();
    let choices: Vec<_> =
        flag.get_possible_values().iter().map(|choice| format!("`{}`", choice.get_name())).collect();
    let mut meaning = plain(&help);
    if !choices.is_empty() && flag.get_action().takes_values() {
        let _ = write!(meaning, " ({})", choices.join(", "));
    }
    [name, meaning]
}
