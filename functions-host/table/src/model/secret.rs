//! Values that are read only where visibility is decided.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Permission to read a sealed value. Only `seen.rs` makes one, for a piece whose face somebody sees.
pub(crate) struct Grant(());

impl Grant {
    /// For `seen.rs` alone; a test looks for other callers.
    pub(super) fn new() -> Self {
        Self(())
    }
}

/// A value that only the holder of a [`Grant`] reads. It is stored with the state, and never printed.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Sealed<T>(T);

impl<T: Copy> Sealed<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(value)
    }

    pub(crate) fn open(&self, _: &Grant) -> T {
        self.0
    }
}

impl<T> fmt::Debug for Sealed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sealed")
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else {
                found.push(path);
            }
        }
    }

    #[test]
    fn only_seen_makes_grants() {
        let mut found = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
        let word = concat!("Grant", "::new");
        let makers: Vec<_> =
            found.iter().filter(|path| fs::read_to_string(path).unwrap().contains(word)).collect();
        assert_eq!(makers.len(), 1, "{makers:?}");
        assert!(makers[0].ends_with("model/seen.rs"));
    }

    #[test]
    fn a_sealed_value_is_not_printed() {
        assert_eq!(format!("{:?}", super::Sealed::new(4711)), "sealed");
    }
}
