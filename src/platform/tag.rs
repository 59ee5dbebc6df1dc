// SPDX-License-Identifier: GPL-2.0-only

//! The tag: a call site's static data, emitted by C's macros and Rust's alike.
//!
//! C header: `include/alloctag/tag.h`.

use super::string::bytes_of;
use crate::model::{
    handle::Handle,
    line::{Calls, Line},
    name::{Choice, Following, Name},
    text::Row,
};
use core::mem::size_of;
use kernel::{
    alloc_tag::AllocTag,
    bindings,
    sync::atomic::{Atomic, Relaxed, Release},
    types::Opaque,
};

const _: () = assert!(Line::BITS == bindings::ALLOC_TAG_LINE_BITS);

/// A call site.
///
/// # Invariants
///
/// `filename` and `function` point to C strings that live as long as the tag.
#[repr(transparent)]
pub struct Tag(Opaque<bindings::alloc_tag>);

// SAFETY: What may change, the handle and some bits of the line, is read and written by whole words.
unsafe impl Send for Tag {}
// SAFETY: Likewise.
unsafe impl Sync for Tag {}

const _: () = assert!(size_of::<Tag>() == bindings::ALLOC_TAG_SIZE as usize);

impl Tag {
    /// A tag that Rust emits; both names end with a zero.
    pub const fn new(file: &'static str, line: u32, function: &'static str) -> Self {
        assert!(matches!(file.as_bytes(), [.., 0]) && matches!(function.as_bytes(), [.., 0]));
        // INVARIANT: The names are static and end with a zero, by the test above.
        Self(Opaque::new(bindings::alloc_tag {
            filename: file.as_ptr(),
            function: function.as_ptr(),
            lineno: Line::new(line).word(),
            handle: 0,
        }))
    }

    /// A tag that is not in its section, for a call site that is found at run time.
    pub const fn unnamed() -> Self {
        // INVARIANT: The names are static.
        Self(Opaque::new(bindings::alloc_tag {
            filename: c"".as_ptr().cast(),
            function: c"".as_ptr().cast(),
            lineno: 0,
            handle: 0,
        }))
    }

    /// The same as the kernel crate knows it.
    pub fn as_alloc_tag(&self) -> &AllocTag {
        // SAFETY: It lives as long as this.
        unsafe { AllocTag::from_raw(self.0.get()) }
    }

    /// The word with the line.
    fn line_word(&self) -> &Atomic<u32> {
        // SAFETY: In bounds, aligned, and accessed atomically by all who come here.
        unsafe { Atomic::from_ptr(&raw mut (*self.0.get()).lineno) }
    }

    /// What the tag keeps beside its account.
    fn line(&self) -> Line {
        Line::from_word(self.line_word().load(Relaxed))
    }

    /// Changes that, while others may.
    fn change_line(&self, change: impl Fn(Line) -> Line) {
        let word = self.line_word();
        let mut line = word.load(Relaxed);
        while let Err(now) = word.cmpxchg(line, change(Line::from_word(line)).word(), Relaxed) {
            line = now;
        }
    }

    /// Gives such a tag its line.
    pub fn set_line(&self, number: u32) {
        self.line_word().store(Line::new(number).word(), Relaxed);
    }

    /// What is done with calls.
    pub fn calls(&self) -> Calls {
        self.line().calls()
    }

    /// Says what is done with calls. Who does has what is needed to say what is wanted of the call site.
    #[cfg(CONFIG_ALLOCTAG_CALLS)]
    pub(super) fn set_calls(&self, calls: Calls) {
        if self.calls() != calls {
            self.change_line(|line| line.with_calls(calls));
        }
    }

    /// The tag at `pointer`, or `None` where it is null. The low bits of `current->alloc_tag`,
    /// which say who made it the current tag, do not matter here.
    ///
    /// # Safety
    ///
    /// `pointer` is null or points to a tag that outlives `'a`.
    #[inline(always)]
    pub unsafe fn from_raw<'a>(pointer: *const bindings::alloc_tag) -> Option<&'a Self> {
        // Not `map_addr()`, which makes of one instruction a difference and a sum.
        let address = pointer as usize & !(bindings::ALLOC_TAG_MARK as usize);
        // SAFETY: The caller's promise. CAST: `Tag` is transparent.
        unsafe { (address as *const Self).as_ref() }
    }

    /// The tag at `pointer`.
    ///
    /// # Safety
    ///
    /// It points to a tag that outlives `'a`.
    #[cfg(CONFIG_ALLOCTAG_LATENCY)]
    #[inline(always)]
    pub unsafe fn from_live<'a>(pointer: *const bindings::alloc_tag) -> &'a Self {
        // SAFETY: The caller's promise. CAST: `Tag` is transparent.
        unsafe { &*pointer.cast() }
    }

    /// The address of the tag, for C.
    pub fn as_raw(&self) -> *const bindings::alloc_tag {
        self.0.get()
    }

    /// The account, and beside it what is wanted of the call site.
    #[inline(always)]
    pub fn name(&self) -> Name {
        // SAFETY: In bounds, and only what follows writes it. That may be meanwhile, but a volatile read of an aligned word
        // gives what was there before or after. CAST: `Name` is a transparent `u32`.
        unsafe {
            (&raw const (*self.0.get()).handle)
                .cast::<Name>()
                .read_volatile()
        }
    }

    fn set_name(&self, name: Name) {
        // SAFETY: In bounds, aligned, and accessed atomically by all others but for `name()`, which see.
        let word = unsafe { Atomic::<u32>::from_ptr(&raw mut (*self.0.get()).handle) };
        // Release: who finds a choice finds what it stands for.
        word.store(name.word(), Release);
    }

    /// The account, or [`Handle::NONE`] before the tag was registered.
    #[inline(always)]
    pub fn handle(&self) -> Handle {
        self.name().account()
    }

    /// Gives the tag its account, and nothing is wanted of the call site. Who writes tags has the list of sections for writing,
    /// or the lock of the tables where the tag is in these.
    pub fn set_handle(&self, handle: Handle) {
        self.set_name(Name::new(handle, Choice::NONE, Following::NONE));
    }

    /// Says what is wanted of the call site. Who does has the same.
    pub fn choose(&self, choice: Choice, following: Following) {
        self.set_name(Name::new(self.handle(), choice, following));
    }

    /// Whether all allocations could be counted here.
    pub fn is_accurate(&self) -> bool {
        self.line().is_accurate()
    }

    /// Notes that one could not.
    #[cold]
    pub fn set_inaccurate(&self) {
        if self.is_accurate() {
            self.change_line(Line::inaccurate);
        }
    }

    /// Path of the source file.
    pub fn file(&self) -> &[u8] {
        // SAFETY: In bounds; the string outlives the tag by the type's invariant.
        unsafe { bytes_of((*self.0.get()).filename) }
    }

    /// The line, and whether every allocation could be counted.
    pub fn marks(&self) -> (u32, bool) {
        let line = self.line();
        (line.number(), line.is_accurate())
    }

    /// The row that shows this call site.
    pub fn row<'a>(&'a self, module: Option<&'a [u8]>) -> Row<'a> {
        // SAFETY: In bounds; the strings outlive the tag by the type's invariant.
        let (file, function) = unsafe {
            let tag = self.0.get();
            (bytes_of((*tag).filename), bytes_of((*tag).function))
        };
        let (line, accurate) = self.marks();
        Row {
            file,
            line,
            module,
            function,
            accurate,
        }
    }
}
