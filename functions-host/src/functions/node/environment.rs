//! The environment of a functions source: variables of its `.env` files and those every SDK expects.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use docstore::{Code, Error, Result};

/// Largest `.env` file, in bytes.
const MAX_ENV_FILE: u64 = 1 << 20;

/// Names set by the platform itself; a `.env` file may not define them.
const RESERVED: &[&str] = &[
    "FIREBASE_CONFIG",
    "CLOUD_RUNTIME_CONFIG",
    "EVENTARC_CLOUD_EVENT_SOURCE",
    "ENTRY_POINT",
    "GCP_PROJECT",
    "GCLOUD_PROJECT",
    "GOOGLE_CLOUD_PROJECT",
    "FUNCTION_TRIGGER_TYPE",
    "FUNCTION_NAME",
    "FUNCTION_MEMORY_MB",
    "FUNCTION_TIMEOUT_SEC",
    "FUNCTION_IDENTITY",
    "FUNCTION_REGION",
    "FUNCTION_TARGET",
    "FUNCTION_SIGNATURE_TYPE",
    "K_SERVICE",
    "K_REVISION",
    "PORT",
    "K_CONFIGURATION",
];

/// Names and values.
type Pairs = &'static [(&'static str, &'static str)];

/// Variables a child inherits in serving mode: programs, files, certificates and proxies. The rest of the server's
/// environment, including its keys, is hidden from functions.
const MACHINE: [&str; 9] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
];
/// Programs read them in either case.
const PROXIES: [&str; 4] = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];
/// Hosts reached without a proxy.
const DIRECT: [&str; 2] = ["NO_PROXY", "no_proxy"];
/// The services run here, and gRPC would use a proxy for them too.
const LOOPBACK: &str = "localhost,127.0.0.1,::1";

/// Variables a source's children inherit from the server.
pub(super) type Machine = BTreeMap<OsString, OsString>;

/// The subset of the server's variables that a functions source inherits. In emulator mode all but the server's own and
/// those of an IPC channel to its parent process, as in the official suite.
pub(super) fn machine(variables: impl IntoIterator<Item = (OsString, OsString)>, serving: bool) -> Machine {
    let named = |name: &str| MACHINE.contains(&name) || PROXIES.contains(&name) || DIRECT.contains(&name);
    let handed_on = |name: &str| {
        if serving {
            named(name)
        } else {
            !name.starts_with("TUCKBOX_") && !name.starts_with("NODE_CHANNEL_")
        }
    };
    let mut found: BTreeMap<_, _> =
        variables.into_iter().filter(|(name, _)| handed_on(&name.to_string_lossy())).collect();
    if PROXIES.iter().any(|name| found.contains_key(OsStr::new(name))) {
        for name in DIRECT {
            let direct = found.entry(name.into()).or_default();
            if !direct.is_empty() {
                direct.push(",");
            }
            direct.push(LOOPBACK);
        }
    }
    found
}

/// Values from `.secret.local`; each goes to the functions that declare it.
pub(super) fn secrets(source: &Path) -> Result<BTreeMap<String, String>> {
    let path = source.join(".secret.local");
    match read(&path)? {
        Some(text) => parse(&text).map_err(|problem| problem.at(&path)),
        None => Ok(BTreeMap::new()),
    }
}

