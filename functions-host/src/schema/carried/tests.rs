use docstore::model::{Fields, Value};
use proptest::prelude::*;

use super::*;
use crate::schema::images::tests::{BUCKET, Bench, TOKEN, project, url};
use crate::schema::testing::{Contents, Killed, TINY, block_on, fields, text};

/// Ann's fonts beside her images, and one of Bob's with the same content as one of hers.
async fn bench(documents: &[(String, Fields)]) -> Bench {
    let bench = Bench::new(documents).await;
    for (name, content) in
        [("ann/fonts/a.otf", "one"), ("ann/fonts/b.woff2", "two"), ("bob/fonts/a.otf", "one")]
    {
        bench.upload(&format!("users/{name}"), content.to_owned()).await;
    }
    bench
}

fn font(file: &str, token: &str) -> Value {
    Value::Map(fields(&[
        ("family", text("own-x")),
        ("name", text("Runes")),
        ("url", text(&url(file, token))),
        ("weight", Value::Integer(400)),
        ("italic", Value::Boolean(false)),
    ]))
}

fn picture(id: &str, file: &str) -> Value {
    Value::Map(fields(&[
        ("id", text(id)),
        ("path", text(&format!("Art/{id}.png"))),
        ("url", text(&url(file, TOKEN))),
        ("credit", text("Ada")),
    ]))
}

fn layout(path: &str, shared: bool, pictures: Vec<Value>, fonts: Vec<Value>) -> (String, Fields) {
    let scene = fields(&[("zones", Value::Array(vec![text("kept")])), ("fonts", Value::Array(fonts))]);
    let own = fields(&[
        ("name", text("Card")),
        ("shared", Value::Boolean(shared)),
        ("pictures", Value::Array(pictures)),
        ("scene", Value::Map(scene)),
    ]);
    (path.to_owned(), own)
}

