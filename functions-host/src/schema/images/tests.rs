use std::sync::Arc;

use axum::body::Body;
use docstore::access::Caller;
use docstore::clock::SystemClock;
use docstore::model::{DocPath, Document, Fields, Value, Write};
use docstore::{Draft, Store};
use http::Request;
use proptest::prelude::*;
use storage_emu::{BlobOptions, Limits as FileLimits, OwnSubtree, StorageOptions, StorageState};
use tower_service::Service as _;

use super::*;
use crate::schema::testing::{self, Contents, Killed, TINY, block_on, fields, target_on, text};

/// A store with documents and the files of Ann and Bob: `users/{uid}/images/{n}.png`, each of a content of its own.
pub(in crate::schema) struct Bench {
    pub(in crate::schema) target: Target,
    pub(in crate::schema) files: StorageState,
}

pub(crate) const BUCKET: &str = "demo.appspot.com";
pub(crate) const TOKEN: &str = "6ba7b810-9dad-41d1-80b4-00c04fd430c8";

impl Bench {
    pub(in crate::schema) async fn new(documents: &[(String, Fields)]) -> Self {
        let store = Store::in_memory().await.unwrap();
        let files = StorageState::new(StorageOptions {
            store: store.clone(),
            project: "demo".to_owned(),
            mode: docstore::access::Mode::Emulator,
            clock: Arc::new(SystemClock),
            blobs: BlobOptions::Memory,
            authenticator: Arc::new(Caller::Admin),
            access: Arc::new(OwnSubtree),
            limits: FileLimits::default(),
            active_svg: false,
            quotas: None,
        })
        .unwrap();
        let bench = Self { target: target_on(&store, documents).await, files };
        for owner in ["ann", "bob"] {
            for n in 0..3 {
                bench.upload(&format!("users/{owner}/images/{n}.png"), format!("{owner} {n}")).await;
            }
        }
        bench
    }

    /// Puts a file that opens with [`TOKEN`].
    pub(in crate::schema) async fn upload(&self, name: &str, content: String) {
        upload(&self.files, name, &content).await;
    }

    async fn run(&self, commits: i64) -> Result<()> {
        moving::run(&self.target, TINY, &Killed::after(commits)).await
    }

    /// All documents, with the tokens of addresses left out: each copy has its own.
    pub(in crate::schema) async fn contents(&self) -> Contents {
        let all = testing::documents(&self.target).await;
        let without = |mut fields: Fields| {
            if let Some(Value::String(url)) = fields.get_mut("url") {
                url.truncate(url.find("&token=").unwrap_or(url.len()));
            }
            fields
        };
        let pair = |Document { path, fields, .. }| (DocPath::as_str(&path).to_owned(), without(fields));
        all.into_iter().map(pair).collect()
    }

    async fn survey(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let tell = &mut |line: &str| {
            lines.push(line.to_owned());
            Ok(())
        };
        PicturesToImages.survey(&self.target, tell).await.unwrap();
        lines
    }
}

