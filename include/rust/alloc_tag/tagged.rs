// SPDX-License-Identifier: GPL-2.0

//! Tags, and how they come into force and go out of it.

use crate::{
    bindings,
    types::{NotThreadSafe, Opaque}, //
};
use core::marker::PhantomData;

/// A call site that allocates, static data in section `alloctag`.
///
/// [`alloc_hooks!`](crate::alloc_hooks) makes them.
///
/// # Invariants
///
/// `filename` and `function` point to C strings that live as long as the tag.
#[repr(transparent)]
pub struct AllocTag(Opaque<bindings::alloc_tag>);

// SAFETY: What may change, the handle and some bits of the line, is read and written by whole words.
unsafe impl Send for AllocTag {}
// SAFETY: Likewise.
unsafe impl Sync for AllocTag {}

impl AllocTag {
    /// A tag for [`alloc_hooks!`](crate::alloc_hooks) to put into its section. Both names end
    /// with a zero.
    #[doc(hidden)]
    #[inline]
    pub const fn new(file: &'static str, line: u32, function: &'static [u8]) -> Self {
        assert!(matches!(file.as_bytes(), [.., 0]) && matches!(function, [.., 0]));
        // INVARIANT: The names are static and end with a zero, by the test above.
        Self(Opaque::new(bindings::alloc_tag {
            filename: file.as_ptr(),
            function: function.as_ptr(),
            lineno: line,
            handle: 0,
        }))
    }

    /// The tag for [`alloc_hooks_tag!`](crate::alloc_hooks_tag) to make the current one.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn to_cover(&self) -> Option<&Self> {
        Some(self)
    }

    /// The tag at a pointer.
    ///
    /// # Safety
    ///
    /// It points to a tag that outlives `'a`.
    #[doc(hidden)]
    #[inline(always)]
    pub unsafe fn from_raw<'a>(tag: *mut bindings::alloc_tag) -> &'a Self {
        // SAFETY: The caller's promise. CAST: `AllocTag` is transparent.
        unsafe { &*tag.cast::<Self>() }
    }
}

/// The bits of `current->alloc_tag` beside the tag's address, which say that an `alloc_hooks!`
/// is the current one, and on which level of interrupts: 1 for a task, then softirq, hardirq, NMI.
///
/// What runs in an interrupt sees the word of the task that it interrupted, and so can tell.
const MARK: usize = bindings::ALLOC_TAG_MARK as usize;

/// The current task.
#[inline(always)]
fn current() -> *mut bindings::task_struct {
    #[cfg(all(CONFIG_X86, CONFIG_SMP))]
    let current = {
        let current: *mut bindings::task_struct;
        // SAFETY: Reads this task's own pointer, which never changes while the task runs; the
        // instruction is the one behind C's `current`.
        unsafe {
            core::arch::asm!(
                "mov {current}, qword ptr gs:[rip + {symbol}]",
                symbol = sym bindings::const_current_task,
                current = out(reg) current,
                options(pure, nomem, nostack, preserves_flags),
            )
        }
        current
    };
    #[cfg(CONFIG_ARM64)]
    let current = {
        let current: *mut bindings::task_struct;
        // SAFETY: As above, and so is the instruction.
        unsafe {
            core::arch::asm!(
                "mrs {current}, sp_el0",
                current = out(reg) current,
                options(pure, nomem, nostack, preserves_flags),
            )
        }
        current
    };
    #[cfg(not(any(all(CONFIG_X86, CONFIG_SMP), CONFIG_ARM64)))]
    // SAFETY: There always is a current task.
    let current = unsafe { bindings::get_current() };
    current
}

/// Where `current->alloc_tag` is.
#[inline(always)]
fn place() -> *mut *mut bindings::alloc_tag {
    // SAFETY: The current task is live.
    unsafe { &raw mut (*current()).alloc_tag }
}

/// The word `current->alloc_tag`.
#[inline(always)]
fn word() -> *mut bindings::alloc_tag {
    // SAFETY: Only this task and its interrupts use the word, and these restore it.
    unsafe { place().read() }
}

/// The word, unless what it holds was put there by an `alloc_hooks!` that this has interrupted.
#[inline]
pub(super) fn own_word() -> *mut bindings::alloc_tag {
    let word = word();
    let marked = word.addr() & MARK;
    if marked == 0 || marked == mark() {
        word
    } else {
        core::ptr::null_mut()
    }
}

