// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag stalls`, `latency` and `lifetimes`.

use std::fs;

use crate::harness::{directory, lines, run, run_with_input};
use crate::serve::Server;

#[test]
fn stalls_are_told_by_call_site_and_cause() {
    let out = run("stalls stalls-1.0.txt").clean();
    assert_eq!(
        lines(&out),
        [
            "COUNT   TOTAL     P50     P99     MAX  CAUSE       SITE",
            "   96   380ms  1.77ms  58.7ms  61.0ms  reclaim     mm/readahead.c:247 func:page_cache_ra_unbounded",
            "   30  32.0ms   655us  3.52ms  4.00ms  compaction  mm/readahead.c:247 func:page_cache_ra_unbounded",
            "    1  2.50ms  2.50ms  2.50ms  2.50ms  percpu      fs/ext4/super.c:88 [ext4] func:ext4_fill_super",
            "   40   900us  16.1us  48.3us  50.0us  slab        (no histogram of its own)",
            "   12  48.2us  2.69us  18.2us  20.0us  slab        fs/ext4/inode.c:120 [ext4] func:ext4_alloc_inode",
            "    3  9.00us  2.54us  3.51us  4.00us  vmalloc     kernel/fork.c:300 func:alloc_thread_stack_node",
            "415ms in 182 waits of 4 sites",
            "40 of them of call sites without a histogram of their own",
        ]
    );
}

#[test]
fn times_are_added_up_by_any_keys_and_sorted_by_any_number() {
    let out = run("stalls stalls-1.0.txt --by module -s p99 --format csv").clean();
    assert_eq!(
        lines(&out),
        [
            "count,ns,mean_ns,min_ns,p50_ns,p90_ns,p99_ns,max_ns,sites,causes,histogram,module",
            "129,412009000,3193868,2000,1493080,5662310,54138608,61000000,2,\"reclaim,compaction,vmalloc\",\
             \"10:1,11:2,18:12,19:30,20:46,21:22,22:10,25:6\",(built-in)",
            "13,2548211,196016,1200,2943,24575,2298576,2500000,2,\"percpu,slab\",\"10:3,11:8,14:1,21:1\",ext4",
            "40,900000,22500,8000,16109,34491,48276,50000,0,slab,\"12:5,13:15,14:15,15:5\",(no histogram of its own)",
        ]
    );
    let out =
        run("stalls stalls-1.0.txt --by cause -s -cause -n 1 --raw-bytes -w 'not func=no_histogram_left'").clean();
    assert_eq!(
        lines(&out),
        [
            "COUNT  TOTAL   P50   P99   MAX  CAUSE",
            "    3   9000  2536  3512  4000  vmalloc",
            "414557211 in 142 waits of 4 sites",
            "not shown: 4 by -n",
        ]
    );
    let out = run("latency latency-1.0.txt -s mean,max,-func -b func --format tsv").clean();
    assert_eq!(lines(&out)[1], "130\t52000\t400\t180\t240\t733\t1637\t1900\t1\t7:80,8:30,9:15,10:5\tnvme_setup");
}

#[test]
fn what_is_short_lived_is_told_from_what_never_comes_back() {
    let out = run("lifetimes lifetimes-1.0.txt -s kept,alive").clean();
    assert_eq!(
        lines(&out),
        [
            "COUNT      P50      P99      MAX  ALIVE    KEPT      AGE  LOST  SITE",
            "    0        -        -        -     51  100.0%  10.8min     3  drivers/net/leaky.c:20 [leaky] func:leaks",
            "   12  8.59min  19.1min  20.0min    900   98.7%  10.1min     0  fs/dcache.c:1750 func:__d_alloc",
            " 5000   6.55us   16.2us   90.0us      4    0.1%    15.0s     0  fs/ext4/inode.c:120 [ext4] func:ext4_alloc_inode",
            "5012 freed, 955 alive, of 3 sites",
            "not among them: 3 that found no room in the kernel's table",
        ]
    );
    let out = run("lifetimes lifetimes-1.0.txt -s -p50 -w 'p99<1ms count>1000'").clean();
    assert_eq!(
        lines(&out),
        [
            "COUNT     P50     P99     MAX  ALIVE  KEPT    AGE  SITE",
            " 5000  6.55us  16.2us  90.0us      4  0.1%  15.0s  fs/ext4/inode.c:120 [ext4] func:ext4_alloc_inode",
            "5000 freed, 4 alive, of 1 site",
        ]
    );
    let value = run("lifetimes lifetimes-1.0.txt --format json -w lost>0").json();
    assert_eq!((&value["schema"], &value["total"]["alive"]), (&"alloctag.lifetimes/1".into(), &51.into()));
    let row = &value["rows"][0];
    assert_eq!((&row["p50_ns"], &row["kept"], &row["ages"]), (&().into(), &100.0.into(), &"35:20,39:31".into()));
}

