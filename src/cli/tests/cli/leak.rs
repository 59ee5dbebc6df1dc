// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag leak` over texts, recordings and a kernel that changes.

use std::fmt::Write as _;
use std::fs;

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use alloctag::model::Meta;
use rustix::process::{kill_process, Pid, Signal};
use serde_json::Value;
use tempfile::TempDir;

use crate::harness::{directory, patiently, run, snapshot, tool, Ran};

/// Up and down without a pattern.
const JITTER: [i64; 11] = [2, 4, 0, 3, 1, 4, 0, 2, 3, 0, 4];

/// Hourly texts: a site for each verdict.
fn series(count: i64) -> TempDir {
    let directory = directory(&[]);
    for hour in 0..count {
        let mut text = String::from("allocinfo - version: 2.0\n");
        for (func, calls) in [
            ("leaks", 1000 + 10 * hour),
            ("falls", 2000 - 20 * hour),
            ("still", 500),
            ("steps", if hour < count / 2 { 100 } else { 900 }),
            ("fills", 1000 - 1000 / (1 << hour.min(10))),
            ("saws", 100 + 50 * (hour % 6)),
            ("shakes", 300 + 20 * JITTER[usize::try_from(hour).unwrap() % JITTER.len()]),
        ] {
            writeln!(text, "{} {calls} a.c:1 [m] func:{func} ", calls * 256).unwrap();
        }
        fs::write(directory.path().join(format!("{hour:03}.txt")), text).unwrap();
    }
    directory
}

fn texts(directory: &TempDir) -> String {
    let mut paths: Vec<String> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path().display().to_string()).collect();
    paths.retain(|path| path.ends_with(".txt"));
    paths.sort();
    paths.join(" ")
}

fn verdicts(json: &serde_json::Value) -> Vec<(String, String)> {
    let text = |row: &serde_json::Value, field: &str| row[field].as_str().unwrap().to_owned();
    let mut found: Vec<_> =
        json["rows"].as_array().unwrap().iter().map(|row| (text(row, "func"), text(row, "verdict"))).collect();
    found.sort();
    found
}

#[test]
fn time_goes_on_where_a_text_is_passed_over() {
    let slope = |line: &str| {
        let json = run(line).json();
        let rows = json["rows"].as_array().unwrap();
        rows.iter().find(|row| row["func"] == "leaks").unwrap()["slope"].as_f64().unwrap()
    };
    // 10 allocations of 256 bytes an hour. Of so many, every second one is looked at.
    let many = series(600);
    let line = format!("leak --every 1h --all --format json {}", texts(&many));
    assert!((slope(&line) - 2560.0).abs() < 1.0, "{}", slope(&line));
    assert!(run(&line).err.contains("of 600 profiles, one in 2 is looked at"));
    // What cannot be read has taken its hour as well.
    let few = series(40);
    for hour in (1..40).step_by(2) {
        fs::write(few.path().join(format!("{hour:03}.txt")), "nonsense").unwrap();
    }
    let line = format!("leak --every 1h --all --format json {}", texts(&few));
    assert!((slope(&line) - 2560.0).abs() < 1.0, "{}", slope(&line));
}

#[test]
fn every_behaviour_gets_its_verdict() {
    let series = series(30);
    let json = run(&format!("leak --every 1h --all --format json {}", texts(&series))).json();
    let expected = [
        ("falls", "FALLING"),
        ("fills", "BOUNDED"),
        ("leaks", "LEAK"),
        ("saws", "SAWTOOTH"),
        ("shakes", "NOISE"),
        ("steps", "STEP"),
        ("still", "NOISE"),
    ];
    assert_eq!(verdicts(&json), expected.map(|(func, verdict)| (func.to_owned(), verdict.to_owned())));
    assert_eq!(json["verdicts"]["LEAK"], 1);
    assert_eq!(json["samples"]["taken"], 30);
}

#[test]
fn a_leak_has_a_slope_with_bounds_and_a_time_to_exhaustion() {
    let series = series(30);
    let json = run(&format!("leak --every 1h --available 25600 --format json {}", texts(&series))).json();
    let row = &json["rows"][0];
    assert_eq!((&row["slope"], &row["slope_low"], &row["slope_high"]), (&2560.into(), &2560.into(), &2560.into()));
    assert_eq!((&row["exhaustion_s"], &row["exhaustion"]), (&36_000.into(), &"10 h 0 min".into()));
    let (p, q) = (row["p"].as_f64().unwrap(), row["q"].as_f64().unwrap());
    assert!(0.0 < p && p < q && q < 1e-6, "{row}");
    assert!(row["q"].to_string().len() > 10, "in full: {row}");
    let out = run(&format!("leak --every 1h --available 25600 -n 1 {}", texts(&series))).clean();
    assert!(out.contains("30 samples, judged over up to 1 d 5 h"), "{out}");
    assert!(out.contains("25.0Ki available"), "{out}");
}

