#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --tests --cpus 4 --mem 1G
# Events of allocations: each names the call site, what it was given, and who frees it; and their sums are what call sites say.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/sites.sh"
source "$(dirname "$0")/lib/events.sh"

if ! has_events; then
	skip "tracers are told of allocations" "not by this kernel"
	finish
fi
mount_tracing
MODULE=alloctag_told
# of FUNCTION: the pattern of a line's beginning.
of() { echo "told\.c:[0-9]+ \[$MODULE\] func:$1 "; }
# told_of WHAT EVENT FUNCTION: has that allocated, and prints what was seen of the event.
told_of() {
	look alloc free
	tell "$1"
	no_look
	told "$2" "$(of "$3")"
}
# bytes EVENT FUNCTION: of the last ones, in all.
bytes_of() { told "$1" "$(of "$2")" | field bytes_alloc | awk '{n += $1} END {print n + 0}'; }
count() { told "$1" "$(of "$2")" | wc -l; }

insmod /tests/modules/$MODULE.ko
expect "there are four events, and that of faults" equal "$(find $EVENTS -mindepth 1 -type d -printf '%f\n' | sort | xargs)" \
	"alloc alloctag_fault fail free stall"

line=$(told_of object alloc tell_object)
expect "an allocation names its call site as allocinfo does" equal "$(grep -o "^.* func:tell_object" <<<"$line")" \
	"$(rows | grep -o '[^ ]*told.c:.* func:tell_object')"
expect "with what was asked for and what that takes" equal "$(field bytes_req <<<"$line") $(field bytes_alloc <<<"$line")" \
	"200 $(rows >/dev/null; awk '$1 == "kmalloc-256" {print $4; exit}' /proc/slabinfo)"
expect "and the flags by name" equal "$(field gfp_flags <<<"$line")" GFP_KERNEL
freed=$(told free "$(of tell_object)")
expect "its free names the same call site" equal "$(field account <<<"$freed")" "$(field account <<<"$line")"
expect "the same object" equal "$(field ptr <<<"$freed")" "$(field ptr <<<"$line")"
expect "as many bytes" equal "$(field bytes_req <<<"$freed") $(field bytes_alloc <<<"$freed")" \
	"$(field bytes_req <<<"$line") $(field bytes_alloc <<<"$line")"
expect "and who frees it" grep -q 'call_site=tell_object+' <<<"$freed"
freed=$(told_of moved free give_moved)
expect "what krealloc() frees, who calls it does" grep -q 'call_site=tell_moved+' <<<"$freed"

told_of row alloc tell_row >/dev/null
expect "objects in bulk are as many events" equal "$(count alloc tell_row) $(count free tell_row)" "8 8"
expect "and who frees them has called for that" equal "$(told free "$(of tell_row)" | grep -c 'call_site=tell_row+')" 8
line=$(told_of pages alloc tell_pages)
expect "pages have a number and an order" grep -qE ' pfn=0x[1-9a-f][0-9a-f]* .* bytes_alloc=16384 order=2 ' <<<"$line"
expect "and the same when they are freed" equal "$(told free "$(of tell_pages)" | field pfn)" "$(field pfn <<<"$line")"
expect "by whom" grep -q 'call_site=tell_pages+' <(told free "$(of tell_pages)")
told_of parts alloc tell_parts >/dev/null
expect "what was split is freed in parts" equal "$(count alloc tell_parts) $(count free tell_parts)" "1 4"
expect "which are all of it" equal "$(bytes_of free tell_parts)" 16384
told_of tail alloc tell_tail >/dev/null
expect "the tail of pages is freed before the first" equal "$(told free "$(of tell_tail)" | field bytes_alloc | xargs)" "12288 4096"
line=$(told_of area alloc tell_area)
expect "an area takes as much on every CPU" at_least "$(field bytes_alloc <<<"$line")" $((32768 * $(nproc)))
expect "and is of no node" equal "$(field nid <<<"$line")" -1
expect "and is freed" equal "$(told free "$(of tell_area)" | field ptr)" "$(field ptr <<<"$line")"
told_of vmalloc free tell_vmalloc >/dev/null
expect "the pages of an area are freed by who frees the area" equal "$(told free "$(of tell_vmalloc)" | grep -c 'call_site=tell_vmalloc+')" \
	"$(count free tell_vmalloc)"
# As long as nobody has made a cgroup, none is charged for anything.
told_of charged alloc tell_charged >/dev/null
expect "what a memcg could be charged for is told once" equal "$(count alloc tell_charged) $(count free tell_charged)" "2 2"
mkdir -p /tmp/cgroup && mount -t cgroup2 none /tmp/cgroup && echo +memory >/tmp/cgroup/cgroup.subtree_control
mkdir -p /tmp/cgroup/told
# In a group, by a process of its own.
bash -c 'echo $$ >/tmp/cgroup/told/cgroup.procs; echo 1 >'$EVENTS'/alloc/enable; echo 1 >'$EVENTS'/free/enable; echo >'$TRACING'/trace
	echo charged >/sys/module/'$MODULE'/parameters/tell'
