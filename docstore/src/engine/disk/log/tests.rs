use proptest::prelude::*;

use super::super::sim_files::SimFiles;
use super::*;
use crate::engine::Put;

fn commit(prev: u64, ts: u64, size: usize) -> Arc<Commit> {
    let put = Put { key: vec![1; 9], value: Some(vec![7; size].into()) };
    Arc::new(Commit {
        prev: Ts::from_micros(prev),
        ts: Ts::from_micros(ts),
        changes: Vec::new(),
        author: crate::engine::Author::Unknown,
        backfill: None,
        puts: vec![put],
        weight: 0,
    })
}

fn log_in(files: &SimFiles) -> Result<Log<SimFiles>> {
    let folder = lock::begin(files, Ts::ZERO)?;
    Log::open(Arc::new(files.clone()), folder, 64 << 20)
}

fn replayed(files: &SimFiles) -> Result<Vec<u64>> {
    let mut log = log_in(files)?;
    let mut found = Vec::new();
    log.replay(Ts::ZERO, |commits| {
        found.extend(commits.iter().map(|commit| commit.ts.micros()));
        Ok(())
    })?;
    Ok(found)
}

const FIRST: &str = "log/00000000000000000000.seg";
const FIRST_V1: &str = "log/00000000000000000000.log";

/// A data folder of format 1: `commits` in one segment, followed by `tail`.
fn folder_v1(commits: &[Arc<Commit>], tail: &[u8]) -> SimFiles {
    let files = SimFiles::default();
    files.replace("", "FORMAT", b"tuckbox 1 begins 0\n").unwrap();
    let mut bytes = Vec::new();
    for commit in commits {
        let at = bytes.len();
        record::write(&mut bytes, std::slice::from_ref(commit), Binding::None, at);
    }
    bytes.extend_from_slice(tail);
    let mut file = files.create(FIRST_V1).unwrap();
    file.write(&bytes).unwrap();
    file.sync().unwrap();
    files.sync_folder(FOLDER).unwrap();
    files
}

fn holding(prev: u64, ts: u64, bytes: Vec<u8>) -> Arc<Commit> {
    let put = Put { key: vec![1; 9], value: Some(bytes.into()) };
    Arc::new(Commit::new(Ts::from_micros(prev), Ts::from_micros(ts), Vec::new(), None, vec![put]))
}

/// Records that a visitor could have stored: an empty one, older ones, and newer ones with and without the nonce of
/// another segment.
fn forged() -> Vec<Vec<u8>> {
    let mut all = vec![[record::MAGIC.as_slice(), &[0; 8]].concat()];
    for (prev, ts) in [(0, 1), (2, 3), (5, 9)] {
        for binding in [Binding::None, Binding::Nonce([7; 16]), Binding::Nonce([0; 16])] {
            let mut bytes = segment::header([7; 16]).to_vec();
            record::write(&mut bytes, &[commit(prev, ts, 10)], binding, SEGMENT_HEADER);
            all.push(bytes);
        }
    }
    all
}

#[test]
fn bytes_of_users_in_a_torn_tail_are_no_records() {
    for bytes in forged() {
        let files = SimFiles::default();
        let mut log = log_in(&files).unwrap();
        log.append(&[commit(0, 1, 10)]).unwrap();
        log.append(&[holding(1, 2, bytes)]).unwrap();
        let end = usize::try_from(log.segments[0].bytes).unwrap();
        files.damage(FIRST, end - 1);
        assert_eq!(log_in(&files).unwrap().whole_until().unwrap(), Ts::from_micros(1));
        assert_eq!(replayed(&files).unwrap(), [1]);
    }
}

#[test]
fn older_records_of_users_in_a_torn_tail_of_format_1_are_no_records() {
    let empty = [record::MAGIC.as_slice(), &[0; 8]].concat();
    let mut older = Vec::new();
    record::write(&mut older, &[commit(0, 1, 10)], Binding::None, 0);
    for bytes in [empty, older] {
        let files = folder_v1(&[commit(0, 1, 10), holding(1, 2, bytes)], b"");
        let end = usize::try_from(files.size(FIRST_V1).unwrap()).unwrap();
        files.damage(FIRST_V1, end - 1);
        assert_eq!(replayed(&files).unwrap(), [1]);
    }
}

