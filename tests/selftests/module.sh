#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --mem 1G
# Modules come and go while the profiler runs.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

ROUNDS=20

cycle() {
	local round
	for round in $(seq "$ROUNDS"); do
		if ! { modprobe brd rd_nr=2 && dd if=/dev/zero of=/dev/ram0 bs=64k count=4 status=none && rmmod brd; }; then
			echo "in round $round"
			return 1
		fi
	done
}
module_rows() { grep -cF " [$1] " "$ALLOCINFO"; }
rust_module() { modprobe rust_minimal && rmmod rust_minimal; }
vmalloc_module() {
	# It runs its tests at load and then refuses to stay, so that it can be loaded again.
	modprobe test_vmalloc run_test_mask=1023 nr_threads=2 test_loop_count=10 2>/dev/null
	dmesg | grep 'All test took' && fails grep -E ' passed: [0-9]+ failed: [1-9]' <(dmesg)
}

count_names() { names | wc -l; }

before=$(count_names)
expect "a module loads, works and unloads $ROUNDS times" cycle
expect "its rows are gone with it" settles "$before" count_names
modprobe brd rd_nr=1
expect "a loaded module's call sites are named after it" at_least "$(module_rows brd)" 2
dd if=/dev/zero of=/dev/ram0 bs=1M count=8 status=none
expect "what a module allocates is on its rows" at_least \
	"$(rows | grep -F ' [brd] ' | awk '{n += $1} END {print n}')" $((8 * 1024 * 1024))
rmmod brd
expect "a module in Rust loads and unloads" rust_module
expect "the kernel's own test of vmalloc runs" vmalloc_module
# What of it is alive keeps its row.
expect "and leaves nothing behind" settles 0 module_rows test_vmalloc
expect "no total is negative afterwards" none_negative
finish
