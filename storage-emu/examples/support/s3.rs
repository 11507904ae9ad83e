//! An S3-compatible service over a folder, for tests: one bucket, one pair of keys, any free port.

use std::path::Path;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use tokio::net::TcpListener;

/// The bucket that is there.
pub(crate) const BUCKET: &str = "tuckbox";
/// The region it says it is in.
pub(crate) const REGION: &str = "us-east-1";
/// The access key id and its secret.
pub(crate) const KEYS: (&str, &str) = ("test", "test-secret");

/// Serves `folder` in the background and returns the address.
pub(crate) async fn serve(folder: &Path) -> Result<String, Box<dyn std::error::Error>> {
    std::fs::create_dir_all(folder.join(BUCKET))?;
    let files = s3s_fs::FileSystem::new(folder).map_err(|error| format!("{error:?}"))?;
    let mut builder = S3ServiceBuilder::new(files);
    builder.set_auth(SimpleAuth::from_single(KEYS.0, KEYS.1));
    let service = builder.build();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let endpoint = format!("http://{}", listener.local_addr()?);
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            // Otherwise the end of every reply waits for the client's delayed acknowledgement.
            _ = connection.set_nodelay(true);
            let service = service.clone();
            tokio::spawn(async move {
                _ = Builder::new(TokioExecutor::new())
                    .serve_connection(TokioIo::new(connection), service)
                    .await;
            });
        }
    });
    Ok(endpoint)
}