#[test]
fn a_log_of_format_1_goes_on_in_format_2() {
    for (commits, tail) in
        [(vec![commit(0, 1, 10), commit(1, 2, 10)], &b""[..]), (vec![], b""), (vec![], b"TBX1torn")]
    {
        let files = folder_v1(&commits, tail);
        let newest = commits.last().map_or(0, |commit| commit.ts.micros());
        let expected = (1..=newest).collect::<Vec<_>>();
        assert_eq!(replayed(&files).unwrap(), expected);
        assert_eq!(files.read("FORMAT").unwrap(), b"tuckbox 1 begins 0\n", "an open alone upgrades nothing");

        let mut log = log_in(&files).unwrap();
        log.replay(Ts::ZERO, |_| Ok(())).unwrap();
        log.append(&[commit(newest, newest + 1, 10)]).unwrap();
        log.append(&[commit(newest + 1, newest + 2, 10)]).unwrap();
        assert_eq!(files.read("FORMAT").unwrap(), b"tuckbox 2 begins 0\n");
        assert_eq!(replayed(&files).unwrap(), (1..=newest + 2).collect::<Vec<_>>());
        let found = files.after_power_cut(|_| 0);
        assert_eq!(replayed(&found).unwrap(), (1..=newest + 2).collect::<Vec<_>>());
    }
}

/// At whatever operation the power is cut, no folder marked as version 1 holds a segment of format 2.
#[test]
fn the_folder_says_2_before_it_holds_a_segment_of_format_2() {
    for fuse in 0..20 {
        let files = folder_v1(&[commit(0, 1, 10)], b"");
        let mut log = log_in(&files).unwrap();
        log.replay(Ts::ZERO, |_| Ok(())).unwrap();
        files.cut_after(fuse);
        let appended = log.append(&[commit(1, 2, 10)]).is_ok();
        let found = files.after_power_cut(|unsynced| unsynced);
        let bound = found.list(FOLDER).unwrap().iter().any(|name| name.ends_with(".seg"));
        assert!(!bound || found.read("FORMAT").unwrap().starts_with(b"tuckbox 2"));
        let times = replayed(&found).unwrap();
        assert!(times == [1, 2] || (times == [1] && !appended), "{times:?}");
    }
}

/// Missing commits are detected by the view, the checkpoint and snapshots.
#[test]
fn a_segment_that_was_cut_within_its_header_is_replaced() {
    for len in 0..SEGMENT_HEADER as u64 {
        let files = SimFiles::default();
        log_in(&files).unwrap().append(&[commit(0, 1, 10)]).unwrap();
        files.reopen(FIRST, len).unwrap();
        let mut log = log_in(&files).unwrap();
        assert_eq!(log.whole_until().unwrap(), Ts::ZERO);
        log.replay(Ts::ZERO, |_| Ok(())).unwrap();
        log.append(&[commit(0, 1, 20)]).unwrap();
        log.append(&[commit(1, 2, 20)]).unwrap();
        assert_eq!(replayed(&files).unwrap(), [1, 2]);
    }
}

#[test]
fn a_damaged_header_is_told() {
    let whole = SimFiles::default();
    log_in(&whole).unwrap().append(&[commit(0, 1, 10)]).unwrap();
    for at in 0..SEGMENT_HEADER {
        let files = whole.after_power_cut(|_| 0);
        files.damage(FIRST, at);
        assert_eq!(replayed(&files).unwrap_err().tag(), "LogDamaged", "byte {at}");
    }
}

proptest! {
    /// At any point of the cut, and whichever part of the tail survives it, every acknowledged batch is there and
    /// nothing is there that was not appended.
    #[test]
    fn a_power_cut_loses_nothing_acknowledged(
        sizes in proptest::collection::vec(0usize..400, 1..30), fuse in 0u64..90, luck in any::<u64>()
    ) {
        let files = SimFiles::default();
        let mut log = log_in(&files).unwrap();
        files.cut_after(fuse);
        let mut acknowledged = 0;
        for (index, size) in sizes.iter().enumerate() {
            let prev = index as u64;
            if log.append(&[commit(prev, prev + 1, *size)]).is_err() {
                break;
            }
            acknowledged = prev + 1;
        }
        let found = files.after_power_cut(|unsynced| usize::try_from(luck).unwrap_or(0) % (unsynced + 1));
        let times = replayed(&found).unwrap();
        prop_assert!(times.len() as u64 >= acknowledged);
        prop_assert!(times.len() as u64 <= acknowledged + 1);
        prop_assert!(times.iter().enumerate().all(|(index, ts)| *ts == index as u64 + 1));
    }

    /// Damage is truncated only where no good record lies behind it.
    #[test]
    fn damage_before_good_records_is_told(at in 0usize..2_000) {
        let files = SimFiles::default();
        let mut log = log_in(&files).unwrap();
        let mut ends = Vec::new();
        for ts in 1..=5 {
            log.append(&[commit(ts - 1, ts, 100)]).unwrap();
            ends.push(log.segments[0].bytes);
        }
        files.damage(FIRST, at);
        let result = replayed(&files);
        let at = at as u64;
        if at >= ends[4] {
            prop_assert_eq!(result.unwrap(), vec![1, 2, 3, 4, 5]);
        } else if at >= ends[3] {
            prop_assert_eq!(result.unwrap(), vec![1, 2, 3, 4]);
        } else {
            prop_assert_eq!(result.unwrap_err().tag(), "LogDamaged");
        }
    }
}
