#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the judge of tests/suites/oracle, on records written here."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import compare

STACK = "kernel/fork.c:1 func:stack"
THREAD = "kernel/fork.c:419 func:alloc_thread_stack_node"
FILE = "fs/file.c:2 func:open"
HELD = 256 * 1024


def record(wrong=()):
    """What a guest prints of one kind of work: so much more than is right on a row, in these sections."""
    lines = []
    for section in ["after 0", *(f"{when} {number}" for number in compare.ROUNDS for when in ("held", "after"))]:
        right = HELD * (2 if section.startswith("held") else 1)
        lines.append(f"== pipes: {section}")
        for name in (STACK, THREAD, FILE):
            lines.append(f"{right + sum(more for where, what, more in wrong if (where, what) == (section, name))} 1 {name}")
    return "\n".join([*lines, "== end", ""])


def failures(*rust, exceptions="", c=None):
    """The sentences that do not hold, with their evidence, of so many boots."""
    with tempfile.TemporaryDirectory() as directory:
        texts = [exceptions, *(text for boot in rust for text in (c or record(), boot))]
        paths = [Path(directory) / str(number) for number in range(len(texts))]
        for path, text in zip(paths, texts):
            path.write_text(text, encoding="utf-8")
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            status = compare.judge(*paths)
    lines = said.getvalue().splitlines()
    found = [line for line in lines if line.startswith(("not ok", "#"))]
    assert status == bool(found)
    return found


class Judge(unittest.TestCase):
    def test_same(self):
        """the same in both kernels is right"""
        self.assertEqual(failures(record()), [])

    def test_every_round(self):
        """what a core counts wrong in every round is found, held and left"""
        missed = [(f"after {number}", STACK, 32768 * number) for number in compare.ROUNDS]
        missed += [(f"held {number}", STACK, 32768 * (number - 1)) for number in compare.ROUNDS]
        self.assertEqual(failures(record(missed)),
                         ["not ok 4 - pipes: rows have the same left afterwards",
                          f"# {STACK}: +0 bytes in c, +32768 in rust"])
        doubled = [(f"held {number}", FILE, HELD) for number in compare.ROUNDS]
        self.assertEqual(failures(record(doubled)),
                         ["not ok 2 - pipes: rows gain the same while it is held (3 of them more than chance)",
                          f"# {FILE}: +{HELD} bytes in c, +{2 * HELD} in rust"])

    def test_one_round(self):
        """what moves in one round only is none of the work's"""
        self.assertEqual(failures(record([("held 2", STACK, 65536)])), [])

    def test_boots(self):
        """so is what is apart in one boot only, and what is so in every boot is wrong"""
        def left(row, more):
            return record([(f"after {number}", row, more * number) for number in compare.ROUNDS])

        once, twice = left(STACK, 32768), left(STACK, 65536)
        self.assertEqual(failures(once, record()), [])
        self.assertEqual(failures(once, left(FILE, 32768)), [])
        self.assertEqual(failures(once, twice)[-1],
                         f"# {STACK}: +0 bytes in c, +32768 in rust; +0 bytes in c, +65536 in rust")
        self.assertEqual(failures(record([("after 1", FILE, -HELD - 1)]), record())[-1], f"# {FILE}")
        self.assertEqual(failures(record(), record().replace("== end", ""))[0],
                         "not ok 1 - both kernels came to the end of the work")

    def test_threads(self):
        """a thread that ended in one kernel and began in the other is chance, five are not"""
        def gained(row, threads):
            return record([(f"{when} {number}", row, threads * number * 4 * 4096)
                           for number in compare.ROUNDS for when in ("held", "after")])

        ended = gained(THREAD, -1)
        self.assertEqual(failures(gained(THREAD, 1), c=ended), [])
        self.assertEqual(failures(gained(THREAD, 4), c=ended)[-1],
                         f"# {THREAD}: -16384 bytes in c, +65536 in rust")
        self.assertEqual(failures(gained(FILE, 1), c=gained(FILE, -1))[-1],
                         f"# {FILE}: -16384 bytes in c, +16384 in rust")

    def test_exceptions(self):
        """a row that is listed may differ, whatever its line"""
        doubled = [(f"held {number}", FILE, HELD) for number in compare.ROUNDS]
        self.assertEqual(failures(record(doubled), exceptions="fs/file.c func:open\twhy"), [])

    def test_negative(self):
        """a negative row is wrong in any round"""
        self.assertEqual(failures(record([("after 1", FILE, -HELD - 1)])),
                         ["not ok 5 - pipes: no row is negative", f"# {FILE}"])

    def test_end(self):
        """a guest that did not come to its end fails"""
        self.assertEqual(failures(record(), c=record().replace("== end", ""))[0],
                         "not ok 1 - both kernels came to the end of the work")

    def test_nothing(self):
        """work that moves nothing is no work"""
        idle = record([(f"held {number}", name, -HELD) for number in compare.ROUNDS for name in (STACK, THREAD, FILE)])
        self.assertEqual(failures(idle, c=idle)[0], "not ok 3 - pipes: that is something in all")


if __name__ == "__main__":
    unittest.main()
