// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Reads snapshots.

use std::collections::HashMap;

use serde::Deserialize;

use super::block::{self, Kind};
use super::column::{known, Encoding, CLIPPED, INACCURATE, REQUIRED};
use super::delta::{changed, parts, Part, Rest};
use super::more::More;
use super::varint::{take, take_size, unmaybe, unzigzag};
use super::{SnapshotError, MAGIC, MAJOR};
use crate::model::{Builder, Meta, Names, Number, Numbers, Profile, Refused, Row, Sample, Unreadable};
use crate::source::{contexts, timings};

/// Decodes the bytes of a snapshot, [`MAGIC`] included.
///
/// # Errors
///
/// If they are not whole and sound to the last byte: of a damaged snapshot nothing is believed.
pub fn decode(bytes: &[u8], names: &mut Names) -> Result<Profile, SnapshotError> {
    decode_on(bytes, None, names)
}

/// The same, for one that may rest on another, whose rows are `base`.
///
/// # Errors
///
/// As [`decode`]; [`SnapshotError::Rests`] if it needs a base and there is none.
pub fn decode_on(bytes: &[u8], base: Option<&[Row]>, names: &mut Names) -> Result<Profile, SnapshotError> {
    let mut rest = body(bytes)?;
    let (mut head, mut strings, mut rows, mut on, mut diff, mut more) = (None, None, None, None, None, None);
    let (mut told, mut timed) = (None, None);
    let end = loop {
        let (kind, packed) = block::take(&mut rest)?;
        match &kind {
            b"META" => once(&mut head, kind, packed)?,
            b"STRS" => once(&mut strings, kind, packed)?,
            b"ROWS" => once(&mut rows, kind, packed)?,
            b"BASE" => once(&mut on, kind, packed)?,
            b"DIFF" => once(&mut diff, kind, packed)?,
            b"more" => once(&mut more, kind, packed)?,
            b"ctxs" => once(&mut told, kind, packed)?,
            b"time" => once(&mut timed, kind, packed)?,
            b"DONE" => break block::unpack(packed)?,
            _ if kind[0].is_ascii_lowercase() => {}
            _ => return Err(SnapshotError::UnknownBlock(block::name(kind))),
        }
    };
    if !rest.is_empty() {
        return Err(SnapshotError::damaged("end", "something comes behind it"));
    }
    let missing = |kind: &str| SnapshotError::Damaged("blocks", format!("{kind} is missing"));
    let head = Head::of(&head.ok_or_else(|| missing("META"))?)?;
    let strings = strings.ok_or_else(|| missing("STRS"))?;
    let strings = table(&strings).ok_or_else(|| SnapshotError::damaged("STRS", "it is no table of names"))?;
    let rows = Rows::of(&rows.ok_or_else(|| missing("ROWS"))?, &strings)?;
    let parts = match (on, diff, base) {
        (None, None, _) => None,
        (Some(on), Some(_), None) => return Err(SnapshotError::Rests(named(&on)?.name)),
        (Some(_), Some(diff), Some(base)) => {
            let more = more.as_deref().map_or(Some(More::default()), More::of);
            let parts = more.and_then(|more| parts(&diff, more, base, rows.count));
            Some(parts.ok_or_else(|| SnapshotError::damaged("DIFF", "it does not fit its base"))?)
        }
        _ => return Err(missing("BASE or DIFF")),
    };
    if take_size(&mut end.as_slice()) != Some(parts.as_ref().map_or(rows.count, Vec::len)) {
        return Err(SnapshotError::damaged("DONE", "it tells another number of rows"));
    }
    let mut builder = Builder::new(names);
    rows.push_all(parts, base.unwrap_or_default(), &mut builder)?;
    builder.inherit_unreadable(head.unreadable);
    let mut profile = builder.finish(head.meta);
    // Those of a later version are skipped, as a block of a later version is.
    profile.contexts = told.and_then(|text| contexts::parse(&text, names).ok()).unwrap_or_default();
    profile.contexts.inherit_unreadable(head.unreadable_contexts);
    profile.timings = timed.and_then(|text| timings::parse(&text, names).ok()).unwrap_or_default();
    profile.timings.inherit_unreadable(head.unreadable_timings);
    Ok(profile)
}

/// The circumstances that a snapshot tells at its beginning, of which `bytes` may be all that is there.
///
/// # Errors
///
/// If these bytes are no snapshot of a version that is known, or end before its circumstances do.
pub fn meta(bytes: &[u8]) -> Result<Meta, SnapshotError> {
    let mut rest = body(bytes)?;
    loop {
        let (kind, packed) = block::take(&mut rest)?;
        match &kind {
            b"META" => return Ok(Head::of(&block::unpack(packed)?)?.meta),
            _ if kind[0].is_ascii_lowercase() => {}
            _ => return Err(SnapshotError::damaged("blocks", "META is not the first")),
        }
    }
}

