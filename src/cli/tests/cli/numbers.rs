// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What only some kernels count: slack, allocations, frees, bytes allocated, failures.

use alloctag::model::Meta;

use crate::harness::{directory, lines, run, snapshot};

/// What the tool says of a profile that lacks a number.
fn lacks(number: &str) -> String {
    format!(
        "alloctag: crafted-2.0.txt: tells nothing about {number}, which only kernels with CONFIG_ALLOCTAG_STATS count, and not the \
         text of allocinfo"
    )
}

#[test]
fn the_table_of_sites_is_read_as_a_profile() {
    assert_eq!(
        lines(&run("list sites-1.0.txt -s slack -n 3").clean()),
        [
            "  BYTES    SLACK  CALLS    AVG  MODULE  FILE:LINE                    FUNC                     FLAGS",
            "512.0Ki  448.0Ki    128  4.0Ki  nvme    drivers/nvme/host/pci.c:612  nvme_setup",
            "  1.0Mi  256.0Ki   1024  1.0Ki  -       fs/dcache.c:1922             __d_alloc",
            "192.0Ki   32.0Ki     48  4.0Ki  -       kernel/fork.c:419            alloc_thread_stack_node  accurate:no",
            "9.7Mi in 7 sites",
            "not in the total: 2.0Mi of pages for slab objects, which have rows of their own",
            "not shown: 2 that hold nothing, 2 by -n",
        ]
    );
}

#[test]
fn every_number_and_what_follows_from_it_can_be_a_column() {
    let fields = "func,slack,requested,waste%,allocs,frees,allocated,failed,rate";
    let out = run(&format!("list sites-1.0.txt -z -f {fields} --format csv")).clean();
    let expected = "\
func,slack,requested,waste,allocs,frees,allocated,failed,rate
page_cache_ra_unbounded,0,8388608,0.0000,96000,93952,393216000,3,
__d_alloc,262144,786432,25.0000,51024,50000,52248576,0,
nvme_setup,458752,65536,87.5000,130,2,532480,0,
alloc_thread_stack_node,32768,163840,16.6667,48,0,196608,0,
ext4_alloc_inode,0,0,,7000,7000,28672000,0,
never_gets_any,0,0,,0,0,0,12,
__alloc_skb,-16,-112,,9,10,1152,0,
";
    assert_eq!(lines(&out), lines(expected));
}

#[test]
fn failures_that_a_rule_asked_for_are_told_from_others() {
    let out = run("list sites-faults-1.0.txt -z -f func,failed,injected -s -injected --format csv").clean();
    assert_eq!(lines(&out), ["func,failed,injected", "page_cache_ra_unbounded,3,2", "nvme_setup,12,12"]);
    let out = run("list sites-faults-1.0.txt -w 'injected>2' -f func --format tsv").clean();
    assert_eq!(lines(&out), ["func", "nvme_setup"]);
}

