//! Reads the rules for documents again whenever their file changes.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::{Duration, SystemTime};

use docstore::Result;
use docstore::access::SecurityRules;

/// How often the file is looked at for a change.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What a file looked like when it was last read.
type Stamp = Option<(SystemTime, u64)>;

/// A rules file that is in force.
pub(super) struct RulesFile {
    path: PathBuf,
    stamp: Stamp,
}

impl RulesFile {
    /// Puts the file in force.
    pub(super) fn load(policy: &SecurityRules, path: PathBuf) -> Result<Self> {
        let stamp = stamp(&path);
        super::install(policy, &path)?;
        Ok(Self { path, stamp })
    }

    /// Reads the file again if it has changed. True if there are new rules; with an error the old ones stay.
    fn reload(&mut self, policy: &SecurityRules) -> Result<bool> {
        let now = stamp(&self.path);
        if now == self.stamp {
            return Ok(false);
        }
        self.stamp = now;
        super::install(policy, &self.path)?;
        Ok(true)
    }

    /// Keeps the policy up to date with the file until the policy is gone. Does nothing outside a runtime.
    pub(super) fn follow(self, policy: &Arc<SecurityRules>) {
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(follow(self, Arc::downgrade(policy)));
        }
    }
}

fn stamp(path: &Path) -> Stamp {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

async fn follow(mut file: RulesFile, policy: Weak<SecurityRules>) {
    let mut look = tokio::time::interval(LOOK_EVERY);
    loop {
        look.tick().await;
        let Some(policy) = policy.upgrade() else { return };
        let reloaded = tokio::task::spawn_blocking(move || {
            let outcome = file.reload(&policy);
            (file, outcome)
        });
        let Ok((returned, outcome)) = reloaded.await else { return };
        file = returned;
        match outcome {
            Ok(true) => tracing::info!(file = %file.path.display(), "new rules are in force"),
            Ok(false) => {}
            Err(error) => tracing::error!("{}; the old rules stay in force", error.message()),
        }
    }
}

#[cfg(test)]
mod tests {
    use docstore::access::RulesOptions;

    use super::*;

    const OPEN: &str = "rules_version = '2';
service cloud.firestore { match /databases/{db}/documents { match /{all=**} { allow read; } } }";

    #[test]
    fn a_changed_file_is_read_again_and_a_broken_one_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my.rules");
        let policy = SecurityRules::new(RulesOptions { coverage: true, ..RulesOptions::default() });
        assert_eq!(RulesFile::load(&policy, path.clone()).err().unwrap().tag(), "RulesUnreadable");
        std::fs::write(&path, OPEN).unwrap();
        let mut file = RulesFile::load(&policy, path.clone()).unwrap();
        assert!(!file.reload(&policy).unwrap());
        let in_force = || policy.coverage("p").unwrap()["rules"]["files"][0]["content"].clone();
        assert_eq!(in_force(), OPEN);
        std::fs::write(&path, "rules_version = '2'; service cloud.firestore {").unwrap();
        let error = file.reload(&policy).unwrap_err();
        assert_eq!(error.tag(), "RulesInvalid");
        assert!(error.message().contains("my.rules:1: "), "{}", error.message());
        assert_eq!(in_force(), OPEN);
        std::fs::write(&path, super::super::BUILT_IN_DOCUMENTS).unwrap();
        assert!(file.reload(&policy).unwrap());
        assert_eq!(in_force(), super::super::BUILT_IN_DOCUMENTS);
    }
}
