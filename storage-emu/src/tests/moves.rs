//! Objects that change their place, their name or their storage class.

use docstore::access::Mode;
use serde_json::{Value, json};

use super::administration::{ask, listed, put};
use super::support::Bench;

#[tokio::test]
async fn a_move_gives_another_name_at_once() {
    let bench = Bench::new(Mode::Emulator).await;
    let generation = put(&bench, "users/u/a", "moved").await;
    ask(&bench, "PATCH", "/b/~/o/users%2Fu%2Fa", r#"{"metadata":{"k":"v"},"contentType":"a/b"}"#).await;
    put(&bench, "users/u/c%3F", "replaced").await;
    let path = "/storage/v1/b/~/o/users%2Fu%2Fa/moveTo/o/users%2Fu%2Fc%3F";
    for (query, status) in [
        ("ifGenerationMatch=0", 412),
        ("ifSourceGenerationMatch=1", 412),
        ("ifSourceMetagenerationMatch=1", 412),
        ("ifSourceMetagenerationNotMatch=2", 412),
    ] {
        assert_eq!(ask(&bench, "POST", &format!("{path}?{query}"), "").await.status, status, "{query}");
    }
    assert_eq!(listed(&bench, "").await, "users/u/a users/u/c?");
    let moved = ask(&bench, "POST", &format!("{path}?ifSourceGenerationMatch={generation}"), "").await;
    let described = moved.json();
    assert_eq!((moved.status.as_u16(), &described["kind"]), (200, &"storage#object".into()), "{described}");
    assert_eq!(
        (&described["name"], &described["metadata"], &described["contentType"], &described["metageneration"]),
        (&"users/u/c?".into(), &json!({ "k": "v" }), &"a/b".into(), &"1".into())
    );
    assert_ne!(described["generation"], generation);
    assert_eq!(listed(&bench, "").await, "users/u/c?");
    assert_eq!(ask(&bench, "GET", "/b/~/o/users%2Fu%2Fc%3F?alt=media", "").await.body, "moved");
    // The replaced content is gone, the moved one stays until its object goes.
    assert_eq!(bench.keys().await.len(), 2);
    bench.clock.advance(std::time::Duration::from_secs(crate::sweep::ORPHAN_AGE_SECONDS + 1));
    bench.state.sweep().await.unwrap();
    assert_eq!(bench.keys().await.len(), 1);
    let usage = bench.state.usage("u").await.unwrap();
    assert_eq!((usage.files, usage.bytes), (1, 5));
    for (uri, status) in [
        ("/b/~/o/none/moveTo/o/b", 404),
        ("/b/~/o/users%2Fu%2Fa/moveTo/o/b", 404),
        ("/b/~/o/users%2Fu%2Fc%3F/moveTo/o/users%2Fu%2Fc%3F", 400),
    ] {
        assert_eq!(ask(&bench, "POST", uri, "").await.status, status, "{uri}");
    }
}

#[tokio::test]
async fn a_copy_heeds_conditions_on_its_source() {
    let bench = Bench::new(Mode::Emulator).await;
    let generation = put(&bench, "a", "x").await;
    let copy = |condition: &str| format!("/b/~/o/a/rewriteTo/b/~/o/b?{condition}");
    for (condition, status) in [
        ("ifSourceGenerationMatch=1".to_owned(), 412),
        (format!("ifSourceGenerationNotMatch={generation}"), 412),
        (format!("ifSourceGenerationMatch={generation}"), 200),
    ] {
        assert_eq!(ask(&bench, "POST", &copy(&condition), "").await.status, status, "{condition}");
    }
}

#[tokio::test]
async fn the_storage_class_comes_with_the_content() {
    let bench = Bench::new(Mode::Emulator).await;
    put(&bench, "a", "x").await;
    let class = |reply: &Value| reply["storageClass"].as_str().unwrap_or_default().to_owned();
    let rewrite = async |body: &str| {
        let reply = ask(&bench, "POST", "/b/~/o/a/rewriteTo/b/~/o/a", body).await.json();
        class(&reply["resource"])
    };
    assert_eq!(class(&ask(&bench, "GET", "/b/~/o/a", "").await.json()), "STANDARD");
    for name in ["NEARLINE", "COLDLINE"] {
        assert_eq!(rewrite(&json!({ "storageClass": name }).to_string()).await, name);
        assert_eq!(class(&ask(&bench, "GET", "/b/~/o/a", "").await.json()), name);
    }
    let patched = ask(&bench, "PATCH", "/b/~/o/a", r#"{"storageClass":"ARCHIVE"}"#).await.json();
    assert_eq!(class(&patched), "COLDLINE");
    let moved = ask(&bench, "POST", "/b/~/o/a/moveTo/o/b", "").await.json();
    assert_eq!(class(&moved), "COLDLINE");
    // Without one, it is the bucket's.
    put(&bench, "old", "x").await;
    ask(&bench, "PATCH", "/b/~", r#"{"storageClass":"ARCHIVE"}"#).await;
    put(&bench, "a", "x").await;
    assert_eq!(class(&ask(&bench, "GET", "/b/~/o/a", "").await.json()), "ARCHIVE");
    let copied = ask(&bench, "POST", "/b/~/o/b/copyTo/b/~/o/c", "").await.json();
    assert_eq!(class(&copied), "ARCHIVE");
    let moved = ask(&bench, "POST", "/b/~/o/old/moveTo/o/new", "").await.json();
    assert_eq!(class(&moved), "STANDARD");
    for (method, uri) in [("POST", "/b/~/o/a/rewriteTo/b/~/o/d"), ("PATCH", "/b/~")] {
        let reply = ask(&bench, method, uri, r#"{"storageClass":"COLD"}"#).await;
        let message = reply.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
        assert!(reply.status == 400 && message.contains("NEARLINE"), "{method} {uri}: {message}");
    }
}

#[tokio::test]
async fn a_composition_may_delete_its_sources() {
    let bench = Bench::new(Mode::Emulator).await;
    for name in ["one", "two", "all"] {
        put(&bench, name, name).await;
    }
    let compose = async |sources: &[&str], delete: bool| {
        let sources: Vec<_> = sources.iter().map(|name| json!({ "name": name })).collect();
        let body = json!({ "sourceObjects": sources, "deleteSourceObjects": delete });
        ask(&bench, "POST", "/b/~/o/all/compose", &body.to_string()).await.status.as_u16()
    };
    assert_eq!(
        (compose(&["one", "two"], false).await, listed(&bench, "").await),
        (200, "all one two".into())
    );
    assert_eq!(
        (compose(&["one", "none"], true).await, listed(&bench, "").await),
        (404, "all one two".into())
    );
    // The result stays, although it is a source; a source may come twice.
    assert_eq!(
        (compose(&["all", "two", "two"], true).await, listed(&bench, "").await),
        (200, "all one".into())
    );
    assert_eq!(ask(&bench, "GET", "/b/~/o/all?alt=media", "").await.body, "onetwotwotwo");
}
