// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Lines below one another.

use std::borrow::Cow;
use std::collections::HashMap;

use super::reading::Reading;
use crate::top::Line;
use crate::view::tree::{steps, By, Kind};
use crate::view::Group;

/// The lines of all branches that can be seen, and how many siblings of them are not to be shown.
pub(super) fn arrange(reading: &Reading<'_>) -> (Vec<Line>, usize) {
    let mut root = Branch::new(Kind::Root, Line::default());
    for &tracked in reading.rows {
        let mut branch = &mut root;
        for (kind, name) in steps(&tracked.0.site, kind_of_tree(reading.settings.group), reading.subsystems) {
            let id = format!("{}\n{name}", branch.line.id);
            let line = || Line::new(id, name.to_string(), 0);
            branch = branch.children.entry((kind, name.clone())).or_insert_with(|| Branch::new(kind, line()));
            branch.line.add(tracked);
        }
    }
    let mut seen = Seen { reading, lines: Vec::new(), hidden: 0 };
    seen.descend(root, 0);
    (seen.lines, seen.hidden)
}

/// The kind of tree that goes with a group.
fn kind_of_tree(group: Group) -> By {
    match group {
        Group::Site | Group::Dir(_) => By::Dir,
        Group::Func => By::Func,
        Group::File => By::File,
        Group::Module => By::Module,
        Group::Subsystem => By::Subsystem,
    }
}

/// A line and what it is made of.
struct Branch<'p> {
    kind: Kind,
    line: Line,
    children: HashMap<(Kind, Cow<'p, str>), Branch<'p>>,
}

impl AsRef<Line> for Branch<'_> {
    fn as_ref(&self) -> &Line {
        &self.line
    }
}

impl AsMut<Line> for Branch<'_> {
    fn as_mut(&mut self) -> &mut Line {
        &mut self.line
    }
}

impl Branch<'_> {
    fn new(kind: Kind, line: Line) -> Self {
        Branch { kind, line, children: HashMap::new() }
    }

    /// Joins a chain of single children to one branch, which has the id of the last: opening it opens something.
    fn fold(mut self) -> Self {
        while self.children.len() == 1 {
            let Some(mut child) = self.children.drain().next().map(|(_, child)| child) else { break };
            let separator = if self.kind == Kind::Dir { "/" } else { " " };
            child.line.name = format!("{}{separator}{}", self.line.name, child.line.name);
            self = child;
        }
        self
    }
}

/// What has been seen so far on the way down.
struct Seen<'a> {
    reading: &'a Reading<'a>,
    lines: Vec<Line>,
    hidden: usize,
}

impl Seen<'_> {
    fn descend(&mut self, branch: Branch<'_>, depth: usize) {
        let mut children: Vec<_> = branch.children.into_values().map(Branch::fold).collect();
        self.hidden += self.reading.order(&mut children);
        for child in children {
            let open = self.reading.settings.open_all || self.reading.settings.open.contains(&child.line.id);
            let open = (!child.children.is_empty()).then_some(open);
            self.lines.push(Line { depth, open, ..child.line.clone() });
            if open == Some(true) {
                self.descend(child, depth + 1);
            }
        }
    }
}
