// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag list`, flag by flag.

use crate::harness::{directory, lines, run};

/// The functions of the rows of a CSV list, in order.
fn funcs(options: &str) -> Vec<String> {
    let out = run(&format!("list crafted-2.0.txt -f func --format tsv {options}")).clean();
    out.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn people_see_rows_by_size_and_what_is_not_among_them() {
    assert_eq!(
        lines(&run("list -n 4 crafted-1.0.txt").clean()),
        [
            "  BYTES  CALLS     AVG  MODULE  FILE:LINE            FUNC                     FLAGS",
            "121.8Mi  31168   4.0Ki  -       mm/page_ext.c:270    alloc_page_ext",
            " 14.2Mi   3633   4.0Ki  -       mm/readahead.c:247   page_cache_ra_unbounded",
            " 13.8Mi   3520   4.0Ki  -       mm/mm_init.c:2530    alloc_large_system_hash",
            " 12.8Mi    234  55.8Ki  -       block/blk-mq.c:3421  blk_mq_alloc_rqs",
            "196.9Mi in 12 sites",
            "not in the total: 53.8Mi of pages for slab objects, which have rows of their own",
            "not shown: 2 that hold nothing, 6 by -n",
        ]
    );
}

#[test]
fn every_shape_of_row_is_shown_in_full() {
    let out = run("list -z -s file,line -f bytes,calls,avg,module,file,line,func,accurate,rows,backing,extra --format csv crafted-2.0.txt --include-backing").clean();
    let expected = "\
bytes,calls,avg,module,file,line,func,accurate,rows,backing,extra
9999,3,3333,acme,/home/user/acme_raid.c,77,acme_probe,no,1,no,node0:12 peak:20000
100,1,100,,a_directory_with_a_rather_long_name/another_one_that_is_long_too/and_a_file.c,99999,a_function_whose_name_is_longer_than_the_sixty_three_bytes_of_the_ioctl,yes,1,no,
31457280,7680,4096,nvme,drivers/nvme/host/pci.c,612,nvme_pci_setup_data_prp,yes,1,no,
4096,1,4096,nvme,drivers/nvme/host/pci.c,1402,nvme_alloc_queue,yes,1,no,
16384000,4000,4096,ext4,fs/ext4/inode.c,1234,ext4_alloc_inode,yes,1,no,
2097152,512,4096,ext4,fs/ext4/mballoc.c,3456,ext4_mb_init_backend,yes,1,no,
524288,2,262144,ext4,fs/ext4/super.c,5678,ext4_fill_super,no,1,no,
3072,24,128,,include/linux/io_uring.h,380,io_uring_alloc_async_data,yes,2,no,
512,4,128,ext4,include/linux/io_uring.h,380,io_uring_alloc_async_data,yes,1,no,
0,0,,,init/main.c,1433,do_initcalls,yes,1,no,
262144,128,2048,,kernel/fork.c,419,alloc_thread_stack_node,yes,1,no,
786432,192,4096,,mm/page_ext.c,270,alloc_page_ext,no,1,no,
1327104,324,4096,,mm/percpu-vm.c,103,pcpu_alloc_pages,yes,1,yes,
40960000,5000,8192,,mm/slub.c,3345,alloc_slab_page,yes,1,yes,
28672,6,4779,,mm/slub.c,3347,alloc_slab_page,yes,1,yes,
-4096,-1,,,net/core/skbuff.c,690,__alloc_skb,yes,1,no,
65536,16,4096,,rust/kernel/alloc/kvec.rs,211,\"kernel::alloc::kvec::Vec<T,A>::push\",yes,1,no,
8192,2,4096,rust_minimal,samples/rust/rust_minimal.rs,31,<rust_minimal::RustMinimal as kernel::Module>::init,yes,1,no,
";
    assert_eq!(lines(&out), lines(expected));
}

#[test]
fn a_condition_picks_rows() {
    for flag in ["-w", "--where"] {
        assert_eq!(funcs(&format!("{flag} 'module=nvme'")), ["nvme_pci_setup_data_prp", "nvme_alloc_queue"]);
    }
    assert_eq!(funcs("-w 'accurate=no (bytes>600k or module=acme)'"), ["alloc_page_ext", "acme_probe"]);
    assert_eq!(funcs("-w 'func~::.*::'").len(), 2);
    // The first words of a subsystem are enough.
    assert_eq!(funcs("-w 'subsystem=nvm'"), ["nvme_pci_setup_data_prp", "nvme_alloc_queue"]);
    assert_eq!(
        run("list -w 'subsystem=ext9' crafted-2.0.txt").failed(2),
        "alloctag: --where \"subsystem=ext9\": at character 1: `ext9` is no subsystem, nor do names of any begin with it"
    );
    let error = run("list -w 'bytes>>1' crafted-2.0.txt").failed(2);
    assert_eq!(
        error,
        "alloctag: --where \"bytes>>1\": at character 1: `>1` is no number such as 4096, 64k, 1.5M or 2GB"
    );
}

#[test]
fn rows_are_grouped() {
    let group = |group: &str, field: &str| {
        let out = run(&format!("list crafted-2.0.txt -g {group} -n 2 -f {field},bytes --format tsv")).clean();
        lines(&out)[1..].join(", ")
    };
    assert_eq!(group("file", "file"), "drivers/nvme/host/pci.c\t31461376, fs/ext4/inode.c\t16384000");
    assert_eq!(group("dir:1", "dir"), "drivers\t31461376, fs\t19005440");
    assert_eq!(group("dir", "dir"), "drivers/nvme/host\t31461376, fs/ext4\t19005440");
    assert_eq!(group("module", "module"), "nvme\t31461376, ext4\t19005952");
    assert_eq!(group("func", "func"), "nvme_pci_setup_data_prp\t31457280, ext4_alloc_inode\t16384000");
    assert_eq!(group("subsystem", "subsystem"), "NVM EXPRESS DRIVER\t31461376, EXT4 FILE SYSTEM\t19005440");
    assert!(run("list --group colour crafted-2.0.txt").err.contains("`colour` is no group"));
}

#[test]
fn shares_are_of_the_total_without_backing_store() {
    let shares = |options: &str| {
        let out = run(&format!("list crafted-1.0.txt -g module -f share,sites --format tsv {options}")).clean();
        lines(&out)[1..].join(", ")
    };
    assert_eq!(shares(""), "97.9960\t11, 2.0040\t1");
    assert_eq!(shares("-w 'module=-'"), "100.0000\t11");
}

#[test]
fn fields_must_exist_and_belong_to_the_group() {
    assert!(run("list -f bytes,colour crafted-2.0.txt").err.contains("`colour` is no field"));
    assert_eq!(
        run("list -g module --fields bytes,line crafted-2.0.txt").failed(2),
        "alloctag: --fields line: entries of --group module have no such field"
    );
    assert_eq!(
        run("list -g module --sort line crafted-2.0.txt").failed(2),
        "alloctag: --sort line: entries of --group module have no such field"
    );
}

#[test]
fn rows_are_sorted_by_any_keys() {
    assert_eq!(funcs("-n 1"), ["nvme_pci_setup_data_prp"]);
    assert_eq!(funcs("-n 1 -s -bytes"), ["__alloc_skb"]);
    assert_eq!(funcs("-n 1 --sort -file"), ["<rust_minimal::RustMinimal as kernel::Module>::init"]);
    assert_eq!(
        funcs("-n 2 -s module,-line"),
        ["a_function_whose_name_is_longer_than_the_sixty_three_bytes_of_the_ioctl", "__alloc_skb"]
    );
    // alloctop's letters.
    assert_eq!(funcs("-n 1 -s c"), ["nvme_pci_setup_data_prp"]);
    assert_eq!(funcs("-n 1 -s t"), ["acme_probe"]);
}

#[test]
fn lists_are_cut_by_number_and_size() {
    assert_eq!(funcs("--limit 2").len(), 2);
    for flag in ["-m", "--min"] {
        assert_eq!(
            funcs(&format!("{flag} 2M")),
            ["nvme_pci_setup_data_prp", "ext4_alloc_inode", "ext4_mb_init_backend"]
        );
    }
    assert_eq!(funcs("--min -4k").len(), 14);
    assert!(run("list --min lots crafted-2.0.txt").err.contains("no size such as"));
}

#[test]
fn what_is_left_out_is_put_down_to_the_options_that_were_given() {
    for (flags, expected) in [
        ("", "not shown: 1 that hold nothing"),
        ("-z", "not in the total: 1.3Mi of pages for per-CPU areas, which have rows of their own"),
        ("-n 4", "not shown: 1 that hold nothing, 10 by -n"),
        ("-z -n 4", "not shown: 11 by -n"),
        ("-z -m 1", "not shown: 2 by --min"),
        ("-m 1 -n 4", "not shown: 1 that hold nothing, 10 by -n and --min"),
    ] {
        let out = run(&format!("list crafted-2.0.txt {flags}")).clean();
        assert_eq!(out.lines().last(), Some(expected), "{flags}");
    }
}

#[test]
fn rows_that_hold_nothing_are_shown_when_asked_for() {
    assert_eq!((funcs("").len(), funcs("-z").len(), funcs("--zeros").len()), (14, 15, 15));
}

#[test]
fn backing_store_counts_when_asked_for() {
    let out = run("list crafted-2.0.txt -n 1 --include-backing -f bytes,func,flags").clean();
    assert_eq!(
        lines(&out),
        [
            " BYTES  FUNC             FLAGS",
            "39.1Mi  alloc_slab_page  backing",
            "89.6Mi in 18 sites",
            "not shown: 1 that hold nothing, 16 by -n"
        ]
    );
    assert!(run("list crafted-2.0.txt").clean().contains("1.3Mi of pages for per-CPU areas"));
    for flag in ["", "--include-backing"] {
        let json = run(&format!("list crafted-2.0.txt --format json {flag}")).json();
        assert_eq!(json["backing_included"], !flag.is_empty());
        let rows = json["rows"].as_array().unwrap();
        for field in ["bytes", "calls"] {
            let sum: i64 = rows.iter().map(|row| row[field].as_i64().unwrap()).sum();
            assert_eq!(json["total"][field], sum, "{flag} {field}");
        }
        // One row holds nothing.
        assert_eq!(json["total"]["sites"], rows.len() + 1, "{flag}");
    }
    assert!(run("tree crafted-2.0.txt").clean().contains("not in the total: 1.3Mi of pages for per-CPU areas"));
    assert!(!run("tree crafted-2.0.txt --include-backing").clean().contains("not in the total"));
    assert_eq!(run("tree crafted-2.0.txt --format json").json()["backing"][0]["total"]["bytes"], 40_988_672);
    assert!(run("treemap crafted-2.0.txt").clean().contains("not in the total: 1.3Mi of pages for per-CPU areas"));
}

#[test]
fn backing_store_is_added_up_with_what_else_is_in_its_group() {
    let names = |options: &str| -> Vec<String> {
        let out = run(&format!("list crafted-2.0.txt {options} --format tsv")).clean();
        out.lines().skip(1).map(str::to_owned).collect()
    };
    let modules = names("-g module -f module,sites --include-backing");
    assert_eq!(modules.iter().filter(|module| module.starts_with('\t')).count(), 1, "{modules:?}");
    assert_eq!(
        names("-g module -f module,bytes,flags,backing --include-backing")[0],
        "\t43428964\taccurate:no backing:3\tyes"
    );
    let func = "-g func -f func,sites,flags -w func=alloc_slab_page --include-backing";
    assert_eq!(names(func), ["alloc_slab_page\t2\tbacking"]);
}

#[test]
fn sizes_are_written_in_the_units_asked_for() {
    let first = |options: &str| {
        let out = run(&format!("list crafted-1.0.txt -n 1 -f bytes {options}")).clean();
        lines(&out)[1..3].iter().map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(first(""), ["121.8Mi", "196.9Mi in 12 sites"]);
    assert_eq!(first("--iec"), ["121.8Mi", "196.9Mi in 12 sites"]);
    assert_eq!(first("--si"), ["127.7M", "206.4M in 12 sites"]);
    assert_eq!(first("--raw-bytes"), ["127664128", "206430336 in 12 sites"]);
    assert!(run("list --si --iec crafted-1.0.txt").err.contains("cannot be used with"));
}

#[test]
fn json_tells_what_the_rows_are_about() {
    let value = run("list crafted-2.0.txt --format json -n 1").json();
    assert_eq!(value["schema"], "alloctag.list/1");
    assert_eq!(value["meta"]["origin"]["file"], "crafted-2.0.txt");
    assert_eq!(value["meta"]["version"]["major"], 2);
    assert_eq!(value["total"]["bytes"], 51_598_707);
    assert_eq!(value["total"]["inaccurate"], 3);
    assert_eq!(value["backing"][0]["total"]["bytes"], 40_988_672);
    assert_eq!(value["backing"][1]["of"], "percpu");
    assert_eq!(value["omitted"]["cut"], 13);
    assert_eq!(value["rows"][0]["func"], "nvme_pci_setup_data_prp");
    let line = run("list crafted-2.0.txt --format ndjson -w 'module=acme'").json();
    assert_eq!(line["extra"]["peak"], "20000");
    assert_eq!(line["accurate"], false);
}

#[test]
fn users_have_subsystems_of_their_own() {
    let config =
        directory(&[("alloctag/subsystems.toml", "[Storage]\nfiles = ['drivers/nvme/']\nmodules = ['acme']\n")]);
    let table = config.path().join("alloctag/subsystems.toml");
    let storage = "list crafted-2.0.txt -w 'subsystem=Storage' -f func --format tsv";
    let by_option = run(&format!("{storage} --subsystems {}", table.display())).clean();
    let by_place = crate::harness::tool(storage).env("XDG_CONFIG_HOME", config.path()).output().unwrap();
    for out in [by_option, crate::harness::Ran::from(by_place).clean()] {
        assert_eq!(lines(&out), ["func", "nvme_pci_setup_data_prp", "acme_probe", "nvme_alloc_queue"]);
    }
    assert_eq!(run("list crafted-2.0.txt --subsystems README.rst").failed(1).split(": ").nth(1), Some("README.rst"));
    assert_eq!(
        run("list --subsystems none.toml crafted-2.0.txt").failed(1),
        "alloctag: none.toml: no such file or directory"
    );
}

#[test]
fn list_is_the_default_command() {
    assert_eq!(run("-n 1 crafted-2.0.txt").clean(), run("list -n 1 crafted-2.0.txt").clean());
    assert_eq!(run("crafted-2.0.txt").clean(), run("list crafted-2.0.txt").clean());
    assert!(run("lits").err.contains("a similar subcommand exists: 'list'"));
    assert_eq!(run("lits").status, 2);
}
