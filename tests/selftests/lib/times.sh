# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# How long calls took and objects lived, as debugfs has it. A clock that is found to be unstable, as on a busy host, is not believed
# for a second (src/platform/ticks.c): those that time something ask for tsc=reliable.

DEBUGFS=/sys/kernel/debug/alloctag
CONTROL=$DEBUGFS/control
RUN=/sys/module/alloctag_timely/parameters/run
TOOK=/sys/module/alloctag_timely/parameters/took

# lines_of FILE: its lines without the header.
lines_of() { tail -n +3 "$DEBUGFS/$1"; }
# time_of FILE COLUMN FUNCTION: a number of a line, by the name of its column; nothing without such a line.
time_of() {
	lines_of "$1" | awk -v name="$2" -v func_="func:$3" -v header="$(sed -n 2p "$DEBUGFS/$1")" '
		BEGIN {n = split(header, names, " "); for (i = 2; i <= n; i++) if (names[i] == name) column = i - 1}
		$NF == func_ {print $column}'
}
# bucket NANOSECONDS: the binary logarithm, rounded down.
bucket() { awk -v ns="$1" 'BEGIN {for (n = 0; ns >= 2; n++) ns = int(ns / 2); print n}'; }
# as_known FILE FUNCTION: its only time is between those that the module knows of the last, and in its bucket.
as_known() {
	local least most ns
	read -r least most <$TOOK
	ns=$(time_of "$1" ns "$2")
	((least <= ns && 0 < ns && ns <= most)) || { echo "$ns ns, and it took from $least to $most"; return 1; }
	equal "$(time_of "$1" count "$2") $(time_of "$1" min_ns "$2") $(time_of "$1" max_ns "$2")" "1 $ns $ns" &&
		equal "$(time_of "$1" histogram "$2")" "$(bucket "$ns"):1"
}
