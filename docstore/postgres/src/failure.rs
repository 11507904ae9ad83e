//! Failures of PostgreSQL in words that say what to do.

use std::error::Error as _;

use docstore::engine::shared::outcome_unknown;
use docstore::{Code, Error};
use tokio_postgres::error::{DbError, Severity, SqlState};

use crate::address::Address;

/// True if PostgreSQL itself refused the statement, and so nothing of it has happened.
pub(crate) fn is_refusal(error: &tokio_postgres::Error) -> bool {
    error.as_db_error().is_some_and(|refused| refused.parsed_severity() == Some(Severity::Error))
}

/// The error of a change: without a refusal its outcome is unknown.
pub(crate) fn of_change(address: &Address, error: tokio_postgres::Error) -> Error {
    if is_refusal(&error) { of(address, error) } else { outcome_unknown().with_source(error) }
}

/// The error of a connection or a question.
pub(crate) fn of(address: &Address, error: tokio_postgres::Error) -> Error {
    let named = match error.as_db_error() {
        Some(refused) => of_server(address, refused),
        None => of_way(address, &error),
    };
    named.with_source(error)
}

/// The error of a server that does not take writes.
pub(crate) fn read_only(address: &Address) -> Error {
    Error::new(
        Code::Unavailable,
        "DatabaseReadOnly",
        format!(
            "{address} takes no writes: it is a standby, or read-only by its settings. Name the primary, or all hosts \
             with a comma between them"
        ),
    )
}

/// The error of a server that could not be reached or did not answer.
pub(crate) fn unreachable(address: &Address, cause: &str) -> Error {
    Error::new(
        Code::Unavailable,
        "DatabaseUnreachable",
        format!("{address} cannot be reached: {cause}. Check the address, and that PostgreSQL runs there"),
    )
}

fn of_server(address: &Address, refused: &DbError) -> Error {
    let said = refused.message();
    let precondition = |tag, message| Error::new(Code::FailedPrecondition, tag, message);
    match refused.code() {
        code if [SqlState::INVALID_PASSWORD, SqlState::INVALID_AUTHORIZATION_SPECIFICATION]
            .contains(code) =>
        {
            precondition(
                "DatabaseLogin",
                format!(
                    "{address} refuses to log in: {said}. Check user, password and the server's pg_hba.conf"
                ),
            )
        }
        code if *code == SqlState::INVALID_CATALOG_NAME => precondition(
            "NoSuchDatabase",
            format!(
                "{address} does not exist: {said}. Create it, for example with createdb, or name another one"
            ),
        ),
        code if *code == SqlState::INSUFFICIENT_PRIVILEGE => precondition(
            "DatabaseRights",
            format!(
                "{address} is not to be used so: {said}. Make the user the owner of the database, or grant what is \
                 missing"
            ),
        ),
        code if [SqlState::UNDEFINED_TABLE, SqlState::INVALID_SCHEMA_NAME].contains(code) => precondition(
            "NotTuckbox",
            format!(
                "{address} lacks a table of the shared store: {said}. Restore the database from a backup"
            ),
        ),
        code if [
            SqlState::UNDEFINED_COLUMN,
            SqlState::DATATYPE_MISMATCH,
            SqlState::UNDEFINED_FUNCTION,
            SqlState::CANNOT_COERCE,
            SqlState::INVALID_TEXT_REPRESENTATION,
        ]
        .contains(code) =>
        {
            precondition("NotTuckbox", foreign(address))
        }
        code if *code == SqlState::READ_ONLY_SQL_TRANSACTION => read_only(address),
        code if *code == SqlState::LOCK_NOT_AVAILABLE => Error::new(
            Code::Unavailable,
            "HeadLocked",
            format!(
                "{address} has a session that locks the shared store. Find it in pg_stat_activity, and end it with \
                 pg_terminate_backend"
            ),
        ),
        // Such as a database that takes no connections for the time being.
        code if *code == SqlState::OBJECT_NOT_IN_PREREQUISITE_STATE => busy(address, said),
        // Classes: connection, transaction, resources, operator, system.
        code if ["08", "40", "53", "57", "58"].contains(&&code.code()[..2]) => busy(address, said),
        code => Error::new(
            Code::Internal,
            "DatabaseError",
            format!("{address} refused a statement: {said} ({})", code.code()),
        ),
    }
}

/// Words for tables of somebody else's.
fn foreign(address: &Address) -> String {
    format!(
        "{address} has tables in the schema \"tuckbox\" that are not the shared store's. Name an empty database, or restore \
         this one from a backup"
    )
}

fn busy(address: &Address, said: &str) -> Error {
    Error::new(Code::Unavailable, "DatabaseBusy", format!("{address} does not serve for now: {said}"))
}

fn of_way(address: &Address, error: &tokio_postgres::Error) -> Error {
    let (kind, cause) = (error.to_string(), error.source().map(ToString::to_string));
    let cause = cause.unwrap_or_else(|| kind.clone());
    if kind.contains("TLS") || cause.contains("TLS") || cause.contains("certificate") {
        return Error::new(
            Code::FailedPrecondition,
            "DatabaseTls",
            format!(
                "{address} cannot be reached safely: {cause}. Name the authority of its certificate with sslrootcert, \
                 and the host as the certificate has it; or say sslmode=disable where nobody listens in"
            ),
        );
    }
    if kind.contains("authentication") || cause.contains("password") {
        return Error::new(
            Code::FailedPrecondition,
            "DatabaseLogin",
            format!("{address} refuses to log in: {cause}. Check user and password in the address"),
        );
    }
    if kind.contains("configuration") {
        return Error::invalid(
            "DatabaseAddress",
            format!("The address of {address} cannot be used: {cause}."),
        );
    }
    if cause.contains("does not allow writes") {
        return read_only(address);
    }
    unreachable(address, &cause)
}
