// SPDX-License-Identifier: GPL-2.0-only

//! Memory. What is freed is given back when the next order begins, so that whoever comes to it all the same is found.

use core::{
    alloc::Layout,
    cell::RefCell,
    mem::{take, ManuallyDrop},
    ops::{Deref, DerefMut},
};

thread_local! {
    /// What was freed.
    static FREED: RefCell<Vec<(*mut u8, Layout)>> = const { RefCell::new(Vec::new()) };
}

/// Gives back what was freed.
pub(crate) fn begin() {
    for (start, layout) in FREED.take() {
        // SAFETY: It was allocated so, and nobody has it any more.
        unsafe { std::alloc::dealloc(start, layout) }
    }
}

fn free(start: *mut u8, layout: Layout) {
    if layout.size() > 0 {
        FREED.with_borrow_mut(|freed| freed.push((start, layout)));
    }
}

/// Whether something lies in what was freed.
pub(crate) fn is_freed(address: usize) -> bool {
    let is_in = |&(start, layout): &(*mut u8, Layout)| {
        (start.addr()..start.addr() + layout.size()).contains(&address)
    };
    FREED.with_borrow(|freed| freed.iter().any(is_in))
}

/// There is none.
#[derive(Clone, Copy, Debug)]
pub struct AllocError;

/// How to get it.
#[derive(Clone, Copy)]
pub struct Flags;

/// Those that there are.
pub mod flags {
    pub const GFP_KERNEL: super::Flags = super::Flags;
}

/// As much as was asked for.
pub struct KVVec<T>(Vec<T>);

impl<T> KVVec<T> {
    pub fn with_capacity(capacity: usize, _flags: Flags) -> Result<Self, AllocError> {
        Ok(Self(Vec::with_capacity(capacity)))
    }

    pub fn from_elem(value: T, length: usize, _flags: Flags) -> Result<Self, AllocError>
    where
        T: Clone,
    {
        Ok(Self(vec![value; length]))
    }

    pub fn push_within_capacity(&mut self, value: T) -> Result<(), T> {
        if self.0.len() == self.0.capacity() {
            return Err(value);
        }
        self.0.push(value);
        Ok(())
    }
}

impl<T> Drop for KVVec<T> {
    fn drop(&mut self) {
        let mut elements = ManuallyDrop::new(take(&mut self.0));
        elements.clear();
        let layout = Layout::array::<T>(elements.capacity()).expect("it was allocated");
        free(elements.as_mut_ptr().cast(), layout);
    }
}

impl<T> Deref for KVVec<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'a, T> IntoIterator for &'a KVVec<T> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// One.
pub struct KBox<T>(Option<Box<T>>);

impl<T> KBox<T> {
    pub fn new(value: T, _flags: Flags) -> Result<Self, AllocError> {
        Ok(Self(Some(Box::new(value))))
    }

    pub fn leak<'a>(mut this: Self) -> &'a mut T {
        Box::leak(this.0.take().expect("it is there until it goes"))
    }

    /// # Safety
    ///
    /// It was leaked, and nobody has it any more.
    pub unsafe fn from_raw(raw: *mut T) -> Self {
        // SAFETY: By the caller's promise.
        Self(Some(unsafe { Box::from_raw(raw) }))
    }
}

impl<T> Drop for KBox<T> {
    fn drop(&mut self) {
        if let Some(value) = self.0.take() {
            let value = Box::into_raw(value);
            // SAFETY: It was this one's, which is going.
            unsafe { value.drop_in_place() };
            free(value.cast(), Layout::new::<T>());
        }
    }
}

impl<T> Deref for KBox<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("it is there until it goes")
    }
}

impl<T> DerefMut for KBox<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect("it is there until it goes")
    }
}
