//! The tuckbox server: configuration, ports, callable functions and hosting in one program.
//!
//! Every service's port and the hosting port share one kind of listener ([`host::listeners`]). The invoker
//! ([`server::invoker`]) passes a request to a callable function if it addresses one ([`functions::callable`]), otherwise
//! to the router of all services; everything else goes to hosting ([`hosting`]), which serves the application.

mod backup;
pub mod cli;
pub mod emulator;
mod file_address;
mod font_files;
pub mod functions;
pub mod host;
pub mod hosting;
mod image_files;
mod library;
pub mod policies;
pub mod product;
mod project;
pub mod schema;
pub mod server;
mod striped_lock;
pub mod table;
pub mod transfer;

/// The program's version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Default region of functions.
pub const DEFAULT_REGION: &str = "us-central1";
