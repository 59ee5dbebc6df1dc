// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The columns of a snapshot, and how their values are written.

use crate::model::TABLE;

/// How the values of a column are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// A varint.
    Unsigned = 1,
    /// A varint after zigzag.
    Signed = 2,
    /// A varint that counts into the string table from 1; 0 is no string.
    Text = 3,
    /// A varint that says how many pairs, and for each two strings as in [`Text`](Self::Text).
    Pairs = 4,
    /// 0 for what is not known, else one more than a varint after zigzag.
    Maybe = 5,
}

/// The columns that this code knows, in the order in which it writes them. Behind them stand those of what kernels count
/// besides, each by the name of its [`Number`](crate::model::Number) and as [`Maybe`](Encoding::Maybe), unless no row has a value for it.
///
/// A column of another name, or of another encoding, is skipped. All of a column's rows are there.
pub const COLUMNS: [(&str, Encoding); 9] = [
    ("file", Encoding::Text),
    ("line", Encoding::Unsigned),
    ("func", Encoding::Text),
    ("module", Encoding::Text),
    ("bytes", Encoding::Signed),
    ("calls", Encoding::Signed),
    // Bit 0: inaccurate. Bit 1: names may be clipped.
    ("flags", Encoding::Unsigned),
    ("merged", Encoding::Unsigned),
    ("extra", Encoding::Pairs),
];

/// All that a reader knows: their names and encodings.
pub(super) fn known() -> impl Iterator<Item = (&'static str, Encoding)> {
    COLUMNS.into_iter().chain(TABLE.iter().map(|about| (about.name, Encoding::Maybe)))
}

/// Columns without which a row means nothing. The others have a value for where they are missing.
pub const REQUIRED: [&str; 5] = ["file", "line", "func", "bytes", "calls"];

/// The row's values, not only their changes, cannot be trusted.
pub(super) const INACCURATE: u64 = 1;
/// A name may have lost its beginning.
pub(super) const CLIPPED: u64 = 2;
