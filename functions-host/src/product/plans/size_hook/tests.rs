use std::sync::Arc;
use std::time::Duration;

use docstore::access::{Access, Auth, Decision, Request};
use docstore::clock::ManualClock;
use docstore::commit::Draft;
use docstore::model::{FieldPath, FieldTransform, Fields, Precondition, Transform, Value};
use docstore::session::Session;
use docstore::store::{EngineOptions, Limits, Store, StoreOptions};
use tokio::task::JoinHandle;

use super::*;
use crate::host::config::{Plan, PlanLimits};

const LIMIT: u64 = 100_000;

/// The limits of plans are here; who may write is not.
#[derive(Debug)]
struct Everybody;

impl Access for Everybody {
    fn decide(&self, _request: &Request<'_>) -> Decision {
        Decision::Allow
    }
}

struct World {
    store: Store,
    plans: Plans,
    hook: Arc<SizeHook>,
    clock: Arc<ManualClock>,
    counting: JoinHandle<()>,
}

impl Drop for World {
    fn drop(&mut self) {
        self.counting.abort();
    }
}

async fn world(offered: &[Plan]) -> World {
    world_with(offered, Some(LIMIT)).await
}

async fn world_with(offered: &[Plan], usual: Option<u64>) -> World {
    let clock = Arc::new(ManualClock::new(Ts::from_micros(1_700_000_000_000_000)));
    let shared: SharedClock = clock.clone();
    let options =
        StoreOptions { engine: EngineOptions::Memory, clock: shared.clone(), limits: Limits::default() };
    let store = Store::open(options).await.unwrap();
    store.set_access(Arc::new(Everybody));
    let plans = Plans::new(&store, "demo", offered);
    let hook = Arc::new(SizeHook::new(plans.clone(), usual, shared));
    store.set_commit_hook(hook.clone());
    let sizes = plans.sizes().clone();
    let counting = tokio::spawn(async move { sizes.keep_counted().await });
    while plans.sizes().of("ann").await.unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    World { store, plans, hook, clock, counting }
}

impl World {
    fn session(&self, caller: Caller) -> Session {
        self.store.database(&DatabaseId::default_of("demo")).as_caller(caller)
    }

    async fn commit(&self, who: &str, writes: Vec<Write>) -> Result<()> {
        let caller = Caller::User(Auth { uid: who.to_owned(), token: serde_json::json!({}) });
        self.session(caller).commit(Draft::of(writes)).await.map(drop)
    }

    /// Grants ann a plan.
    async fn grant(&self, plan: Option<&str>) {
        let granted = plan.map(str::to_owned);
        let change = async |account: &mut super::super::Account| {
            account.granted = granted;
            Ok::<_, Error>(())
        };
        self.plans.change("ann", change).await.unwrap();
    }
}

fn plan(id: &str, document_bytes: Option<u64>) -> Plan {
    Plan {
        id: id.to_owned(),
        name: id.to_uppercase(),
        price: "0".to_owned(),
        includes: Vec::new(),
        limits: PlanLimits { document_bytes, ..PlanLimits::default() },
        stripe_price: None,
    }
}

fn set(path: &str, bytes: usize) -> Write {
    let fields = Fields::from([("text".to_owned(), Value::String("x".repeat(bytes)))]);
    Write::set(DocPath::parse(path).unwrap(), fields)
}

fn project(id: &str, owner: &str) -> Write {
    let fields = Fields::from([("owner".to_owned(), Value::String(owner.to_owned()))]);
    Write::set(DocPath::parse(&format!("projects/{id}")).unwrap(), fields)
}

fn delete(path: &str) -> Write {
    Write { op: WriteOp::Delete, ..set(path, 0) }
}

fn refused(outcome: Result<()>) -> Error {
    let error = outcome.unwrap_err();
    assert_eq!((error.code(), error.tag()), (Code::ResourceExhausted, "DocumentBytes"));
    let message = error.message().to_lowercase();
    assert!(message.contains("delete projects or cards for good"), "{message}");
    error
}