#[test]
fn how_long_call_sites_had_to_wait_is_told_by_times() {
    let line = "list sites-stalls-1.0.txt";
    let out = run(&format!("{line} -s stall_ns -f func,stalls,stall_ns,stall_max_ns")).clean();
    assert_eq!(
        lines(&out)[..4],
        [
            "FUNC                     STALLS  STALLED  LONGEST",
            "page_cache_ra_unbounded     120    412ms   61.0ms",
            // It holds nothing, and waited.
            "ext4_fill_super               1   2.50ms   2.50ms",
            "ext4_alloc_inode             12   48.2us   20.0us",
        ]
    );
    // Of several, the longest is the longest of any.
    let out = run(&format!("{line} -g module -z -f module,stalls,stall_ns,stall_max_ns --format csv")).clean();
    assert_eq!(
        lines(&out),
        ["module,stalls,stall_ns,stall_max_ns", ",120,412000000,61000000", "ext4,13,2548211,2500000"]
    );
    let out = run(&format!("{line} -z -w 'stall_max_ns>1ms stalls<100' -f func --format tsv")).clean();
    assert_eq!(lines(&out), ["func", "ext4_fill_super"]);
    let error = run("list sites-1.0.txt -s stall_ns").failed(1);
    assert!(error.contains("only kernels with CONFIG_ALLOCTAG_STALLS count"), "{error}");
    let error = run(&format!("{line} -w 'stall_ns>64k'")).failed(2);
    assert!(error.contains("`64k` is no time"), "{error}");
    let out = run("export sites-stalls-1.0.txt --format openmetrics -g module").clean();
    for line in [
        "# TYPE kernel_alloc_stall_seconds counter",
        "# UNIT kernel_alloc_stall_seconds seconds",
        "kernel_alloc_stall_seconds_total{module=\"ext4\"} 0.002548211",
        "# TYPE kernel_alloc_longest_stall_seconds gauge",
        "kernel_alloc_longest_stall_seconds{module=\"(built-in)\"} 0.061",
        "kernel_alloc_stalls_total{module=\"ext4\"} 13",
    ] {
        assert!(out.lines().any(|found| found == line), "{line}: {out}");
    }
}

#[test]
fn conditions_and_orders_go_by_every_number() {
    for (options, expected) in [
        ("-w 'slack>256k'", &["nvme_setup"][..]),
        ("-w 'slack>=256k'", &["__d_alloc", "nvme_setup"]),
        ("-w 'waste=16'", &["alloc_thread_stack_node"]),
        ("-w 'waste%>25'", &["nvme_setup"]),
        ("-w 'requested<0'", &["__alloc_skb"]),
        ("-w 'frees=10 or frees=2'", &["nvme_setup", "__alloc_skb"]),
        // What holds nothing has still done what is asked for.
        ("-w 'failed>0' -s failed", &["never_gets_any", "page_cache_ra_unbounded"]),
        ("-w 'allocated>20M' -s -allocs", &["ext4_alloc_inode", "__d_alloc", "page_cache_ra_unbounded"]),
        ("-s waste -n 2", &["nvme_setup", "__d_alloc"]),
        ("-s requested -n 2", &["page_cache_ra_unbounded", "__d_alloc"]),
    ] {
        let out = run(&format!("list sites-1.0.txt -f func --format tsv {options}")).clean();
        assert_eq!(out.lines().skip(1).collect::<Vec<_>>(), expected, "{options}");
    }
}

#[test]
fn groups_add_numbers_up() {
    let out = run("list sites-1.0.txt -z -g dir:1 -s allocs -f dir,allocs,slack,waste --format csv").clean();
    assert_eq!(
        out.lines().skip(1).collect::<Vec<_>>(),
        [
            "mm,96000,0,0.0000",
            "fs,58024,262144,25.0000",
            "drivers,130,458752,87.5000",
            "kernel,48,32768,16.6667",
            "net,9,-16,",
            "lib,0,0,"
        ]
    );
}

#[test]
fn programs_get_the_numbers_that_there_are_and_no_others() {
    let head =
        |file: &str| run(&format!("list {file} --format csv")).clean().lines().next().unwrap_or_default().to_owned();
    assert_eq!(head("crafted-2.0.txt"), "bytes,calls,module,file,line,func,accurate,rows,backing,extra");
    let all = "bytes,calls,module,file,line,func,accurate,rows,backing,extra,slack,allocs,frees,allocated,failed";
    assert_eq!(head("sites-1.0.txt"), all);
    let json = run("list sites-1.0.txt --format json").json();
    assert_eq!((json["total"]["slack"].as_i64(), json["rows"][0]["failed"].as_i64()), (Some(753_648), Some(3)));
    let json = run("list crafted-2.0.txt --format json").json();
    assert!(json["total"].get("slack").is_none() && json["rows"][0].get("slack").is_none());
}

