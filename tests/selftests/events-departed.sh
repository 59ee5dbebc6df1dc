#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --cpus 4 --mem 1G
# Events of what modules have allocated that have gone, under the names that they had; and of lines of Rust code.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/events.sh"

if ! has_events; then
	skip "tracers are told of what modules have left" "not by this kernel"
	finish
fi
mount_tracing
KEEPER=/sys/kernel/debug/alloctag_keeper
load() { insmod "/tests/modules/alloctag_$1.ko" "${@:2}"; }

load keeper
load outlive
look alloc free
rmmod alloctag_outlive
echo 4 >$KEEPER
no_look
for function in keep_object keep_vmalloc keep_page keep_area; do
	expect "what $function() of a module has left is named when it is freed" \
		at_least "$(told free "outlive\.c:[0-9]+ \[alloctag_outlive\] func:$function " | wc -l)" 1
done
load outlive
rmmod alloctag_outlive
look free
echo 4 >$KEEPER
no_look
expect "also where nobody looked when it went" at_least "$(told free ' \[alloctag_outlive\] func:keep_object ' | wc -l)" 1

load lines
look alloc free
exec 5</dev/alloctag-lines
exec 5<&-
no_look
expect "lines of Rust code are named with their module" at_least "$(told alloc 'alloctag_lines\.rs:[0-9]+ \[alloctag_lines\] func:[^ ]+ ' | wc -l)" 1
expect "and so they are when that is freed" at_least "$(told free 'alloctag_lines\.rs:[0-9]+ \[alloctag_lines\] func:[^ ]+ ' | wc -l)" 1
rmmod alloctag_lines
if has CONFIG_ALLOCTAG_RUST_CALLERS; then
	load early keep=2
	rmmod alloctag_early
	look free
	echo 4 >$KEEPER
	no_look
	expect "also where the module has gone" equal "$(told free 'early_box\.rs:[0-9]+ \[alloctag_early\] func:early_box ' | wc -l)" 2
fi

# Others keep their names while those are dropped that nobody needs.
load told
echo "module $MODULE +t" >"$CONTROL"
drop_rows() {
	local n
	for n in $(seq 10); do
		load outlive && rmmod alloctag_outlive && echo 4 >$KEEPER && rows >/dev/null || return 1
	done
}
look alloc free
drop_rows &
while kill -0 $! 2>/dev/null; do tell object; done
wait $!
expect "modules come and go" equal $? 0
no_look
expect "meanwhile others are told of" at_least "$(count alloc tell_object)" 20
expect "each under its name" equal "$(told '(alloc|free)' | grep -cv ' func:tell_object ')" 0
echo '=_' >"$CONTROL"
rmmod $MODULE
rmmod alloctag_keeper
finish
