//! Versions of which something is missing.

use super::*;

/// The object that has a text in it.
async fn object_with(world: &World, part: &str) -> String {
    let below = world.below("projects/p").await;
    let has = |fields: &Fields| matches!(fields.get("data"), Some(Value::Bytes(data)) if String::from_utf8_lossy(data).contains(part));
    below.into_iter().find(|(path, fields)| path.starts_with("versionObjects/") && has(fields)).unwrap().0
}

#[tokio::test]
async fn a_missing_or_damaged_document_is_named_and_nothing_else_is_lost() {
    for damage in [None, Some(Value::Bytes(bytes::Bytes::from_static(b"\x01other"))), Some(text("none"))] {
        let world = World::new().await;
        world.set("projects/p/components/c", fields(&[("name", text("Assets"))])).await;
        world.card("a", "Ash").await;
        world.card("b", "Birch").await;
        let version = world.freeze("v1").await;
        let object = format!("projects/p/{}", object_with(&world, "Ash").await);
        match &damage {
            None => world.delete(&object).await,
            Some(data) => world.set(&object, fields(&[("data", data.clone())])).await,
        }
        world.card("a", "Oak").await;
        world.card("b", "Beech").await;
        let opened = world.open("vic", &version).await.unwrap();
        assert_eq!(opened.damaged, ["components/c/cards/a"]);
        let there = world.below(&format!("projects/{}", opened.project_id)).await;
        assert!(there.contains_key("components/c/cards/b") && !there.contains_key("components/c/cards/a"));
        assert_eq!(world.open("vic", &version).await.unwrap().damaged, ["components/c/cards/a"]);

        let compared = world.compare(&version, "now").await.unwrap();
        assert_eq!(compared.damaged, ["components/c/cards/a"]);
        assert_eq!(compared.changes.len(), 1);

        let refused = world.restore(&version, None).await.unwrap_err();
        assert_eq!(refused.code(), Code::DataLoss);
        assert!(refused.inner().message().contains("components/c/cards/a"));
        assert!(refused.inner().message().contains("Nothing was restored"));
        assert_eq!(world.changed(&version, "now").await, ["components/c/cards/b"]);
        world.restore(&version, Some(&["components/c/cards/b"])).await.unwrap();
        assert_eq!(world.changed(&version, "now").await, Vec::<String>::new());

        // The same content, frozen again, mends it.
        world.card("a", "Ash").await;
        world.freeze("v2").await;
        world.restore(&version, None).await.unwrap();
        world.remove(&version).await.unwrap();
    }
}

#[tokio::test]
async fn while_the_list_of_a_version_is_damaged_nothing_is_freed_that_it_may_need() {
    let world = World::new().await;
    // More documents than a leaf has, so that a part of the list can be lost alone.
    for card in 0..200 {
        world.card(&format!("k{card}"), &format!("Card {card}")).await;
    }
    let version = world.freeze("v1").await;
    world.delete("projects/p/components/c/cards/k7").await;
    let other = world.freeze("v2").await;
    let node = format!("projects/p/{}", object_with(&world, "components/c/cards/k7").await);
    let lost = world.get(&node).await.unwrap();
    let card = object_with(&world, "Card 7").await;
    world.delete(&node).await;
    world.remove(&other).await.unwrap();
    assert!(world.get(&format!("projects/p/{card}")).await.is_some());
    // The list is brought back, from a backup.
    world.set(&node, lost).await;
    assert_eq!(world.open("vic", &version).await.unwrap().damaged, Vec::<String>::new());
    world.remove(&version).await.unwrap();
    assert_eq!(world.ids("versionObjects").await, Vec::<String>::new());
}

#[tokio::test]
async fn a_missing_list_is_said_and_other_versions_are_whole() {
    let world = World::new().await;
    world.card("a", "Ash").await;
    let version = world.freeze("v1").await;
    world.card("a", "Oak").await;
    let other = world.freeze("v2").await;
    let Value::String(root) =
        &world.get(&format!("projects/p/gameVersions/{version}")).await.unwrap()["root"]
    else {
        panic!("no root")
    };
    world.delete(&format!("projects/p/versionObjects/{root}")).await;
    for refused in [
        world.open("vic", &version).await.map(drop),
        world.compare(&version, &other).await.map(drop),
        world.restore(&version, None).await.map(drop),
    ] {
        let refused = refused.unwrap_err();
        assert_eq!(refused.code(), Code::DataLoss);
        assert!(refused.inner().message().starts_with("Version 1 “v1” is damaged"));
    }
    // Nothing is deleted for a list that nobody knows.
    world.restore(&version, Some(&["components"])).await.unwrap();
    assert!(world.get("projects/p/components/c/cards/a").await.is_some());
    assert_eq!(world.open("vic", &other).await.unwrap().damaged, Vec::<String>::new());
    world.remove(&version).await.unwrap();
    world.remove(&other).await.unwrap();
    let restored = world.ids("gameVersions").await;
    for version in &restored {
        world.remove(version).await.unwrap();
    }
    assert_eq!(world.ids("versionObjects").await, Vec::<String>::new());
}

#[tokio::test]
async fn a_turn_that_a_killed_server_had_is_over_when_the_server_starts_again() {
    let mut world = World::new().await;
    world.card("a", "Ash").await;
    let project = DocPath::parse("projects/p").unwrap();
    let mut cut_off = Turn::take(&world.versions, &project).await.unwrap();
    let elsewhere = Versions { turns: StripedLock::default(), ..world.versions.clone() };
    let began = world.versions.database.read_time();
    world.versions = Versions { turns: StripedLock::default(), began, ..world.versions };
    let version = world.freeze("v1").await;
    world.open("vic", &version).await.unwrap();
    // The cut-off turn writes nothing more.
    let late = Write::set(DocPath::parse("projects/p/notes/late").unwrap(), Fields::new());
    assert_eq!(cut_off.commit(vec![late]).await.unwrap_err().code(), Code::Aborted);
    assert_eq!(world.get("projects/p/notes/late").await, None);
    // A turn of another server that goes on is waited for.
    let _turn = Turn::take(&world.versions, &project).await.unwrap();
    tokio::time::pause();
    assert_eq!(Turn::take(&elsewhere, &project).await.unwrap_err().code(), Code::Aborted);
}
