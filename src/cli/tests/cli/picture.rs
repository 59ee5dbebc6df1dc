// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag treemap`, `flame` and `report` by their structure. tests/suites/cli-report opens them in a browser.

use std::fs;

use alloctag::model::Meta;

use crate::harness::{directory, run, run_with_input, snapshot};

#[test]
fn pictures_are_svg_with_a_box_for_what_is_large_enough() {
    for (line, boxes) in [("treemap", 150), ("flame", 60), ("treemap --by subsystem", 150), ("flame --by module", 3)] {
        let out = run(&format!("{line} c-7.3.4.txt")).clean();
        assert!(out.starts_with("<svg xmlns=") && out.ends_with("</svg>\n"), "{line}");
        assert!(out.matches("<rect ").count() > boxes, "{line}: {}", out.matches("<rect ").count());
        assert!(out.contains("30.6Mi of kernel memory by call site") && out.contains("shmem"), "{line}");
        for sign in ["<script", "NaN", "\"inf", "width=\"-", "href"] {
            assert!(!out.contains(sign), "{line}: {sign}");
        }
    }
    let out = run("treemap c-7.3.4.txt --width 300 --height 200 --raw-bytes").clean();
    assert!(out.contains(r#"viewBox="0 0 300 200""#) && out.contains("23605248"), "{out}");
}

#[test]
fn names_cannot_leave_their_place_in_a_picture() {
    let input = b"8 1 a<b>&\"'.c:1 func:</title><script>alert(1)</script> \n";
    for line in ["treemap -", "flame -", "flame - --by func"] {
        let out = run_with_input(line, input).clean();
        assert!(out.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !out.contains("<script"), "{out}");
    }
    let out = run_with_input("report -", input).clean();
    assert!(!out.contains("<script>alert") && out.contains("\\u003cscript>alert(1)\\u003c/script>"));
}

#[test]
fn sizes_below_zero_and_nothing_at_all_are_no_trouble() {
    for line in ["treemap -", "flame -"] {
        let out = run_with_input(line, b"-8 1 a/a.c:1 func:f \n16 1 a/b.c:1 func:g \n0 0 c.c:1 func:h \n").clean();
        assert!(!out.contains("NaN") && !out.contains("width=\"-") && out.contains("g:1"), "{out}");
        assert!(run_with_input(line, b"0 0 a.c:1 func:f \n").failed(1).contains("no row that is to be drawn"));
    }
    assert!(run_with_input("report -", b"0 0 a.c:1 func:f \n").failed(1).contains("no row that is to be shown"));
    assert_eq!(run("treemap --width 10 c-7.3.4.txt").status, 2);
}

/// What a report's script is given.
fn data(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_report_holds_every_profile_that_it_is_given() {
    let directory = directory(&[]);
    let file = directory.path().join("r.html");
    let frames = |line: &str| {
        assert_eq!(run(&format!("report {line} -o {}", file.display())).status, 0);
        let html = fs::read_to_string(&file).unwrap();
        let data = data(&html);
        assert_eq!(data["schema"], "alloctag.report/3");
        let notes = data["frames"][0]["notes"].as_str().unwrap();
        assert!(notes.starts_with("Not in the total: 7.1Mi of pages for slab objects"), "{notes}");
        // As `alloctag summary` counts them.
        assert_eq!(data["frames"][0]["sites"], 354);
        (data["frames"].as_array().unwrap().len(), data["diff"].as_bool().unwrap())
    };
    let (a, b) = ("c-7.3.4.txt", "crafted-2.0.txt");
    assert_eq!(frames(a), (1, false));
    assert_eq!(frames(&format!("{a} {b}")), (2, true), "two are compared");
    assert_eq!(frames(&format!("{a} {b} --no-diff")), (2, false));
    assert_eq!(frames(&format!("{a} {b} {a}")), (3, false));
    assert_eq!(frames(&format!("{a} {b} {a} --diff")), (3, true));
    assert!(run(&format!("report --diff {a}")).failed(2).contains("takes two profiles"));
    assert!(run("report - -").failed(2).contains("once only"));
}

#[test]
fn a_report_expands_recordings_and_finds_sites_again_whose_line_has_moved() {
    let files = directory(&[("a.txt", "8192 1 a.c:10 func:f \n"), ("b.txt", "9216 1 a.c:12 func:f \n")]);
    let at = files.path().display();
    fs::create_dir(files.path().join("recording")).unwrap();
    for (number, name) in ["a.txt", "b.txt"].iter().enumerate() {
        let target = format!("{at}/recording/0000000{number}-20261121T070000Z.alloctag");
        run(&format!("snap {at}/{name} -o {target}")).clean();
    }
    let sites = |flags: &str| {
        let ran = run(&format!("report {flags} {at}/recording -o {at}/r.html"));
        let page = fs::read_to_string(files.path().join("r.html")).unwrap();
        let data = data(&page);
        assert_eq!((ran.status, data["frames"].as_array().unwrap().len()), (0, 2));
        (ran.err, data["sites"].as_array().unwrap().len())
    };
    assert_eq!(
        sites(""),
        ("alloctag: found 1 site again at another line; --exact takes them for others\n".to_owned(), 1)
    );
    assert_eq!(sites("--exact"), (String::new(), 2));
}

#[test]
fn a_damaged_profile_of_many_is_left_out_and_told() {
    let files = directory(&[
        ("a.txt", "8192 1 a.c:10 func:f \n"),
        ("b.txt", "no profile\n"),
        ("c.txt", "1 1 a.c:10 func:f \n"),
    ]);
    let at = files.path().display();
    let ran = run(&format!("report {at}/a.txt {at}/b.txt {at}/c.txt --no-diff"));
    assert_eq!((ran.status, ran.err.lines().count()), (1, 1), "{}", ran.err);
    assert!(ran.err.starts_with(&format!("alloctag: left out: {at}/b.txt: ")), "{}", ran.err);
    assert_eq!(data(&ran.out)["frames"].as_array().unwrap().len(), 2);
    assert!(run(&format!("report {at}/b.txt")).failed(1).contains("b.txt: "));
    let ran = run(&format!("report {at}/b.txt {at}/b.txt"));
    assert!(
        ran.status == 1 && ran.out.is_empty() && ran.err.contains("none of these profiles can be read"),
        "{}",
        ran.err
    );
}

/// Hourly texts: one site leaks, one does not; the third is not asked for.
fn hourly(count: i64) -> (tempfile::TempDir, String) {
    let files = directory(&[]);
    let mut line = String::new();
    for hour in 0..count {
        let calls = 1000 + 10 * hour;
        let text = format!(
            "{} {calls} a.c:1 func:leaks \n4096 1 a.c:2 func:stays \n{calls} 1 b.c:1 func:other \n",
            calls * 512
        );
        let path = files.path().join(format!("{hour:03}.txt"));
        fs::write(&path, text).unwrap();
        line += &format!(" {}", path.display());
    }
    (files, line)
}

#[test]
fn a_report_has_the_verdicts_of_leak() {
    let (_files, texts) = hourly(30);
    let ran = run(&format!("report --every 1h{texts}"));
    let trends = data(&ran.out)["trends"].clone();
    let leak = run(&format!("leak --every 1h --all --format json{texts}")).json();
    assert_eq!(trends["counts"], leak["verdicts"]);
    assert_eq!((&trends["samples"], &trends["leaks"]), (&30.into(), &1.into()));
    let (told, row) = (&trends["list"][0], &leak["rows"][0]);
    assert_eq!((&told["verdict"], &row["func"]), (&"LEAK".into(), &"leaks".into()));
    for field in ["slope", "growth", "now", "samples"] {
        assert_eq!(told[field], row[field], "{field}");
    }
    assert_eq!(
        data(&ran.out)["names"][data(&ran.out)["sites"][0][2].as_u64().unwrap() as usize],
        "leaks",
        "it comes first"
    );
    assert_eq!((&data(&ran.out)["clock"], &data(&ran.out)["frames"][2]["time"]), (&"every".into(), &7_200_000.into()));
    // Judged among all sites, told of those that are shown.
    let part = data(&run(&format!("report --every 1h -w 'func=stays'{texts}")).out);
    assert_eq!((&part["trends"]["leaks"], &part["trends"]["list"]), (&0.into(), &serde_json::json!([])));
}

#[test]
fn what_a_report_passes_over_has_taken_its_time() {
    let (files, texts) = hourly(500);
    let frames = |ran: &str| data(ran)["frames"].clone();
    let ran = run(&format!("report --every 1h{texts}"));
    assert!(ran.err.contains("of 500 profiles, one in 2 is looked at"), "{}", ran.err);
    let hours = |frames: serde_json::Value| {
        let frames = frames.as_array().unwrap();
        let hour = |frame: &serde_json::Value| frame["time"].as_u64().unwrap() / 3_600_000;
        (hour(&frames[0]), frames.last().map(hour).unwrap())
    };
    // The last one is taken, and of each two the later.
    assert_eq!(hours(frames(&ran.out)), (1, 499));
    fs::write(files.path().join("001.txt"), "nonsense").unwrap();
    let few: Vec<&str> = texts.split_ascii_whitespace().take(3).collect();
    let ran = run(&format!("report --every 1h {}", few.join(" ")));
    assert_eq!(hours(frames(&ran.out)), (0, 2));
}

#[test]
fn a_report_without_times_or_with_few_profiles_has_no_verdicts() {
    let (_files, texts) = hourly(30);
    let page = run(&format!("report{texts}")).out;
    assert_eq!((&data(&page)["trends"], &data(&page)["clock"]), (&serde_json::Value::Null, &"number".into()));
    let (_files, texts) = hourly(7);
    assert!(data(&run(&format!("report --every 1h{texts}")).out)["trends"].is_null());
}

#[test]
fn a_report_can_be_read_without_scripts() {
    let (_files, texts) = hourly(30);
    let page = run(&format!("report --every 1h --raw-bytes --title 'a <b>'{texts}")).out;
    let plain = page.split_once("<noscript>").unwrap().1.split_once("</noscript>").unwrap().0;
    for part in [
        "<h1>a &lt;b&gt;</h1>",
        "1 leak takes 5120 an hour",
        "<td>LEAK</td>",
        "<td>a.c:1 func:leaks</td>",
        "<td>660480</td>",
        "(none)",
    ] {
        assert!(plain.contains(part), "{part}: {plain}");
    }
    assert_eq!(plain.matches("<table>").count(), plain.matches("</table>").count());
}

#[test]
fn what_is_doubtful_about_a_whole_recording_is_said_once() {
    let procfs = directory(&[("allocinfo", "8192 1 a.c:1 func:f \n"), ("sys/vm/mem_profiling", "0\n")]);
    let at = procfs.path().display();
    assert_eq!(run(&format!("record {at}/recording -n 3 -i 10ms --procfs {at}")).status, 0);
    fs::write(procfs.path().join("damaged.txt"), "8192 1 a.c:1 func:f \nnonsense\n").unwrap();
    let ran = run(&format!("report {at}/recording {at}/damaged.txt -o {at}/r.html"));
    let notes: Vec<&str> = ran.err.lines().collect();
    let [off, damaged] = notes[..] else { panic!("{}", ran.err) };
    assert!(off.starts_with(&format!("alloctag: {at}/recording/00000001-")), "{off}");
    assert!(off.ends_with(".alloctag and 2 others: profiling was off, so these numbers were old"), "{off}");
    assert!(damaged.contains("damaged.txt: left out 1 row that cannot be read"), "{damaged}");
    assert_eq!(ran.status, 1);
}

#[test]
fn a_report_puts_profiles_in_the_order_of_their_times_and_says_so() {
    let directory = directory(&[]);
    let at = directory.path().display();
    for number in 1..=3u64 {
        let meta = Meta { time_ms: Some(1_795_244_400_000 + 60_000 * number), ..Meta::default() };
        snapshot(&directory.path().join(format!("s{number}.alloctag")), &format!("{number} 1 a.c:1 func:f \n"), meta);
    }
    let ran = run(&format!("report {at}/s3.alloctag {at}/s1.alloctag {at}/s2.alloctag"));
    assert_eq!(ran.status, 0);
    assert_eq!(ran.err, "alloctag: sorted by the times in the files: 2 files came behind a later one\n");
    let found = data(&ran.out);
    let labels: Vec<&str> =
        found["frames"].as_array().unwrap().iter().map(|frame| frame["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["07:01:00", "07:02:00", "07:03:00"].map(|time| format!("2026-11-21 {time} UTC")));
    let ordered = run(&format!("report {at}/s1.alloctag {at}/s2.alloctag {at}/s3.alloctag"));
    assert_eq!((ordered.err.as_str(), ordered.out), ("", ran.out));
}
