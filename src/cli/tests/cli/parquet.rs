// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag export --format parquet`, with the feature of that name and without it.

use crate::harness::run;

#[cfg(not(feature = "parquet"))]
#[test]
fn without_the_feature_it_says_how_to_get_it() {
    let error = run("export c-7.3.4.txt --format parquet -o x.parquet").failed(2);
    assert!(
        error.contains("--format parquet: this alloctag is built without it; cargo build --features parquet"),
        "{error}"
    );
}

#[test]
fn options_that_it_does_not_have_are_turned_down() {
    for (options, part) in [
        ("--format parquet -g file", "--group: "),
        ("--format csv --all", "--all: only parquet"),
        ("-a --format json", "--all: only parquet"),
    ] {
        assert!(run(&format!("export c-7.3.4.txt {options}")).failed(2).contains(part), "{options}");
    }
}

#[cfg(feature = "parquet")]
mod files {
    use std::fs::{self, File};
    use std::path::Path;

    use alloctag::model::{Meta, Uname};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::{Field, Row};

    use crate::harness::{directory, run, snapshot};

    fn rows(path: &Path) -> Vec<Row> {
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        let about = reader.metadata().file_metadata().key_value_metadata().unwrap();
        assert!(about.iter().any(|pair| pair.key == "alloctag" && pair.value.as_deref() == Some("alloctag.parquet/1")));
        reader.get_row_iter(None).unwrap().map(Result::unwrap).collect()
    }

    fn value(row: &Row, column: &str) -> Field {
        row.get_column_iter().find(|(name, _)| *name == column).unwrap_or_else(|| panic!("{column}")).1.clone()
    }

    fn text(text: &str) -> Field {
        Field::Str(text.to_owned())
    }

    #[test]
    fn a_profile_has_the_same_rows_as_in_csv() {
        let directory = directory(&[]);
        let path = directory.path().join("a.parquet");
        run(&format!("export c-7.3.4-modules.txt --format parquet -o {}", path.display())).clean();
        let csv = run("export c-7.3.4-modules.txt --format csv").clean();
        let rows = rows(&path);
        assert_eq!(rows.len(), csv.lines().count() - 1);
        let sum: i64 = rows
            .iter()
            .map(|row| match value(row, "bytes") {
                Field::Long(bytes) => bytes,
                _ => 0,
            })
            .sum();
        let whole = run("list c-7.3.4-modules.txt -g module --format json").json();
        let expected: i64 = whole["rows"].as_array().unwrap().iter().map(|row| row["bytes"].as_i64().unwrap()).sum();
        assert_eq!(sum, expected);
        assert_eq!(value(&rows[0], "host"), Field::Null, "a text does not tell");
        assert!(rows.iter().all(|row| value(row, "backing") == Field::Bool(false)));
    }

    #[test]
    fn every_snapshot_of_a_recording_says_of_which_host_and_moment_it_is() {
        let directory = directory(&[]);
        for number in 1..=4u64 {
            let uname =
                Uname { release: "7.3.4".into(), version: "#1".into(), machine: "x86_64".into(), node: "web-7".into() };
            let meta = Meta {
                time_ms: Some(1_795_244_400_000 + number),
                boot_id: Some("b".into()),
                uname: Some(uname),
                ..Meta::default()
            };
            // A kernel that counts more was booted in between.
            let more = if number > 2 { " requested:90 note:none" } else { "" };
            let text = format!("{number} 1 fs/a.c:7 [m] func:f{more}\n-5 2 mm/b.c:9 func:g accurate:no\n");
            snapshot(&directory.path().join(format!("{number:08}-x.alloctag")), &text, meta);
        }
        fs::write(directory.path().join("00000002-x.alloctag"), b"\x89ALTAG\r\n").unwrap();
        let path = directory.path().join("a.parquet");
        let ran = run(&format!("export {} --all --format parquet -o {}", directory.path().display(), path.display()));
        assert_eq!((ran.status, ran.err.lines().count()), (1, 1), "{}", ran.err);
        assert!(ran.err.contains("left out: ") && ran.err.contains("00000002-x.alloctag"), "{}", ran.err);
        let rows = rows(&path);
        assert_eq!(rows.len(), 6);
        let of = |func: &str| rows.iter().filter(|row| value(row, "func") == text(func)).collect::<Vec<_>>();
        let times: Vec<Field> = of("f").iter().map(|row| value(row, "time")).collect();
        assert_eq!(times, [1, 3, 4].map(|number| Field::TimestampMillis(1_795_244_400_000 + number)));
        for (column, expected) in [
            ("host", text("web-7")),
            ("kernel", text("7.3.4")),
            ("boot", text("b")),
            ("file", text("fs/a.c")),
            ("line", Field::Int(7)),
            ("module", text("m")),
            ("bytes", Field::Long(4)),
            ("calls", Field::Long(1)),
            ("accurate", Field::Bool(true)),
            ("requested", Field::Long(90)),
            ("extra", text("note:none")),
        ] {
            assert_eq!(value(of("f")[2], column), expected, "{column}");
        }
        let other = of("g")[0];
        for (column, expected) in [
            ("module", Field::Null),
            ("bytes", Field::Long(-5)),
            ("accurate", Field::Bool(false)),
            ("requested", Field::Null),
            ("extra", Field::Null),
        ] {
            assert_eq!(value(other, column), expected, "{column}");
        }
        // Without --all it is the last one, as everywhere.
        run(&format!("export {} --format parquet -o {}", directory.path().display(), path.display())).clean();
        assert_eq!(self::rows(&path).len(), 2);
    }

    #[test]
    fn what_only_some_kernels_count_has_columns_where_one_counts_it() {
        let directory = directory(&[]);
        let path = directory.path().join("a.parquet");
        run(&format!("export sites-1.0.txt --format parquet -o {}", path.display())).clean();
        let rows = rows(&path);
        for (column, expected) in
            [("slack", 0), ("allocs", 96_000), ("frees", 93_952), ("allocated", 393_216_000), ("failed", 3)]
        {
            assert_eq!(value(&rows[0], column), Field::Long(expected), "{column}");
        }
        run(&format!("export crafted-2.0.txt --format parquet -o {}", path.display())).clean();
        assert!(self::rows(&path)[0].get_column_iter().all(|(name, _)| name != "slack"));
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        assert!(run("export --all --format parquet -o /dev/null").failed(2).contains("--all: name a recording"));
        assert!(run("export /no/where --format parquet -o x").failed(1).contains("no such file"));
    }
}
