// SPDX-License-Identifier: GPL-2.0-only

//! What the function is called that a call site of Rust code stands in.
//!
//! A location knows its file and line alone. The function is found once, from the stack, when the
//! call site gets its account: the innermost function that belongs to the code that allocates, not to
//! the kernel crate or to Rust's own. Where it was inlined this is what it was inlined into.
//!
//! C headers: [`include/linux/stacktrace.h`](srctree/include/linux/stacktrace.h),
//! [`include/linux/kallsyms.h`](srctree/include/linux/kallsyms.h).

use crate::model::{symbol::Symbol, text::Text};
use core::ffi::CStr;
use kernel::bindings;

/// The longest name in bytes; what is longer is cut. With its length it takes seven words.
const LONGEST: usize = 55;

/// How many return addresses are looked at: deeper than the kernel crate ever is.
const FRAMES: usize = 16;

/// Crates whose functions allocate on behalf of others.
const LIBRARIES: [&[u8]; 4] = [b"kernel", b"core", b"pin_init", b"ffi"];

/// This crate, and how its hooks begin.
const OURS: &[u8] = b"alloctag";

/// A function's name.
pub struct Name {
    bytes: [u8; LONGEST],
    length: u8,
}

impl Name {
    /// No name.
    pub const EMPTY: Self = Self {
        bytes: [0; LONGEST],
        length: 0,
    };

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
            length: name.len() as u8,
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
        let length = text.used() as u8;
        Self { bytes, length }
    }

    /// The name as text.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length.into()).unwrap_or_default()
    }
}

/// Whether a file is the kernel crate's, or one of Rust's own, which are outside of the tree.
fn is_library(file: &str) -> bool {
    file.starts_with("rust/") || file.starts_with('/')
}

/// The symbol at a return address; empty where there is none.
fn lookup(address: usize, buffer: &mut [u8]) -> &[u8] {
    // SAFETY: `alloctag_symbol()` asks for a buffer of `KSYM_NAME_LEN` bytes, and fills in a C string if it finds one. The call is
    // before the return address.
    let symbol = unsafe { bindings::alloctag_symbol(address - 1, buffer.as_mut_ptr().cast()) };
    if symbol {
        CStr::from_bytes_until_nul(buffer).map_or(b"", CStr::to_bytes)
    } else {
        b""
    }
}