#[test]
fn a_falling_site_has_a_slope_a_growth_below_zero_and_a_q_of_its_own() {
    let series = series(30);
    let json = run(&format!("leak --every 1h --available 1M --format json -w func=falls {}", texts(&series))).json();
    let row = &json["rows"][0];
    assert_eq!((&row["verdict"], &row["slope"], &row["exhaustion"]), (&"FALLING".into(), &(-5120).into(), &().into()));
    assert!(row["growth"].as_i64().unwrap() < 0 && row["q"].as_f64().unwrap() < 1e-6, "{row}");
    assert_eq!(json["verdicts"]["FALLING"], 1);
    let condition = "leak --every 1h --fail-if verdict=FALLING";
    let ran = run(&format!("{condition} {}", texts(&series)));
    assert!(ran.status == 3 && ran.err.contains("func:falls"), "{} {}", ran.status, ran.err);
}

#[test]
fn few_samples_are_short() {
    let series = series(7);
    let json = run(&format!("leak --every 1h --all --format json {}", texts(&series))).json();
    assert!(verdicts(&json).iter().all(|(_, verdict)| verdict == "SHORT"), "{json}");
}

#[test]
fn nothing_but_short_is_a_failure_unless_it_was_asked_for() {
    let few = series(7);
    let ran = run(&format!("leak --every 1h {}", texts(&few)));
    assert_eq!(ran.status, 1);
    assert_eq!(ran.err, "alloctag: nothing can be judged by 7 samples a site; --all takes that for an answer\n");
    assert!(ran.out.contains("7 sites: 7 SHORT"), "{}", ran.out);
    run(&format!("leak --every 1h --all {}", texts(&few))).clean();
    assert_eq!(run(&format!("leak --every 1h --fail-if verdict=SHORT {}", texts(&few))).status, 3, "the graver one");
    let enough = series(30);
    run(&format!("leak --every 1h {}", texts(&enough))).clean();
}

/// Snapshots of two boots, ten each, in the order of their time. The clock is set back in the first one.
fn snapshots() -> (TempDir, Vec<String>) {
    let directory = directory(&[]);
    let mut names = Vec::new();
    for number in 0..20u64 {
        let boot = number / 10;
        let back = if (5..10).contains(&number) { 7_200_000 } else { 0 };
        let calls = 100 + 10 * (number % 10);
        let meta = Meta {
            boot_id: Some(format!("boot-{}", 1 - boot)),
            time_ms: Some(1_795_244_400_000 + 3_600_000 * number - back),
            uptime_ms: Some(1_000 + 3_600_000 * (number % 10)),
            ..Meta::default()
        };
        let name = format!("{}/s{number}.alloctag", directory.path().display());
        snapshot(name.as_ref(), &format!("{} {calls} a.c:1 func:leaks \n", calls * 256), meta);
        names.push(name);
    }
    (directory, names)
}

#[test]
fn files_out_of_order_are_sorted_by_their_times_and_that_is_said() {
    let (_directory, names) = snapshots();
    let in_order = run(&format!("leak --format json {}", names.join(" ")));
    assert_eq!((in_order.status, in_order.err.as_str()), (0, ""));
    let in_order = in_order.json();
    assert_eq!(in_order["samples"], serde_json::json!({"taken": 20, "torn": 0, "off": 0, "disordered": 0}));
    // As a shell sorts them, and the other way round.
    let (mut by_name, mut reversed) = (names.clone(), names.clone());
    by_name.sort();
    reversed.reverse();
    for (files, behind) in [(by_name, 8), (reversed, 19)] {
        let ran = run(&format!("leak --format json {}", files.join(" ")));
        let said = format!("alloctag: sorted by the times in the files: {behind} files came behind a later one\n");
        assert_eq!((ran.status, ran.err.as_str()), (0, said.as_str()));
        assert_eq!(ran.json(), in_order);
    }
}

#[test]
fn files_that_do_not_tell_their_time_stay_in_the_order_given() {
    let (directory, names) = snapshots();
    let text = directory.path().join("text");
    fs::write(&text, "8192 1 a.c:1 func:leaks \n").unwrap();
    let ran = run(&format!("leak --all --every 1h {} {} {}", names[1], names[0], text.display()));
    assert!(ran.err.contains(" left out, as they are not later") && !ran.err.contains("sorted"), "{}", ran.err);
    // One that is broken is told of, and does not keep the others from being sorted.
    fs::write(&text, b"\x89ALTAG\r\nbroken").unwrap();
    let ran = run(&format!("leak --all {} {} {}", names[1], text.display(), names[0]));
    assert!(ran.err.contains("1 file came behind") && ran.err.contains("left out: "), "{}", ran.err);
}