/// The variables of a functions source: `own` ones and those of its files.
///
/// `.env`, `.env.<project>` and `.env.local` are read in this order; later ones win. `services` hold the services'
/// addresses and win over all files.
pub(super) fn environment(
    source: &Path,
    project: &str,
    own: Pairs,
    services: &[(&'static str, String)],
) -> Result<BTreeMap<String, String>> {
    let mut variables = BTreeMap::new();
    for name in [".env".to_owned(), format!(".env.{project}"), ".env.local".into()] {
        let path = source.join(name);
        if let Some(text) = read(&path)? {
            variables.extend(parse(&text).map_err(|problem| problem.at(&path))?);
        }
    }
    let own = own.iter().map(|(name, value)| (*name, (*value).to_owned()));
    variables.extend(own.chain(services.iter().cloned()).map(|(name, value)| (name.to_owned(), value)));
    Ok(variables)
}

/// Variables set in emulator mode.
pub(super) const EMULATED: Pairs = &[
    ("FUNCTIONS_EMULATOR", "true"),
    ("TZ", "UTC"),
    ("FIREBASE_DEBUG_MODE", "true"),
    // Safe because the host has verified the token before the request reaches a worker.
    ("FIREBASE_DEBUG_FEATURES", r#"{"skipTokenVerification":true,"enableCors":true}"#),
];

/// Variables set in serving mode.
pub(super) const SERVED: Pairs = &[
    ("TZ", "UTC"),
    ("FIREBASE_DEBUG_MODE", "true"),
    // The host verifies the token and removes attestations before the request reaches a worker.
    ("FIREBASE_DEBUG_FEATURES", r#"{"skipTokenVerification":true}"#),
];

fn read(path: &Path) -> Result<Option<String>> {
    match std::fs::metadata(path) {
        Err(_) => Ok(None),
        Ok(found) if found.len() > MAX_ENV_FILE => Err(Error::invalid(
            "EnvFileTooLarge",
            format!("{} is larger than {MAX_ENV_FILE} bytes: keep data out of it", path.display()),
        )),
        Ok(_) => std::fs::read_to_string(path).map(Some).map_err(|source| {
            Error::new(
                Code::FailedPrecondition,
                "EnvFileUnreadable",
                format!("cannot read {}", path.display()),
            )
            .with_source(source)
        }),
    }
}

/// A fault in a `.env` file and its line, counted from one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct EnvProblem {
    line: usize,
    what: String,
}

impl EnvProblem {
    fn at(self, path: &Path) -> Error {
        let place = PathBuf::from(path);
        Error::invalid("BadEnvFile", format!("{}:{}: {}", place.display(), self.line, self.what))
    }
}

/// Parses `NAME=value` lines: comments, `export`, single and double quotes, escapes and newlines inside double
/// quotes.
pub(crate) fn parse(text: &str) -> Result<BTreeMap<String, String>, EnvProblem> {
    let mut variables = BTreeMap::new();
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut line = 1;
    while !rest.is_empty() {
        let end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let trimmed = rest[..end].trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            rest = &rest[end..];
            line += 1;
            continue;
        }
        let problem = |what: String| EnvProblem { line, what };
        let Some(equals) = rest[..end].find('=') else {
            return Err(problem(format!("'{trimmed}' has no '=': write NAME=value")));
        };
        let name = rest[..equals].trim();
        let name = name.strip_prefix("export ").map_or(name, str::trim);
        check_name(name).map_err(problem)?;
        let (value, used) = value(&rest[equals + 1..])
            .ok_or_else(|| problem(format!("the quotes of {name} are never closed")))?;
        variables.insert(name.to_owned(), value);
        let consumed = equals + 1 + used;
        line += rest[..consumed].matches('\n').count();
        rest = &rest[consumed..];
    }
    Ok(variables)
}

fn check_name(name: &str) -> Result<(), String> {
    let mut letters = name.chars();
    let starts_well = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    if !starts_well || !letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
        return Err(format!("'{name}' is no variable name: use letters, digits and _"));
    }
    let prefixed = ["X_GOOGLE_", "FIREBASE_", "EXT_"].iter().any(|prefix| name.starts_with(prefix));
    if RESERVED.contains(&name) || prefixed {
        return Err(format!("{name} is reserved: choose another name"));
    }
    Ok(())
}

/// The value at the start of `text` and its length in bytes, including the line's end.
fn value(text: &str) -> Option<(String, usize)> {
    let start = text.len() - text.trim_start_matches([' ', '\t']).len();
    let body = &text[start..];
    let line_end = |from: usize| text[from..].find('\n').map_or(text.len(), |at| from + at + 1);
    match body.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let close = closing(&body[1..], quote)?;
            let inner = &body[1..=close];
            let value = if quote == '"' { unescape(inner) } else { inner.to_owned() };
            Some((value, line_end(start + close + 2)))
        }
        _ => {
            let end = line_end(0);
            let line = &text[..end];
            let plain = line.find(" #").map_or(line, |comment| &line[..comment]);
            Some((plain.trim().to_owned(), end))
        }
    }
}

