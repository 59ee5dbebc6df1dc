// SPDX-License-Identifier: GPL-2.0-only

//! Some call sites of Rust code, each with a tag of its own: what one takes is read
//! from the sections of the object in each kernel.

use core::mem::MaybeUninit;
use kernel::{alloc_hooks, ffi::c_void, prelude::*};

// Each of another size: functions of the same code would be one.
macro_rules! site {
    ($name:ident, $size:literal) => {
        #[doc = "A call site."]
        #[no_mangle]
        pub extern "C" fn $name() -> *mut c_void {
            let bytes: Result<KBox<MaybeUninit<[u8; $size]>>, _> =
                alloc_hooks!(KBox::new_uninit(GFP_NOWAIT));
            bytes.map_or(core::ptr::null_mut(), |bytes| KBox::into_raw(bytes).cast())
        }
    };
}

site!(bench_hooked_0, 64);
site!(bench_hooked_1, 65);
site!(bench_hooked_2, 66);
site!(bench_hooked_3, 67);
site!(bench_hooked_4, 68);
site!(bench_hooked_5, 69);
site!(bench_hooked_6, 70);
site!(bench_hooked_7, 71);
site!(bench_hooked_8, 72);
site!(bench_hooked_9, 73);
site!(bench_hooked_10, 74);
site!(bench_hooked_11, 75);
site!(bench_hooked_12, 76);
site!(bench_hooked_13, 77);
site!(bench_hooked_14, 78);
site!(bench_hooked_15, 79);
site!(bench_hooked_16, 80);
site!(bench_hooked_17, 81);
site!(bench_hooked_18, 82);
site!(bench_hooked_19, 83);
site!(bench_hooked_20, 84);
site!(bench_hooked_21, 85);
site!(bench_hooked_22, 86);
site!(bench_hooked_23, 87);
site!(bench_hooked_24, 88);
site!(bench_hooked_25, 89);
site!(bench_hooked_26, 90);
site!(bench_hooked_27, 91);
site!(bench_hooked_28, 92);
site!(bench_hooked_29, 93);
site!(bench_hooked_30, 94);
site!(bench_hooked_31, 95);
