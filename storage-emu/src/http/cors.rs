//! The cross-origin policy of file storage.

use tuckbox_cors::{Policy, Preflights, WithoutOrigin};

/// Every origin may call, since nothing here uses cookies.
pub(crate) const CORS: Policy = Policy {
    methods: "GET, HEAD, PUT, PATCH, POST, DELETE",
    max_age: "3600",
    exposed: "content-type, content-length, content-range, etag, x-firebase-storage-version, \
        x-goog-upload-size-received, x-goog-upload-url, x-goog-upload-command, x-gupload-uploadid, \
        x-goog-upload-header-content-length, x-goog-upload-header-content-type, x-goog-upload-protocol, \
        x-goog-upload-status, x-goog-upload-chunk-granularity, x-goog-upload-control-url, x-goog-generation, \
        x-goog-metageneration, x-goog-hash, location, range",
    credentials: false,
    private_network: true,
    preflights: Preflights::Options,
    without_origin: WithoutOrigin::Any,
    vary: "Origin",
    vary_preflight: "",
};
