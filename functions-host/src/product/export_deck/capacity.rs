//! Number and size of exports that this machine has memory for.

use std::time::Duration;

use super::run::Bounds;
use crate::host::confinement::Limits;

const MIB: u64 = 1 << 20;

/// Exports running at once, at most: they are made of processor time, too.
const MAX_AT_ONCE: u64 = 2;

/// Most resident memory of one export, in bytes.
const MAX_RESIDENT: u64 = 1024 * MIB;

/// Resident memory that an export needs to be of use, in bytes.
const MIN_RESIDENT: u64 = 256 * MIB;

/// Memory left to the server, in bytes, or a share of the total if that is more.
const RESERVE: u64 = 512 * MIB;
const RESERVED_SHARE: u64 = 4;

/// Memory that an export may allocate beyond what may be resident: of that, much is never used. It also bounds how far
/// it grows between two looks at its memory.
const ALLOCATED_UNUSED: u64 = 1024 * MIB;

/// Longest run. The wall time equals the processor time, because the program works alone.
const TIME: Duration = Duration::from_secs(60);

/// Exports at once, and the limits of each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Capacity {
    pub(super) at_once: usize,
    pub(super) bounds: Bounds,
}

impl Capacity {
    /// For a machine with `total` bytes of memory; `None` if unknown.
    pub(super) fn of(total: Option<u64>) -> Self {
        let spare = total.map_or(u64::MAX, |total| total.saturating_sub(RESERVE.max(total / RESERVED_SHARE)));
        let at_once = (spare / MAX_RESIDENT).clamp(1, MAX_AT_ONCE);
        let resident = (spare / at_once).clamp(MIN_RESIDENT, MAX_RESIDENT);
        let bounds = Bounds {
            time: TIME,
            resident,
            limits: Limits {
                data: resident + ALLOCATED_UNUSED,
                // The program's canvas is backed by a file, too.
                file: 128 * MIB,
                processor: TIME,
                niceness: 10,
            },
        };
        Self { at_once: usize::try_from(at_once).unwrap_or(1), bounds }
    }

    /// Option of Node that limits JavaScript's heap; pixels and files lie outside it.
    pub(super) fn heap_option(&self) -> String {
        format!("--max-old-space-size={}", self.bounds.resident / 2 / MIB)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Capacity, MIB, MIN_RESIDENT, RESERVE};

    #[test]
    fn a_small_host_makes_one_export_at_a_time() {
        let of = |mebibytes: u64| {
            let Capacity { at_once, bounds } = Capacity::of(Some(mebibytes * MIB));
            (at_once, bounds.resident / MIB)
        };
        assert_eq!(of(512), (1, 256));
        assert_eq!(of(1024), (1, 512));
        assert_eq!(of(2048), (1, 1024));
        assert_eq!(of(4096), (2, 1024));
        assert_eq!(of(65_536), (2, 1024));
        assert_eq!(Capacity::of(None).at_once, 2);
        assert_eq!(Capacity::of(Some(2048 * MIB)).heap_option(), "--max-old-space-size=512");
    }

    proptest! {
        /// Property: exports and the server's reserve fit into the memory of every host that has room for one export.
        #[test]
        fn exports_leave_the_server_its_reserve(total in RESERVE + MIN_RESIDENT..1 << 40) {
            let Capacity { at_once, bounds } = Capacity::of(Some(total));
            prop_assert!(u64::try_from(at_once).unwrap() * bounds.resident + RESERVE <= total);
        }
    }
}
