//! Tests of offers: who may do what, races, and what time does.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use auth_emu::{AuthOptions, AuthState};
use docstore::Code;
use docstore::access::{Caller, CommitHook, Mode};
use docstore::clock::ManualClock;
use docstore::commit::Draft;
use docstore::model::{DocPath, Fields, Ts, Value, Write};
use docstore::store::{EngineOptions, Limits, Store, StoreOptions};
use futures::future::join;
use serde_json::json;
use storage_emu::{BlobOptions, OwnSubtree, StorageOptions, StorageState};

use super::super::{Person, text, text_of};
use super::{Answer, OFFER_DAYS, OfferParts, Offering, Offers, Outcome};
use crate::functions::callable::{AuthContext, CallError};
use crate::host::config::{Plan, PlanLimits};
use crate::product::plans::{PlanHook, Plans};
use crate::product::tables::playtests;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

struct World {
    offers: Offers,
    clock: Arc<ManualClock>,
}

fn person(uid: &str) -> Person {
    let token =
        json!({"name": uid.to_uppercase(), "email": format!("{uid}@example.com"), "email_verified": true});
    Person::of(&AuthContext { uid: uid.to_owned(), token })
}

impl World {
    async fn new() -> Self {
        Self::with(&[]).await
    }

    /// The project `d` of Ann with the editors Ben and Cat.
    async fn with(plans: &[Plan]) -> Self {
        let clock = Arc::new(ManualClock::new(Ts::from_micros(1_700_000_000_000_000)));
        let options =
            StoreOptions { engine: EngineOptions::Memory, clock: clock.clone(), limits: Limits::default() };
        let store = Store::open(options).await.unwrap();
        let mut options = AuthOptions::new(store.clone(), "demo", Mode::Serving, "http://localhost");
        options.clock = clock.clone();
        let accounts = AuthState::new(options).await.unwrap();
        let files = StorageState::new(StorageOptions {
            store: store.clone(),
            project: "demo".to_owned(),
            mode: Mode::Serving,
            clock: clock.clone(),
            blobs: BlobOptions::Memory,
            authenticator: Arc::new(Caller::Anonymous),
            access: Arc::new(OwnSubtree),
            limits: storage_emu::Limits::default(),
            active_svg: false,
            quotas: None,
        });
        let plans = Plans::new(&store, "demo", plans);
        let room: Arc<dyn CommitHook> = Arc::new(PlanHook::new(plans.clone()));
        let offers = Offers::new(OfferParts {
            store: &store,
            accounts: &accounts,
            files: &files.unwrap(),
            plans: &plans,
            live: &playtests::live_tables(&store),
            mailer: None,
            url: "https://cards.example",
            room: Some(&room),
        });
        let world = Self { offers, clock };
        world.put_project("d").await;
        world
    }

    async fn put_project(&self, id: &str) {
        self.put_project_of("ann", id).await;
    }

    async fn put_project_of(&self, owner: &str, id: &str) {
        let members = [(owner, "owner"), ("ben", "editor"), ("cat", "editor")];
        let fields = Fields::from([
            ("name".to_owned(), text("Foxes")),
            ("owner".to_owned(), text(owner)),
            ("memberIds".to_owned(), Value::Array(members.iter().map(|(uid, _)| text(uid)).collect())),
            (
                "members".to_owned(),
                Value::Map(members.iter().map(|(uid, role)| ((*uid).to_owned(), text(role))).collect()),
            ),
        ]);
        self.set(&format!("projects/{id}"), fields).await;
    }

    async fn set(&self, path: &str, fields: Fields) {
        let write = Write::set(DocPath::parse(path).unwrap(), fields);
        self.offers.members.database.commit(Draft::of(vec![write])).await.unwrap();
    }

    async fn get(&self, path: &str) -> Option<Fields> {
        let found = self.offers.members.database.get(&[DocPath::parse(path).unwrap()], None).await.unwrap();
        found.value.into_iter().flatten().next().map(|document| document.fields)
    }

    async fn offer(&self, by: &str, uid: &str) -> Result<(), CallError> {
        let request = Offering { project_id: "d".to_owned(), uid: uid.to_owned() };
        self.offers.offer(&person(by), &request).await.map(drop)
    }

