#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests
# What the functions of a stack are called does not outlive them, unless it was kept when they went; and none is taken for
# another one that is loaded where it was.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

DIRECTORY=/sys/kernel/debug/alloctag
KEEPER=/sys/kernel/debug/alloctag_keeper
LATE=/sys/module/alloctag_late

if [[ ! -e $DIRECTORY/control ]]; then
	skip "names do not outlive functions" "this kernel has no debugfs"
	finish
fi
rule() { echo "$1" >$DIRECTORY/control; }
# callers: who called the keeper's helper, in the order of the contexts; each with how many objects are alive.
callers() {
	awk '/^ / {if (++frame == 3) print calls, $1, $2; next} {frame = 0; calls = $2}' <(tail -n +3 $DIRECTORY/contexts)
}
# of PATTERN: how many contexts have such a caller.
of() { callers | grep -cE "$1"; }
kept() { cat $KEEPER; }
waiting() { cat "${KEEPER}_gate"; }
open_gate() { echo 1 >"${KEEPER}_gate"; }
drop() { echo 256 >$KEEPER; }
unloading() { grep -c '^alloctag_late .* Unloading ' /proc/modules; }
BY_LATE='late_show\+.*\[alloctag_late\]$'
rows_of_late() { rows | grep -c '\[alloctag_late\]'; }
# names_take: what the names take that were kept, in bytes.
names_take() { rows | awk '$3 ~ "/rules/departed.rs:" {n += $1} END {print n + 0}'; }
MODULE=/tests/modules/alloctag_late.ko

insmod /tests/modules/alloctag_keeper.ko
rule 'func keep_new +c by=stack depth=3'

expect "a module whose init function fails is not loaded" fails insmod $MODULE error=-22 2>/dev/null
expect "what it allocated is kept" equal "$(kept)" 1
expect "and by its name" equal "$(callers)" "1 $(callers | grep -oE '(late_init|init_module)\+\S+ \[alloctag_late\]')"
drop
rule '=_; func keep_new +c by=stack depth=3'
expect "a module that refuses a parameter is not loaded" fails insmod $MODULE keep=1 refuse=1 2>/dev/null
expect "what another parameter has allocated is kept, by its name" equal "$(of '^1 late_parameter\+.*\[alloctag_late\]$')" 1
drop
rule '=_; func keep_new +c by=stack depth=3'

insmod $MODULE async=1 &
loader=$!
# Who is told of an initialised module is told behind its state; then the loader waits for what is asynchronous. Compilers give
# parts of functions names of their own.
asleep_in() { sed 's/\..*//' "/proc/$loader/wchan"; }
expect "the loader waits for its module's init code" settles async_synchronize_cookie_domain asleep_in
open_gate
settles 1 kept
expect "init code that runs when the module was initialised has no name" equal "$(callers)" '1 ? '
open_gate
wait
rmmod alloctag_late
drop
rule '=_; func keep_new +c by=stack depth=3'

insmod $MODULE
cat $LATE/late >/dev/null &
expect "somebody reads a module's file" settles 1 waiting
rmmod alloctag_late &
expect "it goes, and waits for who reads its file" settles 1 unloading
expect "its call sites as well" equal "$(rows_of_late)" 1
expect "nobody has allocated yet" equal "$(callers)" ""
open_gate
wait
expect "its call sites have gone" settles 0 rows_of_late
expect "what was allocated then is kept" equal "$(kept)" 1
expect "and by its name, though that was to be named after all others" equal "$(callers | wc -l) $(of "^1 $BY_LATE")" "1 1"
insmod $MODULE
expect "nor is it taken for what comes there" equal "$(callers | wc -l) $(of "^1 $BY_LATE")" "1 1"
open_gate
cat $LATE/late >/dev/null
expect "what that allocates is told from it" equal "$(callers | wc -l) $(of "^1 $BY_LATE")" "2 2"
rmmod alloctag_late
expect "and keeps its name when it goes" equal "$(callers | wc -l) $(of "^1 $BY_LATE")" "2 2"
seen=$(names_take)
for _ in 1 2 3; do
	insmod $MODULE
	rmmod alloctag_late
done
expect "once, however often it is loaded" equal "$(names_take)" "$seen"
expect "and its name takes something" at_least "$seen" 1
drop
rule '=_'
rmmod alloctag_keeper
expect "no total is negative" none_negative
finish
