//! The product's security rules over the store: what they read is part of what a commit rests on, batches see
//! their own outcome, and listeners do not outlive a change of role.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

#[path = "rules/commits.rs"]
mod commits;
#[path = "behaviour/support.rs"]
mod support;

use std::sync::Arc;

use docstore::access::{Auth, DENIED, RulesOptions, SecurityRules};
use docstore::database::Database;
use docstore::model::*;
use docstore::*;
use serde_json::json;
use support::*;

const POLICY: &str = include_str!("../../firestore.rules");

async fn store(rules: &str, options: RulesOptions) -> (Store, Arc<SecurityRules>) {
    let store = Store::in_memory().await.unwrap();
    let policy = Arc::new(SecurityRules::new(options));
    policy.set("p", rules).unwrap();
    store.set_access(policy.clone());
    (store, policy)
}

fn user(db: &Database, uid: &str) -> Session {
    db.as_caller(Caller::User(Auth { uid: uid.into(), token: json!({"sub": uid}) }))
}

fn text(value: &str) -> Value {
    Value::String(value.into())
}

fn members(pairs: &[(&str, &str)]) -> [(&'static str, Value); 2] {
    let ids = pairs.iter().map(|(uid, _)| text(uid)).collect();
    let roles = pairs.iter().map(|(uid, role)| ((*uid).to_owned(), text(role))).collect();
    [("members", Value::Map(roles)), ("memberIds", Value::Array(ids))]
}

fn equals(collection: &str, name: &str, value: Value) -> Query {
    let filter = Filter::Field(FieldFilter { field: field(name), op: FieldOp::Equal, value });
    Query { filter: Some(filter), ..all(collection) }
}

fn is_denied<T: std::fmt::Debug>(outcome: Result<T>) {
    let error = outcome.unwrap_err();
    assert_eq!((error.code(), error.message()), (Code::PermissionDenied, DENIED));
}

async fn deck_of_ann() -> (Store, Database) {
    let (store, _) = store(POLICY, RulesOptions::default()).await;
    let db = database(&store);
    let deck = fields(members(&[("ann", "owner"), ("eve", "editor"), ("vic", "viewer")]));
    let writes = vec![
        set("projects/d", deck),
        set("projects/d/components/c", fields([("name", text("Assets"))])),
        set("projects/d/components/c/cards/1", fields([("order", int(1))])),
        set("users/ann/library/layouts/items/open", fields([("shared", Value::Boolean(true))])),
    ];
    db.commit(Draft::of(writes)).await.unwrap();
    (store, db)
}

#[tokio::test]
async fn owners_members_and_strangers_get_what_the_policy_says() {
    let (_store, db) = deck_of_ann().await;
    let card = [doc("projects/d/components/c/cards/1")];
    let cards = all("projects/d/components/c/cards");
    for uid in ["ann", "eve", "vic"] {
        user(&db, uid).get(&card, None).await.unwrap();
        assert_eq!(user(&db, uid).run(&cards, None).await.unwrap().documents.len(), 1);
    }
    for session in [user(&db, "bob"), db.as_caller(Caller::Anonymous)] {
        is_denied(session.get(&card, None).await);
        is_denied(session.run(&cards, None).await);
        is_denied(session.aggregate(&cards, &[("n".into(), Aggregation::Count { up_to: None })], None).await);
        is_denied(session.commit(Draft::of(vec![delete("projects/d")])).await);
    }
    let change = || Draft::of(vec![increment("projects/d/components/c/cards/1", "order", 1)]);
    user(&db, "eve").commit(change()).await.unwrap();
    is_denied(user(&db, "vic").commit(change()).await);
    let shared = [doc("users/ann/library/layouts/items/open")];
    user(&db, "bob").get(&shared, None).await.unwrap();
    is_denied(
        user(&db, "bob")
            .run(&equals("users/ann/library/layouts/items", "shared", Value::Boolean(true)), None)
            .await,
    );
}

#[tokio::test]
async fn one_denied_write_undoes_a_whole_batch() {
    let (_store, db) = deck_of_ann().await;
    let batch = vec![
        set("projects/d/components/new", fields([("name", text("x"))])),
        set("projects/d", fields(members(&[("eve", "owner")]))),
    ];
    is_denied(user(&db, "eve").commit(Draft::of(batch)).await);
    let found = db.get(&[doc("projects/d/components/new")], None).await.unwrap();
    assert!(found.value[0].is_none());
}

const AFTER: &str = "rules_version = '2';
service cloud.firestore { match /databases/{db}/documents {
  match /pairs/{id} {
    allow create: if getAfter(/databases/$(db)/documents/index/$(id)).data.of == id
      && !exists(/databases/$(db)/documents/index/$(id));
    allow update: if resource.data.n + 1 == request.resource.data.n;
  }
  match /index/{id} { allow create: if existsAfter(/databases/$(db)/documents/pairs/$(id)); }
  match /switched/{id} { allow write: if get(/databases/$(db)/documents/switches/g).data.open == true; }
  match /switches/{id} { allow read, write; }
  match /seen/{id} { allow read: if get(/databases/$(db)/documents/switches/g).data.open == true; }
} }";

#[tokio::test]
async fn batches_are_judged_by_what_they_leave_behind() {
    let (store, _) = store(AFTER, RulesOptions::default()).await;
    let db = database(&store);
    let ann = user(&db, "ann");
    let pair = || set("pairs/a", fields([("n", int(1))]));
    let index = |of: &str| set("index/a", fields([("of", text(of))]));
    is_denied(ann.commit(Draft::of(vec![pair()])).await);
    is_denied(ann.commit(Draft::of(vec![index("a")])).await);
    is_denied(ann.commit(Draft::of(vec![pair(), index("b")])).await);
    ann.commit(Draft::of(vec![index("a"), pair()])).await.unwrap();
    // However many writes a document has, it is judged once: as it was against as it will be.
    let add = |by| increment("pairs/a", "n", by);
    ann.commit(Draft::of(vec![add(2), add(-2), add(1)])).await.unwrap();
    is_denied(ann.commit(Draft::of(vec![add(1), add(1)])).await);
    let found = db.get(&[doc("pairs/a")], None).await.unwrap().value.remove(0).unwrap();
    assert_eq!(found.fields["n"], int(2));
}

/// As Google's emulator has it: 10 documents for each, 20 for all.
#[tokio::test]
async fn what_rules_may_read_is_counted_for_each_document_and_for_the_whole_request() {
    let table = [
        (1, 10, true),
        (1, 11, false),
        (2, 10, true),
        (3, 7, false),
        (3, 6, true),
        (20, 1, true),
        (21, 1, false),
    ];
    for (documents, reads_each, allowed) in table {
        for function in ["exists", "existsAfter"] {
            let absent = |n: usize| format!("!{function}(/databases/$(db)/documents/z/$(id + '-{n}'))");
            let condition = (0..reads_each).map(absent).collect::<Vec<_>>().join(" && ");
            let rules = format!(
                "rules_version = '2'; service cloud.firestore {{ match /databases/{{db}}/documents {{
                   match /a/{{id}} {{ allow get, write: if {condition}; }} }} }}"
            );
            let (store, _) = store(&rules, RulesOptions::default()).await;
            let (db, what) =
                (database(&store), format!("{documents} documents, {reads_each} {function} each"));
            let paths: Vec<_> = (0..documents).map(|n| doc(&format!("a/{n}"))).collect();
            let writes = paths.iter().map(|path| set(&path.to_string(), fields([]))).collect();
            let ann = user(&db, "ann");
            assert_eq!(ann.commit(Draft::of(writes)).await.is_ok(), allowed, "write: {what}");
            assert_eq!(ann.get(&paths, None).await.is_ok(), allowed, "read: {what}");
        }
    }
}

