// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::model::{Meta, Names, Number, Profile};

fn read(text: &str) -> (Result<Option<Version>, TextError>, Profile) {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    let version = parse(text.as_bytes(), &mut builder);
    (version, builder.finish(Meta::default()))
}

#[test]
fn a_row_of_each_shape_that_kernels_print_is_read() {
    for (line, file, number, module, func, bytes, calls, accurate) in [
        ("       16384        4 block/blk-mq.c:3421 func:rqs ", "block/blk-mq.c", 3421, None, "rqs", 16384, 4, true),
        ("        4096        1 a/b.c:6 [nvme] func:f ", "a/b.c", 6, Some("nvme"), "f", 4096, 1, true),
        ("           0        0 a.c:1 func:f accurate:no ", "a.c", 1, None, "f", 0, 0, false),
        ("        -128        0 a.c:1 func:f ", "a.c", 1, None, "f", -128, 0, true),
        ("123456789012345 12345678901 a.c:1 func:f ", "a.c", 1, None, "f", 123_456_789_012_345, 12_345_678_901, true),
        // Counters in mid-update: a count below zero, printed unsigned.
        ("       -4096 18446744073709551615 a.c:1 func:f ", "a.c", 1, None, "f", -4096, -1, true),
        ("8 1 rust/kernel/x.rs:9 func:a::b::<T>::c ", "rust/kernel/x.rs", 9, None, "a::b::<T>::c", 8, 1, true),
        ("8 1 x.rs:9 func:<A<T> as B>::c accurate:no ", "x.rs", 9, None, "<A<T> as B>::c", 8, 1, false),
        (
            "8 1 x.rs:9 func:f::<fn(u8) -> u8>::{closure#0} ",
            "x.rs",
            9,
            None,
            "f::<fn(u8) -> u8>::{closure#0}",
            8,
            1,
            true,
        ),
        ("8\t1\tx.c:9 func:f", "x.c", 9, None, "f", 8, 1, true),
        ("8 1 C:x.c:9 func:f", "C:x.c", 9, None, "f", 8, 1, true),
    ] {
        let sample = row(line.trim()).unwrap_or_else(|reason| panic!("{line}: {reason}"));
        assert_eq!((sample.file, sample.line, sample.module), (file, number, module), "{line}");
        assert_eq!((sample.func, sample.bytes, sample.calls), (func, bytes, calls), "{line}");
        assert_eq!((sample.accurate, sample.extra.len()), (accurate, 0), "{line}");
    }
}

#[test]
fn unknown_pairs_behind_a_row_are_kept_in_order() {
    let sample = row("8 1 x.c:9 [m] func:f node-0:12 accurate:no peak:99 note:a:b empty:").unwrap();
    assert_eq!(sample.extra, [("node-0", "12"), ("peak", "99"), ("note", "a:b"), ("empty:", "")]);
    assert!(!sample.accurate);
}

#[test]
fn unknown_words_behind_a_row_are_kept_as_they_are() {
    for (tail, expected) in [
        ("rest", vec![("rest", "")]),
        ("hot accurate:no node:1", vec![("hot", ""), ("node", "1")]),
        (":v", vec![(":v", "")]),
        ("k,k:v", vec![("k,k:v", "")]),
        ("(12 Ki) 5x", vec![("(12", ""), ("Ki)", ""), ("5x", "")]),
    ] {
        let line = format!("8 1 x.c:9 [m] func:f {tail}");
        let sample = row(&line).unwrap();
        assert_eq!((sample.func, sample.bytes, sample.accurate), ("f", 8, !tail.contains("accurate")), "{tail}");
        assert_eq!(sample.extra, expected, "{tail}");
    }
}

#[test]
fn what_the_kernel_may_say_about_accuracy_one_day_is_kept() {
    let sample = row("8 1 x.c:9 func:f accurate:almost").unwrap();
    assert_eq!(sample.extra, [("accurate", "almost")]);
}

