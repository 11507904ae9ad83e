//! Determines the size of a GIF as it streams by: browsers make room for a first frame larger than the stated screen,
//! so the largest extent counts.

use super::Dimensions;

/// The longest piece that is looked at whole: the header with the screen's size.
const LONGEST: usize = 13;

/// Follows the blocks of a GIF to its end.
#[derive(Debug, Default)]
pub(super) struct GifScanner {
    state: State,
    held: [u8; LONGEST],
    filled: usize,
    found: Option<Dimensions>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Signature, size of the screen and flags.
    #[default]
    Header,
    /// Bytes of a colour table to pass over.
    Colours(usize, After),
    /// The type of the next block.
    Block,
    /// The label of an extension.
    Label,
    /// Place, size and flags of a frame.
    Frame,
    /// The initial code size of a frame, in bits.
    CodeSize,
    /// The length of a piece of data; 0 ends them.
    Length,
    /// Bytes of data to pass over.
    Data(usize),
    Done,
}

/// State after a colour table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    Screen,
    Frame,
}

impl After {
    fn state(self) -> State {
        match self {
            Self::Screen => State::Block,
            Self::Frame => State::CodeSize,
        }
    }
}

impl GifScanner {
    pub(super) fn dimensions(&self) -> Option<Dimensions> {
        self.found
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() && self.state != State::Done {
            rest = match self.state {
                State::Colours(left, after) => {
                    let (passed, rest) = rest.split_at(left.min(rest.len()));
                    self.state = match left - passed.len() {
                        0 => after.state(),
                        left => State::Colours(left, after),
                    };
                    rest
                }
                State::Data(left) => {
                    let (passed, rest) = rest.split_at(left.min(rest.len()));
                    self.state = match left - passed.len() {
                        0 => State::Length,
                        left => State::Data(left),
                    };
                    rest
                }
                State::Header => self.hold(rest, LONGEST, Self::header),
                State::Frame => self.hold(rest, 9, Self::frame),
                State::Block | State::Label | State::CodeSize | State::Length | State::Done => {
                    let Some((&byte, rest)) = rest.split_first() else { return };
                    self.state = self.single(byte);
                    rest
                }
            };
        }
    }

    fn single(&self, byte: u8) -> State {
        match (self.state, byte) {
            (State::Block, 0x2c) => State::Frame,
            (State::Block, 0x21) => State::Label,
            (State::Label | State::CodeSize, _) => State::Length,
            (State::Length, 0) => State::Block,
            (State::Length, length) => State::Data(usize::from(length)),
            // The trailer, or a byte no GIF has here.
            _ => State::Done,
        }
    }

    /// Buffers `count` bytes, then calls `then` for the next state.
    fn hold<'a>(&mut self, bytes: &'a [u8], count: usize, then: fn(&mut Self) -> State) -> &'a [u8] {
        let (taken, rest) = bytes.split_at((count - self.filled).min(bytes.len()));
        for &byte in taken {
            if let Some(slot) = self.held.get_mut(self.filled) {
                *slot = byte;
            }
            self.filled += 1;
        }
        if self.filled == count {
            self.filled = 0;
            self.state = then(self);
        }
        rest
    }

    fn header(&mut self) -> State {
        let [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', w1, w2, h1, h2, flags, _, _] = self.held else {
            return State::Done;
        };
        self.reaches(u32::from(u16::from_le_bytes([w1, w2])), u32::from(u16::from_le_bytes([h1, h2])));
        colours(flags, After::Screen)
    }

    fn frame(&mut self) -> State {
        let [x1, x2, y1, y2, w1, w2, h1, h2, flags, ..] = self.held;
        let sum =
            |a: [u8; 2], b: [u8; 2]| u32::from(u16::from_le_bytes(a)) + u32::from(u16::from_le_bytes(b));
        self.reaches(sum([x1, x2], [w1, w2]), sum([y1, y2], [h1, h2]));
        colours(flags, After::Frame)
    }

    fn reaches(&mut self, width: u32, height: u32) {
        let before = self.found.unwrap_or(Dimensions { width: 0, height: 0 });
        self.found = Some(Dimensions { width: width.max(before.width), height: height.max(before.height) });
    }
}

/// Past the colour table that the flags tell of, if any.
fn colours(flags: u8, after: After) -> State {
    if flags & 0x80 == 0 { after.state() } else { State::Colours(3 << ((flags & 7) + 1), after) }
}
