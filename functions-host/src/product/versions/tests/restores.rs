//! Restoring a card, a component, a rulebook or all.

use serde_json::json;

use super::*;

async fn world() -> World {
    let world = World::new().await;
    for component in ["c", "d"] {
        world.set(&format!("projects/p/components/{component}"), fields(&[("name", text(component))])).await;
    }
    for card in ["a", "b", "e"] {
        world.card(card, card).await;
    }
    let layout = [("name", text("Front")), ("revision", Value::Integer(4)), ("shared", Value::Boolean(true))];
    world.set("projects/p/layouts/l", fields(&layout)).await;
    world
}

#[tokio::test]
async fn after_one_card_was_restored_the_comparison_lists_exactly_the_rest() {
    let world = world().await;
    let version = world.freeze("v1").await;
    world.card("a", "other").await;
    world.card("b", "other").await;
    world.card("new", "new").await;
    world.delete("projects/p/components/c/cards/e").await;
    world
        .set("projects/p/layouts/l", fields(&[("name", text("Other")), ("revision", Value::Integer(9))]))
        .await;
    let cards = ["a", "b", "e", "new"].map(|card| format!("components/c/cards/{card}"));
    let mut all = cards.to_vec();
    all.push("layouts/l".to_owned());
    assert_eq!(world.changed(&version, "now").await, all);
    let context = world.compare(&version, "now").await.unwrap().context;
    let [around] = context.as_slice() else { panic!("{context:?}") };
    assert_eq!((around.path.as_str(), &around.value), ("components/c", &json!({"name": "c"})));
    let restored = world.restore(&version, Some(&["components/c/cards/a"])).await.unwrap();
    assert_eq!((restored.changed, restored.rulebooks.len()), (1, 0));
    assert_eq!(world.changed(&version, "now").await, all[1..]);
    assert_eq!(world.changed(&restored.frozen, "now").await, [cards[0].clone()], "today was frozen first");
    // Below a path, not beside it: `components/c/cards/e` does not name `components/c/cards/ee`.
    world.card("ee", "stays").await;
    world.restore(&version, Some(&["components/c/cards/e"])).await.unwrap();
    assert!(world.get("projects/p/components/c/cards/ee").await.is_some());
    let undone = world.restore(&version, None).await.unwrap();
    assert_eq!(undone.changed, 4);
    assert_eq!(world.changed(&version, "now").await, Vec::<String>::new());
    let layout = world.get("projects/p/layouts/l").await.unwrap();
    assert_eq!(layout["revision"], Value::Integer(10), "editors take it for news");
    assert_eq!(layout.get("shared"), None, "what was closed since stays closed");
    let again = world.restore(&undone.frozen, None).await.unwrap();
    assert_eq!(again.changed, 4, "a restore is restored");
    let nothing = world.restore(&undone.frozen, None).await.unwrap();
    assert_eq!(nothing.changed, 0, "the layout has another revision, and says the same");
}

#[tokio::test]
async fn the_projects_own_document_keeps_its_members() {
    let world = world().await;
    let version = world.freeze("v1").await;
    let mut own = world.get("projects/p").await.unwrap();
    own.insert("name".to_owned(), text("Renamed"));
    own.insert("description".to_owned(), text("More"));
    world.set("projects/p", own.clone()).await;
    assert_eq!(world.changed(&version, "now").await, [""]);
    world.restore(&version, Some(&[""])).await.unwrap();
    let after = world.get("projects/p").await.unwrap();
    assert_eq!((&after["name"], after.get("description")), (&text("Ironsworn"), None));
    assert_eq!((&after["members"], &after["owner"]), (&own["members"], &own["owner"]));
}

fn rulebook(title: &str, head: i64) -> Fields {
    fields(&[("title", text(title)), ("head", Value::Integer(head)), ("deletedAt", Value::Integer(0))])
}

