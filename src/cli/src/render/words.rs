// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Values that people and delimited files get as the same words.

use std::borrow::Cow;

use super::table::Cell;
use super::{units, Units};
use crate::model::Pair;

/// Stands where there is no value.
const NOTHING: &str = "-";

/// What a cell says to people. Texts are as they came: whoever writes them makes them harmless.
pub(super) fn said<'c>(cell: &'c Cell<'_>, units: Units) -> Cow<'c, str> {
    match cell {
        Cell::Empty => NOTHING.into(),
        Cell::Bytes(bytes) | Cell::Change(bytes) => units.format(*bytes).into(),
        Cell::Count(count) => count.to_string().into(),
        Cell::Time(ns) => units.time(*ns).into(),
        Cell::Real(number) => format!("{number:.0e}").into(),
        Cell::Percent(percent) => units::percent(*percent).into(),
        Cell::Flag(flag) => yes_or_no(*flag).into(),
        Cell::Text(text) => text.as_ref().into(),
        Cell::Word(_, word) => (*word).into(),
        Cell::List(texts) => list(texts).into(),
        Cell::Pairs(list) => pairs(list).into(),
        Cell::Changes(list) => changes(list).into(),
    }
}

/// Pairs in one, as the kernel printed them.
pub(super) fn pairs(pairs: &[Pair]) -> String {
    pairs.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Functions in one, each called by the one behind it.
pub(super) fn list(texts: &[&str]) -> String {
    texts.join(" < ")
}

/// Numbers that were added in one, in the same form with their signs.
pub(super) fn changes(changes: &[(&str, i64)]) -> String {
    changes.iter().map(|(key, change)| format!("{key}:{change:+}")).collect::<Vec<_>>().join(" ")
}

/// A flag as a word.
pub(super) fn yes_or_no(flag: bool) -> &'static str {
    if flag {
        "yes"
    } else {
        "no"
    }
}
