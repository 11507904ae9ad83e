//! `whereIs`: the present id of something that an old address names.

use docstore::Code;
use docstore::database::Database;
use docstore::model::{DocPath, Document, Value};
use serde::{Deserialize, Serialize};

use super::project;
use crate::functions::callable::{CallError, Context, Function};
use crate::schema::moved::{Kind, Moved};

#[derive(Debug, Deserialize)]
struct Request {
    kind: Kind,
    /// The id in the old address.
    id: String,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Reply {
    kind: Kind,
    id: String,
    owner: String,
}

/// The function over `database`.
pub(super) fn function(database: Database, moved: Moved) -> Function {
    Function::new("whereIs", move |context: Context, request: Request| {
        let (database, moved) = (database.clone(), moved.clone());
        async move { find(&database, &moved, &context.user()?.uid, request).await }
    })
}

/// The thing with this id, now or before, that `uid` may read: their own first, then the one that has the id now. Whoever
/// may read none learns nothing.
async fn find(database: &Database, moved: &Moved, uid: &str, request: Request) -> Result<Reply, CallError> {
    let Request { kind: kind @ Kind::Project, id } = request;
    let renamed = moved.from(kind, &id).await?;
    let mut paths = vec![place_of(&id)?];
    for one in &renamed {
        paths.push(place_of(&one.to)?);
    }
    let found = database.get(&paths, None).await?.value.into_iter().flatten();
    let readable = found.filter(|project| is_member(project, uid)).filter_map(|project| reply(&project));
    let (mut own, mut others): (Vec<_>, Vec<_>) = readable.partition(|reply| reply.owner == uid);
    own.append(&mut others);
    own.into_iter()
        .next()
        .ok_or_else(|| CallError::new(Code::NotFound, "There is no such project that you are a member of."))
}

fn place_of(id: &str) -> Result<DocPath, CallError> {
    project::path(id)
        .map_err(|error| CallError::invalid(format!("This is no id of a project: {}", error.message())))
}

fn is_member(project: &Document, uid: &str) -> bool {
    matches!(project.fields.get("members"), Some(Value::Map(members)) if members.contains_key(uid))
}

fn reply(project: &Document) -> Option<Reply> {
    let owner = project::owner(&project.fields)?.to_owned();
    Some(Reply { kind: Kind::Project, id: project.path.id().to_owned(), owner })
}

#[cfg(test)]
mod tests {
    use docstore::model::{DatabaseId, Fields, Precondition, Write, WriteOp};
    use docstore::{Draft, Store};

    use super::*;
    use crate::schema::moved::Renamed;

    fn text(value: &str) -> Value {
        Value::String(value.to_owned())
    }

    fn project(id: &str, owner: &str, members: &[&str]) -> Write {
        let members = members.iter().chain([&owner]).map(|uid| ((*uid).to_owned(), text("viewer"))).collect();
        let fields =
            Fields::from([("owner".to_owned(), text(owner)), ("members".to_owned(), Value::Map(members))]);
        Write {
            path: place_of(id).unwrap(),
            op: WriteOp::Set { fields, transforms: Vec::new() },
            precondition: Precondition::None,
        }
    }

    #[tokio::test]
    async fn old_ids_lead_to_what_the_caller_may_read_and_to_nothing_else() {
        let store = Store::in_memory().await.unwrap();
        let database = store.database(&DatabaseId::default_of("demo"));
        let moved = Moved::new(&store, "demo");
        let writes = vec![
            project("d", "ann", &["cat"]),
            project("n", "bob", &["cat", "dan"]),
            project("e", "eve", &[]),
        ];
        database.commit(Draft::of(writes)).await.unwrap();
        for (owner, to) in [("bob", "n"), ("gus", "gone")] {
            let renamed = Renamed { owner: owner.to_owned(), from: "d".to_owned(), to: to.to_owned() };
            moved.commit(vec![Moved::record(Kind::Project, &renamed).unwrap()]).await.unwrap();
        }
        let ask = async |uid: &str, id: &str| {
            let request = Request { kind: Kind::Project, id: id.to_owned() };
            find(&database, &moved, uid, request).await.map(|reply| (reply.id, reply.owner))
        };
        let is = |id: &str, owner: &str| (id.to_owned(), owner.to_owned());
        assert_eq!(ask("ann", "d").await.unwrap(), is("d", "ann"));
        assert_eq!(ask("bob", "d").await.unwrap(), is("n", "bob"));
        assert_eq!(ask("cat", "d").await.unwrap(), is("d", "ann"));
        assert_eq!(ask("dan", "d").await.unwrap(), is("n", "bob"));
        assert_eq!(ask("dan", "n").await.unwrap(), is("n", "bob"));
        for (uid, id) in [("eve", "d"), ("gus", "d"), ("eve", "gone"), ("ann", "n"), ("ann", "unheard")] {
            assert_eq!(ask(uid, id).await.unwrap_err().code(), Code::NotFound, "{uid} {id}");
        }
        moved.forget("bob").await.unwrap();
        assert_eq!(ask("bob", "d").await.unwrap_err().code(), Code::NotFound);
        for bad in ["", "a/b", "..", "__x__"] {
            assert_eq!(ask("ann", bad).await.unwrap_err().code(), Code::InvalidArgument, "{bad}");
        }
    }
}
