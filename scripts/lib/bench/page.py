# SPDX-License-Identifier: GPL-2.0-only
"""A report as the tables of a page: Documentation/mm/alloctag-cost.rst, or that of another architecture beside it."""

from table import Figures

OPERATIONS = (
    ("kmalloc 64 + kfree", "kmalloc-64"),
    ("kmalloc 4096 + kfree", "kmalloc-4096"),
    ("the same, 64, size unknown", "kmalloc-variable-64"),
    ("the same, 64, charged", "kmalloc-charged-64"),
    ("kmem_cache, 64", "cache-64"),
    ("the same, bulk of 64, each", "cache-bulk-64"),
    ("batch of 64, allocating", "batch-64-alloc"),
    ("freeing", "batch-64-free"),
    ("freeing, shuffled", "batch-64-free-shuffled"),
    ("batch of pages, allocating", "batch-page-0-alloc"),
    ("freeing", "batch-page-0-free"),
    ("page, order 0", "page-0"),
    ("order 1", "page-1"),
    ("order 2", "page-2"),
    ("order 9", "page-9"),
    ("bulk of 32 pages, each", "page-bulk-0"),
    ("per-CPU area", "percpu-16384"),
    ("vmalloc, 1 page", "vmalloc-1"),
    ("vmalloc, 8 pages", "vmalloc-8"),
    ("KBox of 64 and its drop", "kbox-64"),
    ("the same in an alloc_hooks!", "kbox-hooked-64"),
    ("published, kmalloc", "published-kmalloc"),
    ("published, page", "published-page"),
)
READING = (
    ("read()", "read-text"),
    ("ioctl, all rows", "read-ioctl"),
    ("ioctl, one source file", "read-ioctl-file"),
    ("ioctl, 1 MiB and more", "read-ioctl-min-size"),
    ("ioctl, the last row", "read-ioctl-at"),
    ("the last of one file", "read-ioctl-at-file"),
    ("of one function", "read-ioctl-at-function"),
    ("of the accurate ones", "read-ioctl-at-accurate"),
    ("of 1 MiB and more", "read-ioctl-at-min-size"),
    ("all numbers by ioctl", "read-numbers"),
)
LINES = ("kmalloc-64", "kmalloc-charged-64", "cache-64", "batch-64-alloc", "batch-64-free-shuffled", "page-0",
         "batch-page-0-alloc", "batch-page-0-free", "percpu-16384", "vmalloc-8")
MEMORY = (
    ("page, on", "page/on"),
    ("page, compressed", "page/compressed"),
    ("page, off", "page/off"),
    ("page, never", "page/never"),
    *((f"object of {size}{title}", f"over-object-{kind}{size}/on")
      for size in (64, 192, 256, 1024) for title, kind in (("", ""), (", charged", "charged-"))),
    ("tag", "tag"),
    ("counter, for a tag and a CPU", "counter-per-tag-and-cpu"),
    ("counters, for a CPU", "counters-per-cpu"),
    ("text, for a call site", "text-per-site"),
    ("data, for a call site", "data-per-site"),
    ("unwind tables, for a call site", "unwind-per-site"),
    ("text, for one in Rust", "rust-text-per-site"),
    ("data", "rust-data-per-site"),
    ("text, for an alloc_hooks!", "hooked-text-per-site"),
    ("data", "hooked-data-per-site"),
    ("the core's own text", "core-text"),
    ("the core's own data", "core-data"),
    ("taken at 1 GiB, on", "taken-1024M/on"),
    ("taken at 1 GiB, never", "taken-1024M/never"),
)
# Machines: CPUs and GiB.
MACHINES = ((1, 1), (8, 16), (64, 256), (512, 4096))
# That of which C's authors named a share of the memory: CPUs, GiB and call sites of a phone.
PHONE = (8, 8, 10_000)
# The guest whose memory says what is taken: CPUs and MiB.
GUEST = (1, 1024)
CORES = ("c", "rust")


