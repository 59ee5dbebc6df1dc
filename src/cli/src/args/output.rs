// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How to write.

use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use super::fail_if::Check;
use crate::error::{Error, Result};
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
    /// The units, if some are asked for.
    pub fn asked(self) -> Option<Units> {
        (self.iec || self.si || self.raw_bytes).then(|| self.resolve())
    }

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
    /// How to write; all but `table` and `markdown` give sizes with all digits
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

/// How a command writes that can judge what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judging {
    /// As any command that writes a table.
    Table(Format),
    /// JUnit's XML: a test for everything that is judged.
    Junit,
}

impl ValueEnum for Judging {
    fn value_variants<'a>() -> &'a [Judging] {
        static ALL: LazyLock<Vec<Judging>> = LazyLock::new(|| {
            Format::value_variants().iter().copied().map(Judging::Table).chain([Judging::Junit]).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Judging::Table(format) => format.to_possible_value(),
            Judging::Junit => {
                Some(PossibleValue::new("junit").help("JUnit's XML: a test for everything that is judged"))
            }
        }
    }
}

/// Options of every command that writes a table of what it judges.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Output")]
pub struct JudgingArgs {
    /// How to write; all but `table` and `markdown` give sizes with all digits
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: Judging,
    /// The units.
    #[command(flatten)]
    pub units: UnitArgs,
}

impl JudgingArgs {
    /// The layout for a device of that style; what JUnit's tests are about, as a table, if that is asked for.
    pub fn resolve(&self, style: Style) -> Layout {
        let format = match self.format {
            Judging::Table(format) => format,
            Judging::Junit => Format::Table,
        };
        Layout { format, units: self.units.resolve(), style }
    }

    /// That there is something to judge by, if that is to be written.
    ///
    /// # Errors
    ///
    /// A usage error if there is not.
    pub fn needs(&self, checks: &[Check]) -> Result<()> {
        if self.format == Judging::Junit && checks.is_empty() {
            return Err(Error::Usage("--format junit: its tests are those of --fail-if; give one".to_owned()));
        }
        Ok(())
    }
}
