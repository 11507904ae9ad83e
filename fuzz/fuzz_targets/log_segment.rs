//! The reader of log segments, damaged and cut.

#![no_main]

use docstore_wire::fuzz::TARGETS;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (_, target) = TARGETS.iter().find(|(name, _)| *name == "log_segment").unwrap();
    target(data).unwrap();
});
