#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --tests --mem 1G --append sysctl.vm.mem_profiling=1,compressed
# References in the flags of pages: the sysctl says so, and rows are as right as with references elsewhere. Where the flags
# have no room, the log says so once and all else is the same; where they have it but for modules by the thousand, pages of
# those share a row.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/folios.sh"

FILE=/proc/sys/vm/mem_profiling_compressed
write() { echo 1 >"$FILE"; }

expect "everybody may read it, nobody write it" equal "$(stat -c %a $FILE)" 444
if has CONFIG_LRU_GEN; then
	expect "it says 0" equal "$(cat $FILE)" 0
	expect "the log says once why" equal "$(dmesg | grep -c 'alloctag: the flags of a page have room for .* not compressed')" 1
	expect_none_uncounted
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

# Thirteen bits: see scripts/config/gcc.config.
if has CONFIG_NUMA_BALANCING && ! has CONFIG_LRU_GEN; then
	shared() { calls mm/alloctag/src/registry/overflow.rs no_account_left; }
	on_row() { rows | awk -v func="func:$1" '$4 == "[alloctag_exact]" && $5 == func {print $2}'; }
	warned() { dmesg | grep -c 'alloctag: the pages of some modules share an account'; }
	expect "so far no pages have shared a row" equal "$(shared) $(warned)" "0 0"
	# With what these leave of the 64 spare accounts, a module of some fifty call sites cannot do.
	for module in more denied lines exact; do insmod /tests/modules/alloctag_$module.ko; done
	echo 1 >/sys/kernel/debug/alloctag_exact/step
	expect "objects of a module behind 5,000 call sites are on its rows" at_least "$(on_row hold_kmalloc)" 1
	expect "its pages are not" equal "$(on_row hold_compound)" 0
	expect "but on a row that they share" at_least "$(shared)" 1
	expect "and the log says so once" equal "$(warned)" 1
	rmmod alloctag_exact
	expect "freed, they are taken from there" settles 0 shared
	rmmod alloctag_lines alloctag_denied alloctag_more
fi

# Pages have no contexts, and must not draw in place of what has: of 128 bytes in 4 KiB one in 32.5 is drawn, of 200 some six.
DIRECTORY=/sys/kernel/debug/alloctag
PARAMETERS=/sys/module/alloctag_callers/parameters
if [[ $(cat $FILE) == 1 && -e $DIRECTORY/control ]]; then
	# of KIND: how many allocations its contexts stand for.
	of() { grep -F "func:helper_$1 " $DIRECTORY/contexts | grep -o 'allocs:[0-9]*' | awk -F: '{n += $2} END {print n + 0}'; }
	insmod /tests/modules/alloctag_callers.ko
	echo 'func helper_* +c by=caller every=4096' >$DIRECTORY/control
	for _ in {1..1000}; do
		echo first pages 1 >$PARAMETERS/allocate
		echo first object 1 >$PARAMETERS/allocate
	done
	expect "where pages have no contexts, objects stand for about as many as there are" at_least "$(of object)" 300
	expect "and not for the pages as well" at_most "$(of object)" 3000
	expect "and pages for none" equal "$(of pages)" 0
	echo 2000 >$PARAMETERS/free
	echo '=_' >$DIRECTORY/control
	rmmod alloctag_callers
fi
expect "no total is negative afterwards" none_negative
finish
