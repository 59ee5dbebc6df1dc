// SPDX-License-Identifier: GPL-2.0

//! Allocation tags: which source line has how much memory.
//!
//! Every allocation that the kernel crate makes for a driver is charged to the line of the driver
//! that asked for it, by [`#[track_caller]`](core::panic::Location), and shown in `/proc/allocinfo`.
//! Nothing has to be written for that. [`alloc_hooks!`](crate::alloc_hooks) is for code that wants
//! all that some expression allocates on one line: a helper of its own, a C function without a tag.
//!
//! Of nested tags the innermost counts, as in C. A line that was found by `#[track_caller]` gives way
//! to an [`alloc_hooks!`](crate::alloc_hooks) around it.
//!
//! C header: [`include/linux/alloc_tag.h`](srctree/include/linux/alloc_tag.h).

#[cfg(CONFIG_MEM_ALLOC_PROFILING_RUST)]
mod recorded;
#[cfg(CONFIG_MEM_ALLOC_PROFILING_RUST)]
mod tagged;

#[cfg(CONFIG_MEM_ALLOC_PROFILING_RUST)]
#[doc(hidden)]
pub mod name;

#[cfg(CONFIG_MEM_ALLOC_PROFILING_RUST)]
pub use recorded::RecordedTag;
#[cfg(CONFIG_MEM_ALLOC_PROFILING_RUST)]
pub use tagged::{counting, is_covered, is_marked, AllocTag, Scope};

// What the kernel crate's allocators call: the core, with the line that asks for memory, or C.
#[cfg(not(CONFIG_ALLOCTAG_RUST_CALLERS))]
pub(crate) use crate::bindings::{
    alloc_pages,
    krealloc_node_align as krealloc,
    kvrealloc_node_align as kvrealloc,
    vrealloc_node_align as vrealloc, //
};
#[cfg(CONFIG_ALLOCTAG_RUST_CALLERS)]
pub(crate) use crate::bindings::{
    alloctag_krealloc as krealloc,
    alloctag_kvrealloc as kvrealloc,
    alloctag_vrealloc as vrealloc, //
};

/// The call site that asks for memory, as the core takes it.
#[cfg(CONFIG_ALLOCTAG_RUST_CALLERS)]
#[inline(always)]
#[track_caller]
pub(crate) fn caller() -> *const crate::ffi::c_void {
    core::ptr::from_ref(core::panic::Location::caller()).cast()
}

/// Allocates pages on behalf of the call site.
///
/// # Safety
///
/// None but that of every call to C.
#[cfg(CONFIG_ALLOCTAG_RUST_CALLERS)]
#[inline(always)]
#[track_caller]
pub(crate) unsafe fn alloc_pages(flags: u32, order: u32) -> *mut crate::bindings::page {
    // SAFETY: The location is the caller's.
    unsafe { crate::bindings::alloctag_alloc_pages(flags, order, caller()) }
}

/// The recordable tag where the Rust core of allocation profiling is not built in: nothing.
#[cfg(not(CONFIG_MEM_ALLOC_PROFILING_RUST))]
#[derive(Clone, Default)]
pub struct RecordedTag;

#[cfg(not(CONFIG_MEM_ALLOC_PROFILING_RUST))]
impl RecordedTag {
    /// Records nothing.
    #[inline]
    pub fn new() -> Self {
        Self
    }
}

/// Charges all that an expression allocates to this line, and evaluates to the expression's value.
///
/// The line is shown in `/proc/allocinfo` like those of C, with the names of the enclosing function
/// and of what that belongs to. Where the expression is left by `?`, `return` or `break`, the tag
/// goes out of force as well.
///
/// Without `CONFIG_MEM_ALLOC_PROFILING_RUST` this is the expression alone.
///
/// # Examples
///
/// ```
/// use kernel::alloc_hooks;
///
/// fn table(rows: usize) -> Result<KVec<KVec<u8>>> {
///     let mut table = KVec::with_capacity(rows, GFP_KERNEL)?;
///     for _ in 0..rows {
///         table.push(KVec::with_capacity(64, GFP_KERNEL)?, GFP_KERNEL)?;
///     }
///     Ok(table)
/// }
///
/// // One line has the whole table, wherever its parts are allocated.
/// let table = alloc_hooks!(table(8)?);
/// assert_eq!(table.len(), 8);
/// # Ok::<(), Error>(())
/// ```
#[macro_export]
macro_rules! alloc_hooks {
    ($expression:expr $(,)?) => {{
        #[cfg(CONFIG_MEM_ALLOC_PROFILING_RUST)]
        {
            const fn here() {}
            const PATH: &str = $crate::alloc_tag::name::path_of(&here);
            static FUNCTION: [u8; $crate::alloc_tag::name::length(PATH) + 1] =
                $crate::alloc_tag::name::name(PATH);
            #[link_section = "alloctag"]
            static TAG: $crate::alloc_tag::AllocTag = $crate::alloc_tag::AllocTag::new(
                ::core::concat!(::core::file!(), "\0"),
                ::core::line!(),
                &FUNCTION,
            );
            $crate::alloc_hooks_tag!(&TAG, $expression)
        }
        #[cfg(not(CONFIG_MEM_ALLOC_PROFILING_RUST))]
        {
            $expression
        }
    }};
}

/// [`alloc_hooks!`](crate::alloc_hooks) with a tag that was made elsewhere, a
/// [`RecordedTag`] above all.
///
/// # Examples
///
/// See [`RecordedTag`].
#[macro_export]
macro_rules! alloc_hooks_tag {
    ($tag:expr, $expression:expr $(,)?) => {{
        #[cfg(CONFIG_MEM_ALLOC_PROFILING_RUST)]
        let tag = $tag;
        #[cfg(CONFIG_MEM_ALLOC_PROFILING_RUST)]
        // SAFETY: The scope is a variable of this block, so it is dropped by this task, before the
        // tag's lifetime ends, and after those of blocks further in.
        let _scope = (tag.to_cover())
            .filter(|_| $crate::alloc_tag::counting())
            .map(|tag| unsafe { $crate::alloc_tag::Scope::cover(tag) });
        #[cfg(not(CONFIG_MEM_ALLOC_PROFILING_RUST))]
        let _ = &$tag;
        $expression
    }};
}
