//! Parts of the Cloud Storage API that administer a cloud: this server refuses them in words.

use docstore::{Code, Error};
use serde_json::{Map, Value};

use crate::http::incoming::Incoming;
use crate::meta::retention;

/// Settings of a bucket that promise to keep or to move files.
const BUCKET_SETTINGS: [&str; 5] =
    ["retentionPolicy", "softDeletePolicy", "autoclass", "defaultEventBasedHold", "objectRetention"];

/// The error for an operation that is not there, by its path.
pub(super) fn operation(path: &[&str]) -> Error {
    let part = match path {
        ["b", _, "o", _, part, ..] | ["b", _, part, ..] => part,
        ["projects", _, part, ..] => part,
        _ => "",
    };
    unimplemented(match part {
        "acl" | "defaultObjectAcl" | "iam" => {
            "Access control lists and IAM policies do not exist here: storage.rules say who may read and write files."
        }
        "hmacKeys" | "serviceAccount" => {
            "HMAC keys and service accounts do not exist here: use the credentials of an administrator."
        }
        "notificationConfigs" => {
            "Notifications by Pub/Sub do not exist here: functions run when files change (onObjectFinalized and the like)."
        }
        "lockRetentionPolicy" => retention::MESSAGE,
        "restore" => SOFT_DELETE,
        "folders" | "managedFolders" => {
            "Folders of their own do not exist here: a folder is what names of files begin with."
        }
        _ => "This server does not offer this operation of the Cloud Storage API.",
    })
}

const SOFT_DELETE: &str =
    "Soft delete does not exist here: a deleted or replaced file is gone, and a backup of the server has it.";

fn unimplemented(message: &str) -> Error {
    Error::new(Code::Unimplemented, "CloudUnimplemented", message)
}

/// The error for a bucket's settings of which this server would not keep the promise; switched off they are harmless.
pub(super) fn bucket_settings(request: &Incoming, given: &Map<String, Value>) -> Option<Error> {
    let by_query = request.flag("enableObjectRetention");
    let setting = BUCKET_SETTINGS.into_iter().find(|name| given.get(*name).is_some_and(retention::is_on));
    Some(unimplemented(match setting {
        None if !by_query => return None,
        Some("softDeletePolicy") => SOFT_DELETE,
        Some("autoclass") => {
            "Autoclass does not exist here: all files lie in one place, and a storage class changes by rewriting."
        }
        _ => retention::MESSAGE,
    }))
}

/// The error for a request for deleted files.
pub(super) fn soft_deleted(request: &Incoming) -> Option<Error> {
    request.flag("softDeleted").then(|| unimplemented(SOFT_DELETE))
}
