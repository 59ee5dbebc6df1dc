// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The gzipped `profile.proto` of pprof, Pyroscope and Parca.
//!
//! A call site is a location with its function, file and line, in a mapping that is the kernel or a module. What it belongs
//! to besides (subsystem, directory, module) are labels of its sample: `pprof -tagroot=subsystem` makes frames of them,
//! `-tagfocus` picks by them.

use std::collections::HashMap;
use std::io::{self, Write};

use flate2::write::GzEncoder;
use flate2::Compression;

use super::protobuf::Message;
use crate::model::{Meta, Number, Row, Site};
use crate::subsystem::Subsystems;

/// Field numbers of `profile.proto`, by message.
mod field {
    pub(super) mod profile {
        pub(crate) const SAMPLE_TYPE: u64 = 1;
        pub(crate) const SAMPLE: u64 = 2;
        pub(crate) const MAPPING: u64 = 3;
        pub(crate) const LOCATION: u64 = 4;
        pub(crate) const FUNCTION: u64 = 5;
        pub(crate) const STRING_TABLE: u64 = 6;
        pub(crate) const TIME_NANOS: u64 = 9;
        pub(crate) const PERIOD_TYPE: u64 = 11;
        pub(crate) const PERIOD: u64 = 12;
        pub(crate) const COMMENT: u64 = 13;
        pub(crate) const DEFAULT_SAMPLE_TYPE: u64 = 14;
    }
    pub(super) mod value_type {
        pub(crate) const TYPE: u64 = 1;
        pub(crate) const UNIT: u64 = 2;
    }
    pub(super) mod sample {
        pub(crate) const LOCATION_ID: u64 = 1;
        pub(crate) const VALUE: u64 = 2;
        pub(crate) const LABEL: u64 = 3;
    }
    pub(super) mod label {
        pub(crate) const KEY: u64 = 1;
        pub(crate) const STR: u64 = 2;
    }
    pub(super) mod mapping {
        pub(crate) const ID: u64 = 1;
        pub(crate) const FILENAME: u64 = 5;
        pub(crate) const BUILD_ID: u64 = 6;
        pub(crate) const HAS_FUNCTIONS: u64 = 7;
        pub(crate) const HAS_FILENAMES: u64 = 8;
        pub(crate) const HAS_LINE_NUMBERS: u64 = 9;
        pub(crate) const HAS_INLINE_FRAMES: u64 = 10;
    }
    pub(super) mod location {
        pub(crate) const ID: u64 = 1;
        pub(crate) const MAPPING_ID: u64 = 2;
        pub(crate) const LINE: u64 = 4;
    }
    pub(super) mod line {
        pub(crate) const FUNCTION_ID: u64 = 1;
        pub(crate) const LINE: u64 = 2;
    }
    pub(super) mod function {
        pub(crate) const ID: u64 = 1;
        pub(crate) const NAME: u64 = 2;
        pub(crate) const SYSTEM_NAME: u64 = 3;
        pub(crate) const FILENAME: u64 = 4;
    }
}

/// The name of the mapping that built-in code is in.
const KERNEL: &str = "vmlinux";

/// What a value of a sample is.
struct Kind {
    name: &'static str,
    unit: &'static str,
    /// Of a row; `None` if its kernel does not count it.
    of: fn(&Row) -> Option<i64>,
}

/// The values, by the names that Go's heap profiles use and in the order that these have.
const KINDS: [Kind; 4] = [
    Kind { name: "alloc_objects", unit: "count", of: |row| row.numbers.get(Number::Allocs) },
    Kind { name: "alloc_space", unit: "bytes", of: |row| row.numbers.get(Number::Allocated) },
    Kind { name: "inuse_objects", unit: "count", of: |row| Some(row.calls) },
    Kind { name: "inuse_space", unit: "bytes", of: |row| Some(row.bytes) },
];

/// Writes the rows that hold something, or did.
///
/// # Errors
///
/// Those of `out`.
pub fn write<'p>(
    rows: impl IntoIterator<Item = &'p Row>,
    meta: &Meta,
    subsystems: &'p Subsystems,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rows: Vec<&Row> = rows.into_iter().collect();
    let counted = |kind: &&Kind| rows.iter().any(|row| (kind.of)(row).is_some());
    let mut profile = Writer::new(KINDS.iter().filter(counted).collect());
    profile.kinds();
    profile.period();
    // The first mapping is the main program's.
    profile.mapping(KERNEL, meta.build_id.as_deref());
    for row in rows {
        profile.sample(row, subsystems);
    }
    let mut gzip = GzEncoder::new(out, Compression::default());
    gzip.write_all(&profile.finish(meta).bytes)?;
    gzip.finish()?;
    Ok(())
}

/// A profile being put together. Identifiers count from 1.
struct Writer<'p> {
    message: Message,
    kinds: Vec<&'static Kind>,
    strings: HashMap<String, i64>,
    table: Vec<String>,
    mappings: HashMap<&'p str, u64>,
    functions: HashMap<(&'p str, &'p str), u64>,
    locations: u64,
}