    async fn answer(&self, by: &str, accept: bool) -> Result<&'static str, CallError> {
        let request = Answer { project_id: "d".to_owned(), accept };
        self.offers.answer(&person(by), &request).await.map(|answered| answered.role)
    }

    async fn remove(&self, uid: &str) -> Result<(), CallError> {
        let request = json!({"deckId": "d", "uid": uid});
        self.offers.members.change(&person("ann"), &serde_json::from_value(request).unwrap()).await
    }

    async fn owner(&self) -> Option<String> {
        text_of(&self.get("projects/d").await?, "owner")
    }

    async fn role(&self, uid: &str) -> Option<String> {
        match self.get("projects/d").await?.get("members") {
            Some(Value::Map(members)) => text_of(members, uid),
            _ => None,
        }
    }
}

fn code<T: std::fmt::Debug>(outcome: Result<T, CallError>) -> Code {
    outcome.unwrap_err().code()
}

#[tokio::test]
async fn an_accepted_project_is_the_members_and_its_former_owner_edits() {
    let world = World::new().await;
    let table = [("projectId", "d"), ("ownerId", "ann")].map(|(name, of)| (name.to_owned(), text(of)));
    world.set("playtests/t", table.into()).await;
    let made = [("invitedById", "ann"), ("ownerId", "ann")].map(|(name, of)| (name.to_owned(), text(of)));
    world.set("projects/d/invitations/i", made.into()).await;
    world.offer("ann", "ben").await.unwrap();
    assert_eq!(world.answer("ben", true).await.unwrap(), "owner");
    let roles = (world.role("ann").await, world.role("ben").await, world.role("cat").await);
    assert_eq!(roles, (Some("editor".into()), Some("owner".into()), Some("editor".into())));
    assert_eq!(world.owner().await.as_deref(), Some("ben"));
    let table = world.get("playtests/t").await.unwrap();
    assert_eq!(text_of(&table, "ownerId").as_deref(), Some("ben"));
    assert_eq!((world.get("offers/d").await, world.get("projects/d/invitations/i").await), (None, None));
    // Once is enough, and the former owner has nothing more to give.
    assert_eq!(code(world.answer("ben", true).await), Code::FailedPrecondition);
    assert_eq!(code(world.offer("ann", "cat").await), Code::PermissionDenied);
    // The note goes when no upload from before can come any more.
    world.offers.sweep().await.unwrap();
    assert!(world.get("handovers/d").await.is_some());
    world.clock.advance(DAY);
    world.offers.sweep().await.unwrap();
    assert_eq!(world.get("handovers/d").await, None);
}

#[tokio::test]
async fn only_the_owner_offers_and_only_the_offered_answers() {
    let world = World::new().await;
    for stranger in ["eve", "ben"] {
        assert_eq!(code(world.offer(stranger, "cat").await), Code::PermissionDenied);
        assert_eq!(code(world.offers.withdraw(&person(stranger), "d").await), Code::PermissionDenied);
    }
    assert_eq!(code(world.offer("ann", "eve").await), Code::NotFound);
    assert_eq!(code(world.offer("ann", "ann").await), Code::InvalidArgument);
    world.offer("ann", "ben").await.unwrap();
    assert_eq!(code(world.offer("ann", "cat").await), Code::FailedPrecondition);
    for (other, accept) in [("cat", true), ("cat", false), ("eve", true), ("ann", true)] {
        assert_eq!(code(world.answer(other, accept).await), Code::FailedPrecondition);
    }
    world.answer("ben", false).await.unwrap();
    world.offer("ann", "cat").await.unwrap();
    assert!(world.offers.withdraw(&person("ann"), "d").await.unwrap().withdrawn);
    assert_eq!(code(world.answer("cat", true).await), Code::FailedPrecondition);
    assert_eq!(world.owner().await.as_deref(), Some("ann"));
}

