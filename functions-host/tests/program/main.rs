//! The program as its users see it: started as a process, spoken to over the network.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test")]

mod callable;
mod exec;
mod serve;
mod server;