#[test]
fn histograms_are_drawn_below_their_lines() {
    let out = run("lifetimes lifetimes-1.0.txt --histogram -w 'func=ext4_alloc_inode'").clean();
    assert_eq!(
        lines(&out),
        [
            "COUNT     P50     P99     MAX  ALIVE  KEPT    AGE  SITE",
            " 5000  6.55us  16.2us  90.0us      4  0.1%  15.0s  fs/ext4/inode.c:120 [ext4] func:ext4_alloc_inode",
            "    freed after",
            "    1.02us  1000  ████████████████",
            "    2.05us     0",
            "    4.10us  2500  ████████████████████████████████████████",
            "    8.19us  1480  ███████████████████████▋",
            "    16.4us     0",
            "    32.8us     0",
            "    65.5us    20  ▍",
            "    alive for",
            "    8.59s  2  ████████████████████████████████████████",
            "    17.2s  2  ████████████████████████████████████████",
            "5000 freed, 4 alive, of 1 site",
        ]
    );
    // What is a program's has the numbers in any case.
    let json = "stalls stalls-1.0.txt --format json";
    assert_eq!(run(json).clean(), run(&format!("{json} --histogram")).clean());
}

#[test]
fn a_text_is_read_from_a_pipe_and_what_cannot_be_read_is_told() {
    let text = "latency - version: 1.0\n# count ns min_ns max_ns histogram tag\n2 9 3 6 1:1,2:1 a.c:1 func:f\nx\n";
    let ran = run_with_input("latency - --format csv", text.as_bytes());
    assert_eq!(ran.status, 1);
    assert!(ran.out.ends_with("2,9,4,3,3,5,5,6,1,\"1:1,2:1\",a.c:1 func:f\n"), "{}", ran.out);
    assert!(
        ran.err.contains("left out 1 line of times that cannot be read (first: line 4: it has fewer"),
        "{}",
        ran.err
    );
    let out = run_with_input("latency -", b"latency - version: 1.0\n# count ns min_ns max_ns histogram tag\n").clean();
    assert_eq!(lines(&out), ["COUNT  TOTAL  P50  P99  MAX  SITE", "nothing was measured"]);
    let ran = run("stalls stalls-later-1.0.txt --by cause -s -cause").clean();
    assert!(ran.contains("76ns") && ran.contains("moon"), "{ran}");
}

#[test]
fn mistakes_are_told_in_one_line() {
    for (line, status, expected) in [
        ("stalls latency-1.0.txt", 1, "latency-1.0.txt: has no stalls"),
        ("stalls golden-1.alloctag", 1, "has no stalls"),
        ("list stalls-1.0.txt", 1, "holds stalls, and not all that call sites have; `alloctag stalls` shows it"),
        ("diff stalls-1.0.txt latency-1.0.txt", 1, "`alloctag stalls` shows it"),
        ("latency latency-1.0.txt --by cause", 2, "--by cause: only stalls have causes"),
        ("latency latency-1.0.txt -s kept", 2, "--sort kept: only lifetimes have that"),
        ("stalls stalls-1.0.txt --by file -s module", 2, "--sort module: it is not among what --by adds up by"),
        ("stalls stalls-1.0.txt --by colour", 2, "`colour` is nothing to add up by; there are site, func"),
        ("stalls stalls-1.0.txt -s p75", 2, "`p75` is nothing to sort by; there are count, total, mean"),
        ("stalls stalls-1.0.txt -w 'p50>64k'", 2, "`64k` is no time"),
        ("stalls stalls-1.0.txt --reset", 2, "cannot be used with"),
        ("export stalls-1.0.txt --histograms", 2, "--histograms: of openmetrics only"),
        ("export sites-1.0.txt --format openmetrics --histograms", 1, "CONFIG_ALLOCTAG_STALLS"),
    ] {
        let error = run(line).failed(status);
        assert!(error.contains(expected), "{line}: {error}");
    }
}

