//! Finds the frame header of a JPEG as the file streams by, over metadata segments of any size.

use super::Dimensions;

/// Follows JPEG markers up to the first frame header.
#[derive(Debug, Default)]
pub(super) struct JpegScanner {
    state: State,
    found: Option<Dimensions>,
}

#[derive(Debug, Default, Clone, Copy)]
enum State {
    /// At the very start: the two bytes of SOI are to come.
    #[default]
    Start,
    Soi,
    /// Before the 0xff of a marker.
    Marker,
    /// After one or more 0xff.
    Code,
    /// Two bytes of length are to come for this marker.
    Length(u8),
    LengthLow(u8, u8),
    /// Bytes of a segment to pass over.
    Skip(u16),
    /// The first bytes of a frame header: precision, height, width.
    Frame([u8; 5], u8),
    Done,
}

impl JpegScanner {
    pub(super) fn dimensions(&self) -> Option<Dimensions> {
        self.found
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            self.state = match self.state {
                State::Done => return,
                State::Start if byte == 0xff => State::Soi,
                State::Soi if byte == 0xd8 => State::Marker,
                State::Marker if byte == 0xff => State::Code,
                State::Start | State::Soi | State::Marker => State::Done,
                State::Code => match byte {
                    0xff => State::Code,
                    // Markers without a segment.
                    0x01 | 0xd0..=0xd8 => State::Marker,
                    // Scan data or the end before any frame header.
                    0x00 | 0xd9 | 0xda => State::Done,
                    marker => State::Length(marker),
                },
                State::Length(marker) => State::LengthLow(marker, byte),
                State::LengthLow(marker, high) => {
                    let length = u16::from_be_bytes([high, byte]);
                    let frame = matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc);
                    match length {
                        0 | 1 => State::Done,
                        _ if frame => State::Frame([0; 5], 0),
                        2 => State::Marker,
                        length => State::Skip(length - 2),
                    }
                }
                State::Skip(left) => {
                    // This byte and as many more as there are at once.
                    let more = usize::from(left - 1).min(rest.len());
                    rest = rest.get(more..).unwrap_or_default();
                    match left - 1 - u16::try_from(more).unwrap_or(u16::MAX) {
                        0 => State::Marker,
                        left => State::Skip(left),
                    }
                }
                State::Frame(mut header, filled) => {
                    if let Some(slot) = header.get_mut(usize::from(filled)) {
                        *slot = byte;
                    }
                    if filled == 4 {
                        let [_, h1, h2, w1, w2] = header;
                        self.found = Some(Dimensions {
                            width: u32::from(u16::from_be_bytes([w1, w2])),
                            height: u32::from(u16::from_be_bytes([h1, h2])),
                        });
                        State::Done
                    } else {
                        State::Frame(header, filled + 1)
                    }
                }
            };
        }
    }
}
