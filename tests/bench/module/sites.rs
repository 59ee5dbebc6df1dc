// SPDX-License-Identifier: GPL-2.0-only

//! Some call sites of Rust code, a line each: what one takes is read from the
//! sections of the object in each kernel.

use core::mem::MaybeUninit;
use kernel::{ffi::c_void, prelude::*};

type Bytes = MaybeUninit<[u8; 64]>;

macro_rules! site {
    ($name:ident) => {
        #[doc = "A call site."]
        #[no_mangle]
        pub extern "C" fn $name() -> *mut c_void {
            let bytes: Result<KBox<Bytes>, _> = KBox::new_uninit(GFP_NOWAIT);
            bytes.map_or(core::ptr::null_mut(), |bytes| KBox::into_raw(bytes).cast())
        }
    };
}

site!(bench_site_0);
site!(bench_site_1);
site!(bench_site_2);
site!(bench_site_3);
site!(bench_site_4);
site!(bench_site_5);
site!(bench_site_6);
site!(bench_site_7);
site!(bench_site_8);
site!(bench_site_9);
site!(bench_site_10);
site!(bench_site_11);
site!(bench_site_12);
site!(bench_site_13);
site!(bench_site_14);
site!(bench_site_15);
site!(bench_site_16);
site!(bench_site_17);
site!(bench_site_18);
site!(bench_site_19);
site!(bench_site_20);
site!(bench_site_21);
site!(bench_site_22);
site!(bench_site_23);
site!(bench_site_24);
site!(bench_site_25);
site!(bench_site_26);
site!(bench_site_27);
site!(bench_site_28);
site!(bench_site_29);
site!(bench_site_30);
site!(bench_site_31);
