# SPDX-License-Identifier: GPL-2.0-only
"""Looks at the dashboard and the alert rules.

Usage: queries.py rules DASHBOARD        its queries as rules that promtool can check
       queries.py list DASHBOARD         its queries, a line each, of all machines
       queries.py unknown FILE METRICS…  the names of metrics in the file that are in none of those exports
"""
import json
import re
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def queries(dashboard):
    """Every query, as Grafana would send it with all machines chosen."""
    panels = json.loads(read(dashboard))["panels"]
    found = [target["expr"] for panel in panels for target in panel["targets"]]
    return [query.replace("$instance", ".*") for query in found]


def unknown(path, exports):
    """Samples are looked for, not families: a counter's has `_total` behind its name."""
    samples = {name for export in exports for name in re.findall(r"^(\w+)[{ ]", read(export), re.M)}
    wanted = set(re.findall(r"\bkernel_alloc_\w+", read(path)))
    # Only a running kernel says these.
    return sorted(wanted - samples - {"kernel_alloc_uncounted", "kernel_alloc_enabled"})


def main():
    command, path = sys.argv[1:3]
    if command == "list":
        print("\n".join(queries(path)))
    elif command == "rules":
        rules = [{"record": f"dashboard:query{number}", "expr": query} for number, query in enumerate(queries(path))]
        print(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    else:
        print(*unknown(path, sys.argv[3:]))


main()
