//! Queries that stop at a number of bytes.

use docstore::model::*;
use docstore::*;

use super::support::*;

const DOCUMENTS: i64 = 200;

#[tokio::test]
async fn a_limit_in_bytes_bounds_what_is_read() {
    let store = Store::in_memory().await.unwrap();
    let db = database(&store);
    let text = "x".repeat(10_000);
    let sets = (0..DOCUMENTS)
        .map(|n| set(&format!("c/{n:03}"), fields([("n", int(n)), ("text", Value::String(text.clone()))])));
    db.commit(Draft::of(sets.collect())).await.unwrap();
    for direction in [Direction::Ascending, Direction::Descending] {
        for by in ["n", "__name__"] {
            let whole = Query { order_by: vec![order(by, direction)], ..all("c") };
            let everything = db.run(&whole, None).await.unwrap().documents;
            let size = everything[0].size();
            for fit in [0, 1, 2, 5, 50] {
                // A byte too few for one more.
                let limited = Query { limit_bytes: Some(size * (fit + 1) - 1), ..whole.clone() };
                let found = db.run(&limited, None).await.unwrap();
                // The one that goes beyond says that there is more.
                assert_eq!(found.documents.len(), fit + 1);
                assert!(found.documents.iter().zip(&everything).all(|(a, b)| a.path == b.path));
                let (read, most) = (found.stats.documents_read, fit as u64 + 32);
                assert!(read <= most, "{read} documents were read for {fit}");
                assert_eq!(found.stats.results, fit as u64 + 1);
            }
            let roomy = Query { limit_bytes: Some(size * 1_000), ..whole };
            assert_eq!(db.run(&roomy, None).await.unwrap().documents.len(), everything.len());
        }
    }
}
