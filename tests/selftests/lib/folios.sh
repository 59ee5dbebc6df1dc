# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Folios of a tmpfs and what is on their row. Needs expect.sh, allocinfo.sh and a `quiesce` before the first look.

MIB=$((1024 * 1024))

shmem() { bytes mm/shmem.c shmem_alloc_folio; }
# mounted NAME OPTIONS: a tmpfs of its own.
mounted() { mkdir -p "/tmp/$1" && mount -t tmpfs -o "$2" tmpfs "/tmp/$1"; }
fill() { dd if=/dev/zero of="$1" bs=1M count="$2" status=none; }
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
	mounted small huge=never
	fill /tmp/small/file 64
	expect "64 MiB in small folios are 64 MiB on one row" settles $((64 * MIB)) held
	expect "and a call for each page" equal "$(($(calls mm/shmem.c shmem_alloc_folio) * 4096))" "$(shmem)"
	echo 1 >/proc/sys/vm/compact_memory
	expect "compaction moves pages, not bytes" settles $((64 * MIB)) held
	truncate -s $((16 * MIB + 1)) /tmp/small/file
	expect "truncated to 16 MiB and a byte, 16 MiB and a page are left" settles $((16 * MIB + 4096)) held
	umount /tmp/small
	expect "unmounted, nothing is left" settles 0 held
}

# hold_huge: 64 MiB in huge folios, of which the last that is left is split.
hold_huge() {
	mounted huge huge=always
	fill /tmp/huge/file 64
	expect "64 MiB in huge folios are 64 MiB on one row" settles $((64 * MIB)) held
	truncate -s $((15 * MIB)) /tmp/huge/file
	expect "a truncation that splits a huge folio leaves 15 MiB" settles $((15 * MIB)) held
	expect "that is what the file itself says it holds" equal "$(($(stat -c %b /tmp/huge/file) * 512))" "$(held)"
	truncate -s 0 /tmp/huge/file
	expect "truncated to nothing, nothing of it is left" settles 0 held
	umount /tmp/huge
}
