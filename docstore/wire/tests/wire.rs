//! Real exchanges over the three wires, against a server on a port of its own.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "the helpers of these tests fail the test")]

#[path = "wire/bodies.rs"]
mod bodies;
#[path = "wire/grpc.rs"]
mod grpc;
#[path = "wire/listen.rs"]
mod listen;
#[path = "wire/lists.rs"]
mod lists;
#[path = "wire/rest.rs"]
mod rest;
#[path = "wire/server.rs"]
mod server;
#[path = "wire/shares.rs"]
mod shares;
#[path = "wire/time.rs"]
mod time;
#[path = "wire/validity.rs"]
mod validity;
#[path = "wire/webchannel.rs"]
mod webchannel;
