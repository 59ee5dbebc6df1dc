// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::super::abi::context as bits;
use super::*;
use crate::model;
use crate::source::contexts;

/// A field of bytes that begins with that text.
fn field<const N: usize>(text: &str) -> [u8; N] {
    let mut field = [0; N];
    field[..text.len()].copy_from_slice(text.as_bytes());
    field
}

fn frame(context: u64, place: u32, function: &str, module: &str) -> Frame {
    Frame {
        context,
        place,
        offset: 0x1c,
        size: 0x300,
        function: field(function),
        module: field(module),
        ..Frame::default()
    }
}

/// What the kernel says of these contexts, of a call site of the id 7.
fn told(contexts: &[Context], frames: &[Frame]) -> Told {
    let names = abi::Names {
        id: 7,
        line: 300,
        file: field("fs/inode.c"),
        function: field("alloc_inode"),
        module: field("ext4"),
        ..abi::Names::default()
    };
    let mut told = Told { contexts: contexts.to_vec(), ..Told::default() };
    told.names.insert(names.id, names);
    for &frame in frames {
        told.frames.entry(frame.context).or_default().push(frame);
    }
    told
}

fn text(contexts: &[Context], frames: &[Frame]) -> String {
    let text = print(&told(contexts, frames), |id| (id == 17).then(|| "/a b".to_owned()));
    String::from_utf8(text).unwrap()
}

/// The line of a context of the number 3, without its numbers.
fn keys(context: Context) -> String {
    let text = text(&[Context { id: 1 << 32 | 3, site: 7, ..context }], &[]);
    let line = text.lines().nth(2).unwrap().to_owned();
    line.strip_prefix("0 0 fs/inode.c:300 [ext4] func:alloc_inode ctx:3 slack:0 allocs:0 frees:0 allocated:0")
        .unwrap_or_else(|| panic!("{line}"))
        .to_owned()
}

#[test]
fn records_become_the_text_that_debugfs_has() {
    let context = Context {
        id: 1 << 32 | 3,
        bytes: 544,
        calls: 1,
        slack: -8,
        allocs: 3,
        frees: 2,
        allocated: 1632,
        site: 7,
        keys: bits::STACK | bits::CALLER,
        ..Context::default()
    };
    let other = Context { id: 2 << 32 | 4, site: 9, ..Context::default() };
    let frames = [
        frame(context.id, 0, "alloc_inode", "ext4"),
        frame(context.id, 1, "new_inode", ""),
        frame(context.id, 2, "", ""),
        frame(5, 0, "gone", ""),
    ];
    let text = text(&[context, other], &frames);
    assert_eq!(
        text,
        "contexts - version: 1.0\n# bytes calls tag key:value\n\
         544 1 fs/inode.c:300 [ext4] func:alloc_inode ctx:3 slack:-8 allocs:3 frees:2 allocated:1632 \
         caller:new_inode+0x1c/0x300\n  \
         alloc_inode+0x1c/0x300 [ext4]\n  new_inode+0x1c/0x300\n  ?\n\
         0 0 (unloaded):0 func:? ctx:4 slack:0 allocs:0 frees:0 allocated:0\n"
    );
    let read = contexts::parse(text.as_bytes(), &mut model::Names::new()).unwrap();
    assert_eq!((read.list().len(), read.unreadable().count), (2, 0));
    assert_eq!(contexts::print(&read), text);
}

#[test]
fn every_key_is_written_as_the_kernel_writes_it() {
    let of_task = Context { keys: bits::COMM | bits::PID | bits::CGROUP, pid: 62, cgroup: 17, ..Context::default() };
    let of_interrupt = Context { flags: bits::INTERRUPT, ..of_task };
    let aged = |age_from, age_to| Context { keys: bits::AGE, age_from, age_to, ..Context::default() };
    let with_node = |node| Context { keys: bits::NODE, node, ..Context::default() };
    let with_gfp = |gfp| Context { keys: bits::GFP, gfp, ..Context::default() };
    for (context, expected) in [
        (Context { comm: field("a b\\"), ..of_task }, " comm:a\\040b\\134 pid:62 cgroup:17,/a\\040b"),
        (Context { comm: [b'x'; bits::COMM_SIZE], cgroup: 5, ..of_task }, " comm:xxxxxxxxxxxxxxxx pid:62 cgroup:5,?"),
        (of_interrupt, " comm:irq pid:irq cgroup:irq"),
        (with_node(0), " node:0"),
        (with_node(-1), " node:any"),
        (with_gfp(0xcc0), " gfp:0xcc0"),
        (with_gfp(u32::MAX), " gfp:?"),
        (Context { keys: bits::ORDER, order: 9, ..Context::default() }, " order:9"),
        (aged(0, 60), " age:0-60"),
        (aged(960, u64::MAX), " age:960-"),
        (Context { every: 524_288, ..Context::default() }, " every:524288"),
        (Context { keys: bits::CALLER, ..Context::default() }, " caller:?"),
        (Context { keys: 1 << 40, ..Context::default() }, ""),
    ] {
        assert_eq!(keys(context), expected);
    }
}

#[test]
fn a_long_path_has_room() {
    let context = Context { id: 3, site: 7, keys: bits::CGROUP, cgroup: 17, ..Context::default() };
    let path = format!("/{}", "ä".repeat(40_000));
    let text = print(&told(&[context], &[]), |_| Some(path.clone()));
    let read = contexts::parse(&text, &mut model::Names::new()).unwrap();
    assert_eq!(read.list()[0].key("cgroup"), Some(format!("17,{path}").as_str()));
}
