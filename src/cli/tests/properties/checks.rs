// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What must hold for any input. The fuzz targets in `tests/fuzz` and the bounded tests in `main.rs` share it.

use std::io::Write;

use alloctag::args::view::size;
use alloctag::command::serve::http::{self, Asked};
use alloctag::model::{Builder, Meta, Names, Number, Numbers, Origin, Profile, Row, Site, MAGNITUDE_LIMIT};
use alloctag::query::{Condition, Where};
use alloctag::recording;
use alloctag::render::{units, Units};
use alloctag::snapshot;
use alloctag::source::filter::Filter as Pushdown;
use alloctag::source::kernel::{boot_value, config_of};
use alloctag::source::{file, ioctl, surroundings, text};
use alloctag::subsystem::overrides::Overrides;
use alloctag::subsystem::Subsystems;
use alloctag::time::{span, Clock};
use alloctag::top::Filter;
use alloctag::trend::Suppressions;
use alloctag::view::tree::{By, Node};
use alloctag::view::{Group, SortKey, View};

/// The text of allocinfo.
pub fn allocinfo(bytes: &[u8]) {
    let Some(profile) = parse(bytes) else { return };
    let rows = profile.rows();
    let lines = bytes.split(|&byte| byte == b'\n').count();
    let taken: usize = rows.iter().map(|row| usize::try_from(row.merged).unwrap()).sum();
    assert!(taken + usize::try_from(profile.unreadable().count).unwrap() <= lines);
    assert!(rows.iter().map(|row| row.bytes.unsigned_abs()).sum::<u64>() <= MAGNITUDE_LIMIT);
    // The other numbers stop there, one by one, and so do their sums.
    let sums = profile.totals().sites.numbers;
    for numbers in rows.iter().map(|row| &row.numbers).chain([&sums]) {
        assert!(numbers.known().all(|(_, value)| value.unsigned_abs() <= MAGNITUDE_LIMIT));
    }
    assert!(rows.iter().all(|row| !row.site.to_string().chars().any(char::is_control)));

    // Printed as the kernel prints it and read again, it is the same.
    let again = parse(print(rows).as_bytes()).expect("what we print we can read");
    assert_eq!(again.unreadable().count, 0);
    assert_eq!(again.rows().len(), rows.len());
    for (a, b) in again.rows().iter().zip(rows) {
        assert_eq!(
            (&a.site, a.bytes, a.calls, a.accurate, &a.extra),
            (&b.site, b.bytes, b.calls, b.accurate, &b.extra)
        );
    }
    arrange(&profile);
}

/// Everything that is done with a profile keeps its sum.
fn arrange(profile: &Profile) {
    let subsystems = Subsystems::built_in();
    let total = profile.totals().sites.bytes;
    for group in [Group::Site, Group::Func, Group::File, Group::Dir(Some(2)), Group::Module, Group::Subsystem] {
        let view = View { group, zeros: true, ..View::default() };
        let selection = view.apply(profile, &subsystems);
        assert_eq!(selection.entries.iter().map(|entry| entry.totals.bytes).sum::<i64>(), total);
    }
    let rows = || profile.rows().iter().filter(|row| row.backing().is_none());
    for by in [By::Dir, By::Func, By::Module, By::Subsystem] {
        let mut root = Node::grow(rows(), by, &subsystems);
        root.sort();
        root.fold();
        root.prune(&|node, rank| node.bytes > 100 && rank < 3);
        assert_eq!((root.bytes, root.sites), (total, rows().count()));
    }
}

fn parse(bytes: &[u8]) -> Option<Profile> {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    text::parse(bytes, &mut builder).ok()?;
    Some(builder.finish(Meta::default()))
}

/// `alloc_tag_to_text()` of the kernel.
fn print(rows: &[Row]) -> String {
    let line = |row: &Row| {
        let Site { file, line, func, module } = &row.site;
        let module = module.as_ref().map(|module| format!(" [{module}]")).unwrap_or_default();
        let (bytes, calls) = (row.bytes, row.calls.cast_unsigned());
        let mut line = format!("{bytes:12} {calls:8} {file}:{line}{module} func:{func}");
        if !row.accurate {
            line.push_str(" accurate:no");
        }
        line.extend(row.extra.iter().map(|pair| format!(" {pair}")));
        line + " \n"
    };
    rows.iter().map(line).collect()
}

