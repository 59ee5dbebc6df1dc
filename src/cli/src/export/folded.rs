// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Folded stacks: what flamegraph.pl, speedscope and inferno read.
//!
//! A call site has no stack, so that its place stands for one: `subsystem;directory;file;function:line BYTES`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::model::{Context, Row};
use crate::subsystem::Subsystems;
use crate::view::stacks;

/// Writes one line a row that holds something. Returns how many rows were left out for holding less than nothing, which
/// the format has no way to say.
///
/// # Errors
///
/// Those of `out`.
pub fn write<'p>(
    rows: impl IntoIterator<Item = &'p Row>,
    subsystems: &Subsystems,
    out: &mut dyn Write,
) -> io::Result<usize> {
    let mut negative = 0;
    for row in rows {
        match row.bytes {
            0 => {}
            ..0 => negative += 1,
            bytes => {
                let site = &row.site;
                let path = site.path();
                let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
                let module = site.module.as_ref().map(|module| format!(" [{module}]")).unwrap_or_default();
                let place = format!("{}:{}{module}", site.func, site.line);
                let frames = [subsystems.of(site), site.dir(), file, &place].map(frame).join(";");
                writeln!(out, "{frames} {bytes}")?;
            }
        }
    }
    Ok(negative)
}

/// Writes one line for each stack of contexts that hold something, the outermost function first. Returns how many stacks were left
/// out for holding less than nothing.
///
/// # Errors
///
/// Those of `out`.
pub fn write_contexts<'p>(contexts: impl IntoIterator<Item = &'p Context>, out: &mut dyn Write) -> io::Result<usize> {
    let mut stacks: BTreeMap<String, i64> = BTreeMap::new();
    for context in contexts {
        let path: Vec<String> = stacks::path(context).iter().map(|name| frame(name)).collect();
        *stacks.entry(path.join(";")).or_default() += context.row.bytes;
    }
    for (stack, bytes) in stacks.iter().filter(|(_, bytes)| **bytes > 0) {
        writeln!(out, "{stack} {bytes}")?;
    }
    Ok(stacks.values().filter(|bytes| **bytes < 0).count())
}

/// A name without what the format has for itself.
fn frame(name: &str) -> String {
    name.replace(';', ":")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Builder, Meta, Names};
    use crate::source::text;

    #[test]
    fn places_stand_for_stacks() {
        let mut names = Names::new();
        let mut builder = Builder::new(&mut names);
        let input = b"4096 1 ./mm/slub.c:7 func:a \n8 1 x;y/z.c:1 [m] func:<T as D>::f \n-8 1 q.c:1 func:f \n0 0 r.c:1 func:f \n";
        text::parse(input, &mut builder).unwrap();
        let profile = builder.finish(Meta::default());
        let mut out = Vec::new();
        assert_eq!(write(profile.rows(), &Subsystems::built_in(), &mut out).unwrap(), 1);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "SLAB ALLOCATOR;mm;slub.c;a:7 4096\n(none);x:y;z.c;<T as D>::f:1 [m] 8\n"
        );
    }
}
