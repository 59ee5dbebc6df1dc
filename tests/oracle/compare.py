#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""compare.py C RUST EXCEPTIONS: judges what tests/oracle/guest printed in two kernels, as TAP.

For every kind of work, what each row gained while it was held, and what was left afterwards, has to
be the same in both kernels, but for a tolerance that chance needs and for rows that are listed.
"""

import collections
import re
import sys

# What a row may differ by: a part of the greater change, or so much, whichever is more. Less than a
# slab or a few pages is chance: which slab has room, which page table is shared, which CPU frees.
PART = 0.05
CHANCE = 16 * 1024
# The page tables of a process or two that have ended and are not quite gone.
TABLES = re.compile(r"func:(pte_alloc_one|__(p4d|pud|pmd)_alloc) *$")
CHANCE_OF_TABLES = 64 * 1024
# A kind of work that moves less than this in all is no work.
WORK = 64 * 1024
# These need not move anything.
IDLE = {"boot", "processes"}
# Call sites of the cores themselves.
OWN = re.compile(r"^(mm/alloctag/|mm/alloc_tag\.c|lib/codetag\.c|mm/page_ext\.c)")
ROW = re.compile(r"^ *(-?\d+) +(\d+) (.*?)(?: accurate:no)? *$")


def read(path):
    """{section: {name: bytes}}, rows of one name added up."""
    sections, rows = {}, None
    for line in open(path, encoding="utf-8"):
        if line.startswith("== "):
            rows = sections[line[3:].strip()] = collections.Counter()
        elif rows is not None and (match := ROW.match(line)):
            rows[match[3]] += int(match[1])
    return sections


def read_exceptions(path):
    """Names without line numbers."""
    lines = (line.rstrip("\n") for line in open(path, encoding="utf-8"))
    return {line.split("\t")[0] for line in lines if line and not line.startswith("#")}


def without_line(name):
    return re.sub(r":\d+ ", " ", name)


def change(sections, work, before, after):
    """What every row gained."""
    old, new = sections[f"{work}: {before}"], sections[f"{work}: {after}"]
    return {name: new[name] - old[name] for name in old.keys() | new.keys() if not OWN.match(name)}


def tolerance(name, first, second):
    chance = CHANCE_OF_TABLES if TABLES.search(name) else CHANCE
    return max(PART * max(abs(first), abs(second)), chance)


def apart(c, rust, exceptions):
    """Rows that differ by more than chance and are not listed."""
    for name in sorted(c.keys() | rust.keys()):
        first, second = c.get(name, 0), rust.get(name, 0)
        if abs(first - second) > tolerance(name, first, second) and without_line(name) not in exceptions:
            yield f"{name}: {first:+} bytes in c, {second:+} in rust"


class Tap:
    """Numbers results."""

    def __init__(self):
        self.count = self.failures = 0

    def say(self, truth, sentence, evidence=()):
        self.count += 1
        self.failures += not truth
        print(f"{'ok' if truth else 'not ok'} {self.count} - {sentence}")
        for line in () if truth else evidence:
            print(f"# {line}")


def main():
    c, rust = read(sys.argv[1]), read(sys.argv[2])
    exceptions = read_exceptions(sys.argv[3])
    tap = Tap()
    tap.say("end" in c and c.keys() == rust.keys(), "both kernels came to the end of the work",
            [f"sections: {len(c)} in c, {len(rust)} in rust"])
    kinds = [section.split(":")[0] for section in c if section.endswith(": before")]
    for kind in kinds if not tap.failures else ():
        made_c, made_rust = (change(core, kind, "before", "held") for core in (c, rust))
        moved = [name for name in made_c if abs(made_c[name]) > CHANCE]
        wrong = list(apart(made_c, made_rust, exceptions))
        tap.say(not wrong, f"{kind}: rows gain the same while it is held ({len(moved)} of them more than chance)", wrong)
        if kind not in IDLE:
            total_c, total_rust = sum(made_c.values()), sum(made_rust.values())
            tap.say(total_c > WORK and total_rust > WORK, f"{kind}: that is something in all",
                    [f"{total_c} bytes in c, {total_rust} in rust"])
        left_c, left_rust = (change(core, kind, "before", "after") for core in (c, rust))
        wrong = list(apart(left_c, left_rust, exceptions))
        tap.say(not wrong, f"{kind}: rows have the same left afterwards", wrong)
        negative = [name for core in (c, rust) for when in ("before", "held", "after")
                    for name, held in core[f"{kind}: {when}"].items() if held < 0]
        tap.say(not negative, f"{kind}: no row is negative", negative)
    print(f"1..{tap.count}")
    sys.exit(tap.failures > 0)


if __name__ == "__main__":
    main()
