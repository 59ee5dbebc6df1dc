// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the parts of the summary have in common.

use std::io::{self, Write};

use crate::model::{Measure, Number, Profile, Source};
use crate::render::style::Ink;
use crate::render::{Layout, Table};
use crate::subsystem::Subsystems;
use crate::time::{duration, Clock};
use crate::view::{Field, Group, SortKey, View};

/// What the parts of the page are written from.
pub(super) struct Page<'p> {
    pub(super) profile: &'p Profile,
    pub(super) subsystems: &'p Subsystems,
    pub(super) limit: usize,
    pub(super) layout: Layout,
    pub(super) clock: &'p Clock,
}

impl Page<'_> {
    /// Writes what the page is about.
    pub(super) fn title(&self, out: &mut dyn Write) -> io::Result<()> {
        let meta = &self.profile.meta;
        let mut parts = vec![meta.origin.to_string()];
        parts.extend(meta.uname.as_ref().map(|uname| format!("Linux {} {}", uname.release, uname.machine)));
        parts.extend(meta.cpus.map(|cpus| format!("{cpus} CPUs")));
        parts.extend(meta.time_ms.map(|time| self.clock.date(time)));
        parts.extend(meta.uptime_ms.map(|uptime| format!("up {}", duration(uptime))));
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

    /// The lists that the profile has something for, in order.
    pub(super) fn lists(&self) -> impl Iterator<Item = &'static List> + '_ {
        LISTS.iter().filter(|list| match list.by {
            Field::Measure(measure) => self.profile.counts(measure.needs()),
            _ => true,
        })
    }

    /// Hands on the first rows of a list.
    pub(super) fn with_list<R>(&self, list: &List, then: impl FnOnce(Table<'_>) -> R) -> R {
        let sort = vec![SortKey { field: list.by, reversed: false }];
        let view = View { group: list.group, sort, limit: Some(self.limit), ..View::default() };
        let selection = view.apply(self.profile, self.subsystems);
        let mut fields = list.group.fields().to_vec();
        if let Field::Measure(_) = list.by {
            fields.splice(1..1, [list.by, Field::Measure(Measure::Waste)]);
        }
        then(selection.table(&fields, self.subsystems))
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

/// All lists, in order.
const LISTS: [List; 5] = [
    List { title: "Largest call sites", name: "largest", group: Group::Site, by: Field::Bytes },
    List { title: "Most allocations", name: "most_calls", group: Group::Site, by: Field::Calls },
    List {
        title: "Most memory that nobody asked for",
        name: "most_slack",
        group: Group::Site,
        by: Field::Measure(Measure::Counted(Number::Slack)),
    },
    List { title: "Subsystems", name: "subsystems", group: Group::Subsystem, by: Field::Bytes },
    List { title: "Modules", name: "modules", group: Group::Module, by: Field::Bytes },
];
