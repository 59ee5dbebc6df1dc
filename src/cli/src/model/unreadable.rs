// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What of a source made no sense.

use serde::{Deserialize, Serialize};

/// The rows of a source that made no sense.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreadable {
    /// How many.
    pub count: u64,
    /// Where the first one is and what is wrong with it.
    pub first: Option<String>,
}
