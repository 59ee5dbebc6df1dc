// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the keys do, for the help screen.

/// Keys with what they do, in the order in which they are explained.
pub(super) const HELP: [(&str, &str); 22] = [
    ("Up Down k j", "move the cursor; PgUp PgDn Home End go further"),
    ("Enter", "the line's history and callers; in a tree, open or close a branch"),
    ("/", "filter as you type: part of a name, or a condition such as bytes>1M module=nvme"),
    ("Esc", "back; without anything to leave, drop the filter"),
    ("g G", "next, previous group: site func file dir module subsystem"),
    ("t", "tree or list"),
    ("Right Left", "open, close a branch; Space turns it round, * opens all"),
    ("d D", "baseline: count DELTA from now on, from the start again"),
    ("p", "pause and go on"),
    ("Space [ ]", "in a recording: pause and go on, a tenth back, a tenth on; Left, Right: one"),
    ("< >", "sort by the column to the left, to the right"),
    ("s e r c a n", "sort by BYTES, DELTA, RATE, CALLS, AVG, NAME"),
    ("i", "turn the order round"),
    ("z", "lines that hold nothing: show or hide"),
    ("b", "pages that only back other lines: count or not"),
    ("1 to 7", "the columns from BYTES to TREND: show or hide; 8 those of SLACK and ALLOCS/s"),
    ("W", "keep order, group, filter, columns and units for the next time"),
    ("mouse", "a head sorts, a line is selected and then opened, the wheel scrolls"),
    ("u", "units: 1024, 1000, all digits"),
    ("- +", "read twice as often, half as often"),
    ("? h", "this page"),
    ("q ^C", "end; ^Z suspends, ^L draws anew"),
];
