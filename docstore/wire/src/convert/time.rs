//! Points in time.

use prost_types::Timestamp as Message;

use docstore::error::{Error, Result};
use docstore::model::{Timestamp, Ts};

/// A field's value; finer than a microsecond is cut off.
pub(crate) fn to_timestamp(message: &Message) -> Result<Timestamp> {
    Timestamp::from_parts(message.seconds, message.nanos).ok_or_else(|| {
        Error::invalid(
            "Timestamp",
            format!(
                "Timestamp {{seconds: {}, nanos: {}}} is outside the years 1 to 9999.",
                message.seconds, message.nanos
            ),
        )
    })
}

/// The message for a field's value.
pub(crate) fn from_timestamp(timestamp: Timestamp) -> Message {
    let (seconds, nanos) = timestamp.parts();
    Message { seconds, nanos }
}

/// A version or a read time.
pub(crate) fn to_ts(message: &Message) -> Result<Ts> {
    let timestamp = to_timestamp(message)?;
    u64::try_from(timestamp.0)
        .map(Ts::from_micros)
        .map_err(|_| Error::invalid("Timestamp", "A read or update time cannot lie before 1970."))
}

/// The message for a version or a read time.
pub(crate) fn from_ts(ts: Ts) -> Message {
    from_timestamp(Timestamp(i64::try_from(ts.micros()).unwrap_or(i64::MAX)))
}
