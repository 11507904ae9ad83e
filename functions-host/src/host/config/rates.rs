//! Write-rate limits and their defaults.

/// Write-rate limits of one caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rates {
    /// Documents written, including deletions.
    pub documents: Rate,
    /// Bytes of names and field values.
    pub bytes: Rate,
}

/// A burst and its refill rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Largest burst.
    pub burst: u64,
    /// Refill per minute.
    pub a_minute: u64,
}

impl Default for Rates {
    /// 20,000 documents or 64 MiB, then 1,200 documents and 8 MiB a minute: a large project is imported at once, and
    /// typing or rearranging never reaches the limit.
    fn default() -> Self {
        Self {
            documents: Rate { burst: 20_000, a_minute: 1_200 },
            bytes: Rate { burst: 64 * 1024 * 1024, a_minute: 8 * 1024 * 1024 },
        }
    }
}
