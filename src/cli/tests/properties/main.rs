// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Every parser on thousands of made and mutated inputs, within seconds and on any toolchain.
//!
//! `scripts/test fuzz` runs the same checks under libFuzzer. A failure prints a seed; put it into
//! `.seed(0x…)` of its test to see it again.

mod chains;
mod checks;
mod contexts;
mod times;
mod trace;
mod traces;

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;

const CAPTURES: [&[u8]; 4] = [
    include_bytes!("../data/crafted-1.0.txt"),
    include_bytes!("../data/crafted-2.0.txt"),
    include_bytes!("../data/c-7.3.4.txt"),
    include_bytes!("../data/sites-1.0.txt"),
];

/// Texts of contexts, and of rules.
const CONTEXTS: [&[u8]; 3] = [
    include_bytes!("../data/contexts-1.0.txt"),
    include_bytes!("../data/contexts-later-1.0.txt"),
    include_bytes!("../data/control-1.0.txt"),
];

/// Texts of times.
const TIMES: [&[u8]; 4] = [
    include_bytes!("../data/stalls-1.0.txt"),
    include_bytes!("../data/stalls-later-1.0.txt"),
    include_bytes!("../data/latency-1.0.txt"),
    include_bytes!("../data/lifetimes-1.0.txt"),
];

/// Bytes that rows are made of, and some that they are not.
const SPLICES: [&[u8]; 39] = [
    b"stalls - version: 1.1\n",
    b"\n# cause count ns min_ns max_ns histogram tag\n",
    b"39:4294967295",
    b",",
    b" - ",
    b" ",
    b"\n",
    b"\r\n",
    b":",
    b"func:",
    b"[",
    b"]",
    b"[m]",
    b"<",
    b">",
    b"->",
    b"-",
    b"0",
    b"18446744073709551615",
    b"-9223372036854775808",
    b"4611686018427387903",
    b"accurate:no",
    b"k:v",
    b"#",
    b"allocinfo - version: 2.1\n",
    b"sites - version: 1.1\n",
    b"\n# slack calls peak bytes tag\n",
    b"\0",
    b"\xff",
    b"\x1b[31m",
    b"\t",
    b"<A\tas B>",
    b"./",
    b"\\040",
    b"ctx:7",
    b"contexts - version: 1.1\n",
    b"\n  ",
    b"comm:",
    b"slack:-1",
];

/// Words of conditions.
const WORDS: [&str; 40] = [
    "file",
    "func",
    "module",
    "line",
    "dir",
    "subsystem",
    "site",
    "bytes",
    "calls",
    "avg",
    "accurate",
    "rows",
    "backing",
    "extra.k",
    "=",
    "!=",
    "~",
    "!~",
    ">",
    ">=",
    "<",
    "<=",
    "(",
    ")",
    "and",
    "or",
    "not",
    "!",
    " ",
    "'",
    "a.c",
    "a.h",
    "f",
    "m",
    "-",
    "1M",
    "yes",
    "no",
    "10-90",
    "*",
];

/// A piece of a capture with some damage.
fn mutated(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let capture = *u.choose(&CAPTURES)?;
    mutated_of(capture, u)
}

/// The same of one of them.
fn mutated_of(capture: &[u8], u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    // Titles and heads are at the beginning.
    let start = if u.ratio(1, 4)? { 0 } else { u.choose_index(capture.len())? };
    let length = u.int_in_range(0..=2000)?;
    let mut bytes = capture[start..(start + length).min(capture.len())].to_vec();
    for _ in 0..u.int_in_range(0..=8)? {
        let at = u.int_in_range(0..=bytes.len())?;
        match u.int_in_range(0..=3)? {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] = u.arbitrary()?,
            2 if at < bytes.len() => drop(bytes.remove(at)),
            _ => drop(bytes.splice(at..at, u.choose(&SPLICES)?.iter().copied())),
        }
    }
    Ok(bytes)
}

