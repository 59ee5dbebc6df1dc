#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --cpus 1 --mem 2G --reboots --append kho=on --append kho_scratch=64M,512M,64M
# Memory that one kernel hands over to the next: the first one counted it, the second one never did and frees it all the same.
# The scratch areas have to hold the second kernel with its files and all that it takes before it knows what was handed over,
# KASAN's shadow of the whole memory (an eighth) above all. On arm64 a kernel that cannot take its CPUs down is followed by none,
# unless it has one alone.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

# Said to the second kernel alone.
AGAIN=alloctag_handed_over
# What the tree's lib/test_kho.c hands over unless it is told otherwise: two blocks of the highest order there is.
HANDED_OVER=$((2 * 4096 << 10))

if ! has CONFIG_TEST_KEXEC_HANDOVER; then
	skip "pages that are handed over are freed without harm" "this kernel hands nothing over"
	finish
fi
held() { rows | awk 'index($3, "lib/test_kho.c:") == 1 && /func:kho_test_generate_data/ {n += $1} END {print n + 0}'; }
# go_on RESULTS: does not come back; the second kernel is told how many results there are so far.
go_on() { kexec /boot/kernel /boot/initramfs "$(cat /proc/cmdline) $AGAIN=$1"; }

if ! before=$(grep -o "$AGAIN=[0-9]*" /proc/cmdline); then
	expect "what the first kernel will hand over is on its row" equal "$(held)" $HANDED_OVER
	sync
	expect "another kernel follows" go_on "$expect_count"
	finish
fi
expect_count=${before#*=}
expect "another kernel follows, and finds what is handed over" grep -q 'KHO: found kexec handover data' <(dmesg)
expect "the second kernel has all that was handed over" grep -q 'test_kho: KHO restore succeeded' <(dmesg)
expect "and has freed it, though nobody counted it" equal "$(held)" 0
expect "no total is negative" none_negative
quiesce
start=$(inodes)
make_files /tmp/files 500
expect "what is allocated from it now is counted" equal "$(inodes)" $((start + 501))
rm -r /tmp/files
expect "and so is its undoing" settles "$start" inodes
finish
