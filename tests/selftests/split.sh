#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --mem 1G
# Huge folios of a tmpfs are split to every order there is, and each part becomes a call of its own.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/folios.sh"

if ! has_huge; then
	skip "huge folios are split" "$NO_HUGE"
	finish
fi
SPLIT=/sys/kernel/debug/split_huge_pages
HUGE=$(cat /sys/kernel/mm/transparent_hugepage/hpage_pmd_size)
FOLIOS=4
PAGES=$((FOLIOS * HUGE / PAGE))
# Of the huge folios.
ORDER=0
while ((PAGE << ORDER < HUGE)); do ORDER=$((ORDER + 1)); done

folios() { calls mm/shmem.c shmem_alloc_folio; }
more() { echo $(($(folios) - before)); }

quiesce
start=$(shmem)
mounted huge huge=always
for order in $(seq $((ORDER - 1)) -1 0); do
	before=$(folios)
	fill "/tmp/huge/$order" $((FOLIOS * HUGE / MIB))
	expect "$FOLIOS huge folios are $FOLIOS calls" equal "$(more)" $FOLIOS
	printf '/tmp/huge/%s,0x0,0x%x,%d' "$order" $PAGES "$order" >$SPLIT
	expect "split to order $order, they are $((PAGES >> order))" equal "$(more)" $((PAGES >> order))
	expect "and as many bytes as before" equal "$(held)" $((PAGES * PAGE))
	rm "/tmp/huge/$order"
	expect "which all go with the file" settles 0 held
	expect "the calls, too" settles 0 more
done
umount /tmp/huge
finish
