#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --mem 512M --append kunit.enable=1 --append kunit.autorun=1 --append kunit.filter_glob=rust_*
# The tree's own code in Rust, used for real: a block device, Binder, the samples, and the kernel crate's tests at boot. Each
# line has its row.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

DRIVER=drivers/android/binder
RNULL=drivers/block/rnull
CALLS=20
# So many different lines of Rust code have allocated by then.
LINES=40

rust_rows() { rows | awk '$3 ~ /\.rs:[0-9]+$/'; }
# shown PREFIX: how many rows there are of files whose names begin so.
shown() { rust_rows | awk -v prefix="$1" 'index($3, prefix) == 1' | wc -l; }
live() { rust_rows | awk -v prefix="$1" 'index($3, prefix) == 1 {n += $1} END {print n + 0}'; }
of_modules() { rust_rows | grep -F '['; }
odd_names() { rust_rows | awk '{sub(/.*func:/, "")} !/^[A-Za-z_][A-Za-z0-9_:]* (accurate:no )?$/'; }
helpers() { rows | awk '$3 ~ /^rust\/helpers\/(slab|vmalloc|page)\.c:/ {n += $2} END {print n + 0}'; }

block_device() {
	mount -t configfs none /sys/kernel/config 2>/dev/null
	modprobe rnull_mod && mkdir /sys/kernel/config/rnull/one && echo 16 >/sys/kernel/config/rnull/one/size &&
		echo 1 >/sys/kernel/config/rnull/one/power || return 1
	dd if=/dev/urandom of=/dev/one bs=4k count=64 oflag=direct status=none &&
		dd if=/dev/one of=/dev/null bs=4k count=64 iflag=direct status=none
}
no_block_device() { echo 0 >/sys/kernel/config/rnull/one/power && rmdir /sys/kernel/config/rnull/one && rmmod rnull_mod; }
binder_up() {
	mkdir -p /dev/binderfs && mount -t binder binder /dev/binderfs || return 1
	mkfifo /tmp/hold
	binder /dev/binderfs/binder $CALLS </tmp/hold >/tmp/called &
	exec 7>/tmp/hold
	settles "called $CALLS" cat /tmp/called
}
binder_down() { exec 7>&-; wait; umount /dev/binderfs; }
samples() {
	modprobe rust_misc_device && echo sample >/dev/rust-misc-device && modprobe rust_minimal && modprobe rust_debugfs &&
		modprobe rust_configfs
}
no_samples() { rmmod rust_misc_device rust_minimal rust_debugfs rust_configfs; }

if ! has CONFIG_ALLOCTAG_RUST_CALLERS; then
	skip "the tree's own code in Rust has lines of its own" "not with this core, or not in this configuration"
	finish
fi

binder_up >/tmp/binder.log 2>&1
expect "Binder answers $CALLS calls" grep -qx "called $CALLS" /tmp/called
expect "its lines are told apart" at_least "$(shown $DRIVER/)" 12
expect "what its processes hold is on them" at_least "$(live $DRIVER/)" 4096
expect "a block device is written and read" block_device
expect "its lines are told apart, too" at_least "$(shown $RNULL/)" 2
expect "the samples load and are used" samples
expect "theirs are" at_least "$(shown samples/rust/)" 4
expect "there are at least $LINES lines of Rust" at_least "$(rust_rows | awk '{print $3}' | sort -u | wc -l)" $LINES
expect "every row's function is a plain path" equal "$(odd_names)" ""
expect "most of them are known" at_most "$(rust_rows | grep -c 'func:? ')" 4
expect "no line is there twice" equal "$(rust_rows | awk '{print $3, $4}' | sort | uniq -d)" ""
expect "nothing is on the lines of rust/helpers" equal "$(helpers)" 0
rust_rows | awk '$2' | sort -rn | head -n 24 | sed 's/^/# /'
binder_down
expect "Binder's processes leave nothing behind" settles 0 live $DRIVER/thread.rs
expect "the block device goes" no_block_device
expect "the samples go" no_samples
expect "and no row of theirs stays" settles "" of_modules
finish
