//! Every way in which a file comes to be stored.

use super::support::{BUCKET, Bench, Reply};

const JSON: (&str, &str) = ("content-type", "application/json");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// The bytes alone in one request.
    Media,
    /// Metadata and bytes in one request.
    Multipart,
    /// A session that takes the bytes, then ends.
    Resumable,
    /// A session whose last bytes finish it.
    ResumableAtOnce,
    /// The Cloud Storage API, in one request.
    CloudMultipart,
    /// The Cloud Storage API, in a session.
    CloudResumable,
}

/// Ways open to users.
pub(super) const USERS: [Way; 4] = [Way::Media, Way::Multipart, Way::Resumable, Way::ResumableAtOnce];
/// Further ways open to administrators.
pub(super) const CLOUD: [Way; 2] = [Way::CloudMultipart, Way::CloudResumable];

impl Way {
    /// Stores `data` at `users/u/{name}` with this authorization and answers the request that decides.
    pub(super) async fn store(
        self,
        bench: &Bench,
        authorization: &str,
        (name, content_type): (&str, &str),
        data: &[u8],
    ) -> Reply {
        let auth = ("authorization", authorization);
        let path = format!("/v0/b/{BUCKET}/o?name=users/u/{name}");
        let cloud = format!("/upload/storage/v1/b/{BUCKET}/o?name=users/u/{name}");
        let metadata = serde_json::json!({ "contentType": content_type }).to_string();
        match self {
            Self::Media => {
                bench.send("POST", &path, &[auth, ("content-type", content_type)], data.to_vec()).await
            }
            Self::Multipart => {
                let headers = [
                    auth,
                    ("x-goog-upload-protocol", "multipart"),
                    ("content-type", "multipart/related; boundary=edge"),
                ];
                bench.send("POST", &path, &headers, related(&metadata, content_type, data)).await
            }
            Self::Resumable | Self::ResumableAtOnce => {
                let headers =
                    [auth, ("x-goog-upload-protocol", "resumable"), ("x-goog-upload-command", "start")];
                let started = bench.send("POST", &path, &headers, metadata).await;
                if started.status != 200 {
                    return started;
                }
                let url = local(started.header("x-goog-upload-url"));
                let command = async |command: &str, offset: usize, data: &[u8]| {
                    let offset = offset.to_string();
                    let headers = [("x-goog-upload-command", command), ("x-goog-upload-offset", &offset)];
                    bench.send("POST", &url, &headers, data.to_vec()).await
                };
                let ended = if self == Self::ResumableAtOnce {
                    command("upload, finalize", 0, data).await
                } else {
                    let (first, second) = data.split_at(data.len() / 2);
                    let mut taken = command("upload", 0, first).await;
                    if taken.status == 200 {
                        taken = command("upload", first.len(), second).await;
                    }
                    if taken.status == 200 { command("finalize", data.len(), &[]).await } else { taken }
                };
                if ended.status != 200 && ended.header("x-goog-upload-status") == "active" {
                    command("cancel", 0, &[]).await;
                }
                ended
            }
            Self::CloudMultipart => {
                let headers = [auth, ("content-type", "multipart/related; boundary=edge")];
                let body = related(&metadata, content_type, data);
                bench.send("POST", &format!("{cloud}&uploadType=multipart"), &headers, body).await
            }
            Self::CloudResumable => {
                let uri = format!("{cloud}&uploadType=resumable");
                let started = bench.send("POST", &uri, &[auth, JSON], metadata).await;
                if started.status != 200 {
                    return started;
                }
                bench.send("PUT", &local(started.header("location")), &[auth], data.to_vec()).await
            }
        }
    }
}

fn related(metadata: &str, content_type: &str, data: &[u8]) -> Vec<u8> {
    let head = format!(
        "--edge\r\ncontent-type: application/json\r\n\r\n{metadata}\r\n\
         --edge\r\ncontent-type: {content_type}\r\n\r\n"
    );
    [head.as_bytes(), data, b"\r\n--edge--\r\n"].concat()
}

fn local(url: &str) -> String {
    url.trim_start_matches("http://127.0.0.1:9199").to_owned()
}