/// Records of the ioctls that mostly make sense.
fn records(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    const NAMES: [&[u8]; 9] =
        [b"", b"f", b"mm/a.c", b"./a.h", b"alloc_slab_page", b"mm/slub.c", b"\xff", b"\x1b[2J", &[b'n'; 64]];
    let mut bytes = Vec::new();
    for _ in 0..u.int_in_range(0..=6)? {
        for _ in 0..3 {
            let start = bytes.len();
            bytes.extend(*u.choose(&NAMES)?);
            bytes.resize(start + 64, if u.ratio(1, 40)? { b'x' } else { 0 });
        }
        for limit in [3, i64::MAX, i64::MAX, 1] {
            let number = if u.ratio(9, 10)? { u.int_in_range(0..=limit.min(4096))? } else { u.arbitrary()? };
            bytes.extend(number.to_ne_bytes());
        }
    }
    // Some damage, and an end that is none.
    if u.ratio(1, 3)? && !bytes.is_empty() {
        let at = u.choose_index(bytes.len())?;
        bytes[at] = u.arbitrary()?;
    }
    if u.ratio(1, 5)? {
        bytes.truncate(u.int_in_range(0..=bytes.len())?);
    }
    Ok(bytes)
}

/// Words of the language in any order.
fn sentence(u: &mut Unstructured<'_>) -> Result<String> {
    (0..u.int_in_range(0..=16)?).map(|_| Ok(*u.choose(&WORDS)?)).collect()
}