#[test]
fn what_a_profile_does_not_tell_is_a_dash_and_nothing_to_go_by() {
    let out = run("list crafted-2.0.txt -n 1 -f slack,requested,waste,allocs,rate,func").clean();
    assert_eq!(lines(&out)[1], "    -          -       -       -         -  nvme_pci_setup_data_prp");
    for (line, number) in [
        ("list crafted-2.0.txt -s slack", "slack"),
        ("list crafted-2.0.txt -s rate", "allocs"),
        ("list crafted-2.0.txt -w 'waste>50'", "slack"),
        ("list crafted-2.0.txt -w 'bytes>1 or not failed=0'", "failed"),
        ("tree crafted-2.0.txt -w 'frees>0'", "frees"),
        ("export crafted-2.0.txt -w 'allocated>0'", "allocated"),
        ("export crafted-2.0.txt --format folded -w 'slack>0'", "slack"),
    ] {
        assert_eq!(run(line).failed(1), lacks(number), "{line}");
    }
    // A row alone does not say for how long it was counted.
    assert!(run("list sites-1.0.txt -w 'rate>1'").failed(2).contains("`rate` is no field"));
}

#[test]
fn a_difference_tells_what_was_added_to_each_number() {
    let out = run("diff sites-1.0.txt sites-later-1.0.txt -s allocs --format csv").clean();
    let expected = "\
func,slack,allocs,frees,allocated,failed,requested
page_cache_ra_unbounded,0,10000,9999,40960000,2,4096
__d_alloc,0,1000,1000,1024000,0,0
nvme_setup,-401408,16,0,65536,0,-57344
came_later,1024,1,0,4096,0,3072
__alloc_skb,16,0,0,0,0,112
";
    let picked = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        [11, 15, 16, 17, 18, 19, 20].map(|place| cells[place]).join(",")
    };
    assert_eq!(out.lines().map(picked).collect::<Vec<_>>(), lines(expected));
    // People see what they ask for.
    let out = run("diff sites-1.0.txt sites-later-1.0.txt -w 'kind=shrunk' -s slack").clean();
    assert_eq!(
        lines(&out)[..2],
        [
            "   DELTA  DELTA%  CALLS        A       B  KIND       SLACK  MATCH  SITE                                                WAS",
            "-448.0Ki  -87.5%   -112  512.0Ki  64.0Ki  shrunk  -392.0Ki  exact  drivers/nvme/host/pci.c:612 [nvme] func:nvme_setup  -",
        ]
    );
}

#[test]
fn conditions_on_a_difference_are_about_what_was_added() {
    for (options, expected) in [
        ("-w 'allocs>=1000'", &["page_cache_ra_unbounded"][..]),
        ("-w 'slack<0'", &["nvme_setup"]),
        ("-w 'failed>1 allocated>1M'", &["page_cache_ra_unbounded"]),
        ("-w 'requested=3072'", &["came_later"]),
        // A share of what was added is none: it is of the later row.
        ("-w 'waste>80'", &["nvme_setup"]),
    ] {
        let out = run(&format!("diff sites-1.0.txt sites-later-1.0.txt --format csv {options}")).clean();
        let funcs: Vec<&str> = out.lines().skip(1).map(|line| line.split(',').nth(11).unwrap_or_default()).collect();
        assert_eq!(funcs, expected, "{options}");
    }
    let ran = run("diff sites-1.0.txt sites-later-1.0.txt --fail-if 'failed>1'");
    assert_eq!(ran.status, 3);
    assert!(ran.err.contains("mm/readahead.c:247 func:page_cache_ra_unbounded: failed=2"), "{}", ran.err);
}

