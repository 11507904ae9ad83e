//! Tests of hosting over temporary folders.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use docstore::access::Mode;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::json;
use tower_service::Service as _;

use super::Sites;
use crate::functions::callable::{CallError, Callables, Context, Function, RefuseTokens, Registry};
use crate::host::addresses::Addresses;
use crate::host::settings::{ServerArgs, Settings};

struct Site {
    router: Router,
    _folder: tempfile::TempDir,
}

fn site(hosting: &serde_json::Value, files: &[(&str, &str)]) -> Site {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::write(root.join("firebase.json"), json!({ "hosting": hosting }).to_string()).unwrap();
    fs::create_dir(root.join("public")).unwrap();
    for (path, text) in files {
        let file = root.join("public").join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let router = open(root, Mode::Serving).unwrap();
    Site { router, _folder: folder }
}

fn open(root: &Path, mode: Mode) -> docstore::Result<Router> {
    open_at(root, mode, None)
}

fn open_at(root: &Path, mode: Mode, public_url: Option<&str>) -> docstore::Result<Router> {
    let args = ServerArgs {
        public_url: public_url.map(ToOwned::to_owned),
        config: Some(root.join("firebase.json")),
        project: Some("demo".to_owned()),
        in_memory: true,
        ..ServerArgs::default()
    };
    let settings = Settings::new(&args, mode)?;
    let mut registry = Registry::default();
    registry.register(Function::new("echo", |_: Context, data: serde_json::Value| async move {
        Ok::<_, CallError>(data)
    }))?;
    let callables = Arc::new(Callables::new(registry, Arc::new(RefuseTokens), "demo".to_owned()));
    let addresses = Addresses::new("127.0.0.1:5000".parse().unwrap(), []);
    Ok(Sites::new(&settings, &addresses, &callables, None, Some("first"))?.router())
}

async fn ask(site: &Site, request: Request<Body>) -> (StatusCode, HeaderMap, String) {
    let response = site.router.clone().call(request).await.unwrap();
    let (head, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    (head.status, head.headers, String::from_utf8(body.to_vec()).unwrap())
}

async fn get(site: &Site, path: &str) -> (u16, HeaderMap, String) {
    let (status, headers, body) = ask(site, Request::get(path).body(Body::empty()).unwrap()).await;
    (status.as_u16(), headers, body)
}

async fn moved(site: &Site, path: &str) -> (u16, String) {
    let (status, headers, _) = get(site, path).await;
    (status, headers.get("location").map(|to| to.to_str().unwrap().to_owned()).unwrap_or_default())
}

const FILES: &[(&str, &str)] = &[
    ("index.html", "home"),
    ("about.html", "about"),
    ("docs/index.html", "docs"),
    ("app-ABCD2345.js", "script"),
    ("app-ABCD2345.js.br", "brotli"),
    ("app-ABCD2345.js.gz", "gzip"),
    ("secret.key", "secret"),
    ("404.html", "nothing here"),
];

#[tokio::test]
async fn files_pages_and_the_not_found_page() {
    let site = site(&json!({"public": "public"}), FILES);
    assert_eq!(get(&site, "/").await.2, "home");
    assert_eq!(get(&site, "/about.html").await.2, "about");
    assert_eq!(get(&site, "/docs/").await.2, "docs");
    assert_eq!(moved(&site, "/docs?a=1").await, (301, "/docs/?a=1".to_owned()));
    let (status, headers, body) = get(&site, "/none").await;
    assert_eq!((status, body.as_str()), (404, "nothing here"));
    assert_eq!(headers["x-content-type-options"], "nosniff");
}

#[tokio::test]
async fn nothing_outside_the_folder_is_reachable() {
    let site = site(&json!({"public": "public", "ignore": ["**/*.key"]}), FILES);
    std::os::unix::fs::symlink("/etc/hostname", site._folder.path().join("public/link")).unwrap();
    for path in [
        "/../firebase.json",
        "/%2e%2e/firebase.json",
        "/..%2ffirebase.json",
        "/docs/%2e%2e/%2e%2e/firebase.json",
        "/%5c..%5cfirebase.json",
        "/secret.key",
        "/link",
        "//about.html",
        "/docs//index.html",
    ] {
        let (status, _, body) = get(&site, path).await;
        assert_eq!((status, body.as_str()), (404, "nothing here"), "{path}");
    }
    assert_eq!(get(&site, "/%ff").await.0, 400);
}

#[tokio::test]
async fn compressed_forms_tags_and_caching() {
    let site = site(&json!({"public": "public"}), FILES);
    let with = |coding: &str| {
        Request::get("/app-ABCD2345.js").header("accept-encoding", coding).body(Body::empty()).unwrap()
    };
    let (_, plain, body) = ask(&site, with("identity")).await;
    assert_eq!(body, "script");
    assert_eq!(plain["cache-control"], "public, max-age=31536000, immutable");
    assert_eq!(plain["content-type"], "text/javascript; charset=utf-8");
    assert_eq!(plain["vary"], "Accept-Encoding");
    assert!(!plain.contains_key("content-encoding"));
    let (_, brotli, body) = ask(&site, with("gzip, br")).await;
    assert_eq!((body.as_str(), brotli["content-encoding"].to_str().unwrap()), ("brotli", "br"));
    let (_, gzip, body) = ask(&site, with("gzip")).await;
    assert_eq!((body.as_str(), gzip["content-encoding"].to_str().unwrap()), ("gzip", "gzip"));
    assert_ne!(plain["etag"], brotli["etag"]);
    let again =
        Request::get("/app-ABCD2345.js").header("if-none-match", &plain["etag"]).body(Body::empty()).unwrap();
    let (status, headers, body) = ask(&site, again).await;
    assert_eq!((status, body.as_str()), (StatusCode::NOT_MODIFIED, ""));
    assert_eq!(headers["etag"], plain["etag"]);
    let head = Request::head("/about.html").body(Body::empty()).unwrap();
    let (status, headers, body) = ask(&site, head).await;
    assert_eq!(
        (status, body.as_str(), &headers["content-length"]),
        (StatusCode::OK, "", &"5".parse().unwrap())
    );
    assert_eq!(headers["cache-control"], "no-cache");
}

#[tokio::test]
async fn a_large_file_comes_whole() {
    let text = "0123456789abcdef".repeat(64 * 1024);
    let site = site(&json!({"public": "public"}), &[("large.txt", &text)]);
    let (status, headers, body) = get(&site, "/large.txt").await;
    assert_eq!((status, &headers["content-length"]), (200, &(1024 * 1024).to_string().parse().unwrap()));
    assert!(body == text);
}

#[tokio::test]
async fn clean_urls_and_slashes() {
    let plain = site(&json!({"public": "public", "cleanUrls": true}), FILES);
    assert_eq!(get(&plain, "/about").await.2, "about");
    assert_eq!(moved(&plain, "/about.html").await, (301, "/about".to_owned()));
    assert_eq!(moved(&plain, "/index.html").await, (301, "/".to_owned()));
    assert_eq!(moved(&plain, "/docs/index.html").await, (301, "/docs".to_owned()));
    assert_eq!(moved(&plain, "/about/").await, (301, "/about".to_owned()));
    assert_eq!(get(&plain, "/docs").await.2, "docs");
    let slashed = site(&json!({"public": "public", "cleanUrls": true, "trailingSlash": true}), FILES);
    assert_eq!(moved(&slashed, "/about").await, (301, "/about/".to_owned()));
    assert_eq!(get(&slashed, "/about/").await.2, "about");
    assert_eq!(moved(&slashed, "/docs").await, (301, "/docs/".to_owned()));
    let bare = site(&json!({"public": "public", "trailingSlash": false}), FILES);
    assert_eq!(moved(&bare, "/docs/").await, (301, "/docs".to_owned()));
    assert_eq!(get(&bare, "/docs").await.2, "docs");
}

#[tokio::test]
async fn redirects_rewrites_and_headers() {
    let site = site(
        &json!({
            "public": "public",
            "redirects": [
                {"source": "/old/:id", "destination": "/new/:id", "type": 302},
                {"regex": "^/away", "destination": "https://example.org/x"}
            ],
            "rewrites": [
                {"source": "/api/**", "function": "echo"},
                {"source": "/none/**", "function": "none"},
                {"source": "/app/**", "destination": "/about.html"}
            ],
            "headers": [{"source": "**/*.js", "headers": [{"key": "Cache-Control", "value": "max-age=1"}, {"key": "X-A", "value": "b"}]}]
        }),
        FILES,
    );
    assert_eq!(moved(&site, "/old/%C3%A9?q=1").await, (302, "/new/%C3%A9?q=1".to_owned()));
    assert_eq!(moved(&site, "/away").await, (301, "https://example.org/x".to_owned()));
    assert_eq!(get(&site, "/app/some/where").await.2, "about");
    assert_eq!(get(&site, "/about.html").await.2, "about");
    let (_, headers, _) = get(&site, "/app-ABCD2345.js").await;
    assert_eq!(
        (&headers["cache-control"], &headers["x-a"]),
        (&"max-age=1".parse().unwrap(), &"b".parse().unwrap())
    );
    let post = |path: &str| {
        let request = Request::post(path).header("content-type", "application/json");
        request.body(Body::from(r#"{"data": [1]}"#)).unwrap()
    };
    assert_eq!(ask(&site, post("/api/any/thing")).await.2, r#"{"result":[1]}"#);
    assert_eq!(ask(&site, post("/none/x")).await.0, StatusCode::NOT_FOUND);
    assert_eq!(ask(&site, post("/about.html")).await.0, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn no_capture_leads_a_redirect_to_another_host() {
    let rule = |source: &str, to: &str| json!({"source": source, "destination": to});
    let redirects = [
        rule("/old/:to*", "/:to*"),
        rule("/bare/:to*", ":to*"),
        rule("/host/:to*", "//:to*"),
        rule("/out/:to*", "https://example.org/:to*"),
    ];
    let site = site(&json!({"public": "public", "redirects": redirects}), FILES);
    for (path, to) in [
        ("/old//evil.example", "/evil.example"),
        ("/old/%5Cevil.example", "/evil.example"),
        ("/old/%2F%5C%2Fevil.example/x", "/evil.example/x"),
        ("/bare//evil.example", "/evil.example"),
        ("/bare/https://evil.example", "/https://evil.example"),
        ("/host/evil.example", "/evil.example"),
        ("/old/a//b", "/a//b"),
        ("/out//evil.example", "https://example.org//evil.example"),
    ] {
        assert_eq!(moved(&site, path).await, (301, to.to_owned()), "{path}");
    }
}

#[tokio::test]
async fn files_that_begin_with_a_dot_are_served_where_that_is_wanted_alone() {
    let files = [
        ("index.html", "home"),
        (".env", "SECRET=1"),
        (".git/config", "secret"),
        ("docs/.draft.html", "secret"),
        (".well-known/assetlinks.json", "[]"),
        (".well-known/.hidden", "secret"),
    ];
    let usual = site(&json!({"public": "public"}), &files);
    for path in
        ["/.env", "/%2Eenv", "/.git/config", "/docs/.draft.html", "/docs/.draft", "/.well-known/.hidden"]
    {
        assert_eq!(get(&usual, path).await.0, 404, "{path}");
    }
    assert_eq!(get(&usual, "/.well-known/assetlinks.json").await.2, "[]");
    let all = site(&json!({"public": "public", "ignore": []}), &files);
    assert_eq!(get(&all, "/.env").await.2, "SECRET=1");
    let listed = site(&json!({"public": "public", "ignore": ["**/.*"]}), &files);
    assert_eq!(get(&listed, "/.env").await.0, 404);
    assert_eq!(get(&listed, "/.well-known/assetlinks.json").await.2, "[]");
}

#[tokio::test]
async fn the_web_configuration() {
    let site = site(&json!({"public": "public"}), FILES);
    let request = |path: &str| Request::get(path).header("host", "game.example").body(Body::empty()).unwrap();
    let (_, headers, body) = ask(&site, request("/__/firebase/init.json")).await;
    assert_eq!(headers["content-type"], "application/json; charset=utf-8");
    let config: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(
        config,
        json!({
            "projectId": "demo", "apiKey": "tuckbox-demo", "authDomain": "game.example",
            "storageBucket": "demo.appspot.com", "appId": "1:0:web:demo",
            "tuckbox": {
                "history": "first", "mode": "serving", "region": "us-central1", "version": crate::VERSION, "signIn": [], "signUp": "open",
            },
        })
    );
    let (_, headers, body) = ask(&site, request("/__/firebase/init.js")).await;
    assert_eq!(headers["content-type"], "text/javascript; charset=utf-8");
    assert!(body.contains("firebase.initializeApp({") && body.contains("\"projectId\":\"demo\""), "{body}");
    let (_, _, body) = ask(&site, request("/__/firebase/init.js?useEmulator=true")).await;
    assert!(!body.contains("useEmulator"), "nobody is led to emulators where people are served: {body}");
}

#[tokio::test]
async fn pages_learn_where_passkeys_belong() {
    let rows = [
        (Mode::Serving, Some("https://cards.example/"), Some("https://cards.example")),
        (Mode::Serving, Some("http://cards.example"), None),
        (Mode::Serving, None, None),
        (Mode::Emulator, Some("https://cards.example"), None),
    ];
    for (mode, url, passkeys) in rows {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("firebase.json"), "{}").unwrap();
        let site = Site { router: open_at(folder.path(), mode, url).unwrap(), _folder: folder };
        let (_, _, body) =
            ask(&site, Request::get("/__/firebase/init.json").body(Body::empty()).unwrap()).await;
        let config: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!(config["tuckbox"]["passkeysAt"].as_str(), passkeys, "{url:?}");
    }
}

#[test]
fn a_folder_that_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("firebase.json"), r#"{"hosting": {"public": "build"}}"#).unwrap();
    let error = open(folder.path(), Mode::Serving).unwrap_err();
    assert_eq!(error.tag(), "PublicMissing");
    assert!(error.message().contains("build"), "{error}");
}

#[tokio::test]
async fn parts_of_a_file_are_sent_to_those_who_ask() {
    let large = "0123456789".repeat(40_000);
    let site = site(&json!({ "public": "public" }), &[("small.txt", "abcdef"), ("large.bin", &large)]);
    let (_, headers, _) = get(&site, "/small.txt").await;
    assert_eq!(headers["accept-ranges"], "bytes");
    let etag = headers["etag"].to_str().unwrap().to_owned();
    let part = async |path: &str, range: &str, if_range: &str| {
        let mut request = Request::get(path).header("range", range);
        if !if_range.is_empty() {
            request = request.header("if-range", if_range);
        }
        let (status, headers, body) = ask(&site, request.body(Body::empty()).unwrap()).await;
        let range = headers.get("content-range").map(|range| range.to_str().unwrap().to_owned());
        (status.as_u16(), range.unwrap_or_default(), body)
    };
    assert_eq!(part("/small.txt", "bytes=1-3", "").await, (206, "bytes 1-3/6".to_owned(), "bcd".to_owned()));
    assert_eq!(part("/small.txt", "bytes=-2", &etag).await, (206, "bytes 4-5/6".to_owned(), "ef".to_owned()));
    assert_eq!(part("/small.txt", "bytes=1-3", "\"old\"").await.0, 200);
    assert_eq!(part("/small.txt", "bytes=9-", "").await, (416, "bytes */6".to_owned(), String::new()));
    let (status, range, body) = part("/large.bin", "bytes=300005-300008", "").await;
    assert_eq!((status, range.as_str(), body.as_str()), (206, "bytes 300005-300008/400000", "5678"));
}
