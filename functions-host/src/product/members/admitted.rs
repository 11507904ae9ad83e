//! Addresses that somebody has invited to a project: on a server that takes new accounts by invitation they may sign up.

use auth_emu::Invitations;
use docstore::Result;
use docstore::clock::SharedClock;
use docstore::database::Database;
use docstore::model::{DocPath, FieldFilter, FieldOp, FieldPath, Filter, Query, Source, Value};
use futures::future::{BoxFuture, FutureExt as _};

use super::millis_of;
use crate::project;

/// Invitations of one address that are looked at. One that has not ended is enough.
const MAX_READ: u32 = 1_000;

/// The open invitations by e-mail. A link that anybody may use names no address, and admits nobody.
#[derive(Debug)]
pub(crate) struct Admitted {
    pub(crate) database: Database,
    pub(crate) clock: SharedClock,
}

impl Admitted {
    async fn has(&self, email: &str) -> Result<bool> {
        let filter = FieldFilter {
            field: FieldPath::parse("email")?,
            op: FieldOp::Equal,
            value: Value::String(email.to_owned()),
        };
        let source = Source { collection: Some("invitations".to_owned()), all_descendants: true };
        let query =
            Query { filter: Some(Filter::Field(filter)), limit: Some(MAX_READ), ..Query::all(None, source) };
        let now = i64::try_from(self.clock.now().micros() / 1_000).unwrap_or(i64::MAX);
        let found = self.database.run(&query, None).await?.documents;
        let open = |fields| millis_of(fields, "expiresAt") > now;
        Ok(found.iter().any(|invitation| is_of_project(&invitation.path) && open(&invitation.fields)))
    }
}

/// True for a document that only the functions of members write.
fn is_of_project(path: &DocPath) -> bool {
    path.segments().next() == Some(project::COLLECTION) && path.segments().count() == 4
}

impl Invitations for Admitted {
    fn invites<'a>(&'a self, email: &'a str) -> BoxFuture<'a, Result<bool>> {
        self.has(email).boxed()
    }
}
