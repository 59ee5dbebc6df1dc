// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a snapshot says that rests on another one, its base: which rows of the base it has, and by how much they differ.

use std::collections::HashMap;

use super::more::More;
use super::varint::{count, put, take, take_size, unzigzag, zigzag};
use crate::model::{Numbers, Profile, Row, Sample, Site};

/// The snapshot that others rest on.
#[derive(Clone, Debug, PartialEq)]
pub struct Base {
    /// The name of its file, which lies beside theirs.
    pub name: String,
    /// The CRC-32 of that file.
    pub checksum: u32,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// What a snapshot says about its base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    /// The name of its file.
    pub name: String,
    /// The CRC-32 of that file.
    pub checksum: u32,
}

/// The CRC-32 of a file.
pub fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

impl Rest {
    /// The block `BASE`.
    pub(super) fn content(base: &Base) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, count(base.name.len()));
        out.extend(base.name.as_bytes());
        put(&mut out, base.checksum.into());
        out
    }

    /// Reads the block `BASE`. A name that leads elsewhere is none.
    pub(super) fn of(mut bytes: &[u8]) -> Option<Rest> {
        let length = take_size(&mut bytes)?;
        let (name, mut bytes) = bytes.split_at_checked(length)?;
        let name = std::str::from_utf8(name).ok()?;
        let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(|c: char| c == '/' || c.is_control());
        let checksum = take(&mut bytes)?.try_into().ok()?;
        (plain && bytes.is_empty()).then(|| Rest { name: name.to_owned(), checksum })
    }
}

/// Stands in the column of places for a row that the base does not have: it is among those of `ROWS`.
const NEW: u64 = 0;

/// Rows of a base, each with what it has become.
type Pairs<'p> = Vec<(&'p Row, &'p Row)>;

/// The block `DIFF` of a profile, the rows that its base does not have, and those that it has.
pub(super) fn differences<'p>(profile: &'p Profile, base: &'p Base) -> (Vec<u8>, Vec<&'p Row>, Pairs<'p>) {
    let mut places: Option<HashMap<&Site, usize>> = None;
    let (mut next, mut new, mut known) = (0, Vec::new(), Vec::new());
    let (mut column, mut bytes, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    for row in profile.rows() {
        // Mostly the order is the base's.
        let place =
            Some(next).filter(|&next| base.rows.get(next).is_some_and(|old| old.site == row.site)).or_else(|| {
                let places = places.get_or_insert_with(|| base.rows.iter().map(|row| &row.site).zip(0..).collect());
                places.get(&row.site).copied()
            });
        match place.filter(|&place| differ_by_numbers(&base.rows[place], row)) {
            Some(place) => {
                let old = &base.rows[place];
                // CAST: places in memory.
                put(&mut column, 1 + zigzag(place as i64 - next as i64));
                // Row's invariant rules out overflow.
                put(&mut bytes, zigzag(row.bytes - old.bytes));
                put(&mut calls, zigzag(row.calls - old.calls));
                known.push((old, row));
                next = place + 1;
            }
            None => {
                put(&mut column, NEW);
                new.push(row);
            }
        }
    }
    let mut out = Vec::new();
    put(&mut out, count(profile.rows().len()));
    for values in [column, bytes, calls] {
        put(&mut out, count(values.len()));
        out.extend(values);
    }
    (out, new, known)
}

/// Whether all but the numbers of two rows is the same.
fn differ_by_numbers(old: &Row, new: &Row) -> bool {
    (&old.site, old.accurate, old.clipped, old.merged, &old.extra)
        == (&new.site, new.accurate, new.clipped, new.merged, &new.extra)
}

/// A row of a snapshot that rests on a base.
pub(super) enum Part {
    /// One that the base has, by its place there, and its numbers as they are now.
    Known { place: usize, bytes: i64, calls: i64, numbers: Numbers },
    /// The next one of `ROWS`.
    New,
}

/// A row of the base with other numbers.
pub(super) fn changed(row: &Row, bytes: i64, calls: i64, numbers: Numbers) -> Sample<'_> {
    Sample {
        file: &row.site.file,
        line: row.site.line,
        func: &row.site.func,
        module: row.site.module.as_deref(),
        bytes,
        calls,
        accurate: row.accurate,
        clipped: row.clipped,
        merged: row.merged,
        numbers,
        extra: row.extra.iter().map(|pair| (pair.key.as_str(), pair.value.as_str())).collect(),
    }
}

/// Reads the blocks `DIFF` and `more` of a snapshot with so many rows that its base has not: the rows in their order. `None` if
/// they do not fit the base.
pub(super) fn parts(mut block: &[u8], mut more: More<'_>, base: &[Row], new: usize) -> Option<Vec<Part>> {
    let count = take_size(&mut block)?;
    let mut columns = [&[][..]; 3];
    for column in &mut columns {
        let length = take_size(&mut block)?;
        (*column, block) = block.split_at_checked(length)?;
    }
    let [mut places, mut bytes, mut calls] = columns;
    // Each row is there once: what claims more is refused before room is made.
    let mut parts = Vec::with_capacity(Some(count).filter(|&count| count <= base.len() + new)?);
    let mut next = 0i64;
    for _ in 0..count {
        let place = take(&mut places)?;
        if place == NEW {
            parts.push(Part::New);
            continue;
        }
        next = next.checked_add(unzigzag(place - 1))?;
        let place = usize::try_from(next).ok()?;
        let row = base.get(place)?;
        next += 1;
        parts.push(Part::Known {
            place,
            bytes: row.bytes.checked_add(unzigzag(take(&mut bytes)?))?,
            calls: row.calls.checked_add(unzigzag(take(&mut calls)?))?,
            numbers: more.next(&row.numbers)?,
        });
    }
    let whole = [block, places, bytes, calls].iter().all(|rest| rest.is_empty());
    (whole && more.is_empty()).then_some(parts)
}
