use docstore::Draft;
use docstore::access::Auth;
use docstore::model::{Fields, Precondition, Ts, Value, Write, WriteOp};
use serde_json::json;

use super::*;
use crate::digest::Hasher;
use crate::meta::{ObjectMeta, Settable};

const PRODUCT: &str = include_str!("../../../storage.rules");

fn user(uid: &str) -> Caller {
    Caller::User(Auth { uid: uid.to_owned(), token: json!({ "sub": uid }) })
}

fn file(name: &str, content_type: &str, size: u64) -> ObjectMeta {
    ObjectMeta {
        bucket: "demo.appspot.com".to_owned(),
        name: name.to_owned(),
        generation: 1,
        metageneration: 1,
        created: 1,
        updated: 1,
        digests: crate::digest::Digests { size, ..Hasher::default().finish() },
        sniffed: None,
        dimensions: None,
        owner: None,
        set: Settable { content_type: Some(content_type.to_owned()), ..Settable::default() },
    }
}

async fn ask(
    access: &RulesAccess,
    caller: &Caller,
    method: Method,
    path: &str,
    after: Option<&ObjectMeta>,
) -> bool {
    let bucket = "demo.appspot.com";
    let now = Ts::from_micros(1_700_000_000_000_000);
    access.allows(Request { caller, method, bucket, path, before: None, after, now }).await.unwrap()
}

async fn member(store: &Store, uid: &str, role: &str) {
    let members = Value::Map(Fields::from([(uid.to_owned(), Value::String(role.to_owned()))]));
    let fields = Fields::from([("members".to_owned(), members)]);
    let path = DocPath::parse("users/u/decks/d").unwrap();
    let op = WriteOp::Set { fields, transforms: Vec::new() };
    let writes = vec![Write { path, op, precondition: Precondition::None }];
    store.database(&DatabaseId::default_of("demo")).commit(Draft { writes, txn: None }).await.unwrap();
}

#[tokio::test]
async fn the_products_rules_guard_files() {
    let store = Store::in_memory().await.unwrap();
    let access = RulesAccess::new(store.clone(), "demo", "storage.rules", PRODUCT).unwrap();
    let (u, v) = (user("u"), user("v"));
    let png = file("users/u/a.png", "image/png", 1_000);
    let html = file("users/u/a.html", "text/html", 1_000);
    let large = file("users/u/a.png", "image/png", 21 << 20);
    assert!(ask(&access, &u, Method::Create, "users/u/a.png", Some(&png)).await);
    assert!(!ask(&access, &u, Method::Create, "users/u/a.html", Some(&html)).await);
    assert!(!ask(&access, &u, Method::Create, "users/u/a.png", Some(&large)).await);
    for caller in [&v, &Caller::Anonymous] {
        for method in [Method::Get, Method::List, Method::Create, Method::Update, Method::Delete] {
            assert!(!ask(&access, caller, method, "users/u/a.png", Some(&png)).await, "{method:?}");
        }
    }
    assert!(ask(&access, &u, Method::List, "users/u", None).await);
    assert!(!ask(&access, &u, Method::List, "users", None).await);
    assert!(!ask(&access, &u, Method::List, "", None).await);
    let deck = "users/u/decks/d/art/a.png";
    for (role, reads, writes) in
        [("viewer", true, false), ("playtester", false, false), ("editor", true, true)]
    {
        member(&store, "v", role).await;
        assert_eq!(ask(&access, &v, Method::Get, deck, None).await, reads, "{role}");
        assert_eq!(ask(&access, &v, Method::Create, deck, Some(&png)).await, writes, "{role}");
    }
}

#[tokio::test]
async fn rules_are_replaced_whole_or_not_at_all() {
    let store = Store::in_memory().await.unwrap();
    let access = RulesAccess::new(store, "demo", "storage.rules", PRODUCT).unwrap();
    let source = |content: &str, resource: Option<&str>| RulesSource {
        name: "x.rules".to_owned(),
        content: content.to_owned(),
        resource: resource.map(str::to_owned),
    };
    let wrong = access.replace(&[source("service firebase.storage { nonsense }", None)]).unwrap_err();
    assert_eq!(wrong.tag(), "RulesInvalid");
    assert!(wrong.message().starts_with("x.rules: Error compiling rules:\n"), "{}", wrong.message());
    assert!(ask(&access, &user("u"), Method::Get, "users/u/a", None).await);
    let open =
        "rules_version = '2'; service firebase.storage { match /b/{b}/o { match /{f=**} { allow read; } } }";
    access.replace(&[source(open, Some("other-bucket"))]).unwrap();
    assert!(!ask(&access, &user("u"), Method::Get, "users/u/a", None).await);
    access.replace(&[source(open, Some("demo.appspot.com"))]).unwrap();
    assert!(ask(&access, &Caller::Anonymous, Method::Get, "users/u/a", None).await);
}
