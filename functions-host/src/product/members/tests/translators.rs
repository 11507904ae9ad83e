//! Translators, and the languages that they write.

use super::*;

/// Languages of a member by the project.
async fn languages(world: &World, uid: &str) -> Option<Vec<String>> {
    let project = world.get("projects/d").await.unwrap();
    let Some(Value::Map(all)) = project.get("translates") else { return None };
    let Some(Value::Array(tags)) = all.get(uid) else { return None };
    let tags =
        tags.iter().map(|tag| if let Value::String(tag) = tag { tag.clone() } else { panic!("{tag:?}") });
    Some(tags.collect())
}

fn some(tags: &[&str]) -> Option<Vec<String>> {
    Some(owned_texts(tags))
}

const TRANSLATOR: Option<Role> = Some(Role::Translator);

#[tokio::test]
async fn a_translator_is_invited_to_languages() {
    let world = World::new().await;
    let link = world.invite_to("ann", Role::Translator, &["fr", "de", "fr"], None).await.unwrap();
    let request = accept::Request { deck: deck(), invitation: link.clone() };
    let shown = world.members.read(&person("eve"), &request).await.unwrap();
    assert_eq!((shown.role, shown.languages), ("translator", owned_texts(&["de", "fr"])));
    assert_eq!(world.accept(&person("eve"), &link).await.unwrap(), "translator");
    assert_eq!(languages(&world, "eve").await, some(&["de", "fr"]));
    let project = world.get("projects/d").await.unwrap();
    assert!(
        !crate::product::members::edits(&project, "eve") && crate::product::members::sees(&project, "eve")
    );
}

