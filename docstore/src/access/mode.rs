//! The two modes of a server.

/// Trust in callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Real users: only verified identity counts, passwords are hashed slowly, attempts are limited, files keep the
    /// types their bytes have, and the emulator's endpoints do not exist.
    #[default]
    Serving,
    /// Tests and development: `Bearer owner` has all rights, unsigned tokens are accepted, codes can be read, any bucket
    /// exists, and the emulator's endpoints answer.
    Emulator,
}

impl Mode {
    /// Its name on the command line and in `/__/firebase/init.json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Serving => "serving",
            Self::Emulator => "emulator",
        }
    }
}
