//! Environment variables by which SDKs find the services.

use serde_json::json;

use crate::host::addresses::Addresses;
use crate::host::config::Service;
use crate::host::settings::Settings;

/// Environment variables with the services' addresses, for SDKs of every language.
pub(crate) fn variables(addresses: &Addresses, settings: &Settings) -> Vec<(&'static str, String)> {
    let project = &settings.project;
    let mut config = json!({"projectId": project, "storageBucket": settings.bucket()});
    if let Some(database) = addresses.own(Service::Database) {
        config["databaseURL"] = json!(format!("http://{database}/?ns={project}-default-rtdb"));
    }
    let mut variables: Vec<_> =
        of_services(addresses).into_iter().map(|(_, name, value)| (name, value)).collect();
    variables.extend([
        ("GCLOUD_PROJECT", project.clone()),
        ("GOOGLE_CLOUD_PROJECT", project.clone()),
        ("FIREBASE_CONFIG", config.to_string()),
        ("TUCKBOX_URL", addresses.url()),
    ]);
    variables
}

/// Names of variables with addresses of services that have no port of their own.
pub(crate) fn without_ports(addresses: &Addresses) -> Vec<&'static str> {
    let all = of_services(addresses).into_iter();
    all.filter(|(service, ..)| addresses.own(*service).is_none()).map(|(_, name, _)| name).collect()
}

fn of_services(addresses: &Addresses) -> Vec<(Service, &'static str, String)> {
    let bare = |service, name| (service, name, addresses.of(service).to_string());
    let url = |service, name| (service, name, format!("http://{}", addresses.of(service)));
    let mut all = vec![
        bare(Service::Firestore, "FIRESTORE_EMULATOR_HOST"),
        bare(Service::Firestore, "FIREBASE_FIRESTORE_EMULATOR_ADDRESS"),
        bare(Service::Auth, "FIREBASE_AUTH_EMULATOR_HOST"),
        bare(Service::Storage, "FIREBASE_STORAGE_EMULATOR_HOST"),
        url(Service::Storage, "STORAGE_EMULATOR_HOST"),
        bare(Service::Pubsub, "PUBSUB_EMULATOR_HOST"),
        url(Service::Eventarc, "CLOUD_EVENTARC_EMULATOR_HOST"),
        bare(Service::Eventarc, "EVENTARC_EMULATOR"),
        bare(Service::Tasks, "CLOUD_TASKS_EMULATOR_HOST"),
        bare(Service::Hub, "FIREBASE_EMULATOR_HUB"),
    ];
    // Its port refuses calls that would otherwise go to the cloud.
    if addresses.own(Service::Database).is_some() {
        all.push(bare(Service::Database, "FIREBASE_DATABASE_EMULATOR_HOST"));
    }
    all
}
