// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A profile being put together, whatever its samples are of.

use std::collections::HashMap;
use std::io::{self, Write};

use flate2::write::GzEncoder;
use flate2::Compression;

use super::field;
use crate::export::protobuf::Message;
use crate::model::Meta;

/// The name of the mapping that built-in code is in.
const KERNEL: &str = "vmlinux";

/// What a value of a sample is: its name, and its unit.
pub(super) type Kind = (&'static str, &'static str);

/// A place in the source; what is not known is empty or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Line<'p> {
    pub(super) function: &'p str,
    pub(super) file: &'p str,
    pub(super) line: u32,
}

/// Lists of what samples refer to. Identifiers count from 1.
pub(super) struct Builder {
    message: Message,
    strings: HashMap<String, i64>,
    table: Vec<String>,
    mappings: HashMap<String, u64>,
    functions: HashMap<(String, String), u64>,
    locations: HashMap<(String, Vec<(u64, u32)>), u64>,
}

impl Builder {
    /// One whose samples have these values, of a kernel that was read in these circumstances. A sample stands for `period` bytes
    /// on average: for 1 where all are counted.
    pub(super) fn new(kinds: impl IntoIterator<Item = Kind>, period: i64, meta: &Meta) -> Builder {
        let mut builder = Builder {
            message: Message::default(),
            strings: HashMap::new(),
            table: Vec::new(),
            mappings: HashMap::new(),
            functions: HashMap::new(),
            locations: HashMap::new(),
        };
        // The format wants the first string empty.
        builder.string("");
        for (name, unit) in kinds {
            let kind = builder.kind(name, unit);
            builder.message.message(field::profile::SAMPLE_TYPE, &kind);
        }
        // What Pyroscope and Parca name profiles by: as in Go's heap profiles it is a size.
        let kind = builder.kind("space", "bytes");
        builder.message.message(field::profile::PERIOD_TYPE, &kind).signed(field::profile::PERIOD, period);
        // The first mapping is the main program's.
        builder.mapping(None, meta.build_id.as_deref());
        builder
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

    fn kind(&mut self, name: &str, unit: &str) -> Message {
        let mut message = Message::default();
        message.signed(field::value_type::TYPE, self.string(name));
        message.signed(field::value_type::UNIT, self.string(unit));
        message
    }

    fn mapping(&mut self, module: Option<&str>, build_id: Option<&str>) -> u64 {
        let name = module.unwrap_or(KERNEL);
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
        self.mappings.insert(name.to_owned(), id);
        id
    }

    fn function(&mut self, name: &str, file: &str) -> u64 {
        let key = (name.to_owned(), file.to_owned());
        if let Some(&id) = self.functions.get(&key) {
            return id;
        }
        let id = self.functions.len() as u64 + 1;
        let (name, file) = (self.string(name), self.string(file));
        let mut message = Message::default();
        message.number(field::function::ID, id).signed(field::function::NAME, name);
        message.signed(field::function::SYSTEM_NAME, name).signed(field::function::FILENAME, file);
        self.message.message(field::profile::FUNCTION, &message);
        self.functions.insert(key, id);
        id
    }

    /// A location: the lines there, each inlined into the next one, in a module or the kernel.
    pub(super) fn location(&mut self, module: Option<&str>, lines: &[Line<'_>]) -> u64 {
        let mapping = self.mapping(module, None);
        let lines: Vec<(u64, u32)> =
            lines.iter().map(|line| (self.function(line.function, line.file), line.line)).collect();
        let key = (module.unwrap_or(KERNEL).to_owned(), lines);
        if let Some(&id) = self.locations.get(&key) {
            return id;
        }
        let id = self.locations.len() as u64 + 1;
        let mut message = Message::default();
        message.number(field::location::ID, id).number(field::location::MAPPING_ID, mapping);
        for &(function, number) in &key.1 {
            let mut line = Message::default();
            line.number(field::line::FUNCTION_ID, function).number(field::line::LINE, number.into());
            message.message(field::location::LINE, &line);
        }
        self.message.message(field::profile::LOCATION, &message);
        self.locations.insert(key, id);
        id
    }

    /// A sample: where it is from, innermost first, its values and its labels.
    pub(super) fn sample<'l>(
        &mut self,
        locations: &[u64],
        values: &[i64],
        labels: impl IntoIterator<Item = (&'l str, &'l str)>,
    ) {
        let locations: Vec<i64> = locations.iter().map(|location| location.cast_signed()).collect();
        let mut message = Message::default();
        message.packed(field::sample::LOCATION_ID, &locations);
        message.packed(field::sample::VALUE, values);
        for (key, value) in labels {
            let mut label = Message::default();
            label.signed(field::label::KEY, self.string(key)).signed(field::label::STR, self.string(value));
            message.message(field::sample::LABEL, &label);
        }
        self.message.message(field::profile::SAMPLE, &message);
    }

    /// Writes it all.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub(super) fn write(mut self, meta: &Meta, out: &mut dyn Write) -> io::Result<()> {
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
        let mut gzip = GzEncoder::new(out, Compression::default());
        gzip.write_all(&self.message.bytes)?;
        gzip.finish()?;
        Ok(())
    }
}
