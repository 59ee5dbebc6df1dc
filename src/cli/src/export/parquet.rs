// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Apache Parquet: many machines' profiles for DuckDB, ClickHouse, Spark. Every row says of which machine and moment it is.
//!
//! Of each profile there is a row group, which is written before the next profile is read.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};

use crate::model::{Meta, Number, Profile, Row};
use crate::subsystem::Subsystems;

/// The columns that all files have.
const COLUMNS: [(&str, Kind); 14] = [
    ("host", Kind::Text),
    ("time", Kind::Time),
    ("kernel", Kind::Text),
    ("boot", Kind::Text),
    ("file", Kind::Text),
    ("line", Kind::Line),
    ("func", Kind::Text),
    ("module", Kind::Text),
    ("subsystem", Kind::Text),
    ("bytes", Kind::Number),
    ("calls", Kind::Number),
    ("accurate", Kind::Flag),
    ("backing", Kind::Flag),
    ("extra", Kind::Text),
];

/// What a column holds.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Time,
    Line,
    Number,
    Flag,
}

/// The file while it is being written.
pub struct Writer<'o> {
    writer: SerializedFileWriter<Shared>,
    /// What has been written and not been handed on.
    pending: Shared,
    out: &'o mut dyn Write,
    /// What the kernels count besides, each a column of its own.
    counted: Vec<String>,
}

impl<'o> Writer<'o> {
    /// Begins a file with columns for what kernels count besides: see [`counted`].
    ///
    /// # Errors
    ///
    /// If the columns cannot be told apart.
    pub fn new(counted: Vec<String>, out: &'o mut dyn Write) -> io::Result<Writer<'o>> {
        let about = KeyValue::new("alloctag".to_owned(), "alloctag.parquet/1".to_owned());
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("alloctag ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(vec![about]))
            .build();
        let pending = Shared::default();
        let schema = schema(&counted).map_err(io::Error::other)?;
        let writer =
            SerializedFileWriter::new(pending.clone(), schema, Arc::new(properties)).map_err(io::Error::other)?;
        Ok(Writer { writer, pending, out, counted })
    }

    /// Adds the rows of a profile.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub fn add(&mut self, meta: &Meta, rows: &[&Row], subsystems: &Subsystems) -> io::Result<()> {
        let mut group = self.writer.next_row_group().map_err(io::Error::other)?;
        columns(&mut group, meta, rows, subsystems, &self.counted).map_err(io::Error::other)?;
        group.close().map_err(io::Error::other)?;
        self.hand_on()
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.finish().map_err(io::Error::other)?;
        self.hand_on()
    }

    fn hand_on(&mut self) -> io::Result<()> {
        self.out.write_all(&std::mem::take(&mut *self.pending.lock()))
    }
}

/// What the kernel counts besides, in its order: its numbers, and the keys behind rows that have nothing but numbers.
pub fn counted(profile: &Profile) -> Vec<String> {
    let mut found: Vec<(String, bool)> = Vec::new();
    for pair in profile.rows().iter().flat_map(|row| &row.extra) {
        let is_number = pair.value.parse::<i64>().is_ok();
        match found.iter_mut().find(|(key, _)| pair.key == key.as_str()) {
            Some((_, numbers)) => *numbers &= is_number,
            None if COLUMNS.iter().any(|(name, _)| pair.key == *name) || Number::named(&pair.key).is_some() => {}
            None => found.push((pair.key.to_string(), is_number)),
        }
    }
    let numbers = Number::all().filter(|&number| profile.counts(number)).map(|number| number.name().to_owned());
    numbers.chain(found.into_iter().filter(|(_, numbers)| *numbers).map(|(key, _)| key)).collect()
}

fn schema(counted: &[String]) -> ParquetResult<TypePtr> {
    let counted = counted.iter().map(|name| (name.as_str(), Kind::Number));
    let fields = COLUMNS.into_iter().chain(counted).map(|(name, kind)| {
        let (physical, logical) = match kind {
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Time => (Physical::INT64, Some(LogicalType::timestamp(true, TimeUnit::MILLIS))),
            Kind::Line => (Physical::INT32, None),
            Kind::Number => (Physical::INT64, None),
            Kind::Flag => (Physical::BOOLEAN, None),
        };
        let field = Type::primitive_type_builder(name, physical).with_logical_type(logical);
        field.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
    });
    let fields = fields.collect::<ParquetResult<Vec<_>>>()?;
    Type::group_type_builder("alloctag").with_fields(fields).build().map(Arc::new)
}

/// Writes the columns, in the order of the schema.
fn columns(
    group: &mut SerializedRowGroupWriter<'_, Shared>,
    meta: &Meta,
    rows: &[&Row],
    subsystems: &Subsystems,
    counted: &[String],
) -> ParquetResult<()> {
    let text = |text: &str| Some(ByteArray::from(text));
    let uname = meta.uname.as_ref();
    let host = uname.and_then(|uname| text(&uname.node));
    let kernel = uname.and_then(|uname| text(&uname.release));
    let boot = meta.boot_id.as_deref().and_then(text);
    let time = meta.time_ms.and_then(|time| i64::try_from(time).ok());
    column::<ByteArrayType>(group, rows, |_| host.clone())?;
    column::<Int64Type>(group, rows, |_| time)?;
    column::<ByteArrayType>(group, rows, |_| kernel.clone())?;
    column::<ByteArrayType>(group, rows, |_| boot.clone())?;
    column::<ByteArrayType>(group, rows, |row| text(row.site.path()))?;
    column::<Int32Type>(group, rows, |row| i32::try_from(row.site.line).ok())?;
    column::<ByteArrayType>(group, rows, |row| text(&row.site.func))?;
    column::<ByteArrayType>(group, rows, |row| row.site.module.as_deref().and_then(text))?;
    column::<ByteArrayType>(group, rows, |row| text(subsystems.of(&row.site)))?;
    column::<Int64Type>(group, rows, |row| Some(row.bytes))?;
    column::<Int64Type>(group, rows, |row| Some(row.calls))?;
    column::<BoolType>(group, rows, |row| Some(row.accurate))?;
    column::<BoolType>(group, rows, |row| Some(row.backing().is_some()))?;
    column::<ByteArrayType>(group, rows, |row| {
        let rest = row.extra.iter().filter(|pair| !counted.iter().any(|key| pair.key == key.as_str()));
        let rest: Vec<String> = rest.map(ToString::to_string).collect();
        (!rest.is_empty()).then(|| ByteArray::from(rest.join(" ").as_str()))
    })?;
    for key in counted {
        column::<Int64Type>(group, rows, |row| match Number::named(key) {
            Some(number) => row.numbers.get(number),
            None => row.extra(key)?.parse().ok(),
        })?;
    }
    Ok(())
}

/// Writes the next column: what `value` says of each row, if anything.
fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Shared>,
    rows: &[&Row],
    value: impl Fn(&Row) -> Option<T::T>,
) -> ParquetResult<()> {
    let values: Vec<Option<T::T>> = rows.iter().map(|row| value(row)).collect();
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<T::T> = values.into_iter().flatten().collect();
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    column.typed::<T>().write_batch(&values, Some(&levels), None)?;
    column.close()
}

/// Bytes that the library has written: it asks for something that may go to another thread.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
