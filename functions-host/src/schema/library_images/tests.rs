use docstore::Code;
use docstore::model::{Fields, Value};
use proptest::prelude::*;

use super::*;
use crate::schema::testing::{Contents, Killed, TINY, block_on, documents, fields, target, text};

fn image(path: &str, of: Option<&str>) -> (String, Fields) {
    let mut own = fields(&[("path", text("Art/fox.png")), ("file", text("users/ann/images/fox.png"))]);
    if let Some(of) = of {
        let from = fields(&[("path", text(of)), ("hash", text("abc"))]);
        own.insert("from".to_owned(), Value::Map(from));
    }
    (path.to_owned(), own)
}

/// Moves everything, dying after each of these numbers of commits on the way.
async fn moved_with(before: &[(String, Fields)], deaths: &[i64]) -> Contents {
    let target = target(before).await;
    for commits in deaths {
        match moving::run(&target, TINY, &Killed::after(*commits)).await {
            Ok(()) => {}
            Err(error) => assert_eq!(error.code(), Code::Cancelled),
        }
    }
    moving::run(&target, TINY, &Killed::after(i64::MAX)).await.unwrap();
    documents(&target).await.into_iter().map(|found| (found.path.to_string(), found.fields)).collect()
}

#[test]
fn images_move_and_copies_name_them_by_their_new_paths() {
    let before = [
        image("users/ann/images/fox", None),
        image("users/ann/images/owl", Some("projects/p/images/o")),
        ("users/ann/images/fox/notes/n".to_owned(), fields(&[("a", text("b"))])),
        ("users/ann/images/gone/notes/n".to_owned(), fields(&[("a", text("c"))])),
        image("projects/p/images/fox", Some("users/ann/images/fox")),
        image("projects/p/images/hare", Some("users/ann/images/fox/notes/n")),
        image("projects/p/images/forged", Some("users//images")),
        image("users/ann/library/images/items/hen", Some("users/bob/images/h")),
        ("users/ann/library/layouts/items/l".to_owned(), fields(&[("name", text("L"))])),
        ("users/ann/decks/images/images/i".to_owned(), fields(&[("name", text("D"))])),
    ];
    let found = block_on(moved_with(&before, &[]));
    let new = |id: &str| format!("users/ann/library/images/items/{id}");
    let wanted: Contents = [
        image(&new("fox"), None),
        image(&new("owl"), Some("projects/p/images/o")),
        (new("fox/notes/n"), fields(&[("a", text("b"))])),
        (new("gone/notes/n"), fields(&[("a", text("c"))])),
        image("projects/p/images/fox", Some(&new("fox"))),
        image("projects/p/images/hare", Some(&new("fox/notes/n"))),
        image("projects/p/images/forged", Some("users//images")),
        image(&new("hen"), Some("users/bob/library/images/items/h")),
        ("users/ann/library/layouts/items/l".to_owned(), fields(&[("name", text("L"))])),
        ("users/ann/decks/images/images/i".to_owned(), fields(&[("name", text("D"))])),
    ]
    .into();
    assert_eq!(found, wanted);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_interrupted_move_ends_as_an_uninterrupted_one(
        users in prop::collection::vec(("[a-c]", "[a-f]", prop::option::of(("[a-c]", "[a-f]"))), 0..24),
        deaths in prop::collection::vec(0_i64..12, 0..6),
    ) {
        let mut before = Vec::new();
        for (user, id, of) in &users {
            let of = of.as_ref().map(|(user, id)| format!("users/{user}/images/{id}"));
            before.push(image(&format!("users/{user}/images/{id}"), of.as_deref()));
            before.push(image(&format!("projects/{user}/images/{id}"), of.as_deref()));
        }
        let (whole, broken) = block_on(async { (moved_with(&before, &[]).await, moved_with(&before, &deaths).await) });
        prop_assert_eq!(&whole, &broken);
        let distinct: std::collections::BTreeSet<_> = before.iter().map(|(path, _)| path).collect();
        prop_assert_eq!(whole.len(), distinct.len());
        for path in whole.keys() {
            prop_assert!(!path.starts_with("users/") || path.contains("/library/images/items/"), "{}", path);
        }
    }
}

#[test]
fn a_survey_counts_by_account() {
    let before: Vec<_> = ["ann/images/a", "ann/images/b", "bob/images/a"]
        .map(|path| image(&format!("users/{path}"), None))
        .into();
    let mut told = Vec::new();
    block_on(async {
        let mut tell = |line: &str| {
            told.push(line.to_owned());
            Ok(())
        };
        moving::survey(&target(&before).await, &mut tell).await.unwrap();
    });
    let wanted =
        ["account ann: 2 images", "account bob: 1 images", "3 images of 2 accounts move to their libraries"];
    assert_eq!(told, wanted);
}
