// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How `top` was shown the last time, as a file of TOML.
//!
//! What a file says that cannot be understood is passed over, and told: a view is more than its habits.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::Serialize;
use toml::{Table, Value};

use super::{Column, Filter, Order, Settings};
use crate::error::{describe, Error, Result};
use crate::render::Units;
use crate::storage;
use crate::subsystem::Subsystems;
use crate::view::Group;

/// Everybody may read it.
const MODE: u32 = 0o644;

/// What is kept; what is not there stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Saved {
    /// The order, as `--sort` has it.
    pub sort: Option<String>,
    /// The group, as `--group` has it.
    pub group: Option<String>,
    /// Whether it is a tree.
    pub tree: Option<bool>,
    /// The filter, as `--where` has it.
    #[serde(rename = "where")]
    pub filter: Option<String>,
    /// The columns, as `--fields` has them.
    pub fields: Option<String>,
    /// The units: iec, si, raw.
    pub units: Option<String>,
    /// Whether lines that hold nothing are shown.
    pub zeros: Option<bool>,
    /// Whether pages that only back others are counted.
    pub include_backing: Option<bool>,
    /// Whether the mouse is taken.
    pub mouse: Option<bool>,
}

/// Units by their names.
const UNITS: [(&str, Units); 3] = [("iec", Units::Iec), ("si", Units::Si), ("raw", Units::Raw)];

impl Saved {
    /// What is in the file, and what is wrong with it. No file says nothing.
    pub fn load(path: &Path, subsystems: &Subsystems) -> (Saved, Option<String>) {
        match std::fs::read_to_string(path) {
            Ok(text) => Saved::parse(&text, subsystems),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => (Saved::default(), None),
            Err(error) => (Saved::default(), Some(describe(&error))),
        }
    }

    fn parse(text: &str, subsystems: &Subsystems) -> (Saved, Option<String>) {
        let table: Table = match text.parse() {
            Ok(table) => table,
            Err(error) => {
                let error: toml::de::Error = error;
                return (Saved::default(), Some(format!("no TOML: {}", error.message())));
            }
        };
        let (mut saved, mut problem) = (Saved::default(), None);
        for (key, value) in &table {
            if let Err(reason) = saved.take(key, value, subsystems) {
                problem.get_or_insert(format!("{key}: {reason}"));
            }
        }
        (saved, problem)
    }

    /// Takes a setting, if it makes sense.
    fn take(&mut self, key: &str, value: &Value, subsystems: &Subsystems) -> std::result::Result<(), String> {
        let switch = || value.as_bool().map(Some).ok_or_else(|| "neither true nor false".to_owned());
        match key {
            "sort" => self.sort = text(value, Order::from_str)?,
            "group" => self.group = text(value, Group::from_str)?,
            "where" => self.filter = text(value, |filter| Filter::parse(filter, subsystems))?,
            "fields" => self.fields = text(value, Column::list)?,
            "units" => self.units = text(value, |name| units(name).ok_or_else(|| "not iec, si or raw".to_owned()))?,
            "tree" => self.tree = switch()?,
            "zeros" => self.zeros = switch()?,
            "include_backing" => self.include_backing = switch()?,
            "mouse" => self.mouse = switch()?,
            _ => return Err("there is no such setting".to_owned()),
        }
        Ok(())
    }

    /// What is shown now. `filter` is the filter's text.
    pub fn of(settings: &Settings, filter: &str, shown: Units, mouse: bool) -> Saved {
        let turned = if settings.order.reversed { "-" } else { "" };
        let columns: Vec<&str> = settings.columns.iter().map(|column| column.name()).collect();
        Saved {
            sort: Some(format!("{turned}{}", settings.order.column.name())),
            group: Some(settings.group.to_string()),
            tree: Some(settings.tree),
            filter: (!filter.is_empty()).then(|| filter.to_owned()),
            fields: Some(columns.join(",")),
            units: UNITS.iter().find(|(_, units)| *units == shown).map(|(name, _)| (*name).to_owned()),
            zeros: Some(settings.zeros),
            include_backing: Some(settings.include_backing),
            mouse: Some(mouse),
        }
    }

    /// The units.
    pub fn units(&self) -> Option<Units> {
        self.units.as_deref().and_then(units)
    }

