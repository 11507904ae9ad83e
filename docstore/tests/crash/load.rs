//! kill -9 straight after a large load: the start neither fails nor takes long, and every document is there.
//!
//! `DOCSTORE_CRASH_DOCUMENTS` says how many documents are loaded (`scripts/crash --load` asks for 500,000).

use std::time::Instant;

use super::*;

/// Documents per commit of the load.
const LOADED_AT_ONCE: u64 = 250;

fn loaded(n: u64) -> Fields {
    fields([
        ("rank", int((n.wrapping_mul(2_654_435_761) % 1_000_003) as i64)),
        ("name", Value::String(format!("Card number {n}"))),
        ("text", Value::String("x".repeat(400))),
    ])
}

fn documents() -> u64 {
    number("DOCSTORE_CRASH_DOCUMENTS").unwrap_or(10_000)
}

/// The victim: loads documents, says so, and waits for its end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by the test below, in a process of its own"]
async fn loader() {
    let dir = std::env::var_os("DOCSTORE_CRASH_DIR").expect("run by the test below");
    let store = open(Path::new(&dir)).await;
    let db = database(&store);
    let documents = documents();
    for from in (0..documents).step_by(LOADED_AT_ONCE as usize) {
        let to = documents.min(from + LOADED_AT_ONCE);
        let writes = (from..to).map(|n| set(&format!("cards/{n:08}"), loaded(n))).collect();
        db.commit(Draft::of(writes)).await.unwrap();
    }
    std::io::stdout().lock().write_all(b"loaded\n").unwrap();
    std::future::pending::<()>().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_after_a_large_load_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "load::loader", "--ignored", "--nocapture"])
        .env("DOCSTORE_CRASH_DIR", dir.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().ends_with("loaded")), "the load failed");
    let took = begun.elapsed();
    child.kill().unwrap();
    child.wait().unwrap();
    let begun = Instant::now();
    let store = open(dir.path()).await;
    println!(
        "{} documents loaded in {took:.1?}, opened after kill -9 in {:.2?}",
        documents(),
        begun.elapsed()
    );
    let db = database(&store);
    let count = [("n".to_owned(), Aggregation::Count { up_to: None })];
    let counted = db.aggregate(&all("cards"), &count, None).await.unwrap().value;
    assert_eq!(counted[0].1, int(documents() as i64));
    for n in (0..documents()).step_by(997) {
        let document = one(&db, &format!("cards/{n:08}")).await.unwrap();
        assert_eq!(document.fields, loaded(n));
    }
    store.close().await.unwrap();
}
