// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag tree`, flag by flag.

use crate::harness::{lines, run};

/// Bytes and indented names of a tree.
fn tree(options: &str) -> Vec<String> {
    let out = run(&format!("tree crafted-2.0.txt --raw-bytes {options}")).clean();
    let name_at = out.find("NAME").expect("there is a head");
    let line = |line: &str| {
        let name: String = line.chars().skip(name_at).collect();
        format!("{} {name}", line.split_ascii_whitespace().next().unwrap())
    };
    // Without the head, and what is said below the tree.
    out.lines().skip(1).filter(|line| !line.starts_with("not in the total")).map(line).collect()
}

#[test]
fn people_see_shares_bars_and_folded_branches() {
    let out = run("tree crafted-2.0.txt -m 500k").clean();
    assert_eq!(
        lines(&out),
        [
            "   BYTES  %TOTAL      CALLS   SITES                        NAME",
            "  49.2Mi  100.0%      12564      15  ████████████████████  total",
            "  30.0Mi   61.0%       7681       2  ████████████▎           drivers/nvme/host/pci.c",
            "  30.0Mi   61.0%       7680       1  ████████████▎             nvme_pci_setup_data_prp:612 [nvme]",
            "   4.0Ki    0.0%          1       1                            nvme_alloc_queue:1402 [nvme]",
            "  18.1Mi   36.8%       4514       3  ███████▍                fs/ext4",
            "  15.6Mi   31.8%       4000       1  ██████▍                   inode.c ext4_alloc_inode:1234 [ext4]",
            "   2.0Mi    4.1%        512       1  ▉                         mballoc.c ext4_mb_init_backend:3456 [ext4]",
            " 512.0Ki    1.0%          2       1  ▎                         super.c ext4_fill_super:5678 [ext4] accurate:no",
            " 768.0Ki    1.5%        192       1  ▎                       mm/page_ext.c alloc_page_ext:270 accurate:no",
            " 337.4Ki    0.7%        177       9  ▏                       other (8)",
            "not in the total: 39.1Mi of pages for slab objects, which have rows of their own",
            "not in the total: 1.3Mi of pages for per-CPU areas, which have rows of their own",
        ]
    );
}

#[test]
fn branches_are_of_every_kind() {
    let first = |by: &str| tree(&format!("--by {by} -d 1 -n 1 -m 0")).swap_remove(1);
    assert_eq!(first("dir"), "31461376   drivers/nvme/host/pci.c");
    assert_eq!(first("file"), "31461376   drivers/nvme/host/pci.c");
    assert_eq!(first("func"), "31457280   nvme_pci_setup_data_prp drivers/nvme/host/pci.c:612 [nvme]");
    assert_eq!(first("module"), "31461376   nvme drivers/nvme/host/pci.c");
    assert_eq!(first("subsystem"), "31461376   NVM EXPRESS DRIVER drivers/nvme/host/pci.c");
    assert!(run("tree --by colour crafted-2.0.txt").err.contains("possible values: dir, file"));
}

#[test]
fn depth_number_and_size_cut_the_tree() {
    assert_eq!(tree("-d 0"), ["51598707 total"]);
    assert_eq!(
        tree("--depth 1 --limit 1 --min 0"),
        ["51598707 total", "31461376   drivers/nvme/host/pci.c", "20137331   other (10)"]
    );
    assert!(tree("--min 1G").len() < 4);
}

#[test]
fn a_condition_and_backing_store_choose_the_rows() {
    assert_eq!(tree("-w module=acme -d 1")[0], "9999 total");
    assert_eq!(tree("--include-backing -w 'backing=yes' -d 0")[0], "42315776 total");
}

#[test]
fn json_has_the_whole_tree() {
    let value = run("tree crafted-2.0.txt --format json").json();
    assert_eq!((&value["schema"], &value["by"]), (&"alloctag.tree/1".into(), &"dir".into()));
    fn leaves(node: &serde_json::Value) -> (i64, usize) {
        match node["children"].as_array() {
            None => (node["bytes"].as_i64().unwrap(), 1),
            Some(children) => {
                children.iter().map(leaves).fold((0, 0), |(bytes, sites), leaf| (bytes + leaf.0, sites + leaf.1))
            }
        }
    }
    assert_eq!(leaves(&value["tree"]), (51_598_707, 15));
    let pruned = run("tree crafted-2.0.txt --format json -m 1G").json();
    assert_eq!(pruned["tree"]["children"][0]["kind"], "other");
}
