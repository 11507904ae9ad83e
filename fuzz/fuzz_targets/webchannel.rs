//! The decoder of WebChannel bodies.

#![no_main]

use docstore_wire::fuzz;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| fuzz::webchannel(data).unwrap());
