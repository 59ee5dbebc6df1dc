#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --mem 256M
# The report of an out-of-memory kill names the ten top users.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

# A file that stays, so that there is something to be held against /proc/allocinfo afterwards.
dd if=/dev/zero of=/tmp/file bs=1M count=40 status=none

# A process that grows until there is no memory, and that the kernel takes for its first victim: tail keeps all of a last
# line that never ends.
hog() { (echo 1000 >/proc/self/oom_score_adj; exec tail -n 1 /dev/zero); }

# users: the lines between the last title in the log and the next message.
users() {
	kernel_log | sed -E 's/^\[ *[0-9.]+\] //' |
		awk '/^Memory allocations \(profiling is currently turned/ {n = 0; on = 1; next}
			on && n < 10 {line[++n] = $0}
			END {for (i = 1; i <= n; i++) print line[i]}'
}
# in_bytes: "bytes calls site", out of lines with units.
in_bytes() {
	awk 'BEGIN {unit["B"] = 1; unit["KiB"] = 1024; unit["MiB"] = 1024 ^ 2; unit["GiB"] = 1024 ^ 3}
		{bytes = $1 * unit[$2]; calls = $3; sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ /, ""); sub(/ +$/, ""); printf "%.0f %d %s\n", bytes, calls, $0}'
}
USER_LINE='^ *[0-9.]+ ([KMG]iB|B) +[0-9]+ [^ ]+:[0-9]+ (\[[^ ]+\] )?func:[^ ]+ *$'
well_formed() { fails grep -vE "$USER_LINE" /tmp/users; }
descending() { sort -c -s -n -r -k 1,1 <(in_bytes </tmp/users); }
# The report rounds to three digits, half of one in a hundred at the most.
PER_THOUSAND=6

# as_read ROWS: every user is a row, and has the size that it has there, or one between those of two readings.
as_read() {
	in_bytes </tmp/users | awk -v per="$PER_THOUSAND" '
		FILENAME != "-" {
			if (FNR < 3) next
			bytes = $1; sub(/^ *-?[0-9]+ +[0-9]+ /, ""); sub(/( accurate:no)? +$/, "")
			if (!($0 in least) || bytes < least[$0]) least[$0] = bytes
			if (!($0 in most) || bytes > most[$0]) most[$0] = bytes
			next
		}
		{
			bytes = $1; sub(/^[^ ]+ [^ ]+ /, "")
			if (!($0 in least) || bytes * 1000 < least[$0] * (1000 - per) || bytes * 1000 > most[$0] * (1000 + per)) {
				print $0 ": " bytes " instead of " least[$0] " to " most[$0]; wrong = 1
			}
		}
		END {exit wrong}' "$@" -
}
# The size of the file's row is the same in the report as it still is.
site_of_file() { grep -F 'func:shmem_alloc_folio' /tmp/users >/tmp/users.file && mv /tmp/users.file /tmp/users && as_read /proc/allocinfo; }
# none_missing ROWS ROWS: no row is left out that both readings show bigger than the last of the ten.
none_missing() {
	local missing
	missing=$(in_bytes </tmp/users | awk -v per="$PER_THOUSAND" '
		FILENAME == "-" {last = $1; sub(/^[^ ]+ [^ ]+ /, ""); reported[$0] = 1; next}
		FNR > 2 {
			bytes = $1; sub(/^ *-?[0-9]+ +[0-9]+ /, ""); sub(/( accurate:no)? +$/, "")
			if (bytes * 1000 > last * (1000 + per) && !($0 in reported)) over[$0]++
		}
		END {for (site in over) if (over[site] == 2) print site}' - "$@")
	equal "$missing" ""
}

hog 2>/dev/null
users >/tmp/users
expect "the kernel killed a process for want of memory" grep -q "Out of memory: Killed process" <(dmesg)
expect "the report says that the profiler is on" grep -q "Memory allocations (profiling is currently turned on):" <(dmesg)
expect "ten call sites follow" equal "$(wc -l </tmp/users)" 10
expect "each with its size, calls, place and function" well_formed
expect "the biggest first" descending
expect "the hog's own memory is the first of them" grep -q 'mm/' <(head -n 1 /tmp/users)
expect "that was more than all files" at_least "$(in_bytes </tmp/users | awk 'NR == 1 {printf "%d", $1}')" $((64 * 1024 * 1024))
expect "what has not moved since has the size that /proc/allocinfo gives" site_of_file

# The same report without a victim, between two readings by a process that takes no memory meanwhile: it would be in the rows.
report() {
	around "$ALLOCINFO" /tmp/before /tmp/after m /proc/sysrq-trigger
	users >/tmp/users
	as_read /tmp/before /tmp/after && none_missing /tmp/before /tmp/after
}
# A row may have moved for the report and back for the second reading; what is wrong is so in every report.
reports() {
	local found
	for _ in $(seq 20); do
		found=$(report 2>&1) && return
	done
	echo "$found"
	return 1
}
quiesce
expect "on request, each of ten has the name and the size that /proc/allocinfo gives, and none that is bigger is left out" reports
if may_switch; then
	write 0
	echo m >/proc/sysrq-trigger
	expect "off, the report says so" grep -q "profiling is currently turned off" <(dmesg)
fi
finish
