//! Random histories of two members, against what was there when each version was made.

use std::path::Path;

use proptest::prelude::*;
use storage_emu::blobs::Blobs;

use super::branches::{Branch, write};
use super::*;
use crate::backup::{self, Order, Purpose, Source as Backed, Wanted, make_once, open_target};
use crate::schema::Schema;

/// One thing that somebody does.
#[derive(Debug, Clone)]
enum Act {
    /// Sets or deletes a document.
    Write(Place, Option<u8>),
    Freeze(bool),
    /// One member freezes while the other writes a document.
    FreezeWhile(Place, u8),
    /// Restores a version, all of it or a component.
    Restore(prop::sample::Index, bool),
    Open(prop::sample::Index),
    Delete(prop::sample::Index),
    /// Lets hours pass, and what is unused go.
    Pass(u16),
    /// Begins a branch as a version.
    Branch(prop::sample::Index),
    /// Sets or deletes a document of a branch.
    WriteInBranch(prop::sample::Index, Place, Option<u8>),
    /// Names a version of a branch.
    FreezeBranch(prop::sample::Index),
    /// Brings back what a branch changed and the project did not.
    BringBack(prop::sample::Index),
}

/// Most branches of a history.
const BRANCHES: usize = 4;

/// A document that is written.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    Card(u8),
    Component(u8),
    Layout(u8),
    Note,
    Image(u8),
    Font(u8),
    Preset(u8),
    /// A translation of the cards, or a part of it.
    Language(bool),
    Name,
}

impl Place {
    /// Its path below a project.
    pub(super) fn path(self) -> String {
        match self {
            Self::Card(no) => format!("components/{}/cards/k{no}", no % 3),
            Self::Component(no) => format!("components/{no}"),
            Self::Layout(no) => format!("layouts/l{no}"),
            Self::Note => "notes/main".to_owned(),
            Self::Image(no) => format!("images/i{no}"),
            Self::Font(no) => format!("fonts/f{no}"),
            Self::Preset(no) => format!("printPresets/s{no}"),
            Self::Language(false) => "languages/de".to_owned(),
            Self::Language(true) => "languages/de/parts/0".to_owned(),
            Self::Name => String::new(),
        }
    }
}

fn places() -> impl Strategy<Value = Place> {
    prop_oneof![
        6 => (0_u8..90).prop_map(Place::Card),
        1 => (0_u8..3).prop_map(Place::Component),
        1 => (0_u8..3).prop_map(Place::Layout),
        1 => Just(Place::Note),
        1 => (0_u8..3).prop_map(Place::Image),
        1 => (0_u8..2).prop_map(Place::Font),
        1 => (0_u8..2).prop_map(Place::Preset),
        1 => any::<bool>().prop_map(Place::Language),
        1 => Just(Place::Name),
    ]
}

fn acts() -> impl Strategy<Value = Act> {
    let index = || any::<prop::sample::Index>();
    prop_oneof![
        12 => (places(), prop::option::weighted(0.8, 0_u8..4)).prop_map(|(place, value)| Act::Write(place, value)),
        4 => any::<bool>().prop_map(Act::Freeze),
        2 => (places(), 0_u8..4).prop_map(|(place, value)| Act::FreezeWhile(place, value)),
        2 => (index(), any::<bool>()).prop_map(|(which, all)| Act::Restore(which, all)),
        2 => index().prop_map(Act::Open),
        1 => index().prop_map(Act::Delete),
        1 => (0_u16..2_000).prop_map(Act::Pass),
        1 => index().prop_map(Act::Branch),
        3 => (index(), places(), prop::option::weighted(0.8, 0_u8..4))
            .prop_map(|(which, place, value)| Act::WriteInBranch(which, place, value)),
        1 => index().prop_map(Act::FreezeBranch),
        2 => index().prop_map(Act::BringBack),
    ]
}

