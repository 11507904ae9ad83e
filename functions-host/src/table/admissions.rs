//! Admission, codes and guests of tables, as documents of the reserved database that holds their logs.
//!
//! ```text
//! tables/{table}/admission/now   the table's [`Admission`] as JSON
//! codes/{code}                   `table`: the table whose code it is
//! guests/{account}               `seen`: the last time at which a guest came to a table; of one who only came to sample
//!                                tables `goes`: the time at which the last of them does
//! ```

use auth_emu::entropy::{SharedEntropy, legible};
use bytes::Bytes;
use docstore::model::{
    CollectionPath, DatabaseId, Direction, DocPath, FieldFilter, FieldOp, FieldPath, Fields, Filter, Order,
    Precondition, Query, Source, Timestamp, Ts, Value, Write,
};
use docstore::store::Store;
use docstore::{Code, Database, Draft, Error, Result};

use super::admission::Admission;
use super::limits::{CODE_SIGNS, GUEST_STAYS, GUESTS_AT_ONCE, VISIT_NOTED};
use super::store::DATABASE;

/// Attempts at a change of which another comes first, or whose new code is another table's.
const ATTEMPTS: usize = 8;

/// Admission to a project's tables.
#[derive(Debug, Clone)]
pub struct Admissions {
    database: Database,
    entropy: SharedEntropy,
}

/// A code as it is stored and shown, from what somebody typed or pasted; `None` if it cannot be one.
pub fn code_of(typed: &str) -> Option<String> {
    let signs = typed.chars().filter(|c| !c.is_whitespace() && *c != '-');
    let code: String = signs.map(|c| c.to_ascii_uppercase()).take(CODE_SIGNS + 1).collect();
    let is_sign = |c: char| matches!(c, '2'..='9' | 'A'..='Z') && !matches!(c, 'I' | 'L' | 'O');
    (code.chars().count() == CODE_SIGNS && code.chars().all(is_sign)).then_some(code)
}

impl Admissions {
    /// Those of a project's tables.
    pub fn new(store: &Store, project: &str, entropy: SharedEntropy) -> Self {
        Self { database: store.database(&DatabaseId::new(project, DATABASE)), entropy }
    }

    /// Admission to a table; nobody's if nothing is stored of it.
    ///
    /// # Errors
    /// Those of the store, or what it holds is damaged.
    pub async fn get(&self, table: &str) -> Result<Admission> {
        Ok(self.read(table).await?.0)
    }

