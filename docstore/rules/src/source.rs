//! Places in source text.

use std::fmt;

/// A range of bytes in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        // Sources are at most `MAX_SOURCE_BYTES` long, so the casts cannot overflow.
        Self { start: u32::try_from(start).unwrap_or(u32::MAX), end: u32::try_from(end).unwrap_or(u32::MAX) }
    }

    pub(crate) fn to(self, end: Self) -> Self {
        Self { start: self.start, end: end.end.max(self.start) }
    }
}

/// A range of source text as people and editors count it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in UTF-16 units, from 1.
    pub column: u32,
    /// UTF-16 units before the range, from 0.
    pub start_offset: u32,
    /// Offset of the range's last UTF-16 unit (not one past it); equals `start_offset` for an empty range.
    pub end_offset: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "L{}:{}", self.line, self.column)
    }
}

/// Converts byte offsets of one source to [`Position`]s.
#[derive(Debug, Clone)]
pub(crate) struct LineMap {
    /// Byte offset and UTF-16 offset of each line's start.
    lines: Vec<(u32, u32)>,
    text: std::sync::Arc<str>,
}

impl LineMap {
    pub(crate) fn new(text: std::sync::Arc<str>) -> Self {
        let mut lines = vec![(0, 0)];
        let (mut bytes, mut units) = (0u32, 0u32);
        for c in text.chars() {
            bytes += u32::try_from(c.len_utf8()).unwrap_or(0);
            units += u32::try_from(c.len_utf16()).unwrap_or(0);
            if c == '\n' {
                lines.push((bytes, units));
            }
        }
        Self { lines, text }
    }

    pub(crate) fn line(&self, byte: u32) -> u32 {
        u32::try_from(self.lines.partition_point(|&(start, _)| start <= byte)).unwrap_or(u32::MAX)
    }

    pub(crate) fn position(&self, span: Span) -> Position {
        let line = self.line(span.start);
        let (start_offset, line_units) = self.units(span.start);
        let end = if span.end > span.start { self.units(span.end).0 - 1 } else { start_offset };
        Position {
            line,
            column: start_offset - line_units + 1,
            start_offset,
            end_offset: end.max(start_offset),
        }
    }

    /// UTF-16 offset of a byte offset, and of its line's start.
    fn units(&self, byte: u32) -> (u32, u32) {
        let index = self.lines.partition_point(|&(start, _)| start <= byte).saturating_sub(1);
        let (line_byte, line_units) = self.lines.get(index).copied().unwrap_or((0, 0));
        let within = self.text.get(line_byte as usize..byte as usize).unwrap_or("");
        let units: usize = within.chars().map(char::len_utf16).sum();
        (line_units + u32::try_from(units).unwrap_or(0), line_units)
    }
}
