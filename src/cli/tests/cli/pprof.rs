// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag export --format pprof` by the rules of those who read it: `CheckValid` of google/pprof, Parca's
//! `ValidatePprofProfile`, and what Pyroscope takes for granted.

use std::io::Read;
use std::process::Stdio;

use protobuf::CodedInputStream;

use crate::harness::{directory, snapshot, tool};
use alloctag::model::Meta;

/// A message's fields: numbers, or what is nested or text.
type Fields = Vec<(u32, Value)>;

#[derive(Debug)]
enum Value {
    Number(u64),
    Bytes(Vec<u8>),
}

fn fields(bytes: &[u8]) -> Fields {
    let (mut input, mut fields) = (CodedInputStream::from_bytes(bytes), Vec::new());
    while let Some(tag) = input.read_raw_tag_or_eof().unwrap() {
        let value = match tag & 7 {
            0 => Value::Number(input.read_uint64().unwrap()),
            2 => Value::Bytes(input.read_bytes().unwrap()),
            other => panic!("wire type {other}"),
        };
        fields.push((tag >> 3, value));
    }
    fields
}

fn number(fields: &Fields, wanted: u32) -> u64 {
    fields
        .iter()
        .find_map(|(field, value)| match value {
            Value::Number(number) if *field == wanted => Some(*number),
            _ => None,
        })
        .unwrap_or(0)
}

fn messages(fields: &Fields, wanted: u32) -> Vec<Fields> {
    fields
        .iter()
        .filter_map(|(field, value)| match value {
            Value::Bytes(bytes) if *field == wanted => Some(self::fields(bytes)),
            _ => None,
        })
        .collect()
}

/// Numbers of a packed field.
fn packed(fields: &Fields, wanted: u32) -> Vec<u64> {
    let mut numbers = Vec::new();
    for (field, value) in fields {
        if let (true, Value::Bytes(bytes)) = (*field == wanted, value) {
            let mut input = CodedInputStream::from_bytes(bytes);
            while !input.eof().unwrap() {
                numbers.push(input.read_uint64().unwrap());
            }
        }
    }
    numbers
}

fn exported(line: &str) -> Fields {
    let packed = tool(line).stderr(Stdio::inherit()).output().unwrap().stdout;
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap();
    fields(&bytes)
}

fn strings(profile: &Fields) -> Vec<String> {
    let text = |value: &Value| match value {
        Value::Bytes(bytes) => String::from_utf8(bytes.clone()).expect("strings are UTF-8"),
        Value::Number(number) => panic!("{number}"),
    };
    profile.iter().filter(|(field, _)| *field == 6).map(|(_, value)| text(value)).collect()
}

#[test]
fn every_reader_finds_it_valid() {
    for capture in ["c-7.3.4.txt", "c-7.3.4-modules.txt", "crafted-2.0.txt"] {
        let profile = exported(&format!("export {capture} --format pprof"));
        let strings = strings(&profile);
        assert_eq!(strings[0], "");
        let text = |index: u64| strings[usize::try_from(index).unwrap()].as_str();
        let kind = |message: &Fields| (text(number(message, 1)).to_owned(), text(number(message, 2)).to_owned());
        let kinds: Vec<_> = messages(&profile, 1).iter().map(kind).collect();
        let of = |kind: &str, unit: &str| (kind.to_owned(), unit.to_owned());
        assert_eq!(kinds, [of("inuse_objects", "count"), of("inuse_space", "bytes")]);
        // Pyroscope names the profile by this, and looks at it without asking whether it is there.
        assert_eq!(messages(&profile, 11).iter().map(kind).collect::<Vec<_>>(), [of("space", "bytes")]);
        assert_eq!(
            (number(&profile, 12), number(&profile, 10)),
            (1, 0),
            "a period, and no duration: these are no changes"
        );
        assert_eq!(text(number(&profile, 14)), "inuse_space");

        // Parca wants identifiers in sequence, from 1.
        let (mappings, locations, functions) = (messages(&profile, 3), messages(&profile, 4), messages(&profile, 5));
        for (what, list) in [("mapping", &mappings), ("location", &locations), ("function", &functions)] {
            let identifiers: Vec<u64> = list.iter().map(|message| number(message, 1)).collect();
            assert_eq!(identifiers, (1..=list.len() as u64).collect::<Vec<_>>(), "{capture}: {what}");
        }
        assert_eq!(text(number(&mappings[0], 5)), "vmlinux", "the first mapping is the main program's");
        // Functions, files, lines: nobody is to look for symbols.
        assert!(mappings.iter().all(|mapping| (7..=10).all(|field| number(mapping, field) == 1)));
        for location in &locations {
            assert!((1..=mappings.len() as u64).contains(&number(location, 2)));
            let lines = messages(location, 4);
            assert_eq!(lines.len(), 1);
            assert!((1..=functions.len() as u64).contains(&number(&lines[0], 1)));
        }
        assert!(functions
            .iter()
            .all(|function| !text(number(function, 2)).is_empty() && !text(number(function, 4)).is_empty()));
        let samples = messages(&profile, 2);
        assert!(!samples.is_empty());
        for sample in &samples {
            assert_eq!(packed(sample, 2).len(), 2, "a value for each type");
            assert!(packed(sample, 1).iter().all(|location| (1..=locations.len() as u64).contains(location)));
            for label in messages(sample, 3) {
                assert!(!text(number(&label, 1)).is_empty() && !text(number(&label, 2)).is_empty());
            }
        }
    }
}

