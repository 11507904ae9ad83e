//! The Cloud Storage API as administrators' libraries use it beyond plain files: buckets, parts of listings,
//! generations and composed objects.

use docstore::access::Mode;

use super::support::{BUCKET, Bench, Reply};

pub(super) async fn ask(bench: &Bench, method: &str, uri: &str, body: &str) -> Reply {
    bench.send(method, &uri.replace('~', BUCKET), &[("content-type", "text/plain")], body.to_owned()).await
}

pub(super) async fn put(bench: &Bench, name: &str, body: &str) -> String {
    let reply = ask(bench, "POST", &format!("/upload/storage/v1/b/~/o?name={name}"), body).await;
    reply.json()["generation"].as_str().unwrap().to_owned()
}

/// The names and prefixes of all pages, `|` between pages.
pub(super) async fn listed(bench: &Bench, query: &str) -> String {
    let (mut pages, mut token) = (Vec::new(), String::new());
    loop {
        let page =
            ask(bench, "GET", &format!("/storage/v1/b/~/o?{query}&pageToken={token}"), "").await.json();
        let items = page["items"].as_array().cloned().unwrap_or_default();
        let names = items.iter().map(|item| item["name"].as_str().unwrap().to_owned());
        let prefixes = page["prefixes"].as_array().cloned().unwrap_or_default();
        let prefixes = prefixes.iter().map(|prefix| prefix.as_str().unwrap().to_owned());
        pages.push(names.chain(prefixes).collect::<Vec<_>>().join(" "));
        match page["nextPageToken"].as_str() {
            Some(next) => token = next.to_owned(),
            None => return pages.join("|"),
        }
    }
}

#[tokio::test]
async fn a_listing_takes_offsets_and_patterns() {
    let bench = Bench::new(Mode::Emulator).await;
    for name in ["a/1.png", "a/2.txt", "a/b/3.png", "b.png", "c/4.png", "d"] {
        put(&bench, name, "x").await;
    }
    for (query, found) in [
        ("startOffset=a/b", "a/b/3.png b.png c/4.png d"),
        ("endOffset=b.png", "a/1.png a/2.txt a/b/3.png"),
        ("startOffset=a/2.txt&endOffset=c/4.png", "a/2.txt a/b/3.png b.png"),
        ("startOffset=a/2.txt&endOffset=c/4.png&maxResults=2", "a/2.txt a/b/3.png|b.png"),
        ("startOffset=x", ""),
        ("startOffset=a/2&prefix=a/", "a/2.txt a/b/3.png"),
        ("startOffset=a&prefix=b", "b.png"),
        ("startOffset=a/b/&endOffset=d&delimiter=/", "b.png a/ c/"),
        ("matchGlob=*.png", "b.png"),
        ("matchGlob=**.png", "a/1.png a/b/3.png b.png c/4.png"),
        ("matchGlob=**.png&maxResults=3", "a/1.png a/b/3.png b.png|c/4.png"),
        ("matchGlob=a/*.{png,txt}", "a/1.png a/2.txt"),
        ("matchGlob=a/*.png&prefix=a/b", ""),
        ("matchGlob=*&delimiter=/", "b.png d a/ c/"),
        ("matchGlob=a/*&delimiter=/&prefix=a/", "a/1.png a/2.txt a/b/"),
        ("matchGlob=**.png&startOffset=a/b&endOffset=c", "a/b/3.png b.png"),
    ] {
        assert_eq!(listed(&bench, query).await, found, "{query}");
    }
    // A folder's own object comes beside the prefix.
    put(&bench, "c/", "").await;
    put(&bench, "c/e/", "").await;
    for (query, found) in [
        ("delimiter=/", "b.png d a/ c/"),
        ("delimiter=/&includeTrailingDelimiter=true", "b.png c/ d a/ c/"),
        ("delimiter=/&includeTrailingDelimiter=True&prefix=c/", "c/ c/4.png c/e/ c/e/"),
        ("delimiter=/&includeTrailingDelimiter=True&prefix=a/", "a/1.png a/2.txt a/b/"),
        ("delimiter=/&includeTrailingDelimiter=true&maxResults=2", "b.png a/|c/ c/|d"),
    ] {
        assert_eq!(listed(&bench, query).await, found, "{query}");
    }
    for query in ["matchGlob=[a", "matchGlob=*&delimiter=."] {
        assert_eq!(ask(&bench, "GET", &format!("/b/~/o?{query}"), "").await.status, 400, "{query}");
    }
}

