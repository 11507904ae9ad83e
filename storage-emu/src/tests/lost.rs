use docstore::access::Mode;

use super::support::{BUCKET, Bench};
use crate::offline::lost::{LostFile, LostFiles};

#[tokio::test]
async fn every_file_of_a_lost_content_is_found_in_whatever_bucket_and_the_first_are_named() {
    let bench = Bench::new(Mode::Emulator).await;
    // More than are read at a time, half of them with one content.
    let mut files = 0;
    for n in 0..600 {
        let content = if n % 2 == 0 { "shared".to_owned() } else { format!("{n}") };
        assert_eq!(bench.put(&format!("{n:03}"), "text/plain", content).await.status, 200);
        files += 1;
    }
    for (bucket, name) in [("other", "a"), (BUCKET, "a")] {
        let uri = format!("/v0/b/{bucket}/o?name=users/u/{name}");
        let headers = [("authorization", "Bearer owner"), ("content-type", "text/plain")];
        assert_eq!(bench.send("POST", &uri, &headers, "gone").await.status, 200);
        files += 1;
    }
    let (catalog, blobs) = (&bench.state.files.catalog, &bench.state.files.blobs);
    assert_eq!(catalog.lost(blobs).await.unwrap(), LostFiles { files, ..LostFiles::default() });
    let key_of = async |bucket: &str, name: &str| {
        let bucket = crate::names::BucketName::parse(bucket).unwrap();
        let name = crate::names::ObjectName::parse(name).unwrap();
        catalog.get(&bucket, &name).await.unwrap().unwrap().key
    };
    let key = key_of(BUCKET, "users/u/a").await;
    blobs.remove(&key).await.unwrap();
    let named = [BUCKET, "other"].map(|bucket| LostFile {
        bucket: bucket.to_owned(),
        name: "users/u/a".to_owned(),
        key: key.clone(),
    });
    assert_eq!(catalog.lost(blobs).await.unwrap(), LostFiles { files, lost: 2, named: named.to_vec() });
    blobs.remove(&key_of(BUCKET, "users/u/000").await).await.unwrap();
    let report = catalog.lost(blobs).await.unwrap();
    assert_eq!((report.files, report.lost, report.named.len()), (files, 302, 20));
}
