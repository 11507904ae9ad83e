//! The tuckbox server: configuration, ports, callable functions and hosting in one program.
//!
//! Every service's port and the hosting port share one kind of listener ([`listeners`]). The invoker ([`entry`]) passes
//! a request to a callable function if it addresses one ([`callable`]), otherwise to the router of all services;
//! everything else goes to hosting ([`hosting`]), which serves the application.

pub mod addresses;
pub mod admin;
pub mod callable;
pub mod checkout;
pub mod cli;
mod clock;
pub mod config;
mod confinement;
mod console;
pub mod data_dir;
pub mod doctor;
pub mod entry;
mod events;
pub mod exec;
pub mod export_deck;
pub mod fair;
pub mod handles;
pub mod health;
pub mod hosting;
mod hosts;
pub mod hub;
pub mod identity;
mod indexes;
mod journal;
pub mod lifecycle;
pub mod listeners;
pub mod logging;
pub mod metrics;
pub mod move_data;
pub mod networks;
mod node;
pub mod origin;
pub mod outbox;
pub mod plans;
pub mod policies;
pub mod private;
pub mod product;
pub mod request_id;
pub mod server;
pub mod services;
pub mod settings;
pub mod transfer;

/// The program's version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Default region of functions.
pub const DEFAULT_REGION: &str = "us-central1";
