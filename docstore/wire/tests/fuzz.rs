//! A bounded run of the fuzz targets: their whole corpus, and mutations of it that are others every time. A failure
//! prints the seed of its run; `DOCSTORE_FUZZ_SEED` repeats it, `DOCSTORE_FUZZ_MUTATIONS` (of each target) makes it longer.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "the helpers of these tests fail the test")]

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use docstore::clock::{Clock as _, SystemClock};
use docstore_wire::fuzz::{TARGETS, Target};

/// Mutations of a target's corpus per run.
const MUTATIONS: u64 = 15_000;

/// The same for a target that takes a millisecond for each.
const SLOW_MUTATIONS: u64 = 1_500;

/// The longest input that is made; a corpus may hold longer ones.
const MAX_BYTES: usize = 4_096;

/// Fragments that inputs are made of, so that mutations reach past the first character.
const WORDS: &[&[u8]] = &[
    b"__name__",
    b"projects/p/databases/(default)/documents/c/d",
    b"structuredQuery",
    b"{\"",
    b"\":",
    b"}]}",
    b"[[[[[[[[",
    b"%2F",
    b"%C3%A9",
    b"%",
    b"/",
    b"//",
    b"**",
    b":commit",
    b":runQuery",
    b"&req0___data__=",
    b"&count=",
    b"&ofs=",
    b"18446744073709551615",
    b"18446744073709551616",
    b"-1",
    b"1e400",
    b"NaN",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    b"\xf0\x9f\x98\x80",
    b"\0",
    b"match /{d=**} { allow read: if ",
    b"request.auth.uid == ",
    b"((((((((",
];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 for none.
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).unwrap()
    }
}

fn mutated(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = corpus[random.below(corpus.len())].clone();
    bytes.truncate(MAX_BYTES);
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        match random.below(7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.next().to_le_bytes()[0],
            2 => bytes.truncate(at),
            3 => {
                let end = (at + random.below(16)).min(bytes.len());
                bytes.drain(at..end);
            }
            4 => {
                let end = (at + random.below(64)).min(bytes.len());
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            5 => {
                let other = &corpus[random.below(corpus.len())];
                let from = random.below(other.len() + 1);
                let end = (from + random.below(256)).min(other.len());
                bytes.splice(at..at, other[from..end].iter().copied());
            }
            _ => {
                bytes.splice(at..at, WORDS[random.below(WORDS.len())].iter().copied());
            }
        }
    }
    bytes.truncate(MAX_BYTES);
    bytes
}

fn folder(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target)
}

fn try_one(name: &str, target: Target, input: &[u8], seed: u64) {
    let outcome = catch_unwind(|| target(input)).unwrap_or_else(|_| Err("it panicked".to_owned()));
    if outcome.is_err() {
        fs::write(std::env::temp_dir().join(format!("fuzz-{name}")), input).unwrap();
    }
    let input = input.escape_ascii();
    assert_eq!(outcome, Ok(()), "{name}, of DOCSTORE_FUZZ_SEED={seed}, with this input: {input}");
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

fn run(name: &str, mutations: u64) {
    let (_, target) = TARGETS.into_iter().find(|(target, _)| *target == name).unwrap();
    let mut files: Vec<_> = fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let corpus: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    assert!(!corpus.is_empty(), "{name} has a corpus");
    let seed = number("DOCSTORE_FUZZ_SEED").unwrap_or_else(|| SystemClock.now().micros());
    for input in &corpus {
        try_one(name, target, input, seed);
    }
    let mut random = Random(seed);
    for _ in 0..number("DOCSTORE_FUZZ_MUTATIONS").unwrap_or(mutations) {
        try_one(name, target, &mutated(&corpus, &mut random), seed);
    }
}

#[test]
fn protobuf() {
    run("protobuf", MUTATIONS);
}

#[test]
fn json() {
    run("json", MUTATIONS);
}

#[test]
fn webchannel() {
    run("webchannel", MUTATIONS);
}

#[test]
fn rest_path() {
    run("rest_path", MUTATIONS);
}

#[test]
fn rules() {
    run("rules", SLOW_MUTATIONS);
}

#[test]
fn log_record() {
    run("log_record", MUTATIONS);
}

#[test]
fn log_segment() {
    run("log_segment", MUTATIONS);
}
