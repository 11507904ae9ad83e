//! Serves file storage alone, in emulator mode, for test suites.
//!
//! `serve_files [--port N] [--folder DIR | --s3 DIR] [--project ID] [--user-bytes N]`: bytes are in memory unless a
//! folder is given; with `--s3` they are kept by an S3-compatible service that runs beside it over the folder. Prints
//! `ready: http://127.0.0.1:PORT` once it accepts connections. Tokens are unsigned ones, as the emulator suite issues
//! them, and `owner`.
#![expect(clippy::print_stdout, reason = "the address is this program's output")]

#[path = "support/s3.rs"]
mod s3;
#[path = "support/unsigned.rs"]
mod unsigned;

use std::error::Error as StdError;
use std::sync::Arc;

use axum::serve::ListenerExt;
use docstore::Store;
use docstore::access::Mode;
use docstore::clock::SystemClock;
use storage_emu::{BlobOptions, Limits, OwnSubtree, S3Options, S3Waits, StorageOptions, StorageState};

#[tokio::main]
async fn main() -> Result<(), Box<dyn StdError>> {
    let mut port = 0_u16;
    let mut blobs = BlobOptions::Memory;
    let mut project = "demo-tuckbox".to_owned();
    let mut limits = Limits::of(Mode::Emulator);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let value = arguments.next().ok_or("every option needs a value")?;
        match argument.as_str() {
            "--port" => port = value.parse()?,
            "--folder" => blobs = BlobOptions::Folder(value.into()),
            "--project" => project = value,
            "--user-bytes" => limits.user_bytes = value.parse()?,
            "--s3" => {
                blobs = BlobOptions::S3(S3Options {
                    bucket: s3::BUCKET.to_owned(),
                    endpoint: Some(s3::serve(value.as_ref()).await?),
                    region: s3::REGION.to_owned(),
                    credentials: Some((s3::KEYS.0.to_owned(), s3::KEYS.1.to_owned())),
                    waits: S3Waits::default(),
                });
            }
            other => return Err(format!("unknown option {other}").into()),
        }
    }
    let state = StorageState::new(StorageOptions {
        store: Store::in_memory().await?,
        project,
        mode: Mode::Emulator,
        clock: Arc::new(SystemClock),
        blobs,
        authenticator: Arc::new(unsigned::Unsigned),
        access: Arc::new(OwnSubtree),
        limits,
        active_svg: false,
        quotas: None,
    })?;
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    println!("ready: http://{}", listener.local_addr()?);
    // Without this the end of every reply waits for the client's delayed acknowledgement.
    let listener = listener.tap_io(|connection| _ = connection.set_nodelay(true));
    axum::serve(listener, storage_emu::router(state)).await?;
    Ok(())
}
