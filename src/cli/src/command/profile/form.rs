// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a profile is written as, by the name of its file.

use std::io::{self, Write};
use std::path::Path;

use crate::draw::escape;
use crate::error::{Error, Result};

/// What a file is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// pprof's gzipped protobuf.
    Pprof,
    /// A line for each stack.
    Folded,
    /// A flame graph.
    Svg,
    /// A flame graph in a page.
    Html,
}

/// The ends of names.
const NAMES: [(&str, Form); 7] = [
    (".pb.gz", Form::Pprof),
    (".pprof", Form::Pprof),
    (".folded", Form::Folded),
    (".txt", Form::Folded),
    (".svg", Form::Svg),
    (".html", Form::Html),
    (".htm", Form::Html),
];

impl Form {
    /// That of a file of this name.
    ///
    /// # Errors
    ///
    /// A usage error if the name says nothing.
    pub(super) fn of(file: &Path) -> Result<Form> {
        let name = file.to_string_lossy();
        let found = NAMES.iter().find(|(end, _)| name.ends_with(end)).map(|(_, form)| *form);
        let ends = NAMES.map(|(end, _)| end).join(" ");
        found.ok_or_else(|| {
            Error::Usage(format!("--output {name}: what to write is told by the name; there are {ends}"))
        })
    }
}

/// What stands in front of a picture in a page.
pub(super) fn begin(title: &str, out: &mut dyn Write) -> io::Result<()> {
    let title = escape(title);
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head>")?;
    writeln!(out, "<body style=\"margin:0\">")
}

/// What stands behind it.
pub(super) fn end(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "</body></html>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_what_to_write() {
        for (name, expected) in [
            ("a.pb.gz", Some(Form::Pprof)),
            ("/tmp/a.folded", Some(Form::Folded)),
            ("a.txt", Some(Form::Folded)),
            ("a.svg", Some(Form::Svg)),
            ("a.html", Some(Form::Html)),
            ("a.gz", None),
            ("svg", None),
        ] {
            assert_eq!(Form::of(Path::new(name)).ok(), expected, "{name}");
        }
    }
}
