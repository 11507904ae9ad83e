//! A bounded run of the fuzz target: its whole corpus, and changes of it.

#![expect(clippy::unwrap_used, reason = "a test that fails says so")]

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use auth_emu::fuzz::passkey;
use proptest::prelude::*;

static CORPUS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/passkey");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
});

#[test]
fn the_corpus_breaks_nothing() {
    assert!(!CORPUS.is_empty());
    for input in CORPUS.iter() {
        assert_eq!(passkey(input), Ok(()), "{}", input.escape_ascii());
    }
}

/// An input of the corpus with some bytes of another in place of some of its own, some cut off, and some changed.
fn changed() -> impl Strategy<Value = Vec<u8>> {
    let (one, other) = (0..CORPUS.len(), 0..CORPUS.len());
    let places = (any::<prop::sample::Index>(), 0_usize..40, any::<prop::sample::Index>(), 0_usize..40);
    let flips = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4);
    (one, other, places, flips, 0_usize..60).prop_map(|(one, other, places, flips, cut)| {
        let (at, gone, from, taken) = places;
        let (mut bytes, other) = (CORPUS[one].clone(), &CORPUS[other]);
        let at = at.index(bytes.len());
        let from = from.index(other.len());
        let taken = other[from..(from + taken).min(other.len())].to_vec();
        let end = (at + gone).min(bytes.len());
        bytes.splice(at..end, taken);
        bytes.truncate(bytes.len().saturating_sub(cut).max(1));
        if bytes.is_empty() {
            return bytes;
        }
        for (place, value) in flips {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn no_change_of_an_answer_breaks_anything(input in changed()) {
        prop_assert_eq!(passkey(&input), Ok(()), "{}", input.escape_ascii());
    }
}
