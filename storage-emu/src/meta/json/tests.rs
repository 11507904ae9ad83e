use serde_json::json;

use super::*;
use crate::digest::Hasher;

fn meta() -> ObjectMeta {
    let mut hasher = Hasher::default();
    hasher.update(b"hello world");
    let created = 1_600_389_093_328_123;
    ObjectMeta {
        bucket: "demo.appspot.com".to_owned(),
        name: "dir/ü file.txt".to_owned(),
        generation: created,
        metageneration: 1,
        created,
        updated: created,
        digests: hasher.finish(),
        sniffed: None,
        dimensions: None,
        components: None,
        owner: Some("u1".to_owned()),
        set: Settable::default(),
    }
}

#[test]
fn the_two_dialects() {
    let mut meta = meta();
    Patch::from_json(&json!({
        "contentType": "text/plain",
        "cacheControl": "no-cache",
        "metadata": { "color": "blue", "count": 3, "firebaseStorageDownloadTokens": "t1, t2" },
    }))
    .unwrap()
    .apply(&mut meta.set)
    .unwrap();
    insta::assert_json_snapshot!("firebase", firebase(&meta));
    insta::assert_json_snapshot!("cloud", cloud(&meta, "http://127.0.0.1:9199"));
}

#[test]
fn documents_give_back_what_they_got() {
    let mut meta = meta();
    meta.set.custom.insert("__odd__ key".to_owned(), "x".to_owned());
    meta.set.tokens.push(DownloadToken { value: "t".to_owned(), minted: true });
    assert_eq!(ObjectMeta::from_fields(&meta.to_fields().unwrap()).unwrap(), meta);
}

#[test]
fn null_removes_and_absence_keeps() {
    let mut set = Settable::default();
    let apply = |set: &mut Settable, body: Value| Patch::from_json(&body).unwrap().apply(set).unwrap();
    apply(&mut set, json!({ "contentLanguage": "en", "metadata": { "a": "1", "b": "2" }, "nada": "true" }));
    apply(&mut set, json!({ "contentLanguage": null, "metadata": { "a": null, "c": true } }));
    assert_eq!(set.content_language, None);
    assert_eq!(json!(set.custom), json!({ "b": "2", "c": "true" }));
    apply(&mut set, json!({ "metadata": null }));
    assert!(set.custom.is_empty());
}

#[test]
fn bad_metadata_is_refused_by_name() {
    for (body, tag) in [
        (&b"{"[..], "MetadataJson"),
        (b"[]", "MetadataJson"),
        (br#"{"contentType":{}}"#, "MetadataType"),
        (br#"{"metadata":[1]}"#, "MetadataCustom"),
        (br#"{"cacheControl":"a\r\nSet-Cookie: b"}"#, "MetadataControl"),
    ] {
        assert_eq!(Patch::parse(body).unwrap_err().tag(), tag);
    }
    let large = json!({ "metadata": { "k": "x".repeat(MAX_CUSTOM_METADATA_BYTES) } });
    let refused = Patch::from_json(&large).unwrap().apply(&mut Settable::default()).unwrap_err();
    assert_eq!(refused.tag(), "MetadataTooLarge");
    let long = json!({ "contentType": "x".repeat(MAX_FIELD_BYTES + 1) });
    assert_eq!(Patch::from_json(&long).unwrap_err().tag(), "MetadataTooLarge");
    assert_eq!(Patch::parse(b"").unwrap(), Patch::default());
}

#[test]
fn tokens_open_only_when_whole() {
    let mut meta = meta();
    meta.set.tokens.push(DownloadToken { value: "secret".to_owned(), minted: true });
    assert!(meta.token("secret").is_some());
    for wrong in ["", "secre", "secret1", "SECRET"] {
        assert!(meta.token(wrong).is_none());
    }
}