impl<'p> Writer<'p> {
    fn new(kinds: Vec<&'static Kind>) -> Writer<'p> {
        let mut writer = Writer {
            message: Message::default(),
            kinds,
            strings: HashMap::new(),
            table: Vec::new(),
            mappings: HashMap::new(),
            functions: HashMap::new(),
            locations: 0,
        };
        // The format wants the first string empty.
        writer.string("");
        writer
    }

    fn string(&mut self, text: &str) -> i64 {
        if let Some(&number) = self.strings.get(text) {
            return number;
        }
        // CAST: no more strings than rows of a file of bounded size.
        let number = self.table.len() as i64;
        self.table.push(text.to_owned());
        self.strings.insert(text.to_owned(), number);
        number
    }

    /// What the values of a sample are.
    fn kinds(&mut self) {
        for Kind { name, unit, .. } in self.kinds.clone() {
            let mut message = Message::default();
            message.signed(field::value_type::TYPE, self.string(name));
            message.signed(field::value_type::UNIT, self.string(unit));
            self.message.message(field::profile::SAMPLE_TYPE, &message);
        }
    }

    /// What is between two samples, which Pyroscope and Parca name profiles by: as in Go's heap profiles it is a size; every byte
    /// is counted here.
    fn period(&mut self) {
        let mut message = Message::default();
        message.signed(field::value_type::TYPE, self.string("space"));
        message.signed(field::value_type::UNIT, self.string("bytes"));
        self.message.message(field::profile::PERIOD_TYPE, &message).number(field::profile::PERIOD, 1);
    }

    fn mapping(&mut self, name: &'p str, build_id: Option<&str>) -> u64 {
        if let Some(&id) = self.mappings.get(name) {
            return id;
        }
        let id = self.mappings.len() as u64 + 1;
        let mut message = Message::default();
        message.number(field::mapping::ID, id).signed(field::mapping::FILENAME, self.string(name));
        message.signed(field::mapping::BUILD_ID, self.string(build_id.unwrap_or_default()));
        // So that nobody goes and looks for symbols.
        for known in [
            field::mapping::HAS_FUNCTIONS,
            field::mapping::HAS_FILENAMES,
            field::mapping::HAS_LINE_NUMBERS,
            field::mapping::HAS_INLINE_FRAMES,
        ] {
            message.number(known, 1);
        }
        self.message.message(field::profile::MAPPING, &message);
        self.mappings.insert(name, id);
        id
    }

    fn function(&mut self, site: &'p Site) -> u64 {
        let key = (site.func.as_str(), site.path());
        if let Some(&id) = self.functions.get(&key) {
            return id;
        }
        let id = self.functions.len() as u64 + 1;
        let (name, file) = (self.string(key.0), self.string(key.1));
        let mut message = Message::default();
        message.number(field::function::ID, id).signed(field::function::NAME, name);
        message.signed(field::function::SYSTEM_NAME, name).signed(field::function::FILENAME, file);
        self.message.message(field::profile::FUNCTION, &message);
        self.functions.insert(key, id);
        id
    }

    fn location(&mut self, site: &'p Site) -> u64 {
        let mapping = self.mapping(site.module.as_deref().unwrap_or(KERNEL), None);
        let mut line = Message::default();
        line.number(field::line::FUNCTION_ID, self.function(site)).number(field::line::LINE, site.line.into());
        self.locations += 1;
        let mut message = Message::default();
        message.number(field::location::ID, self.locations).number(field::location::MAPPING_ID, mapping);
        message.message(field::location::LINE, &line);
        self.message.message(field::profile::LOCATION, &message);
        self.locations
    }

    fn sample(&mut self, row: &'p Row, subsystems: &'p Subsystems) {
        let values: Vec<i64> = self.kinds.iter().map(|kind| (kind.of)(row).unwrap_or(0)).collect();
        if values.iter().all(|&value| value == 0) {
            return;
        }
        let location = self.location(&row.site);
        let mut message = Message::default();
        message.packed(field::sample::LOCATION_ID, &[location.cast_signed()]);
        message.packed(field::sample::VALUE, &values);
        let accurate = if row.accurate { None } else { Some("no") };
        for (key, value) in [
            ("subsystem", Some(subsystems.of(&row.site))),
            ("dir", Some(row.site.dir())),
            ("module", row.site.module.as_deref()),
            ("accurate", accurate),
        ] {
            let Some(value) = value else { continue };
            let mut label = Message::default();
            label.signed(field::label::KEY, self.string(key)).signed(field::label::STR, self.string(value));
            message.message(field::sample::LABEL, &label);
        }
        self.message.message(field::profile::SAMPLE, &message);
    }

    fn finish(mut self, meta: &Meta) -> Message {
        let default = self.string("inuse_space");
        let kernel = meta.uname.as_ref().map(|uname| format!("Linux {} {}", uname.release, uname.machine));
        let comment = self.string(&kernel.unwrap_or_else(|| format!("alloctag: {}", meta.origin)));
        let nanoseconds = meta.time_ms.and_then(|ms| ms.checked_mul(1_000_000)).unwrap_or_default();
        self.message.number(field::profile::TIME_NANOS, nanoseconds);
        self.message.packed(field::profile::COMMENT, &[comment]);
        self.message.signed(field::profile::DEFAULT_SAMPLE_TYPE, default);
        for text in &self.table {
            self.message.string(field::profile::STRING_TABLE, text);
        }
        self.message
    }
}
