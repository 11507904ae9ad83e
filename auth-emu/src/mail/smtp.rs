//! Delivery through a mail server.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use docstore::{Code, Error, Result};
use futures::future::BoxFuture;
use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use url::Url;

use super::{Mail, Mailer};

/// Time limit for the mail server to answer.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Hands mail to an SMTP server, over TLS unless that server is this machine.
pub struct SmtpMailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    /// The server's URL without user and password.
    shown: String,
}

impl SmtpMailer {
    /// A mailer for `url`: `smtps://user:password@host[:465]` (TLS) or `smtp://user:password@host[:587]` (STARTTLS,
    /// which the server must offer unless it is on this machine). `from` is the sender, such as `Tuckbox
    /// <cards@example.com>`. Connects for the first message.
    ///
    /// # Errors
    /// `InvalidArgument` for another kind of URL or a sender that is not an address.
    pub fn new(url: &str, from: &str) -> Result<Self> {
        let bad = |why: String| Error::new(Code::InvalidArgument, "BadMailServer", why);
        let example = "smtps://user:password@mail.example:465";
        let parsed = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "smtp" | "smtps"));
        let mut parsed = parsed
            .filter(|url| url.host().is_some())
            .ok_or_else(|| bad(format!("The mail server must be a URL such as {example}")))?;
        let shown = format!("{}://{}", parsed.scheme(), parsed.host_str().unwrap_or_default());
        // The URL parser reads the hosts of unfamiliar schemes as names even if they are numbers.
        let host = parsed.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let near = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        parsed.set_query((parsed.scheme() == "smtp" && !near).then_some("tls=required"));
        let from = from.parse().map_err(|error| {
            bad(format!(
                "The sender \"{from}\" must be an address such as Tuckbox <cards@example.com>: {error}"
            ))
        })?;
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(parsed.as_str())
            .map_err(|error| bad(format!("The mail server {shown} cannot be used: {error}")))?;
        Ok(Self { transport: transport.timeout(Some(TIMEOUT)).build(), from, shown })
    }
}

impl fmt::Debug for SmtpMailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpMailer")
            .field("server", &self.shown)
            .field("from", &self.from)
            .finish_non_exhaustive()
    }
}

impl Mailer for SmtpMailer {
    fn send(&self, mail: Mail) -> BoxFuture<'_, Result<()>> {
        Box::pin(async move {
            let to = mail.to.parse::<Mailbox>().map_err(|error| {
                Error::invalid(
                    "BadRecipient",
                    format!("\"{}\" is not an address that mail can go to", mail.to),
                )
                .with_source(error)
            })?;
            let message = Message::builder()
                .from(self.from.clone())
                .to(to)
                .subject(mail.subject)
                .header(ContentType::TEXT_PLAIN)
                .body(mail.text)
                .map_err(|error| Error::internal("MailBuild", "the message could not be written", error))?;
            let sent = self.transport.send(message).await;
            sent.map(|_| ()).map_err(|error| {
                let message = format!("the mail server {} did not take the message: {error}", self.shown);
                // 550 to 559 are about the mailbox or the message. Others may be about this server's account, and mended.
                let is_refusal = error.status().is_some_and(|code| u16::from(code) / 10 == 55);
                let tag = if is_refusal { "MailRefused" } else { "MailServer" };
                Error::internal(tag, message, error)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
    use tokio::net::TcpListener;

    use super::*;

    /// Accepts one message like a mail server, and returns the client's lines.
    async fn take_one(listener: TcpListener) -> Vec<String> {
        let (stream, _) = listener.accept().await.unwrap();
        let (read, mut write) = stream.into_split();
        let mut lines = BufReader::new(read).lines();
        write.write_all(b"220 test\r\n").await.unwrap();
        let (mut said, mut in_data) = (Vec::new(), false);
        while let Some(line) = lines.next_line().await.unwrap() {
            let answer: &[u8] = match line.get(..4).unwrap_or(&line) {
                _ if in_data && line != "." => b"",
                "EHLO" => b"250-test\r\n250 8BITMIME\r\n",
                "DATA" => {
                    in_data = true;
                    b"354 go on\r\n"
                }
                "." => {
                    said.push(line);
                    write.write_all(b"250 taken\r\n").await.unwrap();
                    return said;
                }
                _ => b"250 ok\r\n",
            };
            said.push(line);
            write.write_all(answer).await.unwrap();
        }
        said
    }

    #[tokio::test]
    async fn a_message_reaches_the_server() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("smtp://127.0.0.1:{}", listener.local_addr().unwrap().port());
        let mailer = SmtpMailer::new(&url, "Tuckbox <cards@example.com>").unwrap();
        let mail = Mail {
            to: "ada@example.com".to_owned(),
            subject: "Confirm your address".to_owned(),
            text: "Hello,\n\nhttps://cards.example/__/auth/action\n".to_owned(),
        };
        let (said, sent) = tokio::join!(take_one(listener), mailer.send(mail));
        sent.unwrap();
        for expected in [
            "MAIL FROM:<cards@example.com>",
            "RCPT TO:<ada@example.com>",
            "Subject: Confirm your address",
            "https://cards.example/__/auth/action",
        ] {
            assert!(said.iter().any(|line| line.starts_with(expected)), "{expected} in {said:#?}");
        }
    }

    #[tokio::test]
    async fn recipients_cannot_bring_headers_along() {
        let mailer = SmtpMailer::new("smtps://mail.example", "cards@example.com").unwrap();
        let to = "ada@example.com\r\nBcc: eve@example.com".to_owned();
        let mail = Mail { to, subject: String::new(), text: String::new() };
        assert_eq!(mailer.send(mail).await.unwrap_err().tag(), "BadRecipient");
    }

    #[tokio::test]
    async fn a_wrong_configuration_says_what_is_wrong_and_no_password() {
        for (url, from) in [
            ("", "cards@example.com"),
            ("https://mail.example", "cards@example.com"),
            ("smtps://user:hunter2@mail.example", "nobody"),
        ] {
            let message = SmtpMailer::new(url, from).unwrap_err().message().to_owned();
            assert!(message.contains("such as") && !message.contains("hunter2"), "{message}");
        }
        let mailer = SmtpMailer::new("smtp://user:hunter2@mail.example:2525", "cards@example.com").unwrap();
        assert!(!format!("{mailer:?}").contains("hunter2"));
    }
}
