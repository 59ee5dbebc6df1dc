# SPDX-License-Identifier: GPL-2.0-only
"""From boots to what is published: results, cache lines, memory.

A report is what --json writes. Its keys are stable and described in Documentation/mm/alloctag-cost.rst."""

from image import Image, measure

FORMAT = 1
PAGE_SIZE = 4096
MIB = 1 << 20


def make(boots, builds, compiler="clang", arch="x86_64", cpu=""):
    """The report of all boots that went well; `builds` gives each configuration's image directory, if there is one,
    `compiler` says what the C of all of them was compiled by, for `arch`, and `cpu` which of QEMU's it ran on, where it was
    not the one with everything."""
    good = [boot for boot in boots if not boot.faults]
    return {
        "format": FORMAT,
        "compiler": compiler,
        "arch": arch,
        "cpu": cpu,
        "results": results(good),
        "cache": cache(good),
        "memory": memory(good, builds),
        "faults": [{"boot": boot.name(), "fault": fault} for boot in boots for fault in boot.faults],
    }


def results(boots):
    rows = []
    for boot in boots:
        if boot.measurement not in ("ops", "read", "running"):
            continue
        suffix = "" if boot.measurement == "ops" else f"/{boot.cpus}"
        if boot.measurement == "running":
            suffix += "/running"
        rows += [{"op": name + suffix, "config": boot.config, "mode": boot.mode, "instructions": round(value, 3)}
                 for name, value in boot.values.items() if not name.startswith("memory/")]
    return rows


def cache(boots):
    rows = []
    for boot in boots:
        if boot.measurement != "cache":
            continue
        operations = [name for name in boot.values if name in boot.each]
        loop = boot.rounds[0].instructions - boot.values["calibration"]
        for name, seen in zip(operations, boot.rounds):
            if boot.each[name] != 1 or name == "calibration":
                continue
            rows.append({"op": name, "config": boot.config, "mode": boot.mode,
                         "instructions": round(seen.instructions - loop, 1), "code": round(seen.code, 1),
                         "read": round(seen.read, 1), "written": round(seen.written, 1),
                         "touched": round(seen.touched, 1)})
    return rows


def used(boot, base):
    """Bytes of RAM that a boot has taken and the base has not: what was never given to the page allocator, and what
    the kernel counts as being about pages."""
    def taken(of):
        return (of.values.get("memory/nr_memmap_pages", 0) + of.values.get("memory/nr_memmap_boot_pages", 0)) * PAGE_SIZE \
            - of.values["memory/MemTotal"] * 1024
    return taken(boot) - taken(base)


def memory(boots, builds):
    """Configuration: name: value. Figures that depend on the mode have it in their names."""
    found = {}
    with_memory = [boot for boot in boots if "memory/MemTotal" in boot.values]
    base = {boot.megabytes: boot for boot in with_memory if boot.config == "none"}
    images = {config: Image(directory) for config, directory in builds.items()}
    for boot in with_memory:
        rows = found.setdefault(boot.config, {})
        for name, value in boot.values.items():
            if name.startswith("memory/object-"):
                rows[f"{name.removeprefix('memory/')}/{boot.mode}"] = value
        if boot.config == "none" or boot.megabytes not in base:
            continue
        rows[f"taken-{boot.megabytes}M/{boot.mode}"] = used(boot, base[boot.megabytes])
        tags = boot.values.get("memory/tags")
        if tags and boot.config in images and "none" in images:
            rows["tags"] = tags
            rows |= measure(images[boot.config], images["none"], tags)
    for rows in found.values():
        _per_page(rows)
    if "none" in found:
        for config in found.keys() - {"none"}:
            _per_object(found[config], found["none"])
    return {config: {name: round(value, 3) for name, value in sorted(rows.items())} for config, rows in found.items()}


def _per_page(rows):
    """What each page costs: the difference between two sizes of memory, over the pages between."""
    for mode in ("on", "off", "never", "compressed"):
        sizes = sorted(int(name.split("-")[1].split("M/")[0]) for name in rows
                       if name.startswith("taken-") and name.endswith(f"/{mode}"))
        if len(sizes) > 1:
            small, large = sizes[0], sizes[-1]
            rows[f"page/{mode}"] = (rows[f"taken-{large}M/{mode}"] - rows[f"taken-{small}M/{mode}"]) \
                / ((large - small) * MIB / PAGE_SIZE)


def _per_object(rows, none):
    for name in [name for name in rows if name.startswith("object-")]:
        plain = none.get(f"{name.split('/')[0]}/absent")
        if plain is not None:
            rows[f"over-{name}"] = rows[name] - plain
