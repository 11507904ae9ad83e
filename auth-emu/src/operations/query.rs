//! `accounts:query`: accounts in order, or by a condition.

use docstore::model::Direction;
use serde_json::{Value, json};

use super::filled;
use crate::accounts::{Account, Key, View};
use crate::call::Call;
use crate::error::{ApiError, Result, ensure};
use crate::wire::{QueryRequest, SortOrder, Text};

/// Accounts one query returns at most.
const MAX_LIMIT: usize = 500;
/// Accounts read per page while counting and skipping.
const PAGE: u32 = 500;

pub(crate) async fn query(call: Call, request: QueryRequest) -> Result<Value> {
    call.enabled()?;
    let number = |member: Option<&Text>, default: usize| match filled(member) {
        Some(text) => {
            text.parse::<usize>().map_err(|_| ApiError::payload(format!("\"{text}\" is not a whole number.")))
        }
        None => Ok(default),
    };
    let sort = filled(request.sort_by.as_ref()).unwrap_or("USER_ID");
    if sort != "USER_ID" && sort != "SORT_BY_FIELD_UNSPECIFIED" {
        return Err(ApiError::not_implemented("Only sorting by USER_ID is implemented."));
    }
    let direction = match request.order {
        Some(SortOrder::Descending) => Direction::Descending,
        Some(SortOrder::Ascending | SortOrder::Unspecified) | None => Direction::Ascending,
    };
    let limit = number(request.limit.as_ref(), MAX_LIMIT)?;
    ensure(limit <= MAX_LIMIT, "INVALID_LIMIT : A query returns at most 500 accounts.")?;
    let offset = number(request.offset.as_ref(), 0)?;
    let accounts = match request.expression.as_deref() {
        None | Some([]) => all(&call, direction).await?,
        Some(conditions) => matching(&call, conditions).await?,
    };
    let count = accounts.len();
    if request.return_user_info == Some(false) {
        return Ok(json!({ "recordsCount": count.to_string() }));
    }
    let shown: Vec<_> =
        accounts.iter().skip(offset).take(limit).map(|account| account.shown(View::Export)).collect();
    Ok(json!({ "recordsCount": shown.len().to_string(), "userInfo": shown }))
}

async fn all(call: &Call, direction: Direction) -> Result<Vec<Account>> {
    let mut accounts: Vec<Account> = Vec::new();
    loop {
        let after = accounts.last().map(|account| account.local_id.clone());
        let page = call.directory.list(after.as_deref(), PAGE, direction).await?;
        if page.is_empty() {
            return Ok(accounts);
        }
        accounts.extend(page);
    }
}

async fn matching(call: &Call, conditions: &[crate::wire::QueryExpression]) -> Result<Vec<Account>> {
    let mut accounts: Vec<Account> = Vec::new();
    for condition in conditions {
        let by_id = match filled(condition.user_id.as_ref()) {
            Some(id) => call.directory.by_id(id).await?,
            None => None,
        };
        let email = filled(condition.email.as_ref()).map(|email| Key::Email(email.to_lowercase()));
        let phone = filled(condition.phone_number.as_ref()).map(|phone| Key::Phone(phone.to_owned()));
        let mut found = by_id.into_iter().collect::<Vec<_>>();
        for key in email.iter().chain(&phone) {
            found.extend(call.directory.by_key(key).await?);
        }
        for found in found {
            if accounts.iter().all(|known| known.local_id != found.account.local_id) {
                accounts.push(found.account);
            }
        }
    }
    Ok(accounts)
}
