//! The `emulators` block: services with a port of their own.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};

use super::Mentioned;

/// A service that can have a port of its own. Every port serves every service; only the response to `GET /` differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Service {
    /// The application and static sites; always open.
    Hosting,
    /// Callable functions.
    Functions,
    /// The document database.
    Firestore,
    /// Accounts.
    Auth,
    /// Files.
    Storage,
    /// The emulator hub, which lists the other services.
    Hub,
    /// The console.
    Ui,
    /// Topics.
    Pubsub,
    /// Events published by name.
    Eventarc,
    /// Task queues.
    Tasks,
    /// The Realtime Database, which is not served: its port refuses every request in words.
    Database,
}

impl Service {
    /// All services, the hosting port first.
    pub const ALL: [Self; 11] = [
        Self::Hosting,
        Self::Functions,
        Self::Firestore,
        Self::Auth,
        Self::Storage,
        Self::Hub,
        Self::Ui,
        Self::Pubsub,
        Self::Eventarc,
        Self::Tasks,
        Self::Database,
    ];

    /// Its key in the `emulators` block.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Hosting => "hosting",
            Self::Functions => "functions",
            Self::Firestore => "firestore",
            Self::Auth => "auth",
            Self::Storage => "storage",
            Self::Hub => "hub",
            Self::Ui => "ui",
            Self::Pubsub => "pubsub",
            Self::Eventarc => "eventarc",
            Self::Tasks => "tasks",
            Self::Database => "database",
        }
    }

    /// Its default port.
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Hosting => 5000,
            Self::Functions => 5001,
            Self::Firestore => 8080,
            Self::Auth => 9099,
            Self::Storage => 9199,
            Self::Hub => 4400,
            Self::Ui => 4000,
            Self::Pubsub => 8085,
            Self::Eventarc => 9299,
            Self::Tasks => 9499,
            Self::Database => 9000,
        }
    }
}

/// A TCP port; 0 for any free one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Port(pub u16);

impl<'de> Deserialize<'de> for Port {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PortVisitor;

        impl Visitor<'_> for PortVisitor {
            type Value = Port;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a port number from 0 to 65535")
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Port, E> {
                let port = u16::try_from(value);
                port.map(Port).map_err(|_| E::invalid_value(de::Unexpected::Unsigned(value), &self))
            }

            // As text the official suite reads the digits at its beginning.
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Port, E> {
                let digits = text.trim_start();
                let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
                let port = digits[..end].parse();
                port.map(Port).map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_any(PortVisitor)
    }
}

/// Settings of one service.
#[derive(Debug, Clone, Default, serde::Deserialize)]
#[serde(expecting = "an object such as {\"port\": 8080}")]
pub struct ServicePort {
    /// The port; the service's default if missing.
    pub port: Option<Port>,
    /// Address or host name to listen on.
    pub host: Option<String>,
}

/// Settings of the console, which can be switched off.
#[derive(Debug, Clone, Default, serde::Deserialize)]
#[serde(expecting = "an object such as {\"enabled\": true, \"port\": 4000}")]
pub struct UiPort {
    /// True if it has a port; default true.
    pub enabled: Option<bool>,
    /// The port; default 4000.
    pub port: Option<Port>,
    /// Address or host name to listen on.
    pub host: Option<String>,
}

/// The whole block.
#[derive(Debug, Clone, Default, serde::Deserialize)]
pub struct Emulators {
    hosting: Option<ServicePort>,
    functions: Option<ServicePort>,
    firestore: Option<ServicePort>,
    auth: Option<ServicePort>,
    storage: Option<ServicePort>,
    hub: Option<ServicePort>,
    ui: Option<UiPort>,
    pubsub: Option<ServicePort>,
    eventarc: Option<ServicePort>,
    tasks: Option<ServicePort>,
    database: Option<ServicePort>,
    /// Data Connect, which this server lacks.
    #[serde(default)]
    pub dataconnect: Mentioned,
    /// App Hosting, which this server lacks.
    #[serde(default)]
    pub apphosting: Mentioned,
}

impl Emulators {
    /// True if the console is switched off.
    pub fn hides_ui(&self) -> bool {
        self.ui.as_ref().is_some_and(|ui| ui.enabled == Some(false))
    }

    /// The settings of `service`; `None` if it is not listed or switched off.
    pub fn service(&self, service: Service) -> Option<ServicePort> {
        match service {
            Service::Hosting => self.hosting.clone(),
            Service::Functions => self.functions.clone(),
            Service::Firestore => self.firestore.clone(),
            Service::Auth => self.auth.clone(),
            Service::Storage => self.storage.clone(),
            Service::Hub => self.hub.clone(),
            Service::Pubsub => self.pubsub.clone(),
            Service::Eventarc => self.eventarc.clone(),
            Service::Tasks => self.tasks.clone(),
            Service::Database => self.database.clone(),
            Service::Ui => self
                .ui
                .clone()
                .filter(|ui| ui.enabled != Some(false))
                .map(|ui| ServicePort { port: ui.port, host: ui.host }),
        }
    }
}
