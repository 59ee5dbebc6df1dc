#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# arch: x86_64
# guest: --mem 63G --plug 2G --append memmap=61G$2G --append memory_hotplug.memmap_on_memory=1
# Memory that holds what describes it (memmap_on_memory), in blocks of 2 GiB, as machines of 64 GiB and more have them.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/folios.sh"
source "$(dirname "$0")/lib/memory.sh"

mapfile -t blocks < <(offline_blocks)
if (($(block_kib) != 2 << 20)); then
	skip "a block of 2 GiB is there, offline" "blocks are of $(block_kib) KiB here"
	finish
fi
expect "a block of 2 GiB is there, offline" equal "${#blocks[@]} $(block_kib)" "1 $((2 << 20))"
quiesce
start=$(shmem) before=$(references) total=$(total_kib)
came() { echo $(($(total_kib) - total)); }
expect "it goes online" set_state online_movable "${blocks[@]}"
# 64 bytes for each of its pages.
expect "but for the 32 MiB that describe it" equal "$(came)" $(((2 << 20) - (32 << 10)))
expect_references "its references are four bytes for each page" $((2 << 20))
mounted described size=90%,huge=never
fill /tmp/described/file 200
expect "200 MiB are 200 MiB on one row" settles $((200 * MIB)) held
before_move=$(moved)
expect "it goes offline" set_state offline "${blocks[@]}"
expect "for which most of the file moves" at_least $(($(moved) - before_move)) $((100 * MIB / 4096))
expect "and are on the row as before" settles $((200 * MIB)) held
expect_references "its references are given back" 0
expect "it comes back" set_state online_movable "${blocks[@]}"
expect_references "with references" $((2 << 20))
fill /tmp/described/more 100
expect "100 MiB more are on the row" settles $((300 * MIB)) held
expect "it is taken out" eject
gone() { [[ ! -e ${blocks[0]} ]] && echo yes; }
expect "it goes" settles yes gone
expect "and all of it" equal "$(came)" 0
expect_references "and its references" 0
umount /tmp/described
expect "unmounted, nothing is left" settles 0 held
expect "no total is negative" none_negative
finish
