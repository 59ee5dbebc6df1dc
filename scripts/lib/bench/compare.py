# SPDX-License-Identifier: GPL-2.0-only
"""What moved between two reports."""

# A figure that repeats to less than this has not moved: a tenth of an instruction, of a line, of a byte.
LEAST = 0.1


def flatten(report):
    """Every figure of a report by a readable name."""
    figures = {}
    for row in report["results"]:
        figures[f"{row['op']} {row['config']} {row['mode']}"] = row["instructions"]
    for row in report.get("cache", []):
        for kind in ("code", "read", "written"):
            figures[f"{row['op']} {row['config']} {row['mode']} lines-{kind}"] = row[kind]
    for config, rows in report.get("memory", {}).items():
        for name, value in rows.items():
            figures[f"memory {config} {name}"] = value
    return figures


def moved(old, new):
    """(name, old, new) of what differs; None stands for what one of them lacks."""
    before, after = flatten(old), flatten(new)
    for name in list(dict.fromkeys([*before, *after])):
        a, b = before.get(name), after.get(name)
        if a is None or b is None or abs(b - a) >= LEAST:
            yield name, a, b


def text(old, new):
    lines = []
    for name, before, after in moved(old, new):
        if before is None:
            lines.append(f"{name}: new, {after:.1f}")
        elif after is None:
            lines.append(f"{name}: gone, was {before:.1f}")
        else:
            share = f" ({(after - before) / before:+.1%})" if before else ""
            lines.append(f"{name}: {before:.1f} -> {after:.1f}, {after - before:+.1f}{share}")
    return "\n".join(lines) or "nothing moved"