#[tokio::test]
async fn only_the_generation_that_is_there_is_found() {
    let bench = Bench::new(Mode::Emulator).await;
    let old = put(&bench, "a", "old").await;
    let new = put(&bench, "a", "new").await;
    let at = |generation: &str| format!("/storage/v1/b/~/o/a?generation={generation}");
    assert_eq!(ask(&bench, "GET", &format!("{}&alt=media", at(&new)), "").await.body, "new");
    for (method, body) in [("GET", ""), ("PATCH", "{}"), ("DELETE", "")] {
        let reply = ask(&bench, method, &at(&old), body).await;
        assert_eq!(reply.status, 404, "{method}");
        assert!(reply.json()["error"]["message"].as_str().unwrap().contains(&format!("a#{old}")));
    }
    let copy = |generation: &str| format!("/b/~/o/a/rewriteTo/b/~/o/b?sourceGeneration={generation}");
    assert_eq!(ask(&bench, "POST", &copy(&old), "").await.status, 404);
    assert_eq!(ask(&bench, "POST", &copy(&new), "").await.status, 200);
    let only_if = |condition: &str| format!("/storage/v1/b/~/o/a?{condition}");
    assert_eq!(ask(&bench, "GET", &only_if(&format!("ifGenerationMatch={old}")), "").await.status, 412);
    assert_eq!(ask(&bench, "GET", &only_if(&format!("ifGenerationMatch={new}")), "").await.status, 200);
    let both = format!("{}&ifMetagenerationMatch=7", at(&new));
    assert_eq!(ask(&bench, "DELETE", &both, "").await.status, 412);
    assert_eq!(
        ask(&bench, "PATCH", &at(&new), r#"{"contentType":"a/b"}"#).await.json()["contentType"],
        "a/b"
    );
    assert_eq!(ask(&bench, "DELETE", &at(&new), "").await.status, 204);
}

#[tokio::test]
async fn objects_are_put_together() {
    let bench = Bench::new(Mode::Emulator).await;
    let generation = put(&bench, "one", "hello ").await;
    put(&bench, "two", "world").await;
    let compose =
        async |body: serde_json::Value| ask(&bench, "POST", "/b/~/o/all/compose", &body.to_string()).await;
    let sources = serde_json::json!([
        { "name": "one", "objectPreconditions": { "ifGenerationMatch": generation } },
        { "name": "two" },
        { "name": "one", "generation": generation },
    ]);
    let made = compose(serde_json::json!({
        "sourceObjects": sources, "destination": { "metadata": { "k": "v" } }
    }))
    .await;
    let described = made.json();
    assert_eq!((made.status.as_u16(), described["size"].as_str()), (200, Some("17")), "{described}");
    assert_eq!((&described["contentType"], &described["metadata"]["k"]), (&"text/plain".into(), &"v".into()));
    assert_eq!(ask(&bench, "GET", "/b/~/o/all?alt=media", "").await.body, "hello worldhello ");
    // Into one of its own parts.
    let own = serde_json::json!({ "sourceObjects": [{ "name": "all" }, { "name": "two" }] });
    assert_eq!(described["componentCount"], 3);
    let again = compose(own.clone()).await.json();
    assert_eq!((&again["size"], &again["componentCount"]), (&"22".into(), &4.into()));
    for (body, status) in [
        (serde_json::json!({ "sourceObjects": [] }), 400),
        (serde_json::json!({ "sourceObjects": vec![serde_json::json!({ "name": "one" }); 33] }), 400),
        (serde_json::json!({ "sourceObjects": [{ "name": "none" }] }), 404),
        (serde_json::json!({ "sourceObjects": [{ "name": "one", "generation": "1" }] }), 404),
        (
            serde_json::json!({ "sourceObjects": [
                { "name": "one", "objectPreconditions": { "ifGenerationMatch": "1" } }
            ] }),
            412,
        ),
        (serde_json::json!({ "sourceObjects": [{ "name": "one", "generation": "x" }] }), 400),
    ] {
        assert_eq!(compose(body.clone()).await.status, status, "{body}");
    }
    let reply = ask(&bench, "POST", "/b/~/o/all/compose?ifGenerationMatch=0", &own.to_string()).await;
    assert_eq!(reply.status, 412);
}

#[tokio::test]
async fn buckets_are_made_described_and_deleted() {
    let bench = Bench::new(Mode::Emulator).await;
    let made =
        ask(&bench, "POST", "/b?project=demo", r#"{"name":"mine","labels":{"a":"1","b":"2"},"id":"x"}"#)
            .await;
    let described = made.json();
    assert_eq!((made.status.as_u16(), &described["id"]), (200, &"mine".into()), "{described}");
    assert_eq!(described["timeCreated"], described["updated"]);
    assert_eq!(ask(&bench, "POST", "/b", r#"{"name":"mine"}"#).await.status, 409);
    for bad in [r#"{"name":"A"}"#, "{}", "[]", r#"{"name":"#] {
        assert_eq!(ask(&bench, "POST", "/b", bad).await.status, 400, "{bad}");
    }
    let patch = r#"{"labels":{"a":null,"c":"3"},"versioning":{"enabled":true},"metageneration":"9"}"#;
    let patched = ask(&bench, "PATCH", "/b/mine?ifMetagenerationMatch=1", patch).await.json();
    assert_eq!(patched["labels"], serde_json::json!({ "b": "2", "c": "3" }));
    assert_eq!((&patched["versioning"]["enabled"], &patched["metageneration"]), (&true.into(), &"2".into()));
    assert_eq!(ask(&bench, "PATCH", "/b/mine?ifMetagenerationMatch=1", "{}").await.status, 412);
    assert_eq!(ask(&bench, "GET", "/b/mine", "").await.json(), patched);
    let emptied = ask(&bench, "PATCH", "/b/mine", r#"{"labels":{"b":null,"c":null}}"#).await.json();
    assert_eq!(emptied.get("labels").cloned().unwrap_or_default(), serde_json::json!({}));
    // An update replaces what a patch would keep.
    ask(&bench, "PATCH", "/b/mine", r#"{"labels":{"d":"4"},"location":"EU"}"#).await;
    let updated = ask(&bench, "PUT", "/b/mine", r#"{"labels":{},"storageClass":"NEARLINE"}"#).await.json();
    assert_eq!(
        (&updated["labels"], updated.get("versioning"), &updated["location"], &updated["storageClass"]),
        (&serde_json::json!({}), None, &"EU".into(), &"NEARLINE".into())
    );
    let patched = updated;
    let listed = ask(&bench, "GET", "/b?prefix=mi", "").await.json();
    assert_eq!(listed["items"], serde_json::json!([patched]));
    // An object keeps its bucket.
    ask(&bench, "POST", "/upload/storage/v1/b/mine/o?name=a", "x").await;
    assert_eq!(ask(&bench, "DELETE", "/b/mine", "").await.status, 409);
    assert_eq!(ask(&bench, "DELETE", "/b/mine/o/a", "").await.status, 204);
    assert_eq!(ask(&bench, "DELETE", "/b/mine", "").await.status, 204);
    for method in ["GET", "DELETE"] {
        assert_eq!(ask(&bench, method, "/b/mine", "").await.status, 404);
    }
    assert_eq!(ask(&bench, "GET", "/b?prefix=mi", "").await.json()["items"], serde_json::json!([]));
    // A bucket made again starts afresh; so does one made by storing an object.
    let again = ask(&bench, "POST", "/b", r#"{"name":"mine"}"#).await.json();
    assert_eq!((&again["metageneration"], again.get("labels")), (&"1".into(), None));
    assert_eq!(ask(&bench, "DELETE", "/b/mine", "").await.status, 204);
    ask(&bench, "POST", "/upload/storage/v1/b/mine/o?name=a", "x").await;
    assert_eq!(ask(&bench, "GET", "/b/mine", "").await.status, 200);
}

#[tokio::test]
async fn what_is_left_out_is_said() {
    let bench = Bench::new(Mode::Emulator).await;
    put(&bench, "a", "x").await;
    for (method, uri, words) in [
        ("GET", "/b/~/acl", "storage.rules"),
        ("GET", "/b/~/o/a/acl", "storage.rules"),
        ("DELETE", "/b/~/o/a/acl/allUsers", "storage.rules"),
        ("POST", "/b/~/defaultObjectAcl", "storage.rules"),
        ("GET", "/b/~/iam", "storage.rules"),
        ("GET", "/storage/v1/projects/demo/hmacKeys", "HMAC"),
        ("POST", "/storage/v1/projects/demo/hmacKeys?serviceAccountEmail=a@b.c", "HMAC"),
        ("GET", "/storage/v1/projects/demo/serviceAccount", "HMAC"),
        ("GET", "/b/~/notificationConfigs", "onObjectFinalized"),
        ("DELETE", "/b/~/notificationConfigs/1", "onObjectFinalized"),
        ("POST", "/b/~/lockRetentionPolicy?ifMetagenerationMatch=1", "Retention policies"),
        ("POST", "/b/~/restore?generation=1", "Soft delete"),
        ("POST", "/b/~/o/a/restore?generation=1", "Soft delete"),
        ("GET", "/b/~/o?softDeleted=true", "Soft delete"),
        ("GET", "/b/~/o/a?softDeleted=true&generation=1", "Soft delete"),
        ("POST", "/b/~/managedFolders", "Folders"),
        ("GET", "/b/~/storageLayout", "does not offer"),
        ("POST", "/~/a?uploads", "resumable"),
        ("PUT", "/~/a?uploadId=1&partNumber=1", "resumable"),
    ] {
        let reply = ask(&bench, method, uri, "").await;
        let message = reply.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
        assert!(reply.status == 501 && message.contains(words), "{method} {uri}: {} {message}", reply.status);
    }
    for (method, uri, body, words) in [
        ("PATCH", "/b/~", r#"{"retentionPolicy":{"retentionPeriod":"10"}}"#, "Retention policies"),
        ("PATCH", "/b/~", r#"{"defaultEventBasedHold":true}"#, "Retention policies"),
        ("PUT", "/b/~", r#"{"softDeletePolicy":{"retentionDurationSeconds":"604800"}}"#, "Soft delete"),
        ("PATCH", "/b/~", r#"{"autoclass":{"enabled":true}}"#, "Autoclass"),
        ("POST", "/b?enableObjectRetention=True", r#"{"name":"mine"}"#, "Retention policies"),
        ("PATCH", "/b/~/o/a", r#"{"temporaryHold":true}"#, "holds"),
        (
            "PATCH",
            "/b/~/o/a",
            r#"{"retention":{"mode":"Locked","retainUntilTime":"2030-01-01T00:00:00Z"}}"#,
            "holds",
        ),
        ("POST", "/b/~/o/a/copyTo/b/~/o/b", r#"{"eventBasedHold":true}"#, "holds"),
    ] {
        let reply = ask(&bench, method, uri, body).await;
        let message = reply.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
        assert!(reply.status == 501 && message.contains(words), "{uri} {body}: {} {message}", reply.status);
    }
    // Switched off, they are as they are here.
    for (uri, body) in [
        ("/b/~", r#"{"retentionPolicy":null,"autoclass":{"enabled":false},"defaultEventBasedHold":false}"#),
        ("/b/~", r#"{"softDeletePolicy":{"retentionDurationSeconds":0}}"#),
        ("/b/~/o/a", r#"{"temporaryHold":false,"eventBasedHold":false,"retention":{}}"#),
    ] {
        assert_eq!(ask(&bench, "PATCH", uri, body).await.status, 200, "{body}");
    }
    // A project that serves has the buckets it has.
    let bench = Bench::new(Mode::Serving).await;
    let admin = [("authorization", "Bearer owner")];
    for (method, uri, body) in [("POST", "/b", r#"{"name":"mine"}"#), ("DELETE", "/b/~", "")] {
        let reply = bench.send(method, &uri.replace('~', BUCKET), &admin, body).await;
        assert_eq!(reply.status, 501, "{method}");
    }
}
