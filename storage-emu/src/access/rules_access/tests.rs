use docstore::Draft;
use docstore::access::Auth;
use docstore::model::{Fields, Precondition, Ts, Value, Write, WriteOp};
use serde_json::json;

use super::*;
use crate::digest::Hasher;
use crate::meta::{ObjectMeta, Settable};

const PRODUCT: &str = include_str!("../../../../storage.rules");

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
        components: None,
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
    let path = DocPath::parse("projects/d").unwrap();
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
    let deck = "projects/d/art/a.png";
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

#[tokio::test]
async fn a_trial_says_why_not_and_denials_are_told() {
    let store = Store::in_memory().await.unwrap();
    member(&store, "v", "viewer").await;
    let rules = "rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /users/u/{file} {
      allow create: if request.resource.size < 10
        && firestore.get(/databases/(default)/documents/projects/d).data.members[request.auth.uid] == 'editor';
    }
  }
}";
    let trial = Trial::new(rules).unwrap();
    let bucket = "demo.appspot.com";
    let imagined = |json: &serde_json::Value| ObjectMeta::imagined(bucket, "users/u/a", json, None, 1);
    let attempt = async |caller: &Caller, size: u64| {
        let after = imagined(&json!({ "size": size, "contentType": "text/plain" })).unwrap();
        let (method, path, now) = (Method::Create, "users/u/a", Ts::from_micros(1));
        let request = Request { caller, method, bucket, path, before: None, after: Some(&after), now };
        trial.judge(&store, "demo", &request).await.unwrap()
    };
    let large = attempt(&user("v"), 10).await;
    assert_eq!(large.read, Vec::<String>::new(), "what need not be read is not");
    let trace = large.denied.unwrap();
    assert_eq!((trace.statements[0].line, trace.path.as_str()), (5, "/b/demo.appspot.com/o/users/u/a"));
    let small = attempt(&user("v"), 9).await;
    assert_eq!(small.read, ["projects/d"]);
    let causes = format!("{:?}", small.denied.unwrap().statements[0].causes);
    assert!(causes.contains("viewer"), "{causes}");
    assert_eq!(small.report["report"][0]["values"][0]["value"], json!({ "boolValue": false }));
    member(&store, "v", "editor").await;
    assert!(attempt(&user("v"), 9).await.denied.is_none());
    assert_eq!(imagined(&json!({ "size": -1 })).unwrap_err().tag(), "MetadataSize");

    let heard = Arc::new(parking_lot::Mutex::new(Vec::new()));
    let ear = Arc::clone(&heard);
    let access = RulesAccess::new(store, "demo", "mine", rules).unwrap().observed(Arc::new(
        move |denial: &FileDenial<'_>| {
            let uid = denial.uid.map(str::to_owned);
            ear.lock().push((denial.bucket.to_owned(), uid, denial.trace.path.clone()));
        },
    ));
    assert!(!ask(&access, &user("v"), Method::Get, "users/u/a", None).await);
    let expected = (bucket.to_owned(), Some("v".to_owned()), "/b/demo.appspot.com/o/users/u/a".to_owned());
    assert_eq!(*heard.lock(), [expected]);
    assert_eq!(access.text(bucket).unwrap(), rules);
}
