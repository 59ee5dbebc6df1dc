# SPDX-License-Identifier: GPL-2.0-only
"""What profiling adds to the linked image, read from the sections and symbols of vmlinux.

An image is a directory as scripts/lib/bench.sh leaves it: vmlinux, config, core, the section
tables of the core's own objects, and sites and hooked, those of objects with call sites in Rust,
with how many there are in the last line."""

import re
import subprocess
from bisect import bisect
from pathlib import Path

# Number, name, type, address, offset, size, entry size, flags.
SECTION = re.compile(r"\s*\[ *\d+\] (\S+) +[A-Z]\S* +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) [0-9a-f]+ +([A-Za-z]*) ")


def _run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def kind(name, flags):
    """What a loaded section is counted as."""
    if "X" in flags:
        return "text"
    if "percpu" in name:
        return "percpu"
    return "unwind" if name.startswith(".orc") else "data"


def sizes(table):
    """Bytes by kind of the sections of an ELF file, or of all members of an archive, that the linker keeps and the kernel
    loads."""
    total = dict.fromkeys(("text", "data", "unwind", "percpu"), 0)
    for match in filter(None, map(SECTION.match, table)):
        name, flags = match[1], match[4]
        if "A" in flags and not name.startswith(".discard"):
            total[kind(name, flags)] += int(match[3], 16)
    return total


def rust_sites(directory):
    """Bytes by kind of a call site in Rust: as drivers write it, and with a tag of its own."""
    found = {}
    for name in ("sites", "hooked"):
        *rows, count = (Path(directory) / name).read_text(encoding="utf-8").splitlines()
        found[name] = {what: size / int(count) for what, size in sizes(rows).items()}
    return found


class Image:
    def __init__(self, directory):
        vmlinux = str(Path(directory) / "vmlinux")
        self.size = sizes(_run("llvm-readelf", "--sections", "--wide", vmlinux))
        if not self.size["text"]:
            raise ValueError(f"{vmlinux} has no sections")
        self.core = sizes((Path(directory) / "core").read_text(encoding="utf-8").splitlines())
        self.rust = rust_sites(directory)
        nm = [line.split(maxsplit=2) for line in _run("llvm-nm", "--numeric-sort", vmlinux)]
        self.symbols = {name: int(address, 16) for address, _, name in nm}
        self.functions = [(int(address, 16), name) for address, letter, name in nm if letter in "tTwW"]
        self.spare_accounts = self._spare_accounts(Path(directory) / "config")

    @staticmethod
    def _spare_accounts(config):
        """Counters that are kept for modules and Rust's call sites from the start; the C core allocates those of modules
        when they come."""
        def number(symbol):
            found = re.search(rf"^CONFIG_{symbol}=(\d+)$", config.read_text(encoding="utf-8"), re.MULTILINE)
            return int(found[1]) if found else None
        callers = number("ALLOCTAG_RUST_CALLERS_ORDER")
        return (number("ALLOCTAG_SPARE_ACCOUNTS") or 0) + (0 if callers is None else 1 << callers)

    def bytes_between(self, first, last):
        return self.symbols.get(last, 0) - self.symbols.get(first, 0)

    def function_at(self, address):
        """The function that an address lies in; what lies beyond the image belongs to a module."""
        if address >= self.functions[-1][0] or address < self.functions[0][0]:
            return "(module)"
        return self.functions[bisect(self.functions, (address, "\U0010ffff")) - 1][1]


def measure(image, base, tags):
    """The rows "memory" of a configuration, over the one without profiling; `tags` built-in call sites."""
    grown = {what: size - base.size[what] for what, size in image.size.items()}
    return {
        "text-per-site": (grown["text"] - image.core["text"]) / tags,
        "data-per-site": (grown["data"] - image.core["data"]) / tags,
        "unwind-per-site": (grown["unwind"] - image.core["unwind"]) / tags,
        "rust-text-per-site": image.rust["sites"]["text"] - base.rust["sites"]["text"],
        "rust-data-per-site": image.rust["sites"]["data"] - base.rust["sites"]["data"],
        "hooked-text-per-site": image.rust["hooked"]["text"] - base.rust["hooked"]["text"],
        "hooked-data-per-site": image.rust["hooked"]["data"] - base.rust["hooked"]["data"],
        "core-text": image.core["text"],
        "core-data": image.core["data"],
        "tag": image.bytes_between("__start_alloc_tags", "__stop_alloc_tags") / tags,
        "counters-per-cpu": grown["percpu"],
        "spare-accounts": image.spare_accounts,
        "counter-per-tag-and-cpu": grown["percpu"] / (tags + image.spare_accounts),
    }
