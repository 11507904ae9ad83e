//! The power goes: what a disk would hold at that moment is an image of its own, and everything acknowledged must be
//! found on it.
//!
//! The data folder lies on an ext4 in a loop-mounted image. The victim is stopped at a random moment and the image is
//! copied: what the victim or the file system had not forced out is not on the copy. Mounting the copy replays its
//! journal, as after a real cut. Needs root and a loop device; where there is none the test says so and does nothing.

use super::*;

/// The size of the disk, in bytes; the image is sparse.
const DISK: u64 = 3 << 30;

/// A mounted file system, unmounted when dropped.
struct Mounted<'a>(&'a Path);

impl<'a> Mounted<'a> {
    fn new(image: &Path, at: &'a Path) -> Result<Self, String> {
        std::fs::create_dir_all(at).unwrap();
        tell("mount", &["-o", "loop", image.to_str().unwrap(), at.to_str().unwrap()])?;
        Ok(Self(at))
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        if let Err(why) = tell("umount", &[self.0.to_str().unwrap()]) {
            println!("{} stays mounted: {why}", self.0.display());
        }
    }
}

fn tell(program: &str, arguments: &[&str]) -> Result<(), String> {
    let output =
        Command::new(program).args(arguments).output().map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{program} {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim()))
}

/// Stops a process and waits until all of it stands still.
fn stop(child: &Child) {
    let id = child.id().to_string();
    tell("kill", &["-STOP", &id]).unwrap();
    let stopped = |task: &Path| {
        std::fs::read_to_string(task.join("stat"))
            .is_ok_and(|stat| stat.rsplit(") ").next().is_some_and(|s| s.starts_with('T')))
    };
    let tasks = || std::fs::read_dir(format!("/proc/{id}/task")).unwrap().map(|task| task.unwrap().path());
    while !tasks().all(|task| stopped(&task)) {
        std::thread::yield_now();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_power_cut_loses_nothing() {
    let rounds = number("DOCSTORE_POWER_ROUNDS").unwrap_or(1);
    let home = tempfile::tempdir().unwrap();
    let (image, copy) = (home.path().join("disk.img"), home.path().join("copy.img"));
    let (disk, found) = (home.path().join("disk"), home.path().join("found"));
    std::fs::File::create(&image).unwrap().set_len(DISK).unwrap();
    let mounted =
        tell("mkfs.ext4", &["-q", "-F", image.to_str().unwrap()]).and_then(|()| Mounted::new(&image, &disk));
    let _disk = match mounted {
        Ok(mounted) => mounted,
        Err(why) => {
            println!("SKIPPED: NO POWER WAS CUT. This test needs root and a loop device: {why}");
            return;
        }
    };
    let mut chance = StdRng::seed_from_u64(seed());
    let mut acknowledged = Acknowledged::new();
    let mut total = 0;
    for round in 0..rounds {
        let wanted = chance.random_range(1..600);
        total += victimise(&disk.join("data"), round, wanted, &mut acknowledged, |child| {
            stop(child);
            let (from, to) = (image.to_str().unwrap(), copy.to_str().unwrap());
            tell("cp", &["--sparse=always", from, to]).unwrap();
            child.kill().unwrap();
        });
        let _found = Mounted::new(&copy, &found).unwrap();
        verify(&found.join("data"), &acknowledged).await;
    }
    println!("{rounds} power cuts, {total} acknowledged, 0 lost");
}
