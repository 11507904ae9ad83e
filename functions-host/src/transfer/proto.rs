//! The wire format of protocol buffers, including groups, as far as exports need it.

/// Appends fields to an encoded message.
#[derive(Debug, Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

/// A field of an encoded message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Field<'a> {
    Varint(u64),
    Double(f64),
    Bytes(&'a [u8]),
    Group(&'a [u8]),
    /// Four bytes; not used here.
    Fixed,
}

impl Writer {
    fn raw(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn tag(&mut self, field: u32, kind: u64) {
        self.raw(u64::from(field) << 3 | kind);
    }

    pub(super) fn varint(&mut self, field: u32, value: u64) {
        self.tag(field, 0);
        self.raw(value);
    }

    pub(super) fn double(&mut self, field: u32, value: f64) {
        self.tag(field, 1);
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, field: u32, value: &[u8]) {
        self.tag(field, 2);
        self.raw(value.len() as u64);
        self.0.extend(value);
    }

    /// Begins a group.
    pub(super) fn start(&mut self, field: u32) {
        self.tag(field, 3);
    }

    /// Ends a group.
    pub(super) fn end(&mut self, field: u32) {
        self.tag(field, 4);
    }
}

/// Reads the fields of an encoded message.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// All fields in order.
    ///
    /// # Errors
    /// The message is truncated or malformed.
    pub(super) fn all(mut self) -> Result<Vec<(u32, Field<'a>)>, String> {
        let mut fields = Vec::new();
        while self.at < self.bytes.len() {
            let (number, kind) = self.tag()?;
            fields.push((number, self.field(number, kind)?));
        }
        Ok(fields)
    }

    fn tag(&mut self) -> Result<(u32, u64), String> {
        let tag = self.varint()?;
        let number = u32::try_from(tag >> 3).map_err(|_| malformed())?;
        Ok((number, tag & 7))
    }

    fn field(&mut self, number: u32, kind: u64) -> Result<Field<'a>, String> {
        Ok(match kind {
            0 => Field::Varint(self.varint()?),
            1 => {
                let bytes = self.take(8)?.first_chunk::<8>().ok_or_else(malformed)?;
                Field::Double(f64::from_le_bytes(*bytes))
            }
            2 => {
                let length = usize::try_from(self.varint()?).map_err(|_| malformed())?;
                Field::Bytes(self.take(length)?)
            }
            3 => Field::Group(self.group(number)?),
            5 => {
                self.take(4)?;
                Field::Fixed
            }
            _ => return Err(malformed()),
        })
    }

    /// The fields of a group, up to and past its end. Nested groups are skipped by depth.
    fn group(&mut self, number: u32) -> Result<&'a [u8], String> {
        let start = self.at;
        let mut open = vec![number];
        loop {
            let before = self.at;
            let (number, kind) = self.tag()?;
            match kind {
                3 => open.push(number),
                4 if open.pop() == Some(number) => {
                    if open.is_empty() {
                        return self.bytes.get(start..before).ok_or_else(malformed);
                    }
                }
                4 => return Err(malformed()),
                other => drop(self.field(number, other)?),
            }
        }
    }

    fn varint(&mut self) -> Result<u64, String> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.bytes.get(self.at).ok_or_else(malformed)?;
            self.at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(malformed())
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], String> {
        let end = self.at.checked_add(length).ok_or_else(malformed)?;
        let taken = self.bytes.get(self.at..end).ok_or_else(malformed)?;
        self.at = end;
        Ok(taken)
    }
}

fn malformed() -> String {
    "a record is not a well-formed message".to_owned()
}