#[tokio::test]
async fn who_left_or_comes_too_late_gets_nothing() {
    let world = World::new().await;
    world.offer("ann", "ben").await.unwrap();
    world.remove("ben").await.unwrap();
    assert_eq!(world.get("offers/d").await, None);
    assert_eq!(code(world.answer("ben", true).await), Code::FailedPrecondition);
    world.offer("ann", "cat").await.unwrap();
    let offer = world.get("offers/d").await.unwrap();
    world.remove("cat").await.unwrap();
    // Even where the offer stayed.
    world.set("offers/d", offer).await;
    assert_eq!(code(world.answer("cat", true).await), Code::PermissionDenied);
    let world = World::new().await;
    world.offer("ann", "ben").await.unwrap();
    world.clock.advance(DAY * u32::try_from(OFFER_DAYS).unwrap());
    assert_eq!(code(world.answer("ben", true).await), Code::FailedPrecondition);
    world.offers.sweep().await.unwrap();
    assert_eq!((world.get("offers/d").await, world.owner().await.as_deref()), (None, Some("ann")));
}

#[tokio::test]
async fn of_acceptance_and_withdrawal_or_removal_one_wins_whole() {
    for round in 0..12 {
        let world = World::new().await;
        world.offer("ann", "ben").await.unwrap();
        let ann = person("ann");
        let other = async {
            match round % 3 {
                0 => world.offers.withdraw(&ann, "d").await.map(drop),
                1 => world.remove("ben").await,
                _ => world.answer("ben", true).await.map(drop),
            }
        };
        let (accepted, _) = join(world.answer("ben", true), other).await;
        let owner = world.owner().await.unwrap();
        assert_eq!(world.role(&owner).await.as_deref(), Some("owner"));
        if accepted.is_ok() {
            assert_eq!((owner.as_str(), world.role("ann").await.as_deref()), ("ben", Some("editor")));
        }
        assert_eq!(world.get("offers/d").await, None);
    }
}

#[tokio::test]
async fn a_project_that_does_not_fit_stays_where_it_is() {
    let limits = PlanLimits { projects: Some(5), layouts: Some(1), ..PlanLimits::default() };
    let plan = Plan {
        limits,
        ..serde_json::from_value(json!({"id": "small", "name": "Small", "price": "free"})).unwrap()
    };
    let world = World::with(&[plan]).await;
    world.set("projects/d/layouts/a", Fields::new()).await;
    world.set("projects/d/layouts/b", Fields::new()).await;
    world.offer("ann", "ben").await.unwrap();
    let refused = world.answer("ben", true).await.unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert!(refused.inner().message().contains("1 layout"), "{refused:?}");
    assert_eq!(world.owner().await.as_deref(), Some("ann"));
    assert!(world.get("offers/d").await.is_some());
    world
        .offers
        .members
        .database
        .commit(Draft::of(vec![Write::delete(DocPath::parse("projects/d/layouts/b").unwrap())]))
        .await
        .unwrap();
    assert_eq!(world.answer("ben", true).await.unwrap(), "owner");
}

#[tokio::test]
async fn projects_of_a_deleted_account_wait_for_their_taker_and_go_then() {
    let world = World::new().await;
    world.put_project("e").await;
    let ann = person("ann");
    let outcome = |id: &str, outcome: Outcome| (id.to_owned(), outcome);
    let undecided = BTreeMap::from([outcome("d", Outcome::OfferTo("ben".into()))]);
    assert_eq!(code(world.offers.close(&ann, &undecided).await), Code::FailedPrecondition);
    assert_eq!(world.get("offers/d").await, None);
    // One that cannot be offered takes the other offers back.
    let wrong = BTreeMap::from([
        outcome("d", Outcome::OfferTo("ben".into())),
        outcome("e", Outcome::OfferTo("eve".into())),
    ]);
    assert_eq!(code(world.offers.close(&ann, &wrong).await), Code::NotFound);
    assert_eq!(world.get("offers/d").await, None);
    let right = BTreeMap::from([
        outcome("d", Outcome::OfferTo("ben".into())),
        outcome("e", Outcome::OfferTo("cat".into())),
    ]);
    world.offers.close(&ann, &right).await.unwrap();
    world.offers.members.leave_all("ann").await.unwrap();
    assert_eq!(world.offers.closing_of("ann").await.unwrap().len(), 2);
    assert!(world.get("projects/d").await.is_some());
    // A declined offer is passed on; the last of them can still take it.
    world.answer("ben", false).await.unwrap();
    assert_eq!(code(world.answer("ben", true).await), Code::FailedPrecondition);
    world.answer("cat", false).await.unwrap();
    let offer = world.get("offers/d").await.unwrap();
    assert_eq!(text_of(&offer, "to").as_deref(), Some("cat"));
    world.clock.advance(DAY * 24);
    world.offers.sweep().await.unwrap();
    let offer = world.get("offers/d").await.unwrap();
    assert_eq!(offer.get("reminded"), Some(&Value::Boolean(true)));
    assert_eq!(world.answer("cat", true).await.unwrap(), "owner");
    assert_eq!((world.role("ann").await, world.owner().await.as_deref()), (None, Some("cat")));
    world.clock.advance(DAY * 7);
    world.offers.sweep().await.unwrap();
    assert_eq!((world.get("projects/e").await, world.get("offers/e").await), (None, None));
    assert_eq!(world.owner().await.as_deref(), Some("cat"));
}

