# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Whether counting is exact after the switch was moved under load. Needs expect.sh, allocinfo.sh, sites.sh and a guest with --tests.
#
# The switch is moved in one place after another. Meanwhile a call site may be on already and one further in not yet, so a row
# may have got what is not its own: above all the page of a slab that was made for its objects, which leaves the row when the
# slab goes, at whatever time. Two things are exact whatever the rows have got: how much a call site has allocated
# since, for that number only grows; and the rows of call sites that are new.

FILES=500
# Call sites of alloctag_many, each of which has one object.
MANY=3000

of_many() { rows | grep -F ' [alloctag_many] '; }
# once: how many of them have one object, as large as the first one's.
once() { of_many | awk 'NR == 1 {bytes = $1} $1 == bytes && $1 > 0 && $2 == 1 {n++} END {print n + 0}'; }
left_of_many() { of_many | wc -l; }

expect_exact() {
	local made
	made=$(of 4)
	make_files /tmp/exact $FILES
	expect "what is allocated is counted again" equal "$(of 4)" $((made + FILES + 1))
	rm -r /tmp/exact
	insmod /tests/modules/alloctag_many.ko
	expect "counting is exact again" equal "$(once)" $MANY
	rmmod alloctag_many
	expect "and so is its undoing" settles 0 left_of_many
}