/// What a snapshot rests on; `None` if it stands alone.
///
/// # Errors
///
/// As [`meta`].
pub fn rest(bytes: &[u8]) -> Result<Option<Rest>, SnapshotError> {
    let mut rest = body(bytes)?;
    loop {
        let (kind, packed) = block::take(&mut rest)?;
        match &kind {
            b"BASE" => return named(&block::unpack(packed)?).map(Some),
            // It stands in front of all rows.
            b"STRS" | b"ROWS" | b"DONE" => return Ok(None),
            _ => {}
        }
    }
}

fn named(block: &[u8]) -> Result<Rest, SnapshotError> {
    Rest::of(block).ok_or_else(|| SnapshotError::damaged("BASE", "it names no file"))
}

/// What comes behind the version.
fn body(bytes: &[u8]) -> Result<&[u8], SnapshotError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(SnapshotError::Cut)?;
    let (&[major, _minor], rest) = rest.split_first_chunk::<2>().ok_or(SnapshotError::Cut)?;
    if major != MAJOR {
        return Err(SnapshotError::Newer(major));
    }
    Ok(rest)
}

/// What the block `META` holds.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Head {
    meta: Meta,
    unreadable: Unreadable,
    unreadable_contexts: Unreadable,
    unreadable_timings: Unreadable,
}

impl Head {
    fn of(json: &[u8]) -> Result<Head, SnapshotError> {
        // The library's own words may quote what is in there, control characters and all.
        let head: Head = serde_json::from_slice(json).map_err(|error| {
            SnapshotError::damaged("META", format_args!("line {}, column {}", error.line(), error.column()))
        })?;
        if head.texts().any(|text| text.contains(char::is_control)) {
            return Err(SnapshotError::damaged("META", "it has control characters in it"));
        }
        Ok(head)
    }

    /// All that may be shown. Not where it was read from: the reader knows better.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let others = [&self.unreadable_contexts.first, &self.unreadable_timings.first];
        let (meta, unreadable) = (&self.meta, [&self.unreadable.first].into_iter().chain(others));
        let names = meta.uname.iter().flat_map(|uname| [&uname.release, &uname.version, &uname.machine, &uname.node]);
        unreadable
            .chain([&meta.boot_id, &meta.build_id])
            .flatten()
            .chain(names)
            .chain(meta.memory.0.keys())
            .map(String::as_str)
    }
}

fn once(place: &mut Option<Vec<u8>>, kind: Kind, packed: &[u8]) -> Result<(), SnapshotError> {
    match place.replace(block::unpack(packed)?) {
        None => Ok(()),
        Some(_) => Err(SnapshotError::Damaged("blocks", format!("{} is there twice", block::name(kind)))),
    }
}

/// Reads the string table. No name of a kernel has a control character in it.
fn table(mut bytes: &[u8]) -> Option<Vec<&str>> {
    let count = take_size(&mut bytes)?;
    // A string takes a byte at least: what claims more than that is refused before room is made.
    let mut strings = Vec::with_capacity(Some(count).filter(|&count| count <= bytes.len())?);
    for _ in 0..count {
        let length = take_size(&mut bytes)?;
        let (text, rest) = bytes.split_at_checked(length)?;
        strings.push(std::str::from_utf8(text).ok().filter(|text| !text.contains(char::is_control))?);
        bytes = rest;
    }
    bytes.is_empty().then_some(strings)
}

/// The known columns, decoded.
struct Rows<'s> {
    count: usize,
    numbers: HashMap<&'static str, Vec<u64>>,
    extra: Vec<Vec<(&'s str, &'s str)>>,
    strings: &'s [&'s str],
}

