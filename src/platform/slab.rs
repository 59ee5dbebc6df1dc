// SPDX-License-Identifier: GPL-2.0-only

//! Where the reference of a slab object lies.
//!
//! C headers: `mm/slab.h`, `include/alloctag/slab_layout.h`.

use super::page::Page;
use crate::model::{index, reference::Reference, scale::Scale};
use core::mem::size_of;
use kernel::bindings;

/// Settles where the inline hook finds the slab of an object, once at boot.
#[link_section = ".init.text"]
pub fn init() {
    // SAFETY: Writes a variable that nobody reads yet.
    unsafe { bindings::alloctag_slab_init() }
}

/// Bits of the word `counters` of `struct slab`, which `src/init.c` checks when it is compiled: where
/// the extensions lie and what they hold. Compilers begin bit-fields at the end that bytes begin at.
const BIG_ENDIAN: bool = cfg!(target_endian = "big");
const EXTS_IN_OBJECT: u8 = if BIG_ENDIAN { 1 << 7 } else { 1 << 0 };
const EXTS_WITH_OBJCG: u8 = if BIG_ENDIAN { 1 << 6 } else { 1 << 1 };
/// Which byte of the word these are in.
const EXTS_BYTE: usize = 4;

/// The bits of an address that KASAN keeps a tag in. All set they fit any memory; see `slab_obj_ext()`.
const TAG: usize = if cfg!(any(CONFIG_KASAN_SW_TAGS, CONFIG_KASAN_HW_TAGS)) {
    0xff << 56
} else {
    0
};

/// Bytes of an objcg pointer.
const OBJCG: usize = size_of::<bindings::slabobj_ext>();

const _: () = assert!(size_of::<bindings::codetag_ref>() == size_of::<u32>());
const _: () = assert!(bindings::ALLOCTAG_SLACK_MAX as usize == Reference::SLACK_MAX);

/// A bit of the word `obj_exts` of `struct slab`: there are references, in an array, and slack fits them.
const REFS: usize = bindings::ALLOCTAG_OBJ_EXTS_REFS as usize;
/// All flags of the word where that one is set, so that what is left is known without a mask.
const FLAGS_WITH_REFS: usize = REFS | bindings::ALLOCTAG_OBJ_EXTS_MEMCG as usize;

/// A slab object: its cache, its slab, and its place there.
///
/// # Invariants
///
/// The cache and the slab are live and belong together, and the offset is one more than the distance from the slab's start to
/// an address in the object.
#[derive(Clone, Copy)]
pub struct Object {
    cache: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
}

impl Object {
    /// Names an object.
    ///
    /// # Safety
    ///
    /// What the type's invariants say holds while the object is used.
    #[inline(always)]
    pub unsafe fn new(
        cache: *mut bindings::kmem_cache,
        slab: *mut bindings::slab,
        offset: usize,
    ) -> Self {
        // INVARIANT: By the caller's promise.
        Self {
            cache,
            slab,
            offset,
        }
    }

    /// Bytes that the object takes in its slab, debugging and all.
    #[inline(always)]
    pub fn size(self) -> usize {
        // SAFETY: The cache is live by the type's invariant.
        unsafe { (*self.cache).size as usize }
    }

    /// Where the object is.
    #[cfg(CONFIG_ALLOCTAG_EVENTS)]
    pub fn address(self) -> *const core::ffi::c_void {
        // SAFETY: The slab is live by the type's invariant.
        unsafe { bindings::alloctag_object_address(self.slab, self.offset) }
    }

    /// A page of the object's slab.
    pub fn page(self) -> Page {
        // SAFETY: A slab is online memory, and its descriptor that of its first page.
        unsafe { Page::from_raw(self.slab.cast()) }
    }

    /// How its reference says slack, as far as all of it would not fit.
    pub fn scale(self) -> Scale {
        // SAFETY: The cache is live by the type's invariant.
        let (unsaid, shift) = unsafe {
            (
                bindings::alloctag_unsaid_slack(self.cache),
                bindings::alloctag_slack_shift(self.cache),
            )
        };
        Scale::new(unsaid, shift)
    }

    /// The object's number in its slab, counted downwards from -1.
    #[inline(always)]
    fn down(self) -> isize {
        // SAFETY: The cache is live by the type's invariant.
        let factor = unsafe { (*self.cache).index_factor as usize };
        index::down(self.offset, factor)
    }

    /// The word of the slab that says where the vector is.
    #[inline(always)]
    fn exts(self) -> usize {
        // SAFETY: The slab is live by the type's invariant. A vector is never taken away while the
        // slab has objects, and a volatile read sees none or a whole pointer.
        unsafe { (&raw const (*self.slab).obj_exts).read_volatile() as usize }
    }

