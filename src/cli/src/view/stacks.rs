// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Contexts as a tree of the functions that called, from either end.

use std::borrow::Cow;

use super::tree::{Kind, Node, Step};
use super::Key;
use crate::model::{Context, Frame};
use crate::subsystem::Subsystems;

/// Which end of the stacks is on top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Top {
    /// The outermost function: what a task set out to do, and below it what it did for that.
    #[default]
    Root,
    /// The call site, and below it who called it.
    Site,
}

/// What a call site is called among the functions of its stack.
pub fn place(context: &Context) -> String {
    let site = &context.row.site;
    let module = site.module.as_ref().map(|module| format!(" [{module}]")).unwrap_or_default();
    format!("{}:{}{module}", site.func, site.line)
}

/// The functions around a call site, innermost first: without its own, for which the call site itself stands.
pub fn callers(context: &Context) -> &[Frame] {
    let own = context.stack.first().is_some_and(|frame| frame.is_of(&context.row.site.func));
    context.stack.get(usize::from(own)..).unwrap_or_default()
}

/// The names from the outermost function to the call site. A caller that is known alone stands for the stack.
pub fn path(context: &Context) -> Vec<String> {
    let mut path: Vec<String> = match callers(context) {
        [] => caller(context).into_iter().collect(),
        frames => frames.iter().rev().map(Frame::name).collect(),
    };
    path.push(place(context));
    path
}

/// The one function that called, of contexts without a stack.
pub fn caller(context: &Context) -> Option<String> {
    context.key("caller").filter(|_| context.stack.is_empty()).map(|name| Frame::new(name.into()).name())
}

/// A tree of contexts: its levels are `by`, of which the stack makes one for each function. Children come in no particular order.
pub fn grow<'c>(
    contexts: impl IntoIterator<Item = &'c Context>,
    by: &[Key],
    top: Top,
    subsystems: &'c Subsystems,
) -> Node {
    let steps = |context: &'c Context| {
        let steps = by.iter().flat_map(|key| match key {
            Key::Stack => stack(context, top),
            key => vec![(Kind::Group, key.of(context, subsystems).unwrap_or("-".into()))],
        });
        steps.collect()
    };
    Node::grow_along(contexts.into_iter().map(|context| (&context.row, steps(context))))
}

fn stack(context: &Context, top: Top) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = path(context).into_iter().map(|name| (Kind::Group, Cow::from(name))).collect();
    if let Some(site) = steps.last_mut() {
        site.0 = Kind::Site;
    }
    if top == Top::Site {
        steps.reverse();
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Contexts, Names};
    use crate::source::contexts::parse;

    fn contexts() -> Contexts {
        parse(include_bytes!("../../tests/data/contexts-later-1.0.txt"), &mut Names::new()).unwrap()
    }

    #[test]
    fn a_path_ends_with_the_call_site_in_place_of_its_own_function() {
        let contexts = contexts();
        let paths: Vec<String> = contexts.list().iter().map(|context| path(context).join(";")).collect();
        assert_eq!(
            paths,
            [
                "?;new_inode;ext4_alloc_inode:120 [ext4]",
                "ext4_create [ext4];ext4_alloc_inode:120 [ext4]",
                "g;<a::B as c::D>::f:7",
                "f:1",
                "f:1",
            ]
        );
    }

    #[test]
    fn trees_have_the_same_sums_from_either_end() {
        let (contexts, subsystems) = (contexts(), Subsystems::built_in());
        let mut trees = [Top::Root, Top::Site].map(|top| grow(contexts.list(), &[Key::Stack], top, &subsystems));
        trees.iter_mut().for_each(Node::sort);
        let names = |node: &Node| node.children.iter().map(|node| node.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&trees[0]), ["?", "ext4_create [ext4]", "g", "f:1"]);
        assert_eq!(names(&trees[1]), ["ext4_alloc_inode:120 [ext4]", "<a::B as c::D>::f:7", "f:1"]);
        assert_eq!((trees[0].bytes, trees[1].bytes), (5_243_328, 5_243_328));
        assert_eq!(names(&trees[1].children[0]), ["new_inode", "ext4_create [ext4]"]);
        let by_task = grow(contexts.list(), &["comm".parse().unwrap(), Key::Func], Top::Root, &subsystems);
        assert!(by_task
            .children
            .iter()
            .any(|node| node.name == "my task" && node.children[0].name == "ext4_alloc_inode"));
    }
}
