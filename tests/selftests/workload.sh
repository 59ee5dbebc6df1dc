#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --tests --mem 1G
# Work that ends leaves every row where it was, but for caches.
#
# A leak in the accounts grows with the work: one object for each round. So each workload is run once for the caches to
# fill, and then no row may differ by half an object for each round. What the caches themselves hold is far less.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

FORKS=1000
FILES=10000

# Stacks of vmalloc()'s are unmapped a thousand at a time, until when what describes them is there. This core can be asked for it;
# and whoever makes a module's pages read-only has it done at once.
unmap_stacks() {
	if is_other_core; then
		insmod /tests/modules/alloctag_empty.ko
		rmmod alloctag_empty
	else
		settle
	fi
}

# "calls name" for every row, after caches were let go. Stacks come there after a grace period. KASAN's shadow is no part of it: a
# page of it for the guard behind a stack, and what lies beside that, stays as long as there is no area over all of it, and where
# stacks are that no task has any more is chance.
snapshot() {
	let_go
	unmap_stacks
	quiesce
	rows | grep -v ' mm/kasan/shadow.c:' |
		awk '{calls = $2; $1 = $2 = ""; n[$0] += calls} END {for (name in n) print n[name], name}' | sort -k 2
}

# unmoved BEFORE AFTER ROUNDS: no row moved by half the rounds.
unmoved() {
	local moved
	moved=$(join -j 2 -t $'\t' <(sed 's/ /\t/' "$1") <(sed 's/ /\t/' "$2") |
		awk -F '\t' -v limit="$3" '{d = $3 - $2} d * 2 >= limit || d * 2 <= -limit {print d, $1}')
	[[ -z $moved ]] || { echo "moved: $moved"; return 1; }
}

forks() { for _ in $(seq "$1"); do /bin/true; done; }

# files DIRECTORY COUNT: makes, writes and removes files; prints how many inodes FILE FUNCTION held at the most.
files() {
	make_files "$1/d" "$2"
	(cd "$1/d" && for name in f1 f2 f3 f4 f5 f6 f7 f8; do dd if=/dev/zero of="$name" bs=64k count=4 status=none; done)
	calls "$3" "$4" >/tmp/peak
	rm -r "$1/d"
}

is_other_core || expect "what is freed later can be waited for" unmap_stacks
forks $((FORKS / 10))
snapshot >/tmp/before
forks $FORKS
snapshot >/tmp/after
expect "a thousand fork+exec leave every row where it was" unmoved /tmp/before /tmp/after $FORKS

files /tmp $((FILES / 10)) mm/shmem.c shmem_alloc_inode
snapshot >/tmp/before
files /tmp $FILES mm/shmem.c shmem_alloc_inode
snapshot >/tmp/after
expect "ten thousand files on a tmpfs are counted while they are there" at_least "$(cat /tmp/peak)" $FILES
expect "ten thousand files on a tmpfs, removed, leave every row where it was" unmoved /tmp/before /tmp/after $FILES

modprobe brd rd_nr=1
mke2fs -q -t ext4 -N 12000 /dev/ram0
mount -t ext4 /dev/ram0 /mnt
files /mnt $((FILES / 10)) fs/ext4/super.c ext4_alloc_inode
snapshot >/tmp/before
files /mnt $FILES fs/ext4/super.c ext4_alloc_inode
snapshot >/tmp/after
expect "ten thousand files on ext4 are counted while they are there" at_least "$(cat /tmp/peak)" $FILES
expect "ten thousand files on ext4, removed, leave every row where it was" unmoved /tmp/before /tmp/after $FILES
umount /mnt
rmmod brd
expect "no total is negative afterwards" none_negative
finish
