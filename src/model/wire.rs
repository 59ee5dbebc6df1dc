// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The records of the ioctls of `/proc/allocinfo`, and what a filter matches.
//!
//! C header: `include/uapi/linux/alloc_tag.h`. Sizes and offsets are ABI.

use super::{
    text::{Row, Text},
    totals::Totals,
};

/// Bytes of a name in a record, the zero at its end included.
pub const NAME: usize = 64;

/// A name in a record: of longer ones, the end.
pub type Name = [u8; NAME];

/// `struct allocinfo_tag`: a call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Tag {
    /// The module's name, empty for what is built in.
    pub module: Name,
    /// The enclosing function.
    pub function: Name,
    /// Path of the source file.
    pub file: Name,
    /// Line of the source file.
    pub line: u64,
}

/// `struct allocinfo_tag_data`: a call site and its totals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Record {
    tag: Tag,
    bytes: u64,
    calls: u64,
    accurate: u8,
    pad: [u8; 7],
}

/// `struct allocinfo_filter`: what call sites are wanted.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Filter {
    /// Which of the criteria count, by the bits below.
    pub mask: u64,
    /// The names and line.
    pub tag: Tag,
    /// The least bytes.
    pub min: u64,
    /// The most bytes.
    pub max: u64,
    /// Whether inaccurate call sites are wanted, or only accurate ones.
    pub inaccurate: u64,
}

/// `struct allocinfo_get_at`: the question for a place among the call sites that match, and its
/// answer.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct GetAt {
    /// How many matches are passed over.
    pub position: u64,
    /// What matches.
    pub filter: Filter,
    /// The answer.
    pub record: Record,
}

/// Bits of [`Filter::mask`].
mod criterion {
    pub(super) const MODULE: u64 = 1 << 0;
    pub(super) const FUNCTION: u64 = 1 << 1;
    pub(super) const FILE: u64 = 1 << 2;
    pub(super) const LINE: u64 = 1 << 3;
    pub(super) const INACCURATE: u64 = 1 << 4;
    pub(super) const MIN: u64 = 1 << 5;
    pub(super) const MAX: u64 = 1 << 6;
    pub(super) const SITE: u64 = MODULE | FUNCTION | FILE | LINE | INACCURATE;
    pub(super) const SIZE: u64 = MIN | MAX;
    pub(super) const ALL: u64 = SITE | SIZE;
}

/// The part of a name that a record has room for: its end, which tells more than its beginning.
fn tail(name: &[u8]) -> &[u8] {
    let cut = name.len().saturating_sub(NAME - 1);
    name.get(cut..).unwrap_or_default()
}

/// Puts a name into a field of zeroes.
fn set_name(field: &mut Name, name: &[u8]) {
    // It fits, for it was cut.
    let _ = Text::new(field).bytes(tail(name));
}

/// Whether a field asks for a name: holds the name and then a zero. One without a zero is longer
/// than any name.
fn asks_for(field: &Name, name: &[u8]) -> bool {
    let name = tail(name);
    field.get(name.len()) == Some(&0) && field.starts_with(name)
}

impl Record {
    /// Makes a record of zeroes that of a call site; in place, because it is long.
    pub fn fill(&mut self, row: &Row<'_>, totals: Totals) {
        set_name(&mut self.tag.module, row.module.unwrap_or_default());
        set_name(&mut self.tag.function, row.function);
        set_name(&mut self.tag.file, row.file);
        self.tag.line = u64::from(row.line);
        self.bytes = totals.bytes as u64;
        self.calls = totals.calls;
        self.accurate = u8::from(row.accurate);
    }
}

impl Filter {
    /// Every call site.
    pub const ALL: Self = Self {
        mask: 0,
        tag: Tag {
            module: [0; NAME],
            function: [0; NAME],
            file: [0; NAME],
            line: 0,
        },
        min: 0,
        max: 0,
        inaccurate: 0,
    };