/// Whether [`is_covered()`] has to be asked.
#[doc(hidden)]
#[inline(always)]
pub fn is_marked() -> bool {
    word().addr() & MARK != 0
}

/// Whether what is allocated here without a tag of its own is covered by an `alloc_hooks!`.
#[doc(hidden)]
#[inline(always)]
pub fn is_covered() -> bool {
    let marked = word().addr() & MARK;
    marked != 0 && marked == mark()
}

/// The mark of the context that this runs in. On PREEMPT_RT the preemption counter does not tell
/// softirqs, so C is asked.
#[inline(always)]
fn mark() -> usize {
    #[cfg(all(CONFIG_X86, CONFIG_SMP, not(CONFIG_PREEMPT_RT)))]
    {
        let count: u32;
        // SAFETY: Reads this CPU's preemption counter, whose bits for interrupts are the same
        // on whichever CPU a task that was migrated meanwhile reads it.
        unsafe {
            core::arch::asm!(
                "mov {count:e}, dword ptr gs:[rip + {symbol}]",
                symbol = sym bindings::__preempt_count,
                count = out(reg) count,
                options(readonly, nostack, preserves_flags),
            )
        }
        if count & bindings::ALLOC_TAG_INTERRUPT_BITS == 0 {
            return bindings::ALLOC_TAG_MARK_TASK as usize;
        }
    }
    #[cfg(all(CONFIG_ARM64, not(CONFIG_PREEMPT_RT)))]
    {
        // SAFETY: The current task is live, and its preemption counter its own.
        let count = unsafe {
            (&raw const (*current()).thread_info.__bindgen_anon_1.preempt.count).read_volatile()
        };
        if count & bindings::ALLOC_TAG_INTERRUPT_BITS == 0 {
            return bindings::ALLOC_TAG_MARK_TASK as usize;
        }
    }
    // SAFETY: Reads this context's own state.
    unsafe { bindings::alloctag_mark() }
}

/// Whether allocations are counted now: a static branch.
#[doc(hidden)]
#[inline(always)]
pub fn counting() -> bool {
    #[cfg(CONFIG_JUMP_LABEL)]
    {
        /// Which way the branch goes as long as the key has its first value.
        const BEGIN: bool = cfg!(CONFIG_MEM_ALLOC_PROFILING_ENABLED_BY_DEFAULT);
        #[cfg(not(CONFIG_MEM_ALLOC_PROFILING_ENABLED_BY_DEFAULT))]
        use bindings::static_key_false as Key;
        #[cfg(CONFIG_MEM_ALLOC_PROFILING_ENABLED_BY_DEFAULT)]
        use bindings::static_key_true as Key;
        // SAFETY: That is the key and its type.
        let turned = unsafe {
            crate::jump_label::arch_static_branch! {
                bindings::mem_alloc_profiling_key, Key, key, BEGIN
            }
        };
        turned != BEGIN
    }
    #[cfg(not(CONFIG_JUMP_LABEL))]
    // SAFETY: The key is a static.
    unsafe {
        bindings::static_key_count(&raw mut bindings::mem_alloc_profiling_key.key) > 0
    }
}

/// A tag that is the current one until this is dropped.
#[doc(hidden)]
pub struct Scope<'a> {
    before: *mut bindings::alloc_tag,
    /// The task whose word is changed must restore it.
    _task: NotThreadSafe,
    _tag: PhantomData<&'a AllocTag>,
}

impl<'a> Scope<'a> {
    /// Makes a tag the current one, which unannotated call sites override.
    ///
    /// # Safety
    ///
    /// The scope is dropped before `'a` ends, by the same task, and after all scopes that were
    /// entered later.
    #[inline(always)]
    pub unsafe fn enter(tag: &'a AllocTag) -> Self {
        Self::swap(tag.0.get())
    }

    /// Makes a tag the current one for all that no tag further in claims for itself.
    ///
    /// # Safety
    ///
    /// As for [`Scope::enter()`].
    #[inline(always)]
    pub unsafe fn cover(tag: &'a AllocTag) -> Self {
        Self::swap(tag.0.get().map_addr(|address| address | mark()))
    }

    #[inline(always)]
    fn swap(word: *mut bindings::alloc_tag) -> Self {
        let place = place();
        // SAFETY: Only this task and its interrupts use the word, and these restore it.
        let before = unsafe { place.replace(word) };
        Self {
            before,
            _task: NotThreadSafe,
            _tag: PhantomData,
        }
    }
}

impl Drop for Scope<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: As in `swap()`.
        unsafe { place().write(self.before) };
    }
}
