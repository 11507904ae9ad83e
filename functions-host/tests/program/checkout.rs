//! Paid plans, against a simulated payment service over the network.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use docstore::clock::{Clock, SystemClock};
use hmac::{Hmac, KeyInit, Mac};
use parking_lot::Mutex;
use reqwest::Client;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::accounts::{Person, sign_up};
use crate::server::{Place, Server, new_project_of};

const WEBHOOK_SECRET: &str = "whsec_test";

/// A request's name and its form.
type Asked = (String, HashMap<String, String>);

/// Requests received by the simulated service, and its subscriptions.
#[derive(Clone, Default)]
struct StandIn {
    asked: Arc<Mutex<Vec<Asked>>>,
    subscriptions: Arc<Mutex<HashMap<String, Value>>>,
}

type Answer = (StatusCode, Json<Value>);

impl StandIn {
    async fn start() -> (Self, String) {
        let stand_in = Self::default();
        let router = Router::new()
            .route("/v1/checkout/sessions", post(Self::pay))
            .route("/v1/billing_portal/sessions", post(Self::portal))
            .route("/v1/subscriptions/{id}", get(Self::read).delete(Self::cancel))
            .with_state(stand_in.clone());
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        (stand_in, url)
    }

    fn note(&self, headers: &HeaderMap, what: &str, form: HashMap<String, String>) {
        assert_eq!(headers["authorization"], "Bearer sk_test", "{what}");
        self.asked.lock().push((what.to_owned(), form));
    }

    async fn pay(State(this): State<Self>, headers: HeaderMap, body: String) -> Answer {
        let form = fields(&body);
        this.note(&headers, "pay", form.clone());
        if form["line_items[0][price]"] == "price_gone" {
            let error = json!({"error": {"message": "No such price; your key is sk_test"}});
            return (StatusCode::BAD_REQUEST, Json(error));
        }
        (StatusCode::OK, Json(json!({"url": "https://pay.example/session"})))
    }

    async fn portal(State(this): State<Self>, headers: HeaderMap, body: String) -> Answer {
        this.note(&headers, "portal", fields(&body));
        (StatusCode::OK, Json(json!({"url": "https://pay.example/portal"})))
    }

    async fn read(State(this): State<Self>, headers: HeaderMap, Path(id): Path<String>) -> Answer {
        this.note(&headers, &format!("read {id}"), HashMap::new());
        match this.subscriptions.lock().get(&id) {
            Some(subscription) => (StatusCode::OK, Json(subscription.clone())),
            None => (StatusCode::NOT_FOUND, Json(json!({"error": {"message": "No such subscription"}}))),
        }
    }

    async fn cancel(State(this): State<Self>, headers: HeaderMap, Path(id): Path<String>) -> Answer {
        this.note(&headers, &format!("cancel {id}"), HashMap::new());
        let gone = this.subscriptions.lock().remove(&id);
        (StatusCode::OK, Json(gone.unwrap_or_default()))
    }

    fn set(&self, id: &str, uid: &str, price: &str, status: &str) {
        let subscription = json!({
            "id": id, "object": "subscription", "status": status, "customer": "cus_1", "metadata": {"uid": uid},
            "items": {"data": [{"price": {"id": price}}]}, "created": id.trim_start_matches("sub_").parse::<u64>().ok(),
        });
        self.subscriptions.lock().insert(id.to_owned(), subscription);
    }

    fn asked(&self, what: &str) -> Vec<HashMap<String, String>> {
        let asked = self.asked.lock();
        asked.iter().filter(|(name, _)| name == what).map(|(_, form)| form.clone()).collect()
    }
}

/// The fields of a form.
fn fields(body: &str) -> HashMap<String, String> {
    let url = reqwest::Url::parse(&format!("http://form.example/?{body}")).unwrap();
    url.query_pairs().into_owned().collect()
}