    /// Whether the filter can be meant: no unknown criteria, no range that nothing is in.
    pub fn is_valid(&self) -> bool {
        let is_range = self.mask & criterion::SIZE == criterion::SIZE;
        self.mask & !criterion::ALL == 0 && (!is_range || self.min <= self.max)
    }

    fn wants(&self, criterion: u64) -> bool {
        self.mask & criterion != 0
    }

    /// Whether every call site is wanted.
    pub fn matches_all(&self) -> bool {
        self.mask == 0
    }

    /// Whether the line matters, or whether every allocation could be counted.
    pub fn asks_for_marks(&self) -> bool {
        self.wants(criterion::LINE | criterion::INACCURATE)
    }

    /// Whether the source file matters.
    pub fn asks_for_file(&self) -> bool {
        self.wants(criterion::FILE)
    }

    /// Whether the module or the function matters.
    pub fn asks_for_names(&self) -> bool {
        self.wants(criterion::MODULE | criterion::FUNCTION)
    }

    /// Whether any criterion is about the totals.
    pub fn asks_for_sizes(&self) -> bool {
        self.wants(criterion::SIZE)
    }

    /// Whether call sites of such a line are wanted, as far as only these matter.
    pub fn matches_marks(&self, line: u32, accurate: bool) -> bool {
        (!self.wants(criterion::LINE) || self.tag.line == u64::from(line))
            && (!self.wants(criterion::INACCURATE) || (self.inaccurate != 0) != accurate)
    }

    /// Whether call sites of a source file are wanted, as far as only that matters.
    pub fn matches_file(&self, file: &[u8]) -> bool {
        !self.wants(criterion::FILE) || asks_for(&self.tag.file, file)
    }

    /// Whether call sites of a module and a function are wanted, as far as only these matter.
    pub fn matches_names(&self, row: &Row<'_>) -> bool {
        let module = row.module.unwrap_or_default();
        (!self.wants(criterion::MODULE) || asks_for(&self.tag.module, module))
            && (!self.wants(criterion::FUNCTION) || asks_for(&self.tag.function, row.function))
    }

    /// Whether totals are wanted. A negative size counts as a huge one, as in the C core.
    pub fn fits(&self, totals: Totals) -> bool {
        let bytes = totals.bytes as u64;
        (!self.wants(criterion::MIN) || bytes >= self.min)
            && (!self.wants(criterion::MAX) || bytes <= self.max)
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_wire))]
mod tests {
    use super::*;
    use core::mem::{offset_of, size_of};

    const LONG: &[u8] =
        b"drivers/gpu/drm/amd/amdgpu/../display/dc/resource/dcn401/dcn401_resource.c";