struct History {
    world: World,
    /// The documents that were there when each version was made.
    made: BTreeMap<String, Documents>,
    branches: Vec<Branch>,
    turn: usize,
}

/// A branch, if there is one.
fn one_of<'a>(branches: &'a mut [Branch], which: &prop::sample::Index) -> Option<&'a mut Branch> {
    let at = (!branches.is_empty()).then(|| which.index(branches.len()))?;
    branches.get_mut(at)
}

/// Collections of a project that a history writes in; the empty name stands for its own document.
const HELD: [&str; 8] =
    ["", "components", "layouts", "images", "fonts", "notes", "printPresets", "languages"];

/// The documents that a version is of: the parts of a project, and of its own document what describes it.
pub(super) fn of_a_version(all: Documents) -> Documents {
    let is_held = |path: &str| HELD.contains(&path.split('/').next().unwrap_or_default());
    let content = |(path, mut fields): (String, Fields)| {
        if path.is_empty() {
            fields.retain(|name, _| name == "name");
        }
        if path.starts_with("layouts/") {
            fields.remove("shared");
        }
        (path, fields)
    };
    all.into_iter().filter(|(path, _)| is_held(path)).map(content).collect()
}

fn engine(data: &Path) -> EngineOptions {
    EngineOptions::disk(data.join("documents"))
}

fn blobs(data: &Path) -> BlobOptions {
    BlobOptions::Folder(data.join("files"))
}

/// Documents without what a restore writes anew.
fn said(mut documents: Documents) -> Documents {
    for fields in documents.values_mut() {
        fields.retain(|name, _| !["revision", "updatedAt"].contains(&name.as_str()));
    }
    documents
}

impl History {
    async fn new() -> Self {
        Self { world: World::new().await, made: BTreeMap::new(), branches: Vec::new(), turn: 0 }
    }

    /// One whose documents and files lie in a folder.
    async fn on(data: &Path) -> Self {
        let clock = Arc::new(ManualClock::new(Ts::from_micros(BEGINNING)));
        let world = World::open_at(engine(data), blobs(data), clock, 1).await;
        world.set("projects/p", project_fields("Ironsworn")).await;
        Self { world, made: BTreeMap::new(), branches: Vec::new(), turn: 0 }
    }

    /// The same history on what a backup of its folder brings back to another one.
    async fn backed_up(self, data: &Path, backups: &Path, other: &Path) -> Self {
        let Self { world, made, branches, turn } = self;
        let clock = Arc::clone(&world.clock);
        let shared: docstore::clock::SharedClock = Arc::<ManualClock>::clone(&clock);
        let source = Backed {
            store: world.versions.store.clone(),
            blobs: Blobs::open(&blobs(data), Arc::clone(&shared)).unwrap(),
            data: data.to_owned(),
            project: "demo".to_owned(),
            clock: Arc::clone(&shared),
        };
        make_once(source, Order { folder: backups.to_owned(), keep: None, key: None }).await.unwrap();
        let target = open_target(backups, Purpose::Read, None).unwrap();
        let manifest = backup::chosen(&*target, None).unwrap();
        let store = StoreOptions { engine: engine(other), clock: shared, limits: Limits::default() };
        let wanted = Wanted {
            target,
            manifest,
            data: other.to_owned(),
            documents: other.join("documents"),
            store,
            blobs: blobs(other),
            blobs_empty: false,
            log: None,
        };
        backup::restore(wanted).await.unwrap();
        let world = World::open_at(engine(other), blobs(other), clock, 2).await;
        Self { world, made, branches, turn }
    }

    async fn present(&self) -> Documents {
        of_a_version(self.world.below("projects/p").await)
    }

    fn chosen(&self, which: &prop::sample::Index) -> Option<String> {
        let all: Vec<&String> = self.made.keys().collect();
        (!all.is_empty()).then(|| (*which.get(&all)).clone())
    }

