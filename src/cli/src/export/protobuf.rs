// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! As much of protobuf's wire format as `profile.proto` needs: variable-length integers, strings, messages.

/// Wire types.
const VARINT: u64 = 0;
const LENGTH: u64 = 2;

/// A message being written.
#[derive(Debug, Default)]
pub(super) struct Message {
    pub(super) bytes: Vec<u8>,
}

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            // CAST: the low seven bits, with the mark that more follow.
            self.bytes.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// An integer field. Zero is what a reader takes for a field that is not there.
    pub(super) fn number(&mut self, field: u64, value: u64) -> &mut Self {
        if value != 0 {
            self.varint(field << 3 | VARINT);
            self.varint(value);
        }
        self
    }

    /// An `int64` field, which is written in two's complement.
    pub(super) fn signed(&mut self, field: u64, value: i64) -> &mut Self {
        self.number(field, value.cast_unsigned())
    }

    /// A packed repeated `int64` field.
    pub(super) fn packed(&mut self, field: u64, values: &[i64]) -> &mut Self {
        let mut inner = Message::default();
        values.iter().for_each(|value| inner.varint(value.cast_unsigned()));
        self.message(field, &inner)
    }

    /// A string field. Written even if empty: entries of a repeated field count.
    pub(super) fn string(&mut self, field: u64, text: &str) -> &mut Self {
        self.delimited(field, text.as_bytes())
    }

    /// A message within this one.
    pub(super) fn message(&mut self, field: u64, inner: &Message) -> &mut Self {
        self.delimited(field, &inner.bytes)
    }

    fn delimited(&mut self, field: u64, bytes: &[u8]) -> &mut Self {
        self.varint(field << 3 | LENGTH);
        self.varint(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::Message;

    #[test]
    fn the_examples_of_the_wire_formats_description_come_out() {
        // https://protobuf.dev/programming-guides/encoding/
        for (message, expected) in [
            (Message::default().number(1, 150), &[0x08, 0x96, 0x01][..]),
            (Message::default().string(2, "testing"), b"\x12\x07testing"),
            (Message::default().message(3, Message::default().number(1, 150)), &[0x1a, 0x03, 0x08, 0x96, 0x01]),
            (Message::default().packed(6, &[3, 270, 86942]), b"\x32\x06\x03\x8e\x02\x9e\xa7\x05"),
            (Message::default().signed(1, -2), b"\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
            (Message::default().number(1, 0), b""),
        ] {
            assert_eq!(message.bytes, expected);
        }
    }
}
