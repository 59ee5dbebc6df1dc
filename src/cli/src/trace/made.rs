// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Events and pages for tests, byte by byte as the formats in `tests/data/trace` say. (Tests outside of the library have this file
//! as well, so that it uses nothing of it.)

/// The formats.
pub const FORMATS: [(&str, &str); 4] = [
    ("alloc", include_str!("../../tests/data/trace/alloc-format.txt")),
    ("free", include_str!("../../tests/data/trace/free-format.txt")),
    ("fail", include_str!("../../tests/data/trace/fail-format.txt")),
    ("stall", include_str!("../../tests/data/trace/stall-format.txt")),
];

/// The head of a page.
pub const HEADER: &str = include_str!("../../tests/data/trace/header_page.txt");

/// A call site: file, line, function, module.
pub type Named = (&'static str, u32, &'static str, &'static str);

/// Who: `common_flags`, and the thread.
pub type Who = (u8, u32);

/// An object's allocation.
pub fn alloc(who: Who, site: Named, ptr: u64, requested: u64, bytes: u64) -> Vec<u8> {
    event(1501, who, site, &[(8, ptr), (8, 0), (8, requested), (8, bytes), (4, 0), (4, NO_NODE), (8, 0xcc0)])
}

/// Its end.
pub fn free(who: Who, site: Named, ptr: u64, requested: u64, bytes: u64) -> Vec<u8> {
    event(1502, who, site, &[(8, ptr), (8, 0), (8, requested), (8, bytes), (4, 0), (4, 0), (8, 0xffff_ffff_8100_0000)])
}

/// An allocation of pages.
pub fn alloc_pages(who: Who, site: Named, pfn: u64, order: u32) -> Vec<u8> {
    let bytes = 4096 << order;
    event(1501, who, site, &[(8, 0), (8, pfn), (8, bytes), (8, bytes), (4, order.into()), (4, 0), (8, 0xdc0)])
}

/// The end of some of them, of that order or of so many bytes.
pub fn free_pages(who: Who, site: Named, pfn: u64, order: u32, bytes: u64) -> Vec<u8> {
    event(1502, who, site, &[(8, 0), (8, pfn), (8, bytes), (8, bytes), (4, order.into()), (4, 0), (8, 0)])
}

/// An allocation that got nothing.
pub fn fail(who: Who, site: Named, requested: u64) -> Vec<u8> {
    event(1503, who, site, &[(8, requested), (4, 0), (8, 0xcc0), (1, 1), (1, 0)])
}

/// One that had to wait.
pub fn stall(who: Who, site: Named, cause: u64, ns: u64) -> Vec<u8> {
    event(1504, who, site, &[(4, cause), (8, ns)])
}

/// -1 of 4 bytes.
const NO_NODE: u64 = 0xffff_ffff;

/// Where the fields behind the call site begin.
const BEHIND: usize = 28;

fn event(id: u16, (flags, task): Who, (file, line, func, module): Named, fields: &[(usize, u64)]) -> Vec<u8> {
    let mut rest = Vec::new();
    for (size, value) in fields {
        while !(BEHIND + rest.len()).is_multiple_of(*size) {
            rest.push(0);
        }
        rest.extend(&value.to_le_bytes()[..*size]);
    }
    let mut event = id.to_le_bytes().to_vec();
    event.extend([flags, 0]);
    event.extend(task.to_le_bytes());
    let mut at = (BEHIND + rest.len()).next_multiple_of(4);
    for text in [file, func, module] {
        event.extend((u32::try_from(text.len() + 1).unwrap() << 16 | u32::try_from(at).unwrap()).to_le_bytes());
        at += text.len() + 1;
    }
    event.extend(line.to_le_bytes());
    event.extend(7u32.to_le_bytes());
    event.extend(rest);
    event.resize(event.len().next_multiple_of(4), 0);
    for text in [file, func, module] {
        event.extend(text.as_bytes());
        event.push(0);
    }
    event.resize(event.len().next_multiple_of(4), 0);
    event
}

/// A page that begins at `time` with these events, each so long after the one before; `lost` of them are missing in front.
pub fn page(time: u64, events: &[(u32, Vec<u8>)], lost: Option<u64>) -> Vec<u8> {
    let mut records = Vec::new();
    for (delta, event) in events {
        records.extend((delta << 5).to_le_bytes());
        records.extend(u32::try_from(event.len() + 4).unwrap().to_le_bytes());
        records.extend(event);
    }
    let missed = if lost.is_some() { 3 << 30 } else { 0 };
    let mut page = time.to_le_bytes().to_vec();
    page.extend((u64::try_from(records.len()).unwrap() | missed).to_le_bytes());
    page.extend(records);
    page.extend(lost.unwrap_or(0).to_le_bytes());
    assert!(page.len() <= 4096, "that is too much for a page");
    page.resize(4096, 0);
    page
}
