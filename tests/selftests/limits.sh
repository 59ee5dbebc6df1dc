#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --append alloctag.contexts=64
# There are so many contexts as was asked for when their table was made, which goes with the last of them. What finds no room is
# on its call site's row, and how much that was is said.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

DIRECTORY=/sys/kernel/debug/alloctag
PARAMETERS=/sys/module/alloctag_callers/parameters
CONTEXTS=/proc/sys/vm/mem_profiling_contexts
MIB=$((1024 * 1024))

if [[ ! -e $DIRECTORY/control ]]; then
	skip "there are so many contexts" "this kernel has no debugfs"
	finish
fi
rule() { echo "$1" >$DIRECTORY/control; }
lost() { awk 'END {print $4}' $DIRECTORY/control; }
contexts() { tail -n +3 $DIRECTORY/contexts | grep -c 'func:helper_object '; }
row() { rows | awk '/func:helper_object / {print $2}'; }
# allocate COUNT, free COUNT: objects, each allocated by a process of its own.
allocate() { for _ in $(seq "$1"); do (echo first object 1 >$PARAMETERS/allocate); done; }
release() { echo "$1" >$PARAMETERS/free; }
# table: what the table of contexts takes, in bytes.
table() { rows | awk '$3 ~ "/platform/contexts" {n += $1} END {print n + 0}'; }
# makes_room SECONDS: whether idle contexts have gone by then, until when allocations ask for that.
makes_room() {
	local end=$((SECONDS + $1))
	until (($(contexts) <= 50)); do
		((SECONDS < end)) || return 1
		allocate 1
		release 1
		sleep 0.2
	done
}
refused() { ! { echo "$1" >"$CONTEXTS"; } 2>/dev/null; }

insmod /tests/modules/alloctag_callers.ko
expect "the boot parameter says how many" equal "$(cat $CONTEXTS)" 64
expect "there is no table without a rule" equal "$(table)" 0
rule 'func helper_object +c by=pid'
allocate 80
expect "there are so many contexts, and no more" equal "$(contexts)" 64
expect "the others are lost" equal "$(lost)" 16
expect "and on the row with the rest" equal "$(row)" 80
small=$(table)

for number in 0 15 131073 -64 x; do
	expect "another number can be asked for, but not $number" refused "$number"
done
echo 131000 >$CONTEXTS
expect "it is made a power of two" equal "$(cat $CONTEXTS)" 131072
expect "the table that is there stays as it is" equal "$(table)" "$small"
rule '=_'
release 80
expect "it goes with the last context" settles 0 table

# What is left of a rule is looked after ever more seldom: after 5 s, after 10 s more, after 20 and 40 s more. Room is made at
# once, which is what a busy machine may take most of the time before the next look for.
echo 64 >$CONTEXTS
rule 'func helper_object +c by=pid'
allocate 1
rule '=_'
sleep 36
rule 'func helper_object +c by=pid'
allocate 60
# One by one it is the last that goes, and the old rule's object stays.
for _ in $(seq 60); do release 1; done
expect "room is made while an object of an old rule is waited for" makes_room 30
release 1
rule '=_'
expect "then it goes, too" settles 0 table

# The most that there can be, beside a module whose accounts are in chunks.
echo 131000 >$CONTEXTS
insmod /tests/modules/alloctag_more.ko
rule 'func helper_object +c by=pid'
# By 2,048 times, of which rounding up by kmalloc may be two, and what checkers put around it as much.
expect "the next one is larger" at_least "$(table)" $((small * 512))
allocate 80
expect "and has room" equal "$(contexts) $(lost)" "80 0"
rule '=_'
release 80
expect "a module has its accounts as before" equal "$(rows | awk '$4 == "[alloctag_more]" {n += $2} END {print n}')" 5000
rmmod alloctag_more
expect "it goes, too" settles 0 table

echo 16384 >$CONTEXTS
rule 'func helper_object +c by=pid'
expect "that of the default size takes no more than 16 MiB" at_most "$(table)" $((16 * MIB))
rule '=_'
rmmod alloctag_callers
expect "no total is negative" none_negative
finish
