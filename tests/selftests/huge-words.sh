#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# arch: x86_64
# guest: --mem 9G --append movablecore=4500M
# 2 GiB of boot's memory have their references in one huge page: it stays as long as any of the memory does, and goes with the
# last of it. What comes back has references of its own.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/folios.sh"
source "$(dirname "$0")/lib/memory.sh"

HUGE_KIB=2048
# Where the machine has memory that the kernel needs for nothing of its own.
FIRST_BYTE=$((6 << 30)) LAST_BYTE=$(((8 << 30) - 1))

if is_other_core; then
	skip "memory gives a huge page of references back" "this core has none"
	finish
fi
block=$(block_kib)
blocks=()
for ((byte = FIRST_BYTE; byte <= LAST_BYTE; byte += block * 1024)); do
	blocks+=("$MEMORY/memory$((byte / 1024 / block))/state")
done
if [[ ! -e ${blocks[-1]} ]]; then
	skip "memory gives a huge page of references back" "this guest has not so much"
	finish
fi
quiesce
start=$(shmem) total=$(total_kib) before=$(references)
last=${blocks[-1]}
unset 'blocks[-1]'
rest=$((${#blocks[@]} * block))
expect "all memory of a huge page of references goes but the last block" set_state offline "${blocks[@]}"
expect "and gives none of it back" equal "$(total_kib)" $((total - rest))
expect "that goes, too" set_state offline "$last"
expect "and gives back all of it" equal "$(total_kib)" $((total - rest - block + HUGE_KIB))
expect "it comes back" set_state online_movable "${blocks[@]}" "$last"
expect "with new references" equal $(($(references) - before)) $((HUGE_KIB * 1024))
mounted file size=90%,huge=never
fill /tmp/file/file 300
expect "300 MiB are 300 MiB on one row" settles $((300 * MIB)) held
expect "one block goes again" set_state offline "${blocks[0]}"
expect "and gives its references back by itself" equal $(($(references) - before)) $((HUGE_KIB * 1024 - block))
expect "what was on it is on the row as before" settles $((300 * MIB)) held
umount /tmp/file
expect "unmounted, nothing is left" settles 0 held
expect "no total is negative" none_negative
finish
