//! Second factors: their enrolment, sign-in with them, and codes on paper that stand in for a lost one.

pub(crate) mod enrollment;
pub(crate) mod recovery;
pub(crate) mod sign_in;
pub(crate) mod totp;
