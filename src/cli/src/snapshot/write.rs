// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Writes snapshots.

use std::collections::HashMap;

use serde_json::json;

use super::column::{known, Encoding, CLIPPED, INACCURATE};
use super::delta::{differences, Base, Rest};
use super::varint::{count, maybe, put, zigzag};
use super::{
    block, more, MAGIC, MAJOR, MINOR, MINOR_ON_BASE, MINOR_WITH_CONTEXTS, MINOR_WITH_NUMBERS, MINOR_WITH_TIMES,
};
use crate::model::{Number, Profile, Row};
use crate::source::{contexts, timings};

/// The bytes of a snapshot of `profile` that stands alone.
pub fn encode(profile: &Profile) -> Vec<u8> {
    let rows: Vec<&Row> = profile.rows().iter().collect();
    let mut out = begin(profile, MINOR);
    put_rows(&mut out, &rows);
    end(out, profile)
}

/// The bytes of a snapshot of `profile` that rests on another one.
pub fn encode_on(profile: &Profile, base: &Base) -> Vec<u8> {
    let (differences, new, old) = differences(profile, base);
    let mut out = begin(profile, MINOR_ON_BASE);
    block::put(&mut out, *b"BASE", &Rest::content(base));
    block::put(&mut out, *b"DIFF", &differences);
    if let Some(more) = more::content(&old) {
        block::put(&mut out, *b"more", &more);
    }
    put_rows(&mut out, &new);
    end(out, profile)
}

fn begin(profile: &Profile, minor: u8) -> Vec<u8> {
    let mut meta = json!({"meta": profile.meta, "unreadable": profile.unreadable()});
    if profile.contexts.unreadable().count > 0 {
        meta["unreadable_contexts"] = json!(profile.contexts.unreadable());
    }
    if profile.timings.unreadable().count > 0 {
        meta["unreadable_timings"] = json!(profile.timings.unreadable());
    }
    let meta = meta.to_string();
    let numbers = profile.rows().iter().any(|row| !row.numbers.is_empty());
    let minor = match (profile.timings.is_empty(), profile.contexts.list().is_empty(), numbers) {
        (false, ..) => MINOR_WITH_TIMES,
        (true, false, _) => MINOR_WITH_CONTEXTS,
        (true, true, true) => MINOR_WITH_NUMBERS,
        (true, true, false) => minor,
    };
    let mut out = MAGIC.to_vec();
    out.extend([MAJOR, minor]);
    block::put(&mut out, *b"META", meta.as_bytes());
    out
}

fn end(mut out: Vec<u8>, profile: &Profile) -> Vec<u8> {
    if !profile.contexts.list().is_empty() {
        block::put(&mut out, *b"ctxs", contexts::print(&profile.contexts).as_bytes());
    }
    if !profile.timings.is_empty() {
        block::put(&mut out, *b"time", timings::print(&profile.timings).as_bytes());
    }
    let mut end = Vec::new();
    put(&mut end, count(profile.rows().len()));
    block::put(&mut out, *b"DONE", &end);
    out
}

fn put_rows(out: &mut Vec<u8>, rows: &[&Row]) {
    let mut strings = Strings::default();
    let mut content = Vec::new();
    put(&mut content, count(rows.len()));
    let there = |name: &str| match Number::named(name) {
        Some(number) => rows.iter().any(|row| row.numbers.get(number).is_some()),
        None => true,
    };
    let columns: Vec<_> = known().filter(|(name, _)| there(name)).collect();
    put(&mut content, count(columns.len()));
    for (name, encoding) in columns {
        let values = column(name, rows, &mut strings);
        put(&mut content, count(name.len()));
        content.extend(name.as_bytes());
        content.push(encoding as u8);
        put(&mut content, count(values.len()));
        content.extend(values);
    }
    block::put(out, *b"STRS", &strings.content());
    block::put(out, *b"ROWS", &content);
}

/// The values of one column.
fn column<'r>(name: &str, rows: &[&'r Row], strings: &mut Strings<'r>) -> Vec<u8> {
    let mut out = Vec::new();
    for row in rows {
        match name {
            "file" => put(&mut out, strings.index(&row.site.file)),
            "line" => put(&mut out, row.site.line.into()),
            "func" => put(&mut out, strings.index(&row.site.func)),
            "module" => put(&mut out, row.site.module.as_ref().map_or(0, |module| strings.index(module))),
            "bytes" => put(&mut out, zigzag(row.bytes)),
            "calls" => put(&mut out, zigzag(row.calls)),
            "flags" => {
                let flag = |set: bool, bit: u64| if set { bit } else { 0 };
                put(&mut out, flag(!row.accurate, INACCURATE) | flag(row.clipped, CLIPPED));
            }
            "merged" => put(&mut out, row.merged.into()),
            "extra" => {
                put(&mut out, count(row.extra.len()));
                for pair in &row.extra {
                    put(&mut out, strings.index(&pair.key));
                    put(&mut out, strings.index(&pair.value));
                }
            }
            counted => put(&mut out, maybe(Number::named(counted).and_then(|number| row.numbers.get(number)))),
        }
    }
    out
}

/// The string table in the making.
#[derive(Default)]
struct Strings<'s> {
    places: HashMap<&'s str, u64>,
    texts: Vec<&'s str>,
}

impl<'s> Strings<'s> {
    /// The string's number, from 1.
    fn index(&mut self, text: &'s str) -> u64 {
        *self.places.entry(text).or_insert_with(|| {
            self.texts.push(text);
            count(self.texts.len())
        })
    }

    fn content(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, count(self.texts.len()));
        for text in &self.texts {
            put(&mut out, count(text.len()));
            out.extend(text.as_bytes());
        }
        out
    }
}

/// The reader must know these encodings by the same numbers.
const _: () = assert!(Encoding::Unsigned as u8 == 1 && Encoding::Pairs as u8 == 4 && Encoding::Maybe as u8 == 5);
