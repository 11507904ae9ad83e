//! Branches of random histories: projects that began as a version of another one.

use super::histories::{Place, of_a_version};
use super::*;

/// A project that began as a version of `p`.
#[derive(Debug)]
pub(super) struct Branch {
    pub(super) id: String,
    /// The version that it began as.
    pub(super) version: String,
    /// Its documents.
    documents: Documents,
    /// The documents that were there when each version of its own was made.
    made: BTreeMap<String, Documents>,
}

/// Writes one document of a project, or deletes it.
pub(super) async fn write(world: &World, project: &str, place: Place, value: Option<u8>) {
    let path = at(project, &place.path());
    let Some(value) = value else {
        if !matches!(place, Place::Name) {
            world.delete(&path).await;
        }
        return;
    };
    if matches!(place, Place::Name) {
        rename(world, project, &value.to_string()).await;
        return;
    }
    let url =
        format!("/v0/b/demo.appspot.com/o/projects%2F{project}%2Fimages%2F{value}.png?alt=media&token=t");
    let written = [
        ("name", text(&format!("{value}"))),
        ("shared", Value::Boolean(true)),
        ("file", text(&format!("projects/{project}/images/{value}.png"))),
        ("url", text(&url)),
    ];
    world.set(&path, fields(&written)).await;
}

/// Path of a document below a project; the project's own for the empty one.
fn at(project: &str, path: &str) -> String {
    format!("projects/{project}/{path}").trim_end_matches('/').to_owned()
}

/// Gives a project another name, and leaves what it began as.
async fn rename(world: &World, project: &str, name: &str) {
    let path = at(project, "");
    let from = world.get(&path).await.and_then(|mut there| there.remove("from"));
    let mut own = project_fields(name);
    own.extend(from.map(|from| ("from".to_owned(), from)));
    world.set(&path, own).await;
}

impl Branch {
    /// Begins one with the documents of a version, as clients write it.
    pub(super) async fn begin(world: &World, id: &str, version: &str, documents: Documents) -> Self {
        let from = Value::Map(fields(&[("project", text("p")), ("version", text(version))]));
        for (path, fields) in &documents {
            let mut fields = fields.clone();
            if path.is_empty() {
                let Some(Value::String(name)) = fields.get("name") else { panic!("{fields:?} has no name") };
                fields = project_fields(&name.clone());
                fields.insert("from".to_owned(), from.clone());
            }
            world.set(&at(id, path), fields).await;
        }
        let begun = world.compare_with(version, "now", Some(id)).await.unwrap();
        assert_eq!(changed(&begun), Vec::<&str>::new());
        Self { id: id.to_owned(), version: version.to_owned(), documents, made: BTreeMap::new() }
    }

    pub(super) async fn write(&mut self, world: &World, place: Place, value: Option<u8>) {
        write(world, &self.id, place, value).await;
        self.documents = of_a_version(world.below(&at(&self.id, "")).await);
    }

    pub(super) async fn freeze(&mut self, world: &World, member: &str) {
        let version = world.freeze_in(&self.id, member, "v").await.unwrap();
        self.made.insert(version, self.documents.clone());
    }

    /// Writes what it changed into the project, where that has not changed it.
    pub(super) async fn bring_back(&self, world: &World) {
        let theirs = world.compare_with(&self.version, "now", Some(&self.id)).await.unwrap();
        let mine = world.compare_with(&self.version, "now", None).await.unwrap();
        let kept = changed(&mine);
        let brought: Vec<&str> = changed(&theirs).into_iter().filter(|path| !kept.contains(path)).collect();
        for path in &brought {
            match self.documents.get(*path) {
                Some(fields) if path.is_empty() => {
                    let Some(Value::String(name)) = fields.get("name") else { panic!("{fields:?}") };
                    rename(world, "p", name).await;
                }
                Some(fields) => world.set(&at("p", path), fields.clone()).await,
                None => world.delete(&at("p", path)).await,
            }
        }
        let after = world.compare_with(&self.version, "now", None).await.unwrap();
        let both: Vec<&str> = changed(&after);
        // Changes of the project are as they were, and what came is as the branch has it.
        for before in &mine.changes {
            let now = after.changes.iter().find(|change| change.path == before.path).unwrap();
            assert_eq!(now.after, before.after);
        }
        for path in &brought {
            let of = |compared: &Compared| -> Option<serde_json::Value> {
                let change = compared.changes.iter().find(|change| change.path == *path)?;
                Some(json!(change.after))
            };
            assert_eq!(of(&after), of(&theirs), "{path}");
        }
        assert_eq!(both.len(), kept.len() + brought.len());
    }

    /// It has what was written in it alone, and its versions open equal to what they were made from.
    pub(super) async fn check(&self, world: &World) {
        let own = world.below(&at(&self.id, "")).await;
        assert_eq!(of_a_version(own), self.documents);
        for (version, before) in &self.made {
            world.pass(1);
            world.versions.close_unused().await.unwrap();
            let opened = world.open_in(&self.id, "vic", version).await.unwrap();
            let there = world.below(&at(&opened.project_id, "")).await;
            assert_eq!(&of_a_version(there), before);
        }
    }

    /// The project that it began in is gone: it goes on, and its versions leave nothing when they are deleted.
    pub(super) async fn end(&mut self, world: &World) {
        let refused = world.compare_with(&self.version, "now", Some(&self.id)).await;
        assert_eq!(refused.unwrap_err().code(), Code::NotFound);
        self.freeze(world, "ann").await;
        self.check(world).await;
        for version in std::mem::take(&mut self.made).into_keys() {
            world.remove_in(&self.id, &version).await.unwrap();
        }
        for collection in ["gameVersions", "versionObjects", "versionFiles"] {
            assert_eq!(world.ids_in(&self.id, collection).await, Vec::<String>::new(), "{collection}");
        }
    }
}

fn changed(compared: &Compared) -> Vec<&str> {
    compared.changes.iter().map(|change| change.path.as_str()).collect()
}