def _rst(head, rows):
    """A simple table: the first column to the left, figures to the right."""
    lines = [head] + rows
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    rule = "  ".join("=" * width for width in widths)
    text = ["  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                      for i, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in lines]
    return "\n".join([rule, text[0], rule, *text[1:], rule])


def _whole(value, sign=""):
    return "" if value is None else f"{value:{sign},.0f}"


def _ratio(theirs, ours):
    return "" if not theirs or ours is None else f"{ours / theirs:.2f}"


def instructions(report):
    return _instructions(report, OPERATIONS)


def measured(report):
    """The same of what was measured."""
    ops = {row["op"] for row in report["results"]}
    return _instructions(report, [operation for operation in OPERATIONS if operation[1] in ops])


def _instructions(report, operations):
    figures = Figures(report)
    rows = []
    for title, op in operations:
        both = {mode: [figures.overhead(op, core, mode) for core in CORES] for mode in ("on", "compressed", "off")}
        rows.append([title, _whole(figures.get(op, "none", "absent")), _whole(both["on"][0], "+"), _whole(both["on"][1], "+"),
                     _ratio(*both["on"]), *(_whole(value, "+") for mode in ("compressed", "off") for value in both[mode])])
    return _rst(["", "none", "C on", "ours", "ratio", "C compressed", "ours", "C off", "ours"], rows)


def _possible(figures):
    """Possible CPUs that reading was measured with, of which one ran."""
    of_text = (op.removeprefix("read-text/") for op in figures.ops)
    return sorted({int(cpus) for cpus in of_text if cpus.isdigit()})


def reading(report):
    figures = Figures(report)
    possible = _possible(figures)
    rows = []
    for title, op in READING:
        row = [title]
        for cpus in possible:
            both = [figures.get(f"{op}/{cpus}", core, "on") for core in CORES]
            row += [_whole(both[0]), _whole(both[1]), _ratio(*both)]
        rows.append(row)
    heads = [(f"C, {cpus} CPU{'s' if cpus > 1 else ''}", "ours", "ratio") for cpus in possible]
    return _rst(["", *(title for head in heads for title in head)], rows)


def lines(report):
    found = {(row["op"], row["config"]): row for row in report["cache"]}
    kinds = ("read", "written", "code")
    rows = [[op, *(_whole(found.get((op, config), {}).get(kind)) for kind in kinds for config in ("none", *CORES))]
            for op in LINES]
    return _rst(["", *(title for kind in kinds for title in (f"{kind}: none", "C", "ours"))], rows)


def memory(report):
    """Of what was measured."""
    rows = []
    for title, key in MEMORY:
        values = [report["memory"].get(core, {}).get(key) for core in CORES]
        if all(value is None for value in values):
            continue
        rows.append([title, *("" if value is None else f"{value:,.1f}" if value % 1 else f"{value:,.0f}" for value in values)])
    return _rst(["bytes", "C", "ours"], rows)


def _row_cost(figures, core, cpus):
    """Instructions of a row of text; beyond what was measured, along the line through the last two points."""
    possible = _possible(figures)
    known = {count: figures.get(f"read-text/{count}", core, "on") for count in possible}
    if cpus in known or len(possible) < 2:
        return known.get(cpus)
    first, last = possible[-2:]
    return known[last] + (known[last] - known[first]) / (last - first) * (cpus - last)


def _of_both(report, key):
    """A size in either core's kernel, without which a page is not filled."""
    values = [report["memory"].get(core, {}).get(key) for core in CORES]
    if None in values:
        raise ValueError("not a whole report: measure both cores, and without --quick")
    return values


def growth(report):
    figures = Figures(report)
    per_page = _of_both(report, "page/on")
    counters = [report["memory"][core]["counters-per-cpu"] for core in CORES]
    rows = []
    for cpus, gibibytes in MACHINES:
        cost = [_row_cost(figures, core, cpus) for core in CORES]
        pages = gibibytes << 18
        rows.append([str(cpus), f"{gibibytes:,} GiB", *(f"{pages * value / 2**20:,.0f} MiB" for value in per_page),
                     *(f"{cpus * value / 2**20:,.1f} MiB" for value in counters),
                     _whole(cost[0]), _whole(cost[1]), _ratio(*cost)])
    return _rst(["CPUs", "memory", "pages: C", "ours", "counters: C", "ours", "a row of text: C", "ours", "ratio"], rows)


def _seldom(memory):
    """Bytes for an account beside its counters: the rest of what is taken when counting is not ruled out."""
    cpus, mebibytes = GUEST
    counters = cpus * memory["counters-per-cpu"]
    rest = memory[f"taken-{mebibytes}M/on"] - memory[f"taken-{mebibytes}M/never"] - (mebibytes << 8) * memory["page/on"] - counters
    return max(0, rest) / (memory["counters-per-cpu"] / memory["counter-per-tag-and-cpu"])


def _parts(memory):
    """What a phone has of each kind, in bytes."""
    cpus, gibibytes, sites = PHONE
    account = cpus * memory["counter-per-tag-and-cpu"] + _seldom(memory)
    return {
        "references of pages": (gibibytes << 18) * memory["page/on"],
        "call sites, text and data": sites * (memory["text-per-site"] + memory["data-per-site"]),
        "their accounts": sites * account,
        "spare accounts": memory.get("spare-accounts", 0) * account,
        "the core itself": memory["core-text"] + memory["core-data"],
    }


def share(report):
    """A phone's memory for it, and as a share of all."""
    _of_both(report, "page/on")
    cores = [_parts(report["memory"][core]) for core in CORES]
    sums = [sum(parts.values()) for parts in cores]
    rows = [[title, *(f"{parts[title] / 1e6:.2f}" for parts in cores)] for title in cores[0]]
    rows.append(["all", *(f"{total / 1e6:.2f}" for total in sums)])
    rows.append(["per cent of the memory", *(f"{100 * total / (PHONE[1] << 30):.2f}" for total in sums)])
    return _rst(["MB", "C", "ours"], rows)


def tables(report):
    """Which tables a report fills, by name: those of its compiler, architecture and CPU. Reports from before these were noted
    are of clang and x86-64."""
    match report.get("compiler"), report.get("arch"), bool(report.get("cpu")):
        case "gcc", _, _:
            return {"gcc": measured}
        case _, "arm64", False:
            return {"arm64": measured, "arm64-memory": memory, "arm64-share": share}
        case _, "arm64", True:
            return {"arm64-no-lse": measured}
        case _:
            return {"instructions": instructions, "reading": reading, "lines": lines, "memory": memory, "growth": growth}


def place(report):
    """The name of the page that has them."""
    return "alloctag-cost-arm64.rst" if report.get("arch") == "arm64" else "alloctag-cost.rst"


def filled(page, report):
    """The page with the report's figures. A table stands between the comments `.. table NAME` and `.. end of NAME`."""
    for name, table in tables(report).items():
        first, last = f".. table {name}\n", f".. end of {name}\n"
        before, found, rest = page.partition(first)
        _, closed, after = rest.partition(last)
        if not found or not closed:
            raise ValueError(f"the page has no place for the table '{name}'")
        page = f"{before}{first}\n{table(report)}\n\n{last}{after}"
    return page
