//! Reloads rules whenever their file changes.

use std::path::{Path, PathBuf};

use docstore::Result;

use crate::host::machine::stamp::{Reload, Stamp, follow, stamp};

/// Activates a file's rules; `None` once the policy has been dropped.
type Install = Box<dyn Fn(&Path) -> Option<Result<()>> + Send>;

/// An active rules file.
pub(super) struct RulesFile {
    path: PathBuf,
    stamp: Stamp,
    install: Install,
}

impl RulesFile {
    /// Activates the file.
    pub(super) fn load(
        path: PathBuf,
        install: impl Fn(&Path) -> Option<Result<()>> + Send + 'static,
    ) -> Result<Self> {
        let stamp = stamp(&path);
        install(&path).transpose()?;
        Ok(Self { path, stamp, install: Box::new(install) })
    }

    /// A file that does not exist yet.
    pub(super) fn missing(
        path: PathBuf,
        install: impl Fn(&Path) -> Option<Result<()>> + Send + 'static,
    ) -> Self {
        Self { path, stamp: None, install: Box::new(install) }
    }

    /// Follows the file until the policy is dropped. Does nothing outside a runtime.
    pub(super) fn follow(self) {
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(follow(self));
        }
    }
}

impl Reload for RulesFile {
    const NAME: &'static str = "rules";
    const KEPT: &'static str = "the old rules stay active";

    fn file(&self) -> &Path {
        &self.path
    }

    /// `None` once the policy has been dropped.
    fn reload(&mut self) -> Option<Result<bool>> {
        let now = stamp(&self.path);
        if now == self.stamp {
            return Some(Ok(false));
        }
        self.stamp = now;
        Some((self.install)(&self.path)?.map(|()| true))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use docstore::Store;
    use docstore::access::{Caller, RulesOptions, SecurityRules};
    use docstore::model::Ts;
    use storage_emu::{Method, Request, RulesAccess, StorageAccess};

    use super::*;

    const OPEN: &str = "rules_version = '2';
service cloud.firestore { match /databases/{db}/documents { match /{all=**} { allow read; } } }";

    #[test]
    fn a_changed_file_is_read_again_and_a_broken_one_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my.rules");
        let policy = SecurityRules::new(RulesOptions { coverage: true, ..RulesOptions::default() });
        let policy = Arc::new(policy);
        let install = || super::super::for_documents(&policy);
        assert_eq!(RulesFile::load(path.clone(), install()).err().unwrap().tag(), "RulesUnreadable");
        let mut missing = RulesFile::missing(path.clone(), install());
        assert!(!missing.reload().unwrap().unwrap(), "it does not exist yet");
        std::fs::write(&path, OPEN).unwrap();
        let mut file = RulesFile::load(path.clone(), install()).unwrap();
        assert!(!file.reload().unwrap().unwrap());
        assert!(missing.reload().unwrap().unwrap(), "now it does");
        let in_force = || policy.coverage("p").unwrap()["rules"]["files"][0]["content"].clone();
        assert_eq!(in_force(), OPEN);
        std::fs::write(&path, "rules_version = '2'; service cloud.firestore {").unwrap();
        let error = file.reload().unwrap().unwrap_err();
        assert_eq!(error.tag(), "RulesInvalid");
        assert!(error.message().contains("my.rules:1: "), "{}", error.message());
        assert_eq!(in_force(), OPEN);
        std::fs::write(&path, super::super::BUILT_IN_DOCUMENTS).unwrap();
        assert!(file.reload().unwrap().unwrap());
        assert_eq!(in_force(), super::super::BUILT_IN_DOCUMENTS);
    }

    #[tokio::test]
    async fn rules_for_files_are_followed_too_until_nobody_uses_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("storage.rules");
        std::fs::write(&path, super::super::CLOSED_FILES).unwrap();
        let store = Store::in_memory().await.unwrap();
        let policy = RulesAccess::new(store, "p", "open rules", super::super::OPEN_FILES).unwrap();
        let policy = Arc::new(policy);
        let mut file = RulesFile::load(path.clone(), super::super::for_files(&policy)).unwrap();
        let now = Ts::from_micros(1);
        let get = || {
            let (caller, method, bucket) = (&Caller::Anonymous, Method::Get, "b");
            policy.allows(Request { caller, method, bucket, path: "a.png", before: None, after: None, now })
        };
        assert!(!get().await.unwrap(), "the file is in force");
        std::fs::write(&path, super::super::OPEN_FILES).unwrap();
        assert!(file.reload().unwrap().unwrap());
        assert!(get().await.unwrap());
        std::fs::write(&path, "service firebase.storage {").unwrap();
        assert_eq!(file.reload().unwrap().unwrap_err().tag(), "RulesInvalid");
        assert!(get().await.unwrap(), "the old rules stay");
        drop(policy);
        std::fs::write(&path, super::super::CLOSED_FILES).unwrap();
        assert!(file.reload().is_none());
    }
}