    /// The word where the object keeps its reference, if that is in an array of them and says all of the slack, as it mostly
    /// does.
    #[inline(always)]
    pub fn array_reference(self) -> Option<Slot> {
        let exts = self.exts();
        if exts & REFS == 0 {
            return None;
        }
        Some(self.at_front_of(exts.wrapping_sub(FLAGS_WITH_REFS)))
    }

    /// The word of the object in the array in front of a slab's vector.
    #[inline(always)]
    fn at_front_of(self, vector: usize) -> Slot {
        let vector = (vector | TAG) as *mut u32;
        // INVARIANT: By the layout in `slab_layout.h`, which `alloc_slab_obj_exts()` sizes the
        // vector by.
        Slot(vector.wrapping_offset(self.down()))
    }

    /// The word where the object keeps its reference, where that is in the object itself or leaves some of the slack unsaid.
    fn odd_reference(self) -> Option<Slot> {
        let vector = self.exts() & !(bindings::ALLOCTAG_OBJ_EXTS_FLAGS as usize);
        // SAFETY: The slab is live by the type's invariant; the bits that are looked at do not change once it is made.
        let bits = unsafe {
            self.slab
                .cast::<u8>()
                .add(bindings::ALLOCTAG_SLAB_COUNTERS as usize + EXTS_BYTE)
                .read_volatile()
        };
        if vector == 0 {
            return None;
        }
        if bits & EXTS_IN_OBJECT == 0 {
            return Some(self.at_front_of(vector));
        }
        let objcg = if bits & EXTS_WITH_OBJCG == 0 {
            0
        } else {
            OBJCG
        };
        // -1 is the first.
        let index = !self.down() as usize;
        let at = (vector | TAG) + index * self.size() + objcg;
        // INVARIANT: By the layout in `slab_layout.h`: each object has its extension at the same place.
        Some(Slot(at as *mut u32))
    }

    /// The word where the object keeps its reference; `None` where its slab has room for none, yet.
    pub fn reference(self) -> Option<Slot> {
        self.array_reference().or_else(|| self.odd_reference())
    }

    /// Whether objects of this cache are counted: not where vectors come from.
    pub fn is_countable(self) -> bool {
        // SAFETY: The cache is live by the type's invariant.
        unsafe { bindings::alloctag_is_countable(self.cache) }
    }

    /// The word where an object that KFENCE guards keeps its reference: its slab never has a vector.
    pub fn guarded_reference(self) -> Option<Slot> {
        // SAFETY: The slab is live by the type's invariant.
        let word = unsafe { bindings::alloctag_kfence_word(self.slab) };
        // INVARIANT: KFENCE has one object for every such word.
        (!word.is_null()).then_some(Slot(word))
    }

    /// The word of the reference, wherever it is, if there is one.
    pub fn any_reference(self) -> Option<Slot> {
        self.reference().or_else(|| self.guarded_reference())
    }

    /// Makes the slab's vector; `None` where there is no memory for it. `context` is the gfp mask
    /// with the alloc flags 32 bits above it.
    pub fn make_vector(self, context: u64) -> Option<()> {
        let (gfp, alloc_flags) = (context as u32, (context >> 32) as u32);
        // SAFETY: The slab and the cache are live, and the flags are those of the allocation that
        // is going on.
        let failed =
            unsafe { bindings::alloc_slab_obj_exts(self.slab, self.cache, gfp, alloc_flags) };
        (failed == 0).then_some(())
    }
}

/// The word of an object's reference.
///
/// # Invariants
///
/// Points to four aligned bytes that belong to one live object. Whoever allocates or frees that
/// object is alone with them.
pub struct Slot(*mut u32);

impl Slot {
    /// What is stored.
    #[inline(always)]
    pub fn get(&self) -> u32 {
        let _access = MetadataAccess::new();
        // SAFETY: By the type's invariant.
        unsafe { self.0.read() }
    }

    /// Stores a word.
    #[inline(always)]
    pub fn set(&self, word: u32) {
        let _access = MetadataAccess::new();
        // SAFETY: By the type's invariant.
        unsafe { self.0.write(word) }
    }
}

/// While it lives, KASAN and KMSAN take no offence at accesses beyond objects, where references lie;
/// see `get_slab_obj_exts()`.
struct MetadataAccess;

impl MetadataAccess {
    #[inline(always)]
    fn new() -> Self {
        #[cfg(any(CONFIG_KASAN, CONFIG_KMSAN))]
        // SAFETY: `drop()` undoes it.
        unsafe {
            bindings::alloctag_metadata_access(true)
        };
        Self
    }
}

impl Drop for MetadataAccess {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(any(CONFIG_KASAN, CONFIG_KMSAN))]
        // SAFETY: `new()` did the opposite.
        unsafe {
            bindings::alloctag_metadata_access(false)
        };
    }
}
