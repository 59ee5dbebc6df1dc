// SPDX-License-Identifier: GPL-2.0-only

//! Says what is configured: what the core's files have for all machines, with everything of the second level.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for part in ["STATS", "STALLS", "LATENCY", "LIFETIMES", "FAULTS"] {
        println!("cargo:rustc-cfg=CONFIG_ALLOCTAG_{part}");
    }
    println!("cargo:rustc-cfg=CONFIG_PRINTK");
}
