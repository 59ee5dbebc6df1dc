#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --append alloctag.lifetimes=16 --append alloctag.histograms=16
# Where there are too few histograms, call sites share some; who has its own has its own losses.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/times.sh"

if is_other_core || ! has CONFIG_ALLOCTAG_LIFETIMES; then
	skip "who has its own histogram has its own losses" "this kernel follows nothing"
	finish
fi
own() { lines_of lifetimes | grep -cv ' func:no_histogram_left$'; }
fast() { echo "$(time_of lifetimes count call_fast) $(time_of lifetimes lost call_fast)"; }

echo 'func call_fast +s' >$CONTROL
insmod /tests/modules/alloctag_timely.ko
echo fast >$RUN
expect "whoever is first has a histogram of its own" equal "$(fast)" "1000 0"
echo 'module alloctag_more +s' >$CONTROL
insmod /tests/modules/alloctag_more.ko
expect "with two for each, eight call sites have theirs" equal "$(own)" 8
expect "those that have none share theirs" at_least "$(time_of lifetimes lost no_histogram_left)" 4900
echo fast >$RUN
expect "what nobody had room to follow is lost where it belongs" equal "$(fast)" "1000 1000"
rmmod alloctag_more alloctag_timely
finish
