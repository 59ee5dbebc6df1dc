// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How the kernel describes the bytes of an event: the `format` file of each, and `header_page` of what they lie in.
//!
//! ```text
//! name: alloc
//! ID: 1234
//! format:
//! <tab>field:unsigned short common_type;<tab>offset:0;<tab>size:2;<tab>signed:0;
//! <tab>field:__data_loc char[] file;<tab>offset:8;<tab>size:4;<tab>signed:0;
//!
//! print fmt: "%s …", __get_str(file), …
//! ```

use std::borrow::Cow;

/// The most bytes that an event has: a sub-buffer of the largest order that the kernel takes is not longer.
const LONGEST: usize = 1 << 24;

/// Where the value of a field lies, and what it is.
///
/// # Invariants
///
/// `offset + size` is at most 16 MiB.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Bytes from the beginning of the event.
    pub offset: usize,
    /// Bytes.
    pub size: usize,
    /// Whether a number may be less than 0.
    pub signed: bool,
    /// Whether what lies there says where the text is: its offset below its length, 16 bits each.
    pub elsewhere: bool,
}

/// The description of one kind of event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    /// Its name.
    pub name: String,
    /// The number that events of this kind begin with.
    pub id: u64,
    /// What they consist of.
    pub fields: Vec<Field>,
    /// How the kernel prints them.
    pub print: String,
}

impl Format {
    /// Reads the text of a `format` file. Lines of another shape are passed over.
    ///
    /// # Errors
    ///
    /// What is missing.
    pub fn parse(text: &str) -> Result<Format, String> {
        let value = |head: &str| text.lines().find_map(|line| line.strip_prefix(head)).map(str::trim);
        let name = value("name:").filter(|name| !name.is_empty()).ok_or("has no name")?;
        let id = value("ID:").and_then(|id| id.parse().ok()).ok_or("has no ID")?;
        let print = value("print fmt:").unwrap_or_default().to_owned();
        Ok(Format { name: name.to_owned(), id, fields: fields(text), print })
    }

    /// A field of it.
    ///
    /// # Errors
    ///
    /// That there is none.
    pub fn field(&self, name: &str) -> Result<&Field, String> {
        find(&self.fields, name).ok_or_else(|| format!("{} has no field `{name}`", self.name))
    }
}

/// The fields that a text describes.
pub fn fields(text: &str) -> Vec<Field> {
    text.lines().filter_map(Field::parse).collect()
}

/// One of these fields.
pub fn find<'f>(fields: &'f [Field], name: &str) -> Option<&'f Field> {
    fields.iter().find(|field| field.name == name)
}

impl Field {
    /// Reads a line of a description; `None` if it describes no field.
    fn parse(line: &str) -> Option<Field> {
        // The description of a page has a blank behind the colon.
        let rest = line.trim_start().strip_prefix("field:")?;
        let mut parts = rest.split(';').map(str::trim);
        let declaration = parts.next()?;
        let mut number = |head: &str| parts.next()?.strip_prefix(head)?.parse::<usize>().ok();
        let (offset, size) = (number("offset:")?, number("size:")?);
        let signed = number("signed:").is_some_and(|signed| signed != 0);
        if offset.checked_add(size)? > LONGEST {
            return None;
        }
        let (kind, name) = declaration.rsplit_once(' ')?;
        let name = name.split('[').next()?.trim_start_matches('*');
        Some(Field { name: name.to_owned(), offset, size, signed, elsewhere: kind.starts_with("__data_loc ") })
    }

    /// The number in an event, whatever its size; negative ones as `u64` has their bits. `None` if the event is too short for it,
    /// or it is no number.
    pub fn number(&self, event: &[u8]) -> Option<u64> {
        let bytes = event.get(self.offset..self.offset.checked_add(self.size)?)?;
        let mut word = [0; 8];
        word.get_mut(..bytes.len())?.copy_from_slice(bytes);
        let value = u64::from_le_bytes(word);
        let unused = 64 - 8 * u32::try_from(bytes.len()).ok()?;
        if !self.signed || unused == 0 || unused == 64 {
            return Some(value);
        }
        // CAST: both are the same bits; the arithmetic shift spreads the sign.
        Some(((value << unused) as i64 >> unused) as u64)
    }

    /// The text in an event, to its end or to the first zero. `None` if the event is too short for it.
    pub fn text<'e>(&self, event: &'e [u8]) -> Option<Cow<'e, str>> {
        let bytes = if self.elsewhere {
            let place = usize::try_from(self.number(event)?).ok()?;
            let (offset, length) = (place & 0xffff, place >> 16 & 0xffff);
            event.get(offset..offset.checked_add(length)?)?
        } else {
            event.get(self.offset..self.offset.checked_add(self.size)?)?
        };
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        Some(String::from_utf8_lossy(&bytes[..end]))
    }
}

#[cfg(test)]
#[path = "format/tests.rs"]
mod tests;
