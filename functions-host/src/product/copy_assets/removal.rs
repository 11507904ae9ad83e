//! `removeUnused({project or owner, images, layouts, since})`: deletes images and layouts that nothing shows, `{kept}`.
//!
//! It takes copies back. What something shows meanwhile stays, and so does what was changed after `since`: `kept` says by
//! its id what keeps it. Layouts go first, so that an image that they alone show goes with them.

use std::collections::BTreeSet;

use docstore::access::{Auth, Caller};
use docstore::model::Ts;
use serde::{Deserialize, Serialize};

use super::leaving;
use super::reading::Reading;
use super::uses::Uses;
use super::{Copier, MAX_IDS};
use crate::functions::callable::{AuthContext, CallError, Context, Function, retried};
use crate::product::place::{Named, Place};

#[derive(Debug, Deserialize)]
pub(super) struct Request {
    /// The caller's library without.
    #[serde(flatten)]
    place: Named,
    #[serde(default)]
    images: Vec<String>,
    #[serde(default)]
    layouts: Vec<String>,
    /// Microseconds since the epoch.
    since: Option<u64>,
}

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Reply {
    /// Those that stay, by their ids.
    pub(super) kept: Uses,
}

/// The function.
pub(in crate::product) fn function(copier: Copier) -> Function {
    Function::new("removeUnused", move |context: Context, request: Request| {
        let copier = copier.clone();
        async move { run(&copier, context.user()?, &request).await }
    })
}

pub(super) async fn run(copier: &Copier, user: &AuthContext, request: &Request) -> Result<Reply, CallError> {
    let asked = request.images.len() + request.layouts.len();
    if asked == 0 || asked > MAX_IDS {
        return Err(CallError::invalid(format!("images and layouts must be 1 to {MAX_IDS} ids together.")));
    }
    let place = request.place.place()?.map_or_else(|| Place::library(&user.uid), Ok)?;
    let caller = Caller::User(Auth { uid: user.uid.clone(), token: user.token.clone() });
    let outside = Reading::new(&copier.database, caller.clone());
    let (reply, files) = retried(|| async {
        let reading = outside.in_transaction().await?;
        let removed = try_removing(copier, &reading, &place, request).await;
        if removed.is_err() {
            reading.give_up().await;
        }
        removed
    })
    .await?;
    copier.delete_files(&caller, &files).await;
    Ok(reply)
}

async fn try_removing(
    copier: &Copier,
    reading: &Reading,
    place: &Place,
    request: &Request,
) -> Result<(Reply, Vec<(String, String)>), CallError> {
    let since = request.since.map(Ts::from_micros);
    let layouts = leaving::layouts(reading, place, &request.layouts, since).await?;
    let going: BTreeSet<&str> = layouts.ids();
    let files_in = place.of_files(&copier.database).await?;
    let images = leaving::images(reading, place, &files_in, &request.images, &going, since).await?;
    let mut writes = layouts.writes;
    writes.extend(images.writes);
    let mut kept = layouts.kept;
    kept.extend(images.kept);
    reading.commit(writes).await?;
    Ok((Reply { kept }, images.files))
}
