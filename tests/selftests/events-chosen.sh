#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --mem 1G
# Events of some call sites only, by rules.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/events.sh"

if ! has_events; then
	skip "tracers are told of chosen call sites" "not by this kernel"
	finish
fi
mount_tracing
insmod /tests/modules/$MODULE.ko

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
rmmod $MODULE
finish
