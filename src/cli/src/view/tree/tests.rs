// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::model::{Builder, Meta, Names};
use crate::source::text;

const TEXT: &str = "\
 4000 1 fs/ext4/inode.c:10 [ext4] func:a \n\
 1000 2 fs/ext4/inode.c:20 [ext4] func:a accurate:no \n\
 2000 4 fs/xfs/dir.c:5 func:b \n\
  500 5 /src/acme/raid.c:7 [acme] func:c \n";

fn tree(by: By) -> Node {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    text::parse(TEXT.as_bytes(), &mut builder).unwrap();
    let mut root = Node::grow(builder.finish(Meta::default()).rows(), by, &Subsystems::built_in());
    root.sort();
    root
}

/// A tree in one line: `name bytes(children…)`.
fn shown(node: &Node) -> String {
    let children: Vec<_> = node.children.iter().map(shown).collect();
    let children = if children.is_empty() { String::new() } else { format!("({})", children.join(", ")) };
    format!("{} {}{children}", node.name, node.bytes)
}

#[test]
fn rows_are_rolled_up_by_each_kind_of_branch() {
    for (by, expected) in [
        (By::Dir, "total 7500(fs 7000(ext4 5000(inode.c 5000(a:10 [ext4] 4000, a:20 [ext4] 1000)), xfs 2000(dir.c 2000(b:5 2000))), \
                   /src 500(acme 500(raid.c 500(c:7 [acme] 500))))"),
        (By::File, "total 7500(fs/ext4/inode.c 5000(a:10 [ext4] 4000, a:20 [ext4] 1000), fs/xfs/dir.c 2000(b:5 2000), \
                    /src/acme/raid.c 500(c:7 [acme] 500))"),
        (By::Func, "total 7500(a 5000(fs/ext4/inode.c:10 [ext4] 4000, fs/ext4/inode.c:20 [ext4] 1000), \
                    b 2000(fs/xfs/dir.c:5 2000), c 500(/src/acme/raid.c:7 [acme] 500))"),
        (By::Module, "total 7500(ext4 5000(fs/ext4/inode.c 5000(a:10 4000, a:20 1000)), (built-in) 2000(fs/xfs/dir.c 2000(b:5 2000)), \
                      acme 500(/src/acme/raid.c 500(c:7 500)))"),
        (By::Subsystem, "total 7500(EXT4 FILE SYSTEM 5000(fs/ext4/inode.c 5000(a:10 [ext4] 4000, a:20 [ext4] 1000)), \
                         XFS FILESYSTEM 2000(fs/xfs/dir.c 2000(b:5 2000)), (none) 500(/src/acme/raid.c 500(c:7 [acme] 500)))"),
    ] {
        assert_eq!(shown(&tree(by)), expected, "{by:?}");
    }
}

#[test]
fn single_children_are_folded_into_their_parents() {
    let mut root = tree(By::Dir);
    root.fold();
    assert_eq!(
        shown(&root),
        "total 7500(fs 7000(ext4/inode.c 5000(a:10 [ext4] 4000, a:20 [ext4] 1000), xfs/dir.c b:5 2000), /src/acme/raid.c c:7 [acme] 500)"
    );
    assert_eq!((root.sites, root.calls, root.accurate), (4, 12, false));
    assert!(root.children[0].children[1].accurate);
}

#[test]
fn what_is_too_small_is_added_up_in_one_node() {
    let mut root = tree(By::File);
    root.prune(&|node, _| node.bytes > 2000);
    assert_eq!(shown(&root), "total 7500(fs/ext4/inode.c 5000(a:10 [ext4] 4000, a:20 [ext4] 1000), other (2) 2500)");
    let mut root = tree(By::File);
    root.prune(&|_, rank| rank < 1);
    assert_eq!(shown(&root), "total 7500(fs/ext4/inode.c 5000(a:10 [ext4] 4000, a:20 [ext4] 1000), other (2) 2500)");
}

#[test]
fn a_branch_that_is_kept_as_it_is_the_only_small_one_has_no_small_parts() {
    let mut root = tree(By::Func);
    root.prune(&|node, rank| node.kind == Kind::Group && rank > 0);
    assert_eq!(shown(&root), "total 7500(b 2000(fs/xfs/dir.c:5 2000), c 500(/src/acme/raid.c:7 [acme] 500), a 5000)");
}

#[test]
fn a_node_of_which_every_part_is_too_small_stands_alone() {
    let mut root = tree(By::File);
    root.prune(&|node, _| node.bytes >= 5000);
    assert_eq!(shown(&root), "total 7500(fs/ext4/inode.c 5000, other (2) 2500)");
    let mut root = tree(By::File);
    root.prune(&|_, _| false);
    assert_eq!(shown(&root), "total 7500(other (3) 7500)", "but not what the tree is of");
}
