// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the running system says about itself around a reading.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::time::{clock_gettime, ClockId};

use crate::model::{Memory, Meta, Profiling, Uname};

/// Fills in what can be known now about the running system. Missing files leave their fields empty.
pub fn describe(meta: &mut Meta, procfs: &Path) {
    meta.time_ms = SystemTime::now().duration_since(UNIX_EPOCH).ok().and_then(|time| time.as_millis().try_into().ok());
    meta.uptime_ms = uptime_ms();
    meta.memory = fs::read_to_string(procfs.join("meminfo")).map(|text| memory(&text)).unwrap_or_default();
    meta.profiling = profiling(procfs);
    meta.boot_id = boot_id(procfs);
    meta.uname = Some(uname());
    meta.build_id = fs::read("/sys/kernel/notes").ok().and_then(|notes| build_id(&notes));
    meta.cpus = line(Path::new("/sys/devices/system/cpu/possible"))
        .and_then(|list| cpus(&list))
        .or_else(|| fs::read_to_string(procfs.join("stat")).ok().and_then(|stat| online_cpus(&stat)));
    meta.page_size = u64::try_from(rustix::param::page_size()).ok();
}

/// What this boot is told from all others by.
pub fn boot_id(procfs: &Path) -> Option<String> {
    line(&procfs.join("sys/kernel/random/boot_id"))
}

/// The sysctls.
pub fn profiling(procfs: &Path) -> Profiling {
    let value = |name: &str| line(&procfs.join("sys/vm").join(name));
    let switch = |name: &str| match value(name)?.as_str() {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    };
    Profiling {
        enabled: switch("mem_profiling"),
        compressed: switch("mem_profiling_compressed"),
        uncounted: value("mem_profiling_uncounted").and_then(|number| number.parse().ok()),
    }
}

/// The first line of a file, without blanks around it.
fn line(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.lines().next()?.trim().to_owned())
}

fn uptime_ms() -> Option<u64> {
    let time = clock_gettime(ClockId::Boottime);
    let (seconds, nanos) = (u64::try_from(time.tv_sec).ok()?, u64::try_from(time.tv_nsec).ok()?);
    seconds.checked_mul(1000)?.checked_add(nanos / 1_000_000)
}

fn uname() -> Uname {
    let name = rustix::system::uname();
    let text = |field: &std::ffi::CStr| field.to_string_lossy().into_owned();
    Uname {
        release: text(name.release()),
        version: text(name.version()),
        machine: text(name.machine()),
        node: text(name.nodename()),
    }
}

/// Reads `/proc/meminfo`: `Name:   123 kB`, or without the unit for counts. Other lines are passed over.
pub fn memory(text: &str) -> Memory {
    let mut fields = BTreeMap::new();
    for (name, rest) in text.lines().filter_map(|line| line.split_once(':')) {
        let mut words = rest.split_ascii_whitespace();
        let Some(value) = words.next().and_then(|word| word.parse::<u64>().ok()) else { continue };
        let bytes = match words.next() {
            Some("kB") => value.checked_mul(1024),
            _ => Some(value),
        };
        if let Some(bytes) = bytes {
            fields.insert(name.trim().to_owned(), bytes);
        }
    }
    Memory(fields)
}

/// How many processors a list like `0-3,8` names.
pub fn cpus(list: &str) -> Option<u32> {
    list.split(',').try_fold(0u32, |sum, range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last) = (first.trim().parse::<u32>().ok()?, last.trim().parse::<u32>().ok()?);
        sum.checked_add(last.checked_sub(first)?.checked_add(1)?)
    })
}

/// How many `cpuN` lines `/proc/stat` has.
pub fn online_cpus(stat: &str) -> Option<u32> {
    let lines = stat.lines().filter(|line| {
        line.strip_prefix("cpu").is_some_and(|rest| rest.bytes().next().is_some_and(|byte| byte.is_ascii_digit()))
    });
    u32::try_from(lines.count()).ok().filter(|&count| count > 0)
}

/// Finds the GNU build ID among ELF notes: name size, description size, type, name and description padded to 4 bytes.
pub fn build_id(mut notes: &[u8]) -> Option<String> {
    const NT_GNU_BUILD_ID: u32 = 3;
    loop {
        let word = |at: usize| Some(u32::from_ne_bytes(notes.get(at..at + 4)?.try_into().ok()?));
        let (name_size, size, kind) = (usize::try_from(word(0)?).ok()?, usize::try_from(word(4)?).ok()?, word(8)?);
        let start = 12usize.checked_add(name_size.checked_next_multiple_of(4)?)?;
        let name = notes.get(12..12usize.checked_add(name_size)?)?;
        let description = notes.get(start..start.checked_add(size)?)?;
        if kind == NT_GNU_BUILD_ID && name == b"GNU\0" && !description.is_empty() {
            return Some(description.iter().map(|byte| format!("{byte:02x}")).collect());
        }
        notes = notes.get(start.checked_add(size.checked_next_multiple_of(4)?)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meminfo_is_in_bytes_and_odd_lines_are_passed_over() {
        let memory = memory("MemTotal:       16 kB\nMemFree: 4 kB\nHugePages_Total:       2\njunk\nBad: x kB\nHuge: 99999999999999999999 kB\n");
        assert_eq!(memory.get("MemTotal"), Some(16 * 1024));
        assert_eq!(memory.get("HugePages_Total"), Some(2));
        assert_eq!(memory.used(), Some(12 * 1024));
        assert_eq!(memory.0.len(), 3);
    }

    #[test]
    fn lists_of_processors_are_counted() {
        for (list, expected) in [("0", Some(1)), ("0-3", Some(4)), ("0-1,4-7,9", Some(7)), ("", None), ("3-1", None)] {
            assert_eq!(cpus(list), expected, "{list}");
        }
        assert_eq!(online_cpus("cpu  1 2\ncpu0 1\ncpu12 1\nintr 4\n"), Some(2));
        assert_eq!(online_cpus("intr 4\n"), None);
    }

    #[test]
    fn the_build_id_is_found_behind_other_notes_and_damage_is_no_panic() {
        let note = |name: &[u8], kind: u32, description: &[u8]| {
            let mut note = Vec::new();
            for word in [u32::try_from(name.len()).unwrap(), u32::try_from(description.len()).unwrap(), kind] {
                note.extend(word.to_ne_bytes());
            }
            for part in [name, description] {
                note.extend(part);
                note.resize(note.len().next_multiple_of(4), 0);
            }
            note
        };
        let notes = [note(b"Linux\0", 0x101, b"x"), note(b"GNU\0", 3, &[0xab, 0x01, 0xff])].concat();
        assert_eq!(build_id(&notes).as_deref(), Some("ab01ff"));
        for end in 0..notes.len() - 1 {
            assert_eq!(build_id(&notes[..end]), None, "cut at {end}");
        }
        assert_eq!(build_id(&[0xff; 64]), None);
    }
}