#[test]
fn leaks_that_are_known_are_counted_and_not_shown() {
    let series = series(30);
    let list = series.path().join("known");
    fs::write(&list, "# ours\nleak:^leaks$\nleak:nobody\n").unwrap();
    let ran = run(&format!("leak --every 1h --suppress {} --fail-if verdict=LEAK {}", list.display(), texts(&series)));
    assert_eq!((ran.status, ran.err.as_str()), (0, "alloctag: --suppress: nothing is known by leak:nobody\n"));
    assert!(!ran.out.contains("LEAK") && ran.out.contains("1 leak known and not shown"), "{}", ran.out);
    fs::write(&list, "leek:x\n").unwrap();
    let error = run(&format!("leak --suppress {} x", list.display())).failed(1);
    assert!(error.contains("line 1: expected leak:PATTERN"), "{error}");
}

#[test]
fn conditions_select_and_set_the_exit_status() {
    let series = series(30);
    let texts = texts(&series);
    for (flags, status) in [
        ("--fail-if verdict=LEAK", 3),
        ("--fail-if 'verdict=LEAK slope>1M'", 0),
        ("--fail-if 'verdict=LEAK slope>2k growth>64k now>200k samples=30 module=m func=leaks'", 3),
        ("--fail-if verdict=LEAK -w func=saws", 0),
        ("--fail-if verdict=LEAK --min-growth 1M", 0),
        ("--fail-if verdict=LEAK --false-discoveries 1e-30", 0),
        ("--fail-if nonsense=1", 2),
        ("--fail-if verdict=leak", 2),
        ("--false-discoveries 2", 2),
        ("--every 0", 2),
    ] {
        let every = if flags.starts_with("--every") { "" } else { "--every 1h" };
        assert_eq!(run(&format!("leak {every} {flags} {texts}")).status, status, "{flags}");
    }
}

#[test]
fn texts_need_to_be_told_how_far_apart_they_are() {
    let error = run("leak crafted-2.0.txt crafted-2.0.txt").failed(1);
    assert_eq!(error, "alloctag: crafted-2.0.txt: does not say when it was read; --every says how far apart they are");
}

#[test]
fn what_cannot_be_read_is_left_out_and_said() {
    let series = series(30);
    fs::write(series.path().join("015.txt"), "junk\n").unwrap();
    let ran = run(&format!("leak --every 1h {}", texts(&series)));
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("left out: ") && ran.err.contains("015.txt"), "{}", ran.err);
    assert!(ran.out.contains("LEAK") && ran.out.contains("29 samples"), "{}", ran.out);
    assert!(run("leak nowhere.alloctag").err.contains("none of these profiles can be used"));
    let empty = directory(&[]);
    assert!(run(&format!("leak {}", empty.path().display())).failed(1).contains("holds no snapshots"));
}

#[test]
fn a_signal_ends_the_watch_and_what_there_is_is_judged() {
    let procfs = directory(&[("allocinfo", "8192 1 a.c:1 func:still \n"), ("cmdline", "\n")]);
    for (signal, interval, taken) in [
        (Signal::INT, "20ms", 8..),
        (Signal::INT, "1h", 1..),
        (Signal::TERM, "20ms", 8..),
        (Signal::TERM, "1h", 1..),
        (Signal::HUP, "20ms", 8..),
        (Signal::HUP, "1h", 1..),
    ] {
        let line = format!("leak -i {interval} --for 100000w --all --format json --procfs {}", procfs.path().display());
        let json = patiently(|wait| {
            let watch = tool(&line).stdout(Stdio::piped()).spawn().unwrap();
            sleep(wait);
            kill_process(Pid::from_child(&watch), signal).unwrap();
            let output = watch.wait_with_output().unwrap();
            // Before the first reading it dies of the signal, and after a few of them there may be too few.
            let json: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}: {output:?}"))?;
            let enough = taken.contains(&json["samples"]["taken"].as_u64().unwrap());
            if enough && output.status.success() {
                Ok(json)
            } else {
                Err(format!("{output:?}"))
            }
        });
        assert_eq!(json["rows"][0]["func"], "still", "{signal:?}");
    }
}

#[test]
fn a_hangup_that_is_ignored_does_not_end_the_watch() {
    let procfs = directory(&[("allocinfo", "8192 1 a.c:1 func:still \n"), ("cmdline", "\n")]);
    let line = format!("leak -i 20ms --for 100000w --all --format json --procfs {}", procfs.path().display());
    let tool = tool(&line);
    patiently(|wait| {
        let mut nohup = Command::new("nohup");
        nohup.arg(tool.get_program()).args(tool.get_args());
        let mut watch = nohup.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let pid = Pid::from_child(&watch);
        sleep(wait);
        kill_process(pid, Signal::HUP).unwrap();
        sleep(wait);
        let ended = watch.try_wait().unwrap();
        if ended.is_some() {
            // Or it came before nohup ignored it.
            return Err(format!("{ended:?}"));
        }
        kill_process(pid, Signal::TERM).unwrap();
        let output = watch.wait_with_output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).map(drop).map_err(|error| format!("{error}: {output:?}"))
    });
}

