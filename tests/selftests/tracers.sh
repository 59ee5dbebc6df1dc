#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --cpus 4 --mem 1G --with perf --with trace-cmd
# perf and trace-cmd, as Debian has them, work on the events of allocations.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/sites.sh"
source "$(dirname "$0")/lib/events.sh"

if ! has_events || ! has CONFIG_PERF_EVENTS; then
	skip "perf and trace-cmd work on the events" "not in this kernel"
	finish
fi
mount_tracing
insmod /tests/modules/alloctag_told.ko
cd /tmp || exit
TELL=/sys/module/alloctag_told/parameters/tell
# often N WAY: that many times, in a process of its own.
often() { echo "for n in \$(seq $1); do echo $2 >$TELL; done"; }
# counted EVENT: what perf stat has counted of it.
counted() { sed -nE "s/^ *([0-9]+) +$1 .*/\\1/p" stat | tr -d ,; }

expect "perf lists the events" equal "$(perf list 'alloctag:*' 2>/dev/null | grep -oE 'alloctag:[a-z]+' | sort | xargs)" \
	"alloctag:alloc alloctag:alloctag alloctag:fail alloctag:free alloctag:stall"
expect "perf stat counts them" perf stat -o stat -e alloctag:alloc --filter 'function == "tell_pages"' \
	-e alloctag:free --filter 'function == "tell_pages"' -- bash -c "$(often 7 pages)"
expect "as many as there were" equal "$(counted alloctag:alloc) $(counted alloctag:free)" "7 7"
expect "perf stat goes by patterns of files" perf stat -o stat -e alloctag:alloc --filter 'file ~ "*told.c" && order == 0' -- bash -c "$(often 5 object)"
expect "and counts these" equal "$(counted alloctag:alloc)" 5

expect "perf record takes them with stacks" perf record -q -g -o data -e alloctag:alloc --filter 'module == "alloctag_told"' -- bash -c "$(often 3 object)"
perf script -i data >shown 2>errors
expect "perf script shows the call site as allocinfo does" equal "$(grep -cE 'told\.c:[0-9]+ \[alloctag_told\] func:tell_object account=[0-9]+ ' shown)" 3
expect "the flags by name" grep -q 'gfp_flags=GFP_KERNEL' shown
expect "and who called" grep -q 'set_tell' shown
expect "without an unknown word in their format" fails grep -iE 'unknown|error|bad op|not found' errors

# All there is, of all CPUs, by its own raw data.
echo "module alloctag_told +t" >$CONTROL
of_module() { sites | awk '/ \[alloctag_told\] / {bytes += $1; allocated += $6} END {print bytes, allocated}'; }
before=$(of_module)
# shellcheck disable=SC2016 # that shell's own
expect "perf records what churns on 4 CPUs" perf record -q -a -m 1024 -o data -e alloctag:alloc -e alloctag:free -- bash -c '
	for cpu in 0 1 2 3; do taskset -c $cpu bash -c "for n in \$(seq 50); do for w in object pages row area parts; do echo \$w >'$TELL'; done; done" & done; wait'
after=$(of_module)
perf script -i data -F event,trace --show-lost-events >shown 2>errors
expect "without a loss" fails grep -q LOST shown
expect "what it has is what call sites say, to the byte" equal \
	"$(awk '{match($0, / bytes_alloc=[0-9]+/); n = substr($0, RSTART + 13, RLENGTH - 13)} / func:/ && /alloctag:alloc/ {given += n} / func:/ && /alloctag:free/ {taken += n} END {print given - taken, given}' shown)" \
	"$(awk -v before="$before" -v after="$after" 'BEGIN {split(before, b); split(after, a); print a[1] - b[1], a[2] - b[2]}')"
echo '=_' >"$CONTROL"

expect "trace-cmd records them" trace-cmd record -q -o trace.dat -e alloctag -f 'module == "alloctag_told"' bash -c "$(often 4 pages)"
trace-cmd report -i trace.dat >reported 2>errors
expect "and reports the call site" equal "$(grep -cE ' alloc: +[^ ]*told\.c:[0-9]+ \[alloctag_told\] func:tell_pages .* order=2 ' reported)" 4
expect "and the free" equal "$(grep -cE ' free: +[^ ]*told\.c:[0-9]+ \[alloctag_told\] func:tell_pages ' reported)" 4
expect "and what is built in without a module" trace-cmd record -q -o trace.dat -e alloctag:alloc -f 'function == "shmem_alloc_inode"' touch /tmp/new
expect "as it is" grep -qE ' alloc: +mm/shmem\.c:[0-9]+ func:shmem_alloc_inode ' <(trace-cmd report -i trace.dat 2>/dev/null)
rmmod alloctag_told
finish
