# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# How much memory there is, and how much of it the references of pages take. Needs expect.sh and allocinfo.sh.

MEMORY=/sys/devices/system/memory
# What one section of memory has in references, in KiB.
SECTION_KIB=128

# ram_ranges: the memory that there is, as pairs of hexadecimal numbers.
ram_ranges() { sed -nE 's/^([0-9a-f]+)-([0-9a-f]+) : System RAM$/\1 \2/p' /proc/iomem; }
ram_kib() {
	local start end bytes=0
	while read -r start end; do bytes=$((bytes + 16#$end - 16#$start + 1)); done < <(ram_ranges)
	echo $((bytes / 1024))
}
ram_ends_at() { ram_ranges | tail -n 1 | { read -r _ end && echo "$((16#$end))"; }; }
# said_kib: what the boot message says that references take.
said_kib() { dmesg | sed -nE 's/.*alloctag: .* call sites, ([0-9]+) KiB for the references of pages$/\1/p'; }

# are_in_flags: whether references are among the flags of their pages, and take nothing. A kernel that does not say has what it
# was asked for.
COMPRESSED=/proc/sys/vm/mem_profiling_compressed
are_in_flags() { if [[ -e $COMPRESSED ]]; then [[ $(<$COMPRESSED) == 1 ]]; else grep -q ',compressed' /proc/cmdline; fi; }

# expect_as_much_as_memory LATER: of what was there at boot, without so many KiB that came later, four bytes for each page that there is, and a hundredth of that more, or what one section takes.
expect_as_much_as_memory() {
	local said words why=''
	has_log || why="this kernel does not say"
	! are_in_flags || why="they are among the pages' flags"
	if [[ -n $why ]]; then
		skip "the references of pages take four bytes for each" "$why"
		skip "and little more than that" "$why"
		return
	fi
	said=$(said_kib)
	words=$((($(ram_kib) - $1) / 1024))
	expect "the references of pages take four bytes for each" at_least "${said:-0}" "$words"
	expect "and little more than that" at_most "$said" $((words + (words / 100 > SECTION_KIB ? words / 100 : SECTION_KIB)))
}

# total_kib: the memory that the allocator was given.
total_kib() { awk '$1 == "MemTotal:" {print $2}' /proc/meminfo; }
block_kib() { echo $((16#$(cat $MEMORY/block_size_bytes) / 1024)); }
# references: what is charged for references of memory that came after boot.
references() { rows | awk 'index($3, "mm/alloctag/src/platform/page/") == 1 {n += $1} END {print n + 0}'; }
# expect_references SENTENCE KIB: beside `before`, which was taken of them, there are those of so much memory: four bytes for each
# page of 4 KiB, which is one for each KiB, unless they take nothing.
expect_references() {
	if is_other_core; then
		skip "$1" "this core does not say"
	else
		expect "$1" equal "$(($(references) - ${before:?}))" "$(are_in_flags && echo 0 || echo "$2")"
	fi
}
# set_state STATE FILE…: of memory blocks.
set_state() {
	local state=$1 file
	shift
	for file in "$@"; do echo "$state" >"$file" || return; done
}
# The slot of what was plugged in, where there is one: of memory that came by virtio the host alone disposes.
SLOT=/sys/bus/acpi/devices/PNP0C80:00
eject() { echo 1 >$SLOT/eject; }
offline_blocks() { grep -lx offline $MEMORY/memory*/state 2>/dev/null; }
offline_mib() { echo $(($(offline_blocks | wc -l) * $(block_kib) / 1024)); }
# find_plugged: sets `blocks` to those of plugged memory, offline, once all is there that the test's guest is given: what comes
# by virtio does so one block after the other.
find_plugged() {
	settles "$(sed -nE 's/^# guest: .*--plug ([0-9]+)M.*/\1/p' "$0")" offline_mib
	mapfile -t blocks < <(offline_blocks)
}