#[test]
fn a_rate_is_of_the_time_in_between_and_of_the_boot() {
    let directory = directory(&[]);
    let path = |name: &str| directory.path().join(name).display().to_string();
    let (before, after, other) = (path("a"), path("b"), path("c"));
    for (to, from, uptime_ms, boot) in [
        (&before, "sites-1.0.txt", 5_000, "x"),
        (&after, "sites-later-1.0.txt", 10_000, "x"),
        (&other, "sites-later-1.0.txt", 10_000, "y"),
    ] {
        let text = std::fs::read_to_string(std::path::Path::new("tests/data").join(from)).unwrap();
        let meta = Meta { uptime_ms: Some(uptime_ms), boot_id: Some(boot.into()), ..Meta::default() };
        snapshot(to.as_ref(), &text, meta);
    }
    let out = run(&format!("list {before} -n 1 -f allocs,rate --format csv")).clean();
    assert_eq!(lines(&out), ["allocs,rate", "96000,19200"]);
    let out = run(&format!("diff {before} {after} -w 'rate>100' --format csv")).clean();
    assert_eq!(lines(&out).len(), 2);
    assert!(out.trim_end().ends_with(",2000"), "{out}");
    // In another boot all was counted anew: it is all of B's.
    let ran = run(&format!("diff {before} {other} -w 'allocs>=106000' --fail-if 'failed>4' --format csv"));
    let cells: Vec<&str> = lines(&ran.out)[1].split(',').collect();
    assert_eq!((ran.status, &cells[15..19]), (3, &["0", "106000", "103951", "434176000"][..]), "{}", ran.out);
    let page = run(&format!("report {before} {after} {other} --every 1h")).out;
    assert!(page.contains(r#""boots":[0,0,2]"#) && page.contains("of: grows ? added(name) : changed(name)"));
    // Of two boots nothing was counted from the one to the other, and texts do not tell.
    for options in ["-w 'rate>100'", "-s rate", "--fail-if 'rate>1'"] {
        let ran = run(&format!("diff {before} {other} {options}"));
        assert!(ran.status == 1 && ran.err.contains("c: gives no rate: "), "{}", ran.err);
        let error = run(&format!("diff sites-1.0.txt sites-later-1.0.txt {options}")).failed(1);
        assert!(error.contains("sites-later-1.0.txt: gives no rate: it is not told how long after"), "{error}");
    }
    let error = run("list sites-1.0.txt -s rate").failed(1);
    assert_eq!(error, "alloctag: sites-1.0.txt: gives no rate: it does not tell how long after the boot it was read");
}

#[test]
fn the_longest_wait_since_is_known_where_it_is_a_longer_one() {
    let text = std::fs::read_to_string("tests/data/sites-stalls-1.0.txt").unwrap();
    let later = text.replace(" 120 412000000 61000000 ", " 130 512000000 61000000 ").replace(" 20011 ", " 3000000 ");
    let files = directory(&[("a", &text), ("b", &later)]);
    let at = |name: &str| files.path().join(name).display().to_string();
    let line = format!("diff {} {}", at("a"), at("b"));
    let out = run(&format!("{line} -w 'stall_max_ns>1ms' --fail-if 'stall_max_ns>2ms' --format csv"));
    assert!(out.status == 3 && out.out.lines().count() == 2 && out.out.contains("ext4_alloc_inode"), "{}", out.out);
    assert!(out.err.contains("stall_max_ns=3000000"), "{}", out.err);
    let out = run(&format!("{line} -s stall_max_ns")).clean();
    let of = |func: &str| out.lines().find(|line| line.contains(func)).unwrap_or_default().to_owned();
    assert!(of("ext4_alloc_inode").contains(" 3.00ms "), "{out}");
    assert_eq!(run(&format!("{line} -g subsystem --fail-if 'stall_max_ns>=3ms' --format csv")).status, 3);
    for condition in ["stall_max_ns>64k", "stall_ns>1m"] {
        for option in ["-w", "--fail-if"] {
            let error = run(&format!("{line} {option} '{condition}'")).failed(2);
            assert!(error.contains("is no time such as 1500 (nanoseconds)"), "{error}");
        }
    }
}

#[test]
fn what_one_of_two_profiles_does_not_tell_is_not_compared() {
    for line in ["diff sites-1.0.txt crafted-2.0.txt", "diff crafted-2.0.txt sites-1.0.txt"] {
        assert!(!run(&format!("{line} --format csv")).clean().lines().next().unwrap_or_default().contains("slack"));
        assert_eq!(run(&format!("{line} -s slack")).failed(1), lacks("slack"));
        assert_eq!(run(&format!("{line} --fail-if 'rate>1'")).failed(1), lacks("allocs"));
        assert_eq!(run(&format!("{line} -w 'frees>1'")).failed(1), lacks("frees"));
    }
}

#[test]
fn a_summary_tells_what_wastes_most_where_that_is_known() {
    let out = run("summary sites-1.0.txt -n 1").clean();
    assert!(out.contains("\n 736.0Ki  of it slack, which nobody asked for (7.4%)\n"), "{out}");
    let waste = "\
Most memory that nobody asked for
  BYTES    SLACK  WASTE%  CALLS    AVG  MODULE  FILE:LINE                    FUNC        FLAGS
512.0Ki  448.0Ki   87.5%    128  4.0Ki  nvme    drivers/nvme/host/pci.c:612  nvme_setup
";
    assert!(out.contains(waste), "{out}");
    let json = run("summary sites-1.0.txt --format json").json();
    assert_eq!(json["most_slack"][0]["slack"].as_i64(), Some(458_752));
    let text = run("summary crafted-2.0.txt").clean();
    assert!(!text.contains("slack") && !text.contains("nobody asked"), "{text}");
    assert!(run("summary crafted-2.0.txt --format json").json().get("most_slack").is_none());
}

#[test]
fn a_snapshot_keeps_the_numbers() {
    let directory = directory(&[]);
    let path = directory.path().join("a.alloctag");
    run(&format!("snap sites-1.0.txt -o {}", path.display())).clean();
    let fields = "-z -f slack,allocs,frees,allocated,failed,site --format csv --include-backing";
    assert_eq!(
        run(&format!("list {} {fields}", path.display())).clean(),
        run(&format!("list sites-1.0.txt {fields}")).clean()
    );
}

#[test]
fn a_board_shows_by_how_much_numbers_grow_in_a_second() {
    let directory = directory(&[]);
    let data = std::path::Path::new("tests/data");
    for (number, from, uptime_ms) in [(1, "sites-1.0.txt", 5_000), (2, "sites-later-1.0.txt", 10_000)] {
        let meta = Meta { uptime_ms: Some(uptime_ms), boot_id: Some("x".into()), ..Meta::default() };
        let text = std::fs::read_to_string(data.join(from)).unwrap();
        snapshot(&directory.path().join(format!("{number:08}-x.alloctag")), &text, meta);
    }
    let options = "-b -n 2 -s allocs -f bytes,allocs,frees,failed,slack";
    let out = run(&format!("top {} {options}", directory.path().display())).clean();
    assert_eq!(
        lines(&out)[lines(&out).len() - 3..],
        [
            "    BYTES      SLACK   ALLOCS/s    FREES/s   FAILED/s  NAME",
            "    8.0Mi          0       2000       1999          0  mm/readahead.c:247 page_cache_ra_unbounded",
            "    1.0Mi    256.0Ki        200        200          0  fs/dcache.c:1922 __d_alloc",
        ]
    );
    let json = run(&format!("top {} -b -n 1 -s allocs --format json", directory.path().display())).clean();
    let last: serde_json::Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!(last["rows"][0]["per_second"]["allocs"].as_i64(), Some(2000));
    assert_eq!((last["rows"][0]["allocs"].as_i64(), last["rows"][0]["slack"].as_i64()), (Some(106_000), Some(0)));
    // Whoever wants an order by what was not counted is told.
    let text = directory.path().join("00000003-x.alloctag");
    snapshot(&text, "8 1 a.c:1 func:f\n", Meta::default());
    let error = run(&format!("top {} -o -s slack", directory.path().display())).failed(1);
    assert!(error.contains("00000003-x.alloctag: tells nothing about slack"), "{error}");
    let out = run(&format!("top {} -o -f slack,allocs", directory.path().display())).clean();
    assert!(out.ends_with("        -          -  a.c:1 f\n"), "{out}");
}

#[test]
fn a_tree_adds_up_what_it_is_asked_to_show() {
    let out = run("tree sites-1.0.txt --by subsystem -d 1 -n 2 -f slack,waste%,failed").clean();
    assert_eq!(
        lines(&out)[..2],
        [
            "   BYTES  %TOTAL      CALLS   SITES     SLACK    WASTE%    FAILED                        NAME",
            "   9.7Mi  100.0%       3247       7   736.0Ki      7.4%        15  ████████████████████  total",
        ]
    );
    let json = run("tree sites-1.0.txt --format json").json();
    assert_eq!((json["tree"]["slack"].as_i64(), json["tree"]["allocs"].as_i64()), (Some(753_648), Some(154_211)));
    assert!(run("tree crafted-2.0.txt --format json").json()["tree"].get("slack").is_none());
    let error = run("tree sites-1.0.txt -f colour").failed(2);
    assert!(error.contains("`colour` is nothing that is counted; there are slack, allocs,"), "{error}");
}

#[test]
fn a_leak_is_told_with_its_numbers_and_can_be_asked_for_by_them() {
    let directory = directory(&[]);
    for number in 1..=12u64 {
        let (bytes, slack) = (number * 4096, number * 2048);
        let text = format!(
            "sites - version: 1.0\n# bytes slack calls allocs frees tag\n{bytes} {slack} {number} {number} 0 a.c:1 func:leaks\n"
        );
        let (uptime_ms, boot_id) = (Some(number * 1000), Some("x".into()));
        snapshot(
            &directory.path().join(format!("{number:02}.alloctag")),
            &text,
            Meta { uptime_ms, boot_id, ..Meta::default() },
        );
    }
    let line = format!("leak {}", directory.path().display());
    let out = run(&format!("{line} --format csv")).clean();
    let expected = |cells: &[&str]| cells.iter().all(|cell| lines(&out).iter().any(|line| line.ends_with(cell)));
    assert!(expected(&[",file,line,func,module,slack,allocs,frees", ",a.c,1,leaks,,24576,12,0"]), "{out}");
    assert_eq!(lines(&run(&format!("{line} -w 'slack>24k' --format csv")).clean()).len(), 1);
    assert_eq!(run(&format!("{line} --fail-if 'verdict=LEAK waste=50'")).status, 3);
    assert!(run(&format!("{line} --fail-if 'failed>0'")).failed(1).contains("tells nothing about failed"));
}

#[test]
fn a_report_has_the_numbers_that_all_its_profiles_tell() {
    let told = |files: &str| {
        let page = run(&format!("report {files}")).out;
        let (_, data) = page.split_once("id=\"data\">").unwrap();
        let data: serde_json::Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        (data["counted"].to_string(), data["slack"][0].to_string())
    };
    let all = concat!(
        r#"[["slack","bytes",false],["allocs","calls",true],["frees","calls",true],"#,
        r#"["allocated","bytes",true],["failed","calls",true]]"#
    );
    assert_eq!(told("sites-1.0.txt sites-later-1.0.txt --every 1h"), (all.to_owned(), "[0,2]".to_owned()));
    assert_eq!(told("sites-1.0.txt crafted-2.0.txt --every 1h"), ("[]".to_owned(), "null".to_owned()));
    let error = run("report crafted-2.0.txt -w 'slack>0'").failed(1);
    assert_eq!(error, lacks("slack"));
}
