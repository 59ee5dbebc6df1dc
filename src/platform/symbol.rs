// SPDX-License-Identifier: GPL-2.0-only

//! What the function is called that a call site of Rust code stands in.
//!
//! A location knows its file and line alone. The function is found once, from the stack, when the
//! call site gets its account: the innermost function that belongs to the code that allocates, not to
//! the kernel crate or to Rust's own. Where it was inlined this is what it was inlined into.
//!
//! C headers: [`include/linux/stacktrace.h`](srctree/include/linux/stacktrace.h),
//! [`include/linux/kallsyms.h`](srctree/include/linux/kallsyms.h).

use super::spin::Guard;
use crate::model::{symbol::Symbol, text::Text};
use core::{cell::UnsafeCell, ffi::CStr};
use kernel::bindings;

/// The longest name in bytes; what is longer is cut.
const LONGEST: usize = 56;

/// How many return addresses are looked at: deeper than the kernel crate ever is.
const FRAMES: usize = 16;

/// Crates whose functions allocate on behalf of others.
const LIBRARIES: [&[u8]; 4] = [b"kernel", b"core", b"pin_init", b"ffi"];

/// This crate, and how its doors begin.
const OURS: &[u8] = b"alloctag";

/// A function's name.
pub struct Name {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Name {
    /// The name of the function that called into the allocators from code that stands in `file`, as
    /// well as it can be told.
    pub fn of_caller(file: &str) -> Self {
        let mut addresses = [0; FRAMES];
        // SAFETY: The buffer has room for as many addresses.
        let found =
            unsafe { bindings::alloctag_stack(addresses.as_mut_ptr(), FRAMES as u32) } as usize;
        let mut library = None;
        for &address in addresses.iter().take(found) {
            let mut buffer = [0; bindings::KSYM_NAME_LEN as usize];
            let mangled = lookup(address, &mut buffer);
            match Symbol::parse(mangled) {
                Some(symbol) if symbol.krate == OURS => (),
                Some(symbol) if LIBRARIES.contains(&symbol.krate) => {
                    library = Some(Self::new(&symbol))
                }
                Some(symbol) => return Self::new(&symbol),
                None if mangled.starts_with(OURS) => (),
                // C begins here. A function that C calls by this name has taken in those that the
                // line is in, unless it is a library's line.
                None if library.is_none() || !is_library(file) => return Self::cut(mangled),
                None => break,
            }
        }
        library.unwrap_or_else(|| Self::cut(b""))
    }

    /// A name as it is, or `?` where there is none.
    fn cut(name: &[u8]) -> Self {
        let name = if name.is_empty() { b"?" } else { name };
        let name = name.get(..LONGEST).unwrap_or(name);
        let mut bytes = [0; LONGEST];
        // It fits, for it was cut.
        let _ = Text::new(&mut bytes).bytes(name);
        Self {
            bytes,
            length: name.len(),
        }
    }

    fn new(symbol: &Symbol<'_>) -> Self {
        let mut bytes = [0; LONGEST];
        let mut text = Text::new(&mut bytes);
        let parts = [symbol.parent, b"::", symbol.name];
        let skip = if symbol.parent.is_empty() { 2 } else { 0 };
        // What does not fit is left out.
        let _ = parts
            .iter()
            .skip(skip)
            .try_for_each(|part| text.bytes(part));
        let length = text.used();
        Self { bytes, length }
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

/// Whether a file is the kernel crate's, or one of Rust's own, which are outside of the tree.
fn is_library(file: &str) -> bool {
    file.starts_with("rust/") || file.starts_with('/')
}

/// The symbol at a return address; empty where there is none.
fn lookup(address: usize, buffer: &mut [u8]) -> &[u8] {
    // SAFETY: `kallsyms_lookup()` asks for a buffer of `KSYM_NAME_LEN` bytes, fills in a C string
    // if it finds one, and is not interested in pointers that are null. The call is before the
    // return address.
    let symbol = unsafe { bindings::alloctag_symbol(address - 1, buffer.as_mut_ptr().cast()) };
    if symbol {
        CStr::from_bytes_until_nul(buffer).map_or(b"", CStr::to_bytes)
    } else {
        b""
    }
}

/// Bytes of all names together, each with a zero behind it; equal ones are kept once.
const ROOM: usize = 1 << (bindings::ALLOC_TAG_CALLERS_ORDER + 4);

/// Text that only grows.
struct Names {
    bytes: UnsafeCell<[u8; ROOM]>,
    used: UnsafeCell<usize>,
}

// SAFETY: Who appends has the lock, and others only ever see bytes that were written before.
unsafe impl Sync for Names {}

static NAMES: Names = Names {
    bytes: UnsafeCell::new([0; ROOM]),
    used: UnsafeCell::new(0),
};

/// Keeps a name for ever; where there is no room for it, it is `?`.
pub fn intern(_guard: &Guard, name: &Name) -> &'static CStr {
    let name = name.bytes();
    let first = NAMES.bytes.get().cast::<u8>();
    // SAFETY: The lock is held; the bytes that are used are never written again.
    let (used, written) = unsafe {
        let used = *NAMES.used.get();
        (used, core::slice::from_raw_parts(first, used))
    };
    let mut known = written.split_inclusive(|byte| *byte == 0);
    if let Some(known) = known.find(|known| known.strip_suffix(b"\0") == Some(name)) {
        return CStr::from_bytes_with_nul(known).unwrap_or(c"?");
    }
    let end = used + name.len() + 1;
    if end > ROOM {
        return c"?";
    }
    // SAFETY: The lock is held, the room is there, and nobody looks behind what is used yet.
    let name = unsafe {
        first
            .add(used)
            .copy_from_nonoverlapping(name.as_ptr(), name.len());
        *NAMES.used.get() = end;
        core::slice::from_raw_parts(first.add(used), end - used)
    };
    CStr::from_bytes_with_nul(name).unwrap_or(c"?")
}
