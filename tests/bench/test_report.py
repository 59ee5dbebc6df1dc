#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the reading half of scripts/bench, on records written here."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "lib" / "bench"))
import boots  # noqa: E402
import compare  # noqa: E402
import page  # noqa: E402
import report  # noqa: E402
import table  # noqa: E402


def ops(config, mode, settings, *rows, measurement="ops", megabytes=1024):
    """The record of one boot, with the settings as the guest says them before and after."""
    said = [f"setting/mem_profiling\t{settings[0]}", f"setting/mem_profiling_compressed\t{settings[1]}",
            "setting/possible\t0"]
    return [f"boot\t{config}\t{mode}\t{measurement}\t1\t{megabytes}", *said, *rows, *said]


CLOCK = "calibration\t100000\t1"
NONE = ops("none", "absent", ("off", "off"), CLOCK, "kmalloc-64\t144000\t1")
C_ON = ops("c", "on", ("1", "0"), CLOCK, "kmalloc-64\t330000\t1")
RUST_ON = ops("rust", "on", ("1", "0"), CLOCK, "kmalloc-64\t206000\t1")


def report_of(*records):
    return report.make(boots.parse([line for record in records for line in record]), {})


def faults_of(*records):
    return [fault["fault"] for fault in report_of(*records)["faults"]]


class Boots(unittest.TestCase):
    def test_rows(self):
        """rows become instructions, thousandths and all"""
        self.assertEqual(report_of(ops("c", "on", ("1", "0"), CLOCK, "page-0\t960125\t1"))["results"][1],
                         {"op": "page-0", "config": "c", "mode": "on", "instructions": 960.125})

    def test_running(self):
        """reading has its CPUs in its keys, and whether all of them ran"""
        said = ("setting/mem_profiling\t1", "setting/mem_profiling_compressed\t0", "setting/possible\t0-15")
        made = report_of(*([f"boot\tc\ton\t{measurement}\t16\t1024", *said, "read-text\t9000"]
                           for measurement in ("read", "running")))
        self.assertEqual([row["op"] for row in made["results"]], ["read-text/16", "read-text/16/running"])
        self.assertEqual(page.reading(made).count("CPUs"), 1)

    def test_modes(self):
        """a kernel that is not in the mode it was booted for is at fault, whichever setting shows it"""
        for mode, settings in (("on", ("0", "0")), ("off", ("1", "0")), ("never", ("1", "0")),
                               ("compressed", ("1", "0")), ("compressed", ("0", "0")), ("absent", ("1", "0"))):
            for config in ("c", "rust"):
                with self.subTest(config=config, mode=mode, settings=settings):
                    self.assertIn("not in that mode", faults_of(ops(config, mode, settings, CLOCK))[0])

    def test_faulty_left_out(self):
        """what a faulty boot has measured is not published"""
        self.assertEqual(report_of(ops("c", "on", ("0", "0"), CLOCK, "page-0\t1000\t1"))["results"], [])

    def test_died(self):
        """a guest that died is named"""
        made = report_of(NONE, ["boot\tc\ton\tops\t1\t1024", "died\tstatus 122"])
        self.assertEqual(made["faults"], [{"boot": "c on (ops, 1 CPUs, 1024 MiB)",
                                           "fault": "the guest died: status 122"}])

    def test_silent(self):
        """a guest that said nothing is at fault"""
        self.assertEqual(faults_of(["boot\tc\ton\tops\t1\t1024"]), ["said nothing"])

    def test_clock(self):
        """a clock is believed within a twentieth of an instruction"""
        for said, believed in ((100000, True), (100049, True), (100051, False), (99949, False), (50000, False)):
            with self.subTest(said=said):
                faults = faults_of(ops("c", "on", ("1", "0"), f"calibration\t{said}\t1"))
                self.assertEqual(not faults, believed)

    def test_no_clock(self):
        """without a calibration there is no result"""
        self.assertIn("does not count", faults_of(ops("c", "on", ("1", "0"), "page-0\t1000\t1"))[0])

    def test_failed(self):
        """an operation that failed in the guest is a fault"""
        self.assertEqual(faults_of(ops("c", "on", ("1", "0"), CLOCK, "page-9\tfailed")), ["page-9 failed"])

    def test_garbled(self):
        """a line that is no row is a fault"""
        self.assertIn("no row", faults_of(ops("c", "on", ("1", "0"), CLOCK, "Segmentation fault"))[0])

    def test_headless(self):
        """a record that does not begin by a boot is refused"""
        with self.assertRaisesRegex(ValueError, "line 1"):
            boots.parse(["kmalloc-64\t1000\t1"])

    def test_plugin_disagrees(self):
        """the plugin and the guest have to have seen the same operations"""
        record = ops("c", "on", ("1", "0"), CLOCK, "kmalloc-64\t330000\t1", measurement="cache")
        self.assertIn("plugin saw 1", faults_of(record + ["op 10 1050 30 0 0 0"])[0])

    def test_plugin(self):
        """what the plugin counts is a mean over the rounds, less the loop"""
        record = ops("c", "on", ("1", "0"), CLOCK, "kmalloc-64\t330000\t1", measurement="cache")
        rows = report_of(record + ["op 10 1050 30 0 0 0", "pc ff 10", "op 10 3350 280 150 100 160"])["cache"]
        self.assertEqual(rows, [{"op": "kmalloc-64", "config": "c", "mode": "on", "instructions": 330.0,
                                 "code": 28.0, "read": 15.0, "written": 10.0, "touched": 16.0}])


    def test_retranslated(self):
        """an instruction that was translated twice counts by both"""
        record = ops("c", "on", ("1", "0"), CLOCK, measurement="cache") + ["op 10 100 0 0 0 0", "pc ff 10", "pc ff 30"]
        self.assertEqual(boots.parse(record)[0].rounds[0].pcs, {0xff: 4.0})


