// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag contexts`.

use crate::harness::{directory, lines, run, run_with_input};

const CAPTURED: &str = "contexts contexts-1.0.txt";
const CRAFTED: &str = "contexts contexts-later-1.0.txt";

#[test]
fn every_context_stands_for_itself_with_its_stack_below_it() {
    let out = run(&format!("{CAPTURED} -n 2 -w 'module=alloctag_callers'")).clean();
    assert_eq!(
        lines(&out),
        [
            " BYTES  CALLS  ALLOCS  COMM  PID  CGROUP  NODE  ORDER  SITE",
            "16.0Ki      2       2  bash  62   1,/     0     1      callers.c:52 [alloctag_callers] func:helper_pages",
            "    helper_pages+0x34/0x40 [alloctag_callers]",
            "    second+0x41/0x60 [alloctag_callers]",
            "    allocate+0x12b/0x170 [alloctag_callers]",
            "    param_attr_store+0x58/0xb0",
            "    module_attr_store+0x15/0x20",
            "    kernfs_fop_write_iter+0xed/0x1a0",
            "   640      5       5  bash  62   1,/     0     0      callers.c:47 [alloctag_callers] func:helper_object",
            "    helper_object+0x78/0xa0 [alloctag_callers]",
            "    first+0x1d/0x60 [alloctag_callers]",
            "    allocate+0x12b/0x170 [alloctag_callers]",
            "    param_attr_store+0x58/0xb0",
            "    module_attr_store+0x15/0x20",
            "    kernfs_fop_write_iter+0xed/0x1a0",
            "17.5Ki in 4 contexts",
            "not shown: 2 by -n",
        ]
    );
}

#[test]
fn what_a_later_kernel_tells_apart_stays_apart() {
    let line =
        |colour: &str| format!("64 1 a.c:1 func:f ctx:1 allocs:1 frees:0 allocated:64 comm:sh colour:{colour}\n");
    let text = |colours: &[&str]| {
        colours.iter().fold("contexts - version: 1.0\n".to_owned(), |text, colour| text + &line(colour))
    };
    let files = directory(&[("red", &text(&["red"])), ("both", &text(&["red", "blue"]))]);
    let at = files.path().display();
    let out = run(&format!("contexts {at}/both")).clean();
    assert!(out.contains("COLOUR") && out.contains("red") && out.contains("blue"), "{out}");
    assert!(out.ends_with("128 in 2 contexts\n"), "{out}");
    assert_eq!(lines(&out).len(), 4, "{out}");
    let out = run(&format!("diff {at}/red {at}/both --contexts")).clean();
    assert!(out.contains("COLOUR") && out.contains("blue") && !out.contains("red"), "{out}");
}

#[test]
fn contexts_are_added_up_by_any_keys() {
    let out = run(&format!("{CAPTURED} --by comm,func -s comm,-bytes --zeros -w 'comm=*'")).clean();
    assert_eq!(
        lines(&out),
        [
            " BYTES  CALLS  ALLOCS  CONTEXTS  COMM      FUNC",
            "   384      3       3         1  a b\\134c  helper_object",
            "   640      5       5         1  bash      helper_object",
            " 2.1Ki      4       5         2  bash      alloc_inode",
            "16.0Ki      2       2         1  bash      helper_pages",
            "   544      1       1         1  cp        alloc_inode",
            "   512      4       4         1  irq       helper_object",
            "20.2Ki in 7 contexts",
        ]
    );
    let out = run(&format!("{CRAFTED} --by key.colour,every --raw-bytes --cumulative -s allocated -m 1k")).clean();
    assert_eq!(
        lines(&out),
        [
            "   BYTES  CALLS  ALLOCS  ALLOCATED  COLOUR  EVERY",
            "20971520     40      40   20971520  grün    524288",
            " 1048576      2       2    1048576  red     524288",
            "22020736 in 5 contexts allocated so far",
            "2 of them estimated by samples",
            "not shown: 1 by --min",
        ]
    );
    let out = run(&format!("{CRAFTED} --by gfp,age -n 1 --si")).clean();
    assert_eq!(out.lines().nth(1), Some(" 4.2M      8      40  GFP_KERNEL|__GFP_ZERO  0-60"));
    assert_eq!(
        run(&format!("{CRAFTED} --by gfp,age -n 1 --iec")).clean(),
        run(&format!("{CRAFTED} --by gfp,age -n 1")).clean()
    );
    let out = run(&format!("{CRAFTED} --by subsystem,dir,file,module,site -n 1 --format markdown")).clean();
    assert!(
        out.contains("`EXT4 FILE SYSTEM` | `fs/ext4` | `fs/ext4/inode.c` | `ext4` | `fs/ext4/inode.c:120"),
        "{out}"
    );
}

