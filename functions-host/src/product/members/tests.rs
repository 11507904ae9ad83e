mod admitted;
mod mail;
mod translators;

use std::sync::Arc;
use std::time::Duration;

use auth_emu::entropy::SeededEntropy;
use docstore::Code;
use docstore::clock::ManualClock;
use docstore::commit::Draft;
use docstore::model::{DatabaseId, DocPath, Fields, Precondition, Query, Source, Ts, Value, Write, WriteOp};
use docstore::store::{EngineOptions, Limits, Store, StoreOptions};
use futures::future::join_all;
use serde_json::{Value as Json, json};

use super::{InvitationMailer, MAX_INVITATIONS, Members, Person, Role, accept, change, entry, invite, text};
use crate::functions::callable::{AuthContext, CallError};
use crate::host::config::{Plan, PlanLimits};
use crate::product::plans::Plans;
use crate::schema::moved::{Kind, Moved, Renamed};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// Start of the manual clock, in microseconds since the epoch.
const START: u64 = 1_700_000_000_000_000;

/// Public URL of the application.
const URL: &str = "https://cards.example";

struct World {
    members: Members,
    clock: Arc<ManualClock>,
}

fn person(uid: &str) -> Person {
    let token =
        json!({"name": uid.to_uppercase(), "email": format!("{uid}@Example.com"), "email_verified": true});
    Person::of(&AuthContext { uid: uid.to_owned(), token })
}

fn deck() -> super::DeckName {
    super::DeckName { owner_id: Some("ann".to_owned()), deck_id: "d".to_owned() }
}

/// A project as its owner makes it.
fn owned(owner: &str, name: &str) -> Fields {
    Fields::from([
        ("name".to_owned(), text(name)),
        ("owner".to_owned(), text(owner)),
        ("members".to_owned(), entry(owner, text("owner"))),
        ("memberIds".to_owned(), Value::Array(vec![text(owner)])),
    ])
}

fn owned_texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn text_in(document: &Fields, map: &str, name: &str) -> Option<String> {
    let Some(Value::Map(inner)) = document.get(map) else { return None };
    super::text_of(inner, name)
}

impl World {
    async fn new() -> Self {
        Self::with(&[]).await
    }

    async fn with(plans: &[Plan]) -> Self {
        let clock = Arc::new(ManualClock::new(Ts::from_micros(START)));
        let options =
            StoreOptions { engine: EngineOptions::Memory, clock: clock.clone(), limits: Limits::default() };
        let store = Store::open(options).await.unwrap();
        let database = store.database(&DatabaseId::default_of("demo"));
        let members = Members {
            plans: Plans::new(&store, "demo", plans),
            database,
            store,
            entropy: Arc::new(SeededEntropy::new(1)),
            mailer: InvitationMailer::new(None, URL),
        };
        let world = Self { members, clock };
        world.set("projects/d", owned("ann", "Foxes")).await;
        world
    }

    async fn set(&self, path: &str, fields: Fields) {
        let op = WriteOp::Set { fields, transforms: Vec::new() };
        let write = Write { path: DocPath::parse(path).unwrap(), op, precondition: Precondition::None };
        self.members.database.commit(Draft::of(vec![write])).await.unwrap();
    }

    async fn get(&self, path: &str) -> Option<Fields> {
        let path = DocPath::parse(path).unwrap();
        let found = self.members.database.get(&[path], None).await.unwrap().value;
        found.into_iter().flatten().next().map(|document| document.fields)
    }

    async fn invite(&self, by: &str, role: Role, email: Option<&str>) -> Result<String, CallError> {
        self.invite_to(by, role, &[], email).await
    }

    async fn invite_to(
        &self,
        by: &str,
        role: Role,
        languages: &[&str],
        email: Option<&str>,
    ) -> Result<String, CallError> {
        let (email, languages) = (email.map(str::to_owned), owned_texts(languages));
        let request = invite::Request { deck: deck(), role, email, days: 7, uses: None, languages };
        self.members.invite(&person(by), &request).await.map(|invited| invited.invitation)
    }