/// Records of the ioctls, one behind the other: each is taken as it is, or refused and not taken.
pub fn records(bytes: &[u8]) {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    let mut sums = (0i64, 0i64, 0u32);
    for record in bytes.chunks_exact(ioctl::RECORD_BYTES) {
        let record: &[u8; ioctl::RECORD_BYTES] = record.try_into().unwrap();
        match ioctl::decode(record, &mut builder) {
            Err(reason) => assert!(!reason.is_empty()),
            Ok(()) => {
                let number = |at: usize| i64::from_ne_bytes(record[at..at + 8].try_into().unwrap());
                // The offsets of `struct allocinfo_counter` in the record.
                sums = (sums.0 + number(200), sums.1 + number(208), sums.2 + 1);
                for name in [&record[..64], &record[64..128], &record[128..192]] {
                    assert!(name.contains(&0), "a name that does not end is refused");
                }
            }
        }
    }
    let profile = builder.finish(Meta::default());
    let rows = profile.rows();
    let found = rows.iter().fold((0, 0, 0), |sums, row| (sums.0 + row.bytes, sums.1 + row.calls, sums.2 + row.merged));
    assert_eq!(found, sums);
    for row in rows {
        let site = &row.site;
        assert!(!site.file.is_empty() && !site.func.is_empty());
        assert!(!site.to_string().chars().any(char::is_control));
        assert!([&site.file, &site.func].iter().all(|name| name.len() <= ioctl::NAME_BYTES));
        if row.merged == 1 && !row.clipped {
            again(row);
        }
    }
    arrange(&profile);
}

/// A row written as the kernel writes it is read as that row.
fn again(row: &Row) {
    let mut record = [0; ioctl::RECORD_BYTES];
    let names = [row.site.module.as_deref().unwrap_or_default(), &row.site.func, &row.site.file];
    for (name, field) in names.into_iter().zip(record.chunks_exact_mut(64)) {
        field[..name.len()].copy_from_slice(name.as_bytes());
    }
    record[192..200].copy_from_slice(&u64::from(row.site.line).to_ne_bytes());
    record[200..208].copy_from_slice(&row.bytes.to_ne_bytes());
    record[208..216].copy_from_slice(&row.calls.to_ne_bytes());
    record[216] = row.accurate.into();
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    assert_eq!(ioctl::decode(&record, &mut builder), Ok(()));
    assert_eq!(builder.finish(Meta::default()).rows(), std::slice::from_ref(row));
}

/// What is typed into `top` to pick rows.
pub fn filter(text: &str) {
    let subsystems = Subsystems::built_in();
    match Filter::parse(text, &subsystems) {
        Err(problem) => can_be_shown(&problem),
        Ok(filter) => {
            let picked = sample_rows().iter().filter(|row| filter.matches(row, &subsystems)).count();
            assert!(picked == sample_rows().len() || !text.trim().is_empty());
        }
    }
}

/// A saved profile in whatever format; returns it.
pub fn saved(bytes: &[u8]) -> Option<Profile> {
    match file::decode(bytes, Origin::Stdin, &mut Names::new()) {
        Err(error) => {
            can_be_shown(&error);
            None
        }
        // Kept as a snapshot and read again, it is the same.
        Ok(profile) => {
            assert_eq!(snapshot::decode(&snapshot::encode(&profile), &mut Names::new()).as_ref(), Ok(&profile));
            Some(profile)
        }
    }
}

/// What is told of a mistake is one line, which does nothing to a terminal.
fn can_be_shown(problem: &impl ToString) {
    let problem = problem.to_string();
    assert!(!problem.is_empty() && !problem.contains(char::is_control), "{problem:?}");
}

/// A snapshot whose blocks are sound and hold these contents: the two lengths in front divide the rest into three.
/// Returns what is in it.
pub fn snapshot(bytes: &[u8]) -> Option<Profile> {
    let (lengths, rest) = bytes.split_first_chunk::<4>()?;
    let length = |at: usize| usize::from(u16::from_le_bytes([lengths[at], lengths[at + 1]]));
    let (meta, rest) = rest.split_at(length(0).min(rest.len()));
    let (strings, rows) = rest.split_at(length(2).min(rest.len()));
    let profile = saved(&blocks(&[(b"META", meta), (b"STRS", strings), (b"ROWS", rows), (b"DONE", first(rows))]))?;
    let shown = profile.rows().iter().map(|row| row.site.to_string()).chain(profile.unreadable().first.clone());
    shown.for_each(|text| assert!(!text.contains(char::is_control), "{text:?}"));
    arrange(&profile);
    Some(profile)
}