#[tokio::test]
async fn a_translator_has_languages_and_nobody_else_does() {
    let world = World::new().await;
    let many: Vec<String> = (0..41).map(|no| format!("de-v{no}x")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let long = format!("de-{}", "abcdefgh-".repeat(5).trim_end_matches('-'));
    let wrong: [&[&str]; 10] =
        [&[], &["DE"], &["d"], &["german"], &["de_AT"], &["de-"], &["de", ""], &["de-ä1"], &[&long], &many];
    for tags in wrong {
        assert_eq!(
            code(world.invite_to("ann", Role::Translator, tags, None).await),
            Code::InvalidArgument,
            "{tags:?}"
        );
    }
    assert_eq!(code(world.invite_to("ann", Role::Editor, &["de"], None).await), Code::InvalidArgument);
    let link = world.invite("ann", Role::Viewer, None).await.unwrap();
    world.accept(&person("eve"), &link).await.unwrap();
    for (role, tags) in [(TRANSLATOR, &[][..]), (Some(Role::Viewer), &["de"]), (None, &["de"])] {
        assert_eq!(code(world.change_to("ann", "eve", role, tags).await), Code::InvalidArgument);
    }
    assert_eq!((world.role("eve").await.as_deref(), languages(&world, "eve").await), (Some("viewer"), None));
}

#[tokio::test]
async fn owners_alone_change_the_languages_of_a_translator() {
    let world = World::new().await;
    let link = world.invite_to("ann", Role::Translator, &["de"], None).await.unwrap();
    for uid in ["eve", "vic"] {
        world.accept(&person(uid), &link).await.unwrap();
    }
    for by in ["eve", "vic"] {
        assert_eq!(code(world.change_to(by, "eve", TRANSLATOR, &["de", "fr"]).await), Code::PermissionDenied);
        assert_eq!(code(world.invite_to(by, Role::Translator, &["fr"], None).await), Code::PermissionDenied);
    }
    world.change_to("ann", "eve", TRANSLATOR, &["fr", "pt-br"]).await.unwrap();
    assert_eq!(languages(&world, "eve").await, some(&["fr", "pt-br"]));
    assert_eq!(languages(&world, "vic").await, some(&["de"]));
}

#[tokio::test]
async fn whoever_stops_translating_keeps_no_language() {
    let world = World::new().await;
    let link = world.invite_to("ann", Role::Translator, &["de"], None).await.unwrap();
    for uid in ["eve", "vic", "zoe", "bob"] {
        world.accept(&person(uid), &link).await.unwrap();
    }
    world.change("ann", "eve", Some(Role::Editor)).await.unwrap();
    world.change("ann", "vic", Some(Role::Viewer)).await.unwrap();
    world.change("zoe", "zoe", None).await.unwrap();
    world.members.leave_all("bob").await.unwrap();
    for uid in ["eve", "vic", "zoe", "bob"] {
        assert_eq!(languages(&world, uid).await, None, "{uid}");
    }
}

#[tokio::test]
async fn further_invitations_add_languages_and_older_ones_return_none() {
    let world = World::new().await;
    let german = world.invite_to("ann", Role::Translator, &["de"], None).await.unwrap();
    let french = world.invite_to("ann", Role::Translator, &["fr"], None).await.unwrap();
    let viewing = world.invite("ann", Role::Viewer, None).await.unwrap();
    let editing = world.invite("ann", Role::Editor, None).await.unwrap();
    for link in [&german, &french, &viewing] {
        assert_eq!(world.accept(&person("eve"), link).await.unwrap(), "translator");
    }
    assert_eq!(languages(&world, "eve").await, some(&["de", "fr"]));
    // A language that was taken away does not come back by what was there before.
    let before = world.invite_to("ann", Role::Translator, &["fr", "pl"], None).await.unwrap();
    world.change_to("ann", "eve", TRANSLATOR, &["de"]).await.unwrap();
    for link in [&french, &before] {
        world.accept(&person("eve"), link).await.unwrap();
        assert_eq!(languages(&world, "eve").await, some(&["de"]));
    }
    world.clock.advance(DAY);
    let after = world.invite_to("ann", Role::Translator, &["pl"], None).await.unwrap();
    world.accept(&person("eve"), &after).await.unwrap();
    assert_eq!(languages(&world, "eve").await, some(&["de", "pl"]));
    // An editor writes every language.
    world.accept(&person("vic"), &german).await.unwrap();
    assert_eq!(world.accept(&person("vic"), &editing).await.unwrap(), "editor");
    assert_eq!(languages(&world, "vic").await, None);
}

#[tokio::test]
async fn a_member_is_told_whether_an_invitation_makes_more_of_them() {
    let world = World::new().await;
    let told = async |uid: &str, invitation: &str| {
        let request = accept::Request { deck: deck(), invitation: invitation.to_owned() };
        let shown = world.members.read(&person(uid), &request).await.unwrap();
        (shown.held, shown.gains)
    };
    let viewers = world.invite("ann", Role::Viewer, None).await.unwrap();
    assert_eq!(told("eve", &viewers).await, (None, true));
    world.accept(&person("eve"), &viewers).await.unwrap();
    assert_eq!(told("eve", &viewers).await, (Some("viewer"), false));
    let german = world.invite_to("ann", Role::Translator, &["de"], None).await.unwrap();
    assert_eq!(told("eve", &german).await, (Some("viewer"), true));
    world.accept(&person("eve"), &german).await.unwrap();
    assert_eq!(told("eve", &german).await, (Some("translator"), false));
    let french = world.invite_to("ann", Role::Translator, &["de", "fr"], None).await.unwrap();
    assert_eq!(told("eve", &french).await, (Some("translator"), true));
    assert_eq!(told("eve", &viewers).await, (Some("translator"), false));
    let editors = world.invite("ann", Role::Editor, None).await.unwrap();
    assert_eq!(told("eve", &editors).await, (Some("translator"), true));
    world.accept(&person("eve"), &editors).await.unwrap();
    assert_eq!(told("eve", &french).await, (Some("editor"), false));
    // Nobody gets back by a link the role that they lost.
    world.change("ann", "eve", Some(Role::Viewer)).await.unwrap();
    assert_eq!(told("eve", &editors).await, (Some("viewer"), false));
    assert_eq!(told("ann", &editors).await, (Some("owner"), false));
}
