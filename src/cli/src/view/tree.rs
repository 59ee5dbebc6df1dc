// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Rows rolled up into a tree.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Serialize;

use crate::model::{Amount, Measure, Measured, Numbers, Row, Site};
use crate::subsystem::Subsystems;

/// What the branches of a tree are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum By {
    /// Directories, files, call sites.
    #[default]
    Dir,
    /// Files, call sites.
    File,
    /// Functions, call sites.
    Func,
    /// Modules, files, call sites.
    Module,
    /// Subsystems, files, call sites.
    Subsystem,
}

/// What a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Everything.
    Root,
    /// A subsystem, module or function, or what contexts share.
    Group,
    /// A directory.
    Dir,
    /// A file.
    File,
    /// A call site.
    Site,
    /// What was too small to be shown for itself.
    Other,
}

/// The way from a node to one below it.
pub type Step<'p> = (Kind, Cow<'p, str>);

/// A node and everything below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Node {
    /// Its name, without those of the nodes above.
    pub name: String,
    /// What it stands for.
    pub kind: Kind,
    /// Live bytes.
    pub bytes: i64,
    /// Live allocations.
    pub calls: i64,
    /// How many call sites.
    pub sites: usize,
    /// Whether the values can be trusted.
    pub accurate: bool,
    /// What only some kernels count.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// What it is made of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Node>,
}

impl Node {
    /// Rolls `rows` up. Children come in no particular order; see [`sort`](Self::sort).
    pub fn grow<'p>(rows: impl IntoIterator<Item = &'p Row>, by: By, subsystems: &'p Subsystems) -> Node {
        Node::grow_along(rows.into_iter().map(|row| (row, steps(&row.site, by, subsystems))))
    }

    /// The same along steps of any kind, from below the root down.
    pub fn grow_along<'p>(rows: impl IntoIterator<Item = (&'p Row, Vec<Step<'p>>)>) -> Node {
        let mut root = Sapling::new(Kind::Root);
        for (row, steps) in rows {
            root.add(row);
            let mut node = &mut root;
            for (kind, name) in steps {
                node = node.children.entry((kind, name)).or_insert_with(|| Sapling::new(kind));
                node.add(row);
            }
        }
        root.finish("total".to_owned())
    }

    /// What only some kernels tell, which have counted for so many milliseconds, if that is known.
    pub fn measure(&self, measure: Measure, time_ms: Option<u64>) -> Option<Amount> {
        measure.of(&Measured { bytes: self.bytes, numbers: &self.numbers, time_ms })
    }

    /// Sorts children by bytes, the largest first, and equal ones by name.
    pub fn sort(&mut self) {
        self.children.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
        self.children.iter_mut().for_each(Node::sort);
    }

    /// Joins every node but the root that has a single child with that child.
    pub fn fold(&mut self) {
        self.children.iter_mut().for_each(Node::fold);
        if self.kind != Kind::Root && self.children.len() == 1 {
            let child = self.children.remove(0);
            let separator = if self.kind == Kind::Dir { "/" } else { " " };
            self.name = format!("{}{separator}{}", self.name, child.name);
            self.kind = child.kind;
            self.children = child.children;
        }
    }

    /// Puts children that do not pass `keep`, given with their rank among their siblings, into one called `other (N)`.
    ///
    /// Sort first. A single one is kept: `other (1)` would take no less room. Where none passes, below the root, there is
    /// nothing to set `other` apart from: the node alone says as much.
    pub fn prune(&mut self, keep: &impl Fn(&Node, usize) -> bool) {
        let (mut kept, mut dropped) = (Vec::new(), Vec::new());
        for (rank, child) in std::mem::take(&mut self.children).into_iter().enumerate() {
            if keep(&child, rank) { &mut kept } else { &mut dropped }.push(child);
        }
        let lone = if dropped.len() == 1 { &mut dropped[..] } else { &mut [] };
        kept.iter_mut().chain(lone).for_each(|child| child.prune(keep));
        match dropped.len() {
            0 | 1 => kept.append(&mut dropped),
            _ if kept.is_empty() && self.kind != Kind::Root => {}
            _ => kept.push(Node::other(&dropped)),
        }
        self.children = kept;
    }

    /// Removes what is more than `depth` levels below.
    pub fn prune_below(&mut self, depth: usize) {
        if depth == 0 {
            self.children.clear();
        }
        self.children.iter_mut().for_each(|child| child.prune_below(depth.saturating_sub(1)));
    }

    /// What stands for all of `nodes`.
    fn other(nodes: &[Node]) -> Node {
        let mut other = Sapling::new(Kind::Other);
        for node in nodes {
            other.bytes += node.bytes;
            other.calls += node.calls;
            other.sites += node.sites;
            other.accurate &= node.accurate;
            other.count(&node.numbers);
        }
        other.finish(format!("other ({})", nodes.len()))
    }
}

