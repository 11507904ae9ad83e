//! Parts of `firebase.json` that this server does not have: each is told in one line.

use docstore::access::Mode;
use docstore::{Error, Result};

use super::Settings;
use super::endpoints::names;
use crate::host::config::{FunctionsSection, RewriteTarget, Service};

/// See [`Settings::check_targets`].
pub(super) fn check_targets(settings: &Settings) -> Result<()> {
    let nothing = |text: String| Err(Error::invalid("NoEmulators", text));
    // Outside the suite's commands the hosting port opens, with whatever `--only` chooses.
    if settings.mode == Mode::Serving || !settings.launch.suite && !settings.only.is_empty() {
        return Ok(());
    }
    let firebase = &settings.config.firebase;
    let Some(file) = &settings.config.file else {
        if settings.launch.suite && settings.only.is_empty() {
            return nothing(
                "No emulators to start: there is no firebase.json in this folder or above it; go to the project's folder, name the file with --config FILE, or choose services with --only".to_owned(),
            );
        }
        return Ok(());
    };
    let served = Service::ALL.into_iter().filter(|service| names(&settings.config, *service));
    let served: Vec<_> = served.filter(|service| settings.only.wants(*service)).collect();
    let runs = |service: &Service| match service {
        Service::Database => false,
        Service::Hosting => settings.only.is_empty() || settings.only.names(Service::Hosting),
        Service::Functions => {
            firebase.functions.is_empty() || firebase.functions.iter().any(FunctionsSection::is_node)
        }
        _ => true,
    };
    if served.iter().any(runs) {
        return Ok(());
    }
    let lacking = lacking(settings);
    if lacking.is_empty() && !settings.launch.suite && firebase.is_ours() {
        return Ok(());
    }
    let reason = if !settings.only.is_empty() {
        "firebase.json names nothing that --only chooses".to_owned()
    } else if lacking.is_empty() {
        "it names no product, neither at top level nor under \"emulators\"".to_owned()
    } else {
        lacking.join("; ")
    };
    nothing(format!("No emulators to start: {}: {reason}", file.display()))
}

/// See [`Settings::lacking`].
pub(super) fn lacking(settings: &Settings) -> Vec<String> {
    let (firebase, only) = (&settings.config.firebase, &settings.only);
    let emulators = firebase.emulators.clone().unwrap_or_default();
    let mut lines = Vec::new();
    if settings.mode == Mode::Emulator {
        if names(&settings.config, Service::Database) && only.wants(Service::Database) {
            lines.push(
                "database: Tuckbox has no Realtime Database; its port refuses every request".to_owned(),
            );
        }
        for (key, there, text) in [
            ("dataconnect", firebase.dataconnect.0 || emulators.dataconnect.0, "Tuckbox has no Data Connect"),
            (
                "apphosting",
                firebase.apphosting.0 || emulators.apphosting.0,
                "Tuckbox has no App Hosting; run the application with its own command",
            ),
            ("extensions", firebase.extensions.0, "Tuckbox has no Extensions; their functions do not run"),
        ] {
            if there && only.wants_lacking(key) {
                lines.push(format!("{key}: {text}"));
            }
        }
    }
    if settings.functions {
        let foreign = firebase.functions.iter().filter(|section| !section.is_node());
        lines.extend(foreign.map(|section| {
            let (name, runtime) = (section.codebase.as_deref(), section.runtime.as_deref());
            let name = name.map(|name| format!(" of codebase {name}")).unwrap_or_default();
            format!(
                "functions: Tuckbox runs functions for Node.js alone; those{name} ({}) are left out",
                runtime.unwrap_or_default()
            )
        }));
    }
    lines.extend(hosting(settings));
    lines
}

fn hosting(settings: &Settings) -> Vec<String> {
    let mut lines = Vec::new();
    for site in &settings.sites {
        let name = site.name().map(|name| format!(" {name}")).unwrap_or_default();
        if site.source.is_some()
            && let Some(reason) = site.absent
        {
            lines.push(format!("hosting{name}: {}", reason.trim_end_matches('.')));
        }
        if site.i18n.0 {
            lines.push(format!("hosting{name}: i18n is left out; pages are served in one language"));
        }
        let elsewhere = |rewrite: &crate::host::config::Rewrite| match &rewrite.target {
            RewriteTarget::Elsewhere(to) => Some(to.clone()),
            RewriteTarget::File(_) | RewriteTarget::Function { .. } => None,
        };
        let mut elsewhere: Vec<_> = site.rewrites.iter().filter_map(elsewhere).collect();
        elsewhere.dedup();
        if !elsewhere.is_empty() {
            let list = elsewhere.join(", ");
            lines.push(format!("hosting{name}: rewrites to {list} are answered with 501"));
        }
    }
    lines
}
