//! Checks of `tuckbox doctor` outside the program: disk, clock, mail server, and the service that holds the files.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use auth_emu::mail::Mail;
use bytes::Bytes;
use docstore::access::Mode;
use docstore::clock::{Clock, SystemClock};
use docstore::{Code, Error, Result};
use storage_emu::blobs::Blobs;

use super::doctor::Finding;
use crate::host::clock::shown;
use crate::host::machine::disk::free;
use crate::host::settings::{Data, Settings};
use crate::host::words::size;
use crate::server::services::blob_options;

/// Most writes of the disk's test, and the longest time that they take.
const DISK_WRITES: u32 = 200;
const DISK_TIME: Duration = Duration::from_secs(2);
/// Bytes of each, about those of a commit.
const DISK_WRITE_BYTES: usize = 4_096;
/// Fewer writes a second than this cause a warning: each batch of commits waits for one.
const SLOW_DISK: f64 = 50.0;
/// Less free space than this causes a warning.
const LITTLE_SPACE: u64 = 2 << 30;
/// The clock of a server shows no time before the first release: 2026-11-21.
const FIRST_RELEASE_MICROS: u64 = 1_795_219_200_000_000;
/// Time limit for the service of the files to answer.
const SERVICE_TIME: Duration = Duration::from_secs(40);

/// Checks everything around the server; with `mail`, sends a message to that address.
pub(super) async fn check(settings: &Settings, mail: Option<&str>) -> Vec<Finding> {
    let mut findings = disk(settings).await;
    findings.push(clock(&SystemClock));
    if settings.mode == Mode::Serving || mail.is_some() {
        findings.push(mail_server(settings, mail).await);
    }
    findings.extend(file_service(settings).await);
    findings
}

async fn disk(settings: &Settings) -> Vec<Finding> {
    let Data::Folder(path) = &settings.data else { return Vec::new() };
    // A folder that will be made lies on the disk of the one around it.
    let Some(folder) = path.ancestors().find(|folder| folder.is_dir()).map(Path::to_owned) else {
        return Vec::new();
    };
    let measured = {
        let folder = folder.clone();
        tokio::task::spawn_blocking(move || Ok((writes_a_second(&folder)?, free(&folder)?))).await
    };
    match measured.map_err(io::Error::other).and_then(|measured: io::Result<_>| measured) {
        Ok((writes, free)) => vec![speed(writes), space(free)],
        Err(error) => {
            let text = format!("{} cannot be written: {error}", folder.display());
            vec![Finding::damage("disk", text)]
        }
    }
}

fn speed(writes: f64) -> Finding {
    let text = format!("it takes {writes:.0} small writes a second, one after another");
    if writes < SLOW_DISK {
        Finding::advice(
            "disk",
            format!("{text}; each save waits for one: use a local disk, an SSD if possible"),
        )
    } else {
        Finding::fine("disk", text)
    }
}

fn space(free: u64) -> Finding {
    let text = format!("{} are free", size(free));
    if free < LITTLE_SPACE {
        Finding::advice("disk", format!("{text}: saving stops once it is full"))
    } else {
        Finding::fine("disk", text)
    }
}

/// Rate at which small writes reach the disk of a folder. Leaves nothing there.
fn writes_a_second(folder: &Path) -> io::Result<f64> {
    let probe = Probe::create(folder)?;
    let bytes = [0x5A; DISK_WRITE_BYTES];
    let (begun, mut writes) = (Instant::now(), 0);
    while writes < DISK_WRITES && begun.elapsed() < DISK_TIME {
        (&probe.file).write_all(&bytes)?;
        probe.file.sync_data()?;
        writes += 1;
    }
    Ok(f64::from(writes) / begun.elapsed().as_secs_f64())
}

/// A file that goes with the value.
struct Probe {
    file: File,
    path: PathBuf,
}

