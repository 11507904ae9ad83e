//! Functions: callable ones, and users' own in Node with the events they are run for.

pub mod callable;
pub(crate) mod events;
pub mod identity;
pub(crate) mod node;
