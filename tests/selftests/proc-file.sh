#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# /proc/allocinfo as a file and as a text: what parsers of it rely on.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"


header() { equal "$(head -n 2 "$ALLOCINFO")" $'allocinfo - version: 2.0\n#     <size>  <calls> <tag info>'; }
# Twelve columns and eight, wider only where the number is.
padded() { fails grep -vE '^( {11}[0-9]| {0,10}[0-9]{2,12}|[0-9]{13,}) ( {7}[0-9]| {0,6}[0-9]{2,8}|[0-9]{9,}) ' <(rows); }
ends_in_blank() { fails grep -vE '[^ ] $' <(rows); }
well_formed() { fails grep -vE '^ *-?[0-9]+ +[0-9]+ [^ ]+:[0-9]+ (\[[^] ]+\] )?func:[^ ]+( accurate:no)? $' <(rows); }
below_memory() {
	at_most "$(rows | awk '{n += $1} END {printf "%d", n / 1024}')" \
		"$(awk '/^MemTotal/ {print $2}' /proc/meminfo)"
}
# tasks: those that are there, without the dead, whose stacks have gone.
tasks() { sed -nE 's/^([0-9]+) \(.*\) [^ZX] .*/\1/p' /proc/[0-9]*/stat 2>/dev/null | sort; }
# Whoever was there before and after the row was read was there when it was.
stacks_are_counted() {
	local before stacks
	before=$(tasks)
	stacks=$(calls kernel/fork.c alloc_thread_stack_node)
	at_least "$stacks" "$(comm -12 <(echo "$before") <(tasks) | wc -l)"
}

expect "the file belongs to root, who alone may read it" equal "$(stat -c '%u %g %a' "$ALLOCINFO")" "0 0 400"
expect "it begins with the header of version 2.0" header
expect "every line has size, calls, place and function" well_formed
expect "numbers are right-aligned in twelve and eight columns" padded
expect "every line ends in one blank" ends_in_blank
expect "no total is negative" none_negative
expect "no row holds bytes without a call" none_stays '^ *[1-9][0-9]* +0 '
expect "all rows together hold no more than the machine has" below_memory
expect "there are more than a thousand rows" at_least "$(rows | wc -l)" 1000
expect "most rows hold nothing and are shown all the same" at_least "$(rows | grep -c '^ *0 ')" 200
expect "the stack of every task is charged to kernel/fork.c" stacks_are_counted
finish
