// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! CSV and TSV: a header, then all digits. Empty cells are empty.

use std::borrow::Cow;
use std::io::{self, Write};

use super::table::{Cell, Table};
use super::words::{changes, list, pairs, yes_or_no};

pub(super) fn write(table: &Table<'_>, delimiter: u8, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(out);
    writer.write_record(table.columns.iter().map(|column| column.name)).map_err(io_error)?;
    for row in &table.rows {
        writer.write_record(row.iter().map(|cell| text(cell).into_owned())).map_err(io_error)?;
    }
    writer.flush()
}

fn text<'a>(cell: &'a Cell<'_>) -> Cow<'a, str> {
    match cell {
        Cell::Empty => "".into(),
        Cell::Bytes(number) | Cell::Count(number) | Cell::Time(number) | Cell::Change(number) => {
            number.to_string().into()
        }
        // All the digits that tell it from its neighbours.
        Cell::Real(number) => format!("{number:e}").into(),
        Cell::Percent(percent) => format!("{percent:.4}").into(),
        Cell::Flag(flag) => yes_or_no(*flag).into(),
        Cell::Text(text) => text.as_ref().into(),
        Cell::Word(_, word) => (*word).into(),
        Cell::List(cell) => list(cell).into(),
        Cell::Pairs(cell) => pairs(cell).into(),
        Cell::Changes(cell) => changes(cell).into(),
    }
}

/// The writer's own errors are those of `out`: our records all have the header's length.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}