impl<'s> Rows<'s> {
    fn of(mut bytes: &[u8], strings: &'s [&'s str]) -> Result<Self, SnapshotError> {
        let damaged = |problem: &str| SnapshotError::damaged("ROWS", problem);
        let short = || damaged("it is too short");
        let count = take_size(&mut bytes).ok_or_else(short)?;
        let columns = take_size(&mut bytes).ok_or_else(short)?;
        let mut rows = Rows { count, numbers: HashMap::new(), extra: Vec::new(), strings };
        for _ in 0..columns {
            let length = take_size(&mut bytes).ok_or_else(short)?;
            let (name, rest) = bytes.split_at_checked(length).ok_or_else(short)?;
            let (&encoding, mut rest) = rest.split_first().ok_or_else(short)?;
            let length = take_size(&mut rest).ok_or_else(short)?;
            let (values, rest) = rest.split_at_checked(length).ok_or_else(short)?;
            bytes = rest;
            let found = known().find(|known| known.0.as_bytes() == name && known.1 as u8 == encoding);
            let Some((name, encoding)) = found else { continue };
            rows.column(name, encoding, values)
                .ok_or_else(|| SnapshotError::Damaged("ROWS", format!("the column {name} is broken")))?;
        }
        if !bytes.is_empty() {
            return Err(damaged("something comes behind the columns"));
        }
        match REQUIRED.iter().find(|name| !rows.numbers.contains_key(**name)) {
            Some(name) => Err(SnapshotError::Damaged("ROWS", format!("the column {name} is missing"))),
            None => Ok(rows),
        }
    }

    fn column(&mut self, name: &'static str, encoding: Encoding, mut bytes: &[u8]) -> Option<()> {
        // A value takes a byte at least.
        let room = Some(self.count).filter(|&count| count <= bytes.len())?;
        if encoding == Encoding::Pairs {
            let mut lists = Vec::with_capacity(room);
            for _ in 0..self.count {
                let pairs = take_size(&mut bytes)?;
                let mut list = Vec::new();
                for _ in 0..pairs {
                    list.push((text(self.strings, take(&mut bytes)?)?, text(self.strings, take(&mut bytes)?)?));
                }
                lists.push(list);
            }
            self.extra = lists;
            return bytes.is_empty().then_some(());
        }
        let mut numbers = Vec::with_capacity(room);
        for _ in 0..self.count {
            numbers.push(take(&mut bytes)?);
        }
        let unique = self.numbers.insert(name, numbers).is_none();
        (bytes.is_empty() && unique).then_some(())
    }

    /// Hands on the rows: in the order of `parts`, if there is another.
    fn push_all(
        mut self,
        parts: Option<Vec<Part>>,
        base: &[Row],
        builder: &mut Builder<'_>,
    ) -> Result<(), SnapshotError> {
        let parts = parts.unwrap_or_else(|| std::iter::repeat_with(|| Part::New).take(self.count).collect());
        builder.reserve(parts.len());
        let mut new = 0..self.count;
        for (row, part) in parts.into_iter().enumerate() {
            let sample = match part {
                Part::Known { place, bytes, calls, numbers } => Some(changed(&base[place], bytes, calls, numbers)),
                Part::New => new.next().and_then(|place| {
                    let extra = self.extra.get_mut(place).map(std::mem::take).unwrap_or_default();
                    self.sample(place, extra)
                }),
            };
            let sample =
                sample.ok_or_else(|| SnapshotError::Damaged("ROWS", format!("row {row} names no call site")))?;
            builder.push(&sample).map_err(|refused: Refused| {
                SnapshotError::Damaged("ROWS", format!("row {row}: {}", refused.reason()))
            })?;
        }
        match new.next() {
            None => Ok(()),
            Some(row) => Err(SnapshotError::Damaged("DIFF", format!("it does not place row {row}"))),
        }
    }

    fn sample(&self, row: usize, extra: Vec<(&'s str, &'s str)>) -> Option<Sample<'s>> {
        let number = |name: &str| self.numbers.get(name).map(|column| column[row]);
        let flags = number("flags").unwrap_or(0);
        let mut numbers = Numbers::NONE;
        for counted in Number::all() {
            if let Some(value) = number(counted.name()).and_then(unmaybe) {
                numbers.set(counted, value);
            }
        }
        Some(Sample {
            file: name(self.strings, number("file")?)?,
            line: number("line")?.try_into().ok()?,
            func: name(self.strings, number("func")?)?,
            module: match number("module").unwrap_or(0) {
                0 => None,
                index => Some(text(self.strings, index)?),
            },
            bytes: unzigzag(number("bytes")?),
            calls: unzigzag(number("calls")?),
            accurate: flags & INACCURATE == 0,
            clipped: flags & CLIPPED != 0,
            merged: number("merged").unwrap_or(1).try_into().ok()?,
            numbers,
            extra,
        })
    }
}

/// The string of that number, from 1.
fn text<'s>(strings: &[&'s str], number: u64) -> Option<&'s str> {
    strings.get(usize::try_from(number).ok()?.checked_sub(1)?).copied()
}

/// The same, for what cannot be empty.
fn name<'s>(strings: &[&'s str], number: u64) -> Option<&'s str> {
    text(strings, number).filter(|name| !name.is_empty())
}
