//! Boundaries of the messages in a gRPC stream.

/// Prefix of each message: a compression flag and the length.
const HEAD_BYTES: usize = 5;

/// A place in a stream of messages.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// The message's head, as far as it has come.
    head: [u8; HEAD_BYTES],
    /// Bytes of the message received so far, including its prefix.
    come: usize,
}

impl Messages {
    /// Goes on over `bytes`; says whether a message ended there.
    pub(super) fn pass(&mut self, mut bytes: &[u8]) -> bool {
        let mut ended = false;
        while !bytes.is_empty() {
            let missing = match self.size() {
                Some(size) => size - self.come,
                None => HEAD_BYTES - self.come,
            };
            let (now, rest) = bytes.split_at(missing.min(bytes.len()));
            if self.size().is_none() {
                self.head[self.come..][..now.len()].copy_from_slice(now);
            }
            self.come += now.len();
            bytes = rest;
            if self.size() == Some(self.come) {
                self.come = 0;
                ended = true;
            }
        }
        ended
    }

    /// Bytes received of an incomplete message.
    pub(super) fn come(&self) -> usize {
        self.come
    }

    /// The bytes of the message and its head, once that is there.
    fn size(&self) -> Option<usize> {
        let [_, a, b, c, d] = self.head;
        let length = usize::try_from(u32::from_be_bytes([a, b, c, d])).unwrap_or(usize::MAX);
        (self.come >= HEAD_BYTES).then(|| length.saturating_add(HEAD_BYTES))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_message_ends_where_its_length_says_however_it_is_cut(
            lengths in prop::collection::vec(0_u32..300, 1..6),
            cuts in prop::collection::vec(1_usize..400, 1..20),
        ) {
            let mut stream = Vec::new();
            let mut ends = Vec::new();
            for length in lengths {
                stream.push(0);
                stream.extend(length.to_be_bytes());
                // A length of the content that looks like none of a message.
                stream.extend(vec![255; length as usize]);
                ends.push(stream.len());
            }
            let mut messages = Messages::default();
            let mut at = 0;
            for cut in cuts.into_iter().cycle() {
                let to = (at + cut).min(stream.len());
                prop_assert_eq!(messages.pass(&stream[at..to]), ends.iter().any(|end| (at + 1..=to).contains(end)));
                let begin = ends.iter().copied().filter(|end| *end <= to).max().unwrap_or(0);
                prop_assert_eq!(messages.come(), to - begin);
                at = to;
                if at == stream.len() {
                    break;
                }
            }
        }
    }
}