/// A snapshot that rests on a sound one, with these blocks about that: the two lengths in front divide the rest into three.
/// Returns what is in it.
pub fn delta(bytes: &[u8]) -> Option<Profile> {
    let (lengths, rest) = bytes.split_first_chunk::<4>()?;
    let length = |at: usize| usize::from(u16::from_le_bytes([lengths[at], lengths[at + 1]]));
    let (base, rest) = rest.split_at(length(0).min(rest.len()));
    let (diff, rows) = rest.split_at(length(2).min(rest.len()));
    let strings = b"\x02\x03a.c\x01f";
    let parts: [(&[u8; 4], &[u8]); 6] = [
        (b"META", b"{}"),
        (b"BASE", base),
        (b"DIFF", diff),
        (b"STRS", strings),
        (b"ROWS", rows),
        (b"DONE", first(diff)),
    ];
    let bytes = blocks(&parts);
    let mut names = Names::new();
    let before = sample_rows();
    match snapshot::rest(&bytes) {
        Ok(rest) => assert!(rest.is_some_and(|rest| !rest.name.contains(['/', '\0', '\n']))),
        Err(error) => can_be_shown(&error),
    }
    match snapshot::decode_on(&bytes, Some(&before), &mut names) {
        Ok(profile) => {
            // What was read can be written on the same base, and comes back.
            let base = snapshot::Base { name: "b".into(), checksum: 0, rows: before };
            let again = snapshot::encode_on(&profile, &base);
            assert_eq!(snapshot::decode_on(&again, Some(&base.rows), &mut names).as_ref(), Ok(&profile));
            arrange(&profile);
            Some(profile)
        }
        Err(error) => {
            can_be_shown(&error);
            None
        }
    }
}

/// The first number of a block, of which each byte but the last has bit 7.
fn first(block: &[u8]) -> &[u8] {
    &block[..block.iter().position(|byte| byte & 0x80 == 0).map_or(0, |last| last + 1)]
}

/// A snapshot of these blocks.
fn blocks(blocks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut bytes = [snapshot::MAGIC.as_slice(), &[1, 0]].concat();
    for &(kind, content) in blocks {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
        encoder.write_all(content).unwrap();
        let packed = encoder.finish().unwrap();
        let mut crc = flate2::Crc::new();
        crc.update(kind);
        crc.update(&packed);
        bytes.extend(kind);
        bytes.extend(u32::try_from(packed.len()).unwrap().to_le_bytes());
        bytes.extend(crc.sum().to_le_bytes());
        bytes.extend(packed);
    }
    bytes
}

/// A condition: the kernel's filter must let through every row of the sites that fulfil it.
pub fn condition(text: &str) {
    fail_if(text);
    let subsystems = Subsystems::built_in();
    match Where::parse(text, &subsystems) {
        Err(error) => {
            assert!(error.at <= text.len());
            can_be_shown(&error);
        }
        Ok(condition) => {
            let filter = condition.pushdown().unwrap_or_default();
            for row in sample_rows().iter().filter(|row| condition.matches(row, &subsystems)) {
                for part in halves(row) {
                    assert!(kernel_passes(&filter, &part), "{text}: {filter:?} loses {part:?}");
                }
            }
        }
    }
}

/// Rows at the edges of what conditions can tell apart.
pub fn sample_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for file in ["a.c", "./a.h", "mm/slub.c"] {
        for module in [None, Some("m")] {
            for (line, bytes, calls, accurate) in
                [(1, 0, 0, true), (2, -1, -1, false), (10, 1 << 20, 3, true), (90, 1, 1, false)]
            {
                let site = Site { file: file.into(), line, func: "f".into(), module: module.map(Into::into) };
                rows.push(Row {
                    site,
                    bytes,
                    calls,
                    accurate,
                    clipped: false,
                    merged: 1,
                    // Of some the kernel counts more.
                    numbers: if line == 10 { Numbers::NONE.with(Number::Slack, bytes / 2) } else { Numbers::NONE },
                    extra: Vec::new(),
                });
            }
        }
    }
    rows
}

/// Two rows that are this one together: the kernel has several of a site, and looks at each of them.
fn halves(row: &Row) -> [Row; 2] {
    let half = Row { bytes: row.bytes / 2, calls: row.calls / 2, accurate: true, ..row.clone() };
    let rest = Row { bytes: row.bytes - half.bytes, calls: row.calls - half.calls, ..row.clone() };
    [half, rest]
}

