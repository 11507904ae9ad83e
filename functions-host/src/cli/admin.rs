//! `tuckbox admin`: the operator's commands on the data folder of a stopped server.

use std::io::Write;
use std::process::ExitCode;

use docstore::{Error, Result};

use crate::host::data_dir::DataDir;
use crate::host::settings::{Data, Mode, ServerArgs, Settings};
use crate::schema::opening::Older;
use crate::server::services::Services;

/// The claim that admits to the administrators' pages.
const ADMIN_CLAIM: &str = "admin";

/// Settings and command.
#[derive(Debug, clap::Args)]
pub struct AdminArgs {
    #[command(flatten)]
    server: ServerArgs,
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Make the account with this address an administrator (the claim `admin`)
    Grant {
        /// The account's e-mail address
        email: String,
    },
    /// Take it away again, and end the account's sessions
    Revoke {
        /// The account's e-mail address
        email: String,
    },
    /// Remove the second factors and recovery codes of an account whose owner has lost them, and end its sessions
    RemoveSecondFactor {
        /// The account's e-mail address
        email: String,
    },
}

/// Executes the command and prints the result.
///
/// # Errors
/// The data folder is in use or cannot be opened, or there is no such account.
pub async fn admin(args: &AdminArgs) -> Result<ExitCode> {
    let settings = Settings::new(&args.server, Mode::Serving)?;
    let Data::Folder(path) = &settings.data else {
        return Err(Error::invalid(
            "NoDataFolder",
            "a server in memory has no accounts to administer from here: leave out --in-memory",
        ));
    };
    let data_dir = DataDir::take(path)?;
    let url = settings.public_url.clone().unwrap_or_else(|| "http://localhost".to_owned());
    let services = Services::open(&settings, Some(&data_dir), &url, &Older::refuse(&settings)).await?;
    let done = act(&args.action, &services).await;
    services.close().await?;
    let said = done?;
    writeln!(std::io::stdout(), "{said}")
        .map_err(|error| Error::internal("NoStdout", "done, but stdout cannot be written", error))?;
    Ok(ExitCode::SUCCESS)
}

async fn act(action: &Action, services: &Services) -> Result<String> {
    match action {
        Action::Grant { email } => {
            services.accounts().grant_claim(email, ADMIN_CLAIM).await?;
            Ok(format!("{email} is an administrator from the next sign-in or token refresh on."))
        }
        Action::Revoke { email } => {
            services.accounts().revoke_claim(email, ADMIN_CLAIM).await?;
            Ok(format!("{email} is no administrator any more; all sessions of the account are ended."))
        }
        Action::RemoveSecondFactor { email } => {
            let removed = services.accounts().remove_second_factors(email).await?;
            let factors = if removed == 1 { "factor" } else { "factors" };
            Ok(format!(
                "{email} has no second factor any more ({removed} {factors} removed); all sessions of the account are ended."
            ))
        }
    }
}