/// Puts a file that opens with [`TOKEN`], into storage that takes everybody for an admin.
pub(crate) async fn upload(files: &StorageState, name: &str, content: &str) {
    let metadata = format!(r#"{{"name":"{name}","metadata":{{"firebaseStorageDownloadTokens":"{TOKEN}"}}}}"#);
    let body = format!(
        "--x\r\ncontent-type: application/json\r\n\r\n{metadata}\r\n--x\r\ncontent-type: image/png\r\n\r\n{content}\r\n--x--"
    );
    let request = Request::post(format!("/upload/storage/v1/b/{BUCKET}/o?uploadType=multipart&name={name}"))
        .header("content-type", "multipart/related; boundary=x")
        .body(Body::from(body))
        .unwrap();
    let response = storage_emu::router(files.clone()).call(request).await.unwrap();
    assert_eq!(response.status(), 200, "{name}");
}

pub(in crate::schema) fn project(id: &str, owner: &str) -> (String, Fields) {
    (format!("projects/{id}"), fields(&[("owner", text(owner)), ("name", text(id))]))
}

/// Address of a file, with a token.
pub(crate) fn url(file: &str, token: &str) -> String {
    format!("/v0/b/{BUCKET}/o/{}?alt=media&token={token}", file.replace('/', "%2F"))
}

fn picture(project: &str, id: &str, by: &str, url: &str) -> (String, Fields) {
    let own = fields(&[
        ("path", text(&format!("Art/{id}.png"))),
        ("former", Value::Array(vec![text("old.png")])),
        ("url", text(url)),
        ("by", text(by)),
        ("credit", text("Ada")),
        ("bytes", Value::Integer(5)),
    ]);
    (format!("projects/{project}/pictures/{id}"), own)
}

#[tokio::test]
async fn a_shared_picture_becomes_an_image_of_the_project_and_counts_for_its_owner() {
    let shared = picture("p", "owl", "bob", &url("users/bob/images/1.png", TOKEN));
    let bench = Bench::new(&[project("p", "ann"), shared]).await;
    let before = bench.files.usage("ann").await.unwrap();
    let told = bench.survey().await;
    let counted = "1 shared pictures become images, 0 without a file go";
    assert_eq!(told, [format!("project p: {counted}"), format!("1 projects, {counted}")]);
    bench.run(i64::MAX).await.unwrap();
    let after = bench.contents().await;
    assert_eq!(after.keys().collect::<Vec<_>>(), ["projects/p", "projects/p/images/owl"]);
    let image = &after["projects/p/images/owl"];
    for (name, value) in [("path", "Art/owl.png"), ("credit", "Ada"), ("type", "image/png")] {
        assert_eq!(image[name], text(value));
    }
    assert!(!image.contains_key("by"));
    assert_eq!(image["former"], Value::Array(vec![text("old.png")]));
    let Value::Map(from) = &image["from"] else { panic!("{image:?}") };
    assert_eq!(from["path"], text("users/bob/images/owl"));
    // The copy lies in the project's folder, opens by its own address, and stays when the library goes.
    let (Value::String(file), [document]) = (&image["file"], &testing::documents(&bench.target).await[1..])
    else {
        panic!("{image:?}")
    };
    assert!(file.starts_with("projects/p/images/") && file.ends_with("-owl.png"), "{file}");
    bench.files.delete_folder("users/bob/").await.unwrap();
    let Value::String(address) = &document.fields["url"] else { panic!("{document:?}") };
    let response = {
        let request = Request::get(address).body(Body::empty()).unwrap();
        storage_emu::router(bench.files.clone()).call(request).await.unwrap()
    };
    assert_eq!(response.status(), 200);
    assert_eq!(axum::body::to_bytes(response.into_body(), 100).await.unwrap(), "bob 1");
    let counts = bench.files.usage("ann").await.unwrap();
    assert_eq!((counts.files, counts.bytes), (before.files + 1, before.bytes + 5));
    assert_eq!(bench.survey().await, ["0 projects, 0 shared pictures become images, 0 without a file go"]);
}

#[tokio::test]
async fn a_picture_whose_address_opens_nothing_goes_and_gives_nobody_a_file() {
    let secret = url("users/ann/images/0.png", "11111111-9dad-41d1-80b4-00c04fd430c8");
    let bad = [
        url("users/ann/images/gone.png", TOKEN),
        secret.clone(),
        secret.split_once("&token").unwrap().0.to_owned(),
        "https://elsewhere.example/v0/b/x".to_owned(),
        format!("/v0/b/{BUCKET}/o/..%2F..?token={TOKEN}"),
        format!("/v0/b/No Bucket/o/x?token={TOKEN}"),
        String::new(),
    ];
    let mut documents = vec![project("p", "ann")];
    documents.extend(bad.iter().enumerate().map(|(n, url)| picture("p", &format!("{n}"), "eve", url)));
    // Of a project that is gone.
    documents.push(picture("q", "owl", "bob", &url("users/bob/images/1.png", TOKEN)));
    // Somebody has put another file where the copy would be.
    documents.push(picture("p", "taken", "bob", &url("users/bob/images/2.png", TOKEN)));
    let bench = Bench::new(&documents).await;
    let name = image_files_name(&bench, "users/bob/images/2.png", "taken").await;
    bench.upload(&name, "another".to_owned()).await;
    // Other applications' collections of that name stay.
    let other = Write::set(DocPath::parse("games/g/pictures/1").unwrap(), Fields::new());
    bench.target.documents.commit(Draft::of(vec![other])).await.unwrap();
    assert!(
        bench.survey().await.contains(&format!(
            "project p: 1 shared pictures become images, {} without a file go",
            bad.len()
        ))
    );
    bench.run(i64::MAX).await.unwrap();
    let left: Vec<String> = bench.contents().await.into_keys().collect();
    assert_eq!(left, ["games/g/pictures/1", "projects/p"]);
}

/// The name that the copy of a file gets.
async fn image_files_name(bench: &Bench, file: &str, unique: &str) -> String {
    let hash = bench.files.stored(BUCKET, file).await.unwrap().unwrap().digests.sha256;
    crate::image_files::name_of_copy("projects/p/images", &hash, unique, file)
}

#[tokio::test]
async fn an_image_that_the_project_has_already_stays() {
    let shared = picture("p", "owl", "bob", &url("users/bob/images/1.png", TOKEN));
    let kept = ("projects/p/images/owl".to_owned(), fields(&[("path", text("mine.png"))]));
    let bench = Bench::new(&[project("p", "ann"), kept.clone(), shared]).await;
    bench.run(i64::MAX).await.unwrap();
    let after = bench.contents().await;
    assert_eq!(after.get(&kept.0), Some(&kept.1));
    assert_eq!(after.len(), 2);
}

/// Projects with pictures whose files are there or not.
fn documents() -> impl Strategy<Value = Vec<(String, Fields)>> {
    let place = prop::sample::select(["p", "q", "r"].as_slice());
    let by = prop::sample::select(["ann", "bob"].as_slice());
    let one = (place, by, 0..5, 0..9).prop_map(|(place, by, file, id)| {
        picture(place, &format!("i{id}"), by, &url(&format!("users/{by}/images/{file}.png"), TOKEN))
    });
    prop::collection::vec(one, 0..12).prop_map(|mut all| {
        // Of the third there is no document.
        all.extend([project("p", "ann"), project("q", "bob")]);
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all.dedup_by(|a, b| a.0 == b.0);
        all
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn however_often_it_is_interrupted_what_can_be_seen_stays_and_the_rest_goes(
        before in documents(), pauses in prop::collection::vec(0_i64..4, 0..6),
    ) {
        block_on(async {
            let bench = Bench::new(&before).await;
            let told = bench.survey().await;
            for commits in pauses {
                _ = bench.run(commits).await;
            }
            bench.run(i64::MAX).await.unwrap();
            let after = bench.contents().await;
            assert!(!after.keys().any(|path| path.contains("/pictures/")));
            let kept: Vec<String> = before
                .iter()
                .filter(|(path, fields)| {
                    let Some(Value::String(url)) = fields.get("url") else { return false };
                    !path.contains("/r/") && !url.contains("3.png") && !url.contains("4.png")
                })
                .map(|(path, _)| path.replace("/pictures/", "/images/"))
                .collect();
            let images: Vec<&String> = after.keys().filter(|path| path.contains("/images/")).collect();
            assert_eq!(images, kept.iter().collect::<Vec<_>>());
            for path in images {
                let Value::String(file) = &after[path]["file"] else { panic!("{path}") };
                assert!(bench.files.stored(BUCKET, file).await.unwrap().is_some());
            }
            let counted: usize = told
                .last()
                .unwrap()
                .split(' ')
                .skip(2)
                .filter_map(|word| word.parse::<usize>().ok())
                .sum();
            let pictures = before.iter().filter(|(path, _)| path.contains("/pictures/")).count();
            assert_eq!(counted, pictures, "{told:?}");

            // Queries may have begun an index, whose commits count too.
            bench.target.documents.settle_indexes().await;
            let time = bench.target.documents.read_time();
            bench.run(0).await.unwrap();
            assert_eq!(bench.target.documents.read_time(), time, "a second run has written something");
        });
    }
}
