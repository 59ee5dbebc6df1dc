// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The lines of the format.

use std::fmt;
use std::io::{self, Write};

/// The types of families.
pub(super) const GAUGE: &str = "gauge";
/// See [`GAUGE`].
pub(super) const COUNTER: &str = "counter";
/// See [`GAUGE`].
pub(super) const HISTOGRAM: &str = "histogram";

/// What a family begins with.
pub(super) fn family(out: &mut dyn Write, name: &str, kind: &str, unit: Option<&str>, help: &str) -> io::Result<()> {
    writeln!(out, "# TYPE {name} {kind}")?;
    if let Some(unit) = unit {
        writeln!(out, "# UNIT {name} {unit}")?;
    }
    writeln!(out, "# HELP {name} {help}")
}

/// Nanoseconds as seconds, with all digits.
pub(super) fn seconds(ns: i64) -> String {
    let (sign, ns) = (if ns < 0 { "-" } else { "" }, ns.unsigned_abs());
    let text = format!("{sign}{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A value with its labels, of which empty ones are none.
pub(super) fn sample(
    out: &mut dyn Write,
    name: &str,
    labels: &[&str],
    values: &[String],
    number: impl fmt::Display,
) -> io::Result<()> {
    let pairs = labels.iter().zip(values).filter(|(_, value)| !value.is_empty());
    let pairs: Vec<_> = pairs.map(|(label, value)| format!("{label}=\"{}\"", escape(value))).collect();
    if pairs.is_empty() {
        return writeln!(out, "{name} {number}");
    }
    writeln!(out, "{name}{{{}}} {number}", pairs.join(","))
}

/// A label's value with what the format has for itself escaped.
pub(super) fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
