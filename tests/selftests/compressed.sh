#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --mem 1G --append sysctl.vm.mem_profiling=1,compressed
# References in the flags of pages: the sysctl says so, and rows are as right as with references elsewhere. Where the flags
# have no room, the log says so once and all else is the same.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/folios.sh"

FILE=/proc/sys/vm/mem_profiling_compressed
write() { echo 1 >"$FILE"; }

expect "everybody may read it, nobody write it" equal "$(stat -c %a $FILE)" 444
if has CONFIG_NUMA_BALANCING; then
	expect "it says 0" equal "$(cat $FILE)" 0
	expect "the log says once why" equal "$(dmesg | grep -c 'alloctag: the flags of a page have room for .* not compressed')" 1
	expect "nothing went uncounted" equal "$(cat /proc/sys/vm/mem_profiling_uncounted)" 0
else
	expect "it says 1" equal "$(cat $FILE)" 1
fi
expect "not even root can write it" fails write

quiesce
start=$(shmem)
hold_small
hold_huge

modprobe brd rd_nr=1
expect "modules load, and their pages are counted as well" at_least "$(grep -cF ' [brd] ' "$ALLOCINFO")" 2
rmmod brd
expect "no total is negative afterwards" none_negative
finish
