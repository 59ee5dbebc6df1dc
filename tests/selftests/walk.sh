#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A walk over all call sites gives its CPU away, before it ends, to whoever comes first: where the kernel preempts it, and where
# it has to ask, as in um.
set -u
source "$(dirname "$0")/lib/expect.sh"

WAKES=200
# Where others only run between two walks, there are none. In um most of the time goes to what is around a walk, which is short
# there, and a quarter of the wakes or more meet one.
MET=$((WAKES / 20))

expect "while call sites are walked over, others run" at_least "$(walk $WAKES)" $MET
finish
