# SPDX-License-Identifier: GPL-2.0-only
"""Where an operation's instructions are, by function."""

from image import Image


def by_function(boot, op, image):
    """Function: instructions in a round."""
    operations = [name for name in boot.values if name in boot.each]
    if op not in operations:
        raise ValueError(f"{boot.name()}: no operation '{op}'")
    found = {}
    for address, times in boot.rounds[operations.index(op)].pcs.items():
        name = image.function_at(address)
        found[name] = found.get(name, 0) + times
    return found


def text(boots, op, builds):
    seen = {boot.config: by_function(boot, op, Image(builds[boot.config]))
            for boot in boots if boot.measurement == "cache" and not boot.faults}
    if not seen:
        return f"{op}: the plugin saw nothing"
    names = sorted({name for found in seen.values() for name in found},
                   key=lambda name: -max(found.get(name, 0) for found in seen.values()))
    lines = [f"{op:<48}" + "".join(f"{config:>9}" for config in seen)]
    for name in names + [None]:
        values = [found.get(name, 0) if name else sum(found.values()) for found in seen.values()]
        if max(values) >= 0.05:
            lines.append(f"{name or 'sum, with the loop':<48}" + "".join(f"{value:9.1f}" for value in values))
    return "\n".join(lines)
