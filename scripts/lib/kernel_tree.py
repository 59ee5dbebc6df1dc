# SPDX-License-Identifier: GPL-2.0-only
"""A kernel tree as a graft sees it: its version, the files that the table edits, and this project's place in it.

Everything is worked out and verified before the first write; a file is written beside its target and renamed, so that a
hard link to the original stays as it was."""

import os
import re
import stat
from pathlib import Path

import edits as table_of
from edits import Refusal

PLACE = Path("mm/alloctag")

# What the kernel's build needs of this project, and what of that is for the host alone.
SHIPPED = ("Kbuild", "Kconfig", "include", "src", "tests/kunit", "Documentation")
HOST_ONLY = ("src/cli", "src/lib.rs")

# Any of these at the root of a source tree was left by a build without O=.
BUILD_LEFTOVERS = (".config", "vmlinux", "include/config", "include/generated", "Module.symvers")


def shipped_files(repo):
    """The project's files that the kernel's build needs: relative path to path."""
    found = {}
    for root in SHIPPED:
        top = repo / root
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            name = path.relative_to(repo)
            host_only = any(name == Path(h) or Path(h) in name.parents for h in HOST_ONLY)
            if path.is_file() and not host_only and path.suffix not in (".o", ".cmd"):
                found[name] = path
    return found


def read(path):
    """A file's text, whatever its bytes."""
    return path.read_bytes().decode("utf-8", "surrogateescape")


def write(path, data, mode):
    """Replaces a file at one blow."""
    beside = path.with_name(f".{path.name}.graft")
    beside.write_bytes(data)
    beside.chmod(mode)
    beside.rename(path)


