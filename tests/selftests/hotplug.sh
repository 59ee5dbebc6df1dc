#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --mem 1G --plug 256M
# Memory that is plugged in after boot is counted like any other, also when it is taken offline and out again.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/folios.sh"
source "$(dirname "$0")/lib/memory.sh"

# Pages in use of the zones that only plugged memory is in; each node has one, with or without.
movable_in_use() {
	awk '/^Node/ {inside = / Movable$/} inside && /pages free/ {free = $3} inside && $1 == "managed" {n += $2 - free} END {print n + 0}' \
		/proc/zoneinfo
}
# on_its_node: the mount option by which files are given memory where the plugged one is, if that may be elsewhere.
on_its_node() {
	local node=("${blocks[0]%/state}"/node[0-9]*)
	! has_nodes || echo ",mpol=prefer:${node[0]##*/node}"
}
left() { find "${blocks[@]%/state}" -maxdepth 0 2>/dev/null | wc -l; }

find_plugged
expect "the plugged memory is there, offline" at_least "${#blocks[@]}" 2
quiesce
start=$(shmem) before=$(references)
expect "it goes online" set_state online_movable "${blocks[@]}"
block=$(block_kib)
expect_references "its references are four bytes for each page" $((${#blocks[@]} * block))
mounted plugged "size=90%,huge=never$(on_its_node)"
fill /tmp/plugged/file 200
expect "200 MiB are 200 MiB on one row" settles $((200 * MIB)) held
expect "most of them in plugged memory" at_least "$(movable_in_use)" $((150 * MIB / PAGE))
expect "a call for each page" equal "$(($(calls mm/shmem.c shmem_alloc_folio) * PAGE))" "$(shmem)"
truncate -s $((150 * MIB)) /tmp/plugged/file
expect "truncated to 150 MiB, these are left" settles $((150 * MIB)) held

expect "a block goes offline, so its pages move" set_state offline "${blocks[0]}"
expect "and are on the row as before" settles $((150 * MIB)) held
expect_references "its references are given back" $(((${#blocks[@]} - 1) * block))
expect "it comes back" set_state online_movable "${blocks[0]}"
expect_references "with references" $((${#blocks[@]} * block))
fill /tmp/plugged/more 100
expect "100 MiB more are on the row" settles $((250 * MIB)) held
rm /tmp/plugged/more
expect "and are gone" settles $((150 * MIB)) held

if [[ -e $SLOT ]]; then
	expect "the module is taken out of its slot" eject
	expect "its blocks go" settles 0 left
	expect_references "and all references of it" 0
	expect "what was on it is still on the row" settles $((150 * MIB)) held
else
	skip "the module is taken out of its slot" "there is none"
fi
umount /tmp/plugged
expect "unmounted, nothing is left" settles 0 held
expect "no total is negative afterwards" none_negative
expect_none_uncounted
is_other_core || expect "and no row is inaccurate" fails grep accurate:no "$ALLOCINFO"
finish
