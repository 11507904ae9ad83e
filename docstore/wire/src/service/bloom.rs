//! Bloom filters over document names, as existence filters carry them.

use md5::{Digest as _, Md5};

use crate::pb::v1;

/// Bits per name: with seven hashes about one name in a hundred is taken for present that is not.
const BITS_PER_NAME: usize = 10;

/// Bits set per name.
const HASHES: i32 = 7;

/// The most bits a filter has; past that it is left out, and the client asks again for everything.
const MAX_BITS: usize = 8 * 1024 * 1024;

/// Number of times a filter is enlarged to avoid a false positive.
const ATTEMPTS: usize = 4;

/// A filter that holds the full `names` and, as far as its size allows, none of the `absent`; `None` for more names
/// than fit.
pub(super) fn bloom_filter(names: &[String], absent: &[String]) -> Option<v1::BloomFilter> {
    let mut bits = names.len() * BITS_PER_NAME;
    if bits > MAX_BITS {
        return None;
    }
    let mut bitmap = Bitmap::of(names, bits);
    for _ in 1..ATTEMPTS {
        let larger = bits * 2 + 1;
        if larger > MAX_BITS || !absent.iter().any(|name| bitmap.holds(name)) {
            break;
        }
        bits = larger;
        bitmap = Bitmap::of(names, bits);
    }
    let padding = i32::try_from(bitmap.bytes.len() * 8 - bits).unwrap_or_default();
    let hash_count = if bits == 0 { 0 } else { HASHES };
    Some(v1::BloomFilter { bits: Some(v1::BitSequence { bitmap: bitmap.bytes.into(), padding }), hash_count })
}

/// The bits that are set.
struct Bitmap {
    bytes: Vec<u8>,
    bits: u64,
}

impl Bitmap {
    fn of(names: &[String], bits: usize) -> Self {
        let mut bitmap = Self { bytes: vec![0; bits.div_ceil(8)], bits: bits as u64 };
        for name in names {
            for bit in positions(name, bitmap.bits) {
                let index = usize::try_from(bit / 8).unwrap_or(usize::MAX);
                if let Some(byte) = bitmap.bytes.get_mut(index) {
                    *byte |= 1 << (bit % 8);
                }
            }
        }
        bitmap
    }

    fn holds(&self, name: &str) -> bool {
        let is_set = |bit: u64| {
            let index = usize::try_from(bit / 8).unwrap_or(usize::MAX);
            self.bytes.get(index).is_some_and(|byte| byte >> (bit % 8) & 1 == 1)
        };
        self.bits > 0 && positions(name, self.bits).all(is_set)
    }
}

/// The bits of a name: double hashing with the two little-endian halves of its MD5.
fn positions(name: &str, bits: u64) -> impl Iterator<Item = u64> {
    let digest = Md5::digest(name.as_bytes());
    let half = |range: std::ops::Range<usize>| {
        digest.get(range).and_then(|half| half.try_into().ok()).map_or(0, u64::from_le_bytes)
    };
    let (first, second) = (half(0..8), half(8..16));
    (0..HASHES as u64).map(move |index| first.wrapping_add(index.wrapping_mul(second)) % bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a client reads it: from the bytes and the padding.
    fn contains(filter: &v1::BloomFilter, name: &str) -> bool {
        let sequence = filter.bits.as_ref().unwrap();
        let bits = sequence.bitmap.len() as u64 * 8 - u64::try_from(sequence.padding).unwrap();
        Bitmap { bytes: sequence.bitmap.to_vec(), bits }.holds(name)
    }

    fn names(range: std::ops::Range<usize>) -> Vec<String> {
        range.map(|index| format!("projects/p/databases/(default)/documents/c/doc{index}")).collect()
    }

    #[test]
    fn holds_its_names_and_few_others() {
        let filter = bloom_filter(&names(0..1_000), &[]).unwrap();
        assert!(names(0..1_000).iter().all(|name| contains(&filter, name)));
        let strangers = names(1_000..11_000).iter().filter(|name| contains(&filter, name)).count();
        assert!((1..250).contains(&strangers), "{strangers} of 10,000 strangers are taken for members");
    }

    #[test]
    fn does_not_seem_to_hold_what_is_known_to_be_gone() {
        let (present, absent) = (names(0..1_000), names(1_000..2_000));
        assert!(absent.iter().any(|name| contains(&bloom_filter(&present, &[]).unwrap(), name)));
        let filter = bloom_filter(&present, &absent).unwrap();
        assert!(present.iter().all(|name| contains(&filter, name)));
        assert!(!absent.iter().any(|name| contains(&filter, name)));
        assert!(filter.bits.unwrap().bitmap.len() < 10_000);
    }

    #[test]
    fn an_empty_filter_has_no_bits() {
        let filter = bloom_filter(&[], &names(0..3)).unwrap();
        assert_eq!(filter.hash_count, 0);
        assert!(filter.bits.unwrap().bitmap.is_empty());
    }
}
