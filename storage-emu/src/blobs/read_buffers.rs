//! Reusable read buffers: fresh memory is cleared page by page before it can be read into, which costs more than
//! reading cached data. A read that does not fill a buffer gets memory of its own size, so that a slow client holds no
//! more than it was sent.

use std::io::{self, Read};

use bytes::Bytes;
use parking_lot::Mutex;

/// Bytes of one buffer.
pub(super) const BUFFER_BYTES: usize = 256 * 1024;
/// Buffers kept for the next reading, 8 MiB of them: two for each of the downloads that a small machine feeds at once.
const MOST_KEPT: usize = 32;

static KEPT: Mutex<Vec<Box<[u8]>>> = Mutex::new(Vec::new());

/// A buffer on its way to a client; kept for the next read once its bytes are no longer used.
struct Reused(Box<[u8]>);

impl AsRef<[u8]> for Reused {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Reused {
    fn drop(&mut self) {
        let buffer = std::mem::take(&mut self.0);
        let mut kept = KEPT.lock();
        if kept.len() < MOST_KEPT {
            kept.push(buffer);
        }
    }
}

/// Reads exactly `length` bytes, [`BUFFER_BYTES`] at most; a full buffer's worth goes into a reused buffer, if one is
/// free.
///
/// # Errors
/// `InvalidInput` for more than a buffer holds; `UnexpectedEof` for fewer bytes; those of the source.
pub(super) fn read_exact(source: &mut impl Read, length: usize) -> io::Result<Bytes> {
    if length > BUFFER_BYTES {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    if length < BUFFER_BYTES {
        let mut room = vec![0; length];
        source.read_exact(&mut room)?;
        return Ok(room.into());
    }
    let kept = KEPT.lock().pop();
    let mut lent = Reused(kept.unwrap_or_else(|| vec![0; BUFFER_BYTES].into_boxed_slice()));
    source.read_exact(&mut lent.0)?;
    Ok(Bytes::from_owner(lent))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        /// Bytes never change while somebody holds them, in whatever order buffers are held and released.
        #[test]
        fn a_buffer_is_never_lent_twice_at_once(
            steps in prop::collection::vec(
                (
                    prop_oneof![3 => Just(BUFFER_BYTES), 1 => 0..4_096_usize],
                    any::<u8>(),
                    any::<prop::sample::Index>(),
                    any::<bool>(),
                ),
                1..24,
            ),
        ) {
            let mut held: Vec<(Bytes, usize, u8)> = Vec::new();
            for (length, fill, which, drops) in steps {
                held.push((read_exact(&mut io::repeat(fill), length).unwrap(), length, fill));
                if drops {
                    held.swap_remove(which.index(held.len()));
                }
                for (bytes, length, fill) in &held {
                    prop_assert!(*bytes == vec![*fill; *length], "{length} bytes of {fill} have changed");
                }
            }
        }
    }

    #[test]
    fn too_few_bytes_are_an_error() {
        for length in [6, BUFFER_BYTES] {
            let error = read_exact(&mut &b"short"[..], length).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        }
    }

    #[test]
    fn more_than_a_buffer_is_never_read_at_once() {
        let error = read_exact(&mut io::repeat(1), BUFFER_BYTES + 1).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn no_more_are_kept_than_the_limit() {
        let many: Vec<Bytes> =
            (0..2 * MOST_KEPT).map(|_| read_exact(&mut io::repeat(1), BUFFER_BYTES).unwrap()).collect();
        drop(many);
        assert!(KEPT.lock().len() <= MOST_KEPT);
    }
}
