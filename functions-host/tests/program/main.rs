//! Tests of the program from outside: started as a process, called over the network.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test")]

mod accounts;
mod at_rest;
mod backups;
mod callable;
mod checkout;
mod console;
mod contained;
mod controls;
mod copies;
mod data_folders;
mod durable;
mod events;
mod exec;
mod exposure;
mod font_copies;
mod large_files;
mod only;
mod own;
mod playtests;
mod product;
mod protocol;
mod proxies;
mod serve;
mod server;
mod serving_functions;
mod suite;
mod table_client;
mod table_feedback;
mod table_games;
mod table_guests;
mod table_replays;
mod transfer;
mod upgrade;
mod versions;
