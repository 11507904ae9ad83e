//! `whereIs`: the present id of something that an old address names.

use docstore::Code;
use docstore::database::Database;
use docstore::model::{DocPath, Document, Value};
use serde::{Deserialize, Serialize};

use super::site::sharing_is_on;
use crate::functions::callable::{CallError, Context, Function};
use crate::project;
use crate::schema::moved::{Kind, Moved, Placed};

/// Roles that see the whole of a project.
const SEEING: [&str; 5] = ["owner", "editor", "translator", "commenter", "viewer"];

#[derive(Debug, Deserialize)]
struct Request {
    kind: Kind,
    /// The id in the old address.
    id: String,
    /// Account that a layout lay with, where the address says it.
    owner: Option<String>,
    /// Project that the address names beside a layout.
    project: Option<String>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Reply {
    kind: Kind,
    id: String,
    owner: String,
    /// Project that has the layout.
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<String>,
}

/// The function over `database`.
pub(super) fn function(database: Database, moved: Moved) -> Function {
    Function::new("whereIs", move |context: Context, request: Request| {
        let (database, moved) = (database.clone(), moved.clone());
        async move {
            let uid = &context.user()?.uid;
            match request.kind {
                Kind::Project => find_project(&database, &moved, uid, &request).await,
                Kind::Layout => find_layout(&database, &moved, uid, &request).await,
            }
        }
    })
}

/// The project with this id, now or before, that `uid` may read: their own first, then the one that has the id now.
/// Whoever may read none learns nothing.
async fn find_project(
    database: &Database,
    moved: &Moved,
    uid: &str,
    request: &Request,
) -> Result<Reply, CallError> {
    let id = &request.id;
    let renamed = moved.from(Kind::Project, id).await?;
    let mut paths = vec![place_of(id)?];
    for one in &renamed {
        paths.push(place_of(&one.to)?);
    }
    let found = database.get(&paths, None).await?.value.into_iter().flatten();
    let readable = found.filter(|project| role(project, uid).is_some()).filter_map(|project| {
        let owner = project::owner(&project.fields)?.to_owned();
        Some(Reply { kind: Kind::Project, id: project.path.id().to_owned(), owner, project: None })
    });
    let (mut own, mut others): (Vec<_>, Vec<_>) = readable.partition(|reply| reply.owner == uid);
    own.append(&mut others);
    own.into_iter()
        .next()
        .ok_or_else(|| CallError::new(Code::NotFound, "There is no such project that you are a member of."))
}

/// The layout that had this id below its owner, and that `uid` may read now: in the project that the address names, then
/// in one that `uid` sees, then by its link. Whoever may read none learns nothing.
async fn find_layout(
    database: &Database,
    moved: &Moved,
    uid: &str,
    request: &Request,
) -> Result<Reply, CallError> {
    if request.id.is_empty() {
        return Err(CallError::invalid("This is no id of a layout."));
    }
    let places = match &request.owner {
        Some(owner) => moved.places(owner, &request.id).await?,
        None => {
            let mut places = moved.places(uid, &request.id).await?;
            places.extend(moved.placed_from(&request.id).await?);
            places
        }
    };
    let sharing = sharing_is_on(database).await?;
    let mut best: Option<(u8, Reply)> = None;
    for placed in places {
        let paths = [place_of(&placed.project)?, layout_at(&placed)?];
        let mut found = database.get(&paths, None).await?.value.into_iter();
        let (Some(Some(project)), Some(Some(layout))) = (found.next(), found.next()) else { continue };
        let sees = role(&project, uid).is_some_and(|role| SEEING.contains(&role));
        let rank = match &request.project {
            Some(wanted) if sees && *wanted == placed.project => 0,
            _ if sees && placed.owner == uid => 1,
            _ if sees => 2,
            _ if sharing && layout.fields.get("shared") == Some(&Value::Boolean(true)) => 3,
            _ => continue,
        };
        // The one that has kept its id comes before its copies.
        let rank = 2 * rank + u8::from(!placed.is_first());
        if best.as_ref().is_none_or(|(least, _)| rank < *least) {
            let owner = project::owner(&project.fields).unwrap_or_default().to_owned();
            let Placed { project, to: id, .. } = placed;
            best = Some((rank, Reply { kind: Kind::Layout, id, owner, project: Some(project) }));
        }
    }
    best.map(|(_, reply)| reply)
        .ok_or_else(|| CallError::new(Code::NotFound, "There is no such layout that you may see."))
}

fn layout_at(placed: &Placed) -> Result<DocPath, CallError> {
    DocPath::parse(&format!("{}/layouts/{}", place_of(&placed.project)?, placed.to))
        .map_err(|error| CallError::invalid(format!("This is no id of a layout: {}", error.message())))
}

fn place_of(id: &str) -> Result<DocPath, CallError> {
    project::path(id)
        .map_err(|error| CallError::invalid(format!("This is no id of a project: {}", error.message())))
}

/// The role of a member.
fn role<'a>(project: &'a Document, uid: &str) -> Option<&'a str> {
    match project.fields.get("members") {
        Some(Value::Map(members)) => match members.get(uid) {
            Some(Value::String(role)) => Some(role),
            _ => None,
        },
        _ => None,
    }
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

    fn request(kind: Kind, id: &str) -> Request {
        Request { kind, id: id.to_owned(), owner: None, project: None }
    }

    #[tokio::test]
    async fn an_old_layout_is_found_where_the_caller_may_read_it() {
        let store = Store::in_memory().await.unwrap();
        let database = store.database(&DatabaseId::default_of("demo"));
        let moved = Moved::new(&store, "demo");
        let set = |path: &str, fields: Fields| Write {
            path: DocPath::parse(path).unwrap(),
            op: WriteOp::Set { fields, transforms: Vec::new() },
            precondition: Precondition::None,
        };
        let shared = Fields::from([("shared".to_owned(), Value::Boolean(true))]);
        let writes = vec![
            project("p", "ann", &["cat"]),
            project("q", "ann", &["dan"]),
            project("r", "bob", &[]),
            set("projects/p/layouts/l", shared),
            set("projects/q/layouts/n", Fields::new()),
            set("projects/r/layouts/l", Fields::new()),
            // Its document is gone.
            project("s", "ann", &["gus"]),
        ];
        database.commit(Draft::of(writes)).await.unwrap();
        let places = [("ann", "p", "l"), ("ann", "q", "n"), ("bob", "r", "l"), ("ann", "s", "m")];
        for (owner, project, to) in places.map(|(owner, project, to)| (owner, project, to.to_owned())) {
            let (owner, project) = (owner.to_owned(), project.to_owned());
            let placed = Placed { owner, from: "l".to_owned(), project, to };
            moved.commit(vec![Moved::record_place(&placed).unwrap()]).await.unwrap();
        }
        let ask = async |uid: &str, owner: Option<&str>, project: Option<&str>| {
            let owner = owner.map(str::to_owned);
            let project = project.map(str::to_owned);
            let request = Request { owner, project, ..request(Kind::Layout, "l") };
            let reply = find_layout(&database, &moved, uid, &request).await;
            reply.map(|reply| (reply.project.unwrap(), reply.id)).map_err(|error| error.code())
        };
        let at = |project: &str, id: &str| Ok((project.to_owned(), id.to_owned()));
        assert_eq!(ask("ann", None, None).await, at("p", "l"));
        assert_eq!(ask("ann", None, Some("q")).await, at("q", "n"));
        assert_eq!(ask("bob", None, None).await, at("r", "l"));
        assert_eq!(ask("cat", None, None).await, at("p", "l"));
        assert_eq!(ask("dan", None, None).await, at("q", "n"));
        // By its link.
        assert_eq!(ask("eve", None, None).await, at("p", "l"));
        assert_eq!(ask("gus", Some("ann"), Some("q")).await, at("p", "l"));
        assert_eq!(ask("eve", Some("bob"), None).await, Err(Code::NotFound));
        // An admin closes all links.
        let flags = Value::Map(Fields::from([("sharing".to_owned(), Value::Boolean(false))]));
        let site = set("site/state", Fields::from([("flags".to_owned(), flags)]));
        database.commit(Draft::of(vec![site])).await.unwrap();
        assert_eq!(ask("eve", None, None).await, Err(Code::NotFound));
        assert_eq!(ask("cat", None, None).await, at("p", "l"));
        moved.forget("ann").await.unwrap();
        assert_eq!(ask("cat", None, None).await, Err(Code::NotFound));
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
            let request = request(Kind::Project, id);
            find_project(&database, &moved, uid, &request).await.map(|reply| (reply.id, reply.owner))
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
