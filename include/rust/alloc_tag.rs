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
mod tagged {
    use crate::{
        bindings,
        types::{NotThreadSafe, Opaque}, //
    };
    use core::{
        marker::PhantomData,
        ops::Deref, //
    };

    /// A call site that allocates, static data in section `alloc_tags`.
    ///
    /// [`alloc_hooks!`](crate::alloc_hooks) makes them.
    ///
    /// # Invariants
    ///
    /// `filename` and `function` point to C strings that live as long as the tag.
    #[repr(transparent)]
    pub struct AllocTag(Opaque<bindings::alloc_tag>);

    // SAFETY: What may change, the handle and a bit of the line, is read and written by whole words.
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
    }

    impl AllocTag {
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

    /// The tag that was in force when this was made, for a container that allocates on behalf of
    /// whoever made it.
    ///
    /// It remembers the account alone, so it may outlive the module that the call site is in.
    ///
    /// # Examples
    ///
    /// A stack whose memory is charged to the line that creates the stack, whoever pushes.
    ///
    /// ```
    /// use kernel::{alloc_hooks, alloc_hooks_tag, alloc_tag::RecordedTag};
    ///
    /// struct Stack {
    ///     items: KVec<u32>,
    ///     tag: RecordedTag,
    /// }
    ///
    /// impl Stack {
    ///     fn new() -> Self {
    ///         Self {
    ///             items: KVec::new(),
    ///             tag: RecordedTag::new(),
    ///         }
    ///     }
    ///
    ///     fn push(&mut self, item: u32) -> Result {
    ///         alloc_hooks_tag!(&self.tag, self.items.push(item, GFP_KERNEL))?;
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut stack = alloc_hooks!(Stack::new());
    /// stack.push(7)?;
    /// assert_eq!(stack.items.len(), 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub struct RecordedTag(AllocTag);

    impl RecordedTag {
        /// Records the tag in force; what it then is used for goes uncounted if there is none.
        #[inline]
        pub fn new() -> Self {
            // SAFETY: The tag in force, if there is one, lives as long as it is in force.
            let tag = unsafe { tag_of(word()).as_ref() };
            // SAFETY: A tag's handle is a word that is written whole.
            let handle = tag.map_or(0, |tag| unsafe { (&raw const tag.handle).read_volatile() });
            // INVARIANT: The names are static.
            Self(AllocTag(Opaque::new(bindings::alloc_tag {
                filename: c"".as_ptr().cast(),
                function: c"".as_ptr().cast(),
                lineno: 0,
                handle,
            })))
        }
    }

    impl Default for RecordedTag {
        fn default() -> Self {
            Self::new()
        }
    }

    impl Deref for RecordedTag {
        type Target = AllocTag;

        fn deref(&self) -> &AllocTag {
            &self.0
        }
    }

    /// The bits of `current->alloc_tag` beside the tag's address, which say that an `alloc_hooks!`
    /// is in force, and on which level of interrupts: 1 for a task, then softirq, hardirq, NMI.
    ///
    /// What runs in an interrupt sees the word of the task that it interrupted, and so can tell.
    const MARK: usize = bindings::ALLOC_TAG_MARK as usize;

    /// The tag in force: the word's pointer without the mark.
    #[inline(always)]
    fn tag_of(word: *mut bindings::alloc_tag) -> *const bindings::alloc_tag {
        word.map_addr(|address| address & !MARK)
    }

    /// Where `current->alloc_tag` is.
    #[inline(always)]
    fn place() -> *mut *mut bindings::alloc_tag {
        #[cfg(all(CONFIG_X86_64, CONFIG_SMP))]
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
        #[cfg(not(all(CONFIG_X86_64, CONFIG_SMP)))]
        // SAFETY: There always is a current task.
        let current = unsafe { bindings::get_current() };
        // SAFETY: The current task is live.
        unsafe { &raw mut (*current).alloc_tag }
    }

    /// The word `current->alloc_tag`.
    #[inline(always)]
    fn word() -> *mut bindings::alloc_tag {
        // SAFETY: Only this task and its interrupts use the word, and these restore it.
        unsafe { place().read() }
    }

    /// Whether what is allocated here without a tag of its own is covered by an `alloc_hooks!`.
    #[doc(hidden)]
    #[inline(always)]
    pub fn is_covered() -> bool {
        let marked = word().addr() & MARK;
        marked != 0 && marked == mark()
    }

    /// The mark of the context that this runs in.
    #[inline(always)]
    fn mark() -> usize {
        #[cfg(all(CONFIG_X86_64, CONFIG_SMP))]
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

    /// A tag that is in force until this is dropped.
    #[doc(hidden)]
    pub struct Scope<'a> {
        before: *mut bindings::alloc_tag,
        /// The task whose word is changed must restore it.
        _task: NotThreadSafe,
        _tag: PhantomData<&'a AllocTag>,
    }

    impl<'a> Scope<'a> {
        /// Puts a tag in force, which unannotated call sites override.
        ///
        /// # Safety
        ///
        /// The scope is dropped before `'a` ends, by the same task, and after all scopes that were
        /// entered later.
        #[inline(always)]
        pub unsafe fn enter(tag: &'a AllocTag) -> Self {
            Self::swap(tag.0.get())
        }

        /// Puts a tag in force for all that no tag further in claims for itself.
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
}

#[cfg(CONFIG_MEM_ALLOC_PROFILING_RUST)]
pub use tagged::{counting, is_covered, AllocTag, RecordedTag, Scope};

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
#[derive(Default)]
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
            const PATH: &str = $crate::alloc_tag::path_of(&here);
            static FUNCTION: [u8; $crate::alloc_tag::name_length(PATH) + 1] =
                $crate::alloc_tag::name(PATH);
            #[link_section = "alloc_tags"]
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
        // SAFETY: The scope is a variable of this block, so it is dropped by this task, before the
        // tag's lifetime ends, and after those of blocks further in.
        let _scope =
            $crate::alloc_tag::counting().then(|| unsafe { $crate::alloc_tag::Scope::cover($tag) });
        #[cfg(not(CONFIG_MEM_ALLOC_PROFILING_RUST))]
        let _ = &$tag;
        $expression
    }};
}

