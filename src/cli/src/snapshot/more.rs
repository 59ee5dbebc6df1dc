// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The block `more` of a snapshot that rests on another one: what its kernel counts beside bytes and calls.
//!
//! A reader that does not know the block skips it, and still has the rest.

use super::varint::{count, maybe, put, take, take_size, unmaybe};
use crate::model::{Number, Numbers, Row, TABLE};

/// The block, of rows of the base with what they are now; `None` if nothing is counted in these.
pub(super) fn content(rows: &[(&Row, &Row)]) -> Option<Vec<u8>> {
    let mut columns = 0;
    let mut content = Vec::new();
    for number in Number::all().filter(|&number| rows.iter().any(|(_, now)| now.numbers.get(number).is_some())) {
        let mut values = Vec::new();
        for (old, now) in rows {
            let base = old.numbers.get(number).unwrap_or(0);
            // Row's invariant rules out overflow.
            put(&mut values, maybe(now.numbers.get(number).map(|now| now - base)));
        }
        put(&mut content, count(number.name().len()));
        content.extend(number.name().as_bytes());
        put(&mut content, count(values.len()));
        content.extend(values);
        columns += 1;
    }
    let mut out = Vec::new();
    put(&mut out, columns);
    out.extend(content);
    (columns > 0).then_some(out)
}

/// The block while its columns are being read.
#[derive(Default)]
pub(super) struct More<'b>(Vec<(Number, &'b [u8])>);

impl<'b> More<'b> {
    /// The columns of the block that are known; `None` if it is broken.
    pub(super) fn of(mut block: &'b [u8]) -> Option<More<'b>> {
        let columns = take_size(&mut block)?;
        let mut found = Vec::with_capacity(TABLE.len());
        for _ in 0..columns {
            let length = take_size(&mut block)?;
            let (name, rest) = block.split_at_checked(length)?;
            block = rest;
            let length = take_size(&mut block)?;
            let (values, rest) = block.split_at_checked(length)?;
            block = rest;
            let number = std::str::from_utf8(name).ok().and_then(Number::named);
            found.extend(number.map(|number| (number, values)));
        }
        block.is_empty().then_some(More(found))
    }

    /// The numbers of the next row that the base has, where it has those; `None` if there are none.
    pub(super) fn next(&mut self, base: &Numbers) -> Option<Numbers> {
        let mut numbers = Numbers::NONE;
        for (number, values) in &mut self.0 {
            if let Some(change) = unmaybe(take(values)?) {
                numbers.set(*number, base.get(*number).unwrap_or(0).checked_add(change)?);
            }
        }
        Some(numbers)
    }

    /// Whether all values have been read.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|(_, values)| values.is_empty())
    }
}
