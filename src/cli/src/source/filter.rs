// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the kernel's ioctls are asked to filter by.

/// Rows to ask the kernel for: those that pass every part that is given. All comparisons are exact.
///
/// The kernel could compare sizes and accuracy, too, but only those of single rows, of which a site may have several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The module; empty for built-in code.
    pub module: Option<String>,
    /// The function.
    pub func: Option<String>,
    /// The file, as the kernel prints it.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
}

impl Filter {
    /// Whether every row passes.
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }
}
