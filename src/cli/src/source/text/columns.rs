// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Which numbers stand in front of the call sites of a text.

use super::tag::tag;
use super::word::{number, signed, unsigned};
use crate::model::{Number, Sample};

/// The title of `/sys/kernel/debug/alloctag/sites`.
pub(super) const SITES: &str = "sites - version:";

/// The word over the call sites.
const TAG: &str = "tag";

/// A number in front of a call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column<'t> {
    Bytes,
    Calls,
    Counted(Number),
    /// One that a later kernel has and this code has no field for.
    Other(&'t str),
}

/// The numbers in front of every call site, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Columns<'t>(Vec<Column<'t>>);

impl<'t> Columns<'t> {
    /// Those of `/proc/allocinfo`.
    pub(super) fn of_allocinfo() -> Columns<'t> {
        Columns(vec![Column::Bytes, Column::Calls])
    }

    /// Those that the header of `text` names if it is that of `sites`, wherever a sorting has put it; `None` if it has none.
    pub(super) fn of(text: &'t [u8]) -> Option<Columns<'t>> {
        let title = |&at: &usize| at == 0 || text[at - 1] == b'\n';
        if !memchr::memmem::find_iter(text, SITES).any(|at| title(&at)) {
            return Some(Columns::of_allocinfo());
        }
        text.split(|&byte| byte == b'\n').find_map(Columns::named)
    }

    /// Those that a line such as `# bytes calls tag` names.
    fn named(line: &'t [u8]) -> Option<Columns<'t>> {
        let names = std::str::from_utf8(line.strip_prefix(b"#")?).ok()?;
        let names = names.trim_ascii().strip_suffix(TAG)?;
        let column = |name: &'t str| match name {
            "bytes" => Column::Bytes,
            "calls" => Column::Calls,
            name => Number::named(name).map_or(Column::Other(name), Column::Counted),
        };
        let columns: Vec<_> = names.split_ascii_whitespace().map(column).collect();
        // They are shown as they are.
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b" \t_-.".contains(&byte);
        if !names.bytes().all(plain) {
            return None;
        }
        let once = |wanted: &Column<'t>| columns.iter().filter(|column| *column == wanted).count() == 1;
        // What a call site has behind it is not in front of it, too.
        let other = |column: &Column<'_>| !matches!(column, Column::Other("accurate" | "func"));
        let whole =
            [Column::Bytes, Column::Calls].iter().all(once) && columns.iter().all(|one| once(one) && other(one));
        whole.then_some(Columns(columns))
    }

    /// Reads a row without its line end and the blanks around it, in which nothing drives a terminal.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub(super) fn row(&self, line: &'t str) -> Result<Sample<'t>, &'static str> {
        let mut rest = line;
        let mut values = [0; 2];
        let mut counted = Vec::new();
        let mut extra = Vec::new();
        for column in &self.0 {
            let (word, behind) = number(rest).ok_or(column.missing())?;
            rest = behind;
            match *column {
                Column::Bytes => values[0] = signed(word).ok_or("its size is not a number")?,
                // Printed with %llu, so that a sum below zero comes out as a huge number.
                Column::Calls => values[1] = unsigned(word).ok_or("its count of calls is not a number")?.cast_signed(),
                Column::Counted(number) => counted.push((number, value(word).ok_or("a number of it is none")?)),
                Column::Other(name) => extra.push((name, word)),
            }
        }
        let mut sample = tag(rest)?;
        [sample.bytes, sample.calls] = values;
        counted.into_iter().for_each(|(number, value)| sample.numbers.set(number, value));
        extra.append(&mut sample.extra);
        sample.extra = extra;
        Ok(sample)
    }
}

impl Column<'_> {
    /// What to say where it is missing.
    fn missing(&self) -> &'static str {
        match self {
            Column::Bytes => "it has no size",
            Column::Calls => "it has no count of calls",
            _ => "it has fewer numbers than there are columns",
        }
    }
}

/// A number that may be below zero, printed with a sign or without.
fn value(word: &str) -> Option<i64> {
    signed(word).or_else(|| Some(unsigned(word)?.cast_signed()))
}
