use std::sync::Arc;

use docstore::access::{Auth, OwnSubtree};
use docstore::clock::ManualClock;
use docstore::commit::Draft;
use docstore::model::{DatabaseId, DocPath, Fields, Precondition, Value};
use docstore::session::Session;
use docstore::store::{EngineOptions, Limits, Store, StoreOptions};

use super::*;
use crate::host::config::{Plan, PlanLimits};

const RATES: Rates =
    Rates { documents: Rate { burst: 10, a_minute: 6 }, bytes: Rate { burst: 10_000, a_minute: 6_000 } };

async fn start(offered: &[Plan]) -> (Store, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::new(Ts::from_micros(1_700_000_000_000_000)));
    let shared: SharedClock = clock.clone();
    let options =
        StoreOptions { engine: EngineOptions::Memory, clock: shared.clone(), limits: Limits::default() };
    let store = Store::open(options).await.unwrap();
    store.set_access(Arc::new(OwnSubtree));
    let plans = Plans::new(&store, "demo", offered);
    store.set_commit_hook(Arc::new(RateHook::new(RATES, plans, shared)));
    (store, clock)
}

fn session(store: &Store, caller: Caller) -> Session {
    store.database(&DatabaseId::default_of("demo")).as_caller(caller)
}

fn user(store: &Store, uid: &str) -> Session {
    session(store, Caller::User(Auth { uid: uid.to_owned(), token: serde_json::json!({}) }))
}

async fn write(session: &Session, uid: &str, documents: usize, bytes: usize) -> Result<()> {
    let write = |n: usize| {
        let fields = Fields::from([("text".to_owned(), Value::String("x".repeat(bytes)))]);
        let path = DocPath::parse(&format!("users/{uid}/c/{n}")).unwrap();
        Write { path, op: WriteOp::Set { fields, transforms: Vec::new() }, precondition: Precondition::None }
    };
    session.commit(Draft::of((0..documents).map(write).collect())).await.map(drop)
}

fn refused(outcome: Result<()>, words: &str) {
    let error = outcome.unwrap_err();
    assert_eq!((error.code(), error.tag()), (Code::ResourceExhausted, "WriteRate"));
    assert!(error.message().contains(words), "{error}");
}

#[tokio::test]
async fn a_caller_has_a_burst_and_then_so_much_a_minute() {
    let (store, clock) = start(&[]).await;
    let ann = user(&store, "ann");
    write(&ann, "ann", 8, 10).await.unwrap();
    refused(write(&ann, "ann", 5, 10).await, "try again in 31 seconds");
    // A refused commit consumed nothing; others have their own limits, and operators are exempt.
    write(&ann, "ann", 2, 10).await.unwrap();
    write(&user(&store, "bob"), "bob", 10, 10).await.unwrap();
    write(&session(&store, Caller::Admin), "ann", 100, 1_000).await.unwrap();
    clock.advance(Duration::from_secs(10));
    write(&ann, "ann", 1, 10).await.unwrap();
    refused(write(&ann, "ann", 1, 10).await, "try again in");
    clock.advance(Duration::from_secs(3_600));
    write(&ann, "ann", 10, 10).await.unwrap();
    // No wait makes room for it, so it is not to be tried again.
    let too_large = write(&ann, "ann", 11, 10).await.unwrap_err();
    assert_eq!((too_large.code(), too_large.tag()), (Code::InvalidArgument, "CommitTooLarge"));
    assert!(too_large.message().contains("split it"), "{too_large}");
}

#[tokio::test]
async fn bytes_are_counted_too() {
    let (store, clock) = start(&[]).await;
    let ann = user(&store, "ann");
    write(&ann, "ann", 1, 8_000).await.unwrap();
    refused(write(&ann, "ann", 1, 8_000).await, "6000 bytes a minute");
    clock.advance(Duration::from_secs(90));
    write(&ann, "ann", 1, 8_000).await.unwrap();
}

#[tokio::test]
async fn a_plan_has_rates_of_its_own() {
    let limits = PlanLimits { documents_a_minute: Some(60), ..PlanLimits::default() };
    let plan = Plan {
        id: "free".to_owned(),
        name: "Free".to_owned(),
        price: "0".to_owned(),
        includes: Vec::new(),
        limits,
        stripe_price: None,
    };
    let (store, clock) = start(&[plan]).await;
    let ann = user(&store, "ann");
    write(&ann, "ann", 60, 10).await.unwrap();
    refused(write(&ann, "ann", 1, 10).await, "60 documents");
    clock.advance(Duration::from_secs(1));
    write(&ann, "ann", 1, 10).await.unwrap();
}

#[test]
fn so_many_callers_are_remembered() {
    let now = Ts::from_micros(1);
    let left = |used: u64| Left {
        documents: Bucket { left: u128::from(10 - used) * MINUTE, at: now },
        bytes: Bucket::full(RATES.bytes, now),
    };
    let name = |n: u64| Some(n.to_string());
    let mut callers: HashMap<_, _> = (0..10).map(|n| (name(n), left(10 - n))).collect();
    forget_one(&mut callers, RATES, now);
    assert!(!callers.contains_key(&name(9)) && callers.len() == 9, "who has used least is forgotten");
}
