#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# arch: x86_64
# guest: --mem 1G --append movablecore=512M
# Memory of boot that is taken offline gives back what its references took, and has new ones when it comes back.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/folios.sh"
source "$(dirname "$0")/lib/memory.sh"

if is_other_core; then
	skip "memory that goes gives its references back" "page_ext is freed, but was never the allocator's"
	finish
fi
# movable: the blocks that hold nothing that cannot be moved, as far as the kernel can say.
movable() {
	local block
	for block in "$MEMORY"/memory*; do
		[[ $(cat "$block/valid_zones") == Movable && $(cat "$block/removable") == 1 ]] && echo "$block/state"
	done
}
# take_one: takes the first block that will go, and prints it.
take_one() {
	local block
	for block in $(movable); do
		if { echo offline >"$block"; } 2>/dev/null; then
			echo "$block"
			return
		fi
	done
}

quiesce
start=$(shmem)
mounted file size=90%,huge=never
fill /tmp/file/file 200
expect "200 MiB are 200 MiB on one row" settles $((200 * MIB)) held
total=$(total_kib) block=$(block_kib)
taken=$(take_one)
expect "a block of boot's memory goes offline" test -n "$taken"
# KiB of references.
words=$((block / 1024))
! are_in_flags || words=0
expect "its references are memory for all" equal "$(total_kib)" $((total - block + words))
expect "what was on it is on the row as before" settles $((200 * MIB)) held
before=$(references)
expect "it comes back" set_state online_movable "$taken"
expect "with new references, four bytes for each page" equal $(($(references) - before)) $((words * 1024))
expect "and all of its memory" equal "$(total_kib)" $((total + words))
fill /tmp/file/more 200
expect "200 MiB more are on the row" settles $((400 * MIB)) held
rm /tmp/file/more
expect "and are gone" settles $((200 * MIB)) held
expect "the block goes once more" set_state offline "$taken"
expect "and its references with it" equal "$(references)" "$before"
umount /tmp/file
expect "unmounted, nothing is left" settles 0 held
expect "no total is negative" none_negative
expect_none_uncounted
finish
