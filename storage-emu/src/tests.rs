//! Tests over the router: what goes over the wire, and what holds whatever goes wrong.

mod attacks;
mod cloud;
mod firebase;
mod resumable;
mod safety;
mod support;