async fn serve(api: &str) -> Server {
    let config = json!({"tuckbox": {"plans": {
        "offered": [
            {"id": "free", "name": "Free", "price": "€0", "limits": {"projects": 1, "storageBytes": 10, "documentBytes": 30000}},
            {"id": "maker", "name": "Maker", "price": "€5 a month", "stripePrice": "price_maker",
             "limits": {"projects": 2}},
            {"id": "guild", "name": "Guild", "price": "€20 a month", "stripePrice": "price_gone"},
        ],
        "stripe": {"api": api, "secretKeyEnv": "PAY_KEY", "webhookSecretEnv": "PAY_SIGN"},
    }}});
    let variables = [("PAY_KEY", "sk_test"), ("PAY_SIGN", WEBHOOK_SECRET)];
    let args = ["--in-memory", "--public-url", "https://cards.example/"];
    Place::new(Some(&config.to_string())).serve_with(&args, &variables).await
}

async fn call(server: &Server, person: &Person, name: &str, data: Value) -> Result<Value, Value> {
    let url = server.at(&format!("/us-central1-demo/{name}"));
    let answer =
        Client::new().post(url).bearer_auth(&person.token).json(&json!({"data": data})).send().await.unwrap();
    let mut body: Value = answer.json().await.unwrap();
    if body["error"].is_null() { Ok(body["result"].take()) } else { Err(body["error"].take()) }
}

/// Sends an event as the service would. Returns the status.
async fn tell(server: &Server, event: &Value, secret: &str, age: u64) -> u16 {
    let body = event.to_string();
    let time = SystemClock.now().micros() / 1_000_000 - age;
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{time}.{body}").as_bytes());
    let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    let request = Client::new().post(server.at("/__/checkout/webhook")).body(body);
    request.header("stripe-signature", format!("t={time},v1={hex}")).send().await.unwrap().status().as_u16()
}

fn completed(id: &str) -> Value {
    json!({"type": "checkout.session.completed", "data": {"object": {"subscription": id}}})
}

fn changed(id: &str) -> Value {
    json!({"type": "customer.subscription.updated", "data": {"object": {"id": id}}})
}

async fn plan(server: &Server, person: &Person) -> Value {
    call(server, person, "readMyPlan", Value::Null).await.unwrap()
}

