// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag trace`, on traces that were made and as far as it needs no kernel; in the guest it is run as it is meant.

use std::env;
use std::fs;
use std::path::Path;

use alloctag::trace::file::Writer;
use alloctag::trace::head::{Before, Head, Losses, Tail, Task};
use alloctag::trace::piece::Piece;

use crate::harness::{directory, lines, run};
use crate::made;

const DENTRY: made::Named = ("fs/dcache.c", 1750, "__d_alloc", "");
const QUEUE: made::Named = ("drivers/nvme/host/pci.c", 400, "nvme_alloc", "nvme");
const FOLIO: made::Named = ("mm/memory.c", 1289, "folio_prealloc", "");
const SLAB: made::Named = ("mm/slub.c", 3356, "alloc_slab_page", "");
/// Two threads of a process, another process, and an interrupt that comes upon that.
const MAKE: made::Who = (0, 100);
const HELPER: made::Who = (0, 101);
const KWORKER: made::Who = (0, 7);
const INTERRUPT: made::Who = (8, 7);
const TRACER: u32 = 99;

fn head(command: bool) -> Head {
    Head {
        release: "7.3.4".into(),
        time_ms: Some(1_790_000_000_000),
        begin: 1_000_000_000,
        page_size: 4096,
        header_page: made::HEADER.into(),
        formats: made::FORMATS.iter().map(|(_, text)| (*text).to_owned()).collect(),
        tracer: TRACER,
        command: command.then(|| vec!["make".into(), "-j4".into()]),
        condition: None,
        before: Some(Before { allocs: 5_000_000, calls: 40_000, bytes: 64 << 20 }),
    }
}

/// Two CPUs, whose events come as they are read: one after the other.
fn pieces(lost: u64) -> Vec<Piece<'static>> {
    let first = made::page(
        1_000_001_000,
        &[
            (0, made::alloc(MAKE, DENTRY, 0xffff_8880_0000_1000, 192, 192)),
            (500, made::alloc(HELPER, QUEUE, 0xffff_8880_0000_2000, 100, 128)),
            (500, made::alloc_pages(MAKE, FOLIO, 0x1000, 3)),
            (500, made::alloc_pages(MAKE, SLAB, 0x2000, 0)),
            (700, made::alloc((0, TRACER), DENTRY, 0xffff_8880_0000_3000, 192, 192)),
            (800, made::fail(MAKE, QUEUE, 64)),
            (1_000_000, made::alloc(INTERRUPT, QUEUE, 0xffff_8880_0000_4000, 100, 128)),
        ],
        None,
    );
    let second = made::page(
        1_000_001_000,
        &[
            (5_000, made::free(KWORKER, DENTRY, 0xffff_8880_0000_1000, 192, 192)),
            (10, made::free(KWORKER, DENTRY, 0xffff_8880_0000_9000, 192, 192)),
            (10, made::free(KWORKER, DENTRY, 0xffff_8880_0000_3000, 192, 192)),
            (10, made::stall(KWORKER, FOLIO, 0, 2_500_000)),
        ],
        (lost > 0).then_some(lost),
    );
    // The head of the pages, of which the rest stays.
    let third = made::page(2_000_000_000, &[(0, made::free_pages(MAKE, FOLIO, 0x1000, 0, 4096))], None);
    let task = |process, name: &str| Task { process, name: name.into() };
    let losses = |overrun| Losses { overrun, ..Losses::default() };
    vec![
        Piece::Pages(1, second.into()),
        Piece::Pages(0, first.into()),
        Piece::Tasks([(100, task(100, "make")), (101, task(100, "make:helper")), (7, task(7, "kworker/1:0"))].into()),
        Piece::Callers([(0xffff_ffff_8100_0000, "dentry_free+0x5c".to_owned())].into()),
        Piece::Mark(1_500_000_000),
        Piece::Pages(0, third.into()),
        Piece::Mark(2_900_000_000),
        Piece::Tail(Tail { end: 3_000_000_000, losses: [(0, losses(0)), (1, losses(lost))].into() }),
    ]
}