/// End of the quoted text, in bytes.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        if letter == quote && !escaped {
            return Some(at);
        }
        escaped = letter == '\\' && !escaped;
    }
    None
}

fn unescape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            result.push(letter);
            continue;
        }
        match letters.next() {
            Some('n') => result.push('\n'),
            Some('r') => result.push('\r'),
            Some('t') => result.push('\t'),
            Some(other @ ('\\' | '"' | '\'')) => result.push(other),
            Some(other) => result.extend(['\\', other]),
            None => result.push('\\'),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Vec<(String, String)> {
        parse(text).unwrap().into_iter().collect()
    }

    #[test]
    fn reads_the_forms_people_write() {
        let text = "# comment\nA=1\nexport B = two words # why\nC='it''s'\nD=\"line\\nbreak\"\n\nE=\"over\ntwo\"\nF=\nG=a#b";
        let expected = [
            ("A", "1"),
            ("B", "two words"),
            ("C", "it"),
            ("D", "line\nbreak"),
            ("E", "over\ntwo"),
            ("F", ""),
            ("G", "a#b"),
        ];
        assert_eq!(parsed(text), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn names_the_line_of_what_is_wrong() {
        for (text, line) in
            [("A=1\nnonsense\n", 2), ("A=\"x\ny\"\n1X=2", 3), ("\n\nA='open", 3), ("K_SERVICE=x", 1)]
        {
            assert_eq!(parse(text).unwrap_err().line, line, "{text}");
        }
    }

    #[test]
    fn functions_have_what_the_developer_exported_or_what_serving_needs() {
        let all = [
            ("TUCKBOX_METRICS_TOKEN", "secret"),
            ("NODE_CHANNEL_FD", "3"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
            ("GOOGLE_APPLICATION_CREDENTIALS", "/key.json"),
            ("NODE_OPTIONS", "--inspect"),
            ("LC_ALL", "C.UTF-8"),
            ("LD_LIBRARY_PATH", "/lib"),
            ("https_proxy", "http://proxy:3128"),
            ("no_proxy", "intranet"),
        ];
        let of = |serving| machine(all.map(|(name, value)| (name.into(), value.into())), serving);
        let names =
            |serving| of(serving).into_keys().map(|name| name.into_string().unwrap()).collect::<Vec<_>>();
        let served = ["LC_ALL", "LD_LIBRARY_PATH", "NO_PROXY", "https_proxy", "no_proxy"];
        assert_eq!(names(true), served);
        let more = ["AWS_SECRET_ACCESS_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "LC_ALL", "LD_LIBRARY_PATH"];
        let more = [&more[..], &["NODE_OPTIONS", "NO_PROXY", "https_proxy", "no_proxy"]].concat();
        assert_eq!(names(false), more);
        assert_eq!(of(true)[OsStr::new("no_proxy")], "intranet,localhost,127.0.0.1,::1");
        assert_eq!(of(true)[OsStr::new("NO_PROXY")], LOOPBACK);
        assert!(machine([("PATH".into(), "/bin".into())], true).into_keys().eq([OsString::from("PATH")]));
    }

    #[test]
    fn later_files_win_and_services_win_over_all() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(".env"), "A=1\nB=1").unwrap();
        std::fs::write(folder.path().join(".env.p"), "B=2\nC=2").unwrap();
        std::fs::write(folder.path().join(".env.local"), "C=3").unwrap();
        let services = [("FIRESTORE_EMULATOR_HOST", "127.0.0.1:8080".to_owned())];
        let variables = environment(folder.path(), "p", EMULATED, &services).unwrap();
        let get = |name: &str| variables.get(name).map(String::as_str);
        assert_eq!((get("A"), get("B"), get("C")), (Some("1"), Some("2"), Some("3")));
        assert_eq!(get("FIRESTORE_EMULATOR_HOST"), Some("127.0.0.1:8080"));
        assert_eq!(get("FIREBASE_AUTH_EMULATOR_HOST"), None);
    }
}
