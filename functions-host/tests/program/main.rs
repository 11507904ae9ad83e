//! Tests of the program from outside: started as a process, called over the network.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test")]

mod accounts;
mod checkout;
mod console;
mod controls;
mod copies;
mod data;
mod doctor;
mod exec;
mod exposure;
mod first_admin;
mod font_copies;
mod functions;
mod mail;
mod only;
mod playtests;
mod product;
mod proxies;
mod serve;
mod server;
mod suite;
mod table;
mod tls;
mod transfer;
mod versions;