#[tokio::test]
async fn documents_of_the_same_batch_count_towards_what_rules_read() {
    let chain = "rules_version = '2'; service cloud.firestore { match /databases/{db}/documents {
      match /a/{id} { allow write: if existsAfter(/databases/$(db)/documents/a/$(request.resource.data.next)); } } }";
    let (store, _) = store(chain, RulesOptions::default()).await;
    let db = database(&store);
    for (documents, allowed) in [(20, true), (21, false)] {
        let link =
            |n: usize| set(&format!("a/{n}"), fields([("next", text(&((n + 1) % documents).to_string()))]));
        let outcome = user(&db, "ann").commit(Draft::of((0..documents).map(link).collect())).await;
        assert_eq!(outcome.is_ok(), allowed, "{documents}");
    }
}

/// A cursor's range has other types in it than the cursor's own, and Google's emulator takes nothing from it either.
#[tokio::test]
async fn a_query_is_proved_by_its_filter_and_not_by_its_cursors() {
    let rules = "rules_version = '2'; service cloud.firestore { match /databases/{db}/documents {
      match /a/{id} { allow list: if resource.data.o >= 5; } } }";
    let (store, _) = store(rules, RulesOptions::default()).await;
    let db = database(&store);
    let at = |number| Some(Cursor { values: vec![int(number)], before: true });
    let ordered =
        Query { order_by: vec![Order { field: field("o"), direction: Direction::Ascending }], ..all("a") };
    is_denied(user(&db, "ann").run(&Query { start: at(5), ..ordered.clone() }, None).await);
    is_denied(user(&db, "ann").run(&Query { start: at(5), end: at(9), ..ordered.clone() }, None).await);
    let least = FieldFilter { field: field("o"), op: FieldOp::GreaterOrEqual, value: int(5) };
    let filtered = Query { filter: Some(Filter::Field(least)), start: at(7), ..ordered };
    user(&db, "ann").run(&filtered, None).await.unwrap();
}

