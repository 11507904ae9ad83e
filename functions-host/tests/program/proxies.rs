//! Callers behind nginx and Caddy, configured as in `docs/operating.md`.

use std::collections::HashSet;
use std::fs;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::process::Stdio;

use futures::{SinkExt as _, StreamExt as _};
use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpSocket;
use tokio::process::{Child, ChildStderr, Command};
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::accounts::{sign_in_at, sign_up_at};
use crate::server::{Place, Server};

/// Host of the configurations.
const HOST: &str = "cards.example";

/// nginx without any particular configuration.
const BARE_NGINX: &str = "server {\n listen 80;\n location / {\n proxy_pass http://127.0.0.1:5000;\n }\n}\n";

/// Attempts with another port if one was taken.
const PORTS: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nginx,
    Caddy,
}

impl Kind {
    const fn program(self) -> &'static str {
        match self {
            Self::Nginx => "nginx",
            Self::Caddy => "caddy",
        }
    }

    /// Debian's administrative programs are not in every PATH.
    fn command(self) -> Command {
        let mut command = Command::new(self.program());
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{path}:/usr/sbin:/sbin"));
        command
    }

    async fn is_installed(self) -> bool {
        let mut command = self.command();
        command.arg(if self == Self::Nginx { "-v" } else { "version" });
        command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .await
            .is_ok_and(|status| status.success())
    }

    /// The configuration in the documentation.
    fn documented(self) -> String {
        let page = include_str!("../../../docs/operating.md");
        let fence = if self == Self::Nginx { "```nginx\n" } else { "```caddyfile\n" };
        page.split_once(fence).unwrap().1.split_once("```").unwrap().0.to_owned()
    }

    /// The complete configuration around a site, with all files in the test's folder.
    fn whole(self, site: &str, place: &Place) -> String {
        let folder = place.path().display();
        match self {
            Self::Nginx => {
                let bodies = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                    .map(|what| format!("{what}_temp_path {folder}/{what};\n"));
                format!(
                    "daemon off;\nmaster_process off;\nuser root;\npid {folder}/nginx.pid;\nerror_log stderr notice;\n\
                     events {{}}\nhttp {{\naccess_log off;\n{}{site}\n}}\n",
                    bodies.concat()
                )
            }
            Self::Caddy => format!("{{\n admin off\n auto_https off\n}}\n{site}"),
        }
    }
}

/// A running proxy. Dropping it kills it.
struct Proxy {
    address: SocketAddr,
    _child: Child,
    _log: BufReader<ChildStderr>,
    _place: Place,
}

impl Proxy {
    /// A proxy in front of `server` with this configuration, whose ports are replaced.
    async fn start(kind: Kind, site: &str, server: &Server) -> Self {
        for _ in 0..PORTS {
            if let Some(proxy) = Self::try_start(kind, site, server).await {
                return proxy;
            }
        }
        unreachable!("{} does not start with\n{site}", kind.program())
    }

    async fn try_start(kind: Kind, site: &str, server: &Server) -> Option<Self> {
        let place = Place::new(None);
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let (own, behind) = (address.port(), server.url.trim_start_matches("http://"));
        let replaced = site
            .replace("127.0.0.1:5000", behind)
            .replace("listen 80;", &format!("listen {own};"))
            .replace("https://cards.example:443", &format!("http://cards.example:{own}"));
        assert!(replaced.contains(behind) && replaced.contains(&own.to_string()), "{replaced}");
        let file = place.join("configuration");
        fs::write(&file, kind.whole(&replaced, &place)).unwrap();
        let mut command = kind.command();
        match kind {
            Kind::Nginx => command.arg("-p").arg(place.path()).arg("-c").arg(&file),
            Kind::Caddy => command.args(["run", "--adapter", "caddyfile", "--config"]).arg(&file),
        };
        command.env("HOME", place.path()).env("XDG_DATA_HOME", place.path()).kill_on_drop(true);
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        // The last line logged before requests are accepted, after the port is open.
        let ready = if kind == Kind::Nginx { "getrlimit" } else { "serving initial configuration" };
        let mut line = String::new();
        while !line.contains(ready) {
            line.clear();
            if log.read_line(&mut line).await.unwrap() == 0 {
                return None;
            }
        }
        Some(Self { address, _child: child, _log: log, _place: place })
    }

    fn at(&self, path: &str) -> String {
        format!("http://{HOST}:{}{path}", self.address.port())
    }

    fn base(&self) -> String {
        self.at("")
    }

    /// A client with one of this machine's addresses.
    fn client(&self, from: &str) -> Client {
        let from: IpAddr = from.parse().unwrap();
        Client::builder().local_address(from).resolve(HOST, self.address).build().unwrap()
    }
}

/// The proxies installed on this machine; a missing one is reported.
async fn installed() -> Vec<Kind> {
    let mut found = Vec::new();
    for kind in [Kind::Nginx, Kind::Caddy] {
        if kind.is_installed().await {
            found.push(kind);
        } else {
            skipped(kind);
        }
    }
    found
}

