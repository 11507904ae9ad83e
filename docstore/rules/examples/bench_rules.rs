//! Evaluations per second: a ten-condition rule, and the product's own policy for an owner, a member and a
//! stranger, and for a query's proof. Run with `--release`.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use docstore_rules as rules;
use rules::{
    Auth, Comparison, Decision, Documents, Filter, Map, Method, QueryInfo, Request, Ruleset, Scope, Service,
    Timestamp, Value, document_resource,
};

type Failure = Box<dyn std::error::Error>;

const MEASURE: Duration = Duration::from_secs(1);

const TEN: &str = "rules_version = '2';
service cloud.firestore { match /databases/{db}/documents { match /decks/{id} {
  allow update: if request.auth != null
    && request.auth.token.email_verified == true
    && resource.data.owner == request.auth.uid
    && request.resource.data.owner == resource.data.owner
    && request.resource.data.name is string
    && request.resource.data.name.size() <= 80
    && request.resource.data.name.matches('[A-Za-z0-9 ]+')
    && request.resource.data.keys().hasOnly(['owner', 'name', 'tags', 'count'])
    && request.resource.data.tags.size() < 10
    && request.resource.data.count == resource.data.count + 1;
} } }";

fn main() -> Result<(), Failure> {
    let ten = Ruleset::compile(TEN)?;
    let policy = Ruleset::compile(include_str!("../../../firestore.rules"))?;

    let fields = |count: i64| -> Map {
        let tags = Value::list(["rpg", "solo", "cards"].map(Value::string));
        let (owner, name) = (Value::string("ann"), Value::string("Starforged assets"));
        [("owner", owner), ("name", name), ("tags", tags), ("count", Value::Int(count))].into_iter().collect()
    };
    let mut update = request("ann", Method::Update, "decks/d");
    update.resource = Some(document_resource(&update.path, fields(2)));
    let before = document_resource(&update.path, fields(1));
    let none = Documents::for_single();
    let prepared = ten.prepare(&update);
    expect(&prepared.evaluate(&before, &none), true)?;
    show("ten conditions, prepared once", || prepared.evaluate(&before, &none));
    show("ten conditions, prepared each time", || ten.prepare(&update).evaluate(&before, &none));

    let deck: Map = {
        let members = Value::map([("eve", Value::string("editor"))]);
        [("members", members), ("name", Value::string("d"))].into_iter().collect()
    };
    let layout = request("ann", Method::Get, "users/ann/library/layouts/items/l");
    expect(&policy.prepare(&layout).evaluate(&Value::Null, &none), true)?;
    show("policy: a user reads a layout of the library", || {
        policy.prepare(&layout).evaluate(&Value::Null, &none)
    });
    let card = "projects/d/components/c/cards/1";
    let mut known = Documents::for_single();
    let eve = request("eve", Method::Get, card);
    if let Decision::Need(key) = policy.prepare(&eve).evaluate(&Value::Null, &known) {
        known.insert(key, Some(deck));
    }
    expect(&policy.prepare(&eve).evaluate(&Value::Null, &known), true)?;
    show("policy: member reads a card", || policy.prepare(&eve).evaluate(&Value::Null, &known));
    let bob = request("bob", Method::Get, card);
    expect(&policy.prepare(&bob).evaluate(&Value::Null, &known), false)?;
    show("policy: stranger is denied, with trace", || policy.prepare(&bob).evaluate(&Value::Null, &known));

    let mut list = request("eve", Method::List, "projects");
    list.query = Some(QueryInfo::default());
    let value = Value::string("eve");
    let filter = Filter::Field { field: vec!["memberIds".into()], comparison: Comparison::Contains, value };
    let prove = || policy.prepare_query(&list, &Scope::Collection).prove(&filter, &none);
    expect(&prove(), true)?;
    show("policy: proof of a member's query", prove);

    let text = include_str!("../../../firestore.rules");
    measure("compile the policy", || black_box(Ruleset::compile(text).is_ok()));
    Ok(())
}

fn request(uid: &str, method: Method, path: &str) -> Request {
    let path = ["databases", "(default)", "documents"].into_iter().chain(path.split('/')).map(Arc::from);
    let mut request = Request::new(Service::Firestore, method, path.collect(), Timestamp::EPOCH);
    let token = [("sub", Value::string(uid)), ("email_verified", Value::Bool(true))].into_iter().collect();
    request.auth = Some(Auth { uid: uid.into(), token });
    request
}

fn expect(decision: &Decision, allow: bool) -> Result<(), Failure> {
    if matches!(decision, Decision::Allow) == allow { Ok(()) } else { Err(format!("{decision:?}").into()) }
}

fn show(name: &str, decide: impl Fn() -> Decision) {
    measure(name, || matches!(black_box(decide()), Decision::Allow));
}

#[expect(clippy::print_stdout, reason = "its purpose")]
fn measure(name: &str, run: impl Fn() -> bool) {
    let start = Instant::now();
    let mut rounds = 0u32;
    while start.elapsed() < MEASURE {
        for _ in 0..100 {
            black_box(run());
        }
        rounds += 100;
    }
    let each = start.elapsed() / rounds;
    println!("{name:<42} {:>10.0} /s   {each:?} each", 1.0 / each.as_secs_f64());
}