#[test]
fn trees_of_stacks_have_either_end_on_top() {
    let leaky = format!("{CAPTURED} -w module=alloctag_leaky --min 30k");
    assert_eq!(
        lines(&run(&format!("{leaky} --tree")).clean()),
        [
            "   BYTES  %TOTAL      CALLS  CONTEXTS                        NAME",
            " 111.0Ki  100.0%        222        11  ████████████████████  total",
            " 111.0Ki  100.0%        222        11  ████████████████████    ret_from_fork_asm",
            " 111.0Ki  100.0%        222        11  ████████████████████      ret_from_fork",
            " 111.0Ki  100.0%        222        11  ████████████████████        kthread",
            " 111.0Ki  100.0%        222        11  ████████████████████          worker_thread",
            " 111.0Ki  100.0%        222        11  ████████████████████            process_scheduled_works",
            " 111.0Ki  100.0%        222        11  ████████████████████              tick [alloctag_leaky]",
            "  36.0Ki   32.4%         72         4  ██████▌                             fills:78 [alloctag_leaky]",
            "  32.5Ki   29.3%         65         5  █████▉                              piles:83 [alloctag_leaky]",
            "  42.5Ki   38.3%         85         2  ███████▋                            other (2)",
        ]
    );
    assert_eq!(
        lines(&run(&format!("{leaky} --invert --depth 2 --limit 1")).clean()),
        [
            "   BYTES  %TOTAL      CALLS  CONTEXTS                        NAME",
            " 111.0Ki  100.0%        222        11  ████████████████████  total",
            "  36.0Ki   32.4%         72         4  ██████▌                 fills:78 [alloctag_leaky]",
            "  36.0Ki   32.4%         72         4  ██████▌                   tick [alloctag_leaky]",
            "  75.0Ki   67.6%        150         7  █████████████▌          other (3)",
        ]
    );
    let value = run(&format!("{CAPTURED} --by comm,stack --tree --cumulative --format json")).json();
    assert_eq!(value["schema"], "alloctag.contexts.tree/1");
    assert_eq!((&value["by"], &value["top"]), (&serde_json::json!(["comm", "stack"]), &"root".into()));
    // What piles has allocated is more than what is alive.
    assert_eq!(value["tree"]["bytes"], 1_379_008);
    assert!(run(&format!("{CAPTURED} --tree --format csv")).failed(2).contains("a tree is written as table or json"));
}

#[test]
fn programs_get_everything() {
    let value = run(&format!("{CRAFTED} --format json -n 1")).json();
    assert_eq!(value["schema"], "alloctag.contexts/1");
    assert_eq!((&value["estimates"], &value["total"]["contexts"]), (&2.into(), &5.into()));
    let row = &value["rows"][0];
    assert_eq!((&row["bytes"], &row["slack"], &row["every"]), (&4_194_304.into(), &(-24).into(), &524_288.into()));
    assert_eq!((&row["comm"], &row["cgroup"], &row["pid"]), (&"my task".into(), &"17,/a b".into(), &().into()));
    let frames = serde_json::json!(["ext4_alloc_inode+0x1c/0x300 [ext4]", "new_inode+0x9f/0x120", "?"]);
    assert_eq!(row["stack"], frames);
    let csv = run(&format!("{CAPTURED} --by stack -n 1 --format csv")).clean();
    assert!(csv.lines().nth(1).unwrap().contains("leaks+0x6c/0x80 [alloctag_leaky] < tick+0x6/0x230"), "{csv}");
}

