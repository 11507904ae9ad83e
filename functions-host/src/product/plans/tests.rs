use std::sync::Arc;

use docstore::access::{Access, Auth, Caller, Decision, Operation, OwnSubtree, Request};
use docstore::commit::Draft;
use docstore::database::Database;
use docstore::model::{DatabaseId, DocPath, Document, Fields, Precondition, Value, Write, WriteOp};
use docstore::session::Session;
use docstore::store::Store;
use docstore::{Code, Error};
use storage_emu::Quotas as _;

use super::{Account, PlanHook, PlanQuotas, Plans};
use crate::host::config::{Plan, PlanLimits};

fn plan(id: &str, projects: Option<u32>) -> Plan {
    Plan {
        id: id.to_owned(),
        name: id.to_uppercase(),
        price: "0".to_owned(),
        includes: Vec::new(),
        limits: PlanLimits { projects, storage_bytes: projects.map(u64::from), ..PlanLimits::default() },
        stripe_price: None,
    }
}

/// Users write below their own name, and projects that name them as owner.
#[derive(Debug)]
struct OwnAndOwned;

impl Access for OwnAndOwned {
    fn decide(&self, request: &Request<'_>) -> Decision {
        let (Caller::User(auth), Operation::Write { path, before, after, .. }) =
            (request.caller, request.operation)
        else {
            return OwnSubtree.decide(request);
        };
        if path.segments().next() != Some("projects") {
            return OwnSubtree.decide(request);
        }
        if path.segments().count() > 2 {
            return Decision::Allow;
        }
        if !request.known.contains_key(path) {
            return Decision::Need(path.clone());
        }
        let uid = Value::String(auth.uid.clone());
        let owned = |document: Option<&Document>| {
            document.is_none_or(|document| document.fields.get("owner") == Some(&uid))
        };
        if owned(before) && owned(after) { Decision::Allow } else { Decision::Deny("another's".to_owned()) }
    }
}

async fn world() -> (Store, Plans) {
    let store = Store::in_memory().await.unwrap();
    let plans =
        Plans::new(&store, "demo", &[plan("free", Some(3)), plan("maker", Some(5)), plan("all", None)]);
    store.set_access(Arc::new(OwnAndOwned));
    store.set_commit_hook(Arc::new(PlanHook::new(plans.clone())));
    (store, plans)
}

fn database(store: &Store) -> Database {
    store.database(&DatabaseId::default_of("demo"))
}

fn user(store: &Store, uid: &str) -> Session {
    let auth = Auth { uid: uid.to_owned(), token: serde_json::json!({}) };
    database(store).as_caller(Caller::User(auth))
}

fn set(path: &str) -> Write {
    let op = WriteOp::Set { fields: Fields::default(), transforms: Vec::new() };
    Write { path: DocPath::parse(path).unwrap(), op, precondition: Precondition::None }
}

/// The write that makes a project of an owner.
fn project(owner: &str, id: &str) -> Write {
    let fields = Fields::from([("owner".to_owned(), Value::String(owner.to_owned()))]);
    let op = WriteOp::Set { fields, transforms: Vec::new() };
    Write { op, ..set(&format!("projects/{id}")) }
}

fn delete(path: &str) -> Write {
    Write { op: WriteOp::Delete, ..set(path) }
}

async fn commit(session: &Session, writes: Vec<Write>) -> Result<(), Error> {
    session.commit(Draft::of(writes)).await.map(drop)
}