#[tokio::test]
async fn an_offer_goes_with_its_project() {
    let world = World::new().await;
    world.offer("ann", "ben").await.unwrap();
    let path = DocPath::parse("projects/d").unwrap();
    let (accepted, deleted) = join(world.answer("ben", true), world.offers.parts.delete(&path)).await;
    deleted.unwrap();
    drop(accepted);
    assert_eq!((world.get("projects/d").await, world.get("offers/d").await), (None, None));
    assert_eq!(code(world.answer("ben", true).await), Code::FailedPrecondition);
}

#[tokio::test]
async fn who_leaves_passes_a_closing_offer_on() {
    let world = World::new().await;
    let outcomes = BTreeMap::from([("d".to_owned(), Outcome::OfferTo("cat".into()))]);
    world.offers.close(&person("ann"), &outcomes).await.unwrap();
    world.offers.members.leave_all("ann").await.unwrap();
    world.offers.members.leave_all("cat").await.unwrap();
    assert_eq!(code(world.answer("cat", true).await), Code::FailedPrecondition);
    assert_eq!(world.answer("ben", true).await.unwrap(), "owner");
    assert_eq!(world.owner().await.as_deref(), Some("ben"));
}

#[tokio::test]
async fn a_deletion_that_stopped_costs_no_project() {
    let world = World::new().await;
    let ann = world.offers.accounts.create_with_claim("Ann", "tester").await.unwrap();
    world.put_project_of(&ann, "d").await;
    let outcomes = BTreeMap::from([("d".to_owned(), Outcome::OfferTo("ben".into()))]);
    world.offers.close(&person(&ann), &outcomes).await.unwrap();
    world.clock.advance(DAY * 31);
    world.offers.sweep().await.unwrap();
    assert_eq!((world.owner().await, world.get("offers/d").await), (Some(ann.clone()), None));
    world.offers.close(&person(&ann), &outcomes).await.unwrap();
    world.answer("ben", true).await.unwrap();
    let roles = (world.owner().await, world.role(&ann).await);
    assert_eq!(roles, (Some("ben".to_owned()), Some("editor".to_owned())));
}

#[tokio::test]
async fn nobody_accepts_a_project_that_goes_with_its_account() {
    let world = World::new().await;
    world.offer("ann", "ben").await.unwrap();
    let outcomes = BTreeMap::from([("d".to_owned(), Outcome::Delete)]);
    world.offers.close(&person("ann"), &outcomes).await.unwrap();
    assert_eq!(code(world.answer("ben", true).await), Code::FailedPrecondition);
    assert_eq!(world.owner().await.as_deref(), Some("ann"));
}

#[tokio::test]
async fn an_interrupted_deletion_of_a_project_is_taken_up_again() {
    let world = World::new().await;
    let outcomes = BTreeMap::from([("d".to_owned(), Outcome::OfferTo("ben".into()))]);
    world.offers.close(&person("ann"), &outcomes).await.unwrap();
    let offer = world.get("offers/d").await.unwrap();
    let ended = Fields::from([("ended".to_owned(), Value::Boolean(true))]);
    world.clock.advance(DAY * 31);
    // Stopped before anything of the project went, and after all of it had gone.
    for gone in [false, true] {
        world.set("offers/d", offer.clone().into_iter().chain(ended.clone()).collect()).await;
        assert_eq!(world.get("projects/d").await.is_none(), gone);
        assert_eq!(code(world.answer("ben", true).await), Code::FailedPrecondition);
        world.offers.sweep().await.unwrap();
        assert_eq!((world.get("projects/d").await, world.get("offers/d").await), (None, None));
    }
}
