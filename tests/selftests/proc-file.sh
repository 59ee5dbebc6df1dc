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
held_without_calls() { fails grep -E '^ *[1-9][0-9]* +0 ' <(rows); }

expect "the file belongs to root, who alone may read it" equal "$(stat -c '%u %g %a' "$ALLOCINFO")" "0 0 400"
expect "it begins with the header of version 2.0" header
expect "every line has size, calls, place and function" well_formed
expect "numbers are right-aligned in twelve and eight columns" padded
expect "every line ends in one blank" ends_in_blank
expect "no total is negative" fails grep -E '^ *-|-[0-9]+ ' <(rows | awk '{print $1, $2}')
expect "no row holds bytes without a call" held_without_calls
expect "all rows together hold no more than the machine has" below_memory
expect "there are more than a thousand rows" at_least "$(rows | wc -l)" 1000
expect "most rows hold nothing and are shown all the same" at_least "$(rows | grep -c '^ *0 ')" 200
expect "the stack of every task is charged to kernel/fork.c" \
	at_least "$(calls kernel/fork.c alloc_thread_stack_node)" "$(find /proc -maxdepth 1 -name "[0-9]*" | wc -l)"
finish