#[expect(clippy::print_stderr, reason = "a test that tests nothing has to say so")]
fn skipped(kind: Kind) {
    eprintln!("SKIPPED: {} is not installed; on Debian: apt-get install nginx-light caddy", kind.program());
}

async fn guess(client: &Client, base: &str, email: &str, headers: &[(&str, &str)]) -> (StatusCode, String) {
    let url =
        format!("{base}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=tuckbox-demo");
    let body = json!({"email": email, "password": "wrong guess", "returnSecureToken": true});
    let request = headers
        .iter()
        .fold(client.post(url).json(&body), |request, (name, value)| request.header(*name, *value));
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let body: Value = answer.json().await.unwrap();
    (status, body["error"]["message"].as_str().unwrap_or_default().to_owned())
}

/// Tries passwords until the address is refused, each time with headers that claim another address.
async fn guess_until_refused(client: &Client, base: &str) {
    for nth in 0..200_u8 {
        let (claimed, email) = (format!("198.51.100.{nth}"), format!("nobody{nth}@example.com"));
        let standard = format!("for={claimed}");
        let headers: &[(&str, &str)] = match nth % 3 {
            0 => &[("x-forwarded-for", &claimed)],
            1 => &[("forwarded", &standard)],
            _ => &[("x-forwarded-for", &claimed), ("forwarded", &standard), ("x-real-ip", &claimed)],
        };
        let (_, message) = guess(client, base, &email, headers).await;
        if message.starts_with("TOO_MANY_ATTEMPTS") {
            return;
        }
    }
    unreachable!("nobody was refused");
}

#[tokio::test]
async fn wrong_guesses_behind_a_proxy_lock_out_the_guesser_alone() {
    for kind in installed().await {
        let server = Place::new(None).serve(&["--in-memory", "--trusted-proxies", "127.0.0.1"]).await;
        let proxy = Proxy::start(kind, &kind.documented(), &server).await;
        let (ada, eve) = (proxy.client("127.0.0.2"), proxy.client("127.0.0.3"));
        sign_up_at(&ada, &proxy.base(), "ada@example.com").await;
        guess_until_refused(&eve, &proxy.base()).await;
        sign_in_at(&ada, &proxy.base(), "ada@example.com").await;
        let (_, message) = guess(&eve, &proxy.base(), "ada@example.com", &[]).await;
        assert!(message.starts_with("TOO_MANY_ATTEMPTS"), "{kind:?}: {message}");
    }
}

fn channel(proxy: &Proxy, query: &str) -> String {
    proxy.at(&format!("/google.firestore.v1.Firestore/Listen/channel?VER=8&{query}"))
}

/// Reads a back channel until a text appears.
async fn read_until(stream: &mut Response, text: &str) {
    let mut read = String::new();
    while !read.contains(text) {
        let chunk = stream.chunk().await.unwrap();
        read.push_str(std::str::from_utf8(&chunk.unwrap()).unwrap());
    }
}

/// A file larger than a proxy's default limit, and a live query, in both directions.
#[tokio::test]
async fn live_queries_and_large_files_pass_through_proxies() {
    for kind in installed().await {
        let server = Place::new(None).serve(&["--in-memory", "--trusted-proxies", "127.0.0.1"]).await;
        let proxy = Proxy::start(kind, &kind.documented(), &server).await;
        let client = proxy.client("127.0.0.2");
        let ada = sign_up_at(&client, &proxy.base(), "ada@example.com").await;

        let name = format!("projects/demo/databases/(default)/documents/users/{}/drafts/d", ada.uid);
        let target = json!({"database": "projects/demo/databases/(default)", "addTarget": {"targetId": 2, "documents": {"documents": [name]}}});
        let authorization = format!("Authorization:Bearer {}\r\n", ada.token);
        let form = [
            ("headers", authorization.as_str()),
            ("count", "1"),
            ("ofs", "0"),
            ("req0___data__", &target.to_string()),
        ];
        let opened = client
            .post(channel(&proxy, "RID=1&CVER=22"))
            .form(&form)
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap();
        let sid = opened.split('"').nth(3).unwrap();
        let mut back = client
            .get(channel(&proxy, &format!("RID=rpc&SID={sid}&AID=0&CI=0&TYPE=xmlhttp")))
            .send()
            .await
            .unwrap();
        read_until(&mut back, "CURRENT").await;
        let write = json!({"writes": [{"update": {"name": name, "fields": {"name": {"stringValue": "through the proxy"}}}}]});
        let commit = proxy.at("/v1/projects/demo/databases/(default)/documents:commit");
        let committed = client.post(commit).bearer_auth(&ada.token).json(&write).send().await.unwrap();
        assert_eq!(committed.status(), StatusCode::OK, "{kind:?}");
        read_until(&mut back, "through the proxy").await;

        let table = "a,b\n".repeat(2 << 20);
        let path = format!("/v0/b/demo.appspot.com/o?name=users/{}/table.csv", ada.uid);
        let upload = client.post(proxy.at(&path)).bearer_auth(&ada.token).header("content-type", "text/csv");
        let uploaded = upload.body(table.clone()).send().await.unwrap();
        assert_eq!(uploaded.status(), StatusCode::OK, "{kind:?}: {}", uploaded.text().await.unwrap());
        let file = proxy.at(&format!("/v0/b/demo.appspot.com/o/users%2F{}%2Ftable.csv?alt=media", ada.uid));
        let read = client.get(file).bearer_auth(&ada.token).send().await.unwrap().text().await.unwrap();
        assert!(read == table, "{kind:?}: {} bytes came back of {}", read.len(), table.len());
    }
}

