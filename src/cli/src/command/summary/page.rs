// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the parts of the summary have in common.

use std::io::{self, Write};

use crate::model::{Profile, Source};
use crate::render::style::Ink;
use crate::render::{time, Layout, Table};
use crate::subsystem::Subsystems;
use crate::view::{Field, Group, SortKey, View};

/// What the parts of the page are written from.
pub(super) struct Page<'p> {
    pub(super) profile: &'p Profile,
    pub(super) subsystems: &'p Subsystems,
    pub(super) limit: usize,
    pub(super) layout: Layout,
}

impl Page<'_> {
    /// Writes what the page is about.
    pub(super) fn title(&self, out: &mut dyn Write) -> io::Result<()> {
        let meta = &self.profile.meta;
        let mut parts = vec![meta.origin.to_string()];
        parts.extend(meta.uname.as_ref().map(|uname| format!("Linux {} {}", uname.release, uname.machine)));
        parts.extend(meta.cpus.map(|cpus| format!("{cpus} CPUs")));
        parts.extend(meta.time_ms.map(time::date));
        parts.extend(meta.uptime_ms.map(|uptime| format!("up {}", time::duration(uptime))));
        parts.push(match (meta.source, meta.version) {
            (Source::Ioctl, _) => "by ioctl".to_owned(),
            (Source::Text, Some(version)) => format!("text {version}"),
            (Source::Text, None) => "text without a version".to_owned(),
        });
        writeln!(out, "{}", self.layout.style.paint(Ink::Head, parts.join(", ")))
    }

    /// Writes the head of a part.
    pub(super) fn heading(&self, text: impl std::fmt::Display, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\n{}", self.layout.style.paint(Ink::Head, text))
    }

    /// Hands on the first rows of a list.
    pub(super) fn with_list<R>(&self, list: &List, then: impl FnOnce(Table<'_>) -> R) -> R {
        let sort = vec![SortKey { field: list.by, reversed: false }];
        let view = View { group: list.group, sort, limit: Some(self.limit), ..View::default() };
        let selection = view.apply(self.profile, self.subsystems);
        then(selection.table(list.group.fields(), self.subsystems))
    }
}

/// A list of the page.
pub(super) struct List {
    pub(super) title: &'static str,
    /// Its name for programs.
    pub(super) name: &'static str,
    group: Group,
    by: Field,
}

/// The lists, in order.
pub(super) const LISTS: [List; 4] = [
    List { title: "Largest call sites", name: "largest", group: Group::Site, by: Field::Bytes },
    List { title: "Most allocations", name: "most_calls", group: Group::Site, by: Field::Calls },
    List { title: "Subsystems", name: "subsystems", group: Group::Subsystem, by: Field::Bytes },
    List { title: "Modules", name: "modules", group: Group::Module, by: Field::Bytes },
];
