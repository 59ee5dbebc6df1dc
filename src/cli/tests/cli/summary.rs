// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag summary`, flag by flag.

use crate::harness::{directory, lines, run};

#[test]
fn one_page_tells_totals_leaders_and_doubts() {
    let out = run("summary crafted-2.0.txt -n 1").clean();
    assert_eq!(
        lines(&out),
        [
            "crafted-2.0.txt, text 2.0",
            "",
            "Memory",
            "  49.2Mi  charged to call sites: 12564 allocations, at 14 of 15 sites",
            "  39.1Mi  pages for slab objects, charged above already and not in the total",
            "   1.3Mi  pages for per-CPU areas, charged above already and not in the total",
            "",
            "Largest call sites",
            " BYTES  CALLS    AVG  MODULE  FILE:LINE                    FUNC                     FLAGS",
            "30.0Mi   7680  4.0Ki  nvme    drivers/nvme/host/pci.c:612  nvme_pci_setup_data_prp",
            "",
            "Most allocations",
            " BYTES  CALLS    AVG  MODULE  FILE:LINE                    FUNC                     FLAGS",
            "30.0Mi   7680  4.0Ki  nvme    drivers/nvme/host/pci.c:612  nvme_pci_setup_data_prp",
            "",
            "Subsystems",
            " BYTES  %TOTAL  CALLS  SITES  SUBSYSTEM           FLAGS",
            "30.0Mi   61.0%   7681      2  NVM EXPRESS DRIVER",
            "",
            "Modules",
            " BYTES  %TOTAL  CALLS  SITES  MODULE  FLAGS",
            "30.0Mi   61.0%   7681      2  nvme",
            "",
            "Accuracy",
            "3 sites with 1.3Mi: accurate:no, so that only changes count",
            "1 site below zero: counters were read while they changed",
            "2 rows of 1 site added up: an inline function has one for every file that uses it",
        ]
    );
}

#[test]
fn growth_since_a_saved_profile_is_listed() {
    let files = directory(&[
        ("old", "100 1 a.c:1 func:f \n50 1 b.c:1 func:g \n4096 1 mm/slub.c:9 func:alloc_slab_page \n"),
        ("new", "160 2 a.c:1 func:f \n20 1 b.c:1 func:g \n7 1 c.c:1 [m] func:h \n8192 2 mm/slub.c:9 func:alloc_slab_page \n"),
    ]);
    let (old, new) = (files.path().join("old"), files.path().join("new"));
    let growth = |earlier: &std::path::Path, later: &std::path::Path| {
        let out = run(&format!("summary {} --since {}", later.display(), earlier.display())).clean();
        let part = out.split("\n\n").find(|part| part.starts_with("Growth since")).expect("it is there").to_owned();
        part.replace(files.path().to_str().unwrap(), "")
    };
    assert_eq!(
        lines(&growth(&old, &new)),
        [
            "Growth since /old: 37",
            "GREW BY  CALLS  BYTES  SITE",
            "     60      1    160  a.c:1 func:f",
            "      7      1      7  c.c:1 [m] func:h"
        ]
    );
    assert_eq!(lines(&growth(&new, &new)), ["Growth since /new: 0", "nothing grew"]);
}

#[test]
fn what_cannot_be_read_of_the_earlier_profile_is_told_by_the_status() {
    let files = directory(&[("old", "100 1 a.c:10 func:f \nnonsense\n"), ("new", "160 2 a.c:12 func:f \n")]);
    let at = files.path().display();
    let ran = run(&format!("summary {at}/new --since {at}/old"));
    assert_eq!((ran.status, ran.err.contains("left out 1 row")), (1, true), "{}", ran.err);
    run(&format!("summary {at}/new --since {at}/new")).clean();
}

#[test]
fn the_running_kernel_is_read_twice_for_an_interval() {
    let procfs = directory(&[
        ("allocinfo", "100 1 a.c:1 func:f \n"),
        ("cmdline", "\n"),
        ("meminfo", "MemTotal: 8 kB\nMemFree: 4 kB\nSlab: 1 kB\n"),
    ]);
    let out = run(&format!("summary --interval 0.01 --procfs {}", procfs.path().display())).clean();
    assert!(out.contains("nothing grew"), "{out}");
    assert!(out.contains("   4.0Ki  in use by /proc/meminfo (MemTotal - MemFree)"), "{out}");
    assert!(out.contains("   3.9Ki  in use but not charged (97.6%)"), "{out}");
    assert_eq!(
        run("summary crafted-2.0.txt --interval 1").failed(2),
        "alloctag: --interval: only the running kernel can be read twice"
    );
    for nonsense in ["-1", "soon", "nan"] {
        assert_eq!(run(&format!("summary --interval={nonsense}")).status, 2, "{nonsense}");
    }
}

#[test]
fn units_number_and_subsystems_are_as_asked_for() {
    let table = directory(&[("t.toml", "[Storage]\nfiles = ['drivers/nvme/', 'fs/ext4/']\n")]);
    let out = run(&format!("summary crafted-2.0.txt --si -n 2 --subsystems {}", table.path().join("t.toml").display()))
        .clean();
    assert!(out.contains("   51.6M  charged to call sites"), "{out}");
    assert!(out.contains("97.8%") && out.contains("Storage"), "{out}");
    let raw = run("summary crafted-2.0.txt --raw-bytes --limit 0").clean();
    assert!(raw.contains("51598707  charged") && !raw.contains("nvme_pci"), "{raw}");
}

#[test]
fn programs_get_the_same_as_json() {
    let files =
        directory(&[("old", "100 1 a.c:10 func:f \n"), ("new", "160 2 a.c:12 func:f \n7 1 c.c:1 [m] func:h \n")]);
    let at = files.path().display();
    let json = run(&format!("summary -n 1 --format json {at}/new --since {at}/old")).json();
    assert_eq!(json["schema"], "alloctag.summary/1");
    assert_eq!((&json["totals"]["bytes"], &json["totals"]["calls"]), (&167.into(), &3.into()));
    assert_eq!((&json["backing_slab"]["bytes"], &json["doubts"]["unreadable"]), (&0.into(), &0.into()));
    for (list, field, value) in [("largest", "func", "f"), ("most_calls", "func", "f"), ("modules", "module", "")] {
        let rows = json[list].as_array().unwrap();
        assert_eq!((rows.len(), rows[0][field].as_str().unwrap_or_default()), (1, value), "{list}");
    }
    let growth = &json["growth"];
    assert_eq!(
        (&growth["bytes"], &growth["rows"][0]["bytes"]),
        (&67.into(), &60.into()),
        "a line that moved is found again"
    );
    assert!(run("summary --format json crafted-2.0.txt").json()["growth"].is_null());
}
