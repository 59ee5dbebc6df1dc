#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --mem 5G --append hugepagesz=1G --append hugepages=1
# A huge page that was set aside at boot was allocated by nobody: it is on no row, and goes without complaint, whole or in parts.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

POOLS=/sys/kernel/mm/hugepages
GIGANTIC=$POOLS/hugepages-1048576kB
PARTS=$POOLS/hugepages-2048kB
SIZE=$((1 << 30))

if [[ ! -e $GIGANTIC || $(cat $GIGANTIC/nr_hugepages) != 1 ]]; then
	skip "a huge page of boot is on no row" "this machine has none"
	finish
fi
# as_large: what is on any row of at least its size.
as_large() { rows | awk -v least=$SIZE '$1 >= least' | grep -c .; }

expect "a huge page of boot is on no row" equal "$(as_large)" 0
if [[ -e $GIGANTIC/demote ]]; then
	echo 1 >$GIGANTIC/demote
	expect "it becomes many smaller ones" equal "$(cat $GIGANTIC/nr_hugepages) $(cat $PARTS/nr_hugepages)" "0 512"
	echo 0 >$PARTS/nr_hugepages
	expect "which go back" equal "$(cat $PARTS/nr_hugepages)" 0
else
	echo 0 >$GIGANTIC/nr_hugepages
	expect "it goes back" equal "$(cat $GIGANTIC/nr_hugepages)" 0
fi
expect "no total is negative afterwards" none_negative
finish
