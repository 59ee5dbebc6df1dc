// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A board for programs: an object on a line.

use std::io::{self, Write};

use serde_json::{json, Map, Value};

use super::page::Page;
use super::Line;
use crate::render::json::head;
use crate::view::Field;

/// Writes a page.
///
/// # Errors
///
/// Those of `out`.
pub fn print(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut whole = head("alloctag.top/1");
    whole.insert("meta".into(), json!(page.profile.meta));
    whole.insert("unreadable".into(), json!(page.profile.unreadable()));
    whole.insert("group".into(), page.settings.group.to_string().into());
    whole.insert("tree".into(), page.settings.tree.into());
    whole.insert("since_ms".into(), page.history.age_ms().into());
    whole.insert("cut".into(), page.history.is_cut().into());
    whole.insert("hidden".into(), page.board.hidden.into());
    whole.insert("total".into(), numbers(&page.board.all).into());
    whole.insert("rows".into(), page.board.lines.iter().map(|line| row(line, page)).collect());
    serde_json::to_writer(&mut *out, &whole)?;
    writeln!(out)
}

fn numbers(line: &Line) -> Map<String, Value> {
    let numbers = json!({
        "bytes": line.bytes,
        "calls": line.calls,
        "average": line.average(),
        "delta": line.delta,
        "rate": line.rate,
    });
    let mut numbers = match numbers {
        Value::Object(numbers) => numbers,
        _ => Map::new(),
    };
    let known = line.numbers.known().map(|(number, value)| (number.name().to_owned(), value.into()));
    numbers.extend(known);
    if !line.numbers.is_empty() {
        let growing = line.pace.known().filter(|(number, _)| number.about().grows());
        let pace: Map<String, Value> = growing.map(|(number, pace)| (number.name().to_owned(), pace.into())).collect();
        numbers.insert("per_second".into(), pace.into());
    }
    numbers
}

fn row(line: &Line, page: &Page<'_>) -> Value {
    let mut row = Map::from_iter([("name".to_owned(), Value::from(line.name.as_str()))]);
    row.extend(numbers(line));
    row.insert("accurate".into(), line.accurate.into());
    row.insert("gone".into(), line.gone.into());
    if page.settings.tree {
        row.insert("depth".into(), line.depth.into());
        return Value::Object(row);
    }
    // What all its sites have in common: the first one has it, too.
    if let Some(site) = line.tracks.first().map(|&track| page.history.site(track)) {
        let group = page.settings.group;
        for (field, value) in [
            (Field::File, Value::from(site.path())),
            (Field::Line, site.line.into()),
            (Field::Func, site.func.as_str().into()),
            (Field::Module, site.module.as_deref().into()),
            (Field::Subsystem, page.subsystems.of(site).into()),
        ] {
            if group.has(field) {
                row.insert(field.name().to_owned(), value);
            }
        }
    }
    Value::Object(row)
}
