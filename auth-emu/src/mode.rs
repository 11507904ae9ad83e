//! The two modes of the service.

/// Trust in callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Real users: signed tokens, slow hashes, limits, no administrator over the wire.
    #[default]
    Serving,
    /// Developers and tests: unsigned tokens, `Bearer owner`, visible codes.
    Emulator,
}