/// Pages of a server that respond, which shows whether more is open than should be.
async fn open_to(client: &Client, base: &str, headers: &[(&str, &str)]) -> HashSet<&'static str> {
    let mut open = HashSet::new();
    for path in [
        "/metrics",
        "/console/",
        "/emulators",
        "/emulator/v1/projects/demo/oobCodes",
        "/emulator/v1/projects/demo/config",
    ] {
        let request = client.get(format!("{base}{path}"));
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        if request.send().await.unwrap().status() != StatusCode::NOT_FOUND {
            open.insert(path);
        }
    }
    open
}

#[tokio::test]
async fn a_proxy_that_says_nothing_opens_nothing() {
    if !Kind::Nginx.is_installed().await {
        return skipped(Kind::Nginx);
    }
    let listed = r#"{"tuckbox": {"metrics": {"allow": ["127.0.0.1", "10.0.0.0/8"]}}}"#;
    for (firebase, args) in [
        (None, &["--in-memory"][..]),
        (None, &["--in-memory", "--trusted-proxies", "127.0.0.1"]),
        // The proxy's own address is listed, which opens nothing to callers behind it.
        (Some(listed), &["--in-memory", "--trusted-proxies", "127.0.0.1"]),
    ] {
        let server = Place::new(firebase).serve(args).await;
        let proxy = Proxy::start(Kind::Nginx, BARE_NGINX, &server).await;
        let client = proxy.client("127.0.0.2");
        for headers in [&[][..], &[("x-forwarded-for", "127.0.0.1")], &[("forwarded", "for=127.0.0.1")]] {
            let open = open_to(&client, &proxy.base(), headers).await;
            assert!(open.is_empty(), "{args:?} {headers:?}: {open:?}");
        }
    }
    // Without trusted proxies no header gives a caller further attempts.
    let server = Place::new(None).serve(&["--in-memory"]).await;
    let proxy = Proxy::start(Kind::Nginx, BARE_NGINX, &server).await;
    guess_until_refused(&proxy.client("127.0.0.2"), &proxy.base()).await;
}

/// Sockets that one caller tries to open; the 64 that may be open end after five seconds without a word.
const SOCKETS: usize = 1_000;

#[tokio::test]
async fn sockets_of_tables_pass_and_one_address_has_so_many() {
    for kind in [Kind::Nginx, Kind::Caddy] {
        if !kind.is_installed().await {
            continue;
        }
        let server = Place::new(None).serve(&["--in-memory", "--trusted-proxies", "127.0.0.1"]).await;
        let proxy = Proxy::start(kind, &kind.documented(), &server).await;
        let open = async || {
            // From an address that is no proxy's.
            let socket = TcpSocket::new_v4().unwrap();
            socket.bind("127.0.0.9:0".parse().unwrap()).unwrap();
            let stream = socket.connect(proxy.address).await.unwrap();
            let url = format!("ws://{HOST}:{}/__/table/t/socket", proxy.address.port());
            let mut request = url.into_client_request().unwrap();
            let origin = format!("http://{HOST}:{}", proxy.address.port());
            request.headers_mut().insert("origin", origin.parse().unwrap());
            client_async(request, stream).await.map(|(socket, _)| socket)
        };
        let mut socket = open().await.unwrap();
        socket.send(Message::text(json!({"hello": 2, "token": "x"}).to_string())).await.unwrap();
        let bye = socket.next().await.unwrap().unwrap();
        assert!(bye.to_text().unwrap().contains("signed-out"), "{kind:?}: {bye}");
        let mut sockets = Vec::new();
        let refused = loop {
            assert!(sockets.len() < SOCKETS, "{kind:?}: nobody was refused");
            match open().await {
                Ok(socket) => sockets.push(socket),
                Err(error) => break error,
            }
        };
        let status = if let Error::Http(answer) = &refused { answer.status().as_u16() } else { 0 };
        assert_eq!(status, 429, "{kind:?}: {refused}");
        assert!(sockets.len() >= 63, "{kind:?}: {}", sockets.len());
    }
}