    async fn accept(&self, by: &Person, invitation: &str) -> Result<&'static str, CallError> {
        let request = accept::Request { deck: deck(), invitation: invitation.to_owned() };
        self.members.accept(by, &request).await.map(|accepted| accepted.role)
    }

    async fn change(&self, by: &str, uid: &str, role: Option<Role>) -> Result<(), CallError> {
        self.change_to(by, uid, role, &[]).await
    }

    async fn change_to(
        &self,
        by: &str,
        uid: &str,
        role: Option<Role>,
        languages: &[&str],
    ) -> Result<(), CallError> {
        let languages = owned_texts(languages);
        let request = change::Request { deck: deck(), uid: uid.to_owned(), role, languages };
        self.members.change(&person(by), &request).await
    }

    /// Ids of the open invitations.
    async fn invitations(&self) -> Vec<String> {
        let parent = Some(DocPath::parse("projects/d").unwrap());
        let source = Source { collection: Some("invitations".to_owned()), all_descendants: false };
        let found = self.members.database.run(&Query::all(parent, source), None).await.unwrap().documents;
        found.iter().map(|invitation| invitation.path.id().to_owned()).collect()
    }

    async fn role(&self, uid: &str) -> Option<String> {
        text_in(&self.get("projects/d").await.unwrap(), "members", uid)
    }

    async fn ids(&self) -> Vec<Value> {
        match self.get("projects/d").await.unwrap().get("memberIds") {
            Some(Value::Array(ids)) => ids.clone(),
            _ => Vec::new(),
        }
    }
}

fn code<T: std::fmt::Debug>(outcome: Result<T, CallError>) -> Code {
    outcome.unwrap_err().code()
}

#[tokio::test]
async fn an_owner_who_is_removed_while_they_invite_leaves_no_invitation() {
    for place in 0..6 {
        let world = World::new().await;
        let link = world.invite("ann", Role::Owner, None).await.unwrap();
        world.accept(&person("bob"), &link).await.unwrap();
        let invite = || async { drop(world.invite("bob", Role::Owner, Some("bob@example.com")).await) };
        let before = join_all((0..place).map(|_| invite()));
        let remove = async { world.change("ann", "bob", None).await.unwrap() };
        let ((), _, _) = tokio::join!(remove, before, join_all((place..6).map(|_| invite())));
        let open = world.invitations().await;
        assert_eq!(open, [link], "{place} invitations before the removal");
        let deck = world.get("projects/d").await.unwrap();
        assert_eq!(text_in(&deck, "people", "bob"), None, "{place}");
    }
}

#[tokio::test]
async fn invitations_made_at_once_keep_the_limit() {
    let world = World::new().await;
    let made = join_all((0..MAX_INVITATIONS + 20).map(|_| world.invite("ann", Role::Viewer, None))).await;
    assert_eq!(made.iter().filter(|made| made.is_ok()).count(), world.invitations().await.len());
    assert_eq!(world.invitations().await.len(), MAX_INVITATIONS);
}

#[tokio::test]
async fn a_link_lets_in_whoever_has_it_until_it_expires_or_is_withdrawn() {
    let world = World::new().await;
    let link = world.invite("ann", Role::Editor, None).await.unwrap();
    assert!(link.len() >= 32, "{link} can be guessed");
    for uid in ["eve", "odd.uid `x`"] {
        assert_eq!(world.accept(&person(uid), &link).await.unwrap(), "editor");
        assert_eq!(world.role(uid).await.as_deref(), Some("editor"));
    }
    assert_eq!(world.ids().await, [text("ann"), text("eve"), text("odd.uid `x`")]);
    let deck = world.get("projects/d").await.unwrap();
    assert_eq!(text_in(&deck, "people", "ann").as_deref(), Some("ANN"));
    assert_eq!(text_in(&deck, "people", "eve").as_deref(), Some("EVE"));
    assert_eq!(code(world.accept(&person("bob"), "i-guess").await), Code::FailedPrecondition);
    world.clock.advance(DAY * 7);
    assert_eq!(code(world.accept(&person("bob"), &link).await), Code::FailedPrecondition);
    assert_eq!(world.role("bob").await, None);

    let second = world.invite("ann", Role::Viewer, None).await.unwrap();
    let path = DocPath::parse(&format!("projects/d/invitations/{second}")).unwrap();
    world.members.database.commit(Draft::of(vec![super::deletion(path)])).await.unwrap();
    assert_eq!(code(world.accept(&person("bob"), &second).await), Code::FailedPrecondition);
}

