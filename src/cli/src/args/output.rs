// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How to write.

use clap::Args;

use crate::render::{Format, Layout, Style, Units};

/// Which units sizes are written in.
#[derive(Args, Debug, Clone, Copy, Default)]
#[command(next_help_heading = "Output")]
pub struct UnitArgs {
    /// Write sizes by powers of 1024: 1.5Mi (the default)
    #[arg(long, conflicts_with_all = ["si", "raw_bytes"])]
    pub iec: bool,
    /// Write sizes by powers of 1000: 1.5M
    #[arg(long, conflicts_with = "raw_bytes")]
    pub si: bool,
    /// Write sizes with all digits
    #[arg(long)]
    pub raw_bytes: bool,
}

impl UnitArgs {
    /// The units.
    pub fn resolve(self) -> Units {
        if self.raw_bytes {
            Units::Raw
        } else if self.si {
            Units::Si
        } else {
            Units::Iec
        }
    }
}

/// Options of every command that writes a table.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// How to write; all but `table` give sizes with all digits
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: Format,
    /// The units.
    #[command(flatten)]
    pub units: UnitArgs,
}

impl OutputArgs {
    /// The layout for a device of that style.
    pub fn resolve(&self, style: Style) -> Layout {
        Layout { format: self.format, units: self.units.resolve(), style }
    }
}