#[test]
fn a_snapshot_says_when_it_was_taken() {
    let directory = directory(&[]);
    let path = directory.path().join("a.alloctag");
    snapshot(&path, "8 1 a.c:1 func:f \n", Meta { time_ms: Some(1_795_244_400_000), ..Meta::default() });
    let profile = exported(&format!("export {} --format pprof", path.display()));
    assert_eq!(number(&profile, 9), 1_795_244_400_000_000_000);
}

#[test]
fn what_was_ever_allocated_stands_in_front_where_the_kernel_counts_it() {
    let profile = exported("export sites-1.0.txt --format pprof --include-backing");
    let strings = strings(&profile);
    let name = |message: &Fields| strings[usize::try_from(number(message, 1)).unwrap()].clone();
    let kinds: Vec<String> = messages(&profile, 1).iter().map(name).collect();
    assert_eq!(kinds, ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"]);
    let samples = messages(&profile, 2);
    assert_eq!(packed(&samples[0], 2), [96_000, 393_216_000, 2048, 8_388_608]);
    // What has been freed is told, what was never given is not.
    assert!(samples.iter().any(|sample| packed(sample, 2) == [7000, 28_672_000, 0, 0]));
    assert_eq!(samples.len(), 7);
}

#[test]
fn contexts_have_their_stacks_their_keys_and_their_period() {
    let profile = exported("export contexts-later-1.0.txt --format pprof");
    let strings = strings(&profile);
    let text = |index: u64| strings[usize::try_from(index).unwrap()].as_str();
    let kinds: Vec<&str> = messages(&profile, 1).iter().map(|kind| text(number(kind, 1))).collect();
    assert_eq!(kinds, ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"]);
    assert_eq!((number(&profile, 12), text(number(&profile, 14))), (524_288, "inuse_space"));
    let (locations, functions) = (messages(&profile, 4), messages(&profile, 5));
    let named = |location: u64| -> String {
        let lines = messages(&locations[usize::try_from(location).unwrap() - 1], 4);
        let function = |line: &Fields| &functions[usize::try_from(number(line, 1)).unwrap() - 1];
        let names = lines.iter().map(|line| format!("{}:{}", text(number(function(line), 2)), number(line, 2)));
        names.collect::<Vec<_>>().join("+")
    };
    let samples = messages(&profile, 2);
    let stacks: Vec<Vec<String>> =
        samples.iter().map(|sample| packed(sample, 1).into_iter().map(named).collect()).collect();
    assert_eq!(stacks[0], ["ext4_alloc_inode:120", "new_inode:0", "?:0"]);
    assert_eq!(stacks[1], ["ext4_alloc_inode:120", "ext4_create:0"], "a part of the function is the function");
    assert_eq!(stacks[2], ["<a::B as c::D>::f:7", "g:0"], "a caller alone is a stack of two");
    assert_eq!(packed(&samples[0], 2), [40, 20_971_520, 8, 4_194_304]);
    let labels = |sample: &Fields| {
        let label = |label: &Fields| format!("{}={}", text(number(label, 1)), text(number(label, 2)));
        messages(sample, 3).iter().map(label).collect::<Vec<_>>()
    };
    let labels = labels(&samples[0]);
    for label in
        ["comm=my task", "cgroup=17,/a b", "gfp=GFP_KERNEL|__GFP_ZERO", "age=0-60", "colour=grün", "module=ext4"]
    {
        assert!(labels.iter().any(|known| known == label), "{label}: {labels:?}");
    }
    assert!(!labels.iter().any(|label| label.starts_with("every=")), "the period says so");

    // In `iget_locked()` the compiler has inlined the call site's function.
    let inlined = "contexts - version: 1.0\n8 1 fs/inode.c:340 func:alloc_inode ctx:0 slack:0 allocs:1 frees:0 allocated:8\n  iget_locked+0x1/0x2\n  f+0x1/0x2\n";
    let directory = directory(&[("c", inlined)]);
    let profile = exported(&format!("export {} --format pprof", directory.path().join("c").display()));
    let locations = messages(&profile, 4);
    assert_eq!((locations.len(), messages(&locations[0], 4).len(), number(&profile, 12)), (2, 2, 1));
}
