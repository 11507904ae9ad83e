//! Tests over the router: what goes over the wire, and what holds whatever goes wrong.

mod administration;
mod attacks;
mod bombs;
mod cloud;
mod firebase;
mod polyglots;
mod races;
mod resumable;
mod safety;
mod support;
mod ways;