class Memory(unittest.TestCase):
    def rows(self, config, mode, settings, megabytes, total, memmap):
        return ops(config, mode, settings, f"memory/MemTotal\t{total}000", f"memory/nr_memmap_pages\t{memmap}000",
                   measurement="memory", megabytes=megabytes)

    def test_per_page(self):
        """bytes per page are the slope between two sizes, wherever the kernel books them"""
        made = report_of(self.rows("none", "absent", ("off", "off"), 1024, 1000000, 0),
                         self.rows("none", "absent", ("off", "off"), 2048, 2000000, 0),
                         self.rows("c", "on", ("1", "0"), 1024, 999000, 512),
                         self.rows("c", "on", ("1", "0"), 2048, 1999000, 1024),
                         self.rows("rust", "on", ("1", "0"), 1024, 998976, 0),
                         self.rows("rust", "on", ("1", "0"), 2048, 1997952, 0))
        self.assertEqual((made["memory"]["c"]["page/on"], made["memory"]["rust"]["page/on"]), (8.0, 4.0))


class Tables(unittest.TestCase):
    def test_ratio(self):
        """the ratio is ours over C's, of what each adds to none"""
        row = next(line for line in table.overheads(report_of(NONE, C_ON, RUST_ON)).splitlines() if line.startswith("kmalloc"))
        self.assertEqual(row.split(), ["kmalloc-64", "+186.0", "+62.0", "0.33"])

    def test_missing(self):
        """a table can be made of what there is"""
        self.assertIn("144.0", table.text(report_of(NONE)))


class Comparison(unittest.TestCase):
    def test_same(self):
        """equal reports say that nothing moved"""
        self.assertEqual(compare.text(report_of(C_ON), report_of(C_ON)), "nothing moved")

    def test_moved(self):
        """what moved is shown with both figures; what did not is not"""
        new = ops("c", "on", ("1", "0"), CLOCK, "kmalloc-64\t297000\t1")
        self.assertEqual(compare.text(report_of(C_ON), report_of(new)), "kmalloc-64 c on: 330.0 -> 297.0, -33.0 (-10.0%)")

    def test_least(self):
        """a move of a tenth counts, less does not"""
        for said, lines in ((330099, ["nothing moved"]), (330100, ["kmalloc-64 c on: 330.0 -> 330.1, +0.1 (+0.0%)"])):
            new = ops("c", "on", ("1", "0"), CLOCK, f"kmalloc-64\t{said}\t1")
            self.assertEqual(compare.text(report_of(C_ON), report_of(new)).splitlines(), lines)

    def test_gone_and_new(self):
        """a figure that only one report has is named"""
        self.assertEqual(sorted(compare.text(report_of(C_ON), report_of(RUST_ON)).splitlines()),
                         ["calibration c on: gone, was 100.0", "calibration rust on: new, 100.0",
                          "kmalloc-64 c on: gone, was 330.0", "kmalloc-64 rust on: new, 206.0"])


