//! Values as this wire writes them: enumerations, lenient strings, points in time.

pub(super) mod enums;
pub(super) mod lenient;
pub(super) mod time;
