// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! JSON: one object with a row a line, or an object a line.
//!
//! Every object names its `schema`, `alloctag.COMMAND/VERSION`. Within a version fields are only added.

use std::io::{self, Write};

use serde_json::{Map, Number, Value};

use super::table::{Cell, Table};

/// What stands in front of the rows.
pub type Head = Map<String, Value>;

/// A head that names its schema.
pub fn head(schema: &str) -> Head {
    Head::from_iter([("schema".to_owned(), Value::from(schema))])
}

pub(super) fn write(table: &Table<'_>, head: &Head, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{{")?;
    for (name, value) in head {
        writeln!(out, "{}:{},", serde_json::to_string(name)?, serde_json::to_string(value)?)?;
    }
    write!(out, "\"rows\":[")?;
    for (index, row) in table.rows.iter().enumerate() {
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, &object(table, row))?;
    }
    writeln!(out, "\n]}}")
}

pub(super) fn write_lines(table: &Table<'_>, out: &mut dyn Write) -> io::Result<()> {
    for row in &table.rows {
        serde_json::to_writer(&mut *out, &object(table, row))?;
        writeln!(out)?;
    }
    Ok(())
}

/// The rows, each an object of the columns.
pub fn objects(table: &Table<'_>) -> Value {
    table.rows.iter().map(|row| Value::Object(object(table, row))).collect()
}

fn object(table: &Table<'_>, row: &[Cell<'_>]) -> Head {
    table.columns.iter().zip(row).map(|(column, cell)| (column.name.to_owned(), value(cell))).collect()
}

fn value(cell: &Cell<'_>) -> Value {
    match cell {
        Cell::Empty => Value::Null,
        Cell::Bytes(number) | Cell::Count(number) | Cell::Time(number) | Cell::Change(number) => (*number).into(),
        Cell::Real(number) => Number::from_f64(*number).map_or(Value::Null, Value::Number),
        Cell::Percent(percent) => {
            let rounded = (percent * 10_000.0).round() / 10_000.0;
            Number::from_f64(rounded).map_or(Value::Null, Value::Number)
        }
        Cell::Flag(flag) => (*flag).into(),
        Cell::Text(text) => text.as_ref().into(),
        Cell::List(texts) => texts.as_slice().into(),
        Cell::Word(_, word) => (*word).into(),
        Cell::Changes(changes) => {
            changes.iter().map(|(key, change)| ((*key).to_owned(), Value::from(*change))).collect()
        }
        Cell::Pairs(pairs) => {
            let pairs = pairs.iter().map(|pair| (pair.key.to_string(), Value::from(pair.value.as_str())));
            Value::Object(pairs.collect())
        }
    }
}