#[tokio::test]
async fn an_address_is_invited_once_and_must_be_verified() {
    let world = World::new().await;
    let sent = world.invite("ann", Role::Commenter, Some(" Eve@Example.COM ")).await.unwrap();
    assert_eq!(code(world.accept(&person("bob"), &sent).await), Code::PermissionDenied);
    let token = json!({"email": "eve@example.com", "email_verified": false});
    let unverified = Person::of(&AuthContext { uid: "eve".to_owned(), token });
    assert_eq!(code(world.accept(&unverified, &sent).await), Code::PermissionDenied);
    assert_eq!(world.accept(&person("eve"), &sent).await.unwrap(), "commenter");
    assert_eq!(code(world.accept(&person("eve"), &sent).await), Code::FailedPrecondition);
    for bad in ["", "eve", "@x", "a@", "a b@x", "a@b@c", &format!("{}@x", "a".repeat(300))] {
        assert_eq!(code(world.invite("ann", Role::Viewer, Some(bad)).await), Code::InvalidArgument, "{bad}");
    }
}

#[tokio::test]
async fn only_owners_invite_and_change_and_everybody_may_leave() {
    let world = World::new().await;
    let link = world.invite("ann", Role::Editor, None).await.unwrap();
    world.accept(&person("eve"), &link).await.unwrap();
    for by in ["eve", "bob"] {
        assert_eq!(code(world.invite(by, Role::Owner, None).await), Code::PermissionDenied);
        assert_eq!(code(world.change(by, "eve", Some(Role::Owner)).await), Code::PermissionDenied);
    }
    world.change("ann", "eve", Some(Role::Owner)).await.unwrap();
    let second = world.invite("eve", Role::Viewer, None).await.unwrap();
    world.accept(&person("vic"), &second).await.unwrap();
    // A smaller invitation takes nothing away.
    assert_eq!(world.accept(&person("eve"), &second).await.unwrap(), "owner");
    world.change("vic", "vic", None).await.unwrap();
    assert_eq!(world.role("vic").await, None);
    assert_eq!(world.ids().await, [text("ann"), text("eve")]);
    assert_eq!(code(world.change("ann", "vic", Some(Role::Editor)).await), Code::NotFound);
    assert_eq!(code(world.change("vic", "vic", None).await), Code::NotFound);
    world.change("ann", "eve", None).await.unwrap();
    assert_eq!(code(world.invite("eve", Role::Viewer, None).await), Code::PermissionDenied);
    assert_eq!(code(world.accept(&person("ann"), &second).await), Code::FailedPrecondition);
}

#[tokio::test]
async fn whose_project_it_is_cannot_be_changed_and_does_not_leave() {
    let world = World::new().await;
    let link = world.invite("ann", Role::Owner, None).await.unwrap();
    world.accept(&person("eve"), &link).await.unwrap();
    for by in ["ann", "eve"] {
        for role in [None, Some(Role::Viewer)] {
            assert!(world.change(by, "ann", role).await.is_err(), "{by} {role:?}");
        }
    }
    assert_eq!(world.role("ann").await.as_deref(), Some("owner"));
    assert_eq!(world.ids().await, [text("ann"), text("eve")]);
}