    /// Writes the file, which is there whole or as it was, and its directory if there is none.
    ///
    /// # Errors
    ///
    /// If that cannot be done.
    pub fn write(&self, path: &Path) -> Result<()> {
        let failed = |error: std::io::Error| Error::failed(path.display(), describe(&error));
        let text = toml::to_string(self).map_err(|error| Error::failed(path.display(), error))?;
        if let Some(directory) = path.parent() {
            std::fs::create_dir_all(directory).map_err(failed)?;
        }
        let head =
            "# SPDX-License-Identifier: CC0-1.0\n# Written by `W` in alloctag top, which takes options before this.\n";
        storage::replace(path, format!("{head}{text}").as_bytes(), MODE).map_err(failed)
    }
}

/// Where the settings are: `$XDG_CONFIG_HOME/alloctag/top.toml`, or below `~/.config`.
pub fn path(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let directory = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(directory.join("alloctag").join("top.toml"))
}

/// A text that `read` can read.
fn text<T>(
    value: &Value,
    read: impl Fn(&str) -> std::result::Result<T, String>,
) -> std::result::Result<Option<String>, String> {
    let text = value.as_str().ok_or_else(|| "no text".to_owned())?;
    read(text).map(|_| Some(text.to_owned()))
}

fn units(name: &str) -> Option<Units> {
    UNITS.iter().find(|(known, _)| *known == name).map(|(_, units)| *units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_shown_comes_back() {
        let mut settings = Settings { tree: true, zeros: true, group: Group::Dir(Some(2)), ..Settings::default() };
        settings.order = "-rate".parse().unwrap();
        settings.turn_round(Column::Trend);
        let saved = Saved::of(&settings, "bytes>1M \"quoted\"", Units::Si, false);
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("new/alloctag/top.toml");
        saved.write(&path).unwrap();
        assert_eq!(Saved::load(&path, &Subsystems::built_in()), (saved.clone(), None));
        assert_eq!((saved.sort.as_deref(), saved.group.as_deref()), (Some("-rate"), Some("dir:2")));
        assert_eq!(saved.fields.as_deref(), Some("bytes,share,delta,rate,calls,avg,name"));
        assert_eq!(saved.units(), Some(Units::Si));
    }

    #[test]
    fn what_cannot_be_understood_is_told_and_the_rest_is_taken() {
        for (text, problem) in [
            ("sort = \"colour\"\ntree = true", "sort: `colour` is nothing to sort by"),
            ("sort = 7\ntree = true", "sort: no text"),
            ("tree = true\nzeros = \"yes\"", "zeros: neither true nor false"),
            ("tree = true\nwhere = \"bytes>lots\"", "where: "),
            ("tree = true\nfields = \"x\"", "fields: there is no column `x`"),
            ("tree = true\nunits = \"miles\"", "units: not iec, si or raw"),
            ("tree = true\nfuture = 1", "future: there is no such setting"),
        ] {
            let (saved, told) = Saved::parse(text, &Subsystems::built_in());
            assert!(told.as_deref().is_some_and(|told| told.starts_with(problem)), "{text}: {told:?}");
            assert_eq!(saved, Saved { tree: Some(true), ..Saved::default() }, "{text}");
        }
        let (saved, told) = Saved::parse("\u{1}\u{2} = [", &Subsystems::built_in());
        assert_eq!(saved, Saved::default());
        assert!(told.unwrap().starts_with("no TOML: "));
        assert_eq!(Saved::load(Path::new("/no/where.toml"), &Subsystems::built_in()), (Saved::default(), None));
        assert!(Saved::load(Path::new("/"), &Subsystems::built_in()).1.is_some());
    }

    #[test]
    fn the_file_is_where_files_of_settings_are() {
        let find = |variables: &[(&str, &str)]| {
            let value = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
            path(value)
        };
        assert_eq!(find(&[("XDG_CONFIG_HOME", "/c"), ("HOME", "/h")]), Some("/c/alloctag/top.toml".into()));
        assert_eq!(find(&[("XDG_CONFIG_HOME", ""), ("HOME", "/h")]), Some("/h/.config/alloctag/top.toml".into()));
        assert_eq!(find(&[("XDG_CONFIG_HOME", "c")]), None);
    }
}