async fn new_project(server: &Server, person: &Person, id: &str) -> (u16, String) {
    let path = format!("/v1/projects/demo/databases/(default)/documents/projects/{id}-{}", person.uid);
    let request = Client::new().patch(server.at(&path)).bearer_auth(&person.token);
    let answer = request.json(&json!({"fields": new_project_of(&person.uid)})).send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

async fn note(server: &Server, person: &Person, id: &str, bytes: usize) -> (u16, String) {
    let path = format!("/v1/projects/demo/databases/(default)/documents/users/{}/notes/{id}", person.uid);
    let request = Client::new().patch(server.at(&path)).bearer_auth(&person.token);
    let fields = json!({"fields": {"text": {"stringValue": "x".repeat(bytes)}}});
    let answer = request.json(&fields).send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

async fn upload(server: &Server, person: &Person, name: &str, bytes: usize) -> (u16, String) {
    let path = format!("/v0/b/demo.appspot.com/o?uploadType=media&name=users%2F{}%2F{name}", person.uid);
    let request =
        Client::new().post(server.at(&path)).header("authorization", format!("Firebase {}", person.token));
    let answer = request.header("content-type", "text/csv").body("x".repeat(bytes)).send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

#[tokio::test]
async fn a_payment_opens_a_plan_and_its_end_closes_it() {
    let (service, api) = StandIn::start().await;
    let server = serve(&api).await;
    let ann = sign_up(&server, "ann@example.org").await;

    // The free plan: one project and ten bytes.
    assert_eq!(new_project(&server, &ann, "a").await.0, 200);
    let (status, why) = new_project(&server, &ann, "b").await;
    assert!(status == 400 && why.contains("holds 1 project,") && why.contains("Pricing"), "{status} {why}");
    assert_eq!(upload(&server, &ann, "a.csv", 10).await.0, 200);
    let (status, why) = upload(&server, &ann, "b.csv", 1).await;
    assert!(status != 200 && why.contains("Quota exceeded"), "{status} {why}");
    assert_eq!(note(&server, &ann, "a", 20_000).await.0, 200);
    let (status, why) = note(&server, &ann, "b", 20_000).await;
    assert!(
        status == 429 && why.contains("of the 29 KB of documents that the plan") && why.contains("Pricing"),
        "{status} {why}"
    );
    let mut mine = plan(&server, &ann).await;
    let documents = mine.as_object_mut().unwrap().remove("documentBytes").unwrap();
    assert!((20_000..24_000).contains(&documents.as_u64().unwrap()), "the project and a note: {documents}");
    assert_eq!(
        mine,
        json!({"plan": "free", "paid": false, "manageable": false, "projects": 1, "layouts": 0, "images": 0,
               "storageBytes": 10})
    );

    // Pages learn nothing that concerns the operator only.
    let init =
        Client::new().get(server.at("/__/firebase/init.json")).send().await.unwrap().text().await.unwrap();
    assert!(
        init.contains("\"sold\":true") && !init.contains("price_maker") && !init.contains("PAY_"),
        "{init}"
    );

    // Payment.
    let page = call(&server, &ann, "startCheckout", json!({"plan": "maker"})).await.unwrap();
    assert_eq!(page["url"], "https://pay.example/session");
    let order = service.asked("pay").remove(0);
    let said = |name: &str| order.get(name).map(String::as_str);
    assert_eq!(said("mode"), Some("subscription"));
    assert_eq!(said("line_items[0][price]"), Some("price_maker"));
    assert_eq!(said("subscription_data[metadata][uid]"), Some(ann.uid.as_str()));
    assert_eq!(said("customer_email"), Some("ann@example.org"));
    assert_eq!(said("success_url"), Some("https://cards.example/account?paid=1"));
    assert_eq!(plan(&server, &ann).await["plan"], "free", "an opened page pays nothing");

    // The service's messages: late, twice, in no order.
    service.set("sub_1", &ann.uid, "price_maker", "active");
    for event in [completed("sub_1"), changed("sub_1"), completed("sub_1")] {
        assert_eq!(tell(&server, &event, WEBHOOK_SECRET, 0).await, 200);
    }
    let mine = plan(&server, &ann).await;
    assert_eq!((&mine["plan"], &mine["paid"]), (&json!("maker"), &json!(true)));
    assert_eq!(new_project(&server, &ann, "b").await.0, 200);
    assert_eq!(new_project(&server, &ann, "c").await.0, 400);
    assert_eq!(upload(&server, &ann, "b.csv", 100).await.0, 200);
    let twice = call(&server, &ann, "startCheckout", json!({"plan": "maker"})).await.unwrap_err();
    assert_eq!(twice["status"], "FAILED_PRECONDITION");
    let portal = call(&server, &ann, "managePlan", Value::Null).await.unwrap();
    assert_eq!(portal["url"], "https://pay.example/portal");
    assert_eq!(service.asked("portal")[0]["customer"], "cus_1");

    // An old message after the end changes nothing, because the current state is queried.
    service.set("sub_1", &ann.uid, "price_maker", "canceled");
    assert_eq!(tell(&server, &completed("sub_1"), WEBHOOK_SECRET, 200).await, 200);
    let mine = plan(&server, &ann).await;
    assert_eq!((&mine["plan"], &mine["paid"], &mine["projects"]), (&json!("free"), &json!(false), &json!(2)));
    assert_eq!(new_project(&server, &ann, "b").await.0, 200, "what is there may be changed");
    assert_eq!(new_project(&server, &ann, "d").await.0, 400);
}

#[tokio::test]
async fn of_two_that_are_paid_the_newer_stays() {
    for told in [["sub_1", "sub_2"], ["sub_2", "sub_1"]] {
        let (service, api) = StandIn::start().await;
        let server = serve(&api).await;
        let ann = sign_up(&server, "ann@example.org").await;
        service.set("sub_1", &ann.uid, "price_maker", "active");
        service.set("sub_2", &ann.uid, "price_maker", "active");
        for id in told {
            assert_eq!(tell(&server, &completed(id), WEBHOOK_SECRET, 0).await, 200);
        }
        assert_eq!((service.asked("cancel sub_1").len(), service.asked("cancel sub_2").len()), (1, 0));
        // The message about the older subscription's end takes nothing away.
        service.set("sub_1", &ann.uid, "price_maker", "canceled");
        assert_eq!(tell(&server, &changed("sub_1"), WEBHOOK_SECRET, 0).await, 200);
        let mine = plan(&server, &ann).await;
        assert_eq!((&mine["plan"], &mine["paid"]), (&json!("maker"), &json!(true)));
        call(&server, &ann, "deleteMyAccount", Value::Null).await.unwrap();
        assert_eq!(service.asked("cancel sub_2").len(), 1);
    }
}

#[tokio::test]
async fn nobody_but_the_service_opens_a_plan() {
    let (service, api) = StandIn::start().await;
    let server = serve(&api).await;
    let ann = sign_up(&server, "ann@example.org").await;
    service.set("sub_1", &ann.uid, "price_maker", "active");
    assert_eq!(tell(&server, &completed("sub_1"), "another secret", 0).await, 400);
    assert_eq!(tell(&server, &completed("sub_1"), WEBHOOK_SECRET, 400).await, 400, "too old");
    assert_eq!(tell(&server, &completed("../../v1/customers"), WEBHOOK_SECRET, 0).await, 400);
    let bare = Client::new().post(server.at("/__/checkout/webhook")).body(completed("sub_1").to_string());
    assert_eq!(bare.send().await.unwrap().status(), 400);
    let large = Client::new().post(server.at("/__/checkout/webhook")).body("x".repeat(300 * 1024));
    assert_eq!(large.send().await.unwrap().status(), 413);
    // Another application's subscription, a missing account, and a price without a plan.
    assert_eq!(tell(&server, &completed("sub_of_others"), WEBHOOK_SECRET, 0).await, 200);
    service.set("sub_2", "nobody", "price_maker", "active");
    assert_eq!(tell(&server, &completed("sub_2"), WEBHOOK_SECRET, 0).await, 200);
    assert_eq!(tell(&server, &json!({"type": "invoice.paid"}), WEBHOOK_SECRET, 0).await, 200);
    assert_eq!(plan(&server, &ann).await["plan"], "free");
    // The document with the plan is out of reach for every caller.
    let path = format!("/v1/projects/demo/databases/__plans__/documents/accounts/{}", ann.uid);
    let answer = Client::new().get(server.at(&path)).bearer_auth(&ann.token).send().await.unwrap();
    assert!(answer.status().is_client_error(), "{}", answer.status());
    let grant = call(&server, &ann, "adminGivePlan", json!({"uid": ann.uid, "plan": "maker"})).await;
    assert_eq!(grant.unwrap_err()["status"], "PERMISSION_DENIED");
    let unknown = call(&server, &ann, "startCheckout", json!({"plan": "free"})).await.unwrap_err();
    assert_eq!(unknown["status"], "INVALID_ARGUMENT");
    // The service's reason for the refusal concerns the operator only.
    let refused = call(&server, &ann, "startCheckout", json!({"plan": "guild"})).await.unwrap_err();
    assert_eq!(refused["status"], "FAILED_PRECONDITION");
    assert!(!refused.to_string().contains("sk_test"), "{refused}");
}

#[tokio::test]
async fn an_account_that_goes_pays_no_more() {
    let (service, api) = StandIn::start().await;
    let server = serve(&api).await;
    let ann = sign_up(&server, "ann@example.org").await;
    service.set("sub_1", &ann.uid, "price_maker", "active");
    assert_eq!(tell(&server, &completed("sub_1"), WEBHOOK_SECRET, 0).await, 200);
    call(&server, &ann, "deleteMyAccount", Value::Null).await.unwrap();
    assert_eq!(service.asked("cancel sub_1").len(), 1);
}

#[tokio::test]
async fn a_server_that_sells_plans_needs_its_keys() {
    let config = json!({"tuckbox": {"plans": {"offered": [
        {"id": "free", "name": "Free", "price": "€0"},
        {"id": "maker", "name": "Maker", "price": "€5", "stripePrice": "price_1"}],
        "stripe": {"secretKeyEnv": "NO_SUCH_KEY"}}}});
    let place = Place::new(Some(&config.to_string()));
    let ended = place.run(&["serve", "--project", "demo", "--port", "0", "--in-memory"]).await;
    assert_ne!(ended.code, Some(0));
    assert!(ended.stderr.contains("set NO_SUCH_KEY"), "{}", ended.stderr);
}
