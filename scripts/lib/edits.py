# SPDX-License-Identifier: GPL-2.0-only
"""The table of edits that a graft makes, and how one file's text takes them.

A table is one or more ``*.edits`` files in a directory. Each names the kernel versions that it was made for and then
its edits, every one with the file, the reason, the block of whole lines that must stand in the kernel exactly once
(the anchor) and the block that takes its place:

    kernels: 7.3

    file: mm/Makefile
    why: what it is for, and what instructions or bytes it saves
    --- pristine
    the anchor, line for line
    --- grafted
    its replacement, line for line
    --- end

An edit that adds the same line above each of several lines, which must each stand in the kernel exactly once, is written

    file: rust/kernel/alloc/kbox.rs
    why: what it is for
    add:     #[the_line]
    --- above
    one of the anchors
    --- end

where the added line is as deep as its anchor. And a file of this project's that has to be found elsewhere in the tree, or a
directory of them, is copied there, also where the rest of the project is linked to:

    copy: include/alloctag
    from: include/alloctag
    why: what it is for
    --- end

Lines that begin with ``#`` count as comments outside of the blocks. Whether an edit stands in a text is told by the text
alone, so nothing is left in the kernel to mark it.
"""

from dataclasses import dataclass
from pathlib import Path

PRISTINE, GRAFTED, ABOVE, END = "--- pristine", "--- grafted", "--- above", "--- end"


class Refusal(Exception):
    """What is wrong and what to do about it, in one line."""


@dataclass(frozen=True)
class Edit:
    """One anchored replacement. The blocks are tuples of lines, each with its newline."""

    file: str
    why: str
    pristine: tuple
    grafted: tuple

    @property
    def title(self):
        """The anchor's first line that says something, which is how messages name an edit."""
        return next((line.strip() for line in self.pristine if line.strip()), "(blank lines)")


@dataclass(frozen=True)
class Table:
    """All edits, by file in the order of the table; the copies, from a place in the kernel to one of this project's files or
    directories; and the versions that they are known to fit."""

    kernels: tuple
    edits: dict
    copies: dict


def read_table(directory):
    """Reads every ``*.edits`` file of a directory.

    Raises Refusal where a file is malformed."""
    kernels, edits, copies = [], {}, {}
    paths = sorted(Path(directory).glob("*.edits"))
    if not paths:
        raise Refusal(f"{directory}: no *.edits file there")
    for path in paths:
        for edit in _parse(path, kernels, copies):
            edits.setdefault(edit.file, []).append(edit)
    return Table(tuple(kernels), edits, copies)


def _parse(path, kernels, copies):
    fields, block, blocks = {}, None, {}
    for number, line in enumerate(path.read_text().splitlines(keepends=True), 1):
        bare = line.rstrip("\n")
        place = f"{path.name}:{number}"
        if block is not None and bare not in (GRAFTED, END):
            blocks[block].append(line)
        elif bare == ABOVE:
            block, blocks = ABOVE, {ABOVE: []}
        elif bare == END and block == ABOVE:
            yield from _additions(fields, blocks[ABOVE], place)
            fields, block = {}, None
        elif bare == END and "copy" in fields:
            _require(fields, ("copy", "from", "why"), place)
            copies[fields["copy"]] = fields["from"]
            fields = {}
        elif bare == PRISTINE:
            block, blocks = PRISTINE, {PRISTINE: [], GRAFTED: []}
        elif bare == GRAFTED and block == PRISTINE:
            block = GRAFTED
        elif bare == END and block == GRAFTED:
            yield _edit(fields, blocks, place)
            fields, block = {}, None
        elif bare.startswith(("file:", "why:", "add:", "copy:", "from:")):
            key, value = bare.split(":", 1)
            fields[key] = value.strip()
        elif bare.startswith("kernels:"):
            kernels.extend(bare.split()[1:])
        elif bare.startswith("  ") and "why" in fields:
            fields["why"] += " " + bare.strip()
        elif bare and not bare.startswith("#"):
            raise Refusal(f"{place}: not a line of an edit table: {bare!r}")
    if block is not None:
        raise Refusal(f"{path.name}: the last edit has no '{END}' line")