#[test]
fn a_row_that_does_not_fit_is_turned_down_with_its_reason() {
    for (line, reason) in [
        ("", "no size"),
        ("8", "no size"),
        ("8 1", "no count"),
        ("x 1 a.c:1 func:f", "size is not a number"),
        ("+8 1 a.c:1 func:f", "size is not a number"),
        ("- 1 a.c:1 func:f", "size is not a number"),
        ("2.8M 1 a.c:1 func:f", "size is not a number"),
        ("9223372036854775808 1 a.c:1 func:f", "size is not a number"),
        ("8 -1 a.c:1 func:f", "count of calls is not a number"),
        ("8 18446744073709551616 a.c:1 func:f", "count of calls is not a number"),
        ("8 1 a.c:1", "names no function"),
        ("8 1 a.c:1 fun:f", "names no function"),
        ("8 1 a.c func:f", "no line number"),
        ("8 1 a.c: func:f", "line is not a number"),
        ("8 1 a.c:-1 func:f", "line is not a number"),
        ("8 1 a.c:4294967296 func:f", "line is not a number"),
        ("8 1 :1 func:f", "names no file"),
        // Two rows run together: neither can be trusted.
        ("8 1 a.c:1 9 1 b.c:1 func:f", "names no function"),
        ("8 1 a b.c:1 func:f", "no line number"),
        ("8 1 a.c:1 func:f 9 1 b.c:1 func:g", "two rows"),
        ("8 1 a.c:1 func:f 9 1 b.c", "two rows"),
        ("8 1 a.c:1 func:f accurate:no-9 b.c:1 func:g", "two rows"),
        ("8 1 a.c:1 [] func:f", "module is not a name"),
        ("8 1 a.c:1 [m n] func:f", "module is not a name"),
        ("8 1 a.c:1 [m func:f", "brackets do not match"),
        ("8 1 a.c:1 [m]func:f", "module is not a name"),
        ("8 1 a.c:1 [[m] func:f", "module is not a name"),
        ("8 1 a.c:1 m] func:f", "names no function"),
        ("8 1 a.c:1 func:", "no name"),
        ("8 1 a.c:1 func: f", "no name"),
        ("8 1 a.c:1 func:f<T", "brackets do not match"),
        ("8 1 a.c:1 func:f>", "brackets do not match"),
        ("8 1 a.c:1 func:<A\tas B>::f", "tab"),
        ("8 1 a.c:1 func:\u{1b}[2J", "control characters"),
        ("8 1 a.c:1 func:\u{9b}2J", "control characters"),
        ("8 1 a\u{7f}.c:1 func:f", "control characters"),
    ] {
        let found = row(line).expect_err(line);
        assert!(found.contains(reason), "{line:?}: {found:?} lacks {reason:?}");
    }
}

#[test]
fn both_versions_no_header_and_a_sorted_header_are_read() {
    let rows = "8 1 a.c:1 func:f \n9 1 b.c:1 func:g \n";
    let title = "#     <size>  <calls> <tag info>\n";
    for (text, expected) in [
        (format!("allocinfo - version: 1.0\n{title}{rows}"), Some((1, 0))),
        (format!("allocinfo - version: 2.0\n{title}{rows}"), Some((2, 0))),
        (format!("allocinfo - version: 2.7\n{title}{rows}"), Some((2, 7))),
        (format!("{title}{rows}allocinfo - version: 2.0\n"), Some((2, 0))),
        (format!("\n \n{rows}\n"), None),
        (format!("allocinfo - version: 2.0\n{title}{rows}").replace('\n', "\r\n"), Some((2, 0))),
    ] {
        let (version, profile) = read(&text);
        assert_eq!(version, Ok(expected.map(|(major, minor)| Version { major, minor })), "{text}");
        assert_eq!((profile.rows().len(), profile.unreadable().count), (2, 0), "{text}");
        assert_eq!(profile.totals().sites.bytes, 17, "{text}");
    }
}

#[test]
fn a_text_without_one_good_row_is_turned_down() {
    for (text, expected) in [
        ("", "is empty"),
        ("\n\n", "holds no rows"),
        ("allocinfo - version: 2.0\n#     <size>  <calls> <tag info>\n", "holds no rows"),
        ("\0\0\0\n", "is binary"),
        ("ELF\u{1}\0junk\nmore", "is binary"),
        ("total 12\ndrwxr-xr-x 2 root\n", "line 1: its size is not a number"),
        ("8 1 a.c:1 func:f", "line 1: it does not end"),
        ("allocinfo - version: two\n", "line 1: it has no version number"),
        ("allocinfo - version: 3.0\n8 1 a.c:1 func:f \n", "text version 3.0"),
        ("allocinfo - version: 2.0\n8 1 a.c:1 func:f \nallocinfo - version: 2.0\n", "holds 2 profiles"),
    ] {
        let error = read(text).0.expect_err(text).to_string();
        assert!(error.contains(expected), "{text:?}: {error:?} lacks {expected:?}");
    }
}

#[test]
fn rows_that_cannot_be_read_are_counted_and_the_first_is_named() {
    let (version, profile) = read("8 1 a.c:1 func:f \nBAD\n9 1 b.c:1 func:g \nWORSE\n10 1 c.c:1 func:alloc_sl");
    assert_eq!(version, Ok(None));
    assert_eq!(profile.totals().sites.bytes, 17);
    assert_eq!(profile.unreadable().count, 3);
    assert_eq!(profile.unreadable().first.as_deref(), Some("line 2: it has no size"));
}