fn bytes(head: &Head, pieces: &[Piece<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, head).unwrap();
    pieces.iter().for_each(|piece| writer.put(piece).unwrap());
    bytes
}

/// Compares with a file in `tests/data/trace`. To write them anew: `GOLDEN=write cargo test -p alloctag trace`.
#[track_caller]
fn golden(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/trace").join(name);
    if env::var_os("GOLDEN").is_some_and(|value| value == "write") {
        fs::write(&path, found).unwrap();
    }
    assert_eq!(found, fs::read_to_string(&path).unwrap(), "{name}");
}

fn kept(command: bool, lost: u64) -> tempfile::TempDir {
    let directory = directory(&[]);
    fs::write(directory.path().join("t.trace"), bytes(&head(command), &pieces(lost))).unwrap();
    directory
}

#[test]
fn a_trace_adds_up_for_people() {
    for (name, command, lost) in [("all.txt", false, 0), ("command.txt", true, 0), ("lost.txt", false, 17)] {
        let directory = kept(command, lost);
        golden(name, &run(&format!("trace --replay {}/t.trace", directory.path().display())).clean());
    }
}

#[test]
fn events_are_lines_in_the_order_of_their_time() {
    let directory = kept(false, 17);
    let at = directory.path().display();
    golden("events.txt", &run(&format!("trace --events --replay {at}/t.trace")).clean());
    golden("events.ndjson", &run(&format!("trace --events --format ndjson --replay {at}/t.trace")).clean());
    let both = run(&format!("trace --events --summary --replay {at}/t.trace")).clean();
    assert!(both.contains("TIME CPU") && both.contains("by process"), "{both}");
    let again = run(&format!("trace --summary --replay {at}/t.trace")).clean();
    assert!(!again.contains("TIME CPU") && both.ends_with(&again), "{again}");
}

#[test]
fn programs_get_everything() {
    let directory = kept(true, 0);
    let at = directory.path().display();
    let value = run(&format!("trace --format json --replay {at}/t.trace")).json();
    assert_eq!((&value["schema"], &value["release"]), (&"alloctag.trace/1".into(), &"7.3.4".into()));
    assert_eq!((&value["ns"], &value["command"][0]), (&2_000_000_000u64.into(), &"make".into()));
    assert_eq!((&value["before"]["allocs"], &value["lost"]["events"]), (&5_000_000.into(), &0.into()));
    assert_eq!(value["lifetimes"]["count"], 2);
    let names: Vec<_> =
        value["processes"].as_array().unwrap().iter().map(|row| row["comm"].as_str().unwrap()).collect();
    assert_eq!(names, ["make", "kworker/1:0"]);
    let rows = value["rows"].as_array().unwrap();
    let of = |func: &str| rows.iter().find(|row| row["func"] == func).unwrap();
    assert_eq!((&of("folio_prealloc")["left_bytes"], &of("folio_prealloc")["freed"]), (&28672.into(), &4096.into()));
    assert_eq!((&of("nvme_alloc")["requested"], &of("nvme_alloc")["allocated"]), (&100.into(), &128.into()));
    assert_eq!((&of("__d_alloc")["crossed"], &of("__d_alloc")["life_histogram"]), (&1.into(), &"12:1".into()));
    let csv = run(&format!("trace --format csv -n 1 --replay {at}/t.trace")).clean();
    assert!(csv.starts_with("allocs,rate,allocated,") && csv.lines().count() == 2, "{csv}");
    let markdown = run(&format!("trace --format markdown --replay {at}/t.trace")).clean();
    assert!(markdown.contains("\n| ALLOCS | ") && !markdown.contains('█'), "{markdown}");
}