no_look
expect "and so it is where one is" equal "$(count alloc tell_charged) $(count free tell_charged)" "2 2"
expect "once it is" equal "$(bytes_of alloc tell_charged)" "$(bytes_of free tell_charged)"
look alloc free fail
tell lack
no_look
expect "what a memcg would be charged for and is not there is one failure" equal "$(count fail tell_lack)" 1
expect "and no allocation" equal "$(count alloc tell_lack)" "$(count free tell_lack)"
# All but one page of the group is taken by a program that lives there, so it refuses the rest.
look alloc fail
insmod /tests/modules/alloctag_refused.ko
echo $((8 << 20)) >/tmp/cgroup/told/memory.max
bash -c 'echo $$ >/tmp/cgroup/told/cgroup.procs; echo 2000 >/sys/module/alloctag_refused/parameters/pages'
no_look
read -r given refused _ </sys/module/alloctag_refused/parameters/pages
expect "what a memcg refuses is a failure and no allocation" equal \
	"$(told alloc 'func:give_page ' | wc -l) $(told fail 'func:give_page ' | wc -l)" "$given $refused"
rmmod alloctag_refused

look fail
tell failure
expect "a failure names its call site, and what was asked for" grep -q ' bytes_req=8388608 order=11 ' <(told fail "$(of tell_failure)")
if has CONFIG_ALLOCTAG_FAULTS; then
	echo "module $MODULE func tell_pages +f times=1" >$CONTROL
	tell pages 2>/dev/null
	expect "so does one that a rule makes" grep -q ' bytes_req=16384 order=2 .* injected=1 again=0' <(told fail "$(of tell_pages)")
	echo '=_' >"$CONTROL"
fi
no_look
expect "nobody looks any more" equal "$(cat $EVENTS/enable)" 0

# What a module has left behind is freed under the name that it had.
insmod /tests/modules/alloctag_keeper.ko
insmod /tests/modules/alloctag_outlive.ko
look alloc free
rmmod alloctag_outlive
echo 4 >/sys/kernel/debug/alloctag_keeper
no_look
for function in keep_object keep_vmalloc keep_page keep_area; do
	expect "what $function() of a module has left is named when it is freed" \
		at_least "$(told free "outlive\.c:[0-9]+ \[alloctag_outlive\] func:$function " | wc -l)" 1
done
insmod /tests/modules/alloctag_outlive.ko
rmmod alloctag_outlive
look free
echo 4 >/sys/kernel/debug/alloctag_keeper
no_look
expect "also where nobody looked when it went" at_least "$(told free ' \[alloctag_outlive\] func:keep_object ' | wc -l)" 1
rmmod alloctag_keeper
insmod /tests/modules/alloctag_lines.ko
look alloc free
exec 5</dev/alloctag-lines
exec 5<&-
no_look
expect "lines of Rust code are named with their module" at_least "$(told alloc 'alloctag_lines\.rs:[0-9]+ \[alloctag_lines\] func:[^ ]+ ' | wc -l)" 1
expect "and so they are when that is freed" at_least "$(told free 'alloctag_lines\.rs:[0-9]+ \[alloctag_lines\] func:[^ ]+ ' | wc -l)" 1
rmmod alloctag_lines

# Only those that rules choose.
echo "module $MODULE func tell_object +t" >$CONTROL
told_of object alloc tell_object >/dev/null
expect "of chosen call sites there are events" equal "$(count alloc tell_object) $(count free tell_object)" "1 1"
expect "and of no others" equal "$(told '(alloc|free)' | grep -cv 'func:tell_object ')" 0
told_of pages alloc tell_pages >/dev/null
expect "none of the same module" equal "$(count alloc tell_pages) $(count free tell_pages)" "0 0"
echo "func tell_object -t" >$CONTROL
expect "a later rule takes them away" equal "$(told_of object alloc tell_object)" ""
echo '=_' >"$CONTROL"
expect "without rules all have them" at_least "$(told_of pages alloc tell_pages | wc -l)" 1
echo "func tell_object -t" >$CONTROL
told_of pages alloc tell_pages >/dev/null
expect "where a rule takes some away, all others have them" equal "$(count alloc tell_pages)" 1
expect "and these have not" equal "$(told_of object alloc tell_object)" ""
echo '=_' >"$CONTROL"

