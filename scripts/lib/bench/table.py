# SPDX-License-Identifier: GPL-2.0-only
"""A report as text."""

# Columns of the first table.
COLUMNS = [("none", "absent")] + [(config, mode) for config in ("c", "rust") for mode in ("off", "never", "on", "compressed")]
COLUMNS += [("rust", "chosen"), ("rust", "owned")]
MODES = ("on", "compressed", "off", "never")


def _format(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                       for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]
    return "\n".join([lines[0], "-" * len(lines[0])] + lines[1:])


def _number(value, sign=False):
    return "" if value is None else f"{value:+.1f}" if sign else f"{value:.1f}"


def _ratio(ours, theirs):
    """Ours over C's. Where theirs is nothing, there is none."""
    return "" if ours is None or theirs is None or abs(theirs) < 0.05 else f"{ours / theirs:.2f}"


class Figures:
    """Instructions by operation, configuration and mode."""

    def __init__(self, report):
        self.values = {(row["op"], row["config"], row["mode"]): row["instructions"] for row in report["results"]}
        self.ops = list(dict.fromkeys(row["op"] for row in report["results"]))

    def get(self, op, config, mode):
        return self.values.get((op, config, mode))

    def overhead(self, op, config, mode):
        """What an operation costs more than without profiling; reading is all overhead."""
        value, base = self.get(op, config, mode), self.get(op, "none", "absent")
        if value is None or op.startswith("read-"):
            return value
        return None if base is None else value - base


def instructions(report):
    figures = Figures(report)
    columns = [column for column in COLUMNS if any(key[1:] == column for key in figures.values)]
    head = ["instructions"] + [config if mode == "absent" else f"{config} {mode}" for config, mode in columns]
    return _format([head] + [[op] + [_number(figures.get(op, *column)) for column in columns] for op in figures.ops])


def overheads(report):
    figures = Figures(report)
    modes = [mode for mode in MODES if any(key[2] == mode for key in figures.values)]
    head = ["overhead over none"] + [f"{title}" for mode in modes for title in (f"c {mode}", "rust", "ratio")]
    rows = []
    for op in figures.ops:
        row = [op]
        for mode in modes:
            theirs, ours = (figures.overhead(op, config, mode) for config in ("c", "rust"))
            row += [_number(theirs, True), _number(ours, True), _ratio(ours, theirs)]
        if any(row[1:]) and op != "calibration":
            rows.append(row)
    return _format([head] + rows) if rows else ""


def cache(report):
    rows = {(row["op"], row["config"]): row for row in report["cache"]}
    configs = [config for config in ("none", "c", "rust") if any(key[1] == config for key in rows)]
    kinds = ("read", "written", "touched", "code")
    head = ["cache lines"] + [f"{kind} {config}" for kind in kinds for config in configs]
    ops = list(dict.fromkeys(row["op"] for row in report["cache"]))
    if not ops:
        return ""
    return _format([head] + [[op] + [_number(rows.get((op, config), {}).get(kind)) for kind in kinds for config in configs]
                             for op in ops])


def memory(report):
    found = report["memory"]
    configs = [config for config in ("none", "c", "rust") if config in found]
    names = sorted({name for config in configs for name in found[config]})
    rows = [[name] + [_number(found[config].get(name)) for config in configs]
            + [_ratio(found.get("rust", {}).get(name), found.get("c", {}).get(name))] for name in names]
    return _format([["memory, bytes"] + configs + ["ratio"]] + rows) if rows else ""


def sites(found):
    """Bytes of a call site in Rust by configuration, as image.rust_sites() gives them."""
    kinds = ("text", "data")
    head = ["bytes of a call site"] + [f"{title}{kind}" for title in ("", "alloc_hooks! ") for kind in kinds]
    return _format([head] + [[config] + [_number(of[name][kind]) for name in ("sites", "hooked") for kind in kinds]
                             for config, of in found.items()])


def text(report):
    tables = [instructions(report), overheads(report), cache(report), memory(report)]
    return "\n\n".join(table for table in tables if table)
