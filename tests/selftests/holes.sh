#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# arch: x86_64
# guest: --mem 960G --append memmap=958G$2G
# Memory with a hole in it, of almost all that 40 bits can address: references take what is there, not what lies between, on both
# sides of the hole.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/folios.sh"
source "$(dirname "$0")/lib/memory.sh"

if is_other_core; then
	skip "references of pages take what memory there is" "this core does not say"
	finish
fi
if (($(ram_ends_at) / 1024 < 2 * $(ram_kib))); then
	skip "references of pages take what memory there is" "there is no hole in it here"
	finish
fi
expect_as_much_as_memory 0
quiesce
start=$(shmem)
hold_small
hold_huge
# More than there is on either side.
half=$(($(total_kib) / 2048))
mounted both size=95%,huge=never
fill /tmp/both/file "$half"
expect "half of the memory is on its row" settles $((half * MIB)) held
umount /tmp/both
expect "and is gone" settles 0 held
expect "no total is negative" none_negative
expect_none_uncounted
finish