#[tokio::test]
async fn the_text_of_a_rulebook_is_told_whole_and_left_to_the_client() {
    let world = world().await;
    let step = |number: i64| format!("projects/p/rulebooks/r/steps/{number:09}");
    world.set("projects/p/rulebooks/r", rulebook("Rules", 4)).await;
    for number in 1..=4 {
        world.set(&step(number), fields(&[("s", text(&format!("[{number}]")))])).await;
    }
    for number in [1, 2] {
        world
            .set(&format!("projects/p/rulebooks/r/versions/{number:09}"), fields(&[("doc", text("{}"))]))
            .await;
    }
    let version = world.freeze("v1").await;
    let opened = world.open("vic", &version).await.unwrap().project_id;
    let there = world.below(&format!("projects/{opened}/rulebooks/r")).await;
    let held: Vec<&String> = there.keys().filter(|path| !path.is_empty()).collect();
    assert_eq!(
        held,
        ["steps/000000003", "steps/000000004", "versions/000000002"],
        "the newest text and what follows"
    );

    world.set("projects/p/rulebooks/r", rulebook("Better rules", 5)).await;
    world.set(&step(5), fields(&[("s", text("[5]"))])).await;
    let compared = world.compare(&version, "now").await.unwrap();
    let told: Vec<&str> = compared.changes.iter().map(|change| change.path.as_str()).collect();
    let text_paths = ["steps/000000003", "steps/000000004", "steps/000000005", "versions/000000002"];
    let expected: Vec<String> = std::iter::once("rulebooks/r".to_owned())
        .chain(text_paths.map(|path| format!("rulebooks/r/{path}")))
        .collect();
    assert_eq!(told, expected);
    assert_eq!(compared.changes[1].before, compared.changes[1].after);

    let restored = world.restore(&version, None).await.unwrap();
    assert_eq!((restored.changed, restored.rulebooks), (1, vec!["r".to_owned()]));
    let after = world.get("projects/p/rulebooks/r").await.unwrap();
    assert_eq!((&after["title"], &after["head"]), (&text("Rules"), &Value::Integer(5)));
    assert!(world.get(&step(5)).await.is_some());
}

#[tokio::test]
async fn rulebooks_that_a_version_has_not_are_put_away_with_their_link_and_brought_back() {
    let world = world().await;
    let version = world.freeze("v1").await;
    for (link, project) in [("own", "p"), ("foreign", "q")] {
        world.set(&format!("shares/{link}"), fields(&[("projectId", text(project))])).await;
        let mut new = rulebook(link, 1);
        new.insert("link".to_owned(), text(link));
        world.set(&format!("projects/p/rulebooks/{link}"), new).await;
        world
            .set(&format!("projects/p/rulebooks/{link}/steps/000000001"), fields(&[("s", text("[]"))]))
            .await;
    }
    let later = world.freeze("v2").await;
    world.restore(&version, None).await.unwrap();
    for link in ["own", "foreign"] {
        let away = world.get(&format!("projects/p/rulebooks/{link}")).await.unwrap();
        assert!(integer(&away, "deletedAt") > 0);
        assert!(world.get(&format!("projects/p/rulebooks/{link}/steps/000000001")).await.is_some());
    }
    assert_eq!(world.get("shares/own").await, None);
    assert!(world.get("shares/foreign").await.is_some(), "whatever a document says, it is another project's");
    assert_eq!(world.changed(&version, "now").await, Vec::<String>::new());
    let back = world.restore(&later, None).await.unwrap();
    assert_eq!(back.rulebooks, ["foreign", "own"]);
    assert_eq!(integer(&world.get("projects/p/rulebooks/own").await.unwrap(), "deletedAt"), 0);
    assert_eq!(world.changed(&later, "now").await, Vec::<String>::new());
}

#[tokio::test]
async fn a_deleted_version_closes_its_own_link_and_no_other_projects() {
    let world = world().await;
    for (link, project, name) in [("own", "p", "v1"), ("foreign", "q", "v2")] {
        world.set("projects/p/notes/main", fields(&[("text", text(name))])).await;
        let version = world.freeze(name).await;
        world.set(&format!("shares/{link}"), fields(&[("projectId", text(project))])).await;
        let path = format!("projects/p/gameVersions/{version}");
        let mut record = world.get(&path).await.unwrap();
        record.insert("link".to_owned(), text(link));
        world.set(&path, record).await;
        world.remove(&version).await.unwrap();
        assert_eq!(world.get(&path).await, None);
    }
    assert_eq!(world.get("shares/own").await, None);
    assert!(world.get("shares/foreign").await.is_some(), "whatever a document says, it is another project's");
}

