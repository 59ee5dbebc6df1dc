// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The companion tool `alloctag`.

fn main() {}
