// SPDX-License-Identifier: GPL-2.0-only

//! Records of the functions that called, a frame each: by names, for an address tells where the kernel is.
//!
//! C header: `include/uapi/linux/alloctag.h`.

use super::{
    contexts::{id, settle},
    plain::{zeroes, Plain},
    query::{add, put, Full, Record},
};
use crate::{
    detail::rules,
    model::{context::Key, cursor::Cursor, frame::Frame, rule::By},
    registry,
};
use core::mem::size_of;
use kernel::{bindings::alloctag_frame, prelude::*};

const _: () = assert!(size_of::<alloctag_frame>() == 600);

// SAFETY: Words and bytes; by the size above there is no gap.
unsafe impl Plain for alloctag_frame {}

impl Record for alloctag_frame {
    const FIELDS: u32 = 0;

    fn gather(cursor: &mut Cursor, batch: &mut KVec<Self>, wanted: usize) -> Result<u64, Full> {
        let rules = rules::lock();
        // As it is at the first record.
        let content = registry::read().content();
        while batch.len() < wanted {
            let Some((context, key)) = settle(&rules, cursor, |key| key.stack().len()) else {
                break;
            };
            let (_, index) = cursor.position();
            if let Some(address) = key.stack().get(index) {
                let mut record = record(id(context), place(&key, index));
                rules.name(context.number(), *address, |name| fill(&mut record, name));
                add(batch, record)?;
            }
            cursor.advance();
        }
        Ok(content)
    }
}

/// Which of the functions from that of the call site on a frame is.
fn place(key: &Key<'_>, index: usize) -> u32 {
    // Where there is only the caller, that of the call site was not kept.
    let first = u32::from(!key.keys().has(By::Stack));
    first + index as u32
}

/// A frame without its name.
fn record(context: u64, place: u32) -> alloctag_frame {
    alloctag_frame {
        context,
        place,
        ..zeroes()
    }
}

/// Takes a name to pieces.
fn fill(record: &mut alloctag_frame, name: &[u8]) {
    if let Some(frame) = Frame::parse(name) {
        record.offset = frame.offset;
        record.size = frame.size;
        put(&mut record.function, frame.function);
        put(&mut record.module, frame.module.unwrap_or_default());
    }
}