#[test]
fn call_sites_are_chosen_by_a_condition() {
    let directory = kept(false, 0);
    let at = directory.path().display();
    let csv = run(&format!("trace -w module=nvme --format csv --replay {at}/t.trace")).clean();
    assert_eq!(csv.lines().count(), 2, "{csv}");
    fs::write(directory.path().join("own.toml"), "[\"All my own\"]\nfiles = ['fs/']\n").unwrap();
    let own = format!(
        "trace --where 'subsystem=\"All my own\"' --subsystems {at}/own.toml --format csv --replay {at}/t.trace"
    );
    let csv = run(&own).clean();
    assert!(csv.contains("__d_alloc") && csv.lines().count() == 2, "{csv}");
    let limited = run(&format!("trace -n 1 --replay {at}/t.trace --raw-bytes")).clean();
    assert!(limited.contains("32768") && !limited.contains("kworker"), "{limited}");
    for unit in ["--iec", "--si"] {
        assert!(run(&format!("trace {unit} --replay {at}/t.trace")).clean().contains("32."), "{unit}");
    }
}

#[test]
fn a_trace_that_was_kept_once_stays_readable() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/trace/golden-2.trace");
    if !path.exists() {
        fs::write(&path, bytes(&head(false), &pieces(0))).unwrap();
    }
    for name in ["golden-1", "golden-2"] {
        golden("all.txt", &run(&format!("trace --replay trace/{name}.trace")).clean());
    }
    let events = run("trace --events --replay trace/golden-2.trace").clean();
    golden("events-2.txt", &events);
    // The first one is of a kernel that does not say what flags are called, and knows no functions.
    let before = run("trace --events --replay trace/golden-1.trace").clean();
    let renamed = events.replace("=GFP_KERNEL|__GFP_ZERO", "=0xdc0").replace("=GFP_KERNEL", "=0xcc0");
    assert_eq!(before, renamed.replace("=dentry_free+0x5c", "=0xffffffff81000000"));
    let object = run("trace --events --format ndjson --replay trace/golden-1.trace").clean();
    assert!(object.contains("\"gfp\":3264,\"gfp_flags\":null") && object.contains("\"by_function\":null"), "{object}");
}

#[test]
fn a_trace_that_was_cut_off_is_shown_as_far_as_it_is_there() {
    let directory = kept(false, 0);
    let path = directory.path().join("t.trace");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let ran = run(&format!("trace --replay {}", path.display()));
    assert_eq!((ran.status, lines(&ran.err).len()), (1, 1));
    assert!(ran.err.ends_with("t.trace: is a trace that was cut off\n"), "{}", ran.err);
    assert!(ran.out.contains("__d_alloc"), "{}", ran.out);
}

#[test]
fn broken_files_are_told_in_one_line() {
    let directory = kept(false, 0);
    let at = directory.path().display();
    let mut damaged = fs::read(directory.path().join("t.trace")).unwrap();
    damaged[100] ^= 1;
    fs::write(directory.path().join("damaged"), damaged).unwrap();
    let senseless = Head { formats: Vec::new(), ..head(false) };
    fs::write(directory.path().join("senseless"), bytes(&senseless, &[])).unwrap();
    for (file, expected) in [
        (format!("{at}/damaged"), "is a damaged trace (block: the checksum of HEAD is wrong)"),
        (format!("{at}/senseless"), "is a damaged trace (HEAD: there is no format of any event)"),
        (format!("{at}/nowhere"), "no such file or directory"),
        ("crafted-2.0.txt".to_owned(), "is no trace, such as `alloctag trace -o FILE` writes"),
        ("golden-1.alloctag".to_owned(), "is no trace"),
    ] {
        let error = run(&format!("trace --replay {file}")).failed(1);
        assert!(error.starts_with(&format!("alloctag: {file}: ")) && error.contains(expected), "{error}");
    }
    let page = Piece::Pages(0, vec![0xff; 4096].into());
    fs::write(directory.path().join("page"), bytes(&head(false), &[page, Piece::Tail(Tail::default())])).unwrap();
    let ran = run(&format!("trace --replay {at}/page"));
    assert!(ran.status == 1 && ran.out.contains("1 piece could not be read: the trace is damaged"), "{}", ran.out);
}

