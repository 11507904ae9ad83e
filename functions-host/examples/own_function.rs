//! A server with a custom function beside the product's; takes the arguments of `tuckbox serve`. The benchmark of
//! functions calls its echo.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use docstore::{Error, Result};
use functions_host::functions::callable::{CallError, Context, Function};
use functions_host::host::settings::ServerArgs;
use functions_host::server::serve_with;
use serde_json::Value;

#[derive(Parser)]
struct Args {
    #[command(flatten)]
    server: ServerArgs,
}

/// Returns its data.
async fn echo(_: Context, data: Value) -> Result<Value, CallError> {
    Ok(data)
}

fn main() -> ExitCode {
    let Args { server } = Args::parse();
    _ = rustls::crypto::ring::default_provider().install_default();
    let ran = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::internal("NoRuntime", "cannot start threads", error))
        .and_then(|runtime| runtime.block_on(serve_with(&server, vec![Function::new("nativeEcho", echo)])));
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            _ = writeln!(std::io::stderr(), "own_function: {}", error.message());
            ExitCode::FAILURE
        }
    }
}
