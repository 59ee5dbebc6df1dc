# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The events of allocations, by tracefs. Needs allocinfo.sh.

TRACING=/sys/kernel/tracing
EVENTS=$TRACING/events/alloctag
CONTROL=/sys/kernel/debug/alloctag/control

# has_events: whether this kernel tells tracers of allocations.
has_events() { ! is_other_core && has CONFIG_ALLOCTAG_EVENTS; }
mount_tracing() { [[ -d $TRACING/events ]] || mount -t tracefs none $TRACING; }
# look EVENT…: begins to look at these alone, with nothing in the buffers.
look() {
	local event
	for event in "$@"; do echo 1 >"$EVENTS/$event/enable"; done
	echo >$TRACING/trace
}
# no_look: ceases to look at all of them, and keeps what there is.
no_look() { echo 0 >$EVENTS/enable; }
# told EVENT [PATTERN]: what was seen of an event, without what is before it.
told() { sed -nE "s/^ .* $1: //p" $TRACING/trace | grep -E -- "${2:-}"; }
# field NAME: that of each line.
field() { sed -nE "s/.* $1=([^ ]+).*/\\1/p"; }
# lost: how many events found no room.
lost() { cat $TRACING/per_cpu/cpu*/stats | awk -F': ' '/overrun|dropped/ {n += $2} END {print n + 0}'; }
tell() { echo "$1" >/sys/module/alloctag_told/parameters/tell; }