# The sums.
# sums: by account, bytes and objects as events have them; by the number of the call site.
of_events() {
	awk '/ alloc: | free: / {
		match($0, / account=[0-9]+/); account = substr($0, RSTART + 9, RLENGTH - 9)
		match($0, / bytes_alloc=[0-9]+/); bytes = substr($0, RSTART + 13, RLENGTH - 13)
		sign = / alloc: / ? 1 : -1
		site = $0; sub(/.* (alloc|free): /, "", site); sub(/ account=.*/, "", site)
		sum[site] += sign * bytes
	}
	END {for (site in sum) if (sum[site]) print sum[site], site}' $TRACING/trace | sort
}
of_sites() { sites | awk '{bytes = $1; sub(/^([-0-9]+ )+/, ""); print bytes, $0}'; }
# difference FILE FILE: bytes by call site that are others in the second, of a module.
difference() {
	awk 'NR == FNR {bytes = $1; $1 = ""; before[$0] = bytes; next}
		{bytes = $1; $1 = ""; by = bytes - before[$0]; if (by) print by $0}' "$1" "$2" | sort
}
echo 65536 >$TRACING/buffer_size_kb
# What churns on all CPUs, allocated on one and freed on another, but for what goes on beside: chosen is what only this does.
echo "file mm/shmem.c func shmem_alloc_inode +t; module $MODULE +t" >$CONTROL
chosen() { grep -E ' func:(shmem_alloc_inode|tell_[a-z]*|keep)$'; }
: >/tmp/after
quiesce
of_sites | chosen >/tmp/before
look alloc free
churn() {
	local n
	for n in $(seq 20); do
		taskset -c "$1" bash -c "mkdir -p /tmp/churn$1 && cd /tmp/churn$1 && touch {1..50} && rm {1..40}"
		taskset -c $(((n + $1) % 4)) bash -c "rm -f /tmp/churn$1/4?; for w in object pages row area parts tail; do echo \$w >/sys/module/$MODULE/parameters/tell; done"
	done
}
for cpu in 0 1 2 3; do churn $cpu & done
wait
let_go
no_look
of_sites | chosen >/tmp/after
expect "none was lost" equal "$(lost)" 0
expect "many were told" at_least "$(told '(alloc|free)' | wc -l)" 2000
expect "on 4 CPUs the sum of events is what call sites have more, to the byte" equal "$(of_events)" "$(difference /tmp/before /tmp/after)"
rm -r /tmp/churn?
echo '=_' >"$CONTROL"

# By filters, histograms, and events made of events.
echo 'file ~ "*told.c" && function == "tell_pages"' >$EVENTS/alloc/filter
told_of pages alloc '[a-z_]+' >/dev/null
tell object
expect "filters go by file and function" equal "$(told alloc | grep -cv func:tell_pages)" 0
echo 0 >$EVENTS/alloc/filter
echo 'hist:keys=file,line:vals=bytes_alloc if module == "alloctag_told"' >$EVENTS/alloc/trigger
for _ in 1 2 3; do tell pages; done
expect "a histogram adds up bytes by call site" grep -qE 'told\.c *, line: +[0-9]+ *\} hitcount: +3 +bytes_alloc: +49152' $EVENTS/alloc/hist
echo '!hist:keys=file,line:vals=bytes_alloc if module == "alloctag_told"' >$EVENTS/alloc/trigger
echo 'lived u64 ns; char function[]' >$TRACING/synthetic_events
echo 'hist:keys=ptr:born=common_timestamp,what=function if module == "alloctag_told"' >$EVENTS/alloc/trigger
# shellcheck disable=SC2016 # the histogram's own variables
echo 'hist:keys=ptr:age=common_timestamp-$born,of=$what:onmatch(alloctag.alloc).lived($age,$of) if module == "alloctag_told"' >$EVENTS/free/trigger
echo 1 >$TRACING/events/synthetic/lived/enable
echo >$TRACING/trace
tell keep
tell drop
expect "an event made of both tells how long an object has lived" grep -qE 'lived: ns=[0-9]+ function=keep' $TRACING/trace
echo 0 >$TRACING/events/synthetic/lived/enable
for event in free alloc; do sed -n '/^hist/s/^/!/p' $EVENTS/$event/trigger | sed 's/ \[active\]$//' >/tmp/trigger; while read -r trigger; do echo "$trigger" >$EVENTS/$event/trigger; done </tmp/trigger; done
echo >$TRACING/synthetic_events

if has CONFIG_ALLOCTAG_STALLS; then
	insmod /tests/modules/alloctag_slow.ko
	look stall
	echo slab >/sys/module/alloctag_slow/parameters/wait
	no_look
	expect "what waits is told with its cause" at_least "$(told stall 'func:wait_slab account=[0-9]+ cause=(slab|pages) ns=[0-9]+' | wc -l)" 1
	rmmod alloctag_slow
fi

# Switched under load, while modules come and go whose events are in the buffers.
storm() {
	local n
	for n in $(seq 15); do
		insmod /tests/modules/alloctag_exact.ko && echo 1 >/sys/kernel/debug/alloctag_exact/step && rmmod alloctag_exact || return 1
	done
}
switch() {
	local n
	for n in $(seq 15); do look alloc free; echo "func tell_* +t" >"$CONTROL"; no_look; echo '=_' >"$CONTROL"; done
}
for cpu in 0 1; do churn $cpu & done
storm &
storms=$!
expect "events are switched under load" switch
wait $storms
stormed=$?
expect "while modules come and go" equal $stormed 0
wait
expect "and all is as it was" none_negative
rmmod $MODULE
finish
