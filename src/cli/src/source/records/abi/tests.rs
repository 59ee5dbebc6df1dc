// SPDX-License-Identifier: GPL-2.0-only OR MIT

use std::mem::offset_of;
use std::path::Path;
use std::process::Command;

use super::context::{Context, Frame};
use super::rules::Text;
use super::*;
use crate::model::TABLE;

/// What a C compiler makes of the header, as `NAME VALUE` on each line; `None` where there is none, or no header.
fn by_c(expressions: &[String]) -> Option<Vec<u64>> {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include/uapi");
    if !include.join("linux/alloctag.h").exists() {
        return None;
    }
    let dir = tempfile::tempdir().unwrap();
    let (source, program) = (dir.path().join("abi.c"), dir.path().join("abi"));
    let lines: String =
        expressions.iter().map(|e| format!("printf(\"%llu\\n\", (unsigned long long)({e}));\n")).collect();
    // Systems have headers that are older than one of its types.
    let text = format!(
        "#include <linux/types.h>\n#ifndef __aligned_s64\n#define __aligned_s64 __s64 __attribute__((aligned(8)))\n#endif\n\
         #include <stddef.h>\n#include <stdio.h>\n#include \"{}\"\nint main(void) {{\n{lines}return 0;\n}}\n",
        include.join("linux/alloctag.h").display()
    );
    std::fs::write(&source, text).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let built = match Command::new(&compiler).arg(&source).arg("-o").arg(&program).output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        built => built.unwrap(),
    };
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&program).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    Some(output.lines().map(|line| line.parse().unwrap()).collect())
}