#[tokio::test]
async fn a_project_named_with_another_owner_is_not_there() {
    let world = World::new().await;
    world.set("projects/owls", owned("bob", "Owls")).await;
    let link = world.invite("ann", Role::Viewer, None).await.unwrap();
    let named = |owner: Option<&str>, id: &str| super::DeckName {
        owner_id: owner.map(str::to_owned),
        deck_id: id.to_owned(),
    };
    let read = async |owner: Option<&str>| {
        let request = accept::Request { deck: named(owner, "d"), invitation: link.clone() };
        world.members.read(&person("eve"), &request).await
    };
    assert!(read(Some("ann")).await.is_ok() && read(None).await.is_ok());
    assert_eq!(code(read(Some("bob")).await), Code::FailedPrecondition);
    let request = |owner| invite::Request {
        deck: named(owner, "owls"),
        role: Role::Viewer,
        email: None,
        days: 1,
        uses: None,
        languages: Vec::new(),
    };
    assert_eq!(
        code(world.members.invite(&person("bob"), &request(Some("ann"))).await),
        Code::PermissionDenied
    );
    world.members.invite(&person("bob"), &request(None)).await.unwrap();
}

#[tokio::test]
async fn who_does_not_see_a_deck_is_not_told_of_it() {
    let world = World::new().await;
    let request = |owner: &str| invite::Request {
        deck: super::DeckName { owner_id: Some(owner.to_owned()), deck_id: "none".to_owned() },
        role: Role::Viewer,
        email: None,
        days: 1,
        uses: None,
        languages: Vec::new(),
    };
    assert_eq!(code(world.members.invite(&person("bob"), &request("ann")).await), Code::PermissionDenied);
    assert_eq!(code(world.members.invite(&person("bob"), &request("bob")).await), Code::NotFound);
    assert_eq!(code(world.members.invite(&person("bob"), &request("a/b")).await), Code::InvalidArgument);
    for days in [0, 91, u64::MAX] {
        let request = invite::Request { days, ..request("ann") };
        assert_eq!(code(world.members.invite(&person("ann"), &request).await), Code::InvalidArgument);
    }
    let mut trashed = owned("ann", "Foxes");
    trashed.insert("trashedAt".to_owned(), Value::Integer(1));
    world.set("projects/d", trashed).await;
    let link = world.invite("ann", Role::Viewer, None).await.unwrap();
    assert_eq!(code(world.accept(&person("eve"), &link).await), Code::FailedPrecondition);
}

#[tokio::test]
async fn what_an_invitation_is_to_can_be_read_by_who_may_accept_it() {
    let world = World::new().await;
    let sent = world.invite("ann", Role::Editor, Some("eve@example.com")).await.unwrap();
    let request = |id: &str| accept::Request { deck: deck(), invitation: id.to_owned() };
    let shown = world.members.read(&person("eve"), &request(&sent)).await.unwrap();
    assert_eq!((shown.deck_name.as_str(), shown.invited_by.as_str(), shown.role), ("Foxes", "ANN", "editor"));
    assert!(shown.held.is_none() && shown.gains);
    assert_eq!(code(world.members.read(&person("bob"), &request(&sent)).await), Code::PermissionDenied);
    assert_eq!(code(world.members.read(&person("bob"), &request("a/b")).await), Code::InvalidArgument);
}

