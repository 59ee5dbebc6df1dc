// SPDX-License-Identifier: GPL-2.0-only

//! Which row lacks what could not be counted.

use super::{callers, linked};
use crate::platform::{tag::Tag, uncounted};

/// Notes that an allocation under this tag could not be counted.
///
/// A row shows its own tag. Several may be of its account: a stand-in's, those of other places of a line, those of what shares one
/// because none was left. A module's own tag is not to be found from here, so the row asks its stand-in, too.
#[cold]
pub fn note(tag: &Tag) {
    let account = tag.handle();
    let shown = linked::tag(account).or_else(|| callers::tag_of(account));
    uncounted::note(tag, shown.unwrap_or(tag));
}