#[test]
fn the_running_kernels_times_are_where_debugfs_is_mounted() {
    let stalls = include_str!("../data/stalls-1.0.txt");
    let sites = include_str!("../data/sites-stalls-1.0.txt");
    let root =
        directory(&[("debug/alloctag/stalls", stalls), ("debug/alloctag/control", ""), ("proc/allocinfo", sites)]);
    let at = root.path().display();
    fs::write(root.path().join("proc/mounts"), format!("none {at}/debug debugfs rw 0 0\n")).unwrap();
    let out = run(&format!("--procfs {at}/proc stalls --by cause -n 1")).clean();
    assert!(out.lines().nth(1).is_some_and(|line| line.ends_with("reclaim")), "{out}");
    let error = run(&format!("--procfs {at}/proc lifetimes")).failed(1);
    assert!(error.ends_with("this kernel measures no lifetimes: CONFIG_ALLOCTAG_LIFETIMES"), "{error}");
    // What a snapshot keeps is shown as it was.
    let saved = format!("{at}/saved.alloctag");
    run(&format!("--procfs {at}/proc snap -o {saved}")).clean();
    assert_eq!(run(&format!("stalls {saved}")).clean(), run("stalls stalls-1.0.txt").clean());
    assert!(run(&format!("list {saved} -n 1")).status == 0);
    let out = run(&format!("export {saved} --format openmetrics --histograms -g module -w 'module=ext4'")).clean();
    assert!(out.contains("kernel_alloc_stall_duration_seconds_count{module=\"ext4\",cause=\"slab\"} 12\n"), "{out}");
    assert!(!out.contains("cause=\"reclaim\""), "it is not of that module: {out}");
    run(&format!("--procfs {at}/proc stalls --reset")).clean();
    assert_eq!(fs::read_to_string(root.path().join("debug/alloctag/control")).unwrap(), "reset stalls");
    fs::remove_file(root.path().join("debug/alloctag/stalls")).unwrap();
    let error = run(&format!("--procfs {at}/proc stalls")).failed(1);
    assert!(error.ends_with("this kernel has no stalls: CONFIG_ALLOCTAG_STALLS"), "{error}");
}

