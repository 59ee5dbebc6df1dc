// SPDX-License-Identifier: GPL-2.0-only

//! Some call sites of Rust code, a line each: what one takes is read from the
//! sections of the object in each kernel.

use core::mem::MaybeUninit;
use kernel::{ffi::c_void, prelude::*};

// Each of another size: functions of the same code would be one.
macro_rules! site {
    ($name:ident, $size:literal) => {
        #[doc = "A call site."]
        #[no_mangle]
        pub extern "C" fn $name() -> *mut c_void {
            let bytes: Result<KBox<MaybeUninit<[u8; $size]>>, _> = KBox::new_uninit(GFP_NOWAIT);
            bytes.map_or(core::ptr::null_mut(), |bytes| KBox::into_raw(bytes).cast())
        }
    };
}

site!(bench_site_0, 64);
site!(bench_site_1, 65);
site!(bench_site_2, 66);
site!(bench_site_3, 67);
site!(bench_site_4, 68);
site!(bench_site_5, 69);
site!(bench_site_6, 70);
site!(bench_site_7, 71);
site!(bench_site_8, 72);
site!(bench_site_9, 73);
site!(bench_site_10, 74);
site!(bench_site_11, 75);
site!(bench_site_12, 76);
site!(bench_site_13, 77);
site!(bench_site_14, 78);
site!(bench_site_15, 79);
site!(bench_site_16, 80);
site!(bench_site_17, 81);
site!(bench_site_18, 82);
site!(bench_site_19, 83);
site!(bench_site_20, 84);
site!(bench_site_21, 85);
site!(bench_site_22, 86);
site!(bench_site_23, 87);
site!(bench_site_24, 88);
site!(bench_site_25, 89);
site!(bench_site_26, 90);
site!(bench_site_27, 91);
site!(bench_site_28, 92);
site!(bench_site_29, 93);
site!(bench_site_30, 94);
site!(bench_site_31, 95);
