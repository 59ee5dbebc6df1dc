#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --mem 1G
# Page-cache pages of a tmpfs stay counted to the byte while folios are merged, moved, split and swapped.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/folios.sh"

quiesce
start=$(shmem)
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

mounted huge huge=always
fill /tmp/huge/file 64
expect "64 MiB in huge folios are 64 MiB on one row" settles $((64 * MIB)) held
truncate -s $((15 * MIB)) /tmp/huge/file
expect "a truncation that splits a huge folio leaves 15 MiB" settles $((15 * MIB)) held
expect "that is what the file itself says it holds" equal "$(($(stat -c %b /tmp/huge/file) * 512))" "$(held)"
truncate -s 0 /tmp/huge/file
expect "truncated to nothing, nothing is left" settles 0 held
umount /tmp/huge
finish
