//! Environment variables by which SDKs find the services.

use serde_json::json;

use crate::host::addresses::Addresses;
use crate::host::config::Service;
use crate::host::settings::Settings;

/// Environment variables with the services' addresses, for SDKs of every language.
pub(crate) fn variables(addresses: &Addresses, settings: &Settings) -> Vec<(&'static str, String)> {
    let of = |service| addresses.of(service).to_string();
    let project = &settings.project;
    let config = json!({"projectId": project, "storageBucket": settings.bucket()});
    vec![
        ("FIRESTORE_EMULATOR_HOST", of(Service::Firestore)),
        ("FIREBASE_FIRESTORE_EMULATOR_ADDRESS", of(Service::Firestore)),
        ("FIREBASE_AUTH_EMULATOR_HOST", of(Service::Auth)),
        ("FIREBASE_STORAGE_EMULATOR_HOST", of(Service::Storage)),
        ("STORAGE_EMULATOR_HOST", format!("http://{}", of(Service::Storage))),
        ("PUBSUB_EMULATOR_HOST", of(Service::Pubsub)),
        ("CLOUD_EVENTARC_EMULATOR_HOST", format!("http://{}", of(Service::Eventarc))),
        ("EVENTARC_EMULATOR", of(Service::Eventarc)),
        ("CLOUD_TASKS_EMULATOR_HOST", of(Service::Tasks)),
        ("FIREBASE_EMULATOR_HUB", of(Service::Hub)),
        ("GCLOUD_PROJECT", project.clone()),
        ("GOOGLE_CLOUD_PROJECT", project.clone()),
        ("FIREBASE_CONFIG", config.to_string()),
        ("TUCKBOX_URL", addresses.url()),
    ]
}
