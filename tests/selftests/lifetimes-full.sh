#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --append alloctag.lifetimes=16
# Where there is too little room, what cannot be followed is said to be lost.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/times.sh"

if is_other_core || ! has CONFIG_ALLOCTAG_LIFETIMES; then
	skip "what cannot be followed is said to be lost" "this kernel follows nothing"
	finish
fi
echo 'func keep +s' >$CONTROL
insmod /tests/modules/alloctag_timely.ko
echo keep >$RUN
expect "there is room for as many as the parameter says" equal "$(time_of lifetimes alive keep)" 16
expect "the others are lost" equal "$(time_of lifetimes lost keep)" 24
echo drop >$RUN
expect "those that were followed come to their end" equal "$(time_of lifetimes count keep) $(time_of lifetimes alive keep)" "16 0"
echo keep >$RUN
expect "their places are used again" equal "$(time_of lifetimes alive keep) $(time_of lifetimes lost keep)" "16 48"
echo 'reset lifetimes' >$CONTROL
expect "what was lost is forgotten as well" equal "$(time_of lifetimes alive keep) $(time_of lifetimes lost keep)" "16 0"
rmmod alloctag_timely
finish
