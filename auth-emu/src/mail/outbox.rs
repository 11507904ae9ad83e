//! Messages waiting for manual delivery.
//!
//! An emulator lists them at its endpoints. In serving mode they wait in a file that only the server's own user can
//! read (`tuckbox outbox` prints it): no request can read them. The store has only hashes of codes; the outbox, which
//! drops them on use, and the queue of mails alone have the codes themselves.

use std::collections::VecDeque;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use docstore::model::Ts;
use docstore::{Code, Error, Result};
use parking_lot::{Mutex, MutexGuard};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::encoding::time::millis;
use crate::wire::OobRequestType;

/// Messages kept; the oldest are dropped.
pub(crate) const MAX_MESSAGES: usize = 1_000;

/// Mode of the file: only the server's user reads and writes it.
const FILE_MODE: u32 = 0o600;

/// One out-of-band code, in the form of the emulator's listing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OobMessage {
    /// Address of the account, and recipient unless the mail goes to a new address.
    pub email: String,
    /// The new address, if the account is to change its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_email: Option<String>,
    /// Purpose of the code.
    pub request_type: OobRequestType,
    /// The code.
    pub oob_code: String,
    /// The link with the code.
    pub oob_link: String,
}

/// One text message.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SmsMessage {
    pub(crate) phone_number: String,
    pub(crate) session_info: String,
    pub(crate) code: String,
}

/// A message with its project and tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Waiting<T> {
    /// The project.
    pub project: String,
    /// The tenant of the project, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// Milliseconds since the epoch: expired messages are dropped when another one is added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<u64>,
    /// The waiting message.
    #[serde(flatten)]
    pub message: T,
}

/// A bounded list of messages, in memory and optionally in a file. Clones share it.
#[derive(Debug)]
pub(crate) struct Outbox<T>(Arc<Shared<T>>);

#[derive(Debug)]
struct Shared<T> {
    waiting: Mutex<VecDeque<Waiting<T>>>,
    /// Held while the file is written, so that the last writer has seen every change.
    file: Option<Mutex<PathBuf>>,
}

impl<T> Default for Outbox<T> {
    fn default() -> Self {
        Self(Arc::new(Shared { waiting: Mutex::default(), file: None }))
    }
}

impl<T: Clone + Serialize + DeserializeOwned + Send + 'static> Outbox<T> {
    /// The messages of a file, which is created for the first one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn in_file(path: PathBuf) -> Result<Self> {
        let waiting = read(&path)?.into();
        Ok(Self(Arc::new(Shared { waiting: Mutex::new(waiting), file: Some(Mutex::new(path)) })))
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Waiting<T>>> {
        self.0.waiting.lock()
    }

    /// Adds a message, and drops those that have expired. Returns once it is in the file as well.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) async fn push(&self, message: Waiting<T>, now: Ts) -> Result<()> {
        {
            let mut waiting = self.waiting();
            waiting.retain(|entry| entry.expires_at.is_none_or(|at| at > millis(now)));
            if waiting.len() >= MAX_MESSAGES {
                waiting.pop_front();
            }
            waiting.push_back(message);
        }
        self.save().await
    }

    /// The messages of a project or tenant, oldest first.
    pub(crate) fn list(&self, project: &str, tenant: Option<&str>) -> Vec<T> {
        let mine = |entry: &&Waiting<T>| entry.project == project && entry.tenant.as_deref() == tenant;
        self.waiting().iter().filter(mine).map(|entry| entry.message.clone()).collect()
    }

    /// All messages, oldest first.
    pub(crate) fn all(&self) -> Vec<T> {
        self.waiting().iter().map(|entry| entry.message.clone()).collect()
    }

    /// Number of messages.
    pub(crate) fn len(&self) -> usize {
        self.waiting().len()
    }

    /// Changes messages in memory alone.
    pub(crate) fn alter(&self, change: impl FnMut(&mut T)) {
        self.waiting().iter_mut().map(|entry| &mut entry.message).for_each(change);
    }

    /// Changes messages.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) async fn change(&self, change: impl FnMut(&mut T)) -> Result<()> {
        self.alter(change);
        self.save().await
    }

    /// Drops the messages that `used` picks, from memory alone. Returns true if there were any.
    pub(crate) fn forget(&self, used: impl Fn(&T) -> bool) -> bool {
        let mut waiting = self.waiting();
        let before = waiting.len();
        waiting.retain(|entry| !used(&entry.message));
        before != waiting.len()
    }

    /// Drops the messages that `used` picks.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) async fn remove(&self, used: impl Fn(&T) -> bool) -> Result<()> {
        if self.forget(used) { self.save().await } else { Ok(()) }
    }

    async fn save(&self) -> Result<()> {
        if self.0.file.is_none() {
            return Ok(());
        }
        let outbox = Self(Arc::clone(&self.0));
        tokio::task::spawn_blocking(move || outbox.write())
            .await
            .map_err(|error| Error::internal("OutboxTask", "the outbox could not be written", error))?
    }

    fn write(&self) -> Result<()> {
        let Some(file) = &self.0.file else { return Ok(()) };
        let path = file.lock();
        let waiting = self.waiting().clone();
        let unwritable = |cause: std::io::Error| {
            let message = format!("cannot write the outbox {}: {cause}", path.display());
            Error::new(Code::FailedPrecondition, "OutboxUnwritable", message)
        };
        let next = path.with_extension("new");
        // A file left over from a write that a crash interrupted may have another mode.
        match fs::remove_file(&next) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(unwritable(error)),
            Ok(()) | Err(_) => {}
        }
        let mut text = Vec::new();
        for entry in &waiting {
            serde_json::to_writer(&mut text, entry)
                .map_err(|error| Error::internal("OutboxForm", "a message has no JSON form", error))?;
            text.push(b'\n');
        }
        let opened = fs::OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(&next);
        // Synced before it is renamed: otherwise a crash could leave half a file under the final name.
        opened
            .and_then(|mut file| {
                file.write_all(&text)?;
                file.sync_all()
            })
            .and_then(|()| fs::rename(&next, &*path))
            .and_then(|()| fs::File::open(folder_of(&path))?.sync_all())
            .map_err(unwritable)
    }
}

