// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The ioctls of `/proc/allocinfo`.
//!
//! One record costs one system call. `GET_AT` sets the filter and finds the first match, `GET_NEXT` the following ones until
//! ENOENT. Names longer than 63 bytes come without their beginning.

mod abi;

use std::os::fd::{AsFd, BorrowedFd};

use rustix::io::Errno;

use super::filter::Filter;
use crate::model::{Builder, Numbers, Refused, Sample};

/// The bytes of a name that fit: one less than its field, for the zero behind it.
pub const NAME_BYTES: usize = abi::STR_SIZE - 1;

/// Bytes of a record, `struct allocinfo_tag_data`.
pub const RECORD_BYTES: usize = size_of::<abi::TagData>();

/// More records than any kernel has tags (its 32-bit indices end far below): a loop that does not end.
const RECORD_LIMIT: usize = 1 << 24;

/// The number that changes with every module loaded or unloaded.
///
/// # Errors
///
/// `ENOTTY` on kernels without these ioctls and on ordinary files.
pub fn content_id(file: impl AsFd) -> Result<u64, Errno> {
    abi::content_id(file.as_fd())
}

/// Reads every record that passes `filter` into `builder`.
///
/// # Errors
///
/// What the kernel says; `ENOTTY` if it has no such ioctls.
pub fn read(file: impl AsFd, filter: &Filter, builder: &mut Builder<'_>) -> Result<(), Errno> {
    let file = file.as_fd();
    let mut number = 0;
    let mut record = first(file, filter)?;
    while let Some(data) = record {
        number += 1;
        if number > RECORD_LIMIT {
            return Err(Errno::OVERFLOW);
        }
        if let Err(reason) = take(&data, builder) {
            builder.unreadable(|| format!("record {number}"), reason);
        }
        record = unless_at_end(abi::get_next(file))?;
    }
    Ok(())
}

fn first(file: BorrowedFd<'_>, filter: &Filter) -> Result<Option<abi::TagData>, Errno> {
    unless_at_end(abi::get_at(file, 0, encode(filter)))
}

fn unless_at_end<T>(result: Result<T, Errno>) -> Result<Option<T>, Errno> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error),
    }
}

fn encode(filter: &Filter) -> abi::Filter {
    let mut raw = abi::Filter::default();
    let mut name = |bit: u64, value: &Option<String>, field: &mut [u8; abi::STR_SIZE]| {
        if let Some(value) = value {
            raw.mask |= bit;
            let bytes = tail(value.as_bytes());
            field[..bytes.len()].copy_from_slice(bytes);
        }
    };
    let mut tag = abi::Tag::default();
    name(abi::MASK_MODNAME, &filter.module, &mut tag.modname);
    name(abi::MASK_FUNCTION, &filter.func, &mut tag.function);
    name(abi::MASK_FILENAME, &filter.file, &mut tag.filename);
    if let Some(line) = filter.line {
        raw.mask |= abi::MASK_LINENO;
        tag.lineno = line.into();
    }
    raw.fields = tag;
    raw
}

/// What the kernel compares of a name: its last 63 bytes.
fn tail(name: &[u8]) -> &[u8] {
    &name[name.len().saturating_sub(NAME_BYTES)..]
}

