# SPDX-License-Identifier: GPL-2.0-only
"""What the guests of scripts/bench said.

The record has a part for each boot, which begins by the line

    boot CONFIG MODE MEASUREMENT CPUS MEGABYTES

(words separated by tabs here and below). After it come the rows of tests/bench/guest, what tests/bench/plugin.c
wrote ("op …" and "pc …"), or "died REASON"."""

from dataclasses import dataclass, field

# What /proc/sys/vm/mem_profiling and mem_profiling_compressed show in each mode.
SETTINGS = {
    "absent": ("off", "off"),
    "on": ("1", "0"),
    "off": ("0", "0"),
    "never": ("0", "0"),
    "compressed": ("1", "1"),
    "chosen": ("1", "0"),
    "owned": ("1", "0"),
}
# The calibration's loop has this many instructions, and the clock must say so to a tenth.
CALIBRATION = 100.0
TOLERANCE = 0.05


# What the plugin adds up over an operation's rounds, in its order.
SUMS = ("instructions", "code", "read", "written", "touched")


@dataclass
class Round:
    """What the plugin saw in a round of an operation's loop, on average."""
    instructions: float
    code: float
    read: float
    written: float
    touched: float
    times: int = 0
    pcs: dict = field(default_factory=dict)  # address: times executed in a round


@dataclass
class Boot:
    config: str
    mode: str
    measurement: str
    cpus: int
    megabytes: int
    values: dict = field(default_factory=dict)  # name: instructions, bytes or a number
    each: dict = field(default_factory=dict)  # name: operations in a round
    rounds: list = field(default_factory=list)  # of Round, in the order of the operations
    faults: list = field(default_factory=list)

    def name(self):
        return f"{self.config} {self.mode} ({self.measurement}, {self.cpus} CPUs, {self.megabytes} MiB)"


def parse(lines):
    """The boots of a record. What is wrong with one is in its faults."""
    boots = []
    for number, line in enumerate(lines, 1):
        words = line.rstrip("\n").split("\t") if "\t" in line else line.split()
        if not words:
            continue
        if words[0] == "boot":
            if len(words) != 6:
                raise ValueError(f"line {number}: 'boot' wants five words, not {line.strip()!r}")
            boots.append(Boot(*words[1:4], int(words[4]), int(words[5])))
        elif not boots:
            raise ValueError(f"line {number}: no 'boot' before {line.strip()!r}")
        else:
            _row(boots[-1], words)
    for boot in boots:
        _check(boot)
    return boots


def _row(boot, words):
    name = words[0]
    if name == "died":
        boot.faults.append(f"the guest died: {' '.join(words[1:])}")
    elif name == "op":
        if len(words) != len(("op", "rounds", *SUMS)):
            boot.faults.append(f"the plugin said {' '.join(words)!r}, which is no operation")
            return
        rounds, *sums = map(int, words[1:])
        boot.rounds.append(Round(*(total / max(rounds, 1) for total in sums), times=rounds))
    elif name == "pc" and boot.rounds:
        _executed(boot.rounds[-1], int(words[1], 16), int(words[2]))
    elif name.startswith("setting/"):
        _setting(boot, name.removeprefix("setting/"), words[1])
    elif words[1:2] == ["failed"]:
        boot.faults.append(f"{name} failed")
    elif len(words) in (2, 3) and words[1].lstrip("-").isdigit():
        boot.values[name] = int(words[1]) / 1000
        if len(words) == 3:
            boot.each[name] = int(words[2])
    else:
        boot.faults.append(f"said {' '.join(words)!r}, which is no row")


def _executed(seen, address, times):
    """An address comes once for every translation of it."""
    seen.pcs[address] = seen.pcs.get(address, 0) + times / max(seen.times, 1)


def _setting(boot, name, value):
    wanted = dict(zip(("mem_profiling", "mem_profiling_compressed"), SETTINGS[boot.mode]))
    if name in wanted and value != wanted[name]:
        boot.faults.append(f"not in that mode: {name} is {value}, not {wanted[name]}")
    if name == "possible" and value not in ("0", f"0-{boot.cpus - 1}"):
        boot.faults.append(f"its possible CPUs are {value}")


def _check(boot):
    if not boot.values and not boot.faults:
        boot.faults.append("said nothing")
    if boot.measurement not in ("ops", "cache") or boot.faults:
        return
    seen = boot.values.get("calibration")
    if seen is None or abs(seen - CALIBRATION) > TOLERANCE:
        boot.faults.append(f"its clock does not count instructions: {CALIBRATION:g} of them came to {seen}")
    if boot.measurement == "cache" and len(boot.rounds) != len(boot.each):
        boot.faults.append(f"the plugin saw {len(boot.rounds)} operations, the guest {len(boot.each)}")
