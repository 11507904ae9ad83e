//! The way to a table: its project, whose that is, and who may come.

use docstore::model::DocPath;

use super::super::admission::{Admission, Entry};
use super::super::lobby;
use super::super::messages::Refused;
use super::super::room::Standings;
use super::super::samples::Sample;
use super::LiveTables;

/// The project that a table belongs to, and whose that is.
#[derive(Clone)]
pub(in super::super) struct Whose {
    /// None for sample tables.
    pub(in super::super) project: Option<DocPath>,
    /// None for sample tables.
    pub(super) owner: Option<String>,
    /// Facts of a sample table.
    pub(in super::super) sample: Option<Sample>,
}

impl LiveTables {
    /// True if somebody is a member of a table's project; false too if that cannot be read.
    pub async fn is_member(&self, id: &str, uid: &str) -> bool {
        let found = self.project(id).await.ok().flatten();
        found.is_some_and(|(_, standings)| standings.contains_key(uid))
    }

    /// Refuses those who may not come to a table: who may are members of its project, and whoever gave its code.
    ///
    /// # Errors
    /// [`Refused`]
    pub async fn check_way(&self, id: &str, uid: &str) -> Result<(), Refused> {
        self.way_to(id, uid).await.map(drop)
    }

    /// A table's project and its members.
    async fn project(&self, id: &str) -> docstore::Result<Option<(Whose, Standings)>> {
        let Some(found) = lobby::find(&self.0.database, id).await? else {
            let sample = self.sample(id).await?;
            let place = |sample| Whose { project: None, owner: None, sample: Some(sample) };
            return Ok(sample.map(|sample| (place(sample), Standings::new())));
        };
        let project =
            lobby::project(&found.fields).map(|project| DocPath::parse(&format!("projects/{project}")));
        let Some(Ok(path)) = project else { return Ok(None) };
        let owner = Some(lobby::owner(&found.fields).unwrap_or_default().to_owned());
        let found = self.0.database.get(std::slice::from_ref(&path), None).await?.value;
        let found = found.into_iter().flatten().next();
        let standings = found.map(|found| (self.0.standings)(&found.fields));
        let place = Whose { project: Some(path), owner, sample: None };
        Ok(standings.map(|standings| (place, standings)))
    }

    /// The project of a table that somebody may come to: its members, and whoever gave the table's code.
    pub(super) async fn way_to(&self, id: &str, uid: &str) -> Result<Whose, Refused> {
        let failed = |error: docstore::Error| {
            tracing::warn!(table = id, "a table's project cannot be read: {error}");
            Refused::Unavailable
        };
        let (place, standings) = self.project(id).await.map_err(failed)?.ok_or(Refused::Stranger)?;
        if standings.contains_key(uid) {
            return Ok(place);
        }
        let admission = self.0.admissions.get(id).await.map_err(failed)?;
        refusal_at(&admission, uid).map_or(Ok(place), Err)
    }
}

/// The reason for which somebody who is no member does not come in.
pub(in super::super) fn refusal_at(admission: &Admission, uid: &str) -> Option<Refused> {
    match admission.entry(uid) {
        Some(Entry::In) => None,
        Some(Entry::Waiting) => Some(Refused::Waiting),
        Some(Entry::Out) => Some(Refused::Out),
        None => Some(Refused::Stranger),
    }
}
