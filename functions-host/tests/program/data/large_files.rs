//! Files larger than servers for people take: an emulator takes what the cloud does.

use reqwest::{Client, Response};
use storage_emu::{EMULATOR_FILE_BYTES, Limits};

use crate::server::{Place, Server};

/// Begins a resumable upload of so many bytes, as the official libraries do.
async fn begin(server: &Server, bytes: u64) -> Response {
    let url = server.at("/upload/storage/v1/b/demo.appspot.com/o?uploadType=resumable&name=large.bin");
    let request = Client::new().post(url).bearer_auth("owner");
    request.header("x-upload-content-length", bytes).header("content-length", 0).send().await.unwrap()
}

#[tokio::test]
async fn an_emulator_takes_files_of_five_gibibytes_and_names_its_limit() {
    let place = Place::new(None);
    let server = place.serve(&["--mode", "emulator"]).await;
    for bytes in [Limits::default().file_bytes + 1, EMULATOR_FILE_BYTES] {
        let begun = begin(&server, bytes).await;
        assert!(begun.headers().contains_key("location"), "{bytes}: {}", begun.text().await.unwrap());
    }
    let refused = begin(&server, EMULATOR_FILE_BYTES + 1).await;
    assert_eq!(refused.status(), 413);
    let why = refused.text().await.unwrap();
    assert!(why.contains("5368709120 bytes"), "{why}");
}

#[tokio::test]
async fn a_setting_holds_in_an_emulator_too() {
    let config = r#"{"tuckbox": {"files": {"limits": {"fileBytes": 1000}}}}"#;
    let place = Place::new(Some(config));
    let server = place.serve(&["--mode", "emulator"]).await;
    assert_eq!(begin(&server, 1_000).await.status(), 200);
    assert!(begin(&server, 1_001).await.text().await.unwrap().contains("1000 bytes"));
}
