//! `tuckbox admin`: the operator's commands on accounts, of a running server or on the data folder of a stopped one.

use std::process::ExitCode;

use docstore::access::Mode;
use docstore::{Error, Result};

use super::order::order;
use super::say;
use crate::host::control::Answer;
use crate::host::data_dir::DataDir;
use crate::host::settings::{Data, ServerArgs, Settings};
use crate::schema::opening::Older;
use crate::server::operator::{self, AdminAction};
use crate::server::services::Services;

/// Settings and command.
#[derive(Debug, clap::Args)]
pub struct AdminArgs {
    #[command(flatten)]
    server: ServerArgs,
    #[command(subcommand)]
    action: AdminAction,
}

/// Executes the command and prints the result.
///
/// # Errors
/// The data folder cannot be opened, or there is no such account.
pub async fn admin(args: &AdminArgs) -> Result<ExitCode> {
    let settings = Settings::new(&args.server, Mode::Serving)?;
    let Data::Folder(path) = &settings.data else {
        return Err(Error::invalid(
            "NoDataFolder",
            "a server in memory has no accounts to administer from here: leave out --in-memory",
        ));
    };
    let stopped = async |data_dir: &DataDir| of_stopped(&settings, data_dir, &args.action).await;
    let answer = order(path, operator::ADMIN, &args.action, stopped).await?;
    say(&answer.said)?;
    Ok(ExitCode::SUCCESS)
}

async fn of_stopped(settings: &Settings, data_dir: &DataDir, action: &AdminAction) -> Result<Answer> {
    let url = settings.public_url.clone().unwrap_or_else(|| "http://localhost".to_owned());
    let services = Services::open(settings, Some(data_dir), &url, &Older::refuse(settings)).await?;
    let done = action.act(services.accounts()).await;
    services.close().await?;
    done
}
