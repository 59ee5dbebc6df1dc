#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --mem 256M
# The report of an out-of-memory kill names the ten top users.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

# A process that grows until there is no memory, and that the kernel takes for its first victim: tail keeps all of a last
# line that never ends.
hog() { (echo 1000 >/proc/self/oom_score_adj; exec tail -n 1 /dev/zero); }

hog 2>/dev/null
dmesg >/tmp/report
# The lines between the title and the next message.
users() {
	sed -E 's/^\[ *[0-9.]+\] //' /tmp/report |
		awk '/^Memory allocations \(profiling is currently turned/ {on = 1; n = 0; next}
			on && n < 10 {print; n++} n == 10 {exit}'
}
USER_LINE='^ *[0-9.]+ ([KMG]iB|B) +[0-9]+ [^ ]+:[0-9]+ (\[[^ ]+\] )?func:[^ ]+ *$'
well_formed() { fails grep -vE "$USER_LINE" <(users); }

expect "the kernel killed a process for want of memory" grep -q "Out of memory: Killed process" /tmp/report
expect "the report says that the profiler is on" grep -q "Memory allocations (profiling is currently turned on):" /tmp/report
expect "ten call sites follow" equal "$(users | wc -l)" 10
expect "each with its size, calls, place and function" well_formed
expect "the hog's own memory is the first of them" grep -q 'mm/' <(users | head -n 1)
if may_switch; then
	write 0
	echo m >/proc/sysrq-trigger
	expect "off, the report says so" grep -q "profiling is currently turned off" <(dmesg)
fi
finish
