// SPDX-License-Identifier: GPL-2.0-only

//! Where the reference of a slab object lies.
//!
//! C headers: `mm/slab.h`, `include/alloctag/slab_layout.h`.

use core::mem::size_of;
use kernel::bindings;

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

/// Bytes of an objcg pointer and of a reference in a slab's vector.
const OBJCG: usize = size_of::<bindings::slabobj_ext>();
const REFERENCE: usize = size_of::<bindings::codetag_ref>();

/// A slab object: its cache, its slab, and its distance from the slab's start in bytes.
///
/// # Invariants
///
/// The cache and the slab are live and belong together, and an object begins at or less than its
/// size before the offset.
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

    /// The object's place in its slab, by one multiplication: `index_factor` is 2^32 / size rounded
    /// up. That is too much by offset / 2^32 of an object, with slabs of at most 2^22 bytes by less than a
    /// thousandth of one, and by more than that an object begins before the next one.
    #[inline(always)]
    fn index(self) -> usize {
        // SAFETY: The cache is live by the type's invariant.
        let factor = unsafe { (*self.cache).index_factor as usize };
        (self.offset * factor) >> 32
    }

    /// Where the slab's references begin, and the bits that say how they follow each other; `None`
    /// where it has no vector.
    #[inline(always)]
    fn vector(self) -> Option<(usize, u8)> {
        // SAFETY: The slab is live by the type's invariant. A vector is never taken away while the
        // slab has objects, and a volatile read sees none or a whole pointer.
        let exts = unsafe { (&raw const (*self.slab).obj_exts).read_volatile() };
        let vector = exts & !(bindings::ALLOCTAG_OBJ_EXTS_FLAGS as usize);
        if vector == 0 {
            return None;
        }
        let vector = vector | TAG;
        let counters = self.slab.cast::<u8>();
        // SAFETY: As above; the bits that are looked at do not change once the slab is made, and
        // their byte is looked at alone because that is one instruction.
        let bits = unsafe {
            counters
                .add(bindings::ALLOCTAG_SLAB_COUNTERS as usize + EXTS_BYTE)
                .read_volatile()
        };
        Some((vector, bits))
    }

    /// The word where the object keeps its reference, if that is in an array of them, as it mostly
    /// is.
    #[inline(always)]
    pub fn array_reference(self) -> Option<Slot> {
        let (vector, bits) = self.vector()?;
        if bits & EXTS_IN_OBJECT != 0 {
            return None;
        }
        // INVARIANT: By the layout in `slab_layout.h`, which `alloc_slab_obj_exts()` sizes the
        // vector by.
        Some(Slot((vector + self.index() * REFERENCE) as *mut u32))
    }

    /// The word in the object itself where it keeps its reference, if that is where its slab has them.
    fn own_reference(self) -> Option<Slot> {
        let (vector, bits) = self.vector()?;
        if bits & EXTS_IN_OBJECT == 0 {
            return None;
        }
        let objcg = if bits & EXTS_WITH_OBJCG == 0 {
            0
        } else {
            OBJCG
        };
        let at = vector + self.index() * self.size() + objcg;
        // INVARIANT: By the layout in `slab_layout.h`: each object has its extension at the same place.
        Some(Slot(at as *mut u32))
    }

    /// The word where the object keeps its reference; `None` where its slab has room for none, yet.
    pub fn reference(self) -> Option<Slot> {
        self.array_reference().or_else(|| self.own_reference())
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
