//! Data folders: durability, encryption at rest, large files, backups and upgrades.

mod at_rest;
mod backups;
mod bucket_backups;
mod data_folders;
mod durable;
mod large_files;
mod log_copies;
mod shared_store;
mod upgrade;
