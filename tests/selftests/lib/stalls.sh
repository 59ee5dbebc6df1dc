# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# How long allocations waited, as debugfs has it.

STALLS=/sys/kernel/debug/alloctag/stalls

# The lines without the header.
stalls() { tail -n +3 $STALLS; }
# stalls_of FUNCTION: its lines.
stalls_of() { stalls | grep -E " func:$1\$"; }
# stall COLUMN FUNCTION CAUSE: a number of one of them, by the name of its column.
stall() {
	stalls_of "$2" | awk -v name="$1" -v cause="$3" -v header="$(sed -n 2p $STALLS)" '
		BEGIN {n = split(header, names, " "); for (i = 2; i <= n; i++) if (names[i] == name) column = i - 1}
		$5 == cause {print $column}'
}
reset_stalls() { echo 'reset stalls' >/sys/kernel/debug/alloctag/control; }