class Tree:
    """A kernel tree and the table that is to be applied to it."""

    def __init__(self, root, repo, table):
        self.root, self.repo, self.table = Path(root), repo, table
        self.place = self.root / PLACE

    def version(self):
        """(VERSION.PATCHLEVEL, the same with SUBLEVEL). Raises Refusal where the directory is not a kernel tree."""
        makefile = self.root / "Makefile"
        head = read(makefile)[:400] if makefile.is_file() else ""
        found = re.search(r"^VERSION = (\d+)\nPATCHLEVEL = (\d+)\nSUBLEVEL = (\d+)$", head, re.M)
        if not found:
            raise Refusal(f"{self.root}: not a Linux source tree (its Makefile states no version)")
        return ".".join(found.groups()[:2]), ".".join(found.groups())

    def check_version(self):
        """Refuses a kernel that the table was not made for."""
        series, version = self.version()
        if series not in self.table.kernels:
            known = ", ".join(f"{k}.x" for k in self.table.kernels)
            raise Refusal(f"{self.root}: Linux {version} is not known to this graft (it knows {known}); --force tries anyway")

    def check_unbuilt(self):
        """Refuses a tree that was built without O=, for its next build would leave objects among our files."""
        for name in BUILD_LEFTOVERS:
            if (self.root / name).exists():
                raise Refusal(f"{self.root}: was built in place ({name} is there); run 'make mrproper' in it and build with O=")

    def plan(self, change, source=None):
        """What `change` (`edits.graft` or `edits.ungraft`) makes of every file: {name: new text}, altered files only.

        The texts come from `source` if given, else from this tree. Raises Refusal naming file and anchor."""
        altered = {}
        for name, file_edits in self.table.edits.items():
            origin = (source or self.root) / name
            if not origin.is_file():
                raise Refusal(f"{name}: no such file in {source or self.root} (anchor: {file_edits[0].title})")
            try:
                text = change(read(origin), file_edits)
            except Refusal as problem:
                if source or not os.path.lexists(self.place):
                    raise
                raise Refusal(f"{problem} ({PLACE} is there: if another version of this has grafted the tree, "
                              "take that back first, by its own --undo)") from None
            if not (self.root / name).is_file() or text != read(self.root / name):
                altered[name] = text
        return altered

    def pending(self):
        """The edits and files that the tree does not have, as lines for a reader."""
        missing = []
        for name, file_edits in self.table.edits.items():
            path = self.root / name
            if not path.is_file():
                raise Refusal(f"{name}: no such file in {self.root} (anchor: {file_edits[0].title})")
            missing += [f"{name}: not applied: {edit.title}" for edit in table_of.pending(read(path), file_edits)]
        return missing + [f"{name}: not there, or another" for name, path in self.files(self.is_whole()).items()
                          if self.differs(name, path)]

    def write_texts(self, texts):
        """Writes planned texts, each with the mode that the file has."""
        for name, text in texts.items():
            path = self.root / name
            mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644
            write(path, text.encode("utf-8", "surrogateescape"), mode)

    # The project's place in the tree, and its files in other places.

    def files(self, whole):
        """The project's files that stand in the tree as files: path in the tree to path. With `whole` these are all, else
        those that do so where mm/alloctag is a link."""
        found = {}
        for name, path in shipped_files(self.repo).items():
            into = next((i for i, source in self.table.copies.items() if Path(source) in (name, *name.parents)), None)
            if into:
                found[Path(into) / name.relative_to(self.table.copies[into])] = path
            elif whole:
                found[PLACE / name] = path
        return found

    def is_whole(self):
        """Whether mm/alloctag is a directory."""
        return self.place.is_dir() and not self.place.is_symlink()

    def standing(self):
        """All that stands where the project's files do, whoever has put it there."""
        places = [self.root / name for name in self.table.copies] + [self.place] * self.is_whole()
        return [path for place in places for path in ([place] if place.is_file() else sorted(place.rglob("*")))]

    def check_place(self, copy):
        """Refuses where something that is not ours, or is placed the other way, stands at mm/alloctag."""
        if self.place.is_symlink():
            if copy:
                raise Refusal(f"{PLACE}: is a link to {os.readlink(self.place)}; --undo the graft before a --copy")
        elif self.place.exists() and not (copy and (self.place / "Kbuild").is_file()):
            raise Refusal(f"{PLACE}: is a directory, not this graft's link; --undo the graft with --copy first")
        for name, source in self.table.copies.items():
            path, kind = self.root / name, "file" if (self.repo / source).is_file() else "directory"
            if path.is_symlink() or (path.exists() and path.is_dir() != (kind == "directory")):
                raise Refusal(f"{name}: is there already, and is not this graft's {kind}; move it away first")
        if os.path.lexists(self.place):
            return
        # Before there is a graft nothing in its places is an older one of ours.
        for name, source in self.files(False).items():
            if (self.root / name).exists() and self.differs(name, source):
                raise Refusal(f"{name}: is there already, and is not this graft's file; move it away first")

    def link(self):
        """Points mm/alloctag at the repository."""
        if not (self.place.is_symlink() and os.readlink(self.place) == str(self.repo)):
            beside = self.place.with_name(".alloctag.graft")
            beside.unlink(missing_ok=True)
            beside.symlink_to(self.repo)
            beside.rename(self.place)

    def copy(self, whole, prune=False):
        """Copies those of the project's files that differ. Returns files beside them that it does not have; with `prune` they
        are deleted, and so are links in their places, which only a tree that is ours may suffer."""
        wanted = self.files(whole)
        for path in [self.root / name for name in self.table.copies] if prune else []:
            if path.is_symlink():
                path.unlink()
        for name, source in wanted.items():
            target = self.root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if self.differs(name, source):
                write(target, source.read_bytes(), 0o755 if os.access(source, os.X_OK) else 0o644)
        stale = [p for p in self.standing() if p.is_file() and p.relative_to(self.root) not in wanted]
        if prune:
            for path in stale:
                path.unlink()
        return [path.relative_to(self.root) for path in stale]

    def differs(self, name, source):
        """Whether a copied file is not there, is another, or is a link."""
        path = self.root / name
        return path.is_symlink() or not path.is_file() or path.read_bytes() != source.read_bytes()

    def foreign(self):
        """Files among the copied ones that differ from the repository's, which an undo must not lose."""
        ours = self.files(True)
        files = ((p, p.relative_to(self.root)) for p in self.standing() if not p.is_dir() or p.is_symlink())
        return [name for path, name in files if name not in ours or self.differs(name, ours[name])]

    def unplace(self):
        """Takes the link away, or copies of which every file stands in the repository too."""
        directories = [self.root / name for name in self.table.copies] + [self.place] * self.is_whole()
        for path in reversed(self.standing()):
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        for path in directories:
            if path.is_dir():
                path.rmdir()
        if self.place.is_symlink():
            self.place.unlink()