#[tokio::test]
async fn documents_of_an_account_and_its_projects_share_the_limit_whoever_writes_them() {
    let world = world(&[]).await;
    world.commit("ann", vec![project("p", "ann"), set("projects/p/notes/a", 30_000)]).await.unwrap();
    world.commit("bob", vec![set("projects/p/notes/b", 30_000)]).await.unwrap();
    world.commit("ann", vec![set("users/ann/c/a", 30_000)]).await.unwrap();
    for (who, path) in [("bob", "projects/p/notes/c"), ("ann", "users/ann/c/b")] {
        let error = refused(world.commit(who, vec![set(path, 20_000)]).await);
        // A member is not told the owner's figures.
        assert_eq!(error.message().contains(" KB of documents"), who == "ann", "{}", error.message());
    }
    // A document shared by a link counts in its project, whatever a write of it says.
    let share = |bytes: usize, whole: bool| {
        let text = ("text".to_owned(), Value::String("x".repeat(bytes)));
        let mut fields = Fields::from([text]);
        let mask = vec![FieldPath::parse("text").unwrap()];
        let op = if whole {
            fields.insert(PROJECT.to_owned(), Value::String("p".to_owned()));
            WriteOp::Set { fields, transforms: Vec::new() }
        } else {
            WriteOp::Update { fields, mask, transforms: Vec::new() }
        };
        Write { op, ..set("shares/link", 0) }
    };
    refused(world.commit("bob", vec![share(20_000, true)]).await);
    world.commit("bob", vec![share(10, true)]).await.unwrap();
    refused(world.commit("bob", vec![share(20_000, false)]).await);
    // Bob's own are his, stock is nobody's, and the server may always.
    world.commit("bob", vec![set("users/bob/c/a", 90_000), set("stock/a", 90_000)]).await.unwrap();
    world.session(Caller::Admin).commit(Draft::of(vec![set("users/ann/c/d", 90_000)])).await.unwrap();
    // The room that ann's last commit left is remembered for a minute.
    world.clock.advance(Duration::from_secs(61));
    refused(world.commit("ann", vec![set("users/ann/c/b", 5_000)]).await);
}

#[tokio::test]
async fn what_shrinks_or_only_deletes_always_passes_and_makes_room() {
    let world = world(&[]).await;
    for path in ["users/ann/c/a", "users/ann/c/b"] {
        world.commit("ann", vec![set(path, 49_000)]).await.unwrap();
    }
    refused(world.commit("ann", vec![set("users/ann/c/c", 20_000)]).await);
    // The same size again, and one for another.
    world.commit("ann", vec![set("users/ann/c/a", 49_000)]).await.unwrap();
    world.commit("ann", vec![delete("users/ann/c/a"), set("users/ann/c/c", 49_000)]).await.unwrap();
    world.commit("ann", vec![set("users/ann/c/c", 10_000)]).await.unwrap();
    world.clock.advance(Duration::from_secs(1));
    world.commit("ann", vec![set("users/ann/c/a", 30_000)]).await.unwrap();
    refused(world.commit("ann", vec![set("users/ann/c/d", 20_000)]).await);
    world.commit("ann", vec![delete("users/ann/c/a")]).await.unwrap();
    world.clock.advance(Duration::from_secs(1));
    world.commit("ann", vec![set("users/ann/c/d", 30_000)]).await.unwrap();
}

#[tokio::test]
async fn small_changes_pass_a_little_beyond_the_limit_and_end_too() {
    let world = world(&[]).await;
    world.commit("ann", vec![set("users/ann/c/a", 99_500)]).await.unwrap();
    refused(world.commit("ann", vec![set("users/ann/c/b", 5_000)]).await);
    let mut passed = 0;
    let last = loop {
        match world.commit("ann", vec![set(&format!("users/ann/c/small-{passed}"), 1_000)]).await {
            Ok(()) => passed += 1,
            error => break error,
        }
    };
    refused(last);
    assert!((3..6).contains(&passed), "{passed} kilobytes beyond the limit");
}

