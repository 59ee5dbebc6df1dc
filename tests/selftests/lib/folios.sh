# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Folios of a tmpfs and what is on their row. Needs expect.sh, allocinfo.sh and a `quiesce` before the first look.

MIB=$((1024 * 1024))

shmem() { bytes mm/shmem.c shmem_alloc_folio; }
# mounted NAME OPTIONS: a tmpfs of its own.
mounted() { mkdir -p "/tmp/$1" && mount -t tmpfs -o "$2" tmpfs "/tmp/$1"; }
fill() { dd if=/dev/zero of="$1" bs=1M count="$2" status=none; }
calls_of() { calls mm/shmem.c shmem_alloc_folio; }
# moved: how many pages were moved so far; who writes to the file has some moved.
COMPACT=/proc/sys/vm/compact_memory
moved() { awk '$1 == "pgmigrate_success" {print $2}' /proc/vmstat; }
# held: what is on the row beyond $start.
held() { echo $(($(shmem) - ${start:?})); }

# hold_file: 16 MiB, in a kernel that has just begun.
hold_file() {
	quiesce
	start=$(shmem)
	mounted small huge=never
	fill /tmp/small/file 16
	expect "16 MiB are 16 MiB on one row" settles $((16 * MIB)) held
	umount /tmp/small
	expect "unmounted, nothing is left" settles 0 held
}

# hold_small: 64 MiB in small folios, which are moved and then cut.
hold_small() {
	local name
	mounted small huge=never
	# Where its neighbours were is room for it to be moved to, on whichever side that is.
	for name in before file after; do fill /tmp/small/$name 64; done
	rm /tmp/small/{before,after}
	expect "64 MiB in small folios are 64 MiB on one row" settles $((64 * MIB)) held
	expect "and a call for each page" equal "$(($(calls_of) * PAGE))" "$(shmem)"
	if [[ -e $COMPACT ]]; then
		moved=$(moved)
		echo 1 >$COMPACT
		expect "compaction moves pages" at_least $(($(moved) - moved)) 1
		expect "and not bytes" settles $((64 * MIB)) held
	else
		skip "compaction moves pages" "this kernel cannot be asked for it"
	fi
	truncate -s $((16 * MIB + 1)) /tmp/small/file
	expect "truncated to 16 MiB and a byte, 16 MiB and a page are left" settles $((16 * MIB + PAGE)) held
	umount /tmp/small
	expect "unmounted, nothing is left" settles 0 held
}

# has_huge: whether there are folios that a PMD maps; with PREEMPT_RT there are none.
has_huge() { [[ -e /sys/kernel/mm/transparent_hugepage ]]; }
NO_HUGE="this kernel has no huge folios"

# hold_huge: 64 MiB in huge folios, of which the last that is left is split. Some may be small, where memory is in pieces.
hold_huge() {
	local calls
	if ! has_huge; then
		skip "huge folios can be asked for" "$NO_HUGE"
		return
	fi
	calls=$(calls_of)
	expect "huge folios can be asked for" mounted huge huge=always
	fill /tmp/huge/file 64
	expect "64 MiB in huge folios are 64 MiB on one row" settles $((64 * MIB)) held
	expect "most of which are huge" at_most $(($(calls_of) - calls)) $((64 * MIB / PAGE / 2))
	truncate -s $((15 * MIB)) /tmp/huge/file
	expect "a truncation that splits a huge folio leaves 15 MiB" settles $((15 * MIB)) held
	expect "that is what the file itself says it holds" equal "$(($(stat -c %b /tmp/huge/file) * 512))" "$(held)"
	truncate -s 0 /tmp/huge/file
	expect "truncated to nothing, nothing of it is left" settles 0 held
	umount /tmp/huge
}