    /// The member who acts next, of the two.
    fn member(&mut self) -> &'static str {
        self.turn += 1;
        ["ann", "eve"][self.turn % 2]
    }

    async fn act(&mut self, act: &Act) {
        let member = self.member();
        match act {
            Act::Write(place, value) => self.write(*place, *value).await,
            Act::Freeze(true) => {
                let before = self.present().await;
                let version = self.world.freeze_as(member, "v").await.unwrap();
                self.made.insert(version, before);
            }
            Act::Freeze(false) => {
                let before = self.present().await;
                let (version, unchanged) = self.world.freeze_daily().await;
                if !unchanged {
                    self.made.insert(version, before);
                } else {
                    assert_eq!(self.made[&version], before);
                }
                self.forget_thinned().await;
            }
            Act::FreezeWhile(place, value) => {
                let before = self.present().await;
                let (version, ()) =
                    tokio::join!(self.world.freeze_as(member, "v"), self.write(*place, Some(*value)));
                let version = version.unwrap();
                let after = self.present().await;
                // It is of the moment before that write, or of the one after.
                let opened = self.opened(&version).await;
                assert!(opened == before || opened == after, "{opened:?}");
                self.made.insert(version, opened);
            }
            Act::Restore(which, all) => {
                let Some(version) = self.chosen(which) else { return };
                let before = self.present().await;
                let paths: &[&str] = &["components/1"];
                let restored = self.world.restore(&version, (!all).then_some(paths)).await.unwrap();
                self.made.entry(restored.frozen).or_insert_with(|| before.clone());
                let is_restored = |path: &str| *all || path == paths[0] || path.starts_with("components/1/");
                let part = |documents: &Documents, restored: bool| -> Documents {
                    let some = documents.iter().filter(|(path, _)| is_restored(path) == restored);
                    some.map(|(path, fields)| (path.clone(), fields.clone())).collect()
                };
                let after = self.present().await;
                assert_eq!(said(part(&after, true)), said(part(&self.made[&version], true)));
                assert_eq!(part(&after, false), part(&before, false));
                self.forget_thinned().await;
            }
            Act::Open(which) => {
                if let Some(version) = self.chosen(which)
                    && let Err(refused) = self.world.open(member, &version).await
                {
                    assert_eq!(refused.code(), Code::ResourceExhausted);
                }
            }
            Act::Delete(which) => {
                let Some(version) = self.chosen(which) else { return };
                self.world.remove(&version).await.unwrap();
                self.made.remove(&version);
            }
            Act::Pass(hours) => {
                self.world.pass((*hours).into());
                self.world.versions.close_unused().await.unwrap();
            }
            Act::Branch(which) => {
                let Some(version) = self.chosen(which) else { return };
                if self.branches.len() < BRANCHES {
                    let documents = self.opened(&version).await;
                    let id = format!("b{}", self.branches.len());
                    self.branches.push(Branch::begin(&self.world, &id, &version, documents).await);
                }
            }
            Act::WriteInBranch(which, place, value) => {
                if let Some(branch) = one_of(&mut self.branches, which) {
                    branch.write(&self.world, *place, *value).await;
                }
            }
            Act::FreezeBranch(which) => {
                if let Some(branch) = one_of(&mut self.branches, which) {
                    branch.freeze(&self.world, member).await;
                }
            }
            Act::BringBack(which) => self.bring_back(which).await,
        }
    }

    /// The project is frozen as it is, then gets what the branch alone changed.
    async fn bring_back(&mut self, which: &prop::sample::Index) {
        let Some(branch) = one_of(&mut self.branches, which) else { return };
        if !self.made.contains_key(&branch.version) {
            // The version that it began as was deleted: what the branch changed since cannot be told any more.
            let refused = self.world.compare_with(&branch.version, "now", Some(&branch.id)).await;
            assert_eq!(refused.unwrap_err().code(), Code::NotFound);
            return;
        }
        let before = of_a_version(self.world.below("projects/p").await);
        let (version, unchanged) = self.world.freeze_daily().await;
        let known = self.made.insert(version, before.clone());
        assert!(!unchanged || known.as_ref() == Some(&before));
        // An old automatic version may be gone now, the one that the branch began as among them.
        self.forget_thinned().await;
        let branch = one_of(&mut self.branches, which).unwrap();
        if self.made.contains_key(&branch.version) {
            branch.bring_back(&self.world).await;
        }
    }

    async fn write(&self, place: Place, value: Option<u8>) {
        write(&self.world, "p", place, value).await;
    }

    /// Automatic versions that were too many are gone, and no named one.
    async fn forget_thinned(&mut self) {
        let there = self.world.ids("gameVersions").await;
        self.made.retain(|version, _| there.contains(version));
        assert_eq!(self.made.len(), there.len());
    }

    /// The documents of an opened version.
    async fn opened(&self, version: &str) -> Documents {
        self.world.pass(1);
        self.world.versions.close_unused().await.unwrap();
        let opened = self.world.open("vic", version).await.unwrap();
        assert_eq!(opened.damaged, Vec::<String>::new());
        let mut there = self.world.below(&format!("projects/{}", opened.project_id)).await;
        for fields in there.values_mut().filter(|fields| fields.contains_key("frozenOf")) {
            fields.retain(|name, _| name == "name");
        }
        there
    }

    /// Every version opens equal to what it was made from, and nothing is stored beside what they need.
    async fn check(&self) {
        for (version, before) in &self.made {
            assert_eq!(&self.opened(version).await, before);
        }
        for branch in &self.branches {
            branch.check(&self.world).await;
        }
    }

    /// After all versions were deleted nothing of them is left.
    async fn end(mut self) {
        while let Some(version) = self.made.keys().next().cloned() {
            self.world.remove(&version).await.unwrap();
            self.made.remove(&version);
        }
        for collection in ["gameVersions", "versionObjects", "versionFiles"] {
            assert_eq!(self.world.ids(collection).await, Vec::<String>::new(), "{collection}");
        }
        // A branch goes on without the project that it began in.
        for path in self.world.below("projects/p").await.into_keys() {
            let path = format!("projects/p/{path}");
            self.world.delete(path.trim_end_matches('/')).await;
        }
        for branch in &mut self.branches {
            branch.end(&self.world).await;
        }
        let opened = project::all_opened(&self.world.versions.database, &[]).await.unwrap();
        assert_eq!(opened.len(), 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn every_version_opens_equal_to_what_it_was_frozen_from(acts in prop::collection::vec(acts(), 1..60)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut history = History::new().await;
            for act in &acts {
                history.act(act).await;
            }
            history.check().await;
            history.end().await;
        });
    }
}

proptest! {
    // On a disk, each of these waits for it.
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn every_version_survives_a_backup_and_goes_on_from_there(
        before in prop::collection::vec(acts(), 1..25),
        after in prop::collection::vec(acts(), 0..8),
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(async {
            let [data, backups, other] = [(); 3].map(|()| tempfile::tempdir().unwrap());
            let mut history = History::on(data.path()).await;
            for act in &before {
                history.act(act).await;
            }
            let mut history = history.backed_up(data.path(), backups.path(), other.path()).await;
            history.check().await;
            for act in &after {
                history.act(act).await;
            }
            history.check().await;
            history.end().await;
        });
    }

    #[test]
    fn every_version_survives_all_upgrades_of_the_documents(acts in prop::collection::vec(acts(), 1..25)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut history = History::new().await;
            for act in &acts {
                history.act(act).await;
            }
            // Without a mark the documents are taken for those of the first version.
            let schema = Schema::new(&history.world.versions.store, "demo").unwrap();
            schema.upgrade().await.unwrap();
            prop_assert!(schema.is_marked().await.unwrap());
            history.check().await;
            history.end().await;
            Ok(())
        })?;
    }
}