#[tokio::test]
async fn what_rules_read_cannot_change_under_a_commit() {
    let (store, _) = store(AFTER, RulesOptions::default()).await;
    let db = database(&store);
    let switch = |open| Draft::of(vec![set("switches/g", fields([("open", Value::Boolean(open))]))]);
    db.commit(switch(true)).await.unwrap();
    // Writers race with the switch being shut: what was written after the shutting must have been refused.
    let writers = (0..8).map(|n| {
        let session = user(&db, "ann");
        tokio::spawn(async move {
            let mut last = None;
            for round in 0..20 {
                let draft =
                    Draft::of(vec![set(&format!("switched/{n}-{round}"), fields([("n", int(round))]))]);
                if let Ok(committed) = session.commit(draft).await {
                    last = Some(committed.commit_time);
                }
            }
            last
        })
    });
    let writers: Vec<_> = writers.collect();
    let shut = db.commit(switch(false)).await.unwrap().commit_time;
    for writer in writers {
        assert!(writer.await.unwrap().is_none_or(|last| last < shut));
    }
}

#[tokio::test]
async fn a_write_that_rules_allow_whatever_is_there_does_not_contend() {
    let (_store, db) = deck_of_ann().await;
    let ann = user(&db, "ann");
    let counters = (0..32).map(|_| {
        let ann = ann.clone();
        tokio::spawn(
            async move { ann.commit(Draft::of(vec![increment("users/ann/counter/c", "n", 1)])).await },
        )
    });
    for counter in counters.collect::<Vec<_>>() {
        counter.await.unwrap().unwrap();
    }
    let found = db.get(&[doc("users/ann/counter/c")], None).await.unwrap().value.remove(0).unwrap();
    assert_eq!(found.fields["n"], int(32));
}

/// A verify of a transaction, which writes nothing.
fn verify(path: &str, precondition: Precondition) -> Write {
    Write { path: doc(path), op: WriteOp::Verify, precondition }
}

#[tokio::test]
async fn a_verify_tells_nobody_what_a_read_would_not() {
    let (_store, db) = deck_of_ann().await;
    let own = || set("users/bob/a/b", fields([("n", int(1))]));
    for path in ["projects/d/components/c", "projects/d/components/none"] {
        for exists in [true, false] {
            let check = || verify(path, Precondition::Exists(exists));
            is_denied(user(&db, "bob").commit(Draft::of(vec![check()])).await);
            is_denied(user(&db, "bob").commit(Draft::of(vec![own(), check()])).await);
        }
    }
    // A caller who may read may make a commit depend on the read.
    let holds = verify("projects/d/components/c", Precondition::Exists(true));
    user(&db, "vic").commit(Draft::of(vec![holds])).await.unwrap();
    let fails = verify("projects/d/components/none", Precondition::Exists(true));
    let error = user(&db, "vic").commit(Draft::of(vec![fails])).await.unwrap_err();
    assert_ne!(error.code(), Code::PermissionDenied);
}

