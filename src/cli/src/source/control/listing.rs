// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The list of rules.

use std::fmt;

/// What the list begins with.
const TITLE: &str = "control - version:";

/// The newest major version that this code knows.
const NEWEST: u32 = 1;

/// A rule of the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// By what it is taken back.
    pub number: u32,
    /// How many call sites it chooses.
    pub sites: u64,
    /// How many contexts these have.
    pub contexts: u64,
    /// How many allocations found no room for a context, and are charged to their call sites alone.
    pub lost: u64,
    /// The rule itself.
    pub command: String,
}

/// Why a text is no list of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListingError {
    /// It does not begin as one.
    Title,
    /// It is of a later version.
    Newer(String),
    /// It does not name the columns that are needed.
    Columns,
    /// The line of that number cannot be read.
    Line(usize),
}

impl fmt::Display for ListingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ListingError::Title => f.write_str("is no list of rules"),
            ListingError::Newer(version) => {
                write!(f, "is a list of rules of version {version}, which this alloctag does not know; update it")
            }
            ListingError::Columns => f.write_str("lacks the line `# rule ... command` that names its columns"),
            ListingError::Line(number) => write!(f, "line {number} is no rule"),
        }
    }
}

/// Reads a list.
///
/// # Errors
///
/// Why it is none: of a list that is not understood no rule is told.
pub fn parse(text: &[u8]) -> Result<Vec<Listed>, ListingError> {
    let text = std::str::from_utf8(text).map_err(|_| ListingError::Title)?;
    let version = text.lines().next().and_then(|line| line.strip_prefix(TITLE)).ok_or(ListingError::Title)?.trim();
    let major: Option<u32> = version.split('.').next().and_then(|major| major.parse().ok());
    match major {
        None => return Err(ListingError::Title),
        Some(major) if major > NEWEST => return Err(ListingError::Newer(version.to_owned())),
        Some(_) => {}
    }
    let names = text.lines().find_map(|line| line.strip_prefix('#')).ok_or(ListingError::Columns)?;
    let names: Vec<&str> = names.split_ascii_whitespace().collect();
    let place = |name: &str| names.iter().position(|known| *known == name).ok_or(ListingError::Columns);
    // What is written by people comes last, and takes the rest of the line.
    if names.last() != Some(&"command") {
        return Err(ListingError::Columns);
    }
    let places = [place("rule")?, place("sites")?, place("contexts")?, place("lost")?];
    let rules = text.lines().enumerate().skip(1).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    rules.map(|(at, line)| rule(line, places, names.len()).ok_or(ListingError::Line(at + 1))).collect()
}

fn rule(line: &str, places: [usize; 4], columns: usize) -> Option<Listed> {
    let words: Vec<&str> = line.splitn(columns, ' ').collect();
    let [number, sites, contexts, lost] = places.map(|place| words.get(place).and_then(|word| word.parse().ok()));
    let command = words.get(columns.checked_sub(1)?)?;
    if command.is_empty() {
        return None;
    }
    let number: u64 = number?;
    Some(Listed {
        number: number.try_into().ok()?,
        sites: sites?,
        contexts: contexts?,
        lost: lost?,
        command: (*command).to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAPTURED: &[u8] = include_bytes!("../../../tests/data/control-1.0.txt");

    #[test]
    fn a_kernels_own_list_is_read() {
        let rules = parse(CAPTURED).unwrap();
        let numbers: Vec<_> = rules.iter().map(|rule| (rule.number, rule.sites, rule.contexts, rule.lost)).collect();
        assert_eq!(numbers, [(1, 6, 11, 0), (2, 4, 4, 0), (3, 1, 3, 0)]);
        assert_eq!(rules[0].command, "module alloctag_leaky +c by=stack");
    }

    #[test]
    fn columns_are_found_by_their_names() {
        let later =
            b"control - version: 1.9\n# hits rule lost sites contexts command\n7 3 1 2 4 func \"a  b\" +c by=pid\n";
        let command = "func \"a  b\" +c by=pid".to_owned();
        assert_eq!(parse(later).unwrap(), [Listed { number: 3, sites: 2, contexts: 4, lost: 1, command }]);
        assert_eq!(parse(b"control - version: 1.0\n# rule sites contexts lost command\n").unwrap(), []);
    }

    #[test]
    fn what_is_no_list_is_told() {
        const HEAD: &str = "control - version: 1.0\n# rule sites contexts lost command\n";
        for (text, expected) in [
            (String::new(), ListingError::Title),
            ("sites - version: 1.0\n".to_owned(), ListingError::Title),
            ("control - version: \n".to_owned(), ListingError::Title),
            ("control - version: 2.0\n".to_owned(), ListingError::Newer("2.0".to_owned())),
            ("control - version: 1.0\n".to_owned(), ListingError::Columns),
            ("control - version: 1.0\n# rule sites command\n".to_owned(), ListingError::Columns),
            ("control - version: 1.0\n# command rule sites contexts lost\n".to_owned(), ListingError::Columns),
            (format!("{HEAD}1 2 3 4\n"), ListingError::Line(3)),
            (format!("{HEAD}1 2 3 x f +c\n"), ListingError::Line(3)),
            (format!("{HEAD}99999999999 2 3 4 f +c\n"), ListingError::Line(3)),
        ] {
            assert_eq!(parse(text.as_bytes()), Err(expected), "{text}");
        }
        assert_eq!(parse(b"\xff"), Err(ListingError::Title));
    }
}
