#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --cpus 1 --mem 1G --tests --append kfence.sample_interval=4
# What was counted, freed while the switch was off and given out again as part of something larger, is taken off as what was
# counted, not as what is freed in the end.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/sites.sh"

PARAMETERS=/sys/module/alloctag_stale/parameters
# As the module has it.
HELD=512
WHOLE=64

if ! may_switch || ! has_modules; then
	skip "what is freed while the switch is off does no harm later" "this kernel does not let it be moved, or has no modules"
	finish
fi
step() { echo "$1" >"$PARAMETERS/step"; }
again() { cat "$PARAMETERS/$1_again"; }
# slack of a call site.
slack() { sites | awk -v func="func:stale_$1" 'index($0, func) {print $2}'; }
row() { awk -v func="func:stale_$1" 'index($0, func) {print $1, $2}' "$ALLOCINFO"; }

insmod /tests/modules/alloctag_stale.ko
expect "pages, per-CPU areas and objects come" step hold
areas=$(row area) objects=$(row object)
expect "the heads of $HELD blocks are as many pages" equal "$(row page)" "$((HELD * PAGE)) $HELD"
if has CONFIG_ALLOCTAG_STATS; then
	expect "of eight pages three are slack" equal "$(slack whole) $(row whole)" "$((WHOLE * 3 * PAGE)) $((WHOLE * 8 * PAGE)) $WHOLE"
	expect "and of two of vmalloc() almost one" equal "$(slack vmalloc)" $((WHOLE * (PAGE - 1)))
fi
# A CPU keeps as few single pages for itself as it can be told to, so that neighbours meet.
echo 1000000 >/proc/sys/vm/percpu_pagelist_high_fraction
write 0
expect "they go while nothing is counted" step free
if has CONFIG_ALLOCTAG_STATS; then
	expect "slack goes with who told it" equal "$(slack whole) $(slack vmalloc)" "0 0"
fi
expect "larger ones come" step renew
expect "blocks where the pages were" at_least "$(again pages)" 1
expect "areas where the areas were" at_least "$(again areas)" 1
expect "blocks where objects of whole pages were" at_least "$(again wholes)" 1
if has CONFIG_KFENCE; then
	expect "objects where the guarded ones were" at_least "$(again objects)" 1
fi
write 1
expect "they go while all is counted" step release
read -r bytes calls <<<"$(row page)"
if is_other_core; then
	expect "this core takes off the whole blocks, and is below zero" grep -E '^ *-.*func:stale_page' <(rows)
	finish
fi
expect "a page is taken off for each block that went" at_least $((HELD - calls)) "$(again pages)"
expect "and no more than a page" equal "$bytes" $((calls * PAGE))
expect "areas that were not there when they were to be taken off stay" equal "$(row area)" "$areas"
expect "and so do guarded objects" equal "$(row object)" "$objects"
expect "no total is negative" none_negative
if has CONFIG_ALLOCTAG_STATS; then
	SWITCHED=1 expect "and no numbers are such as cannot be" sound
fi
finish