impl Probe {
    fn create(folder: &Path) -> io::Result<Self> {
        let path = folder.join(format!(".tuckbox-doctor-{}", std::process::id()));
        Ok(Self { file: File::create_new(&path)?, path })
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        // A file that is left behind is small and says whose it is.
        drop(fs::remove_file(&self.path));
    }
}

fn clock(clock: &dyn Clock) -> Finding {
    let now = clock.now();
    let text = format!("it is {}", shown(now));
    if now.micros() < FIRST_RELEASE_MICROS {
        Finding::damage(
            "clock",
            format!("{text} by the clock of this machine, which is wrong: set it, or sign-in fails"),
        )
    } else {
        Finding::fine("clock", text)
    }
}

async fn mail_server(settings: &Settings, address: Option<&str>) -> Finding {
    let Some(section) = &settings.config.firebase.tuckbox.mail else {
        let text =
            "no mail server: `tuckbox outbox` shows what would be sent; set tuckbox.mail in firebase.json";
        return match address {
            Some(_) => Finding::damage("mail", text),
            None => Finding::advice("mail", text),
        };
    };
    let mailer = match section.mailer(|name| std::env::var(name).ok()) {
        Ok(mailer) => mailer,
        Err(error) => return Finding::wrong("mail", &error),
    };
    let Some(address) = address else {
        return Finding::fine("mail", format!("sent as {}; `--mail ADDRESS` tries it", section.from));
    };
    let mail = Mail {
        to: address.to_owned(),
        subject: "A test message of Tuckbox".to_owned(),
        text: "Hello,\n\nthis server can send mail.\n".to_owned(),
    };
    match mailer.send(mail).await {
        Ok(()) => Finding::fine("mail", format!("the mail server took a message to {address}")),
        Err(error) => Finding::wrong("mail", &error),
    }
}

async fn file_service(settings: &Settings) -> Option<Finding> {
    let bucket = &settings.config.firebase.tuckbox.files.s3.as_ref()?.bucket;
    let tried = tokio::time::timeout(SERVICE_TIME, written_and_read(settings)).await;
    let tried = tried.unwrap_or_else(|_late| {
        let text = format!("the bucket {bucket} gave no answer within {} s", SERVICE_TIME.as_secs());
        Err(Error::new(Code::Unavailable, "BlobsLate", text))
    });
    Some(match tried {
        Ok(()) => {
            Finding::fine("files", format!("objects can be written to the bucket {bucket}, read and removed"))
        }
        Err(error) => Finding::wrong_with_cause("files", &error),
    })
}

/// Writes a small object into the bucket, reads it and removes it.
async fn written_and_read(settings: &Settings) -> Result<()> {
    let blobs = Blobs::open(&blob_options(settings, None), Arc::new(SystemClock))?;
    // Should it stay, a sweep removes it.
    let key = format!("staging/doctor-{:016x}", SystemClock.now().micros());
    let bytes = Bytes::from_static(b"tuckbox doctor");
    blobs.write_small(&key, bytes.clone()).await?;
    let read = blobs.read_small(&key).await;
    blobs.remove(&key).await?;
    if read?.is_some_and(|read| read == bytes) {
        return Ok(());
    }
    Err(Error::new(Code::DataLoss, "BlobsDiffer", "what was written to the bucket does not come back"))
}

#[cfg(test)]
mod tests {
    use docstore::clock::ManualClock;
    use docstore::model::Ts;

    use super::*;

    #[test]
    fn a_clock_before_the_first_release_is_wrong() {
        let at = |micros| clock(&ManualClock::new(Ts::from_micros(micros)));
        assert!(at(0).is_wrong());
        assert!(at(FIRST_RELEASE_MICROS - 1).is_wrong());
        assert!(!at(FIRST_RELEASE_MICROS).is_wrong());
    }

    #[test]
    fn the_disk_is_measured_without_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        assert!(writes_a_second(folder.path()).unwrap() > 0.0);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(writes_a_second(&folder.path().join("none")).is_err());
    }
}
