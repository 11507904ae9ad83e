//! Bloom filters over document names, as existence filters carry them.

use md5::{Digest as _, Md5};

use crate::wire::pb::v1;

/// Bits per name: with seven hashes about one name in a hundred is taken for present that is not.
const BITS_PER_NAME: usize = 10;

/// How many bits each name sets.
const HASHES: i32 = 7;

/// The most bits a filter has; past that it is left out, and the client asks again for everything.
const MAX_BITS: usize = 8 * 1024 * 1024;

/// A filter that holds the full `names`; `None` for more than fit.
pub(super) fn bloom_filter<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> Option<v1::BloomFilter> {
    let bits = names.len() * BITS_PER_NAME;
    if bits > MAX_BITS {
        return None;
    }
    let mut bitmap = vec![0_u8; bits.div_ceil(8)];
    for name in names {
        for bit in positions(name, bits as u64) {
            if let Some(byte) = usize::try_from(bit / 8).ok().and_then(|index| bitmap.get_mut(index)) {
                *byte |= 1 << (bit % 8);
            }
        }
    }
    let padding = i32::try_from(bitmap.len() * 8 - bits).unwrap_or_default();
    let hash_count = if bits == 0 { 0 } else { HASHES };
    Some(v1::BloomFilter { bits: Some(v1::BitSequence { bitmap: bitmap.into(), padding }), hash_count })
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

    fn contains(filter: &v1::BloomFilter, name: &str) -> bool {
        let bits = filter.bits.as_ref().unwrap();
        let count = bits.bitmap.len() as u64 * 8 - u64::try_from(bits.padding).unwrap();
        count > 0
            && positions(name, count)
                .all(|bit| bits.bitmap[usize::try_from(bit / 8).unwrap()] >> (bit % 8) & 1 == 1)
    }

    #[test]
    fn holds_its_names_and_few_others() {
        let name = |index: usize| format!("projects/p/databases/(default)/documents/c/doc{index}");
        let names: Vec<_> = (0..1_000).map(name).collect();
        let filter = bloom_filter(names.iter().map(String::as_str)).unwrap();
        assert!(names.iter().all(|name| contains(&filter, name)));
        let strangers = (1_000..11_000).filter(|index| contains(&filter, &name(*index))).count();
        assert!(strangers < 250, "{strangers} of 10,000 strangers are taken for members");
    }

    #[test]
    fn an_empty_filter_has_no_bits() {
        let filter = bloom_filter(std::iter::empty()).unwrap();
        assert_eq!(filter.hash_count, 0);
        assert!(filter.bits.unwrap().bitmap.is_empty());
    }
}
