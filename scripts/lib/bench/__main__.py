# SPDX-License-Identifier: GPL-2.0-only
"""The reading half of scripts/bench.

    report RECORD JSON COMPILER ARCH CPU [CONFIG=IMAGE…]
                                         prints the tables; writes JSON unless it is '-'; exits 1 if a boot was at fault
    compare OLD NEW                      prints what moved between two JSON files
    tables JSON DIRECTORY                puts the figures into the tables of the page there that is for them
    sites CONFIG=IMAGE…                  prints what a call site in Rust takes
    where RECORD OP CONFIG=IMAGE…        prints an operation's instructions by function
"""

import json
import os
import sys

import boots
import compare
import image
import page
import report
import table
import where


def _load(path):
    with open(path, encoding="utf-8") as file:
        try:
            loaded = json.load(file)
        except ValueError:
            loaded = None
    if not isinstance(loaded, dict) or loaded.get("format") != report.FORMAT or "results" not in loaded:
        raise ValueError(f"{path}: not a report of scripts/bench, format {report.FORMAT}")
    return loaded


def _record(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return boots.parse(file)


def _builds(words):
    return dict(word.split("=", 1) for word in words)


def main(arguments):
    match arguments:
        case ["report", record, out, compiler, arch, cpu, *builds]:
            made = report.make(_record(record), _builds(builds), compiler, arch, cpu)
            print(table.text(made))
            if out != "-":
                with open(out, "w", encoding="utf-8") as file:
                    json.dump(made, file, indent=1)
                    file.write("\n")
            for fault in made["faults"]:
                print(f"bench: {fault['boot']}: {fault['fault']}", file=sys.stderr)
            return 1 if made["faults"] else 0
        case ["compare", old, new]:
            print(compare.text(_load(old), _load(new)))
            return 0
        case ["tables", path, directory]:
            made = _load(path)
            page_path = os.path.join(directory, page.place(made))
            with open(page_path, encoding="utf-8") as file:
                text = page.filled(file.read(), made)
            with open(page_path, "w", encoding="utf-8") as file:
                file.write(text)
            return 0
        case ["sites", *builds]:
            print(table.sites({config: image.rust_sites(path) for config, path in _builds(builds).items()}))
            return 0
        case ["where", record, op, *builds]:
            boots_made = _record(record)
            print(where.text(boots_made, op, _builds(builds)))
            faults = [f"bench: {boot.name()}: {fault}" for boot in boots_made for fault in boot.faults]
            print("".join(f"{fault}\n" for fault in faults), end="", file=sys.stderr)
            return 1 if faults else 0
        case _:
            print(__doc__, file=sys.stderr)
            return 2


try:
    sys.exit(main(sys.argv[1:]))
except (OSError, ValueError) as error:
    print(f"bench: {error}", file=sys.stderr)
    sys.exit(1)
