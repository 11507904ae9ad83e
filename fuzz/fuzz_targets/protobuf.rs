//! The decoder of gRPC messages.

#![no_main]

use docstore_wire::fuzz;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| fuzz::protobuf(data).unwrap());