    /// The table that a code leads to.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn table_of(&self, code: &str) -> Result<Option<String>> {
        let found = self.database.get(&[code_path(code)?], None).await?.value.into_iter().flatten().next();
        Ok(found.and_then(|found| match found.fields.get("table") {
            Some(Value::String(table)) => Some(table.clone()),
            _ => None,
        }))
    }

    /// Changes admission to a table; `change` is given a code that it may use, and is called again if another change came first.
    /// Without a change nothing is written.
    ///
    /// # Errors
    /// That of `change`, and those of the store.
    pub async fn change<T, E: From<Error>>(
        &self,
        table: &str,
        mut change: impl FnMut(&mut Admission, &str) -> std::result::Result<T, E>,
    ) -> std::result::Result<(Admission, T), E> {
        for _ in 0..ATTEMPTS {
            let (before, version) = self.read(table).await?;
            let mut admission = before.clone();
            let answer = change(&mut admission, &legible(&*self.entropy, CODE_SIGNS).to_ascii_uppercase())?;
            if admission == before {
                return Ok((admission, answer));
            }
            admission.rev += 1;
            match self.database.commit(Draft::of(writes(table, &before, &admission, version)?)).await {
                Ok(_) => return Ok((admission, answer)),
                Err(error) if is_conflict(&error) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Error::new(Code::Aborted, "AdmissionContended", "the table's people keep changing; try again")
            .into())
    }

    /// Ends the code of a table that is deleted. Its admission lies below the table and goes with it.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn close(&self, table: &str) -> Result<()> {
        let code = self.get(table).await?.code;
        let Some(code) = code else { return Ok(()) };
        self.database.commit(Draft::of(vec![Write::delete(code_path(&code)?)])).await.map(drop)
    }

    /// Notes that a guest came to a table.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn note_visit(&self, guest: &str, now: Timestamp) -> Result<()> {
        let path = guest_path(guest)?;
        let found = self.database.get(std::slice::from_ref(&path), None).await?.value;
        let seen = found.into_iter().flatten().next().and_then(|found| seen(&found.fields));
        if seen.is_some_and(|seen| now.0.saturating_sub(seen.0) < micros(VISIT_NOTED)) {
            return Ok(());
        }
        let fields = Fields::from([("seen".to_owned(), Value::Timestamp(now))]);
        self.database.commit(Draft::of(vec![Write::set(path, fields)])).await.map(drop)
    }

    /// Guests who came to no table for so long that their accounts go: some of them, the longest away first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn absent_guests(&self, now: Timestamp) -> Result<Vec<String>> {
        self.guests_until("seen", Timestamp(now.0.saturating_sub(micros(GUEST_STAYS)))).await
    }

    /// Notes that the account of a guest of a sample table goes with it, unless it is kept for longer.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn note_sample_guest(&self, guest: &str, goes: Timestamp) -> Result<()> {
        let path = guest_path(guest)?;
        let found = self.database.get(std::slice::from_ref(&path), None).await?.value;
        if let Some(found) = found.into_iter().flatten().next()
            && (seen(&found.fields).is_some() || time(&found.fields, "goes") >= Some(goes))
        {
            return Ok(());
        }
        let fields = Fields::from([("goes".to_owned(), Value::Timestamp(goes))]);
        self.database.commit(Draft::of(vec![Write::set(path, fields)])).await.map(drop)
    }

    /// Guests of sample tables that are gone: some of them.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn gone_sample_guests(&self, now: Timestamp) -> Result<Vec<String>> {
        self.guests_until("goes", now).await
    }

    /// Guests of whom a time is not later than `until`: some of them, the earliest first.
    async fn guests_until(&self, field: &str, until: Timestamp) -> Result<Vec<String>> {
        let field = FieldPath::parse(field)?;
        let value = Value::Timestamp(until);
        let filter = FieldFilter { field: field.clone(), op: FieldOp::LessOrEqual, value };
        let source = Source { collection: Some("guests".to_owned()), all_descendants: false };
        let query = Query {
            filter: Some(Filter::Field(filter)),
            order_by: vec![Order { field, direction: Direction::Ascending }],
            limit: Some(GUESTS_AT_ONCE),
            ..Query::all(None, source)
        };
        let found = self.database.run(&query, None).await?.documents;
        Ok(found.into_iter().map(|found| found.path.id().to_owned()).collect())
    }

    /// Forgets a guest whose account is gone.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn forget_guest(&self, guest: &str) -> Result<()> {
        self.database.commit(Draft::of(vec![Write::delete(guest_path(guest)?)])).await.map(drop)
    }

    async fn read(&self, table: &str) -> Result<(Admission, Option<Ts>)> {
        let found =
            self.database.get(&[admission_path(table)?], None).await?.value.into_iter().flatten().next();
        let Some(found) = found else { return Ok((Admission::default(), None)) };
        let Some(Value::Bytes(text)) = found.fields.get("bytes") else { return Err(damaged(table)) };
        let admission = serde_json::from_slice(text).map_err(|_| damaged(table))?;
        Ok((admission, Some(found.update_time)))
    }
}

/// The writes that make `after` of `before`, the code's among them.
fn writes(table: &str, before: &Admission, after: &Admission, version: Option<Ts>) -> Result<Vec<Write>> {
    let text = serde_json::to_vec(after).map_err(|_| damaged(table))?;
    let mut write = Write::set(
        admission_path(table)?,
        Fields::from([("bytes".to_owned(), Value::Bytes(Bytes::from(text)))]),
    );
    write.precondition = version.map_or(Precondition::Exists(false), Precondition::UpdateTime);
    let mut writes = vec![write];
    if before.code != after.code {
        if let Some(code) = &after.code {
            let fields = Fields::from([("table".to_owned(), Value::String(table.to_owned()))]);
            let mut taken = Write::set(code_path(code)?, fields);
            taken.precondition = Precondition::Exists(false);
            writes.push(taken);
        }
        if let Some(code) = &before.code {
            writes.push(Write::delete(code_path(code)?));
        }
    }
    Ok(writes)
}

fn is_conflict(error: &Error) -> bool {
    matches!(error.code(), Code::AlreadyExists | Code::FailedPrecondition | Code::NotFound | Code::Aborted)
}

fn seen(fields: &Fields) -> Option<Timestamp> {
    time(fields, "seen")
}

fn time(fields: &Fields, name: &str) -> Option<Timestamp> {
    if let Some(Value::Timestamp(time)) = fields.get(name) { Some(*time) } else { None }
}