#[test]
fn a_text_cut_off_anywhere_never_yields_a_row_that_the_whole_one_lacks() {
    let text = "allocinfo - version: 2.0\n#     <size>  <calls> <tag info>\n     1234       56 a.c:12 [mod] func:f accurate:no \n\
                \x20      9        1 b.c:345 func:<A as B>::c \n";
    let (_, whole) = read(text);
    for end in 0..text.len() {
        let (_, part) = read(&text[..end]);
        assert!(part.rows().iter().all(|row| whole.rows().contains(row)), "cut at {end}: {:?}", part.rows());
    }
}

#[test]
fn a_line_too_long_for_a_row_is_turned_down() {
    let long = format!("8 1 a.c:1 func:{} \n9 1 b.c:1 func:g \n", "f".repeat(LINE_LIMIT));
    let (_, profile) = read(&long);
    assert_eq!((profile.rows().len(), profile.unreadable().count), (1, 1));
}

const SITES: &str = "sites - version: 1.0\n\
# bytes slack calls allocs frees allocated failed tag\n\
16384 384 4 96 92 393216 0 block/blk-mq.c:3421 func:rqs \n\
-64 -8 18446744073709551615 5 6 320 1 a.c:6 [nvme] func:f accurate:no\n";

#[test]
fn the_table_of_sites_tells_all_numbers_wherever_its_header_is() {
    let sorted = {
        let mut lines: Vec<&str> = SITES.lines().collect();
        lines.sort_unstable();
        lines.join("\n") + "\n"
    };
    for text in [SITES, &sorted] {
        let (version, profile) = read(text);
        assert_eq!(version, Ok(Some(Version { major: 1, minor: 0 })));
        let mut rows: Vec<String> = profile
            .rows()
            .iter()
            .map(|row| {
                let numbers = row.numbers.known().map(|(number, value)| format!("{}={value}", number.name()));
                let numbers = numbers.collect::<Vec<_>>().join(" ");
                format!("{} {} {} {} {numbers}", row.site, row.bytes, row.calls, row.accurate)
            })
            .collect();
        rows.sort_unstable();
        assert_eq!(
            rows,
            [
                "a.c:6 [nvme] func:f -64 -1 false slack=-8 allocs=5 frees=6 allocated=320 failed=1",
                "block/blk-mq.c:3421 func:rqs 16384 4 true slack=384 allocs=96 frees=92 allocated=393216 failed=0",
            ]
        );
    }
}

#[test]
fn columns_of_the_table_of_sites_go_by_its_header() {
    let (_, profile) = read("sites - version: 1.1\n# calls bytes peak failed tag\n1 64 99 2 a.c:1 func:f node:1\n");
    let row = &profile.rows()[0];
    assert_eq!((row.calls, row.bytes, row.numbers.known().collect::<Vec<_>>()), (1, 64, vec![(Number::Failed, 2)]));
    // What there is no field for is kept, in front of what stands behind the tag.
    assert_eq!(row.extra.iter().map(ToString::to_string).collect::<Vec<_>>(), ["peak:99", "node:1"]);
}

#[test]
fn a_table_of_sites_that_cannot_be_read_is_told() {
    for (text, expected) in [
        ("sites - version: 2.0\n# bytes calls tag\n1 1 a.c:1 func:f\n", "text version 2.0, which"),
        ("sites - version: 1.0\n1 1 a.c:1 func:f\n", "lacks the line `# bytes"),
        ("sites - version: 1.0\n# bytes slack tag\n1 1 a.c:1 func:f\n", "lacks the line `# bytes"),
        ("sites - version: 1.0\n# bytes calls \u{1b}[2J tag\n1 1 1 a.c:1 func:f\n", "lacks the line `# bytes"),
        ("sites - version: 1.0\n# bytes calls bytes tag\n1 1 1 a.c:1 func:f\n", "lacks the line `# bytes"),
        ("sites - version: 1.0\n# bytes slack calls tag\n1 1 a.c:1 func:f\n", "its count of calls is not a number"),
        ("sites - version: 1.0\n# bytes calls slack tag\n1 1 x a.c:1 func:f\n", "a number of it is none"),
        ("sites - version: 1.0\n# bytes calls slack tag\n1 1\n", "it has no count of calls"),
        ("sites - version: 1.0\n# bytes calls slack tag\n1 1 1\n", "it has fewer numbers than there are columns"),
        ("allocinfo - version: 2.0\n1 1 a.c:1 func:f\nsites - version: 1.0\n# bytes calls tag\n", "holds 2 profiles"),
    ] {
        let error = read(text).0.unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}
