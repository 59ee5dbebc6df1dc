# SPDX-License-Identifier: GPL-2.0-only
"""Looks at the dashboard.

Usage: queries.py rules DASHBOARD            its queries as rules that promtool can check
       queries.py list DASHBOARD             its queries, a line each, of all machines
       queries.py unknown DASHBOARD METRICS  the names of metrics in it that are not among those exported
"""
import json
import re
import sys


def queries(dashboard):
    """Every query, as Grafana would send it with all machines chosen."""
    with open(dashboard, encoding="utf-8") as file:
        panels = json.load(file)["panels"]
    found = [target["expr"] for panel in panels for target in panel["targets"]]
    return [query.replace("$instance", ".*") for query in found]


def main():
    command, dashboard = sys.argv[1:3]
    found = queries(dashboard)
    if command == "list":
        print("\n".join(found))
    elif command == "rules":
        rules = [{"record": f"dashboard:query{number}", "expr": query} for number, query in enumerate(found)]
        print(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    else:
        with open(sys.argv[3], encoding="utf-8") as file:
            known = set(re.findall(r"^# TYPE (\w+)", file.read(), re.M))
        wanted = set(re.findall(r"\bkernel_alloc\w*", " ".join(found)))
        # Only kernels with Alloctag's core say these; a text says neither.
        print(*sorted(wanted - known - {"kernel_alloc_uncounted", "kernel_alloc_enabled"}))


main()
