#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""compare.py EXCEPTIONS C RUST [C RUST]…: judges what tests/oracle/guest printed in two kernels, as TAP.

For every kind of work, what each row gained while it was held, and what was left afterwards, has to
be the same in both kernels, but for a tolerance that chance needs and for rows that are listed. The
work is done in some rounds, and the middle one of what a row gained in them counts: a kworker that
begins or ends in one of them, with its stack, is none of the work's, and what a core counts wrong
it counts wrong in every round. So it does in every boot: where there are records of more than one of
each kernel, a row is apart if it is so in all of them.
"""

import collections
import re
import statistics
import sys
from pathlib import Path

# What a row may differ by: a part of the greater change, or so much, whichever is more. Less than a
# slab or a few pages is chance: which slab has room, which page table is shared, which CPU frees.
PART = 0.05
CHANCE = 16 * 1024
# Where chance is more than that: the page tables of a process or two that have ended and are not quite gone, and the stacks,
# four pages each, of a kworker that begins or ends and of two threads for each CPU that have ended (NR_CACHED_STACKS).
MORE_CHANCE = re.compile(r"func:(pte_alloc_one|__(p4d|pud|pmd)_alloc|alloc_thread_stack_node) *$")
MORE = 64 * 1024
# An odd number, as the guest has them.
ROUNDS = range(1, 4)
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
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            rows = sections[line[3:].strip()] = collections.Counter()
        elif rows is not None and (match := ROW.match(line)):
            rows[match[3]] += int(match[1])
    return sections


def read_exceptions(path):
    """Names without line numbers."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return {line.split("\t")[0] for line in lines if line and not line.startswith("#")}


def without_line(name):
    return re.sub(r":\d+ ", " ", name)


def change(sections, work, when):
    """What every row gained in a round of work until then, in the middle one of the rounds."""
    names = {name for section, rows in sections.items() if section.startswith(f"{work}: ") for name in rows}
    rounds = [(sections[f"{work}: after {number - 1}"], sections[f"{work}: {when} {number}"])
              for number in ROUNDS]
    return {name: statistics.median(new[name] - old[name] for old, new in rounds)
            for name in names if not OWN.match(name)}


def tolerance(name, first, second):
    return max(PART * max(abs(first), abs(second)), MORE if MORE_CHANCE.search(name) else CHANCE)


def apart(c, rust, exceptions):
    """Rows that differ by more than chance and are not listed, by name."""
    rows = {}
    for name in sorted(c.keys() | rust.keys()):
        first, second = c.get(name, 0), rust.get(name, 0)
        if abs(first - second) > tolerance(name, first, second) and without_line(name) not in exceptions:
            rows[name] = f"{first:+} bytes in c, {second:+} in rust"
    return rows


def always_apart(boots, exceptions):
    """Those that do so in each pair of boots, with what they had in each."""
    rows = [apart(c, rust, exceptions) for c, rust in boots]
    return [f"{name}: {'; '.join(boot[name] for boot in rows)}"
            for name in rows[0] if all(name in boot for boot in rows)]


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


def judge(exceptions_path, *paths):
    """Prints TAP of records in pairs, C and Rust; whether anything is wrong."""
    records = [read(path) for path in paths]
    boots = list(zip(records[::2], records[1::2]))
    exceptions = read_exceptions(exceptions_path)
    tap = Tap()
    tap.say(all("end" in core and core.keys() == records[0].keys() for core in records),
            "both kernels came to the end of the work",
            ["sections: " + ", ".join(f"{len(c)} in c, {len(rust)} in rust" for c, rust in boots)])
    kinds = [section.split(":")[0] for section in records[0] if section.endswith(": after 0")]
    for kind in kinds if not tap.failures else ():
        made = [[change(core, kind, "held") for core in boot] for boot in boots]
        moved = [name for name in made[-1][0] if abs(made[-1][0][name]) > CHANCE]
        wrong = always_apart(made, exceptions)
        tap.say(not wrong, f"{kind}: rows gain the same while it is held ({len(moved)} of them more than chance)", wrong)
        if kind not in IDLE:
            totals = [[sum(rows.values()) for rows in boot] for boot in made]
            tap.say(all(total > WORK for boot in totals for total in boot), f"{kind}: that is something in all",
                    [f"{c} bytes in c, {rust} in rust" for c, rust in totals])
        wrong = always_apart([[change(core, kind, "after") for core in boot] for boot in boots], exceptions)
        tap.say(not wrong, f"{kind}: rows have the same left afterwards", wrong)
        negative = [name for core in records for section, rows in core.items()
                    if section.startswith(f"{kind}: ") for name, held in rows.items() if held < 0]
        tap.say(not negative, f"{kind}: no row is negative", negative)
    print(f"1..{tap.count}")
    return tap.failures > 0


if __name__ == "__main__":
    sys.exit(judge(*sys.argv[1:]))