#[tokio::test]
async fn a_rulebook_that_is_gone_is_restored_with_its_text() {
    let world = world().await;
    world.set("projects/p/rulebooks/r", rulebook("Rules", 1)).await;
    world.set("projects/p/rulebooks/r/steps/000000001", fields(&[("s", text("[]"))])).await;
    world.set("projects/p/rulebooks/r/languages/de", fields(&[("by", text("eve"))])).await;
    world.set("projects/p/rulebooks/r/languages/de/parts/0", fields(&[("units", text("x"))])).await;
    let version = world.freeze("v1").await;
    let before = world.below("projects/p/rulebooks/r").await;
    for path in before.keys() {
        world.delete(format!("projects/p/rulebooks/r/{path}").trim_end_matches('/')).await;
    }
    let restored = world.restore(&version, None).await.unwrap();
    assert_eq!((restored.changed, restored.rulebooks.len()), (4, 0));
    assert_eq!(world.below("projects/p/rulebooks/r").await, before);
}

#[tokio::test]
async fn the_versions_that_restores_make_are_thinned_out_too() {
    let world = world().await;
    let version = world.freeze("v1").await;
    for day in 0..40 {
        world.card("a", &day.to_string()).await;
        world.restore(&version, None).await.unwrap();
        world.pass(1);
    }
    world.pass(24 * 400);
    world.card("a", "late").await;
    world.restore(&version, None).await.unwrap();
    assert_eq!(world.ids("gameVersions").await.len(), 2, "of a year ago, only what has a name is kept");
}

#[tokio::test]
async fn translations_of_the_cards_are_part_of_a_version() {
    let world = world().await;
    world.set("projects/p/languages/de", fields(&[("by", text("eve"))])).await;
    world.set("projects/p/languages/de/parts/0", fields(&[("units", text("x"))])).await;
    let version = world.freeze("v1").await;
    let before = world.below("projects/p/languages/de").await;
    let opened = world.open("vic", &version).await.unwrap().project_id;
    assert_eq!(world.below(&format!("projects/{opened}/languages/de")).await, before);
    world.delete("projects/p/languages/de/parts/0").await;
    world.delete("projects/p/languages/de").await;
    assert_eq!(world.changed(&version, "now").await, ["languages/de", "languages/de/parts/0"]);
    assert_eq!(world.restore(&version, Some(&["languages/de"])).await.unwrap().changed, 2);
    assert_eq!(world.below("projects/p/languages/de").await, before);
}

#[tokio::test]
async fn more_than_one_commit_holds_is_refused_and_a_component_is_not() {
    let world = world().await;
    let large = text(&"x".repeat(1_000_000));
    for card in 0..12 {
        let component = if card < 6 { "c" } else { "d" };
        let path = format!("projects/p/components/{component}/cards/large{card}");
        world.set(&path, fields(&[("cells", large.clone())])).await;
    }
    let version = world.freeze("v1").await;
    for card in 0..12 {
        let component = if card < 6 { "c" } else { "d" };
        world.set(&format!("projects/p/components/{component}/cards/large{card}"), Fields::new()).await;
    }
    let refused = world.restore(&version, None).await.unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert!(refused.inner().message().contains("one component after the other"));
    assert_eq!(world.changed(&version, "now").await.len(), 8, "as many as an answer holds");
    assert!(world.compare(&version, "now").await.unwrap().truncated);
    for component in ["components/c", "components/d"] {
        assert_eq!(world.restore(&version, Some(&[component])).await.unwrap().changed, 6);
    }
    assert_eq!(world.changed(&version, "now").await, Vec::<String>::new());
}
