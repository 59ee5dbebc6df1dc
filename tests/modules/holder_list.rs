// SPDX-License-Identifier: GPL-2.0-only

//! A list that charges its memory to whoever made it, and a table of C that does, for alloctag_holder.

use core::hint::black_box;
use kernel::{
    alloc_hooks_tag,
    alloc_tag::RecordedTag,
    ffi::{c_int, c_void},
    prelude::*,
};

extern "C" {
    fn holder_make_covered() -> c_int;
}

struct List {
    items: KVec<KBox<[u8; 100]>>,
    tag: RecordedTag,
}

/// A list, or null.
#[no_mangle]
pub extern "C" fn holder_list_new() -> *mut c_void {
    let recorded = RecordedTag::new();
    let list = List {
        items: KVec::new(),
        // What is dropped first does not take the account with it.
        tag: recorded.clone(),
    };
    drop(recorded);
    let list = KBox::new(list, GFP_KERNEL);
    list.map_or(core::ptr::null_mut(), |list| KBox::into_raw(list).cast())
}

/// Makes a list longer by one object.
///
/// # Safety
///
/// It is of `holder_list_new()`, and nobody else uses it.
#[no_mangle]
pub unsafe extern "C" fn holder_list_push(list: *mut c_void) -> bool {
    // SAFETY: The caller's promise.
    let List { items, tag } = unsafe { &mut *list.cast::<List>() };
    let item = alloc_hooks_tag!(&*tag, KBox::new([0; 100], GFP_KERNEL));
    let Ok(item) = item else { return false };
    alloc_hooks_tag!(&*tag, items.push(item, GFP_KERNEL)).is_ok()
}

/// Drops a list. In any context.
///
/// # Safety
///
/// It is of `holder_list_new()`, and nobody uses it any more.
#[no_mangle]
pub unsafe extern "C" fn holder_list_drop(list: *mut c_void) {
    // SAFETY: The caller's promise.
    drop(unsafe { KBox::<List>::from_raw(list.cast()) });
}

/// Has the table made under a recorded tag, which C notes for later, moves the tag and drops it.
#[inline(never)]
fn cover() -> c_int {
    let recorded = black_box([RecordedTag::new()]);
    // SAFETY: Whoever called `holder_cover()` holds the lock that this asks for.
    let error = alloc_hooks_tag!(&recorded[0], unsafe { holder_make_covered() });
    drop(black_box(recorded));
    error
}

/// 0 or a negative error. Where the tag was is written over.
#[no_mangle]
pub extern "C" fn holder_cover() -> c_int {
    let error = cover();
    black_box([0xa5_u8; 512]);
    error
}
