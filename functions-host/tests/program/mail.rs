//! Mails on their way to a mail server that is not always there.

use reqwest::Client;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;

use crate::accounts::sign_up;
use crate::server::{Place, Server};

/// Takes one message like a mail server. Returns the client's lines.
async fn take_one(listener: &TcpListener) -> String {
    let (stream, _) = listener.accept().await.unwrap();
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    write.write_all(b"220 test\r\n").await.unwrap();
    let (mut said, mut in_data) = (String::new(), false);
    while let Some(line) = lines.next_line().await.unwrap() {
        said.push_str(&line);
        said.push('\n');
        let answer: &[u8] = match line.as_str() {
            "." => {
                write.write_all(b"250 taken\r\n").await.unwrap();
                return said;
            }
            _ if in_data => continue,
            "DATA" => {
                in_data = true;
                b"354 go on\r\n"
            }
            line if line.starts_with("EHLO") => b"250-test\r\n250 8BITMIME\r\n",
            _ => b"250 ok\r\n",
        };
        write.write_all(answer).await.unwrap();
    }
    said
}

async fn reset_password(server: &Server) -> u16 {
    let url = server.at("/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=tuckbox-demo");
    let body = json!({"requestType": "PASSWORD_RESET", "email": "ada@example.com"});
    Client::new().post(url).json(&body).send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn a_mail_that_cannot_be_sent_outlasts_a_kill_and_is_sent_by_the_next_start() {
    let place = Place::new(Some(r#"{"tuckbox": {"mail": {"from": "Cards <cards@example.com>"}}}"#));
    // Nothing listens there yet.
    let address = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let url = format!("smtp://{address}");
    let variables = [("TUCKBOX_MAIL_SERVER", url.as_str()), ("TUCKBOX_METRICS_TOKEN", "t")];
    let mut server = place.serve_with(&["--data", "data"], &variables).await;
    sign_up(&server, "ada@example.com").await;
    assert_eq!(reset_password(&server).await, 200, "the mail is in the queue");
    server.logged("it is tried again in 60 s").await;
    let metrics = Client::new().get(server.at("/metrics")).bearer_auth("t").send().await.unwrap();
    let metrics = metrics.text().await.unwrap();
    assert!(metrics.contains("tuckbox_mail_waiting 1\n"), "{metrics}");
    assert!(metrics.contains("tuckbox_mail_failures_total 1\n"), "{metrics}");
    server.signal("-KILL").await;
    server.ended().await;
    let listener = TcpListener::bind(address).await.unwrap();
    let _server = place.serve_with(&["--data", "data"], &variables).await;
    let said = take_one(&listener).await;
    assert!(said.contains("RCPT TO:<ada@example.com>") && said.contains("Reset your"), "{said}");
}
