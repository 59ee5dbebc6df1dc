# SPDX-License-Identifier: GPL-2.0-only
"""Names the packages whose licence does not go with what is made of them.

Reads lines of `cargo tree --prefix none -f '{l}|{p}'`. What the tool is linked of must be under licences that GPL-2.0-only takes in: a
choice (OR) needs one of them, a sum (AND) all. "--tests" allows besides what only tests are linked of.
"""
import re
import sys

# Permissive, and without a condition that the GPL's version 2 does not know.
ALLOWED = {
    "0BSD", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "GPL-2.0-only",
    "GPL-2.0-or-later", "ISC", "LGPL-2.1-or-later", "MIT", "NCSA", "Unicode-3.0", "Unlicense", "Zlib",
}
# Its clause on patents keeps it out of the GPL's version 2. Tests are not given to anyone in binary form.
FOR_TESTS = {"Apache-2.0"}


def accepts(expression, allowed):
    """Whether an SPDX expression can be met; "/" is how cargo once wrote OR."""
    tokens = re.findall(r"[()]|[^\s()/]+|/", expression)

    def choice():
        met = total()
        while tokens and tokens[0] in ("OR", "/"):
            tokens.pop(0)
            met = total() or met
        return met

    def total():
        met = licence()
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            met = licence() and met
        return met

    def licence():
        if not tokens:
            return False
        name = tokens.pop(0)
        if name == "(":
            met = choice()
            return bool(tokens) and tokens.pop(0) == ")" and met
        if tokens[:1] == ["WITH"]:
            name = " ".join([name, *tokens[:2]])
            del tokens[:2]
        return name in allowed

    return choice() and not tokens


def main():
    allowed = ALLOWED | FOR_TESTS if "--tests" in sys.argv[1:] else ALLOWED
    lines = {line.strip() for line in sys.stdin if line.strip()}
    for line in sorted(lines):
        expression, _, package = line.partition("|")
        if not accepts(expression, allowed):
            print(f"{package}: {expression or 'no licence'}")
    if len(lines) < 2:
        print("no packages were listed")


if __name__ == "__main__":
    main()
