// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::abi::Record;
use super::*;
use crate::model::{Meta, Names, Profile};

/// A kernel with these records, which gives no more than `step` of them at a time.
struct Fake {
    numbers: Vec<abi::Numbers>,
    names: Vec<abi::Names>,
    fields: u64,
}

fn give<R: Record>(from: &[R], fields: u64, cursor: &mut [u64; 2], room: &mut [R]) -> Result<Answer, Errno> {
    let rest = &from[cursor[0] as usize..];
    let count = rest.len().min(room.len());
    room[..count].copy_from_slice(&rest[..count]);
    cursor[0] += count as u64;
    Ok(Answer { count, fields, content_id: 1 })
}

impl Asked for Fake {
    fn numbers(&self, cursor: &mut [u64; 2], room: &mut [abi::Numbers]) -> Result<Answer, Errno> {
        give(&self.numbers, self.fields, cursor, room)
    }

    fn names(&self, cursor: &mut [u64; 2], room: &mut [abi::Names]) -> Result<Answer, Errno> {
        give(&self.names, self.fields, cursor, room)
    }
}

struct Refusing(Errno);

impl Asked for Refusing {
    fn numbers(&self, _: &mut [u64; 2], _: &mut [abi::Numbers]) -> Result<Answer, Errno> {
        Err(self.0)
    }

    fn names(&self, _: &mut [u64; 2], _: &mut [abi::Names]) -> Result<Answer, Errno> {
        Err(self.0)
    }
}

/// A kernel with so many call sites.
fn kernel(sites: u64, fields: u64) -> Fake {
    let numbers = |id: u64| abi::Numbers { id, values: [id * 64, id, u64::MAX, 3, 2, 192, 2, 1, 4, 900, 500] };
    let names = |id: u64| {
        let mut names = abi::Names { id, line: 7, ..abi::Names::default() };
        for (field, text) in
            [(&mut names.file[..], format!("{}{id}.c", "d/".repeat(60))), (&mut names.function, "f".into())]
        {
            field[..text.len()].copy_from_slice(text.as_bytes());
        }
        names
    };
    Fake { numbers: (0..sites).map(numbers).collect(), names: (0..sites).map(names).collect(), fields }
}

fn read_all(fake: &Fake) -> Profile {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    assert_eq!(read_from(fake, &mut builder), Ok(true));
    builder.finish(Meta::default())
}

#[test]
fn all_records_are_asked_for_and_come_together_by_their_ids() {
    for sites in [0, 1, 255, 256, 257, 700] {
        let mut fake = kernel(sites, 0b111_1111);
        fake.numbers.reverse();
        let profile = read_all(&fake);
        assert_eq!(profile.rows().len() as u64, sites);
        for (row, id) in profile.rows().iter().zip(0i64..) {
            // Such a name would not fit into the older ioctls.
            assert_eq!(row.site.file.as_str(), format!("{}{id}.c", "d/".repeat(60)));
            assert_eq!((row.bytes, row.calls, row.accurate, row.clipped), (id * 64, id, true, false));
        }
    }
}

#[test]
fn only_what_the_kernel_counts_is_known() {
    for (fields, expected) in [
        (0b11, vec![]),
        (0b111, vec![(Number::Slack, -1)]),
        (0b1100_1011, vec![(Number::Allocs, 3), (Number::Failed, 2), (Number::Injected, 1)]),
        (0b111_0000_0011, vec![(Number::Stalls, 4), (Number::StallNs, 900), (Number::StallMaxNs, 500)]),
        (
            u64::MAX,
            vec![
                (Number::Slack, -1),
                (Number::Allocs, 3),
                (Number::Frees, 2),
                (Number::Allocated, 192),
                (Number::Failed, 2),
                (Number::Injected, 1),
                (Number::Stalls, 4),
                (Number::StallNs, 900),
                (Number::StallMaxNs, 500),
            ],
        ),
    ] {
        let profile = read_all(&kernel(1, fields));
        assert_eq!(profile.rows()[0].numbers.known().collect::<Vec<_>>(), expected, "{fields:b}");
    }
}

#[test]
fn a_site_that_comes_or_goes_in_between_is_left_out() {
    let mut fake = kernel(3, 3);
    fake.numbers.remove(0);
    fake.names.remove(1);
    assert_eq!(read_all(&fake).rows().iter().map(|row| row.calls).collect::<Vec<_>>(), [2]);
    assert_eq!(read_all(&fake).unreadable().count, 0);
}

#[test]
fn records_that_make_no_sense_are_counted() {
    let changes: [fn(&mut abi::Names); 5] = [
        |names| names.file = [b'x'; abi::FILE_SIZE],
        |names| names.file = [0; abi::FILE_SIZE],
        |names| names.function = [0; abi::FUNCTION_SIZE],
        |names| names.function[0] = 0xff,
        |names| names.module[0] = 0x1b,
    ];
    for change in changes {
        let mut fake = kernel(2, 3);
        change(&mut fake.names[1]);
        let profile = read_all(&fake);
        assert_eq!((profile.rows().len(), profile.unreadable().count), (1, 1));
        assert!(profile.unreadable().first.as_deref().is_some_and(|first| first.starts_with("record 2: ")));
    }
}

#[test]
fn a_name_that_is_too_long_may_end_within_a_character() {
    let mut fake = kernel(1, 3);
    fake.names[0].flags = abi::INACCURATE;
    fake.names[0].file = [b'x'; abi::FILE_SIZE];
    fake.names[0].file[254] = 0xc3;
    fake.names[0].file[255] = 0;
    fake.names[0].module[..4].copy_from_slice(b"nvme");
    let profile = read_all(&fake);
    let row = &profile.rows()[0];
    assert_eq!((row.site.file.as_str(), row.accurate), ("x".repeat(254).as_str(), false));
    assert_eq!(row.site.module.as_deref(), Some("nvme"));
}

#[test]
fn kernels_without_these_requests_are_told_from_failures() {
    for (errno, expected) in [(Errno::NOTTY, Ok(false)), (Errno::INVAL, Ok(false)), (Errno::NOMEM, Err(Errno::NOMEM))] {
        let mut names = Names::new();
        assert_eq!(read_from(&Refusing(errno), &mut Builder::new(&mut names)), expected);
    }
    let file = std::fs::File::open("/dev/null").unwrap();
    assert_eq!(read(&file, &mut Builder::new(&mut Names::new())), Ok(false));
}