/// Takes one record, in the bytes that the kernel wrote, into `builder`.
///
/// # Errors
///
/// Why it makes no sense; nothing is taken then.
pub fn decode(bytes: &[u8; RECORD_BYTES], builder: &mut Builder<'_>) -> Result<(), &'static str> {
    take(&abi::TagData::from_bytes(bytes), builder)
}

fn take(data: &abi::TagData, builder: &mut Builder<'_>) -> Result<(), &'static str> {
    let (file, file_clipped) = name(&data.tag.filename)?;
    let (func, func_clipped) = name(&data.tag.function)?;
    let (module, module_clipped) = name(&data.tag.modname)?;
    if file.is_empty() || func.is_empty() {
        return Err("it has no file or no function");
    }
    let sample = Sample {
        file,
        line: u32::try_from(data.tag.lineno).map_err(|_| "its line is not a number")?,
        func,
        module: (!module.is_empty()).then_some(module),
        // The ABI says unsigned, the counters are sums that may pass below zero.
        bytes: data.counter.bytes.cast_signed(),
        calls: data.counter.calls.cast_signed(),
        accurate: data.counter.accurate != 0,
        clipped: file_clipped || func_clipped || module_clipped,
        merged: 1,
        numbers: Numbers::NONE,
        extra: Vec::new(),
    };
    builder.push(&sample).map_err(Refused::reason)
}

/// The text in a field, and whether it fills the field, so that its beginning may be gone.
fn name(field: &[u8; abi::STR_SIZE]) -> Result<(&str, bool), &'static str> {
    let end = memchr::memchr(0, field).ok_or("a name in it does not end")?;
    let clipped = end == NAME_BYTES;
    // A cut may have gone through a character: at most three bytes of it are left.
    let torn = if clipped { field.iter().take(3).take_while(|&&byte| byte & 0xc0 == 0x80).count() } else { 0 };
    let text = std::str::from_utf8(&field[torn..end]).map_err(|_| "a name in it is not UTF-8")?;
    if text.chars().any(char::is_control) {
        return Err("a name in it has control characters");
    }
    Ok((text, clipped))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Meta, Names};

    fn field(text: &[u8]) -> [u8; abi::STR_SIZE] {
        let mut field = [0; abi::STR_SIZE];
        field[..text.len()].copy_from_slice(text);
        field
    }

    #[test]
    fn a_filter_sets_the_bits_of_the_parts_that_it_has() {
        let long = format!("{}{}", "x".repeat(10), "y".repeat(NAME_BYTES));
        let filter = Filter { module: Some(String::new()), func: Some(long), line: Some(9), file: None };
        let raw = encode(&filter);
        assert_eq!(raw.mask, 0b1011);
        assert_eq!(raw.fields.modname, [0; abi::STR_SIZE]);
        assert_eq!(raw.fields.function, field("y".repeat(NAME_BYTES).as_bytes()));
        assert_eq!((raw.fields.lineno, raw.inaccurate, raw.min_size, raw.max_size), (9, 0, 0, 0));
        assert_eq!(encode(&Filter::default()).mask, 0);
    }

    #[test]
    fn records_become_rows_and_bad_ones_are_told() {
        let good = abi::TagData {
            tag: abi::Tag { modname: field(b"nvme"), function: field(b"f"), filename: field(b"a.c"), lineno: 3 },
            counter: abi::Counter { bytes: u64::MAX, calls: 2, accurate: 0, pad: [0; 7] },
        };
        let mut names = Names::new();
        let mut builder = Builder::new(&mut names);
        assert_eq!(take(&good, &mut builder), Ok(()));
        let with = |change: fn(&mut abi::TagData)| {
            let mut bad = good;
            change(&mut bad);
            bad
        };
        for bad in [
            with(|data| data.tag.filename = [b'x'; abi::STR_SIZE]),
            with(|data| data.tag.filename = [0; abi::STR_SIZE]),
            with(|data| data.tag.function = [0; abi::STR_SIZE]),
            with(|data| data.tag.function[0] = 0xff),
            with(|data| data.tag.function[0] = 0x1b),
            with(|data| data.tag.lineno = 1 << 32),
            with(|data| data.counter.bytes = 1 << 63),
        ] {
            assert!(take(&bad, &mut builder).is_err(), "{bad:?}");
        }
        let profile = builder.finish(Meta::default());
        let [row] = profile.rows() else { panic!("{profile:?}") };
        assert_eq!(row.site.to_string(), "a.c:3 [nvme] func:f");
        assert_eq!((row.bytes, row.calls, row.accurate, row.clipped), (-1, 2, false, false));
    }

    #[test]
    fn a_name_that_fills_its_field_is_clipped_even_through_a_character() {
        let mut bytes = vec![0xa9];
        bytes.resize(NAME_BYTES, b'n');
        assert_eq!(name(&field(&bytes)), Ok(("n".repeat(NAME_BYTES - 1).as_str(), true)));
        assert_eq!(name(&field(b"short")), Ok(("short", false)));
    }

    #[test]
    fn an_ordinary_file_has_no_such_ioctls() {
        let file = std::fs::File::open("/dev/null").unwrap();
        assert_eq!(content_id(&file), Err(Errno::NOTTY));
        let mut names = Names::new();
        assert_eq!(read(&file, &Filter::default(), &mut Builder::new(&mut names)), Err(Errno::NOTTY));
    }
}
