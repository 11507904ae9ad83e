//! The parser of REST requests.

#![no_main]

use docstore_wire::fuzz;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| fuzz::rest_path(data).unwrap());
