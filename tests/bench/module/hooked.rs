// SPDX-License-Identifier: GPL-2.0-only

//! Some call sites of Rust code, each with a tag of its own: what one takes is read
//! from the sections of the object in each kernel.

use core::mem::MaybeUninit;
use kernel::{alloc_hooks, ffi::c_void, prelude::*};

type Bytes = MaybeUninit<[u8; 64]>;

macro_rules! site {
    ($name:ident) => {
        #[doc = "A call site."]
        #[no_mangle]
        pub extern "C" fn $name() -> *mut c_void {
            let bytes: Result<KBox<Bytes>, _> = alloc_hooks!(KBox::new_uninit(GFP_NOWAIT));
            bytes.map_or(core::ptr::null_mut(), |bytes| KBox::into_raw(bytes).cast())
        }
    };
}

site!(bench_hooked_0);
site!(bench_hooked_1);
site!(bench_hooked_2);
site!(bench_hooked_3);
site!(bench_hooked_4);
site!(bench_hooked_5);
site!(bench_hooked_6);
site!(bench_hooked_7);
site!(bench_hooked_8);
site!(bench_hooked_9);
site!(bench_hooked_10);
site!(bench_hooked_11);
site!(bench_hooked_12);
site!(bench_hooked_13);
site!(bench_hooked_14);
site!(bench_hooked_15);
site!(bench_hooked_16);
site!(bench_hooked_17);
site!(bench_hooked_18);
site!(bench_hooked_19);
site!(bench_hooked_20);
site!(bench_hooked_21);
site!(bench_hooked_22);
site!(bench_hooked_23);
site!(bench_hooked_24);
site!(bench_hooked_25);
site!(bench_hooked_26);
site!(bench_hooked_27);
site!(bench_hooked_28);
site!(bench_hooked_29);
site!(bench_hooked_30);
site!(bench_hooked_31);