#[test]
fn every_command_about_times_takes_the_same_options() {
    let files = directory(&[("mine.toml", "[MINE]\nfiles = ['fs/']\n")]);
    let table = files.path().join("mine.toml");
    let table = table.display();
    for line in [
        "stalls stalls-1.0.txt --by subsystem,dir --sort subsystem,-count --limit 1 --where 'file~^fs/'",
        "latency latency-1.0.txt --by subsystem,dir --sort p90,min,sites --limit 1 --where 'file~^fs/'",
        "lifetimes lifetimes-1.0.txt --by subsystem,dir --sort lost,age,total --limit 1 --where 'file~^fs/ext4'",
    ] {
        let out = run(&format!("{line} --subsystems {table} --format csv")).clean();
        assert!(out.ends_with(",MINE,fs/ext4\n"), "{out}");
        // Powers of 1000 are what times are written by in any case.
        assert_eq!(run(&format!("{line} --si")).clean(), run(&format!("{line} --iec")).clean());
        assert_ne!(
            run(&format!("{line} --raw-bytes --histogram")).clean(),
            run(&format!("{line} --histogram")).clean()
        );
    }
    for (line, expected) in [
        ("stalls stalls-1.0.txt -n 1 --histogram --iec --si", "cannot be used with"),
        ("latency latency-1.0.txt -n 1 --histogram --raw-bytes --si", "cannot be used with"),
        ("lifetimes lifetimes-1.0.txt -n 1 --histogram --raw-bytes --iec --format csv", "cannot be used with"),
        ("latency latency-1.0.txt -n 1 --iec --subsystems nowhere.toml --format csv", ""),
        ("stalls stalls-1.0.txt -n 1 --raw-bytes --subsystems nowhere.toml --format csv", ""),
        ("lifetimes lifetimes-1.0.txt -n 1 --si --subsystems nowhere.toml", ""),
        ("latency --reset latency-1.0.txt", "cannot be used with"),
        ("lifetimes --reset --procfs /nowhere lifetimes-1.0.txt", "cannot be used with"),
    ] {
        let ran = run(line);
        assert!(ran.status != 0 && ran.err.contains(expected) && ran.err.lines().count() == 1, "{line}: {}", ran.err);
    }
}

#[test]
fn a_report_has_the_times_of_its_last_profile() {
    let root = directory(&[("debug/alloctag/stalls", include_str!("../data/stalls-1.0.txt"))]);
    let at = root.path().display();
    fs::create_dir(root.path().join("proc")).unwrap();
    fs::write(root.path().join("proc/allocinfo"), include_str!("../data/sites-stalls-1.0.txt")).unwrap();
    fs::write(root.path().join("proc/mounts"), format!("none {at}/debug debugfs rw 0 0\n")).unwrap();
    let html = run(&format!("--procfs {at}/proc report -o -")).clean();
    let (_, rest) = html.split_once("id=\"data\">").unwrap();
    let data: serde_json::Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    let file = |place: &serde_json::Value| {
        let names = &data["names"];
        let site = &data["sites"][usize::try_from(place.as_u64().unwrap()).unwrap()];
        names[usize::try_from(site[0].as_u64().unwrap()).unwrap()].as_str().unwrap().to_owned()
    };
    let told: Vec<_> =
        data["times"].as_array().unwrap().iter().map(|times| (file(&times[0]), times[1].clone())).collect();
    assert!(told.contains(&("fs/ext4/inode.c".to_owned(), "waited for slab".into())), "{told:?}");
    let slab = data["times"].as_array().unwrap().iter().find(|times| times[1] == "waited for slab").unwrap();
    assert_eq!(slab[2], 12);
    assert_eq!(slab[6], serde_json::json!([[10, 3], [11, 8], [14, 1]]));
    // Nothing that adds up, and so no column.
    assert!(!data["counted"].as_array().unwrap().iter().any(|counted| counted[0] == "stall_max_ns"));
    assert!(data["counted"].as_array().unwrap().contains(&serde_json::json!(["stall_ns", "ns", true])));
}

#[test]
fn a_scrape_has_histograms_if_they_are_asked_for() {
    // A saved profile, as it is read for every scrape.
    let root = directory(&[("debug/alloctag/stalls", include_str!("../data/stalls-1.0.txt"))]);
    let at = root.path().display();
    fs::create_dir(root.path().join("proc")).unwrap();
    fs::write(root.path().join("proc/allocinfo"), include_str!("../data/sites-stalls-1.0.txt")).unwrap();
    fs::write(root.path().join("proc/mounts"), format!("none {at}/debug debugfs rw 0 0\n")).unwrap();
    let line = format!("--procfs {at}/proc export --format openmetrics -g subsystem");
    let (plain, more) = (run(&line).clean(), run(&format!("{line} --histograms")).clean());
    assert!(!plain.contains("_bucket") && more.contains("_bucket"), "{plain}");
    let server = Server::start(&format!("--procfs {at}/proc serve --listen 127.0.0.1:0 --histograms"));
    let answer = server.ask(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(answer.ends_with(&more), "{answer}");
}