async fn grant(plans: &Plans, uid: &str, plan: Option<&str>) {
    let granted = plan.map(str::to_owned);
    plans
        .change::<Error>(uid, async |account| {
            account.granted = granted;
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn layouts_count_for_the_owner_of_their_project_whoever_makes_them() {
    let store = Store::in_memory().await.unwrap();
    let mut few = plan("free", None);
    few.limits.layouts = Some(4);
    let plans = Plans::new(&store, "demo", &[few]);
    store.set_access(Arc::new(OwnAndOwned));
    store.set_commit_hook(Arc::new(PlanHook::new(plans.clone())));
    let (ann, bob) = (user(&store, "ann"), user(&store, "bob"));
    // A project and its layouts in one commit.
    commit(&ann, vec![set("projects/p/layouts/a"), project("ann", "p"), project("ann", "q")]).await.unwrap();
    commit(&ann, vec![set("users/ann/library/layouts/items/a")]).await.unwrap();
    commit(&bob, vec![set("projects/q/layouts/a"), set("projects/p/layouts/b")]).await.unwrap();
    assert_eq!(plans.held("ann").await.unwrap().layouts, 4);
    assert_eq!(plans.held("bob").await.unwrap().layouts, 0);
    for (who, path) in [
        (&bob, "projects/q/layouts/b"),
        (&ann, "projects/p/layouts/c"),
        (&ann, "users/ann/library/layouts/items/b"),
    ] {
        let full = commit(who, vec![set(path)]).await.unwrap_err();
        assert!(full.message().contains("holds 4 layouts"), "{}", full.message());
    }
    // Existing layouts change, versions are no layouts, and one makes room for another of another project.
    commit(&bob, vec![set("projects/q/layouts/a"), set("projects/q/layouts/a/versions/v")]).await.unwrap();
    commit(&bob, vec![delete("projects/p/layouts/b"), set("projects/q/layouts/b")]).await.unwrap();
    assert!(commit(&bob, vec![set("projects/p/layouts/b")]).await.is_err());
    // Bob's own are his.
    commit(&bob, vec![set("users/bob/library/layouts/items/a")]).await.unwrap();
    assert_eq!(plans.held("bob").await.unwrap().layouts, 1);
}

#[tokio::test]
async fn images_of_projects_count_with_those_of_their_owners_library() {
    let store = Store::in_memory().await.unwrap();
    let mut few = plan("free", None);
    few.limits.images = Some(3);
    let plans = Plans::new(&store, "demo", &[few]);
    store.set_access(Arc::new(OwnAndOwned));
    store.set_commit_hook(Arc::new(PlanHook::new(plans.clone())));
    let (ann, bob) = (user(&store, "ann"), user(&store, "bob"));
    commit(&ann, vec![project("ann", "p"), set("users/ann/library/images/items/a")]).await.unwrap();
    commit(&bob, vec![set("projects/p/images/a"), set("projects/p/images/b")]).await.unwrap();
    for (who, path) in [(&bob, "projects/p/images/c"), (&ann, "users/ann/library/images/items/b")] {
        let full = commit(who, vec![set(path)]).await.unwrap_err();
        assert!(full.message().contains("holds 3 images"), "{}", full.message());
    }
    let held = [plans.held("ann").await.unwrap().images, plans.held("bob").await.unwrap().images];
    assert_eq!(held, [3, 0]);
}

#[tokio::test]
async fn no_more_projects_are_made_than_the_plan_holds() {
    let (store, plans) = world().await;
    let ann = user(&store, "ann");
    for id in ["a", "b", "c"] {
        commit(&ann, vec![project("ann", id)]).await.unwrap();
    }
    let full = commit(&ann, vec![project("ann", "d")]).await.unwrap_err();
    assert_eq!((full.code(), full.tag()), (Code::FailedPrecondition, "PlanLimit"));
    assert!(full.message().contains("“FREE” holds 3 projects"), "{}", full.message());
    // Existing documents may be changed, and other collections are not limited.
    commit(&ann, vec![project("ann", "a"), set("users/ann/fonts/x")]).await.unwrap();
    commit(&ann, vec![set("users/ann/library/layouts/items/l")]).await.unwrap();
    // One goes and one comes, in either order and in one commit.
    commit(&ann, vec![project("ann", "e"), delete("projects/a")]).await.unwrap();
    commit(&ann, vec![delete("projects/e"), project("ann", "f")]).await.unwrap();
    // A document created and deleted in one commit takes no place.
    commit(&ann, vec![project("ann", "g"), delete("projects/g")]).await.unwrap();
    assert_eq!(plans.held("ann").await.unwrap().projects, 3);
    // Each user has limits of their own; the server itself has none.
    commit(&user(&store, "bob"), vec![project("bob", "of-bob")]).await.unwrap();
    commit(&database(&store).as_caller(Caller::Admin), vec![project("ann", "h")]).await.unwrap();
    // A larger plan admits more; a smaller one takes nothing away.
    grant(&plans, "ann", Some("maker")).await;
    commit(&ann, vec![project("ann", "i")]).await.unwrap();
    assert!(commit(&ann, vec![project("ann", "j")]).await.is_err());
    grant(&plans, "ann", None).await;
    commit(&ann, vec![project("ann", "i")]).await.unwrap();
    assert!(commit(&ann, vec![project("ann", "j")]).await.is_err());
    assert_eq!(plans.held("ann").await.unwrap().projects, 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_last_place_is_taken_once_however_many_reach_for_it() {
    let (store, plans) = world().await;
    let tasks: Vec<_> = (0..40)
        .map(|n| {
            let ann = user(&store, "ann");
            tokio::spawn(async move { commit(&ann, vec![project("ann", &format!("{n}"))]).await })
        })
        .collect();
    let mut made = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(()) => made += 1,
            Err(error) => assert_eq!(error.tag(), "PlanLimit"),
        }
    }
    assert_eq!((made, plans.held("ann").await.unwrap().projects), (3, 3));
}

#[tokio::test]
async fn a_refused_caller_learns_nothing_of_somebodys_plan() {
    let (store, _plans) = world().await;
    for id in ["a", "b", "c"] {
        commit(&user(&store, "ann"), vec![project("ann", id)]).await.unwrap();
    }
    let refused = commit(&user(&store, "bob"), vec![project("ann", "d")]).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied);
}

#[tokio::test]
async fn the_larger_of_paid_and_given_holds_and_unknown_plans_are_the_first() {
    let (_store, plans) = world().await;
    let rows = [
        (None, None, "free"),
        (Some("maker"), None, "maker"),
        (None, Some("all"), "all"),
        (Some("maker"), Some("free"), "maker"),
        (Some("maker"), Some("all"), "all"),
        (Some("no longer offered"), None, "free"),
    ];
    for (paid, granted, held) in rows {
        let text = |id: Option<&str>| id.map(str::to_owned);
        let account = Account { paid: text(paid), granted: text(granted), ..Account::default() };
        assert_eq!(plans.held_by(&account).unwrap().id, held, "{paid:?} {granted:?}");
    }
}

#[tokio::test]
async fn files_have_the_quota_of_the_plan() {
    let (_store, plans) = world().await;
    let usual = storage_emu::Limits::default();
    let quotas = PlanQuotas::new(plans.clone(), usual);
    assert_eq!(quotas.of("ann").await.unwrap().bytes, 3);
    grant(&plans, "ann", Some("all")).await;
    assert_eq!(quotas.of("ann").await.unwrap().bytes, usual.user_bytes);
}

#[tokio::test]
async fn files_of_a_project_count_among_its_owners() {
    let (store, plans) = world().await;
    commit(&database(&store).as_caller(Caller::Admin), vec![project("ann", "a")]).await.unwrap();
    let quotas = PlanQuotas::new(plans, storage_emu::Limits::default());
    for (name, owner) in [
        ("projects/a/exports/eve/x/all.zip", Some("ann")),
        ("projects/gone/exports/eve/x/all.zip", None),
        ("projects/a", None),
        ("users/bob/a.png", Some("bob")),
        ("stock/dice/d6.png", None),
    ] {
        let name = storage_emu::ObjectName::parse(name).unwrap();
        assert_eq!(quotas.owner_of(&name).await.unwrap().as_deref(), owner, "{}", name.as_str());
    }
}

#[tokio::test]
async fn without_plans_nothing_is_limited() {
    let store = Store::in_memory().await.unwrap();
    let plans = Plans::new(&store, "demo", &[]);
    assert!(plans.of("ann").await.unwrap().is_none());
    assert_eq!(plans.limits_of("ann").await.unwrap(), PlanLimits::default());
}
