//! Release builds embed the application and are rebuilt when it changes; debug builds read it from disk.

use std::io::Write;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout();
    writeln!(out, "cargo::rerun-if-changed=build.rs")?;
    writeln!(out, "cargo::rerun-if-env-changed=PROFILE")?;
    writeln!(out, "cargo::rerun-if-env-changed=TUCKBOX_COMMIT")?;
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        writeln!(out, "cargo::rerun-if-changed=../client/dist")?;
    }
    Ok(())
}
