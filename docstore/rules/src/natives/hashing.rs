//! `hashing`.

use md5::Digest as _;

use crate::value::{Type, Value};

use super::{Failure, Native, mismatch, within};

pub(super) const TABLE: &[Native] = &[
    within("hashing", "crc32", &[Type::Bytes], |_, values| hash(values, crc32)),
    within("hashing", "crc32", &[Type::String], |_, values| hash(values, crc32)),
    within("hashing", "crc32c", &[Type::Bytes], |_, values| hash(values, crc32c)),
    within("hashing", "crc32c", &[Type::String], |_, values| hash(values, crc32c)),
    within("hashing", "md5", &[Type::Bytes], |_, values| hash(values, md5)),
    within("hashing", "md5", &[Type::String], |_, values| hash(values, md5)),
    within("hashing", "sha256", &[Type::Bytes], |_, values| hash(values, sha256)),
    within("hashing", "sha256", &[Type::String], |_, values| hash(values, sha256)),
];

fn hash(values: &[Value], function: fn(&[u8]) -> Vec<u8>) -> Result<Value, Failure> {
    match values {
        [Value::Bytes(bytes)] => Ok(Value::Bytes(function(bytes).into())),
        [Value::String(text)] => Ok(Value::Bytes(function(text.as_bytes()).into())),
        _ => mismatch(),
    }
}

/// The CRC of ISO 3309, reflected; least significant byte first, as Firebase has it.
fn crc32(bytes: &[u8]) -> Vec<u8> {
    const POLYNOMIAL: u32 = 0xEDB8_8320;
    let step = |crc: u32, byte: &u8| {
        let shift = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ POLYNOMIAL } else { crc >> 1 };
        (0..8).fold(crc ^ u32::from(*byte), shift)
    };
    (!bytes.iter().fold(u32::MAX, step)).to_le_bytes().to_vec()
}

fn crc32c(bytes: &[u8]) -> Vec<u8> {
    crc32c::crc32c(bytes).to_le_bytes().to_vec()
}

fn md5(bytes: &[u8]) -> Vec<u8> {
    md5::Md5::digest(bytes).to_vec()
}

fn sha256(bytes: &[u8]) -> Vec<u8> {
    sha2::Sha256::digest(bytes).to_vec()
}