/// `matches_filter()` of the kernel, for names that fit.
fn kernel_passes(filter: &Pushdown, row: &Row) -> bool {
    let equal = |wanted: &Option<String>, found: &str| wanted.as_ref().is_none_or(|wanted| wanted == found);
    equal(&filter.module, row.site.module.as_deref().unwrap_or(""))
        && equal(&filter.func, &row.site.func)
        && equal(&filter.file, &row.site.file)
        && filter.line.is_none_or(|line| line == row.site.line)
}

/// The same grammar over what a command found out: what `--fail-if` takes.
fn fail_if(text: &str) {
    if let Err(error) = Condition::parse(text, &[("accurate", &["yes", "no"])], &["bytes", "calls"]) {
        assert!(error.at <= text.len());
        can_be_shown(&error);
    }
}

/// A user's table of subsystems.
pub fn subsystems(text: &str) {
    match Overrides::parse(text) {
        Err(problem) => can_be_shown(&problem),
        Ok(overrides) => {
            for row in sample_rows() {
                if let Some(number) = overrides.find(&row.site) {
                    assert!(!overrides.name(number).is_empty());
                }
            }
        }
    }
}

/// A file of known leaks.
pub fn suppressions(text: &str) {
    let subsystems = Subsystems::built_in();
    match Suppressions::parse(text, &subsystems) {
        Err(problem) => can_be_shown(&problem),
        Ok(mut known) => {
            let rules = known.unused().count();
            let found = sample_rows().iter().filter(|row| known.matches(row, &subsystems)).count();
            assert_eq!(known.unused().count() < rules, found > 0, "a rule that was of use says so");
        }
    }
}

/// What the kernel says of itself: meminfo, lists of processors, its command line and configuration.
pub fn kernel(text: &str) {
    let memory = surroundings::memory(text);
    assert!(memory.0.len() <= text.lines().count());
    assert!(surroundings::cpus(text).is_none_or(|count| count > 0));
    assert!(surroundings::online_cpus(text).is_none_or(|count| count > 0));
    assert!(boot_value(text).is_none_or(|value| text.contains(&value)));
    let config = config_of(text);
    assert!(!config.profiling || text.contains("CONFIG_MEM_ALLOC_PROFILING=y"));
}

/// ELF notes of a kernel.
pub fn notes(bytes: &[u8]) {
    let id = surroundings::build_id(bytes).unwrap_or_default();
    assert!(id.len() <= 2 * bytes.len() && id.bytes().all(|byte| byte.is_ascii_hexdigit()));
}

/// What a client sends to `serve`.
pub fn request(bytes: &[u8]) {
    match http::parse(bytes) {
        Asked::Get(path) | Asked::Head(path) => assert!(path.starts_with('/') && !path.contains([' ', '?', '\r'])),
        Asked::Other => assert!(bytes.contains(&b'/')),
        Asked::Nonsense => {}
    }
    for name in ["accept-encoding", "authorization"] {
        let value = http::header(bytes, name).unwrap_or_default();
        assert!(!value.contains('\n') && (!http::unpacks_gzip(value) || value.contains(['z', 'Z', '*'])), "{value}");
    }
}

/// Values of options, and names of snapshots.
pub fn words(text: &str) {
    if let Ok(group) = text.parse::<Group>() {
        assert_eq!(group.to_string().parse(), Ok(group));
    }
    if let Ok(key) = text.parse::<SortKey>() {
        assert_eq!(key.field.name().parse(), Ok(key.field));
    }
    if let Ok(time) = span::parse(text) {
        assert_eq!(span::interval(text).is_ok(), !time.is_zero());
    }
    if let Some(time) = Clock::utc().read(text) {
        let written = Clock::utc().date(time);
        assert_eq!(Clock::utc().read(&written), Some(time / 1000 * 1000), "{written}");
    }
    assert_eq!(size(text).ok(), units::parse(text));
    assert!(recording::number(text).is_none_or(|number| text.contains(&number.to_string())));
}

/// A number with a unit.
pub fn number(text: &str) {
    if let Some(value) = units::parse(text) {
        assert_eq!(units::parse(&value.to_string()), Some(value));
        for units in [Units::Iec, Units::Si, Units::Raw] {
            let written = units.format(value);
            assert!(written.len() <= 20);
            let near = units::parse(&written).or_else(|| units::parse(&written.replace('.', ""))).unwrap_or(value);
            assert_eq!(near.signum() * value.signum(), value.signum().abs(), "{text}: {written}");
        }
    }
}