#[tokio::test]
async fn who_has_lost_a_role_does_not_read_what_there_was_before() {
    let (_store, db) = deck_of_ann().await;
    let then = Some(db.read_time());
    let component = doc("projects/d/components/c");
    let cards = all("projects/d/components/c/cards");
    let count = [("n".to_owned(), Aggregation::Count { up_to: None })];
    let vic = user(&db, "vic");
    vic.get(std::slice::from_ref(&component), then).await.unwrap();
    assert_eq!(vic.run(&cards, then).await.unwrap().documents.len(), 1);
    vic.aggregate(&cards, &count, then).await.unwrap();
    let without = fields(members(&[("ann", "owner"), ("eve", "editor")]));
    db.commit(Draft::of(vec![set("projects/d", without)])).await.unwrap();
    is_denied(vic.get(std::slice::from_ref(&component), then).await);
    is_denied(vic.run(&cards, then).await);
    is_denied(vic.aggregate(&cards, &count, then).await);
    // Nor does who has one now read what there was when they had none.
    let joined = fields(members(&[("ann", "owner"), ("eve", "editor"), ("bob", "viewer")]));
    db.commit(Draft::of(vec![set("projects/d", joined)])).await.unwrap();
    let bob = user(&db, "bob");
    is_denied(bob.get(std::slice::from_ref(&component), then).await);
    is_denied(bob.run(&cards, then).await);
    // In a transaction neither, whose reads are decided when they are done.
    let past = TxnOptions::ReadOnly { at: then };
    let txn = bob.begin(past).await.unwrap();
    is_denied(bob.get_in(txn, std::slice::from_ref(&component)).await);
    is_denied(bob.run_in(txn, &cards).await);
    is_denied(bob.aggregate_in(txn, &cards, &count).await);
    let ann = user(&db, "ann");
    let txn = ann.begin(past).await.unwrap();
    assert!(ann.get_in(txn, std::slice::from_ref(&component)).await.unwrap().value[0].is_some());
    assert_eq!(ann.run_in(txn, &cards).await.unwrap().documents.len(), 1);
    ann.aggregate_in(txn, &cards, &count).await.unwrap();
    bob.get(&[component], None).await.unwrap();
}

#[tokio::test]
async fn a_listener_does_not_outlive_a_change_of_rules_or_of_what_they_read() {
    let (store, policy) = store(AFTER, RulesOptions::default()).await;
    let db = database(&store);
    let switch = |open| Draft::of(vec![set("switches/g", fields([("open", Value::Boolean(open))]))]);
    let see = |n| Draft::of(vec![set("seen/a", fields([("n", int(n))]))]);
    db.commit(switch(true)).await.unwrap();
    let mut watcher = user(&db, "ann").watch();
    watcher.add(1, Target::Query(Box::new(all("seen"))), None, None, false);
    watcher.add(2, Target::Query(Box::new(all("switches"))), None, None, false);
    let mut current = 0;
    while current < 2 {
        match watcher.next().await {
            WatchEvent::Current(..) => current += 1,
            WatchEvent::Removed(id, error) => panic!("{id} {error:?}"),
            _ => {}
        }
    }
    db.commit(see(1)).await.unwrap();
    while !matches!(watcher.next().await, WatchEvent::Changed { document, .. } if document.path == doc("seen/a"))
    {
    }
    db.commit(switch(false)).await.unwrap();
    db.commit(see(2)).await.unwrap();
    loop {
        match watcher.next().await {
            WatchEvent::Removed(1, Some(error)) => break assert_eq!(error.code(), Code::PermissionDenied),
            WatchEvent::Changed { document, .. } => assert_ne!(document.fields.get("n"), Some(&int(2))),
            _ => {}
        }
    }
    policy.set("p", POLICY).unwrap();
    db.commit(switch(true)).await.unwrap();
    loop {
        match watcher.next().await {
            WatchEvent::Removed(2, Some(error)) => break assert_eq!(error.code(), Code::PermissionDenied),
            WatchEvent::Changed { document, .. } => {
                assert_ne!(document.fields.get("open"), Some(&Value::Boolean(true)));
            }
            _ => {}
        }
    }
}

#[tokio::test]
async fn emulator_options_explain_cover_and_allow_without_rules() {
    let options = RulesOptions { allow_without_rules: true, explain: true, coverage: true };
    let (store, policy) = store(AFTER, options).await;
    let db = database(&store);
    let error = user(&db, "ann").get(&[doc("seen/a")], None).await.unwrap_err();
    assert!(error.message().contains("for 'get' @ L11"), "{}", error.message());
    let error = user(&db, "ann").get(&[doc("nowhere/a")], None).await.unwrap_err();
    assert_eq!(error.message(), "No matching allow statements");
    let report = policy.coverage("p").unwrap();
    let covered = report["report"].as_array().unwrap().iter().filter(|e| e["values"].is_array()).count();
    assert_eq!(covered, 1);
    // Rules that do not compile leave the old ones in force.
    assert!(policy.set("p", "rules_version = '2'; nonsense").is_err());
    assert!(user(&db, "ann").get(&[doc("seen/a")], None).await.is_err());
    let other = store.database(&DatabaseId::default_of("no-rules"));
    other.as_caller(Caller::Anonymous).get(&[doc("seen/a")], None).await.unwrap();
    let (store, _) = super_strict().await;
    let other = store.database(&DatabaseId::default_of("no-rules"));
    is_denied(other.as_caller(Caller::Anonymous).get(&[doc("seen/a")], None).await);
}

async fn super_strict() -> (Store, Arc<SecurityRules>) {
    store(AFTER, RulesOptions::default()).await
}