def _require(fields, keys, place):
    for key in keys:
        if not fields.get(key):
            raise Refusal(f"{place}: the edit that ends here has no '{key}:' line")


def _additions(fields, anchors, place):
    _require(fields, ("file", "why", "add"), place)
    if not anchors:
        raise Refusal(f"{place}: the edit that ends here has nothing under '{ABOVE}'")
    for anchor in anchors:
        depth = anchor[: len(anchor) - len(anchor.lstrip())]
        yield Edit(fields["file"], fields["why"], (anchor,), (f"{depth}{fields['add']}\n", anchor))


def _edit(fields, blocks, place):
    _require(fields, ("file", "why"), place)
    for name, lines in blocks.items():
        if not lines:
            raise Refusal(f"{place}: the edit that ends here has nothing under '{name}' (keep a neighbouring line)")
    return Edit(fields["file"], fields["why"], tuple(blocks[PRISTINE]), tuple(blocks[GRAFTED]))


def lines_of(text):
    """A text's lines with their newlines; only ``\\n`` ends a line."""
    *whole, rest = text.split("\n")
    return [line + "\n" for line in whole] + ([rest] if rest else [])


def _places(lines, block):
    """Where a block of whole lines begins in a text."""
    size = len(block)
    first = block[0]
    return [i for i in range(len(lines) - size + 1) if lines[i] == first and tuple(lines[i : i + size]) == block]


def _outside(starts, size, hosts, host_size):
    """Those of `starts` whose block does not lie inside one of the `hosts`."""
    return [i for i in starts if not any(h <= i and i + size <= h + host_size for h in hosts)]


def _locate(lines, edit):
    """Finds an edit: (applied?, first line's index). A block found only as a part of its counterpart does not count."""
    before, after = _places(lines, edit.pristine), _places(lines, edit.grafted)
    old, new = len(edit.pristine), len(edit.grafted)
    if new >= old:
        before = _outside(before, old, after, new)
    else:
        after = _outside(after, new, before, old)
    if len(before) == 1 and not after:
        return False, before[0]
    if len(after) == 1 and not before:
        return True, after[0]
    if not before and not after:
        raise Refusal(f"{edit.file}: anchor not found: {edit.title}")
    if len(before) > 1:
        raise Refusal(f"{edit.file}: anchor found {len(before)} times: {edit.title}")
    raise Refusal(f"{edit.file}: both forms of an edit found: {edit.title}")


def _switch(text, edits, to_grafted):
    """Brings every edit of one file into the wanted form."""
    lines, spans = lines_of(text), []
    for edit in edits:
        applied, start = _locate(lines, edit)
        old, new = (edit.pristine, edit.grafted) if to_grafted else (edit.grafted, edit.pristine)
        here = edit.grafted if applied else edit.pristine
        spans.append((start, len(here), here if applied == to_grafted else new, edit))
    spans.sort(key=lambda span: span[0])
    for one, next_one in zip(spans, spans[1:]):
        if one[0] + one[1] > next_one[0]:
            raise Refusal(f"{one[3].file}: two edits overlap: {one[3].title} and {next_one[3].title}")
    for start, size, wanted, _ in reversed(spans):
        lines[start : start + size] = wanted
    return "".join(lines)


def graft(text, edits):
    """One file's text with all its edits made, whichever of them it had.

    Raises Refusal where an anchor is missing or doubled, or where the result could not be undone byte for byte."""
    done = _switch(text, edits, True)
    if _switch(done, edits, False) != _switch(text, edits, False) or _switch(done, edits, True) != done:
        raise Refusal(f"{edits[0].file}: the table's edits for this file cannot be undone")
    return done


def ungraft(text, edits):
    """One file's text with none of its edits, whichever of them it had. Raises Refusal as `graft` does."""
    return _switch(text, edits, False)


def pending(text, edits):
    """The edits that one file's text does not have yet. Raises Refusal as `graft` does."""
    lines = lines_of(text)
    return [edit for edit in edits if not _locate(lines, edit)[0]]
