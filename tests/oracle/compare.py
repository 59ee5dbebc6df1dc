#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""compare.py C RUST EXCEPTIONS: judges what tests/oracle/guest printed in two kernels, as TAP.

For every kind of work, what each row gained while it was held, and what was left afterwards, has to
be the same in both kernels, but for a tolerance that chance needs and for rows that are listed. The
work is done in some rounds, and the middle one of what a row gained in them counts: a kworker that
begins or ends in one of them, with its stack, is none of the work's, and what a core counts wrong
it counts wrong in every round.
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


def judge(c_path, rust_path, exceptions_path):
    """Prints TAP; whether anything is wrong."""
    c, rust = read(c_path), read(rust_path)
    exceptions = read_exceptions(exceptions_path)
    tap = Tap()
    tap.say("end" in c and c.keys() == rust.keys(), "both kernels came to the end of the work",
            [f"sections: {len(c)} in c, {len(rust)} in rust"])
    kinds = [section.split(":")[0] for section in c if section.endswith(": after 0")]
    for kind in kinds if not tap.failures else ():
        made_c, made_rust = (change(core, kind, "held") for core in (c, rust))
        moved = [name for name in made_c if abs(made_c[name]) > CHANCE]
        wrong = list(apart(made_c, made_rust, exceptions))
        tap.say(not wrong, f"{kind}: rows gain the same while it is held ({len(moved)} of them more than chance)", wrong)
        if kind not in IDLE:
            total_c, total_rust = sum(made_c.values()), sum(made_rust.values())
            tap.say(total_c > WORK and total_rust > WORK, f"{kind}: that is something in all",
                    [f"{total_c} bytes in c, {total_rust} in rust"])
        left_c, left_rust = (change(core, kind, "after") for core in (c, rust))
        wrong = list(apart(left_c, left_rust, exceptions))
        tap.say(not wrong, f"{kind}: rows have the same left afterwards", wrong)
        negative = [name for core in (c, rust) for section, rows in core.items()
                    if section.startswith(f"{kind}: ") for name, held in rows.items() if held < 0]
        tap.say(not negative, f"{kind}: no row is negative", negative)
    print(f"1..{tap.count}")
    return tap.failures > 0


if __name__ == "__main__":
    sys.exit(judge(*sys.argv[1:]))