#[test]
fn slips_are_told_before_the_kernel_is_asked() {
    for (line, expected) in [
        ("trace --where bytes>1", "`bytes` is no field of a call site"),
        ("trace --events --format csv", "as table or ndjson only"),
        ("trace --events --summary --format ndjson", "as table only"),
        ("trace --buffer 4000", "at least 4k"),
        ("trace --buffer x", "no size"),
        ("trace --for 0s", "more than nothing"),
        ("trace --replay x -- true", "--replay"),
        ("trace --replay x --for 1s", "--for"),
        ("trace --replay x -o y", "--output"),
        ("trace --force -- true", "--output"),
        ("trace -o - -- true", "--output -: standard output is for what is shown"),
        ("trace make", "make"),
    ] {
        let error = run(line).failed(2);
        assert!(error.contains(expected), "{line}: {error}");
    }
}

#[test]
fn a_kernel_that_tells_no_events_is_explained() {
    let error = run("trace --procfs /no/such").failed(1);
    assert!(error.contains("tracefs is not mounted; mount -t tracefs"), "{error}");
    let root = directory(&[("tracing/events/header_page", ""), ("proc/allocinfo", "")]);
    let at = root.path().display();
    fs::write(root.path().join("proc/mounts"), format!("none {at}/tracing tracefs rw 0 0\n")).unwrap();
    let error = run(&format!("trace --procfs {at}/proc -- true")).failed(1);
    assert_eq!(
        error,
        format!(
            "alloctag: {at}/tracing/events/alloctag/alloc/format: does not exist: this kernel has no such events; \
             one with Alloctag's core and CONFIG_ALLOCTAG_EVENTS does"
        )
    );
}

#[test]
fn what_is_there_already_is_replaced_on_demand_alone() {
    let files = directory(&[("kept.trace", "precious")]);
    let at = files.path().join("kept.trace");
    let line = format!("trace --procfs /no/such -o {} -- true", at.display());
    let told = format!("alloctag: {}: is there already; --force replaces it", at.display());
    assert_eq!(run(&line).failed(1), told);
    let error = run(&line.replace(" -- ", " --force -- ")).failed(1);
    assert!(error.contains("tracefs is not mounted"), "{error}");
    assert_eq!(fs::read_to_string(&at).unwrap(), "precious", "nothing has begun");
}

#[test]
fn nothing_stays_of_a_tracer_that_could_not_begin() {
    let root =
        directory(&[("tracing/events/header_page", made::HEADER), ("proc/allocinfo", ""), ("proc/1/status", "")]);
    let at = root.path();
    for (name, text) in made::FORMATS {
        let place = at.join("tracing/events/alloctag").join(name);
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("format"), text).unwrap();
    }
    for left in ["alloctag-1", "alloctag-2", "alloctag-2-frees"] {
        fs::create_dir_all(at.join("tracing/instances").join(left)).unwrap();
    }
    fs::write(at.join("proc/mounts"), format!("none {}/tracing tracefs rw 0 0\n", at.display())).unwrap();
    // A directory that is none of the kernel's has no buffers, and what was written to it keeps it there.
    let error = run(&format!("trace --procfs {}/proc -o {}/x", at.display(), at.display())).failed(1);
    assert!(error.contains("per_cpu"), "{error}");
    let instances = fs::read_dir(at.join("tracing/instances")).unwrap().map(|entry| entry.unwrap().file_name());
    let names: Vec<String> = instances.map(|name| name.into_string().unwrap()).collect();
    let is_there = ["alloctag-1", "alloctag-2", "alloctag-2-frees"].map(|name| names.iter().any(|left| left == name));
    assert_eq!(is_there, [true, false, false], "{names:?}");
}
