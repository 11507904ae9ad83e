//! Requirements on every engine, as a macro that is used once per engine.

/// The suite. The module it is used in has a `Home` with `new()` and `open() -> Store`.
macro_rules! suite {
    () => {
        #[tokio::test]
        async fn writes_are_read_back() {
            let home = Home::new();
            let store = home.open().await;
            let db = database(&store);
            assert!(one(&db, "c/a").await.is_none());
            let first = put(&db, "c/a", [("n", int(1))]).await;
            let second = db
                .commit(Draft::of(vec![increment("c/a", "n", 4), set("c/b", Fields::new())]))
                .await
                .unwrap();
            assert!(second.commit_time > first.commit_time);
            assert_eq!(second.results[0].transform_results, [int(5)]);
            let a = one(&db, "c/a").await.unwrap();
            assert_eq!(a.fields, fields([("n", int(5))]));
            assert_eq!((a.create_time, a.update_time), (first.commit_time, second.commit_time));
            // The past stays readable.
            let before = db.get(&[doc("c/a"), doc("c/b")], Some(first.commit_time)).await.unwrap();
            assert_eq!(before.value[0].as_ref().unwrap().fields, fields([("n", int(1))]));
            assert!(before.value[1].is_none());
            db.commit(Draft::of(vec![delete("c/a")])).await.unwrap();
            assert!(one(&db, "c/a").await.is_none());
            assert_eq!(names(&db, &all("c")).await, ["c/b"]);
            assert_eq!(store.databases("p").await.unwrap(), [DatabaseId::default_of("p")]);
            store.close().await.unwrap();
            assert_eq!(
                db.commit(Draft::of(vec![delete("c/a")])).await.unwrap_err().code(),
                Code::Unavailable
            );
        }

        #[tokio::test]
        async fn a_failing_write_undoes_the_whole_draft() {
            let home = Home::new();
            let store = home.open().await;
            let db = database(&store);
            let mut bad = set("c/b", Fields::new());
            bad.precondition = Precondition::Exists(true);
            let error = db.commit(Draft::of(vec![set("c/a", Fields::new()), bad])).await.unwrap_err();
            assert_eq!(error.code(), Code::NotFound);
            assert!(one(&db, "c/a").await.is_none());
        }

        #[tokio::test]
        async fn the_same_document_may_be_written_twice() {
            let home = Home::new();
            let store = home.open().await;
            let db = database(&store);
            let writes =
                vec![set("c/a", fields([("n", int(1))])), increment("c/a", "n", 1), increment("c/a", "n", 1)];
            let done = db.commit(Draft::of(writes)).await.unwrap();
            assert_eq!(done.results[2].transform_results, [int(3)]);
            let undone = db.commit(Draft::of(vec![set("c/b", Fields::new()), delete("c/b")])).await.unwrap();
            assert!(undone.commit_time > done.commit_time);
            assert_eq!(undone.results[0].update_time, Some(undone.commit_time));
            // A commit that changes nothing has a time of its own, too.
            let nothing = || Draft::of(vec![delete("c/b")]);
            let first = db.commit(nothing()).await.unwrap().commit_time;
            let second = db.commit(nothing()).await.unwrap().commit_time;
            assert!(undone.commit_time < first && first < second);
            assert_eq!(names(&db, &all("c")).await, ["c/a"]);
            // Its transforms are counted over all its writes.
            let often = |times: usize| Draft::of(vec![increment("c/a", "n", 1); times]);
            assert_eq!(db.commit(often(500)).await.unwrap().results[499].transform_results, [int(503)]);
            assert_eq!(db.commit(often(501)).await.unwrap_err().tag(), "TooManyTransforms");
            assert_eq!(one(&db, "c/a").await.unwrap().fields, fields([("n", int(503))]));
        }

        #[tokio::test]
        async fn transactions_validate_what_they_read() {
            let home = Home::new();
            // Without locks: they only spare retries, and correctness may not rest on them.
            let lock_wait = std::time::Duration::ZERO;
            let store = home.open_with(Limits { lock_wait, ..Limits::default() }).await;
            let db = database(&store);
            put(&db, "c/a", [("n", int(1))]).await;
            // A document that was read changes.
            let txn = db.begin(TxnOptions::ReadWrite { retry: None }).await.unwrap();
            db.get_in(txn, &[doc("c/a")]).await.unwrap();
            put(&db, "c/a", [("n", int(2))]).await;
            let draft = Draft { writes: vec![set("c/b", Fields::new())], txn: Some(txn) };
            assert_eq!(db.commit(draft).await.unwrap_err().code(), Code::Aborted);
            // A document enters a range that was read.
            let txn = db.begin(TxnOptions::ReadWrite { retry: None }).await.unwrap();
            let mut query = all("c");
            query.filter = Some(filter("n", FieldOp::Equal, int(7)));
            assert!(db.run_in(txn, &query).await.unwrap().documents.is_empty());
            put(&db, "c/z", [("n", int(7))]).await;
            let draft = Draft { writes: vec![set("c/b", Fields::new())], txn: Some(txn) };
            assert_eq!(db.commit(draft).await.unwrap_err().code(), Code::Aborted);
            // Nothing that was read changes.
            let txn = db.begin(TxnOptions::ReadWrite { retry: None }).await.unwrap();
            db.get_in(txn, &[doc("c/a")]).await.unwrap();
            put(&db, "d/a", [("n", int(2))]).await;
            let draft = Draft { writes: vec![set("c/b", Fields::new())], txn: Some(txn) };
            db.commit(draft.clone()).await.unwrap();
            assert_eq!(db.commit(draft).await.unwrap_err().message(), "Invalid transaction.");
            // A read-only one may not write.
            let txn = db.begin(TxnOptions::ReadOnly { at: None }).await.unwrap();
            let draft = Draft { writes: vec![set("c/b", Fields::new())], txn: Some(txn) };
            assert_eq!(
                db.commit(draft).await.unwrap_err().message(),
                "Cannot modify entities in a read-only transaction."
            );
        }

        #[tokio::test]
        async fn a_write_waits_for_the_transaction_that_read() {
            let home = Home::new();
            let store = home.open().await;
            let db = database(&store);
            put(&db, "c/a", [("n", int(1))]).await;
            for by_query in [false, true] {
                let txn = db.begin(TxnOptions::ReadWrite { retry: None }).await.unwrap();
                if by_query {
                    db.run_in(txn, &all("c")).await.unwrap();
                } else {
                    db.get_in(txn, &[doc("c/a")]).await.unwrap();
                }
                let plain = tokio::spawn({
                    let db = db.clone();
                    async move { put(&db, "c/a", [("n", int(100))]).await.commit_time }
                });
                // Other documents are nobody's business.
                put(&db, "d/a", [("n", int(1))]).await;
                let draft = Draft { writes: vec![set("c/a", fields([("n", int(2))]))], txn: Some(txn) };
                let first = db.commit(draft).await.unwrap().commit_time;
                assert!(plain.await.unwrap() > first);
            }
            // So it does for one that is rolled back.
            let txn = db.begin(TxnOptions::ReadWrite { retry: None }).await.unwrap();
            db.get_in(txn, &[doc("c/a")]).await.unwrap();
            let write = [set("c/a", fields([("n", int(4))]))];
            let mut plain = std::pin::pin!(db.commit(Draft::of(write.to_vec())));
            assert!(futures::poll!(plain.as_mut()).is_pending());
            db.rollback(txn).await.unwrap();
            plain.await.unwrap();
            assert_eq!(one(&db, "c/a").await.unwrap().fields["n"], int(4));
            // A transaction reads what is newest, as long as what it has read stands.
            let txn = db.begin(TxnOptions::ReadWrite { retry: None }).await.unwrap();
            db.get_in(txn, &[doc("c/a")]).await.unwrap();
            put(&db, "d/a", [("n", int(7))]).await;
            let found = db.get_in(txn, &[doc("d/a")]).await.unwrap();
            assert_eq!(found.value[0].as_ref().unwrap().fields["n"], int(7));
            db.commit(Draft { writes: vec![delete("c/a")], txn: Some(txn) }).await.unwrap();
        }

        /// Clients that all increment one number by reading and writing it: all get through, about equally often.
        #[tokio::test]
        async fn contending_transactions_take_turns() {
            const CLIENTS: usize = 32;
            const TURNS: usize = 1_600;
            let home = Home::new();
            let store = home.open().await;
            let db = database(&store);
            put(&db, "c/a", [("n", int(0))]).await;
            let left = Arc::new(std::sync::atomic::AtomicUsize::new(TURNS));
            let clients: Vec<_> = (0..CLIENTS)
                .map(|_| {
                    let (db, left) = (db.clone(), Arc::clone(&left));
                    tokio::spawn(async move {
                        let (mut done, mut failed, mut retry) = (0, 0, None);
                        while left.load(std::sync::atomic::Ordering::Relaxed) > 0 {
                            let txn = db.begin(TxnOptions::ReadWrite { retry }).await.unwrap();
                            retry = Some(txn);
                            let attempt = async {
                                let found = db.get_in(txn, &[doc("c/a")]).await?.value;
                                let Value::Integer(n) = found[0].as_ref().unwrap().fields["n"] else {
                                    panic!()
                                };
                                let writes = vec![set("c/a", fields([("n", int(n + 1))]))];
                                db.commit(Draft { writes, txn: Some(txn) }).await
                            };
                            match attempt.await {
                                Ok(_) => {
                                    (done, retry) = (done + 1, None);
                                    let _ = left.fetch_update(
                                        std::sync::atomic::Ordering::Relaxed,
                                        std::sync::atomic::Ordering::Relaxed,
                                        |left| left.checked_sub(1),
                                    );
                                }
                                Err(error) => {
                                    assert_eq!(error.code(), Code::Aborted, "{error}");
                                    failed += 1;
                                }
                            }
                        }
                        (done, failed)
                    })
                })
                .collect();
            let mut done: Vec<usize> = Vec::new();
            let mut failed = 0;
            for client in clients {
                let (one, lost) = client.await.unwrap();
                done.push(one);
                failed += lost;
            }
            let total: usize = done.iter().sum();
            assert_eq!(one(&db, "c/a").await.unwrap().fields["n"], int(total as i64));
            let (least, most) = (done.iter().min().unwrap(), done.iter().max().unwrap());
            assert!(least * 2 >= *most, "from {least} to {most} turns: {done:?}");
            // Each client learns once that the document is contended; after that it queues and succeeds.
            assert!(failed <= CLIENTS, "{failed} attempts failed");
        }

        #[tokio::test]
        async fn names_are_listed() {
            let home = Home::new();
            let store = home.open().await;
            let db = database(&store);
            for path in ["a/1", "a/2/x/1", "a/3/y/1/z/1", "b/1/c/1", "a/4", "ab/1"] {
                put(&db, path, []).await;
            }
            let page = Page::default();
            assert_eq!(db.list_collections(None, &page, None).await.unwrap().ids, ["a", "ab", "b"]);
            let parent = doc("a/3");
            assert_eq!(db.list_collections(Some(&parent), &page, None).await.unwrap().ids, ["y"]);
            let first =
                db.list_collections(None, &Page { size: 2, token: String::new() }, None).await.unwrap();
            let rest = Page { size: 2, token: first.next.unwrap() };
            assert_eq!(db.list_collections(None, &rest, None).await.unwrap().ids, ["b"]);
            let list = |show_missing, size, token: &str| ListDocuments {
                collection: CollectionPath::parse("a").unwrap(),
                page: Page { size, token: token.to_owned() },
                show_missing,
            };
            let ids = |page: &docstore::database::DocumentsPage| {
                page.documents
                    .iter()
                    .map(|(path, found)| (path.id().to_owned(), found.is_some()))
                    .collect::<Vec<_>>()
            };
            let plain = db.list_documents(&list(false, 0, ""), None).await.unwrap();
            assert_eq!(ids(&plain), [("1".into(), true), ("4".into(), true)]);
            let missing = db.list_documents(&list(true, 3, ""), None).await.unwrap();
            assert_eq!(ids(&missing), [("1".into(), true), ("2".into(), false), ("3".into(), false)]);
            let rest = db.list_documents(&list(true, 3, &missing.next.unwrap()), None).await.unwrap();
            assert_eq!(ids(&rest), [("4".into(), true)]);
            assert_eq!(rest.next, None);
            db.clear().await.unwrap();
            assert!(db.list_collections(None, &page, None).await.unwrap().ids.is_empty());
        }

        #[tokio::test]
        async fn callers_reach_only_their_own_subtree() {
            let home = Home::new();
            let store = home.open().await;
            let db = database(&store);
            let user = |uid: &str| {
                db.as_caller(Caller::User(Auth { uid: uid.to_owned(), token: serde_json::Value::Null }))
            };
            let (alice, bob) = (user("alice"), user("bob"));
            let deck = || Draft::of(vec![set("users/alice/decks/d", fields([("n", int(1))]))]);
            alice.commit(deck()).await.unwrap();
            assert_eq!(bob.commit(deck()).await.unwrap_err().code(), Code::PermissionDenied);
            let path = [doc("users/alice/decks/d")];
            assert!(alice.get(&path, None).await.unwrap().value[0].is_some());
            assert_eq!(bob.get(&path, None).await.unwrap_err().code(), Code::PermissionDenied);
            let query = all("users/alice/decks");
            assert_eq!(alice.run(&query, None).await.unwrap().documents.len(), 1);
            let nobody = db.as_caller(Caller::Anonymous);
            assert_eq!(nobody.run(&query, None).await.unwrap_err().code(), Code::PermissionDenied);
            let mut watcher = bob.watch();
            watcher.add(2, Target::Query(Box::new(query)), None, None, false);
            let WatchEvent::Removed(2, Some(error)) = watcher.next().await else { panic!("not refused") };
            assert_eq!(error.code(), Code::PermissionDenied);
        }

        #[tokio::test]
        async fn a_stream_follows_its_targets() {
            let home = Home::new();
            let store = home.open().await;
            let db = database(&store);
            put(&db, "c/a", [("n", int(1))]).await;
            let mut watcher = db.watch();
            let mut client = Client::default();
            let mut query = all("c");
            query.filter = Some(filter("n", FieldOp::Equal, int(1)));
            watcher.add(2, Target::Query(Box::new(query)), None, None, false);
            watcher.add(4, Target::Documents(vec![doc("c/a"), doc("c/none")]), None, None, false);
            client.follow(&mut watcher, Ts::ZERO, &[2, 4]).await;
            assert_eq!((client.paths(2), client.paths(4)), (vec!["c/a"], vec!["c/a"]));
            let done = put(&db, "c/b", [("n", int(1))]).await;
            client.follow(&mut watcher, done.commit_time, &[2, 4]).await;
            assert_eq!(client.paths(2), ["c/a", "c/b"]);
            let done = db.commit(Draft::of(vec![increment("c/a", "n", 1), delete("c/b")])).await.unwrap();
            client.follow(&mut watcher, done.commit_time, &[2, 4]).await;
            assert!(client.paths(2).is_empty());
            assert_eq!(client.held[&(4, "c/a".to_owned())], done.commit_time);
            watcher.remove(2);
            while client.removed.is_empty() {
                client.take(watcher.next().await);
            }
            assert_eq!(client.removed, [(2, None)]);
        }

        #[tokio::test]
        async fn a_limit_is_refilled() {
            let home = Home::new();
            let store = home.open().await;
            let db = database(&store);
            for n in 0..6 {
                put(&db, &format!("c/{n}"), [("n", int(n))]).await;
            }
            for direction in [Direction::Ascending, Direction::Descending] {
                let mut query = all("c");
                query.order_by = vec![order("n", direction)];
                query.limit = Some(2);
                let mut watcher = db.watch();
                let mut client = Client::default();
                watcher.add(2, Target::Query(Box::new(query.clone())), None, None, false);
                client.follow(&mut watcher, Ts::ZERO, &[2]).await;
                for victim in [0, 5, 1, 4] {
                    let path = format!("c/{victim}");
                    let done = db.commit(Draft::of(vec![delete(&path)])).await.unwrap();
                    put(&db, "other/x", []).await;
                    let marker =
                        db.commit(Draft::of(vec![set(&path, fields([("n", int(victim))]))])).await.unwrap();
                    assert!(marker.commit_time > done.commit_time);
                    let gone = db.commit(Draft::of(vec![delete(&path)])).await.unwrap();
                    let mut fresh = names(&db, &query).await;
                    fresh.sort();
                    // The stream may have nothing to say about the last commit; stop at the same state.
                    let mut tries = 0;
                    while client.paths(2) != fresh {
                        client.take(watcher.next().await);
                        tries += 1;
                        assert!(tries < 100, "{:?} {fresh:?} at {}", client.paths(2), gone.commit_time);
                    }
                    put(&db, &path, [("n", int(victim))]).await;
                }
            }
        }

        #[tokio::test]
        async fn a_stream_resumes() {
            let home = Home::new();
            let store = home.open().await;
            let db = database(&store);
            for name in ["a", "b", "c"] {
                put(&db, &format!("c/{name}"), [("n", int(1))]).await;
            }
            for limit in [None, Some(3)] {
                let mut query = all("c");
                query.filter = Some(filter("n", FieldOp::Equal, int(1)));
                query.limit = limit;
                let mut watcher = db.watch();
                let mut client = Client::default();
                watcher.add(2, Target::Query(Box::new(query.clone())), None, None, false);
                client.follow(&mut watcher, Ts::ZERO, &[2]).await;
                drop(watcher);
                client.current.clear();
                let writes =
                    vec![delete("c/a"), increment("c/b", "n", 1), set("c/d", fields([("n", int(1))]))];
                let done = db.commit(Draft::of(writes)).await.unwrap();
                let mut watcher = db.watch();
                watcher.add(2, Target::Query(Box::new(query.clone())), Some(client.snapshot), Some(3), false);
                client.follow(&mut watcher, done.commit_time, &[2]).await;
                assert_eq!(client.paths(2), ["c/c", "c/d"]);
                let writes = vec![
                    set("c/a", fields([("n", int(1))])),
                    set("c/b", fields([("n", int(1))])),
                    delete("c/d"),
                ];
                db.commit(Draft::of(writes)).await.unwrap();
            }
            // A token nobody remembers: everything again, or a filter when the client counts.
            let mut watcher = db.watch();
            let mut client = Client::default();
            client.held.insert((2, "c/ghost".to_owned()), Ts::ZERO);
            watcher.add(2, Target::Query(Box::new(all("c"))), Some(Ts::from_micros(1)), None, false);
            client.follow(&mut watcher, Ts::ZERO, &[2]).await;
            assert_eq!(client.paths(2), ["c/a", "c/b", "c/c"]);
            let mut client = Client::default();
            client.held.insert((4, "c/ghost".to_owned()), Ts::ZERO);
            watcher.add(4, Target::Query(Box::new(all("c"))), Some(Ts::from_micros(1)), Some(1), true);
            while client.removed.is_empty() {
                let event = watcher.next().await;
                if matches!(event, WatchEvent::Current(4, _)) {
                    assert_eq!(client.paths(4), ["c/a", "c/b", "c/c"]);
                }
                client.take(event);
            }
            assert_eq!(client.filters, [(4, 3)]);
        }

        #[tokio::test]
        async fn a_slow_client_is_resynchronised() {
            let home = Home::new();
            let store = home.open().await;
            let db = database(&store);
            put(&db, "c/0", [("n", int(0))]).await;
            let mut watcher = db.watch();
            let mut client = Client::default();
            watcher.add(2, Target::Query(Box::new(all("c"))), None, None, false);
            client.follow(&mut watcher, Ts::ZERO, &[2]).await;
            let mut last = Ts::ZERO;
            for round in 0..30i64 {
                let writes =
                    (0..100).map(|n| set(&format!("c/{}", (round + n) % 400), fields([("n", int(round))])));
                last = db.commit(Draft::of(writes.collect())).await.unwrap().commit_time;
            }
            last = last.max(db.commit(Draft::of(vec![delete("c/0")])).await.unwrap().commit_time);
            client.follow(&mut watcher, last, &[2]).await;
            let fresh = db.run(&all("c"), None).await.unwrap().documents;
            let fresh: Vec<_> = fresh.into_iter().map(|d| (d.path.to_string(), d.update_time)).collect();
            let held: Vec<_> = client.held.iter().map(|((_, path), ts)| (path.clone(), *ts)).collect();
            let mut fresh = fresh;
            fresh.sort();
            assert_eq!(held, fresh);
        }
    };
}
pub(crate) use suite;