class Page(unittest.TestCase):
    # Instructions of a row of text by possible CPUs.
    READ = {"c": {8: 1000.0, 64: 2000.0}, "rust": {8: 500.0, 64: 700.0}}

    def whole(self):
        """The least report that has every table."""
        return {
            "results": [{"op": f"read-text/{cpus}", "config": core, "mode": "on", "instructions": cost}
                        for core, costs in self.READ.items() for cpus, cost in costs.items()],
            "cache": [],
            "memory": {"c": {"page/on": 8.0, "counters-per-cpu": 2**20}, "rust": {"page/on": 4.0, "counters-per-cpu": 2**20}},
        }

    def test_growth(self):
        """what was measured is shown, and beyond it the line through the last two points"""
        rows = [line.split() for line in page.growth(self.whole()).splitlines()]
        self.assertIn(["64", "256", "GiB", "512", "MiB", "256", "MiB", "64.0", "MiB", "64.0", "MiB", "2,000", "700", "0.35"], rows)
        self.assertIn(["10,000", "2,300", "0.23"], [row[-3:] for row in rows])

    def test_shape(self):
        """every line of a table is as wide as its rules"""
        for made in (page.reading, page.growth):
            rule, *rows = made(self.whole()).splitlines()
            self.assertEqual(rule, rows[1])
            self.assertTrue(all(len(row) <= len(rule) for row in rows))

    def test_quick(self):
        """a report that lacks what is needed is refused by one line"""
        with self.assertRaisesRegex(ValueError, "without --quick"):
            page.growth(report_of(NONE, C_ON, RUST_ON))

    def test_filled(self):
        """tables are put in place of the old ones, and all else stays"""
        names = ("instructions", "reading", "lines", "memory", "growth")
        old = "".join(f"before\n.. table {name}\nold\n.. end of {name}\n" for name in names) + "after\n"
        new = page.filled(old, self.whole())
        self.assertEqual((new.count("before"), new.count("old"), new.count("====")> 0), (5, 0, True))
        self.assertEqual(page.filled(new, self.whole()), new)
        with self.assertRaisesRegex(ValueError, "no place for the table 'growth'"):
            page.filled(old.replace(".. table growth", ""), self.whole())

    def test_compilers(self):
        """figures of gcc go into the table of gcc, with the operations that were measured, and nowhere else"""
        made = report.make(boots.parse([line for record in (NONE, C_ON, RUST_ON) for line in record]), {}, "gcc")
        old = ".. table instructions\nold\n.. end of instructions\n.. table gcc\nold\n.. end of gcc\n"
        new = page.filled(old, made)
        self.assertTrue(new.startswith(".. table instructions\nold\n"))
        rows = [line.split()[:8] for line in new.splitlines() if line.startswith("kmalloc")]
        self.assertEqual(rows, [["kmalloc", "64", "+", "kfree", "144", "+186", "+62", "0.33"]])

    def test_architectures(self):
        """figures of arm64 go into its tables, those of a CPU that was asked for into another, and nowhere else"""
        names = ("instructions", "arm64", "arm64-memory", "arm64-share", "arm64-no-lse")
        old = "".join(f".. table {name}\nold {name}\n.. end of {name}\n" for name in names)
        record = [line for part in (NONE, C_ON, RUST_ON) for line in part]
        for cpu, left in (("", ["instructions", "arm64-no-lse"]),
                          ("cortex-a57", ["instructions", "arm64", "arm64-memory", "arm64-share"])):
            with self.subTest(cpu=cpu):
                made = report.make(boots.parse(record), {}, "clang", "arm64", cpu)
                made["memory"] = {"c": self.SIZES, "rust": self.SIZES}
                self.assertEqual(page.place(made), "alloctag-cost-arm64.rst")
                new = page.filled(old, made)
                self.assertEqual([name for name in names if f"old {name}\n" in new], left)

    # A core of a guest of 1 GiB with one CPU: 1 MiB for pages, a hundred accounts of 40 bytes for the CPU and 30 beside.
    SIZES = {"page/on": 4.0, "counters-per-cpu": 4000, "counter-per-tag-and-cpu": 40.0, "spare-accounts": 60,
             "text-per-site": 70.0, "data-per-site": 230.0, "core-text": 300_000, "core-data": 400_000,
             "taken-1024M/on": 500_000 + 2**20 + 4000 + 3000, "taken-1024M/never": 500_000}

    def test_share(self):
        """a phone's share is the sum of its parts"""
        rows = {line.rsplit(maxsplit=2)[0]: line.split()[-1]
                for line in page.share({"memory": {"c": self.SIZES, "rust": self.SIZES}}).splitlines()}
        self.assertEqual({title: rows[title] for title in rows if title in (
            "references of pages", "call sites, text and data", "their accounts", "spare accounts", "the core itself", "all",
            "per cent of the memory")}, {
                "references of pages": "8.39", "call sites, text and data": "3.00", "their accounts": "3.50",
                "spare accounts": "0.02", "the core itself": "0.70", "all": "15.61", "per cent of the memory": "0.18"})


if __name__ == "__main__":
    unittest.main()
