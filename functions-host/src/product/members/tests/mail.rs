//! Tests of the mail with invitations.

use std::sync::Arc;

use auth_emu::mail::{Mail, Mailer};
use docstore::Error;
use docstore::commit::Draft;
use docstore::model::DocPath;
use futures::future::BoxFuture;
use parking_lot::Mutex;

use super::super::offers::Offer;
use super::super::{DeckName, InvitationMailer, Person, Role, deletion, invite};
use super::{DAY, URL, World, deck, owned, person};

/// Records the messages it is given, or refuses them.
#[derive(Debug, Default)]
struct Recorder {
    taken: Mutex<Vec<Mail>>,
    broken: bool,
}

impl Mailer for Recorder {
    fn send(&self, mail: Mail) -> BoxFuture<'_, docstore::Result<()>> {
        Box::pin(async move {
            if self.broken {
                return Err(Error::internal("MailServer", "the mail server is down", "test"));
            }
            self.taken.lock().push(mail);
            Ok(())
        })
    }
}

#[tokio::test]
async fn an_invited_address_is_written_to() {
    let mut world = World::new().await;
    let recorder = Arc::new(Recorder::default());
    world.members.mailer = InvitationMailer::new(Some(recorder.clone()), URL);
    world.set("projects/d", owned("ann", "Foxes\r\nBcc: all@example.com")).await;
    let request = |email: Option<&str>| invite::Request {
        deck: deck(),
        role: Role::Editor,
        email: email.map(str::to_owned),
        days: 7,
        uses: None,
        languages: Vec::new(),
    };
    let sent = world.members.invite(&person("ann"), &request(Some("Ben@Example.com"))).await.unwrap();
    assert!(sent.mailed);
    let mail = recorder.taken.lock().remove(0);
    assert_eq!((mail.to.as_str(), mail.subject.contains('\n')), ("ben@example.com", false));
    let link = format!("{URL}/invitations/ann/d/{}", sent.invitation);
    for expected in [link.as_str(), "ANN (ann@example.com)", "as editor", "7 days"] {
        assert!(mail.text.contains(expected), "{expected} in {}", mail.text);
    }
    assert_eq!(world.accept(&person("ben"), &sent.invitation).await.unwrap(), "editor");
    // A link is mailed to nobody, and users without a verified address mail nobody.
    assert!(!world.members.invite(&person("ann"), &request(None)).await.unwrap().mailed);
    let unverified = Person { email: None, ..person("ann") };
    assert!(!world.members.invite(&unverified, &request(Some("cat@example.com"))).await.unwrap().mailed);
    assert!(recorder.taken.lock().is_empty());
}

#[tokio::test]
async fn mails_of_offers_say_who_what_and_until_when() {
    let recorder = Arc::new(Recorder::default());
    let mailer = InvitationMailer::new(Some(recorder.clone()), URL);
    let ann = person("ann");
    assert!(mailer.send_offer(&ann, "ben@example.com", "Foxes\r\nBcc: x", 30, 1).await);
    // One mail a day from one to another, and none of an unverified address.
    assert!(!mailer.send_offer(&ann, "ben@example.com", "Foxes", 30, 2).await);
    assert!(
        !mailer.send_offer(&Person { email: None, ..person("ann") }, "cat@example.com", "Foxes", 30, 2).await
    );
    let offer = Offer {
        project: "d".to_owned(),
        project_name: "Foxes".to_owned(),
        from: "ann".to_owned(),
        from_name: "Ann".to_owned(),
        to: "ben".to_owned(),
        to_name: "evil.example.com".to_owned(),
        created_at: 0,
        expires_at: 1,
        closing: true,
        reminded: false,
        ended: false,
        declined: Vec::new(),
    };
    assert!(mailer.send_closing("ben@example.com", &offer, true, 1).await);
    assert!(mailer.send_closing("cat@example.com", &offer, false, 7).await);
    let sent: Vec<Mail> = recorder.taken.lock().drain(..).collect();
    let says = [
        ["ANN (ann@example.com) wants to hand the project", "30 days", URL],
        ["Ann deleted their account", "deleted in a day", "offered to you: log in and accept"],
        ["\"Foxes\"", "deleted in 7 days", "offered to another member"],
    ];
    for (mail, expected) in sent.iter().zip(says) {
        for words in expected {
            assert!(mail.text.contains(words), "{words} in {}", mail.text);
        }
        assert!(!mail.text.contains("\nBcc") && !mail.text.contains("evil"), "{}", mail.text);
    }
    assert_eq!(sent.len(), 3);
}