#[tokio::test]
async fn elements_that_transforms_add_are_counted() {
    let world = world(&[]).await;
    let union = |n: usize| Write {
        path: DocPath::parse("users/ann/c/a").unwrap(),
        op: WriteOp::Update {
            fields: Fields::new(),
            mask: Vec::new(),
            transforms: vec![FieldTransform {
                field: FieldPath::parse("list").unwrap(),
                transform: Transform::ArrayUnion(vec![Value::String(format!("{n}").repeat(20_000))]),
            }],
        },
        precondition: Precondition::None,
    };
    for n in 1..5 {
        world.commit("ann", vec![union(n)]).await.unwrap();
    }
    refused(world.commit("ann", vec![union(5)]).await);
}

#[tokio::test]
async fn a_plan_has_bytes_of_its_own_and_a_smaller_one_takes_nothing_away() {
    let world = world(&[plan("free", Some(20_000)), plan("maker", None)]).await;
    world.commit("ann", vec![set("users/ann/c/a", 10_000)]).await.unwrap();
    let error = refused(world.commit("ann", vec![set("users/ann/c/b", 15_000)]).await);
    assert!(
        error.message().contains("hold 9.8 KB of the 20 KB of documents that the plan “FREE” allows. Delete"),
        "{}",
        error.message()
    );
    world.grant(Some("maker")).await;
    world.commit("ann", vec![set("users/ann/c/b", 50_000)]).await.unwrap();
    world.grant(None).await;
    // The room of the larger plan is not remembered.
    refused(world.commit("ann", vec![set("users/ann/c/c", 5_000)]).await);
    world.commit("ann", vec![set("users/ann/c/b", 50_000)]).await.unwrap();
}

#[tokio::test]
async fn an_account_without_a_limit_is_remembered_until_its_plan_changes() {
    let world = world_with(&[plan("free", Some(20_000)), plan("all", None)], None).await;
    world.grant(Some("all")).await;
    world.commit("ann", vec![set("users/ann/c/a", 50_000)]).await.unwrap();
    assert!(world.hook.take("ann", 50_000), "no further look at the plan");
    world.grant(None).await;
    refused(world.commit("ann", vec![set("users/ann/c/b", 5_000)]).await);
    world.grant(Some("all")).await;
    world.commit("ann", vec![set("users/ann/c/b", 5_000)]).await.unwrap();
}

#[tokio::test]
async fn a_project_given_away_counts_for_its_new_owner_at_once() {
    let world = world(&[]).await;
    world.commit("ann", vec![project("p", "ann"), set("users/ann/c/a", 90_000)]).await.unwrap();
    refused(world.commit("ann", vec![set("projects/p/notes/a", 20_000)]).await);
    let server = world.session(Caller::Admin);
    server.commit(Draft::of(vec![project("p", "bob")])).await.unwrap();
    world.commit("ann", vec![set("projects/p/notes/a", 20_000)]).await.unwrap();
    server.commit(Draft::of(vec![project("p", "ann")])).await.unwrap();
    refused(world.commit("ann", vec![set("projects/p/notes/b", 20_000)]).await);
}

#[tokio::test]
async fn a_sum_is_used_again_for_a_second_and_no_longer() {
    let world = world(&[]).await;
    world.commit("ann", vec![set("users/ann/c/a", 90_000)]).await.unwrap();
    world.clock.advance(Duration::from_secs(61));
    refused(world.commit("ann", vec![set("users/ann/c/b", 20_000)]).await);
    // By somebody else, so that only a look tells.
    let server = world.session(Caller::Admin);
    server.commit(Draft::of(vec![delete("users/ann/c/a")])).await.unwrap();
    refused(world.commit("ann", vec![set("users/ann/c/b", 20_000)]).await);
    world.clock.advance(Duration::from_secs(1));
    world.commit("ann", vec![set("users/ann/c/b", 20_000)]).await.unwrap();
    // Commits let through since then count, too.
    for n in 0..3 {
        world.commit("ann", vec![set(&format!("users/ann/c/more-{n}"), 25_000)]).await.unwrap();
    }
    refused(world.commit("ann", vec![set("users/ann/c/last", 25_000)]).await);
}
