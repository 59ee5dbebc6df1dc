// SPDX-License-Identifier: GPL-2.0-only

//! The kernel's atomics, each of which is one of loom's.
//!
//! Loom makes its own anew for each order that it tries, where the kernel has statics and words that C or assembly look at as well.
//! So an [`Atomic`] is the word alone, with what it is at first, and which of loom's it is goes by its address. Loom wants to see one
//! made before there are two threads: who tries something looks at all of it once before.

use crate::alloc::is_freed;
use core::{any::Any, cell::UnsafeCell, ptr::from_ref};
use loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::{cell::RefCell, collections::BTreeMap, sync::Arc};

/// Those that loom knows, by their addresses.
type Known = BTreeMap<usize, Arc<dyn Any + Send + Sync>>;

thread_local! {
    /// All threads of a test are one to the system, and each test has others.
    static KNOWN: RefCell<Known> = const { RefCell::new(Known::new()) };
}

/// How an access is ordered with others.
pub trait Ordered {
    const ORDER: Ordering;
}

/// What a load can be.
pub trait OfLoad: Ordered {}
/// What a store can be.
pub trait OfStore: Ordered {}

macro_rules! orderings {
    ($($(#[$doc:meta])* $name:ident is $order:ident: $($of:ident)*;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name;

        impl Ordered for $name {
            const ORDER: Ordering = Ordering::$order;
        }
        $(impl $of for $name {})*
    )*};
}

orderings! {
    /// With none.
    Relaxed is Relaxed: OfLoad OfStore;
    /// Before all that comes.
    Acquire is Acquire: OfLoad;
    /// Behind all that has come.
    Release is Release: OfStore;
    /// With everything.
    Full is SeqCst:;
}

/// What can be atomic.
pub trait Word: Copy + Eq + 'static {
    /// Loom's.
    type Loomed: Send + Sync;

    fn make(self) -> Self::Loomed;
    fn load(word: &Self::Loomed, order: Ordering) -> Self;
    fn store(word: &Self::Loomed, value: Self, order: Ordering);
    fn swap(word: &Self::Loomed, value: Self, order: Ordering) -> Self;
    fn exchange(word: &Self::Loomed, old: Self, new: Self, order: Ordering) -> Result<Self, Self>;
}

/// What can be added to.
pub trait Number: Word {
    fn add(word: &Self::Loomed, value: Self, order: Ordering) -> Self;
    fn sub(word: &Self::Loomed, value: Self, order: Ordering) -> Self;
}

macro_rules! words {
    ($($word:ty, $loomed:ty;)*) => {$(
        impl Word for $word {
            type Loomed = $loomed;

            fn make(self) -> $loomed {
                <$loomed>::new(self)
            }

            fn load(word: &$loomed, order: Ordering) -> Self {
                word.load(order)
            }

            fn store(word: &$loomed, value: Self, order: Ordering) {
                word.store(value, order);
            }

            fn swap(word: &$loomed, value: Self, order: Ordering) -> Self {
                word.swap(value, order)
            }

            fn exchange(word: &$loomed, old: Self, new: Self, order: Ordering) -> Result<Self, Self> {
                // The kernel's has no order where it fails.
                word.compare_exchange(old, new, order, Ordering::Relaxed)
            }
        }
    )*};
}

macro_rules! numbers {
    ($($word:ty, $loomed:ty;)*) => {
        words! { $($word, $loomed;)* }
        $(impl Number for $word {
            fn add(word: &$loomed, value: Self, order: Ordering) -> Self {
                word.fetch_add(value, order)
            }

            fn sub(word: &$loomed, value: Self, order: Ordering) -> Self {
                word.fetch_sub(value, order)
            }
        })*
    };
}

words! { bool, AtomicBool; }
numbers! { u32, AtomicU32; u64, AtomicU64; usize, AtomicUsize; }

/// Every access is one of this as well. Of each atomic loom knows the last access alone, and tries a later one before that. So what a
/// thread has read hides from it what another one had read before, and it never tries what the thread writes then before that.
static TURNS: Atomic<u32> = Atomic::new(0);

/// Another order begins: loom knows none yet.
pub(crate) fn begin() {
    KNOWN.with_borrow_mut(Known::clear);
    TURNS.known();
}

/// A word that threads share.
#[repr(transparent)]
pub struct Atomic<T>(UnsafeCell<T>);

// SAFETY: Nobody writes it: loom's is written.
unsafe impl<T: Word> Sync for Atomic<T> {}

impl<T> Atomic<T> {
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }
}

impl<T: Word> Atomic<T> {
    /// Loom's.
    fn loomed(&self) -> Arc<T::Loomed> {
        TURNS.known().fetch_add(0, Relaxed::ORDER);
        self.known()
    }

    fn known(&self) -> Arc<T::Loomed> {
        let address = from_ref(self).addr();
        assert!(!is_freed(address), "somebody looks at what was freed");
        let found = KNOWN.with_borrow_mut(|known| {
            // SAFETY: Nobody writes it.
            let make = || Arc::new(unsafe { *self.0.get() }.make()) as Arc<dyn Any + Send + Sync>;
            Arc::clone(known.entry(address).or_insert_with(make))
        });
        found
            .downcast()
            .unwrap_or_else(|_| panic!("the word at {address:x} is of two kinds"))
    }

    pub fn load<O: OfLoad>(&self, _order: O) -> T {
        T::load(&self.loomed(), O::ORDER)
    }

    pub fn store<O: OfStore>(&self, value: T, _order: O) {
        T::store(&self.loomed(), value, O::ORDER);
    }

    pub fn xchg<O: Ordered>(&self, value: T, _order: O) -> T {
        T::swap(&self.loomed(), value, O::ORDER)
    }

    pub fn cmpxchg<O: Ordered>(&self, old: T, new: T, _order: O) -> Result<T, T> {
        T::exchange(&self.loomed(), old, new, O::ORDER)
    }

    /// # Safety
    ///
    /// It points to a word that lives as long, and that nobody writes but so.
    pub unsafe fn from_ptr<'a>(word: *mut T) -> &'a Self {
        // SAFETY: By the caller's promise; it is transparent.
        unsafe { &*word.cast() }
    }

    /// Where a plain access of the whole word is, which has no order.
    pub const fn as_ptr(&self) -> Plain<'_, T> {
        Plain(self)
    }
}

impl<T: Number> Atomic<T> {
    pub fn add<O: Ordered>(&self, value: T, order: O) {
        self.fetch_add(value, order);
    }

    pub fn fetch_add<O: Ordered>(&self, value: T, _order: O) -> T {
        T::add(&self.loomed(), value, O::ORDER)
    }

    pub fn fetch_sub<O: Ordered>(&self, value: T, _order: O) -> T {
        T::sub(&self.loomed(), value, O::ORDER)
    }
}

/// A word, for plain accesses.
pub struct Plain<'a, T>(&'a Atomic<T>);

impl<T: Word> Plain<'_, T> {
    /// # Safety
    ///
    /// None: it is there.
    pub unsafe fn read_volatile(self) -> T {
        self.0.load(Relaxed)
    }
}
