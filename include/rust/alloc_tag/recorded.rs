// SPDX-License-Identifier: GPL-2.0

//! Tags that are recorded for later.

use super::tagged::{own_word, AllocTag};
use crate::bindings;
use core::ptr::from_ref;

/// The tag that was the current one when this was made, for a container that allocates on behalf of
/// whoever made it.
///
/// It holds the tag's account, so that it may outlive the module that the call site is in, and what
/// is charged to it then is on that call site's row, not on another's. It can be made, cloned and
/// dropped in any context; in an NMI it may record nothing.
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
///
/// # Invariants
///
/// The tag is one of those that are never freed, and its account is held once for this.
pub struct RecordedTag(Option<&'static AllocTag>);

impl RecordedTag {
    /// Records the current tag. If there is none, there is nothing to charge later, and the lines
    /// that allocate are charged as if this were not used.
    #[inline]
    pub fn new() -> Self {
        // SAFETY: The current tag, if there is one, lives as long as it is the current one.
        unsafe { Self::hold(own_word()) }
    }

    /// Holds the account of a tag.
    ///
    /// # Safety
    ///
    /// `tag` is null or a live tag, or such a word as `current->alloc_tag` holds.
    #[inline]
    unsafe fn hold(tag: *mut bindings::alloc_tag) -> Self {
        // SAFETY: By the caller's promise.
        let tag = unsafe { bindings::alloctag_hold(tag) };
        // SAFETY: What that returns is null or lives for ever. INVARIANT: It was held for this.
        Self((!tag.is_null()).then(|| unsafe { AllocTag::from_raw(tag) }))
    }

    /// The tag for [`alloc_hooks_tag!`](crate::alloc_hooks_tag) to make the current one, if there was one.
    #[doc(hidden)]
    #[inline(always)]
    pub fn to_cover(&self) -> Option<&AllocTag> {
        self.0
    }

    #[inline]
    fn as_raw(&self) -> *mut bindings::alloc_tag {
        let tag = self.0.map_or(core::ptr::null(), from_ref);
        // CAST: `AllocTag` is transparent.
        tag.cast_mut().cast()
    }
}

impl Clone for RecordedTag {
    #[inline]
    fn clone(&self) -> Self {
        // SAFETY: Null, or by the type's invariant a live tag.
        unsafe { Self::hold(self.as_raw()) }
    }
}

impl Default for RecordedTag {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for RecordedTag {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: Null, or by the type's invariant held for this.
        unsafe { bindings::alloctag_release(self.as_raw()) }
    }
}
