#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --mem 1G --nodes 2 --plug 512M --append sysctl.vm.mem_profiling=1
# A node that comes after boot, with all of its memory, and goes: its references come and go with it.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/folios.sh"
source "$(dirname "$0")/lib/memory.sh"

NODES=/sys/devices/system/node

if ! has CONFIG_NUMA || is_other_core; then
	skip "a node's references come and go with it" "this kernel has no nodes, or does not say"
	finish
fi
with_memory() { cat $NODES/has_memory; }
left() { find "${blocks[@]%/state}" -maxdepth 0 2>/dev/null | wc -l; }
# Pages in use of a node's own memory.
in_use_on() { awk '$3 == "MemUsed:" {print $4}' "$NODES/node$1/meminfo"; }

find_plugged
expect_as_much_as_memory $((${#blocks[@]} * $(block_kib)))
expect "two nodes have memory at first" equal "$(with_memory)" 0-1
expect "the plugged memory is there, offline" at_least "${#blocks[@]}" 4
plugged=$((${#blocks[@]} * $(block_kib) / 1024 * 1024))
quiesce
start=$(shmem) before=$(references)

expect "it goes online" set_state online_movable "${blocks[@]}"
expect "and is a third node" equal "$(with_memory)" 0-2
expect "whose references are four bytes for each page" equal $(($(references) - before)) $plugged
mounted third size=90%,huge=never,mpol=bind:2
fill /tmp/third/file 200
expect "200 MiB are 200 MiB on one row" settles $((200 * MIB)) held
expect "all of them on the third node" at_least "$(in_use_on 2)" $((200 * 1024))
umount /tmp/third
expect "unmounted, nothing is left" settles 0 held

expect "the node goes offline" set_state offline "${blocks[@]}"
expect "and is none" equal "$(with_memory)" 0-1
expect "its references are given back" equal "$(references)" "$before"
expect "it comes back" set_state online_movable "${blocks[@]}"
expect "with references" equal $(($(references) - before)) $plugged
mounted third size=90%,huge=never,mpol=bind:2
fill /tmp/third/file 100
expect "100 MiB are 100 MiB on one row" settles $((100 * MIB)) held
umount /tmp/third
expect "unmounted, nothing is left" settles 0 held

if [[ -e $SLOT ]]; then
	expect "the node is taken out of its slot" eject
	expect "its blocks go" settles 0 left
	expect "and its references" equal "$(references)" "$before"
else
	skip "the node is taken out of its slot" "there is none"
fi
expect "no total is negative" none_negative
expect_none_uncounted
finish