/// The path of a function of [`alloc_hooks!`](crate::alloc_hooks), and so of what that stands in.
#[doc(hidden)]
pub const fn path_of<T>(_function: &T) -> &'static str {
    core::any::type_name::<T>()
}

/// The length of [`name()`] in bytes.
#[doc(hidden)]
pub const fn name_length(path: &str) -> usize {
    write_name(path.as_bytes(), &mut [])
}

/// What a row calls the function that a path of [`path_of()`] stands in: its name and that of its
/// type, trait or module, without generic arguments; a zero ends it.
///
/// So `<driver::Queue<T> as Drop>::drop::here` is `Queue::drop`.
#[doc(hidden)]
pub const fn name<const LENGTH: usize>(path: &str) -> [u8; LENGTH] {
    let mut name = [0; LENGTH];
    write_name(path.as_bytes(), &mut name);
    name
}

/// Writes as much of the name as fits and returns its length.
const fn write_name(path: &[u8], name: &mut [u8]) -> usize {
    // The last part is the macro's own function; closures and numbered blocks have no names.
    let (_, mut end) = last_part(path, path.len());
    let (mut parts, mut kept) = ([(0, 0); 2], 0);
    while kept < parts.len() && end > 0 {
        let (start, rest) = last_part(path, end);
        if path[start] != b'{' {
            parts[kept] = identifier(path, start, end);
            kept += 1;
        }
        end = rest;
    }
    let mut length = 0;
    while kept > 0 {
        kept -= 1;
        let (mut at, stop) = parts[kept];
        while at < stop {
            length = put(name, length, path[at]);
            at += 1;
        }
        if kept > 0 {
            length = put(name, length, b':');
            length = put(name, length, b':');
        }
    }
    length
}

/// Where the last part of a path begins, and where the parts before it end: at `::`, unless in the
/// brackets of generic arguments.
const fn last_part(path: &[u8], end: usize) -> (usize, usize) {
    let (mut at, mut depth) = (end, 0);
    while at > 0 {
        match path[at - 1] {
            // The arrow of a function's type is no bracket.
            b'>' if at < 2 || path[at - 2] != b'-' => depth += 1,
            b'<' => depth -= 1,
            b':' if depth == 0 => return (at, at - 2),
            _ => (),
        }
        at -= 1;
    }
    (0, 0)
}

/// The identifier in a part of a path: of `name<T>` the name, of `<a::Type<T> as b::Trait>` the type.
const fn identifier(path: &[u8], start: usize, end: usize) -> (usize, usize) {
    let mut first = start;
    while first < end && !is_name(path[first]) {
        first += 1;
    }
    let mut last = first;
    while last < end {
        if is_name(path[last]) {
            last += 1;
        } else if path[last] == b':' {
            first = last + 2;
            last = first;
        } else if is_qualifier(path, first, last) {
            first = last + 1;
            last = first;
        } else {
            break;
        }
    }
    (first, last)
}

/// Whether a word only qualifies the type that follows.
const fn is_qualifier(path: &[u8], first: usize, last: usize) -> bool {
    let word = path.split_at(last).0.split_at(first).1;
    matches!(word, b"mut" | b"const" | b"dyn")
}

/// Whether a byte can be part of an identifier.
const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Writes a byte if there is room, and returns where the next one goes.
const fn put(name: &mut [u8], at: usize, byte: u8) -> usize {
    if at < name.len() {
        name[at] = byte;
    }
    at + 1
}

#[cfg(CONFIG_ALLOCTAG_KUNIT_TEST)]
#[macros::kunit_tests(alloctag_names)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_function_and_what_it_belongs_to() {
        let table = [
            ("driver::here", "driver"),
            ("driver::probe::here", "driver::probe"),
            ("driver::queue::push::here", "queue::push"),
            ("driver::queue::push::{{closure}}::here", "queue::push"),
            ("driver::queue::{impl#3}::push::here", "queue::push"),
            ("driver::queue::Queue<T>::push::here", "Queue::push"),
            ("<driver::Queue as core::Drop>::drop::here", "Queue::drop"),
            (
                "<driver::Queue<a::B, c::D> as Drop>::drop::here",
                "Queue::drop",
            ),
            ("<driver::Queue>::push<fn(u8) -> u8>::here", "Queue::push"),
            ("<&mut driver::Queue as Drop>::drop::here", "Queue::drop"),
        ];
        for (path, expected) in table {
            let mut buffer = [0; 32];
            let length = write_name(path.as_bytes(), &mut buffer);
            assert_eq!(length, name_length(path));
            assert_eq!(buffer.get(..length), Some(expected.as_bytes()));
        }
    }
}
