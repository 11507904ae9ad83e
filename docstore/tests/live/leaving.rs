//! Documents that leave a live query, for all the reasons there are.

use super::*;

/// Documents reported as leaving, up to the next snapshot.
async fn left(watcher: &mut Watcher) -> Vec<String> {
    let mut left = Vec::new();
    loop {
        match watcher.next().await {
            WatchEvent::Deleted { path, .. } => left.push(format!("{path} is deleted")),
            WatchEvent::Gone { path, .. } => left.push(format!("{path} is elsewhere")),
            WatchEvent::Snapshot(_) => return left,
            _ => {}
        }
    }
}

/// A client that is told of a deletion keeps the document as one that does not exist.
#[tokio::test]
async fn only_what_is_deleted_is_said_to_be() {
    let store = Store::in_memory().await.unwrap();
    let db = database(&store);
    for n in 1..9 {
        put(&db, &format!("c/{n}"), [("n", int(n))]).await;
    }
    let limited = Query {
        filter: Some(filter("n", FieldOp::Greater, int(0))),
        order_by: vec![order("n", Direction::Ascending)],
        limit: Some(4),
        ..all("c")
    };
    for query in [limited.clone(), Query { offset: 1, ..limited }] {
        let mut watcher = db.watch();
        watcher.add(2, Target::Query(Box::new(query)), None, None, false);
        left(&mut watcher).await;
        // In the query's place for the first: 1 2 3 4; for the second: 2 3 4 5.
        db.commit(Draft::of(vec![delete("c/3")])).await.unwrap();
        assert_eq!(left(&mut watcher).await, ["c/3 is deleted"]);
        put(&db, "c/4", [("n", int(-1))]).await;
        assert_eq!(left(&mut watcher).await, ["c/4 is elsewhere"]);
        // The second document has lost its place, whether both commits arrive as one batch or not.
        let both = [vec![delete("c/2")], vec![set("c/2", fields([("n", int(-1))]))]];
        let [one, other] = both.map(|writes| db.commit(Draft::of(writes)));
        let (one, other) = tokio::join!(one, other);
        let (one, other) = (one.unwrap().commit_time, other.unwrap().commit_time);
        let first = left(&mut watcher).await;
        assert!(one < other && first.len() == 1 && first[0].starts_with("c/2 is"), "{first:?}");
        for n in [2, 3, 4] {
            put(&db, &format!("c/{n}"), [("n", int(n))]).await;
        }
    }
    // A document that leaves makes room for another.
    let mut watcher = db.watch();
    let last = Query { order_by: vec![order("n", Direction::Descending)], limit: Some(2), ..all("c") };
    watcher.add(2, Target::Query(Box::new(last)), None, None, false);
    left(&mut watcher).await;
    put(&db, "c/9", [("n", int(9))]).await;
    assert_eq!(left(&mut watcher).await, ["c/7 is elsewhere"]);
    // The same name in another database is none of its business.
    let elsewhere = store.database(&DatabaseId::default_of("q"));
    put(&elsewhere, "c/8", []).await;
    let (one, other) = tokio::join!(
        elsewhere.commit(Draft::of(vec![delete("c/8")])),
        db.commit(Draft::of(vec![set("c/10", fields([("n", int(10))]))])),
    );
    assert!(one.is_ok() && other.is_ok());
    assert_eq!(left(&mut watcher).await, ["c/8 is elsewhere"]);
}
