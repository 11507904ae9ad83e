//! Live queries that select fields.

use super::*;

fn selecting<const N: usize>(names: [&str; N]) -> Target {
    let filter = Some(filter("b", FieldOp::Greater, int(0)));
    let order_by = vec![order("b", Direction::Ascending)];
    let select = Some(names.into_iter().map(field).collect());
    Target::Query(Box::new(Query { select, filter, order_by, limit: Some(2), ..all("c") }))
}

/// Events up to the next snapshot: each document with its fields, and the targets that it matches and does not match.
async fn cut(watcher: &mut Watcher) -> Vec<String> {
    let mut told = Vec::new();
    loop {
        match watcher.next().await {
            WatchEvent::Changed { document, targets, removed } => {
                let fields: Vec<_> = document.fields.keys().cloned().collect();
                told.push(format!("{} {} in {targets:?}, not {removed:?}", document.path, fields.join("+")));
            }
            WatchEvent::Gone { path, targets, .. } => told.push(format!("{path} not in {targets:?}")),
            WatchEvent::Snapshot(_) => return told,
            WatchEvent::Reset(id) => told.push(format!("reset {id}")),
            _ => {}
        }
    }
}

/// Each target is shown what its query selects, and which documents those are is found by all their fields.
#[tokio::test]
async fn a_live_query_shows_the_fields_that_it_selects() {
    let store = Store::in_memory().await.unwrap();
    let db = database(&store);
    for n in 1..4 {
        put(&db, &format!("c/{n}"), [("a", int(1)), ("b", int(n)), ("d", int(1))]).await;
    }
    let mut watcher = db.watch();
    for (id, target, fields) in [
        (2, selecting(["a"]), "a"),
        (4, selecting([]), ""),
        (6, Target::Documents(vec![doc("c/1"), doc("c/2")]), "a+b+d"),
    ] {
        watcher.add(id, target, None, None, false);
        let whole = [1, 2].map(|n| format!("c/{n} {fields} in [{id}], not []"));
        assert_eq!(cut(&mut watcher).await, whole);
    }
    // A field that neither selects: the document's time is another.
    put(&db, "c/1", [("a", int(1)), ("b", int(1)), ("d", int(2))]).await;
    let told = ["c/1 a+b+d in [6], not []", "c/1 a in [2], not []", "c/1  in [4], not []"];
    assert_eq!(cut(&mut watcher).await, told);
    // One leaves the queries and another takes its place.
    let at = put(&db, "c/2", [("a", int(1)), ("b", int(9))]).await.commit_time;
    let told = ["c/2 a+b in [6], not [2, 4]", "c/3 a in [2], not []", "c/3  in [4], not []"];
    let mut heard = cut(&mut watcher).await;
    heard[0] = heard[0].replace("[4, 2]", "[2, 4]");
    assert_eq!(heard, told);
    put(&db, "c/1", [("a", int(2)), ("b", int(1))]).await;
    for (since, told) in [
        (at, vec!["c/1 a in [2], not []"]),
        (Ts::from_micros(1), vec!["reset 2", "c/1 a in [2], not []", "c/3 a in [2], not []"]),
    ] {
        let mut watcher = db.watch();
        watcher.add(2, selecting(["a"]), Some(since), None, false);
        assert_eq!(cut(&mut watcher).await, told);
    }
}
