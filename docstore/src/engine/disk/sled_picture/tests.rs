use super::*;
use crate::engine::{Put, Scan};
use crate::model::Ts;

fn put(key: &[u8], value: Option<Vec<u8>>) -> Put {
    Put { key: key.to_vec(), value: value.map(Into::into) }
}

fn insert(picture: &SledPicture, at: u64, puts: &[Put]) {
    let versions = VersionMap::default();
    versions.insert([(Ts::from_micros(at), puts)]);
    picture.insert(&versions).unwrap();
}

#[test]
fn values_of_every_size_come_back_and_are_forgotten_whole() {
    let folder = tempfile::tempdir().unwrap();
    let picture = SledPicture::open(folder.path(), 1 << 24).unwrap();
    for (index, size) in [0, 1, CHUNK_BYTES, CHUNK_BYTES + 1, 1 << 20].into_iter().enumerate() {
        let key = [1, u8::try_from(index).unwrap()];
        for at in 1..=3 {
            let value = (0..size).map(|n| u8::try_from((n + at) % 251).unwrap()).collect::<Vec<_>>();
            insert(&picture, at as u64, &[put(&key, Some(value.clone()))]);
            let found = picture.get(&key, Ts::from_micros(at as u64)).unwrap();
            assert_eq!(found.unwrap().as_ref(), value);
        }
    }
    let found = picture.forget(&Key::new(), Ts::from_micros(3), 1_000).unwrap();
    assert_eq!(found.dead.len(), 10);
    let gone = (0..5).map(|n| put(&[1, n], None)).collect::<Vec<_>>();
    insert(&picture, 4, &gone);
    picture.forget(&Key::new(), Ts::from_micros(9), 1_000).unwrap();
    assert_eq!((picture.blocks.len(), picture.chunks.len()), (0, 0));
}

#[test]
fn a_partial_snapshot_of_sled_does_not_stop_it() {
    let folder = tempfile::tempdir().unwrap();
    let picture = SledPicture::open(folder.path(), 1 << 24).unwrap();
    insert(&picture, 1, &[put(b"key", Some(b"value".to_vec()))]);
    assert!(picture.sync().unwrap());
    drop(picture);
    fs::write(folder.path().join("snap.9999999999999999.generating"), b"half").unwrap();
    let picture = SledPicture::open(folder.path(), 1 << 24).unwrap();
    let range = KeyRange::prefix(b"k");
    let scan =
        Scan { range: &range, at: Ts::MAX, direction: ScanDirection::Backward, limit: 9, values: true };
    let page = picture.scan(&scan).unwrap();
    assert_eq!(page.entries, [(b"key".to_vec(), Stored::from(*b"value"))]);
}

#[test]
fn a_picture_of_an_older_layout_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let older = sled::open(folder.path()).unwrap();
    older.open_tree(OLDER).unwrap().insert("key", "value").unwrap();
    drop(older);
    assert_eq!(SledPicture::open(folder.path(), 1 << 24).unwrap_err().tag(), "PictureOpen");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 30, ..Default::default() })]

    /// Whatever is put in and taken out, in whatever pieces, every range reads as it does in memory.
    #[test]
    fn blocks_hold_what_a_map_holds(
        layers in proptest::collection::vec(
            proptest::collection::vec((0u16..900, 0usize..5_000, 0u8..4), 1..200), 1..6),
        ranges in proptest::collection::vec((0u16..900, 0u16..900), 1..8),
        gone in 0u16..900
    ) {
        let folder = tempfile::tempdir().unwrap();
        let picture = SledPicture::open(folder.path(), 1 << 24).unwrap();
        let expected = VersionMap::default();
        let key = |n: u16| [b"key".as_slice(), &n.to_be_bytes()].concat();
        for (at, layer) in (1..).zip(&layers) {
            let versions = VersionMap::default();
            let value = |size: usize, kind: u8| match kind {
                0 => None,
                1 => Some(vec![7; size].into()),
                _ => Some(Stored::default()),
            };
            let puts: Vec<_> =
                layer.iter().map(|(n, size, kind)| Put { key: key(*n), value: value(*size, *kind) }).collect();
            versions.insert([(Ts::from_micros(at), puts.as_slice())]);
            picture.insert(&versions).unwrap();
            expected.extend(&versions);
            // A part goes again.
            let range = KeyRange { start: key(gone), end: key(gone.saturating_add(40)) };
            let dead: Vec<_> = expected
                .versions(&range, ScanDirection::Forward)
                .map(|found| found.unwrap().physical)
                .step_by(2)
                .collect();
            picture.remove(&dead).unwrap();
            expected.remove(&dead);
        }
        for (from, to) in ranges {
            let range = KeyRange { start: key(from.min(to)), end: key(from.max(to)) };
            for direction in [ScanDirection::Forward, ScanDirection::Backward] {
                let read = |versions: Versions<'_>| {
                    versions.map(|found| found.map(|found| (found.physical, found.live, found.stored))).collect::<Result<Vec<_>>>().unwrap()
                };
                proptest::prop_assert_eq!(
                    read(picture.versions(&range, direction, true)), read(expected.versions(&range, direction)));
            }
        }
    }
}
