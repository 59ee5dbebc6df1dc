// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Contexts in the formats of other tools, and in pictures.

use crate::harness::{directory, lines, run, run_with_input};

#[test]
fn folded_stacks_have_the_functions_that_called() {
    // With a text of contexts, nothing else can be meant.
    for line in ["export contexts-1.0.txt --format folded", "export contexts-1.0.txt --contexts --format folded"] {
        let out = run(&format!("{line} -w 'comm=* or caller=*'")).clean();
        assert_eq!(
            lines(&out),
            [
                "__irq_exit_rcu;handle_softirqs;run_timer_softirq;call_timer_fn;by_timer [alloctag_callers];helper_object:47 [alloctag_callers] 512",
                "kernfs_fop_write_iter;module_attr_store;param_attr_store;allocate [alloctag_callers];first [alloctag_callers];helper_object:47 [alloctag_callers] 640",
                "kernfs_fop_write_iter;module_attr_store;param_attr_store;allocate [alloctag_callers];second [alloctag_callers];helper_object:47 [alloctag_callers] 384",
                "kernfs_fop_write_iter;module_attr_store;param_attr_store;allocate [alloctag_callers];second [alloctag_callers];helper_pages:52 [alloctag_callers] 16384",
                "kernfs_get_inode;alloc_inode:340 2720",
            ]
        );
    }
    let ran = run("export contexts-later-1.0.txt --format folded");
    assert!(ran.err.contains("left out 1 stack below zero"), "{}", ran.err);
    let out = run("export contexts-later-1.0.txt --format folded --cumulative --min 1k -n 1").clean();
    assert_eq!(out, "?;new_inode;ext4_alloc_inode:120 [ext4] 20971520\n");
    let input = std::fs::read("tests/data/contexts-1.0.txt").unwrap();
    assert_eq!(run_with_input("export - --format folded", &input).clean().lines().count(), 9);
}

#[test]
fn programs_get_contexts_with_all_their_keys() {
    let value = run("export contexts-later-1.0.txt --contexts").json();
    assert_eq!(value["schema"], "alloctag.export.contexts/1");
    assert_eq!((value["rows"].as_array().unwrap().len(), &value["rows"][0]["allocated"]), (5, &20_971_520.into()));
    let csv = run("export contexts-later-1.0.txt --format csv").clean();
    assert!(csv.starts_with("bytes,calls,slack,allocs,frees,allocated,caller,comm,"), "{csv}");
    assert_eq!(run("export contexts-later-1.0.txt --format ndjson").clean().lines().count(), 6);
    assert_eq!(run("export contexts-later-1.0.txt --format tsv").clean().lines().count(), 6);
}

#[test]
fn what_does_not_go_with_contexts_is_refused() {
    for (line, expected) in [
        ("export --contexts contexts-1.0.txt --format openmetrics", "metrics and tables"),
        ("export --contexts contexts-1.0.txt --format parquet", "metrics and tables"),
        ("export --contexts contexts-1.0.txt --group file", "`alloctag contexts --by`"),
        ("export contexts-1.0.txt --format folded -w com=x", "`com` is no field; there are stack"),
        ("flame crafted-2.0.txt --invert", "are about --contexts"),
        ("flame crafted-2.0.txt --cumulative", "are about --contexts"),
    ] {
        assert!(run(line).failed(2).contains(expected), "{line}");
    }
    for line in ["export --contexts crafted-2.0.txt", "flame --contexts crafted-2.0.txt"] {
        assert!(run(line).failed(1).contains("has no contexts"), "{line}");
    }
    assert!(run("export contexts-1.0.txt --format openmetrics").failed(1).contains("`alloctag contexts` shows it"));
}

#[test]
fn flame_graphs_have_real_stacks() {
    let directory = directory(&[]);
    let file = directory.path().join("f.svg");
    let draw = |options: &str| {
        run(&format!("flame contexts-1.0.txt {options} -o {}", file.display())).clean();
        std::fs::read_to_string(&file).unwrap()
    };
    let svg = draw("-w module=alloctag_leaky");
    assert!(svg.contains("<title>111.0Ki of kernel memory by who called · contexts-1.0.txt</title>"), "{svg}");
    let place = "ret_from_fork_asm › ret_from_fork › kthread › worker_thread › process_scheduled_works › \
                 tick [alloctag_leaky] › leaks:73 [alloctag_leaky]\n25.5Ki (26112 bytes), 23.0%\n51 calls in 1 contexts";
    assert!(svg.contains(place), "{svg}");
    let svg = draw("--contexts --invert -w module=alloctag_leaky");
    assert!(svg.contains("<title>leaks:73 [alloctag_leaky] › tick [alloctag_leaky]\n"), "{svg}");
    let svg = draw("--cumulative -w func=shakes");
    assert!(svg.contains("<title>1.1Mi allocated so far by who called"), "{svg}");
    let svg = run("flame contexts-later-1.0.txt").clean();
    assert!(svg.contains("estimated by a sample every 512.0Ki"), "{svg}");
    assert!(run("flame contexts-1.0.txt -w bytes=0")
        .failed(1)
        .contains("no context that is to be drawn holds anything"));
}
