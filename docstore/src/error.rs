//! The error type and its mapping to every wire protocol.
//!
//! An [`Error`] carries a canonical [`Code`], a stable `tag` for tests and metrics, a message that is safe to show to
//! the caller, and an optional private source for the log.

use std::error::Error as StdError;
use std::fmt;

/// Result of every fallible operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The sixteen canonical failure codes (`OK` is not an error and has no variant).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Code {
    /// The caller cancelled the operation.
    Cancelled = 1,
    /// An error that fits no other code.
    Unknown = 2,
    /// The request is invalid in every state of the system.
    InvalidArgument = 3,
    /// The time limit was exceeded.
    DeadlineExceeded = 4,
    /// The requested entity does not exist.
    NotFound = 5,
    /// The entity to be created already exists.
    AlreadyExists = 6,
    /// The caller is known but lacks permission.
    PermissionDenied = 7,
    /// A quota or limit is used up.
    ResourceExhausted = 8,
    /// The system is not in the state the request needs.
    FailedPrecondition = 9,
    /// Contention: the caller may retry the whole transaction.
    Aborted = 10,
    /// The value is past the valid range.
    OutOfRange = 11,
    /// Not offered by this server.
    Unimplemented = 12,
    /// An invariant is broken.
    Internal = 13,
    /// Temporarily unreachable: retry later.
    Unavailable = 14,
    /// Data is lost or corrupt for good.
    DataLoss = 15,
    /// Valid credentials are missing.
    Unauthenticated = 16,
}

impl Code {
    /// All codes, in numeric order.
    pub const ALL: [Self; 16] = [
        Self::Cancelled,
        Self::Unknown,
        Self::InvalidArgument,
        Self::DeadlineExceeded,
        Self::NotFound,
        Self::AlreadyExists,
        Self::PermissionDenied,
        Self::ResourceExhausted,
        Self::FailedPrecondition,
        Self::Aborted,
        Self::OutOfRange,
        Self::Unimplemented,
        Self::Internal,
        Self::Unavailable,
        Self::DataLoss,
        Self::Unauthenticated,
    ];

    /// Number of the code in gRPC.
    pub const fn number(self) -> i32 {
        self as i32
    }

    /// The canonical upper-case name, as in `error.status`.
    pub const fn status(self) -> &'static str {
        match self {
            Self::Cancelled => "CANCELLED",
            Self::Unknown => "UNKNOWN",
            Self::InvalidArgument => "INVALID_ARGUMENT",
            Self::DeadlineExceeded => "DEADLINE_EXCEEDED",
            Self::NotFound => "NOT_FOUND",
            Self::AlreadyExists => "ALREADY_EXISTS",
            Self::PermissionDenied => "PERMISSION_DENIED",
            Self::ResourceExhausted => "RESOURCE_EXHAUSTED",
            Self::FailedPrecondition => "FAILED_PRECONDITION",
            Self::Aborted => "ABORTED",
            Self::OutOfRange => "OUT_OF_RANGE",
            Self::Unimplemented => "UNIMPLEMENTED",
            Self::Internal => "INTERNAL",
            Self::Unavailable => "UNAVAILABLE",
            Self::DataLoss => "DATA_LOSS",
            Self::Unauthenticated => "UNAUTHENTICATED",
        }
    }

    /// HTTP status for this code in REST replies and callable functions.
    pub const fn http(self) -> u16 {
        match self {
            Self::InvalidArgument | Self::FailedPrecondition | Self::OutOfRange => 400,
            Self::Unauthenticated => 401,
            Self::PermissionDenied => 403,
            Self::NotFound => 404,
            Self::AlreadyExists | Self::Aborted => 409,
            Self::ResourceExhausted => 429,
            Self::Cancelled => 499,
            Self::Unknown | Self::Internal | Self::DataLoss => 500,
            Self::Unimplemented => 501,
            Self::Unavailable => 503,
            Self::DeadlineExceeded => 504,
        }
    }

    /// The code with this canonical upper-case name.
    pub fn from_status(status: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.status() == status)
    }
}

/// An error with its code, tag and message for the caller.
#[derive(Debug)]
pub struct Error {
    code: Code,
    tag: &'static str,
    message: String,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    /// An error of kind `code`. `tag` is the stable CamelCase name of this particular error; `message` is shown to the
    /// caller and says what is wrong and what to do.
    pub fn new(code: Code, tag: &'static str, message: impl Into<String>) -> Self {
        Self { code, tag, message: message.into(), source: None }
    }

    /// [`Code::InvalidArgument`].
    pub fn invalid(tag: &'static str, message: impl Into<String>) -> Self {
        Self::new(Code::InvalidArgument, tag, message)
    }

    /// [`Code::Internal`]; the caller sees `message`, only the log sees `source`.
    pub fn internal(
        tag: &'static str,
        message: impl Into<String>,
        source: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> Self {
        Self::new(Code::Internal, tag, message).with_source(source)
    }

    /// Adds the private cause.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The canonical code.
    pub const fn code(&self) -> Code {
        self.code
    }

    /// Stable name of this error.
    pub const fn tag(&self) -> &'static str {
        self.tag
    }

    /// Message for the caller.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.status(), self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// Error of a transaction that conflicts with another commit.
pub(crate) fn contention() -> Error {
    Error::new(Code::Aborted, "Contention", "Too much contention on these documents. Please try again.")
}
