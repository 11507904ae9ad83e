//! Memory of this machine, or of the container that the server runs in.

use std::path::{Path, PathBuf};

/// Folder of the kernel's files, except in tests.
const ROOT: &str = "/";

/// Memory that this process and its children may take together, in bytes: that of the machine, or the smallest limit of
/// the control groups (version 1 or 2) it is in. `None` if the system does not tell.
pub(crate) fn total() -> Option<u64> {
    total_below(Path::new(ROOT))
}

fn total_below(root: &Path) -> Option<u64> {
    let read = |path: PathBuf| std::fs::read_to_string(path).ok();
    let machine = read(root.join("proc/meminfo")).as_deref().and_then(machine);
    let groups = read(root.join("proc/self/cgroup")).unwrap_or_default();
    // The file of an unlimited group holds a word, or a number beyond the machine's memory.
    let limits = limit_files(&groups)
        .filter_map(|file| read(root.join("sys/fs/cgroup").join(file))?.trim().parse::<u64>().ok());
    limits.chain(machine).min()
}

fn machine(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1 << 10)
}

/// Files below `/sys/fs/cgroup` that may limit this process: of each group it is in and of the groups around that. A
/// container sees its own group as the outermost one, whatever its path is outside.
fn limit_files(groups: &str) -> impl Iterator<Item = PathBuf> {
    groups.lines().flat_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        let (hierarchy, file) = if controllers.is_empty() {
            (Some(""), "memory.max")
        } else {
            let memory = controllers.split(',').any(|controller| controller == "memory");
            (memory.then_some("memory"), "memory.limit_in_bytes")
        };
        let path = Path::new(path.trim_start_matches('/'));
        let clean = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        let around: Vec<PathBuf> =
            if clean { path.ancestors().map(Path::to_owned).collect() } else { Vec::new() };
        let below = move |hierarchy: &str| {
            let hierarchy = PathBuf::from(hierarchy);
            around.into_iter().map(move |group| hierarchy.join(group).join(file)).collect::<Vec<_>>()
        };
        hierarchy.map(below).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::total_below;

    const MEMINFO: &str = "MemTotal:        4194304 kB\nMemFree:          1000 kB\n";

    /// A system with these files.
    fn system(files: &[(&str, &str)]) -> TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let file = root.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        root
    }

    #[test]
    fn the_smallest_limit_around_the_process_counts() {
        let total = |files: &[(&str, &str)]| {
            let mut all = vec![("proc/meminfo", MEMINFO)];
            all.extend(files);
            total_below(system(&all).path())
        };
        let machine = Some(4 << 30);
        assert_eq!(total(&[]), machine);
        let unified = ("proc/self/cgroup", "0::/system.slice/tuckbox.service\n");
        assert_eq!(total(&[unified]), machine);
        assert_eq!(
            total(&[unified, ("sys/fs/cgroup/system.slice/tuckbox.service/memory.max", "max\n")]),
            machine
        );
        let slice = ("sys/fs/cgroup/system.slice/memory.max", "2147483648\n");
        assert_eq!(total(&[unified, slice]), Some(2 << 30));
        let own = ("sys/fs/cgroup/system.slice/tuckbox.service/memory.max", "1073741824\n");
        assert_eq!(total(&[unified, slice, own]), Some(1 << 30));
        // A container with a view of its own group alone.
        assert_eq!(
            total(&[("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/memory.max", "536870912\n")]),
            Some(1 << 29)
        );
        let first = ("proc/self/cgroup", "9:cpu,cpuacct:/\n4:memory:/docker/f0\n0::/\n");
        assert_eq!(
            total(&[first, ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n")]),
            machine
        );
        assert_eq!(
            total(&[first, ("sys/fs/cgroup/memory/docker/f0/memory.limit_in_bytes", "268435456")]),
            Some(1 << 28)
        );
        assert_eq!(
            total(&[first, ("sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456")]),
            Some(1 << 28)
        );
    }

    #[test]
    fn a_system_that_does_not_tell_has_no_total() {
        assert_eq!(total_below(system(&[]).path()), None);
        assert_eq!(
            total_below(system(&[("proc/meminfo", "MemTotal: many kB"), ("proc/self/cgroup", "x")]).path()),
            None
        );
    }
}
