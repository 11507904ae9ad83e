//! Encrypted backups: with their key, another one, and none.

use std::fs;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use auth_emu::entropy::SystemEntropy;

use super::key::BackupKey;
use super::runner::{Order, make_once};
use super::target::{Purpose, open_target};
use super::tests::{Server, restored, walk};

/// True if a file below a folder has these bytes in it.
fn found_below(folder: &Path, wanted: &[u8]) -> bool {
    let mut files = Vec::new();
    walk(folder, &mut files);
    files.iter().any(|path| fs::read(path).unwrap().windows(wanted.len()).any(|part| part == wanted))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_encrypted_backup_is_restored_with_its_key_alone() {
    let server = Server::new().await;
    server.put("cards/a", 7).await;
    let content = b"a content that is easily found ".repeat(5_000);
    server.upload(&content).await;
    let place = tempfile::tempdir().unwrap();
    let [key, stranger] = ["key", "stranger"].map(|name| place.path().join(name));
    for file in [&key, &stranger] {
        BackupKey::create(file, &SystemEntropy).unwrap();
    }
    let folder = place.path().join("backups");
    let order = Order { folder: folder.clone(), keep: NonZeroU32::new(2), key: Some(key.clone()) };
    let first = make_once(server.source(), order.clone()).await.unwrap();
    assert_eq!(first.manifest.copied.count, 1);
    server.put("cards/a", 8).await;
    for _ in 0..2 {
        let next = make_once(server.source(), order.clone()).await.unwrap();
        assert_eq!(next.manifest.copied.count, 0, "the content is known by its name");
    }
    for plain in [&content[..100], b"secret", b"manifest", b"__storage__"] {
        assert!(!found_below(&folder, plain), "{}", String::from_utf8_lossy(plain));
    }
    let open = |key: Option<&PathBuf>| {
        open_target(&folder, Purpose::Read, key.map(|key| BackupKey::read(key).unwrap()))
    };
    for (named, words) in [(None, "--key FILE"), (Some(&stranger), "another key")] {
        let error = open(named).unwrap_err();
        assert!(error.tag() == "BackupKey" && error.message().contains(words), "{error}");
    }
    let data = place.path().join("data");
    let back = restored(open(Some(&key)).unwrap(), None, &data).await.unwrap();
    assert_eq!(back.manifest.files.count, 1);
    assert!(found_below(&data.join("files"), &content));
    assert_eq!(fs::read(data.join("keys/1.pem")).unwrap(), b"secret");
    let mut files = Vec::new();
    walk(&folder.join("contents"), &mut files);
    let mut bytes = fs::read(&files[0]).unwrap();
    bytes[100] ^= 1;
    fs::write(&files[0], bytes).unwrap();
    let error = restored(open(Some(&key)).unwrap(), None, &place.path().join("next")).await.unwrap_err();
    assert!(error.message().contains("is damaged, cut or of another key"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn plain_and_encrypted_backups_are_never_mixed() {
    let server = Server::new().await;
    let place = tempfile::tempdir().unwrap();
    let key = place.path().join("key");
    BackupKey::create(&key, &SystemEntropy).unwrap();
    let order = |name: &str, key: Option<&PathBuf>| Order {
        folder: place.path().join(name),
        keep: None,
        key: key.cloned(),
    };
    make_once(server.source(), order("plain", None)).await.unwrap();
    make_once(server.source(), order("encrypted", Some(&key))).await.unwrap();
    for (name, key) in [("plain", Some(&key)), ("encrypted", None)] {
        let error = make_once(server.source(), order(name, key)).await.unwrap_err();
        assert_eq!(error.tag(), "BackupKey", "{name}");
    }
    // Backups that somebody else has put there are not taken for encrypted ones.
    let read = open_target(&place.path().join("plain"), Purpose::Read, Some(BackupKey::read(&key).unwrap()));
    assert!(read.unwrap_err().message().contains("are not encrypted"));
    let beside = place.path().join("new/key");
    fs::create_dir(place.path().join("new")).unwrap();
    BackupKey::create(&beside, &SystemEntropy).unwrap();
    let error = make_once(server.source(), order("new", Some(&beside))).await.unwrap_err();
    assert_eq!(error.tag(), "BackupKeyBeside");
}
