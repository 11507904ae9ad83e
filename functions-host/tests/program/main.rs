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
mod doctor;
mod durable;
mod events;
mod exec;
mod exposure;
mod first_admin;
mod font_copies;
mod large_files;
mod mail;
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
mod tls;
mod transfer;
mod upgrade;