#[test]
fn a_reading_that_fails_is_left_out_of_a_watch_and_told() {
    let procfs = directory(&[("cmdline", "\n")]);
    let file = procfs.path().join("allocinfo");
    let line = |wait: Duration| {
        let (interval, time) = (wait.as_millis() / 10, 2 * wait.as_secs());
        format!("leak -i {interval}ms --for {time}s --all --format json --procfs {}", procfs.path().display())
    };
    let ran = patiently(|wait| {
        fs::write(&file, "8192 1 a.c:1 func:still \n").unwrap();
        let watch = tool(&line(wait)).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        sleep(wait);
        fs::remove_file(&file).unwrap();
        let ran = Ran::from(watch.wait_with_output().unwrap());
        // It may not have come to its first reading, or have had its last.
        if ran.out.is_empty() || ran.status == 0 {
            Err(ran.err)
        } else {
            Ok(ran)
        }
    });
    assert_eq!(ran.status, 1);
    assert!(ran.err.lines().all(|line| line.starts_with("alloctag: left out: ")), "{}", ran.err);
    assert_eq!(ran.json()["rows"][0]["func"], "still");
    let error = run(&line(Duration::from_secs(1))).failed(1);
    assert!(error.contains("does not exist"), "but the first one must succeed");
}

#[test]
fn the_running_kernel_is_watched_and_a_recording_of_it_replayed() {
    let procfs = directory(&[("cmdline", "\n"), ("meminfo", "MemTotal: 800 kB\nMemAvailable: 400 kB\n")]);
    let write = |step: u64| {
        let text = format!("{} {step} a.c:1 func:leaks \n{} 9 a.c:2 func:still \n", 8192 * step, 4096);
        // By a rename, so that no half of it is read.
        fs::write(procfs.path().join("next"), text).unwrap();
        fs::rename(procfs.path().join("next"), procfs.path().join("allocinfo")).unwrap();
    };
    let at = procfs.path().display();
    patiently(|wait| {
        write(1);
        let recording = procfs.path().join(format!("recording-{}", wait.as_secs()));
        let options = format!("-i {}ms --for {}s --procfs {at}", wait.as_millis() / 25, wait.as_secs());
        let mut watch = tool(&format!("leak {options} --format json")).stdout(Stdio::piped()).spawn().unwrap();
        let mut record = tool(&format!("record {options} {}", recording.display())).spawn().unwrap();
        let mut step = 1;
        while watch.try_wait().unwrap().is_none() || record.try_wait().unwrap().is_none() {
            step += 1;
            write(step);
            sleep(wait / 100);
        }
        let watched: Value = serde_json::from_slice(&watch.wait_with_output().unwrap().stdout).unwrap_or_default();
        assert!(record.wait().unwrap().success());
        let replayed = run(&format!("leak {} --format json", recording.display())).json();
        for json in [watched, replayed] {
            let found = [&json["available"], &json["rows"][0]["func"], &json["rows"][0]["verdict"]];
            let expected = [Value::from(400 << 10), "leaks".into(), "LEAK".into()];
            if found != expected.each_ref() || !json["rows"][0]["exhaustion_s"].is_number() {
                return Err(json.to_string());
            }
        }
        Ok(())
    });
}

#[test]
fn leaks_that_fail_a_build_are_named_whatever_is_shown() {
    let series = series(30);
    let texts = texts(&series);
    let ran = run(&format!("leak --every 1h -n 0 --fail-if 'verdict=LEAK slope>2k' {texts}"));
    assert_eq!(ran.status, 3);
    assert!(ran.err.contains("func:leaks: verdict=LEAK slope=2560\n"), "{}", ran.err);
    let json = run(&format!("leak --every 1h --fail-if verdict=LEAK --format json {texts}")).json();
    assert_eq!(json["fail_if"][0]["for"][0]["verdict"], "LEAK");
    let fails = json["rows"].as_array().unwrap().iter().filter(|row| row["fails"] == true).count();
    assert_eq!(fails, json["fail_if"][0]["for"].as_array().unwrap().len());
    let junit = run(&format!("leak --every 1h --fail-if verdict=LEAK --format junit {texts}"));
    assert!(junit.status == 3 && junit.out.contains("<testcase classname=\"alloctag leak\" name=\"verdict=LEAK\">"));
    let markdown = run(&format!("leak --every 1h --format markdown {texts}")).clean();
    assert!(markdown.contains("| **LEAK** |") && markdown.contains("\n\n30 samples"), "{markdown}");
}
