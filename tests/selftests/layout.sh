#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --tests
# Modules that were built against packaged headers are counted; those that have other tags than the kernel are refused.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

MODULES=/tests/modules
OBJECT=512
REFUSAL='%s: built with allocation tags that are not this kernel.s (%s instead of .*); build it against this kernel.s headers'

load() { insmod "$@" sign=here; }
# What the kernel has said about a module.
said() { dmesg | grep -F "$1: "; }
# objects MODULE: how many are on its row, and whether they have their bytes; nothing where it has no row.
objects() { rows | awk -v name="[$1]" -v size="$OBJECT" '$4 == name {print $2, ($1 >= $2 * size) ? "whole" : $1}'; }
# has_object MODULE: loaded, it has its object on its row, and unloaded no row.
has_object() {
	load "$MODULES/$1.ko" || return 1
	equal "$(objects "$1")" "1 whole" || return 1
	said "$1" | grep 'its parameter was set' || return 1
	rmmod "$1"
	equal "$(objects "$1")" ''
}
# is_refused NAME LAYOUT INSMOD…: as a module of another format, with one line in the log, and nothing of it has run.
is_refused() {
	local name=$1 line message
	# shellcheck disable=SC2059 # one of ours
	line=$(printf "$REFUSAL" "$1" "$2")
	shift 2
	kernel_log >/tmp/before
	if message=$("$@" sign=here 2>&1); then
		echo "it was loaded"
		return 1
	fi
	grep -q 'Invalid module format' <<<"$message" || { echo "$message"; return 1; }
	kernel_log | tail -n +$(($(wc -l </tmp/before) + 1)) >/tmp/news
	cat /tmp/news
	[[ $(grep -cE "$name|alloc_?tag" /tmp/news) == 1 ]] && grep -q "$line" /tmp/news && fails grep -qw "$name" /proc/modules
}
# marked FILE FROM TO: a copy of a module that says another layout, of the same length.
marked() { LC_ALL=C sed "s/alloc_tags=$2/alloc_tags=$3/" "$MODULES/$1.ko" >"/tmp/$1.ko"; }

names >/tmp/names
expect "a module that was built against packaged headers is counted" has_object alloctag_packaged
expect "as is one that was built in the kernel's build directory" has_object alloctag_tenant

if is_other_core; then
	expect "to the C core its own tags are no strangers" has_object alloctag_forged
	expect "a module with tags of the Rust core is refused, and nothing of it runs" \
		is_refused alloctag_marked "24 bytes" insmod $MODULES/alloctag_marked.ko
else
	expect "a module with tags of the C core is refused, and nothing of it runs" \
		is_refused alloctag_forged "the C core.s" insmod $MODULES/alloctag_forged.ko
	expect "so is one where a single object has such" \
		is_refused alloctag_mixed "the C core.s" insmod $MODULES/alloctag_mixed.ko
	marked alloctag_tenant 24 28
	expect "so is one that says another layout" is_refused alloctag_tenant "28 bytes: .*" insmod /tmp/alloctag_tenant.ko
	sed -i 's/alloc_tags=/other_tags=/' /tmp/alloctag_tenant.ko
	expect "so is one that says none" is_refused alloctag_tenant unmarked insmod /tmp/alloctag_tenant.ko
	marked alloctag_empty 24 28
	expect "one without a tag is not asked" insmod /tmp/alloctag_empty.ko
	rmmod alloctag_empty

	# Forcing goes by the magic of versions, of which the kernel says that it was not asked.
	cp /tmp/alloctag_tenant.ko $MODULES/alloctag_forged.ko "/lib/modules/$(uname -r)"
	depmod
	modprobe --force alloctag_tenant sign=here 2>/dev/null
	modprobe --force alloctag_forged sign=here 2>/dev/null
	expect "forcing does not help" fails grep -qE 'alloctag_(tenant|forged)' /proc/modules
	expect "though it is heard" grep 'bad vermagic: kernel tainted' <(dmesg)
	expect "each is refused once more" equal "$(dmesg | grep -c "built with allocation tags that are not")" 6
	expect "the parameter of none was set" fails grep -E 'alloctag_(forged|mixed): its' <(dmesg)
	expect "no row has come of it" cmp /tmp/names <(names)
fi
finish
