//! Passwords in a file, as PostgreSQL's own programs read them: lines of `HOST:PORT:DATABASE:USER:PASSWORD`, where `*` stands
//! for anything and a backslash takes the meaning from a colon or a backslash.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use docstore::{Code, Error, Result};
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// Name under which a file lists servers that are reached by a socket.
const LOCAL: &str = "localhost";

/// Adds the password of the first line that fits to an address without one.
///
/// # Errors
/// `FailedPrecondition` when the file cannot be read or others may read it.
pub(crate) fn apply(file: &Path, config: &mut Config) -> Result<()> {
    if config.get_password().is_some() {
        return Ok(());
    }
    let unusable = |cause: &str| {
        let message =
            format!("the file of passwords {} (PGPASSFILE) cannot be used: {cause}", file.display());
        Error::new(Code::FailedPrecondition, "PasswordFile", message)
    };
    let text = fs::read_to_string(file).map_err(|error| unusable(&error.to_string()))?;
    let mode = fs::metadata(file).map_err(|error| unusable(&error.to_string()))?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(unusable("others may read it; run chmod 600 on it"));
    }
    let user = config.get_user().unwrap_or_default();
    let database = config.get_dbname().unwrap_or(user);
    let (hosts, ports) = (config.get_hosts(), config.get_ports());
    let found = hosts.iter().enumerate().find_map(|(n, host)| {
        let port = ports.get(n).or(ports.first()).copied().unwrap_or(5432).to_string();
        let host = match host {
            Host::Tcp(name) => name.as_str(),
            Host::Unix(_) => LOCAL,
        };
        password(&text, [host, &port, database, user])
    });
    if let Some(password) = found {
        config.password(password);
    }
    Ok(())
}

/// The password of the first line that fits host, port, database and user.
fn password(text: &str, wanted: [&str; 4]) -> Option<String> {
    let lines = text.lines().filter(|line| !line.starts_with('#')).map(fields);
    let mut fitting = lines.filter(|line| {
        line.len() == 5 && line.iter().zip(wanted).all(|(field, wanted)| field == "*" || field == wanted)
    });
    fitting.next()?.pop()
}

/// The fields of a line; the fifth has what is left of it.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        let next = match c {
            ':' if fields.len() < 5 => {
                fields.push(String::new());
                continue;
            }
            '\\' => chars.next().unwrap_or('\\'),
            c => c,
        };
        if let Some(field) = fields.last_mut() {
            field.push(next);
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# ours\ndb:5432:games:ann:a\\:b:c\n*:*:*:bob:secret\nshort:line\n";

    #[test]
    fn the_first_line_that_fits_has_the_password() {
        assert_eq!(password(TEXT, ["db", "5432", "games", "ann"]).as_deref(), Some("a:b:c"));
        assert_eq!(password(TEXT, ["other", "1", "x", "bob"]).as_deref(), Some("secret"));
        assert_eq!(password(TEXT, ["db", "5433", "games", "ann"]), None);
    }

    #[test]
    fn a_file_fills_in_what_the_address_lacks_and_must_be_private() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "db:5432:games:ann:secret").unwrap();
        let mut config: Config = "postgres://ann@db/games".parse().unwrap();
        apply(file.path(), &mut config).unwrap();
        assert_eq!(config.get_password(), Some(&b"secret"[..]));
        let mut own: Config = "postgres://ann:mine@db/games".parse().unwrap();
        apply(file.path(), &mut own).unwrap();
        assert_eq!(own.get_password(), Some(&b"mine"[..]));
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o644)).unwrap();
        let mut config: Config = "postgres://ann@db/games".parse().unwrap();
        let error = apply(file.path(), &mut config).unwrap_err();
        assert!(error.message().contains("chmod 600"), "{error}");
    }
}
