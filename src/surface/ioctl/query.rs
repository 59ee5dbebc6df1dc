// SPDX-License-Identifier: GPL-2.0-only

//! The ioctls of `/proc/allocinfo` that give many records at a time.
//!
//! C header: `include/uapi/linux/alloctag.h`.

use super::plain::{self, Plain};
use crate::{model::cursor::Cursor, platform::resched};
use core::{mem::size_of, slice};
use kernel::{
    alloc_hooks,
    bindings::alloctag_query as Query,
    prelude::*,
    uaccess::{UserPtr, UserSlice, UserSliceWriter},
};

const _: () = assert!(size_of::<Query>() == 56);

// SAFETY: Numbers; by the size above there is no gap.
unsafe impl Plain for Query {}

/// Records are gathered in so many bytes, for which locks are held once; longer than that none may be.
const BATCH: usize = 4096;

/// There was no room after all.
pub(super) struct Full;

/// A record.
pub(super) trait Record: Plain {
    /// Which of the numbers behind its id are counted, by `ALLOCTAG_FIELD_*`.
    const FIELDS: u32;

    /// Bytes of one of the first version.
    const SHORTEST: usize = size_of::<Self>();

    /// Adds those from the cursor on to a batch that has room, until there are so many, and leaves the cursor behind them.
    /// Returns the content id of the list of call sites.
    fn gather(cursor: &mut Cursor, batch: &mut KVec<Self>, wanted: usize) -> Result<u64, Full>;
}

/// Adds a record.
#[inline(always)]
pub(super) fn add<R>(batch: &mut KVec<R>, record: R) -> Result<(), Full> {
    batch.push_within_capacity(record).map_err(|_| Full)
}

/// Puts a name into a field that ends with a zero, as far as there is room.
pub(super) fn put(field: &mut [kernel::ffi::c_char], name: &[u8]) {
    let room = field.len() - 1;
    for (to, from) in field.iter_mut().take(room).zip(name) {
        *to = *from as _;
    }
}

/// Reads a query that has so many bytes, gives the records, and writes back how many these were and where they end.
///
/// # Errors
///
/// `EINVAL` and `E2BIG` where the query is no good, `EFAULT`, `ENOMEM`.
pub(super) fn answer<R: Record>(user: UserPtr, size: usize) -> Result {
    let mut query: Query = plain::read_grown(user, size)?;
    let record_size = query.record_size as usize;
    let is_known = (R::SHORTEST..=BATCH).contains(&record_size);
    if query.flags != 0 || !is_known || record_size % size_of::<u64>() != 0 {
        return Err(EINVAL);
    }
    let length = record_size.checked_mul(query.room as usize).ok_or(EINVAL)?;
    let mut records = Records {
        user: UserSlice::new(UserPtr::from_addr(query.records as usize), length).writer(),
        record_size,
    };
    let room = (BATCH / size_of::<R>()).max(1);
    let mut batch = alloc_hooks!(KVec::<R>::with_capacity(room, GFP_KERNEL))?;
    let mut cursor = Cursor::from_words(query.cursor);
    query.count = 0;
    query.content_id = 0;
    query.fields = R::FIELDS.into();
    // Nothing is locked while the user's memory is written, whose pages may be long in coming.
    while query.count < query.room {
        let wanted = room.min((query.room - query.count) as usize);
        batch.clear();
        // There is room for as many as are wanted.
        let content = R::gather(&mut cursor, &mut batch, wanted).map_err(|Full| ENOMEM)?;
        if query.count == 0 {
            query.content_id = content;
        }
        records.write(&batch)?;
        query.count += batch.len() as u32;
        if batch.len() < wanted || current!().signal_pending() {
            break;
        }
        resched::at_step(0);
    }
    query.cursor = cursor.to_words();
    plain::write(user, &query)
}

/// Where the user wants the records.
struct Records {
    user: UserSliceWriter,
    record_size: usize,
}

impl Records {
    /// Writes some, each as long as the user knows it.
    fn write<R: Record>(&mut self, batch: &[R]) -> Result {
        if self.record_size == size_of::<R>() {
            return self.user.write_slice(plain::bytes_of(batch));
        }
        for record in batch {
            let bytes = plain::bytes_of(slice::from_ref(record));
            let known = bytes.get(..self.record_size).unwrap_or(bytes);
            self.user.write_slice(known)?;
            for _ in (size_of::<R>()..self.record_size).step_by(size_of::<u64>()) {
                self.user.write_slice(&[0; size_of::<u64>()])?;
            }
        }
        Ok(())
    }
}