#[test]
fn the_structures_and_numbers_are_those_that_a_c_compiler_makes_of_the_header() {
    let mut expected: Vec<(String, u64)> = Vec::new();
    let mut expect = |c: &str, rust: u64| expected.push((c.to_owned(), rust));
    expect("ALLOCTAG_IOC_NUMBERS", u64::from(GET_NUMBERS));
    expect("ALLOCTAG_IOC_NAMES", u64::from(GET_NAMES));
    expect("ALLOCTAG_NAMES_INACCURATE", INACCURATE.into());
    expect("ALLOCTAG_TEXT_OWNED", rules::OWNED.into());
    for (c, rust) in [
        ("sizeof(struct alloctag_query)", size_of::<Query>()),
        ("offsetof(struct alloctag_query, record_size)", offset_of!(Query, record_size)),
        ("offsetof(struct alloctag_query, room)", offset_of!(Query, room)),
        ("offsetof(struct alloctag_query, count)", offset_of!(Query, count)),
        ("offsetof(struct alloctag_query, records)", offset_of!(Query, records)),
        ("offsetof(struct alloctag_query, content_id)", offset_of!(Query, content_id)),
        ("offsetof(struct alloctag_query, fields)", offset_of!(Query, fields)),
        ("offsetof(struct alloctag_query, cursor)", offset_of!(Query, cursor)),
        ("sizeof(struct alloctag_numbers)", size_of::<Numbers>()),
        ("sizeof(struct alloctag_names)", size_of::<Names>()),
        ("offsetof(struct alloctag_names, line)", offset_of!(Names, line)),
        ("offsetof(struct alloctag_names, flags)", offset_of!(Names, flags)),
        ("offsetof(struct alloctag_names, file)", offset_of!(Names, file)),
        ("offsetof(struct alloctag_names, function)", offset_of!(Names, function)),
        ("offsetof(struct alloctag_names, module)", offset_of!(Names, module)),
        ("ALLOCTAG_FILE_SIZE", FILE_SIZE),
        ("ALLOCTAG_FUNCTION_SIZE", FUNCTION_SIZE),
        ("ALLOCTAG_MODULE_SIZE", MODULE_SIZE),
        ("sizeof(struct alloctag_context)", size_of::<Context>()),
        ("offsetof(struct alloctag_context, site)", offset_of!(Context, site)),
        ("offsetof(struct alloctag_context, keys)", offset_of!(Context, keys)),
        ("offsetof(struct alloctag_context, rule)", offset_of!(Context, rule)),
        ("offsetof(struct alloctag_context, flags)", offset_of!(Context, flags)),
        ("offsetof(struct alloctag_context, frames)", offset_of!(Context, frames)),
        ("offsetof(struct alloctag_context, pid)", offset_of!(Context, pid)),
        ("offsetof(struct alloctag_context, node)", offset_of!(Context, node)),
        ("offsetof(struct alloctag_context, order)", offset_of!(Context, order)),
        ("offsetof(struct alloctag_context, gfp)", offset_of!(Context, gfp)),
        ("offsetof(struct alloctag_context, cgroup)", offset_of!(Context, cgroup)),
        ("offsetof(struct alloctag_context, every)", offset_of!(Context, every)),
        ("offsetof(struct alloctag_context, age_from)", offset_of!(Context, age_from)),
        ("offsetof(struct alloctag_context, age_to)", offset_of!(Context, age_to)),
        ("offsetof(struct alloctag_context, comm)", offset_of!(Context, comm)),
        ("sizeof(struct alloctag_frame)", size_of::<Frame>()),
        ("offsetof(struct alloctag_frame, place)", offset_of!(Frame, place)),
        ("offsetof(struct alloctag_frame, offset)", offset_of!(Frame, offset)),
        ("offsetof(struct alloctag_frame, size)", offset_of!(Frame, size)),
        ("offsetof(struct alloctag_frame, function)", offset_of!(Frame, function)),
        ("offsetof(struct alloctag_frame, module)", offset_of!(Frame, module)),
        ("ALLOCTAG_COMM_SIZE", context::COMM_SIZE),
        ("ALLOCTAG_SYMBOL_SIZE", context::SYMBOL_SIZE),
        ("sizeof(struct alloctag_histogram)", size_of::<histogram::Record>()),
        ("offsetof(struct alloctag_histogram, kind)", offset_of!(histogram::Record, kind)),
        ("offsetof(struct alloctag_histogram, flags)", offset_of!(histogram::Record, flags)),
        ("offsetof(struct alloctag_histogram, count)", offset_of!(histogram::Record, count)),
        ("offsetof(struct alloctag_histogram, ns)", offset_of!(histogram::Record, ns)),
        ("offsetof(struct alloctag_histogram, min_ns)", offset_of!(histogram::Record, min_ns)),
        ("offsetof(struct alloctag_histogram, max_ns)", offset_of!(histogram::Record, max_ns)),
        ("offsetof(struct alloctag_histogram, lost)", offset_of!(histogram::Record, lost)),
        ("offsetof(struct alloctag_histogram, buckets)", offset_of!(histogram::Record, buckets)),
        ("ALLOCTAG_HISTOGRAM_BUCKETS", crate::model::BUCKETS),
        ("sizeof(struct alloctag_text)", size_of::<Text>()),
        ("offsetof(struct alloctag_text, size)", offset_of!(Text, size)),
        ("offsetof(struct alloctag_text, text)", offset_of!(Text, text)),
        ("offsetof(struct alloctag_text, length)", offset_of!(Text, length)),
    ] {
        expect(c, rust as u64);
    }
    for (c, rust) in [
        ("ALLOCTAG_IOC_CONTEXTS", context::GET_CONTEXTS),
        ("ALLOCTAG_IOC_FRAMES", context::GET_FRAMES),
        ("ALLOCTAG_IOC_RULES", rules::SHOW),
        ("ALLOCTAG_IOC_OBEY", rules::OBEY),
        ("ALLOCTAG_IOC_SETTLE", settling::SETTLE),
        ("ALLOCTAG_IOC_HISTOGRAMS", histogram::GET_HISTOGRAMS),
    ] {
        expect(c, rust.into());
    }
    for (c, rust) in [
        ("STACK", context::STACK),
        ("CALLER", context::CALLER),
        ("COMM", context::COMM),
        ("PID", context::PID),
        ("NODE", context::NODE),
        ("CGROUP", context::CGROUP),
        ("GFP", context::GFP),
        ("ORDER", context::ORDER),
        ("AGE", context::AGE),
    ] {
        expect(&format!("ALLOCTAG_KEY_{c}"), rust);
    }
    let causes = histogram::CAUSES.iter().zip(0u64..).map(|(cause, kind)| (cause.to_uppercase(), kind));
    let others = [("LATENCY", histogram::LATENCY), ("LIFETIMES", histogram::LIFETIMES), ("AGES", histogram::AGES)];
    let others = others.map(|(name, kind)| (name.to_owned(), kind.into()));
    for (name, kind) in causes.chain(others).chain([("SHARED".to_owned(), histogram::SHARED.into())]) {
        expect(&format!("ALLOCTAG_HISTOGRAM_{name}"), kind);
    }
    expect("ALLOCTAG_CONTEXT_INTERRUPT", context::INTERRUPT.into());
    // The bit of a number is its place in the record.
    let counted = TABLE.iter().map(|about| (about.name, about.bit));
    for (name, bit) in [("bytes", BYTES), ("calls", CALLS)].into_iter().chain(counted) {
        expect(&format!("ALLOCTAG_FIELD_{}", name.to_uppercase()), 1 << bit);
        let place = offset_of!(Numbers, values) + 8 * bit as usize;
        expect(&format!("offsetof(struct alloctag_numbers, {name})"), place as u64);
    }
    let Some(found) = by_c(&expected.iter().map(|(c, _)| c.clone()).collect::<Vec<_>>()) else { return };
    for ((c, rust), found) in expected.iter().zip(found) {
        assert_eq!(*rust, found, "{c}");
    }
}

#[test]
fn every_field_of_the_header_has_a_place_in_the_table() {
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include/uapi/linux/alloctag.h");
    let Ok(text) = std::fs::read_to_string(header) else { return };
    let fields =
        text.lines().filter_map(|line| line.strip_prefix("#define ALLOCTAG_FIELD_")?.split_whitespace().next());
    let fields: Vec<String> = fields.map(str::to_lowercase).collect();
    let known: Vec<&str> = ["bytes", "calls"].into_iter().chain(TABLE.iter().map(|about| about.name)).collect();
    assert_eq!(fields, known);
    assert_eq!(fields.len(), NUMBERS);
}