#[tokio::test]
async fn who_goes_is_taken_off_the_lists_of_players() {
    let world = World::new().await;
    let link = world.invite("ann", Role::Editor, None).await.unwrap();
    let players = |uids: &[&str]| Value::Array(uids.iter().map(|uid| text(uid)).collect());
    for (table, project) in [("t1", "d"), ("t2", "d"), ("other", "e")] {
        let fields = [("projectId", text(project)), ("playerIds", players(&["ann", "eve", "vic", "zoe"]))];
        let fields = fields.map(|(key, value)| (key.to_owned(), value));
        world.set(&format!("playtests/{table}"), fields.into()).await;
    }
    for uid in ["eve", "vic", "zoe"] {
        world.accept(&person(uid), &link).await.unwrap();
    }
    world.change("ann", "eve", None).await.unwrap();
    world.change("vic", "vic", None).await.unwrap();
    world.members.leave_all("zoe").await.unwrap();
    for (table, left) in [("t1", players(&["ann"])), ("t2", players(&["ann"]))] {
        assert_eq!(world.get(&format!("playtests/{table}")).await.unwrap()["playerIds"], left);
    }
    assert_eq!(
        world.get("playtests/other").await.unwrap()["playerIds"],
        players(&["ann", "eve", "vic", "zoe"])
    );
}

#[tokio::test]
async fn who_was_taken_out_does_not_come_back_by_a_link() {
    let world = World::new().await;
    let link = world.invite("ann", Role::Editor, None).await.unwrap();
    let early = world.invite("ann", Role::Editor, Some("eve@example.com")).await.unwrap();
    for uid in ["eve", "vic"] {
        world.accept(&person(uid), &link).await.unwrap();
    }
    world.change("ann", "eve", None).await.unwrap();
    let request = accept::Request { deck: deck(), invitation: link.clone() };
    assert_eq!(code(world.members.read(&person("eve"), &request).await), Code::PermissionDenied);
    let another = world.invite("ann", Role::Viewer, None).await.unwrap();
    for old in [&link, &early, &another] {
        assert_eq!(code(world.accept(&person("eve"), old).await), Code::PermissionDenied);
    }
    assert_eq!(world.role("eve").await, None);
    // Others may, those who leave by themselves may, and an address invited afterwards may.
    world.change("vic", "vic", None).await.unwrap();
    world.accept(&person("vic"), &link).await.unwrap();
    world.clock.advance(DAY);
    let sent = world.invite("ann", Role::Viewer, Some("eve@example.com")).await.unwrap();
    assert_eq!(world.accept(&person("eve"), &sent).await.unwrap(), "viewer");
    // That undoes the removal.
    world.change("eve", "eve", None).await.unwrap();
    assert_eq!(world.accept(&person("eve"), &another).await.unwrap(), "viewer");
}

#[tokio::test]
async fn a_lowered_role_is_not_raised_again_by_an_older_invitation() {
    let world = World::new().await;
    let link = world.invite("ann", Role::Editor, None).await.unwrap();
    let another = world.invite("ann", Role::Editor, None).await.unwrap();
    let sent = world.invite("ann", Role::Commenter, Some("eve@example.com")).await.unwrap();
    world.accept(&person("eve"), &link).await.unwrap();
    world.change("ann", "eve", Some(Role::Viewer)).await.unwrap();
    for old in [&link, &another, &sent] {
        assert_eq!(world.accept(&person("eve"), old).await.unwrap(), "viewer");
        assert_eq!(world.role("eve").await.as_deref(), Some("viewer"));
    }
    // Nor by leaving first.
    world.change("eve", "eve", None).await.unwrap();
    for old in [&link, &another] {
        assert_eq!(code(world.accept(&person("eve"), old).await), Code::PermissionDenied);
    }
    world.clock.advance(DAY);
    let newer = world.invite("ann", Role::Commenter, None).await.unwrap();
    assert_eq!(world.accept(&person("eve"), &newer).await.unwrap(), "commenter");
    assert_eq!(world.accept(&person("eve"), &link).await.unwrap(), "commenter");
    // A larger role by another link is allowed where nothing was taken away.
    let viewing = world.invite("ann", Role::Viewer, None).await.unwrap();
    world.accept(&person("vic"), &viewing).await.unwrap();
    assert_eq!(world.accept(&person("vic"), &another).await.unwrap(), "editor");
}