#[test]
fn conditions_are_those_of_lists_and_know_keys_and_stacks() {
    let out = run(&format!("{CAPTURED} --by func -w 'stack=by_timer or (comm=cp file~inode)' --format tsv")).clean();
    let funcs: Vec<_> = out.lines().skip(1).map(|line| line.rsplit('\t').next().unwrap()).collect();
    assert_eq!(funcs, ["alloc_inode", "helper_object"]);
    let error = run(&format!("{CAPTURED} -w 'com=x'")).failed(2);
    assert!(error.contains("`com` is no field; there are stack caller comm"), "{error}");
    let table = directory(&[("s.toml", "['Mine']\nfiles = ['leaky.c']\n")]);
    let table = table.path().join("s.toml");
    let out = run(&format!("{CAPTURED} --by subsystem -n 1 --subsystems {}", table.display())).clean();
    assert!(out.contains("  Mine\n"), "{out}");
    assert!(run(&format!("{CAPTURED} --by func -s comm")).failed(2).contains("--sort comm: it is not among"));
    assert!(run(&format!("{CAPTURED} --by colour")).failed(2).contains("`colour` is no key"));
    assert!(run(&format!("{CAPTURED} -s colour")).failed(2).contains("and bytes, calls"));
}

#[test]
fn what_has_no_contexts_says_so() {
    let error = run("contexts crafted-2.0.txt").failed(1);
    assert_eq!(
        error,
        "alloctag: crafted-2.0.txt: has no contexts: no call sites were chosen, as `alloctag watch` does"
    );
    let error = run_with_input("contexts -", b"contexts - version: 2.0\n").failed(1);
    assert!(error.contains("has contexts of version 2.0"), "{error}");
    let ran = run_with_input("contexts -", b"contexts - version: 1.0\n8 1 a.c:1 func:f ctx:1\nx\n  f\n");
    assert_eq!((ran.status, ran.out.lines().count()), (1, 3), "{}", ran.out);
    assert!(ran.err.contains("left out 1 context that cannot be read (first: line 3: "), "{}", ran.err);
}

#[test]
fn the_running_kernels_contexts_are_where_debugfs_is_mounted() {
    let text = std::fs::read_to_string("tests/data/contexts-1.0.txt").unwrap();
    let empty = "control - version: 1.0\n# rule sites contexts lost command\n";
    let root = directory(&[("debug/alloctag/contexts", &text), ("debug/alloctag/control", empty), ("proc/x", "")]);
    let at = root.path().display();
    std::fs::write(root.path().join("proc/mounts"), format!("none {at}/debug debugfs rw 0 0\n")).unwrap();
    let line = format!("contexts --procfs {at}/proc --by func -n 1");
    assert!(run(&line).clean().contains("fills\n"));
    let value = run(&format!("{line} --format json")).json();
    assert_eq!(value["meta"]["origin"]["live"], format!("{at}/debug/alloctag/contexts"));
    std::fs::write(root.path().join("debug/alloctag/contexts"), "contexts - version: 1.0\n").unwrap();
    assert!(run(&line).failed(1).contains("no call sites are chosen: alloctag watch"));
    std::fs::write(root.path().join("debug/alloctag/control"), format!("{empty}1 2 0 0 func x +c by=comm\n")).unwrap();
    assert!(run(&line).failed(1).contains("have allocated nothing yet"));
    std::fs::remove_dir_all(root.path().join("debug")).unwrap();
    assert!(run(&line).failed(1).contains("this kernel tells no contexts apart"));
}

#[test]
fn memory_is_not_counted_twice() {
    let text = "contexts - version: 1.0\n64 1 a.c:1 func:f ctx:1\n  f+0x1/0x2\n4096 1 mm/slub.c:3345 func:alloc_slab_page ctx:2\n  alloc_slab_page+0x1/0x2\n";
    for (options, expected) in [
        ("", "64 in 1 context\nnot in the total: 4.0Ki of pages in which other call sites' memory lies\n"),
        ("--include-backing", "4.1Ki in 2 contexts\n"),
    ] {
        let out = run_with_input(&format!("contexts - {options}"), text.as_bytes()).clean();
        assert!(out.ends_with(expected), "{options}: {out}");
    }
    for (options, lines) in [("", 1), ("--include-backing", 2)] {
        let out = run_with_input(&format!("export - --format folded {options}"), text.as_bytes()).clean();
        assert_eq!(out.lines().count(), lines, "{out}");
    }
}
