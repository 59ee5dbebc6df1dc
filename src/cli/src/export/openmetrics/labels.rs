// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What series are told apart by.

use crate::model::Site;
use crate::subsystem::Subsystems;
use crate::view::Group;

/// The module of built-in code.
pub const BUILT_IN: &str = "(built-in)";

/// Labels of a series, in the order of [`names`].
pub(super) type Labels = Vec<String>;

/// The labels by which entries of `group` are told apart.
pub(super) fn names(group: Group) -> &'static [&'static str] {
    match group {
        Group::Site => &["module", "subsystem", "file", "line", "func"],
        Group::Func => &["module", "subsystem", "file", "func"],
        Group::File => &["file"],
        Group::Dir(_) => &["dir"],
        Group::Module => &["module"],
        Group::Subsystem => &["subsystem"],
    }
}

/// The labels of a call site, or of a group of them that is called `label`.
pub(super) fn labels(site: &Site, label: &str, group: Group, subsystems: &Subsystems) -> Labels {
    let value = |name: &&str| match *name {
        // An empty label is no label: nobody could pick built-in code by it, and its series could hide among others.
        "module" => site.module.as_deref().unwrap_or(BUILT_IN).to_owned(),
        "subsystem" => subsystems.of(site).to_owned(),
        "file" => site.path().to_owned(),
        "line" => site.line.to_string(),
        "func" => site.func.to_string(),
        _ => label.to_owned(),
    };
    names(group).iter().map(value).collect()
}
