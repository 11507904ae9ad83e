use http_body_util::BodyExt as _;

use super::*;

const COMMIT: &str = "/v1/projects/demo/databases/(default)/documents:commit";

fn faults(bodies: &[&str]) -> Faults {
    let faults = Faults::default();
    for body in bodies {
        faults.add(body.as_bytes()).unwrap();
    }
    faults
}

/// The status with which a request is refused.
fn refused(faults: &Faults, product: Service, method: &Method, path: &str) -> Option<&'static str> {
    Some(faults.meet(product, method, path)?.refusal?.code().status())
}

#[test]
fn requests_meet_the_faults_that_they_fit() {
    let faults = faults(&[
        r#"{"product": "firestore", "path": "/v1/projects/*/databases/(default)/**:commit", "error": "ABORTED"}"#,
        r#"{"product": "auth", "method": "GET", "error": "UNAVAILABLE"}"#,
    ]);
    let ask = |product, method, path| refused(&faults, product, &method, path);
    assert_eq!(ask(Service::Firestore, Method::POST, COMMIT), Some("ABORTED"));
    let encoded = COMMIT.replace("(default)", "%28default%29");
    assert_eq!(ask(Service::Firestore, Method::POST, &encoded), Some("ABORTED"));
    assert_eq!(ask(Service::Firestore, Method::OPTIONS, COMMIT), None, "a page's preflight");
    assert_eq!(ask(Service::Storage, Method::POST, COMMIT), None);
    assert_eq!(ask(Service::Firestore, Method::POST, "/v1/projects/a/b/databases/(default)/x:commit"), None);
    assert_eq!(ask(Service::Auth, Method::GET, "/"), Some("UNAVAILABLE"));
    assert_eq!(ask(Service::Auth, Method::POST, "/"), None);
}

#[test]
fn faults_count_the_requests_that_fit_them() {
    let faults = faults(&[r#"{"error": "UNAVAILABLE", "skip": 2, "times": 3}"#]);
    let met: Vec<bool> =
        (0..8).map(|_| refused(&faults, Service::Auth, &Method::GET, "/").is_some()).collect();
    assert_eq!(met, [false, false, true, true, true, false, false, false]);
    assert_eq!(faults.list()["faults"][0]["met"], 3);
}

#[test]
fn a_share_of_requests_is_chosen_by_the_seed() {
    let run = |seed: u64| -> Vec<bool> {
        let body = format!(r#"{{"error": "UNAVAILABLE", "probability": 0.25, "seed": {seed}}}"#);
        let faults = faults(&[&body]);
        (0..2_000).map(|_| refused(&faults, Service::Auth, &Method::GET, "/").is_some()).collect()
    };
    let (first, again, other) = (run(1), run(1), run(2));
    assert_eq!(first, again);
    assert_ne!(first, other);
    for met in [first, other] {
        let count = met.iter().filter(|met| **met).count();
        assert!((400..600).contains(&count), "{count} of 2,000");
    }
}

#[test]
fn delays_add_up_and_the_first_refusal_counts() {
    let faults = faults(&[
        r#"{"latencyMs": 200}"#,
        r#"{"latencyMs": 50, "error": "ABORTED", "message": "Later."}"#,
        r#"{"error": "UNAVAILABLE"}"#,
    ]);
    let met = faults.meet(Service::Functions, &Method::POST, "/f").unwrap();
    assert_eq!(met.latency, Duration::from_millis(250));
    let refusal = met.refusal.unwrap();
    assert_eq!((refusal.code(), refusal.message()), (Code::Aborted, "Later."));
    assert_eq!(met.cut, None);
    assert!(Faults::default().meet(Service::Functions, &Method::POST, "/f").is_none());
}

#[test]
fn what_cannot_be_a_fault_is_refused_with_the_reason() {
    let cases = [
        ("", "EOF"),
        ("{}", "neither"),
        (r#"{"times": 1}"#, "neither"),
        (r#"{"error": "BROKEN"}"#, "UNAVAILABLE"),
        (r#"{"error": "ABORTED", "cutAfterMs": 5}"#, "no response to cut"),
        (r#"{"latencyMs": 600001}"#, "at most 600000"),
        (r#"{"latencyMs": -1}"#, "-1"),
        (r#"{"product": "datastore", "latencyMs": 1}"#, "firestore, auth"),
        (r#"{"probability": 1.5, "latencyMs": 1}"#, "between 0 and 1"),
        (r#"{"latency": 5}"#, "latencyMs"),
    ];
    let faults = Faults::default();
    for (body, why) in cases {
        let error = faults.add(body.as_bytes()).unwrap_err();
        assert!(error.message().contains(why), "{body}: {}", error.message());
    }
    let long = format!(r#"{{"path": "{}", "latencyMs": 1}}"#, "*".repeat(1_001));
    assert!(faults.add(long.as_bytes()).unwrap_err().message().contains("1000"));
    for _ in 0..MAX_FAULTS {
        faults.add(br#"{"latencyMs": 1}"#).unwrap();
    }
    assert!(faults.add(br#"{"latencyMs": 1}"#).unwrap_err().message().contains("100"));
}

#[test]
fn a_request_at_the_hosting_port_belongs_to_the_product_of_its_path() {
    assert_eq!(product(Service::Hosting, COMMIT, false), Service::Firestore);
    assert_eq!(product(Service::Hosting, "/google.firestore.v1.Firestore/Listen", false), Service::Firestore);
    assert_eq!(product(Service::Hosting, "/v0/b/demo/o/x", false), Service::Storage);
    assert_eq!(
        product(Service::Hosting, "/identitytoolkit.googleapis.com/v1/accounts", false),
        Service::Auth
    );
    assert_eq!(product(Service::Hosting, "/demo/us-central1/f", true), Service::Functions);
    assert_eq!(product(Service::Hosting, "/index.html", false), Service::Hosting);
    assert_eq!(product(Service::Auth, "/v1/projects/demo", false), Service::Auth);
}

async fn cut(bytes: Option<u64>, time: Option<Duration>, chunks: &[&'static str]) -> (String, bool) {
    let chunks: Vec<_> = chunks.iter().map(|chunk| Ok::<_, std::io::Error>(Bytes::from(*chunk))).collect();
    let body = axum::body::Body::from_stream(futures::stream::iter(chunks));
    let mut body = Cut { bytes, time }.apply(Response::new(body)).into_body();
    let mut read = Vec::new();
    while let Some(frame) = body.frame().await {
        match frame {
            Ok(frame) => read.extend_from_slice(&frame.into_data().unwrap()),
            Err(_cut) => return (String::from_utf8(read).unwrap(), true),
        }
    }
    (String::from_utf8(read).unwrap(), false)
}

#[tokio::test(start_paused = true)]
async fn a_response_is_cut_after_its_bytes_or_its_time() {
    let chunks = ["abc", "def"];
    assert_eq!(cut(Some(0), None, &chunks).await, (String::new(), true));
    assert_eq!(cut(Some(4), None, &chunks).await, ("abcd".to_owned(), true));
    assert_eq!(cut(Some(7), None, &chunks).await, ("abcdef".to_owned(), false));
    assert_eq!(cut(None, Some(Duration::from_secs(1)), &chunks).await, ("abcdef".to_owned(), false));
    let endless = axum::body::Body::from_stream(futures::stream::pending::<Result<Bytes, std::io::Error>>());
    let cut = Cut { bytes: None, time: Some(Duration::from_secs(1)) };
    let mut body = cut.apply(Response::new(endless)).into_body();
    assert!(body.frame().await.unwrap().is_err());
}
