//! The verification of authenticators' answers.

#![no_main]

use auth_emu::fuzz;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| fuzz::passkey(data).unwrap());
