//! Transactions of callable functions that meet conflicts.

use docstore::Code;

use super::CallError;

/// Attempts of a transaction that meets conflicts.
const MAX_ATTEMPTS: usize = 5;

/// Runs a transaction and retries it on conflicts; each attempt reads everything again.
///
/// # Errors
/// Those of the last attempt.
pub(crate) async fn retried<T, F>(attempt: impl Fn() -> F) -> Result<T, CallError>
where
    F: Future<Output = Result<T, CallError>>,
{
    let mut attempts = 0;
    loop {
        attempts += 1;
        match attempt().await {
            Err(error) if error.code() == Code::Aborted && attempts < MAX_ATTEMPTS => {}
            outcome => break outcome,
        }
    }
}