/// Addresses of a layout's fonts.
fn fonts_of(all: &Contents, path: &str) -> Vec<String> {
    let Some(Value::Map(scene)) = all[path].get("scene") else { panic!("{path}") };
    let Some(Value::Array(fonts)) = scene.get("fonts") else { panic!("{path}") };
    let address = |font: &Value| match font {
        Value::Map(font) => match &font["url"] {
            Value::String(url) => url.clone(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    fonts.iter().map(address).collect()
}

async fn survey(bench: &Bench) -> Vec<String> {
    let mut lines = Vec::new();
    let tell = &mut |line: &str| {
        lines.push(line.to_owned());
        Ok(())
    };
    CarriedToOwned.survey(&bench.target, tell).await.unwrap();
    lines
}

#[tokio::test]
async fn what_layouts_carry_lies_with_them_and_stays_when_the_accounts_go() {
    let [one, two] = ["users/ann/fonts/a.otf", "users/ann/fonts/b.woff2"];
    let shown = layout(
        "projects/p/layouts/l",
        true,
        vec![picture("owl", "users/bob/images/1.png"), picture("gone", "users/bob/images/9.png")],
        vec![font(one, TOKEN), font(two, TOKEN)],
    );
    let version = layout(
        "projects/p/layouts/l/versions/v",
        false,
        Vec::new(),
        vec![font("users/bob/fonts/a.otf", TOKEN)],
    );
    let closed =
        layout("projects/p/layouts/m", false, vec![picture("secret", "users/ann/images/0.png")], Vec::new());
    let library = layout(
        "users/bob/library/layouts/items/n",
        true,
        vec![picture("elk", "users/ann/images/2.png")],
        vec![font(one, TOKEN), font("users/bob/fonts/a.otf", TOKEN)],
    );
    let other = layout("games/g/layouts/l", true, vec![picture("x", "users/ann/images/0.png")], Vec::new());
    let documents = [project("p", "ann"), shown, version, closed, library, other.clone()];
    let bench = bench(&documents).await;
    assert_eq!(
        survey(&bench).await,
        [
            "projects/p/layouts/l: 2 pictures, 2 fonts",
            "projects/p/layouts/m: 1 pictures, 0 fonts",
            "users/bob/library/layouts/items/n: 1 pictures, 1 fonts",
            "projects/p/layouts/l/versions/v: 0 pictures, 1 fonts",
            "4 layouts and versions carry pictures or fonts",
        ]
    );
    moving::run(&bench.target, TINY, &Killed::after(i64::MAX)).await.unwrap();
    let after = bench.contents().await;
    let images: Vec<&String> = after.keys().filter(|path| path.contains("/images/")).collect();
    assert_eq!(images, ["projects/p/images/owl", "users/bob/images/elk"]);
    assert_eq!(after["projects/p/images/owl"]["credit"], text("Ada"));
    assert_eq!(after[&other.0], other.1, "another application's documents stay");
    for path in ["projects/p/layouts/l", "projects/p/layouts/m", "users/bob/library/layouts/items/n"] {
        assert!(!after[path].contains_key("pictures"), "{path}");
    }
    let fonts: Vec<&String> = after.keys().filter(|path| path.contains("/fonts/")).collect();
    assert_eq!(fonts.len(), 2, "one content is one font: {fonts:?}");
    for path in fonts {
        assert!(path.starts_with("projects/p/fonts/"), "{path}");
        assert_eq!((&after[path]["name"], &after[path]["family"]), (&text("Runes"), &text("own-x")));
        let Value::String(file) = &after[path]["file"] else { panic!("{path}") };
        assert!(bench.files.stored(BUCKET, file).await.unwrap().is_some(), "{file}");
    }
    let [first, second] = &fonts_of(&after, "projects/p/layouts/l")[..] else { panic!("{after:?}") };
    assert!(
        first.contains("projects%2Fp%2Ffonts%2F") && first.contains(".otf?") && second.contains(".woff2?")
    );
    assert_eq!(fonts_of(&after, "projects/p/layouts/l/versions/v").as_slice(), std::slice::from_ref(first));
    for address in fonts_of(&after, "users/bob/library/layouts/items/n") {
        assert!(address.contains("users%2Fbob%2Ffonts%2F"), "{address}");
    }
    assert_eq!(survey(&bench).await, ["0 layouts and versions carry pictures or fonts"]);
}

#[tokio::test]
async fn an_address_that_opens_nothing_gives_nobody_a_file() {
    let guessed = "11111111-9dad-41d1-80b4-00c04fd430c8";
    let bad = [
        font("users/ann/fonts/a.otf", guessed),
        font("users/ann/fonts/gone.otf", TOKEN),
        font("users/ann/images/0.png", TOKEN),
    ];
    let before = layout("projects/p/layouts/l", false, Vec::new(), bad.to_vec());
    let lost =
        layout("projects/gone/layouts/l", false, Vec::new(), vec![font("users/ann/fonts/a.otf", TOKEN)]);
    let bench = bench(&[project("p", "eve"), before.clone(), lost.clone()]).await;
    moving::run(&bench.target, TINY, &Killed::after(i64::MAX)).await.unwrap();
    let after = bench.contents().await;
    assert!(!after.keys().any(|path| path.contains("/fonts/")));
    assert_eq!(after["projects/p/layouts/l"]["scene"], before.1["scene"]);
    assert_eq!(after[&lost.0], lost.1);
}

/// Layouts of projects and libraries with pictures and fonts, some of which are there.
fn documents() -> impl Strategy<Value = Vec<(String, Fields)>> {
    let place = prop::sample::select(
        [
            "projects/p/layouts",
            "projects/q/layouts",
            "projects/p/layouts/0/versions",
            "users/bob/library/layouts/items",
        ]
        .as_slice(),
    );
    let pictures = prop::collection::vec((0..4, prop::sample::select(["ann", "bob"].as_slice())), 0..3);
    let fonts = prop::collection::vec(
        prop::sample::select(
            ["ann/fonts/a.otf", "ann/fonts/b.woff2", "bob/fonts/a.otf", "bob/fonts/none.otf"].as_slice(),
        ),
        0..3,
    );
    let one =
        (place, 0..4, any::<bool>(), pictures, fonts).prop_map(|(place, id, shared, pictures, fonts)| {
            let pictures = pictures
                .into_iter()
                .map(|(n, by)| picture(&format!("i{n}"), &format!("users/{by}/images/{n}.png")));
            let fonts = fonts.into_iter().map(|file| font(&format!("users/{file}"), TOKEN));
            layout(&format!("{place}/{id}"), shared, pictures.collect(), fonts.collect())
        });
    prop::collection::vec(one, 0..8).prop_map(|mut all| {
        all.extend([project("p", "ann"), project("q", "bob")]);
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all.dedup_by(|a, b| a.0 == b.0);
        all
    })
}

/// Documents without the addresses of fonts, each of which has a token of its own.
fn plain(mut all: Contents) -> Contents {
    for fields in all.values_mut() {
        if let Some(Value::Map(scene)) = fields.get_mut("scene")
            && let Some(Value::Array(fonts)) = scene.get_mut("fonts")
        {
            for font in fonts {
                if let Value::Map(font) = font
                    && let Some(Value::String(url)) = font.get_mut("url")
                {
                    url.truncate(url.find("&token=").unwrap_or(url.len()));
                }
            }
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn however_often_it_is_interrupted_the_same_is_left(
        before in documents(), pauses in prop::collection::vec(0_i64..4, 0..6),
    ) {
        block_on(async {
            let whole = bench(&before).await;
            moving::run(&whole.target, TINY, &Killed::after(i64::MAX)).await.unwrap();
            let bench = bench(&before).await;
            for commits in pauses {
                _ = moving::run(&bench.target, TINY, &Killed::after(commits)).await;
            }
            moving::run(&bench.target, TINY, &Killed::after(i64::MAX)).await.unwrap();
            let after = plain(bench.contents().await);
            let (paths, expected): (Vec<_>, Vec<_>) =
                (after.keys().cloned().collect(), plain(whole.contents().await).into_keys().collect());
            assert_eq!(paths, expected);
            for (path, fields) in &after {
                assert!(!path.contains("layouts") || !fields.contains_key("pictures"), "{path}");
                if let Some(Value::String(file)) = fields.get("file") {
                    assert!(bench.files.stored(BUCKET, file).await.unwrap().is_some(), "{file}");
                }
            }
            // Queries may have begun an index, whose commits count too.
            bench.target.documents.settle_indexes().await;
            let time = bench.target.documents.read_time();
            moving::run(&bench.target, TINY, &Killed::after(0)).await.unwrap();
            assert_eq!(bench.target.documents.read_time(), time, "a second run has written something");
        });
    }
}