/// A world with a mailer, and its messages.
async fn mailing() -> (World, Arc<Recorder>) {
    let mut world = World::new().await;
    let recorder = Arc::new(Recorder::default());
    world.members.mailer = InvitationMailer::new(Some(recorder.clone()), URL);
    (world, recorder)
}

/// Id of somebody's project.
fn deck_of(by: &str) -> String {
    if by == "ann" { "d".to_owned() } else { format!("of-{by}") }
}

impl World {
    /// Invites an address and withdraws the invitation at once. Returns true if a mail was sent.
    async fn mails(&self, by: &str, to: &str) -> bool {
        let request = invite::Request {
            deck: DeckName { owner_id: Some(by.to_owned()), deck_id: deck_of(by) },
            role: Role::Viewer,
            email: Some(to.to_owned()),
            days: 7,
            uses: None,
            languages: Vec::new(),
        };
        let one = self.members.invite(&person(by), &request).await.unwrap();
        let path = format!("projects/{}/invitations/{}", deck_of(by), one.invitation);
        let withdrawn = deletion(DocPath::parse(&path).unwrap());
        self.members.database.commit(Draft::of(vec![withdrawn])).await.unwrap();
        one.mailed
    }
}

#[tokio::test]
async fn inviting_and_withdrawing_is_no_way_to_send_mail_all_day() {
    let (world, _) = mailing().await;
    assert!(world.mails("ann", "cat@example.com").await);
    // Once a day per mailbox, under whatever name.
    assert!(!world.mails("ann", "cat@example.com").await);
    assert!(!world.mails("ann", "Cat+more@example.com").await);
    let mut mailed = 1;
    for n in 0..60 {
        mailed += u32::from(world.mails("ann", &format!("p{n}@example.com")).await);
    }
    assert_eq!(mailed, 50);
    world.clock.advance(DAY);
    assert!(world.mails("ann", "cat@example.com").await);
}

#[tokio::test]
async fn many_accounts_do_not_fill_one_inbox() {
    let (world, recorder) = mailing().await;
    for n in 0..8 {
        let by = format!("sock{n}");
        world.set(&format!("projects/{}", deck_of(&by)), owned(&by, "Foxes")).await;
        assert_eq!(world.mails(&by, "cat@example.com").await, n < 5, "the mail number {n}");
    }
    assert_eq!(recorder.taken.lock().len(), 5);
}

#[tokio::test]
async fn a_mail_carries_no_words_that_lead_somewhere() {
    let (world, recorder) = mailing().await;
    let bad = [
        "Win at https://evil.test",
        "evil.example",
        "Call me: (evil.example)",
        "boss@example.org",
        "www.evil.test/now now",
        "evil\u{3002}test",
        "\u{202e}tset.live",
        "//evil",
        "e\u{200b}vil.te\u{ad}st",
        "\u{202e}\u{2066}",
        "",
    ];
    for (n, name) in bad.into_iter().enumerate() {
        world.set("projects/d", owned("ann", name)).await;
        let from = Person { name: name.to_owned(), ..person("ann") };
        let request = invite::Request {
            deck: deck(),
            role: Role::Viewer,
            email: Some(format!("p{n}@example.com")),
            days: 7,
            uses: None,
            languages: Vec::new(),
        };
        assert!(world.members.invite(&from, &request).await.unwrap().mailed);
        let mail = recorder.taken.lock().pop().unwrap();
        assert_eq!(mail.subject, "An invitation to a project");
        let expected = "Somebody (ann@example.com) invites you to the project \"a project\" as viewer.";
        assert!(mail.text.contains(expected), "{name}: {}", mail.text);
    }
    for (n, name) in
        ["Foxes & Co. Ltd", "3.5 mm", "Über…", "Dr. Who", "شطرنج", "Mr.X"].into_iter().enumerate()
    {
        world.set("projects/d", owned("ann", name)).await;
        assert!(world.mails("ann", &format!("q{n}@example.com")).await);
        let mail = recorder.taken.lock().pop().unwrap();
        let shown = tuckbox_names::isolated(name);
        assert!(mail.text.contains(&format!("\"{shown}\"")), "{name}: {}", mail.text);
    }
}

