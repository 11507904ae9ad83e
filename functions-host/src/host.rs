//! The server itself: what it is told to do, its ports, and what holds for every request.

pub mod addresses;
pub(crate) mod blocking;
pub(crate) mod clock;
pub mod config;
pub(crate) mod confinement;
pub(crate) mod control;
pub mod data_dir;
pub(crate) mod environment;
pub mod fair;
pub mod health;
pub(crate) mod hosts;
pub(crate) mod journal;
pub mod lifecycle;
pub mod listeners;
pub mod logging;
pub mod machine;
pub mod metrics;
pub mod networks;
pub mod origin;
pub mod private;
pub mod request_id;
pub mod settings;
pub(crate) mod sockets;
pub mod tls;
pub(crate) mod words;