/// Whether any of a hundred inputs, the same ones each time, is what is `wanted`: what is asked of inputs that are mostly refused
/// could hold for want of others. How many a budget has room for is the machine's affair.
fn one_of_them_is(mut wanted: impl FnMut(&mut Unstructured<'_>) -> Result<bool>) -> bool {
    const BYTES: u64 = 4096;
    (1..=100u64).any(|number| {
        let mut found = false;
        arbtest(|u| {
            found = wanted(u)?;
            Ok(())
        })
        .seed(number << u32::BITS | BYTES)
        .run();
        found
    })
}

/// Comparisons that make sense, joined in ways that do too.
fn sensible(u: &mut Unstructured<'_>) -> Result<String> {
    const PARTS: [&str; 18] = [
        "file=a.c",
        "file=./a.h",
        "file=a.h",
        "file=mm/slub.c",
        "func=f",
        "func=g",
        "module=m",
        "module=-",
        "line=1",
        "line=10-90",
        "accurate=no",
        "accurate!=no",
        "bytes>0",
        "bytes>=1M",
        "bytes<=0",
        "bytes=-1",
        "calls>0",
        "backing=yes",
    ];
    let mut text = String::new();
    for _ in 0..u.int_in_range(1..=5)? {
        text.push_str(u.choose(&["", "not ", "(", "!("])?);
        text.push_str(u.choose(&PARTS)?);
        text.push_str(u.choose(&[" ", " and ", " or ", ") ", ") or "])?);
    }
    Ok(text.trim_end_matches(" or ").trim_end_matches(" and ").to_owned())
}

#[test]
fn damaged_texts_never_make_wrong_rows() {
    arbtest(|u| {
        checks::allocinfo(&mutated(u)?);
        Ok(())
    })
    .budget_ms(4000);
}

#[test]
fn whole_captures_hold_the_same_properties() {
    CAPTURES.iter().for_each(|capture| checks::allocinfo(capture));
    assert!(CAPTURES.iter().all(|capture| checks::saved(capture).is_some()));
}

#[test]
fn damaged_contexts_and_rules_are_read_as_they_would_be_written_or_not_at_all() {
    CONTEXTS.iter().for_each(|capture| contexts::contexts(capture));
    arbtest(|u| {
        let capture = *u.choose(&CONTEXTS)?;
        let bytes = mutated_of(capture, u)?;
        contexts::contexts(&bytes);
        contexts::rules(&bytes);
        contexts::rules(u.arbitrary()?);
        Ok(())
    })
    .budget_ms(4000);
}

#[test]
fn damaged_times_are_read_as_they_would_be_written_or_not_at_all() {
    TIMES.iter().for_each(|capture| times::times(capture));
    arbtest(|u| {
        let capture = *u.choose(&TIMES)?;
        times::times(&mutated_of(capture, u)?);
        times::times(u.arbitrary()?);
        Ok(())
    })
    .budget_ms(4000);
}

#[test]
fn histograms_of_parts_are_together_that_of_the_whole_and_quantiles_are_in_their_bucket() {
    arbtest(|u| {
        let length = u.int_in_range(0..=60)?;
        // Of every size alike.
        let one = |u: &mut Unstructured<'_>| Ok(u.arbitrary::<u64>()? >> u.int_in_range(10..=63)?);
        let of: Result<Vec<u64>> = (0..length).map(|_| one(u)).collect();
        times::merged(&of?, u.int_in_range(0..=60)?);
        Ok(())
    })
    .budget_ms(2000);
}

#[test]
fn records_of_the_ioctls_are_taken_as_they_are_or_refused() {
    arbtest(|u| {
        checks::records(&records(u)?);
        checks::records(u.arbitrary()?);
        Ok(())
    })
    .budget_ms(3000);
}

#[test]
fn what_is_typed_into_top_picks_rows_or_is_told() {
    arbtest(|u| {
        checks::filter(&sentence(u)?);
        checks::filter(u.arbitrary()?);
        Ok(())
    })
    .budget_ms(1500);
}

#[test]
fn any_bytes_are_a_profile_or_an_error() {
    arbtest(|u| {
        let mut bytes = if u.arbitrary()? { vec![0x1f, 0x8b, 8] } else { Vec::new() };
        bytes.extend(u.arbitrary::<Vec<u8>>()?);
        checks::saved(&bytes);
        Ok(())
    })
    .budget_ms(1500);
}

/// Rows that mostly make sense.
fn rows(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    const COLUMNS: [(&str, u8); 9] = [
        ("file", 3),
        ("line", 1),
        ("func", 3),
        ("module", 3),
        ("bytes", 2),
        ("calls", 2),
        ("flags", 1),
        ("merged", 1),
        ("extra", 4),
    ];
    let count = u.int_in_range(0..=3u8)?;
    let columns: Vec<_> = COLUMNS.into_iter().filter(|_| u.ratio(19, 20).unwrap_or(true)).collect();
    let mut rows = vec![count, u8::try_from(columns.len()).unwrap()];
    for (name, encoding) in columns {
        let mut values = Vec::new();
        for _ in 0..count {
            match encoding {
                4 if u.ratio(1, 4)? => values.extend([1, 1, 2]),
                4 => values.push(0),
                _ if u.ratio(1, 20)? => values.extend([0xff; 9].into_iter().chain([1])),
                _ => values.push(u.int_in_range(0..=4)?),
            }
        }
        rows.push(u8::try_from(name.len()).unwrap());
        rows.extend(name.as_bytes());
        rows.extend([encoding, u8::try_from(values.len()).unwrap()]);
        rows.extend(values);
    }
    if u.ratio(1, 4)? {
        let at = u.choose_index(rows.len())?;
        rows[at] = u.arbitrary()?;
    }
    Ok(rows)
}

/// What a snapshot says about its base, mostly with sense, as [`checks::delta`] takes it.
fn differences(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    const BASES: [&[u8]; 4] = [b"\x01b\x07", b"\x01b\x07", b"\x04../b\x07", b"\x02b\x1b\x07"];
    let base = *u.choose(&BASES)?;
    let rows = if u.ratio(1, 2)? { EMPTY.to_vec() } else { rows(u)? };
    let new = rows[0];
    let mut columns = [Vec::new(), Vec::new(), Vec::new()];
    let known = u.int_in_range(0..=6u8)?;
    for place in 0..known + new {
        // New ones last, but for now and then.
        if place >= known || u.ratio(1, 10)? {
            columns[0].push(0);
            continue;
        }
        columns[0].push(u.int_in_range(1..=3)?);
        columns[1].push(u.int_in_range(0..=4)?);
        columns[2].push(u.int_in_range(0..=4)?);
    }
    let mut diff = vec![known + new];
    for column in columns {
        diff.push(u8::try_from(column.len()).unwrap());
        diff.extend(column);
    }
    if u.ratio(1, 4)? {
        let at = u.choose_index(diff.len())?;
        diff[at] = u.arbitrary()?;
    }
    let length = |part: &[u8]| u16::try_from(part.len()).unwrap().to_le_bytes();
    Ok([&length(base), &length(&diff), base, diff.as_slice(), rows.as_slice()].concat())
}

/// No rows, with the columns that must be there.
const EMPTY: &[u8] = b"\0\x05\x04file\x03\0\x04line\x01\0\x04func\x03\0\x05bytes\x02\0\x05calls\x02\0";

#[test]
fn snapshots_that_rest_on_others_come_back_or_are_refused() {
    arbtest(|u| {
        checks::delta(&differences(u)?);
        checks::delta(u.arbitrary()?);
        Ok(())
    })
    .budget_ms(1500);
    assert!(one_of_them_is(|u| Ok(checks::delta(&differences(u)?).is_some())));
}

/// A snapshot's contents that mostly make sense, as [`checks::snapshot`] takes them.
fn contents(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    const META: [&str; 7] = [
        "{}",
        r#"{"meta": {"time_ms": 18446744073709551615, "version": {"major": 2, "minor": 0}}}"#,
        r#"{"meta": {"uname": {"release": "\u001b[2J", "version": "", "machine": "", "node": ""}}}"#,
        r#"{"meta": {"memory": {"MemTotal": 1}}, "unreadable": {"count": 3, "first": "line 1"}}"#,
        r#"{"meta": {"source": "\u001b\n"}}"#,
        r#"{"unreadable": {"count": 1, "first": "\u0007"}}"#,
        "{\"meta\": []}",
    ];
    const STRINGS: [&[u8]; 3] = [b"\x02\x03a.c\x01f", b"\x04\x03a.c\x01f\x01m\x01k", b"\x02\x03a\x1bc\x01f"];
    let (meta, strings) = (u.choose(&META)?.as_bytes(), *u.choose(&STRINGS)?);
    let rows = rows(u)?;
    let length = |part: &[u8]| u16::try_from(part.len()).unwrap().to_le_bytes();
    Ok([&length(meta), &length(strings), meta, strings, rows.as_slice()].concat())
}

#[test]
fn snapshots_with_sound_blocks_hold_the_same_properties() {
    arbtest(|u| {
        checks::snapshot(&contents(u)?);
        checks::snapshot(u.arbitrary()?);
        Ok(())
    })
    .budget_ms(3000);
    assert!(one_of_them_is(|u| Ok(checks::snapshot(&contents(u)?).is_some())));
}

#[test]
fn no_condition_loses_rows_in_the_kernel() {
    arbtest(|u| {
        checks::condition(&sentence(u)?);
        checks::condition(&sensible(u)?);
        checks::condition(u.arbitrary()?);
        Ok(())
    })
    .budget_ms(3000);
}

#[test]
fn the_check_of_conditions_sees_rows_of_both_kinds() {
    // Otherwise the property above could hold for want of examples.
    let subsystems = alloctag::subsystem::Subsystems::built_in();
    for text in ["file=a.c module=m", "bytes>0", "accurate=no line=2", "file=a.h"] {
        let condition = alloctag::query::Where::parse(text, &subsystems).unwrap();
        let rows = checks::sample_rows();
        let matching = rows.iter().filter(|row| condition.matches(row, &subsystems)).count();
        assert!(matching > 0 && matching < rows.len(), "{text}: {matching}");
    }
}

#[test]
fn tables_rules_words_and_numbers_never_panic() {
    const TOML: [&str; 12] =
        ["[a]\n", "[", "]", "\"", "files", "modules", "=", "['a/*.c', 'b/']", "'[x'", "\n", "#", "\\u001b"];
    arbtest(|u| {
        checks::subsystems(u.arbitrary()?);
        let table: Result<String> = (0..u.int_in_range(0..=12)?).map(|_| Ok(*u.choose(&TOML)?)).collect();
        checks::subsystems(&table?);
        checks::kernel(u.arbitrary()?);
        checks::notes(u.arbitrary()?);
        checks::request(u.arbitrary()?);
        checks::suppressions(u.arbitrary()?);
        checks::suppressions(&format!("where:{}\nleak:{}", sentence(u)?, sentence(u)?));
        checks::words(u.arbitrary()?);
        let number: Result<String> = (0..u.int_in_range(0..=10)?)
            .map(|_| Ok(*u.choose(&["-", "1", "9", "0", ".", "k", "M", "i", "B", "E"])?))
            .collect();
        checks::number(&number?);
        Ok(())
    })
    .budget_ms(2000);
}

/// Inputs that once broke a property, as libFuzzer found them or less.
#[test]
fn what_was_found_stays_fixed() {
    // The check took numbers that stop at the limit one by one for some that do so together.
    checks::allocinfo(
        b"sites - version: 1.0\n# bytes calls allocs tag\n8 1 4611686018427387903 a.c:1 func:f\n8 1 1 a.c:2 func:f\n",
    );
    contexts::contexts(
        b"contexts - version: 1.0\n8 1 a.c:1 func:f ctx:0 slack:4611686018427387903\n8 1 a.c:2 func:f ctx:1 slack:1\n",
    );
    // What is told of a mistake quoted control characters.
    checks::filter("calls>=\x0010k");
    checks::condition("file~[\x1b");
    checks::suppressions("# known\nwhere:bytes>\x03k module=-\n");
    checks::subsystems("[\"M\"]\nfiles = ['drir\ts/`es = [)x']\n");
    checks::subsystems("[a]\n\"x\\u001b\" = 1\n");
}
