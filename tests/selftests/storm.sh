#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --cpus 4 --mem 1G
# One in a hundred of all allocations of some tasks fails, everywhere, on four CPUs: what the kernel then does is its own affair,
# but all totals still balance, and nothing stays armed.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/sites.sh"

CONTROL=/sys/kernel/debug/alloctag/control
FOR_SECONDS=20
BUSY=4
ROUNDS=100

if ! has CONFIG_ALLOCTAG_FAULTS || [[ ! -e $CONTROL ]]; then
	skip "totals balance where allocations fail" "this kernel has none fail, or no debugfs"
	finish
fi
injected() { sites | awk '{n += $8} END {print n + 0}'; }
failing() { sites | awk '$8 {n++} END {print n + 0}'; }

# once DIRECTORY: what allocates, each step of which may come to nothing.
once() {
	mkdir -p "$1"
	mount -t tmpfs none "$1"
	for name in a b c d; do dd if=/dev/zero of="$1/$name" bs=64k count=2; done
	mv "$1/a" "$1/e"
	cat "$1"/*
	umount -l "$1"
	cat /proc/self/maps /proc/meminfo /proc/slabinfo
	ls -R /sys/kernel/slab /sys/module
	busybox unshare -n true
	mount /dev/ram0 "$2"
	for name in a b c d; do dd if=/dev/zero of="$2/$1-$name" bs=16k count=4; done
	rm -f "$2/$1"-*
	umount -l "$2"
	modprobe -q list_test
	rmmod list_test
}
# busy NUMBER: the same again and again, each time by a process whose allocations may fail, and all that it starts.
busy() {
	local end=$((SECONDS + FOR_SECONDS))
	while ((SECONDS < end)); do (
		echo 1 >/proc/self/make-it-fail
		once "storm$1" "/mnt$1"
	); done >/dev/null 2>&1
}

cd /tmp || exit
modprobe brd rd_nr=1
mke2fs -q -t ext4 /dev/ram0
for number in $(seq $BUSY); do mkdir -p "/mnt$number"; done
echo 0 >/sys/kernel/debug/fail_alloctag/verbose
# All but one, which tests/sweeps/known has: the kernel warns of it itself.
echo '* +f probability=1 task-filter=Y; file kernel/jump_label.c func jump_label_add_module -f' >$CONTROL
for number in $(seq $BUSY); do busy "$number" & done
wait
expect "many allocations were made to fail" at_least "$(injected)" 100
expect "of many call sites" at_least "$(failing)" 20
echo '=_' >$CONTROL

before=$(injected)
insmod /tests/modules/alloctag_faulty.ko
still_fails() { (
	echo 1 >/proc/self/make-it-fail
	for _ in $(seq $ROUNDS); do
		for kind in kmalloc page percpu vmalloc; do
			echo $kind
			read -r given </sys/module/alloctag_faulty/parameters/given
			[[ $given == Y ]] || echo "$kind failed" >&2
		done >/sys/module/alloctag_faulty/parameters/attempt
	done
) 2>&1; }
expect "nothing is armed any more" equal "$(still_fails)" ""
expect "nothing was counted after" equal "$(injected)" "$before"
rmmod alloctag_faulty

for number in $(seq $BUSY); do umount "/mnt$number" "storm$number"; done 2>/dev/null
quiesce
expect "all numbers can be" sound
expect "no total is negative" none_negative
finish