/// The mails waiting in an outbox's file, oldest first; none if there is no file.
///
/// # Errors
/// `OutboxUnreadable`: the file cannot be read.
pub fn waiting_mails(path: &Path) -> Result<Vec<Waiting<OobMessage>>> {
    read(path)
}

/// The messages of a file. An invalid line, such as one cut short by a failing disk, costs only that message.
fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<Waiting<T>>> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        bytes => bytes.map_err(|cause| {
            let message = format!("cannot read the outbox {}: {cause}", path.display());
            Error::new(Code::FailedPrecondition, "OutboxUnreadable", message)
        })?,
    };
    let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let (mut waiting, mut skipped) = (Vec::new(), 0_usize);
    for line in lines {
        match serde_json::from_slice(line) {
            Ok(message) => waiting.push(message),
            Err(_) => skipped += 1,
        }
    }
    if skipped > 0 {
        let file = path.display();
        tracing::warn!("the outbox {file} has {skipped} unreadable lines; they are left out");
    }
    Ok(waiting)
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn mail(code: &str) -> OobMessage {
        OobMessage {
            email: "ada@example.com".to_owned(),
            new_email: None,
            request_type: OobRequestType::VerifyEmail,
            oob_code: code.to_owned(),
            oob_link: format!("https://cards.example/{code}"),
        }
    }

    const NOW: Ts = Ts::from_micros(1_800_000_000_000_000);

    /// A mail that expires so many milliseconds from [`NOW`].
    fn waiting(code: &str, tenant: Option<&str>, expires_in: Option<u64>) -> Waiting<OobMessage> {
        Waiting {
            project: "demo".to_owned(),
            tenant: tenant.map(ToOwned::to_owned),
            expires_at: expires_in.map(|millis_left| millis(NOW) + millis_left),
            message: mail(code),
        }
    }

    fn codes(path: &Path) -> Vec<String> {
        waiting_mails(path).unwrap().into_iter().map(|one| one.message.oob_code).collect()
    }

    #[tokio::test]
    async fn a_file_of_the_servers_user_keeps_what_waits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("outbox.jsonl");
        let outbox = Outbox::in_file(path.clone()).unwrap();
        assert_eq!(waiting_mails(&path).unwrap(), []);
        // Left behind by a crash, readable by everybody.
        fs::write(path.with_extension("new"), "half a li").unwrap();
        outbox.push(waiting("a", None, None), NOW).await.unwrap();
        outbox.push(waiting("b", Some("t"), None), NOW).await.unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, FILE_MODE);
        let again = Outbox::<OobMessage>::in_file(path.clone()).unwrap();
        assert_eq!(again.list("demo", None), [mail("a")]);
        again.remove(|mail| mail.oob_code == "a").await.unwrap();
        assert_eq!(codes(&path), ["b"]);
    }

    #[tokio::test]
    async fn a_torn_line_costs_its_own_message_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("outbox.jsonl");
        let outbox = Outbox::in_file(path.clone()).unwrap();
        for code in ["a", "b"] {
            outbox.push(waiting(code, None, None), NOW).await.unwrap();
        }
        let mut torn = fs::read(&path).unwrap();
        torn.extend_from_slice(&torn.clone()[..30]);
        torn.extend_from_slice(b"\n\0\0\xff\n{}\n");
        fs::write(&path, torn).unwrap();
        let again = Outbox::in_file(path.clone()).unwrap();
        again.push(waiting("c", None, None), NOW).await.unwrap();
        assert_eq!(codes(&path), ["a", "b", "c"]);
    }

    #[tokio::test]
    async fn what_has_expired_is_dropped_when_another_comes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("outbox.jsonl");
        let outbox = Outbox::in_file(path.clone()).unwrap();
        for (code, expires_in) in [("soon", Some(1_000)), ("later", Some(1_001)), ("never", None)] {
            outbox.push(waiting(code, None, expires_in), NOW).await.unwrap();
        }
        let then = Ts::from_micros(NOW.micros() + 1_000_000);
        outbox.push(waiting("new", None, Some(9_000)), then).await.unwrap();
        assert_eq!(codes(&path), ["later", "never", "new"]);
    }

    #[tokio::test]
    async fn the_oldest_are_dropped() {
        let outbox = Outbox::default();
        for number in 0..=MAX_MESSAGES {
            outbox.push(waiting(&number.to_string(), None, None), NOW).await.unwrap();
        }
        let kept = outbox.list("demo", None);
        assert_eq!((kept.len(), kept[0].oob_code.as_str()), (MAX_MESSAGES, "1"));
    }
}