#[tokio::test]
async fn a_role_that_was_lowered_before_that_was_remembered_stays_lowered() {
    let world = World::new().await;
    let link = world.invite("ann", Role::Editor, None).await.unwrap();
    world.accept(&person("eve"), &link).await.unwrap();
    let mut deck = world.get("projects/d").await.unwrap();
    let roles = [("ann".to_owned(), text("owner")), ("eve".to_owned(), text("viewer"))];
    deck.insert("members".to_owned(), Value::Map(roles.into()));
    world.set("projects/d", deck).await;
    assert_eq!(world.accept(&person("eve"), &link).await.unwrap(), "viewer");
}

#[tokio::test]
async fn an_owner_whose_role_is_lowered_has_no_invitations_left() {
    let world = World::new().await;
    let first = world.invite("ann", Role::Owner, Some("eve@example.com")).await.unwrap();
    world.accept(&person("eve"), &first).await.unwrap();
    let theirs = world.invite("eve", Role::Owner, None).await.unwrap();
    let hers = world.invite("ann", Role::Viewer, None).await.unwrap();
    world.change("ann", "eve", Some(Role::Editor)).await.unwrap();
    for uid in ["eve", "sock"] {
        assert_eq!(code(world.accept(&person(uid), &theirs).await), Code::FailedPrecondition);
    }
    assert_eq!(world.accept(&person("vic"), &hers).await.unwrap(), "viewer");
    assert_eq!(world.role("eve").await.as_deref(), Some("editor"));
}

#[tokio::test]
async fn the_links_of_an_owner_who_was_taken_out_lead_nowhere() {
    let world = World::new().await;
    let first = world.invite("ann", Role::Owner, Some("eve@example.com")).await.unwrap();
    world.accept(&person("eve"), &first).await.unwrap();
    let (theirs, hers) = (
        world.invite("eve", Role::Owner, None).await.unwrap(),
        world.invite("ann", Role::Viewer, None).await.unwrap(),
    );
    world.change("ann", "eve", None).await.unwrap();
    assert_eq!(code(world.accept(&person("sock"), &theirs).await), Code::FailedPrecondition);
    assert_eq!(world.accept(&person("vic"), &hers).await.unwrap(), "viewer");
}

#[tokio::test]
async fn a_link_lets_in_so_many_and_says_who_they_were() {
    let world = World::new().await;
    let request = |uses| invite::Request {
        deck: deck(),
        role: Role::Viewer,
        email: None,
        days: 7,
        uses: Some(uses),
        languages: Vec::new(),
    };
    for uses in [0, 101] {
        assert_eq!(code(world.members.invite(&person("ann"), &request(uses)).await), Code::InvalidArgument);
    }
    let link = world.members.invite(&person("ann"), &request(2)).await.unwrap().invitation;
    for uid in ["eve", "odd.uid `x`"] {
        world.accept(&person(uid), &link).await.unwrap();
        // Accepting twice counts once.
        world.accept(&person(uid), &link).await.unwrap();
    }
    assert_eq!(code(world.accept(&person("sock"), &link).await), Code::FailedPrecondition);
    let kept = world.get(&format!("projects/d/invitations/{link}")).await.unwrap();
    let Some(Value::Map(joined)) = kept.get("joined") else { panic!("{kept:?}") };
    assert_eq!(joined.keys().collect::<Vec<_>>(), ["eve", "odd.uid `x`"]);
    // A member who joined by it and left returns by it.
    world.change("eve", "eve", None).await.unwrap();
    world.accept(&person("eve"), &link).await.unwrap();
}

