# SPDX-License-Identifier: GPL-2.0-only
"""Names the pairs of Rust files that import each other.

Usage: imports.py FILE…, all files of any number of crates. The roots are found by their names.

A file imports another where one of its paths, in `use` or in code, ends at something that the other defines. A path is followed
through `use` to where the thing stands, so that a module which only hands on what its children define imports nothing.
Tests may look wherever they like: files that are named tests.rs and what is under #[cfg(test)] are left out. A path whose
beginning is not known (another crate's, a generic parameter's) is no import. Names are all that is looked at: a method is not followed
to the file of its `impl`, nor is what a macro makes.
"""
import os
import re
import sys

WORD = r"(?:r#)?[A-Za-z_]\w*"
PATH = re.compile(rf"(?<![\w:.$#'])({WORD}(?:\s*::\s*{WORD})+)")
USE = re.compile(rf"(?<!\w)(pub(?:\s*\([^)]*\))?\s+)?use\s+([^;]+);")
MODULE = re.compile(rf"(?:#\[path\s*=\s*\"([^\"]+)\"\]\s*)?(?:pub(?:\s*\([^)]*\))?\s+)?mod\s+({WORD})\s*;")
TESTS = re.compile(r"#\[cfg\((?:test|all\(test[^\]]*|any\(test[^\]]*)\)\]")
NOISE = re.compile(
    r"//[^\n]*|/\*.*?\*/|b?r(#*)\".*?\"\1|b?\"(?:[^\"\\]|\\.)*\"|b?'(?:[^'\\\n]|\\.[^'\n]*)'", re.S)


def without_noise(text):
    """Code without comments and literals. What `#[path]` says is kept: it is read before."""
    return NOISE.sub(lambda found: " " + "\n" * found.group().count("\n"), text)


def without_tests(code):
    """Code without the items that are only there for tests."""
    kept, at = [], 0
    while found := TESTS.search(code, at):
        kept.append(code[at:found.start()])
        at = end_of_item(code, found.end())
    return "".join(kept) + code[at:]


def end_of_item(code, at):
    """Where the item that begins at a place ends: at its semicolon, or at the brace that closes it."""
    depth = 0
    for place in range(at, len(code)):
        if code[place] == "{":
            depth += 1
        elif code[place] == "}":
            depth -= 1
            if depth == 0:
                return place + 1
        elif code[place] == ";" and depth == 0:
            return place + 1
    return len(code)


def branches(tree):
    """The paths of a `use` tree, each with the name that it binds."""
    tree = tree.strip()
    opened = tree.find("{")
    if opened < 0:
        path, _, name = (part.strip() for part in tree.partition(" as "))
        path = [part.strip() for part in path.split("::") if part.strip()]
        if path and path[-1] == "self":
            path.pop()
        return [(path, name or (path[-1] if path else ""))]
    stem = [part.strip() for part in tree[:opened].split("::") if part.strip()]
    parts, depth, begin = [], 0, opened + 1
    for place in range(opened + 1, tree.rfind("}") + 1):
        depth += {"{": 1, "}": -1}.get(tree[place], 0)
        if (tree[place] == "," and depth == 0) or depth < 0:
            parts.append(tree[begin:place])
            begin = place + 1
    return [(stem + path, name or stem[-1]) for part in parts if part.strip() for path, name in branches(part)]


class Module:
    """A file as a module: its names and where they come from."""

    def __init__(self, file, parent=None):
        self.file, self.parent, self.children, self.uses = file, parent, {}, []
        with open(file, encoding="utf-8") as source:
            text = source.read()
        self.modules = {name: path for path, name in MODULE.findall(without_tests(text))}
        code = without_tests(without_noise(text))
        for found in USE.finditer(code):
            handed_on = bool(found.group(1))
            self.uses += [(path, name, handed_on) for path, name in branches(found.group(2))]
        self.code = USE.sub(" ", code)
        self.bound = {name: path for path, name, _ in self.uses if name != "*"}

    def root(self):
        return self.parent.root() if self.parent else self

    def adopt(self, files):
        """Finds the files of the modules that this one declares."""
        directory, name = os.path.split(self.file)
        stem = name.removesuffix(".rs")
        below = directory if self.parent is None or stem == "mod" else os.path.join(directory, stem)
        for module, path in self.modules.items():
            places = [os.path.join(directory, path)] if path else [
                os.path.join(below, module + ".rs"), os.path.join(below, module, "mod.rs")]
            for place in map(os.path.normpath, places):
                if place in files:
                    self.children[module] = Module(place, self)
                    self.children[module].adopt(files)

    def all(self):
        yield self
        for child in self.children.values():
            yield from child.all()

    def find(self, path, seen=()):
        """The module whose file defines what a path ends at; None where it leaves the crate."""
        here, rest = self, list(path)
        while rest and rest[0] in ("crate", "super", "self"):
            step = rest.pop(0)
            here = here.root() if step == "crate" else here.parent if step == "super" else here
            if here is None:
                return None
        rooted = len(rest) < len(path)
        while rest:
            name = rest[0]
            if name in here.children:
                here = here.children[name]
            elif name in here.bound and (here.file, name) not in seen:
                return here.find(here.bound[name] + rest[1:], (*seen, (here.file, name)))
            else:
                return here if rooted or here is not self else None
            rooted = True
            rest.pop(0)
        return here

    def imports(self):
        """The files that define what this one works with."""
        wanted = [path for path, name, handed_on in self.uses if not handed_on or self.mentions(name)]
        wanted += [re.split(r"\s*::\s*", path) for path in PATH.findall(self.code)]
        found = {self.find([part for part in path if part != "*"]) for path in wanted}
        return {module.file for module in found if module and module is not self}

    def mentions(self, name):
        return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self.code) is not None


def pairs(roots, files):
    """The pairs of files that import each other."""
    imports = {}
    for root in roots:
        crate = Module(root)
        crate.adopt(files)
        for module in crate.all():
            if os.path.basename(module.file) != "tests.rs":
                imports.setdefault(module.file, set()).update(module.imports())
    return sorted((file, other) for file, others in imports.items() for other in others
                  if file < other and file in imports.get(other, ()))


# What a crate may begin with.
ROOTS = {"lib.rs", "main.rs", "alloctag.rs"}


def main():
    files = {os.path.normpath(name) for name in sys.argv[1:] if name.endswith(".rs")}
    roots = sorted(name for name in files if os.path.basename(name) in ROOTS)
    for file, other in pairs(roots, files):
        print(f"{file} and {other} import each other")
    if not roots:
        print("no crate's root was named")


if __name__ == "__main__":
    main()
