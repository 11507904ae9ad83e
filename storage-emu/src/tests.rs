//! Tests over the router: wire behaviour, and properties that hold under any failure.

mod administration;
mod attacks;
mod batches;
mod bombs;
mod checksums;
mod cloud;
mod contexts;
mod firebase;
mod held;
mod lost;
mod moves;
mod owners;
mod polyglots;
mod races;
mod resumable;
mod safety;
mod support;
mod ways;