#[tokio::test]
async fn an_account_that_goes_leaves_every_project_and_its_name_there() {
    let world = World::new().await;
    world.set("projects/owls", owned("bob", "Owls")).await;
    let link = world.invite("ann", Role::Editor, None).await.unwrap();
    for uid in ["eve", "vic"] {
        world.accept(&person(uid), &link).await.unwrap();
    }
    let request = invite::Request {
        deck: super::DeckName { owner_id: None, deck_id: "owls".to_owned() },
        role: Role::Owner,
        email: None,
        days: 7,
        uses: None,
        languages: Vec::new(),
    };
    let other = world.members.invite(&person("bob"), &request).await.unwrap().invitation;
    let joining = accept::Request { deck: request.deck, invitation: other };
    world.members.accept(&person("eve"), &joining).await.unwrap();
    world.change("ann", "eve", Some(Role::Viewer)).await.unwrap();
    // A deck that lists them without a role.
    let listed = Fields::from([("memberIds".to_owned(), Value::Array(vec![text("eve"), text("vic")]))]);
    world.set("projects/listed", listed).await;
    world.members.leave_all("eve").await.unwrap();
    let left = world.get("projects/listed").await.unwrap();
    assert_eq!(left.get("memberIds"), Some(&Value::Array(vec![text("vic")])));
    for deck in ["projects/d", "projects/owls"] {
        let found = world.get(deck).await.unwrap();
        for map in ["members", "people", "removed", "demoted"] {
            let Some(Value::Map(map)) = found.get(map) else { continue };
            assert!(!map.contains_key("eve"), "{deck}");
        }
    }
    assert_eq!(world.ids().await, [text("ann"), text("vic")]);
    assert_eq!(world.role("vic").await.as_deref(), Some("editor"));
    world.members.leave_all("eve").await.unwrap();
}

#[test]
fn requests_are_read_as_clients_send_them() {
    for sent in [
        json!({"ownerId": "ann", "deckId": "d", "role": "editor", "days": 7}),
        json!({"deckId": "d", "role": "editor", "days": 7}),
    ] {
        let request: invite::Request = serde_json::from_value(sent).unwrap();
        assert_eq!((request.role, request.email), (Role::Editor, None));
    }
    let unknown: Json = json!({"ownerId": "ann", "deckId": "d", "role": "king", "days": 7});
    assert!(serde_json::from_value::<invite::Request>(unknown).is_err());
}

#[tokio::test]
async fn a_project_has_no_more_members_than_its_owners_plan_holds() {
    let plan = Plan {
        id: "free".to_owned(),
        name: "Free".to_owned(),
        price: "0".to_owned(),
        includes: Vec::new(),
        limits: PlanLimits { members: Some(1), ..PlanLimits::default() },
        stripe_price: None,
    };
    let world = World::with(&[plan]).await;
    let invitation = world.invite("ann", Role::Viewer, None).await.unwrap();
    world.accept(&person("ben"), &invitation).await.unwrap();
    let full = world.accept(&person("cat"), &invitation).await.unwrap_err();
    assert_eq!(full.code(), Code::FailedPrecondition);
    // A member takes no further place, and inviting more fails at once.
    world.accept(&person("ben"), &invitation).await.unwrap();
    assert_eq!(world.invite("ann", Role::Viewer, None).await.unwrap_err().code(), Code::FailedPrecondition);
}

#[tokio::test]
async fn a_link_from_before_its_project_got_a_new_id_leads_to_it() {
    let world = World::new().await;
    world.set("projects/n", owned("bob", "Owls")).await;
    let renamed = Renamed { owner: "bob".to_owned(), from: "d".to_owned(), to: "n".to_owned() };
    let moved = Moved::new(&world.members.store, "demo");
    moved.commit(vec![Moved::record(Kind::Project, &renamed).unwrap()]).await.unwrap();
    let resolved = async |owner: Option<&str>, id: &str| {
        let deck = super::DeckName { owner_id: owner.map(str::to_owned), deck_id: id.to_owned() };
        let request = accept::Request { deck, invitation: "i".to_owned() };
        world.members.of_old_address(request).await.unwrap().deck.deck_id
    };
    assert_eq!(resolved(Some("bob"), "d").await, "n");
    assert_eq!(resolved(Some("ann"), "d").await, "d");
    assert_eq!(resolved(Some("bob"), "n").await, "n");
    assert_eq!(resolved(None, "d").await, "d");
    assert_eq!(resolved(Some("eve"), "d").await, "d");
}
