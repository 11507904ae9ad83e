//! Real exchanges over the three wires, against a server on a port of its own.

#[path = "wire/grpc.rs"]
mod grpc;
#[path = "wire/listen.rs"]
mod listen;
#[path = "wire/rest.rs"]
mod rest;
#[path = "wire/server.rs"]
mod server;
#[path = "wire/webchannel.rs"]
mod webchannel;