#[tokio::test]
async fn the_id_of_a_project_writes_no_text_of_its_own() {
    let (world, recorder) = mailing().await;
    let id = "d\n\nPay at evil.test now?a=b#c, \u{202e}it is 😀 due%";
    world.set(&format!("projects/{id}"), owned("ann", "Foxes")).await;
    let request = invite::Request {
        deck: DeckName { owner_id: None, deck_id: id.to_owned() },
        role: Role::Viewer,
        email: Some("ben@example.com".to_owned()),
        days: 1,
        uses: None,
        languages: Vec::new(),
    };
    let sent = world.members.invite(&person("ann"), &request).await.unwrap();
    let mail = recorder.taken.lock().remove(0);
    let link = mail.text.lines().find(|line| line.starts_with("http")).unwrap();
    let expected =
        "d%0A%0APay%20at%20evil%2Etest%20now%3Fa%3Db%23c%2C%20%E2%80%AEit%20is%20%F0%9F%98%80%20due%25";
    assert_eq!(link, format!("{URL}/invitations/ann/{expected}/{}", sent.invitation));
    assert!(!mail.text.contains("evil.test"), "{}", mail.text);
    assert!(mail.text.contains("good for a day."), "{}", mail.text);
}

#[tokio::test]
async fn an_invitation_is_valid_without_its_mail() {
    let mut world = World::new().await;
    world.members.mailer =
        InvitationMailer::new(Some(Arc::new(Recorder { broken: true, ..Recorder::default() })), URL);
    let request = invite::Request {
        deck: deck(),
        role: Role::Viewer,
        email: Some("ben@example.com".to_owned()),
        days: 7,
        uses: None,
        languages: Vec::new(),
    };
    let sent = world.members.invite(&person("ann"), &request).await.unwrap();
    assert!(!sent.mailed);
    assert_eq!(world.accept(&person("ben"), &sent.invitation).await.unwrap(), "viewer");
}

#[tokio::test]
async fn names_in_a_mail_move_nothing_beside_them() {
    let (world, recorder) = mailing().await;
    world.set("projects/d", owned("ann", "שועלים\u{202e}")).await;
    let request = invite::Request {
        deck: deck(),
        role: Role::Editor,
        email: Some("ben@example.com".to_owned()),
        days: 7,
        uses: None,
        languages: Vec::new(),
    };
    let from = Person { name: "עדה".to_owned(), ..person("ann") };
    assert!(world.members.invite(&from, &request).await.unwrap().mailed);
    let mail = recorder.taken.lock().remove(0);
    for isolated in ["\u{2068}עדה\u{2069} (ann@example.com)", "\"\u{2068}שועלים\u{2069}\" as editor"]
    {
        assert!(mail.text.contains(isolated), "{}", mail.text);
    }
    let mailer = InvitationMailer::new(Some(recorder.clone()), URL);
    assert!(mailer.send_offer(&from, "ben@example.com", "שועלים\u{202e}", 30, 1).await);
    let mail = recorder.taken.lock().remove(0);
    for isolated in
        ["\u{2068}עדה\u{2069} (ann@example.com)", "project \"\u{2068}שועלים\u{2069}\" over to you"]
    {
        assert!(mail.text.contains(isolated), "{}", mail.text);
    }
}