/// A node while children are still looked up by name.
struct Sapling<'p> {
    kind: Kind,
    bytes: i64,
    calls: i64,
    sites: usize,
    accurate: bool,
    /// `None` before anything is added.
    numbers: Option<Numbers>,
    children: HashMap<(Kind, Cow<'p, str>), Sapling<'p>>,
}

impl<'p> Sapling<'p> {
    fn new(kind: Kind) -> Sapling<'p> {
        Sapling { kind, bytes: 0, calls: 0, sites: 0, accurate: true, numbers: None, children: HashMap::new() }
    }

    fn add(&mut self, row: &Row) {
        self.bytes += row.bytes;
        self.calls += row.calls;
        self.sites += 1;
        self.accurate &= row.accurate;
        self.count(&row.numbers);
    }

    fn count(&mut self, numbers: &Numbers) {
        match &mut self.numbers {
            Some(sum) => sum.add(numbers),
            none => *none = Some(numbers.clone()),
        }
    }

    fn finish(self, name: String) -> Node {
        let Sapling { kind, bytes, calls, sites, accurate, numbers, children } = self;
        let children = children.into_iter().map(|((_, name), child)| child.finish(name.into_owned())).collect();
        Node { name, kind, bytes, calls, sites, accurate, numbers: numbers.unwrap_or_default(), children }
    }
}

/// Directories below one another: further ones stay joined, so that no file can make a tree too deep for the stack.
const DEPTH_LIMIT: usize = 64;

/// The nodes from below the root down to the call site.
pub(crate) fn steps<'p>(site: &'p Site, by: By, subsystems: &'p Subsystems) -> Vec<Step<'p>> {
    let path = site.path();
    let mut steps: Vec<Step<'p>> = Vec::new();
    match by {
        By::Dir => {
            let mut rest = path;
            for _ in 0..DEPTH_LIMIT {
                // The slash of an absolute path belongs to its first component.
                let Some(slash) = rest.char_indices().skip(1).find_map(|(at, c)| (c == '/').then_some(at)) else {
                    break;
                };
                steps.push((Kind::Dir, rest[..slash].into()));
                rest = &rest[slash + 1..];
            }
            steps.push((Kind::File, rest.into()));
        }
        By::File => steps.push((Kind::File, path.into())),
        By::Func => steps.push((Kind::Group, site.func.as_str().into())),
        By::Module => {
            steps.push((Kind::Group, site.module.as_deref().unwrap_or("(built-in)").into()));
            steps.push((Kind::File, path.into()));
        }
        By::Subsystem => {
            steps.push((Kind::Group, subsystems.of(site).into()));
            steps.push((Kind::File, path.into()));
        }
    }
    let module = site.module.as_ref().filter(|_| by != By::Module);
    let module = module.map(|module| format!(" [{module}]")).unwrap_or_default();
    let place = if by == By::Func { path } else { &site.func };
    steps.push((Kind::Site, format!("{place}:{}{module}", site.line).into()));
    steps
}

#[cfg(test)]
#[path = "tree/tests.rs"]
mod tests;