    const ROW: Row<'static> = Row {
        file: b"mm/memory.c",
        line: 12,
        module: None,
        function: b"dup_mm",
        accurate: true,
    };

    fn to_name(name: &[u8]) -> Name {
        let mut field = [0; NAME];
        set_name(&mut field, name);
        field
    }

    fn filter(mask: u64) -> Filter {
        let tag = Tag {
            module: to_name(b""),
            function: to_name(b"dup_mm"),
            file: to_name(b"mm/memory.c"),
            line: 12,
        };
        Filter {
            mask,
            tag,
            min: 0,
            max: 0,
            inaccurate: 0,
        }
    }

    /// Whether all that the filter asks for is so.
    fn matches(filter: &Filter, row: &Row<'_>) -> bool {
        filter.matches_marks(row.line, row.accurate)
            && filter.matches_file(row.file)
            && filter.matches_names(row)
    }

    #[test]
    fn sizes_and_offsets_are_those_of_the_header() {
        assert_eq!(size_of::<Tag>(), 200);
        assert_eq!(size_of::<Record>(), 224);
        assert_eq!(size_of::<Filter>(), 232);
        assert_eq!(size_of::<GetAt>(), 464);
        assert_eq!(offset_of!(GetAt, record), 240);
    }

    #[test]
    fn every_criterion_matches_alone_and_together() {
        for mask in 0..=0b11111 {
            assert!(filter(mask).is_valid());
            assert!(matches(&filter(mask), &ROW));
        }
    }

    #[test]
    fn a_filter_says_what_it_takes_to_judge() {
        // Mask, whether everything matches; whether marks, the file, names, totals matter.
        let table = [
            (0, true, [false, false, false, false]),
            (criterion::MODULE, false, [false, false, true, false]),
            (criterion::FUNCTION, false, [false, false, true, false]),
            (criterion::FILE, false, [false, true, false, false]),
            (criterion::LINE, false, [true, false, false, false]),
            (criterion::INACCURATE, false, [true, false, false, false]),
            (criterion::MIN, false, [false, false, false, true]),
            (
                criterion::MAX | criterion::FILE,
                false,
                [false, true, false, true],
            ),
        ];
        for (mask, all, matter) in table {
            let filter = filter(mask);
            assert_eq!(filter.matches_all(), all);
            assert_eq!(
                [
                    filter.asks_for_marks(),
                    filter.asks_for_file(),
                    filter.asks_for_names(),
                    filter.asks_for_sizes(),
                ],
                matter
            );
        }
    }

    #[test]
    fn what_differs_in_one_criterion_is_not_wanted() {
        let table = [
            (
                criterion::MODULE,
                Row {
                    module: Some(b"ext4"),
                    ..ROW
                },
            ),
            (
                criterion::FUNCTION,
                Row {
                    function: b"dup_m",
                    ..ROW
                },
            ),
            (
                criterion::FILE,
                Row {
                    file: b"mm/memory.cc",
                    ..ROW
                },
            ),
            (criterion::LINE, Row { line: 13, ..ROW }),
            (
                criterion::INACCURATE,
                Row {
                    accurate: false,
                    ..ROW
                },
            ),
        ];
        for (mask, row) in table {
            assert!(!matches(&filter(mask), &row));
            assert!(matches(&filter(criterion::SITE & !mask), &row));
        }
    }

    #[test]
    fn of_a_long_name_the_last_63_characters_count() {
        let mut filter = filter(criterion::FILE);
        filter.tag.file = to_name(LONG);
        assert!(matches(&filter, &Row { file: LONG, ..ROW }));
        assert!(matches(
            &filter,
            &Row {
                file: tail(LONG),
                ..ROW
            }
        ));
        assert_eq!(tail(LONG).len(), NAME - 1);
        assert_eq!(tail(&LONG[..63]).len(), 63);
        assert_eq!(tail(&LONG[..64]), &LONG[1..64]);
    }

    #[test]
    fn a_name_without_an_end_matches_nothing() {
        let mut filter = filter(criterion::FILE);
        filter.tag.file = [b'a'; NAME];
        assert!(!matches(
            &filter,
            &Row {
                file: &[b'a'; NAME],
                ..ROW
            }
        ));
        assert!(!matches(
            &filter,
            &Row {
                file: &[b'a'; NAME - 1],
                ..ROW
            }
        ));
    }

    #[test]
    fn unknown_criteria_and_empty_ranges_are_invalid() {
        assert!(!filter(1 << 7).is_valid());
        assert!(!filter(u64::MAX).is_valid());
        let range = Filter {
            min: 2,
            max: 1,
            ..filter(criterion::MIN | criterion::MAX)
        };
        assert!(!range.is_valid());
        assert!(Filter {
            mask: criterion::MIN,
            ..range
        }
        .is_valid());
        assert!(Filter { max: 2, ..range }.is_valid());
    }

    #[test]
    fn bounds_belong_to_the_range_and_negative_sizes_are_huge() {
        let range = Filter {
            min: 10,
            max: 20,
            ..filter(criterion::MIN | criterion::MAX)
        };
        for (bytes, fits) in [(9, false), (10, true), (20, true), (21, false), (-1, false)] {
            assert_eq!(
                range.fits(Totals {
                    bytes,
                    calls: 1,
                    ..Totals::default()
                }),
                fits
            );
        }
        let least = Filter {
            mask: criterion::MIN,
            ..range
        };
        assert!(least.fits(Totals {
            bytes: -1,
            calls: 1,
            ..Totals::default()
        }));
    }
}
