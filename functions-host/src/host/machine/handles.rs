//! File handles: the process's limit, and the part of it available to connections.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::host::listeners::MAX_CONNECTIONS;

/// Handles reserved for the log, the view, the ports and the functions' processes.
const KEPT_HANDLES: u64 = 256;
/// Handles counted per connection: it sometimes reads a file or calls a function's process.
const PER_CONNECTION: u64 = 2;

/// Raises the limit of open files to the system's maximum for this process. If that fails the limit stays.
pub fn raise() {
    let found = getrlimit(Resource::Nofile);
    if found.current == found.maximum {
        return;
    }
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: found.maximum, maximum: found.maximum })
    {
        tracing::debug!(%error, "the limit of open files could not be raised");
    }
}

/// Most open files; `None` for no limit.
pub fn limit() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// Most open connections under this limit of open files: more wait in the kernel's queue, so that the store always has
/// handles.
pub fn connections(limit: Option<u64>) -> usize {
    let Some(limit) = limit else { return MAX_CONNECTIONS };
    let left = limit.saturating_sub(KEPT_HANDLES.min(limit / 2)) / PER_CONNECTION;
    usize::try_from(left).unwrap_or(MAX_CONNECTIONS).clamp(1, MAX_CONNECTIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_never_take_all_handles() {
        for (limit, wanted) in [(64, 16), (256, 64), (1_024, 384), (20_000, MAX_CONNECTIONS)] {
            assert_eq!(connections(Some(limit)), wanted, "{limit}");
        }
        assert_eq!(connections(None), MAX_CONNECTIONS);
    }

    #[test]
    fn the_limit_is_raised_to_what_is_allowed() {
        let before = getrlimit(Resource::Nofile);
        let lowered = Rlimit { current: before.maximum.map(|most| most.min(512)), maximum: before.maximum };
        setrlimit(Resource::Nofile, lowered).unwrap();
        raise();
        assert_eq!(getrlimit(Resource::Nofile).current, before.maximum);
    }
}