fn micros(time: std::time::Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

fn admission_path(table: &str) -> Result<DocPath> {
    CollectionPath::parse(&format!("{}/admission", CollectionPath::parse("tables")?.doc(table)?))?.doc("now")
}

fn code_path(code: &str) -> Result<DocPath> {
    CollectionPath::parse("codes")?.doc(code)
}

fn guest_path(guest: &str) -> Result<DocPath> {
    CollectionPath::parse("guests")?.doc(guest)
}

fn damaged(table: &str) -> Error {
    Error::new(
        Code::DataLoss,
        "AdmissionDamaged",
        format!("what is stored of the people at the table {table} is damaged"),
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use auth_emu::entropy::{Entropy, SeededEntropy};

    use super::super::admission::AdmissionChange;
    use super::*;

    async fn admissions() -> Admissions {
        let store = Store::in_memory().await.unwrap();
        Admissions::new(&store, "demo", Arc::new(SeededEntropy::new(1)))
    }

    async fn new_code(admissions: &Admissions, table: &str) -> String {
        let change = |admission: &mut Admission, code: &str| {
            Ok::<_, Error>(admission.change(&AdmissionChange::NewCode, code))
        };
        admissions.change(table, change).await.unwrap().0.code.unwrap()
    }

    #[test]
    fn codes_are_read_as_people_type_and_paste_them() {
        for typed in ["ABC234", "abc234", " abc 234\n", "ABC-234", "a b c 2 3 4"] {
            assert_eq!(code_of(typed).as_deref(), Some("ABC234"), "{typed:?}");
        }
        for typed in ["", "ABC23", "ABC2345", "ABC230", "ABCI34", "abcl34", "ABCO34", "ABC23é", "https://x"]
        {
            assert_eq!(code_of(typed), None, "{typed:?}");
        }
    }

    #[tokio::test]
    async fn a_code_leads_to_its_table_until_there_is_another() {
        let admissions = admissions().await;
        assert_eq!(admissions.get("t").await.unwrap(), Admission::default());
        let first = new_code(&admissions, "t").await;
        assert_eq!(code_of(&first).as_ref(), Some(&first));
        assert_eq!(admissions.table_of(&first).await.unwrap().as_deref(), Some("t"));
        let second = new_code(&admissions, "t").await;
        assert_ne!(first, second);
        assert_eq!(admissions.table_of(&first).await.unwrap(), None);
        assert_eq!(admissions.table_of(&second).await.unwrap().as_deref(), Some("t"));
        assert_eq!(admissions.get("t").await.unwrap().rev, 2);
        admissions.close("t").await.unwrap();
        assert_eq!(admissions.table_of(&second).await.unwrap(), None);
    }

    /// Gives the same code twice before it goes on.
    #[derive(Debug)]
    struct Repeating(std::sync::atomic::AtomicU8);

    impl Entropy for Repeating {
        fn fill(&self, buffer: &mut [u8]) {
            let nth = self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            buffer.fill(nth / 2);
        }
    }

    #[tokio::test]
    async fn no_two_tables_have_one_code() {
        let store = Store::in_memory().await.unwrap();
        let admissions = Admissions::new(&store, "demo", Arc::new(Repeating(0.into())));
        let (one, other) = (new_code(&admissions, "t").await, new_code(&admissions, "u").await);
        assert_ne!(one, other);
        assert_eq!(admissions.table_of(&one).await.unwrap().as_deref(), Some("t"));
        assert_eq!(admissions.table_of(&other).await.unwrap().as_deref(), Some("u"));
    }

    #[tokio::test]
    async fn of_changes_at_once_none_is_lost() {
        let admissions = admissions().await;
        let joins = (0..5).map(|nth| {
            let (admissions, uid) = (admissions.clone(), nth.to_string());
            async move {
                let join = |admission: &mut Admission, _: &str| {
                    Ok::<_, Error>(admission.join(&uid, "Gus", true, false).is_ok())
                };
                admissions.change("t", join).await.unwrap()
            }
        });
        futures::future::join_all(joins).await;
        let admission = admissions.get("t").await.unwrap();
        assert_eq!((admission.people.len(), admission.rev), (5, 5));
    }

    #[tokio::test]
    async fn guests_are_absent_after_thirty_days() {
        let admissions = admissions().await;
        let day = 24 * 3_600 * 1_000_000;
        admissions.note_visit("gus", Timestamp(0)).await.unwrap();
        admissions.note_visit("may", Timestamp(0)).await.unwrap();
        admissions.note_visit("may", Timestamp(2 * day)).await.unwrap();
        assert!(admissions.absent_guests(Timestamp(30 * day - 1)).await.unwrap().is_empty());
        assert_eq!(admissions.absent_guests(Timestamp(30 * day)).await.unwrap(), ["gus"]);
        admissions.forget_guest("gus").await.unwrap();
        assert!(admissions.absent_guests(Timestamp(31 * day)).await.unwrap().is_empty());
        assert_eq!(admissions.absent_guests(Timestamp(32 * day)).await.unwrap(), ["may"]);
    }
}
