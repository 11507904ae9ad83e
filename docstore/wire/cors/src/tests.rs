//! Replies under each choice of a policy.

use axum::Router;
use axum::middleware::from_fn;
use axum::routing::get;
use tower_service::Service as _;

use super::*;

const POLICY: Policy = Policy {
    methods: "GET,POST",
    max_age: "60",
    exposed: "etag",
    credentials: true,
    private_network: true,
    preflights: Preflights::Options,
    without_origin: WithoutOrigin::Untouched,
    vary: "Origin",
    vary_preflight: "Access-Control-Request-Headers",
};
const PAGE: (&str, &str) = ("origin", "https://app.example");

/// Status and headers of the reply of a service under `policy`, in the order of their names.
async fn ask(policy: Policy, method: Method, headers: &[(&str, &str)]) -> (u16, Vec<String>) {
    let service = get(|| async { (StatusCode::IM_A_TEAPOT, [(VARY, "Accept")]) });
    let mut router =
        Router::new().route("/", service).layer(from_fn(move |request, next| policy.layer(request, next)));
    let mut request = http::Request::builder().method(method).uri("/");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let reply = router.call(request.body(Body::empty()).unwrap()).await.unwrap();
    let own = |name: &str| name.starts_with("access-control") || name == "vary";
    let shown = |(name, value): (&HeaderName, &HeaderValue)| format!("{name}: {}", value.to_str().unwrap());
    let mut all: Vec<_> = reply.headers().iter().filter(|(name, _)| own(name.as_str())).map(shown).collect();
    all.sort();
    (reply.status().as_u16(), all)
}

#[tokio::test]
async fn a_page_may_read_every_reply() {
    let (status, headers) = ask(POLICY, Method::GET, &[PAGE]).await;
    assert_eq!(status, 418);
    let expected = [
        "access-control-allow-credentials: true",
        "access-control-allow-origin: https://app.example",
        "access-control-expose-headers: etag",
        "vary: Accept",
        "vary: Origin",
    ];
    assert_eq!(headers, expected);
    let bare = Policy { exposed: "", credentials: false, ..POLICY };
    assert_eq!(ask(bare, Method::GET, &[PAGE]).await.1, [expected[1], expected[3], expected[4]]);
}

#[tokio::test]
async fn a_preflight_is_told_what_is_allowed() {
    let asked =
        [PAGE, ("access-control-request-headers", "x-a"), ("access-control-request-private-network", "true")];
    let (status, headers) = ask(POLICY, Method::OPTIONS, &asked).await;
    assert_eq!(status, 204);
    let expected = [
        "access-control-allow-credentials: true",
        "access-control-allow-headers: x-a",
        "access-control-allow-methods: GET,POST",
        "access-control-allow-origin: https://app.example",
        "access-control-allow-private-network: true",
        "access-control-expose-headers: etag",
        "access-control-max-age: 60",
        "vary: Access-Control-Request-Headers",
        "vary: Origin",
    ];
    assert_eq!(headers, expected);
    let public = ask(Policy { private_network: false, ..POLICY }, Method::OPTIONS, &asked).await.1;
    assert!(public.iter().all(|header| !header.contains("private-network")), "{public:?}");
}

#[tokio::test]
async fn an_incomplete_preflight_reaches_the_service_if_the_policy_says_so() {
    let complete = Policy { preflights: Preflights::Complete, ..POLICY };
    let method = ("access-control-request-method", "POST");
    assert_eq!(ask(complete, Method::OPTIONS, &[PAGE, method]).await.0, 200);
    for part in [PAGE, method] {
        assert_eq!(ask(complete, Method::OPTIONS, &[part]).await.0, 405, "axum's own reply to OPTIONS");
    }
}

#[tokio::test]
async fn a_request_without_an_origin_is_answered_as_the_policy_says() {
    let varies = "vary: Origin";
    let told = [
        "access-control-allow-methods: GET,POST",
        "access-control-max-age: 60",
        "vary: Access-Control-Request-Headers",
        varies,
    ];
    let any = ["access-control-allow-origin: *", "vary: Accept", varies];
    let cases: [(_, &[&str], &[&str]); 4] = [
        (WithoutOrigin::Untouched, &["vary: Accept"], &[]),
        (WithoutOrigin::Vary, &any[1..], &[varies]),
        (WithoutOrigin::VaryAndTell, &any[1..], &told),
        (WithoutOrigin::Any, &any, &[told[0], any[0], told[1], told[2], told[3]]),
    ];
    for (without_origin, reply, preflight) in cases {
        let policy = Policy { without_origin, exposed: "", credentials: false, ..POLICY };
        assert_eq!(ask(policy, Method::GET, &[]).await.1, reply, "{without_origin:?}");
        assert_eq!(
            ask(policy, Method::OPTIONS, &[]).await,
            (204, preflight.iter().map(|h| (*h).to_owned()).collect())
        );
    }
}
