// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What to show of a profile.

use std::path::PathBuf;

use clap::Args;

use super::choice::Choosing;
use crate::error::{Error, Result};
use crate::query::Where;
use crate::render::units;
use crate::subsystem::Subsystems;
use crate::view::{Group, SortKey, View};

/// Which rows, of which subsystems.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Selection")]
pub struct FilterArgs {
    /// Only rows for which EXPR holds, such as 'file~^fs/ext4 bytes>1M not module=nvme'
    #[arg(short = 'w', long = "where", value_name = "EXPR", long_help = WHERE_HELP)]
    pub condition: Option<String>,
    /// A TOML table of subsystems that goes before the built-in one
    #[arg(long, value_name = "FILE")]
    pub subsystems: Option<PathBuf>,
}

const WHERE_HELP: &str = "\
Only rows for which EXPR holds: comparisons joined by `and` (or nothing), `or`, `not` and parentheses.

Names (file func module dir subsystem site extra.KEY) are compared by = (the whole name, or a pattern with * ? [...]), by ~ \
(any match of a regular expression), by != and !~ (the contrary). Built-in code has the module -. \
Of the name of a subsystem the first words are enough for =, in lower case too: subsystem=ext4.

Numbers (bytes calls avg line rows) are compared by = != < <= > >= and may have units: 64k, 1.5M, 2GB (k and Ki are 1024, kB \
is 1000). = takes ranges: line=10-90. So are slack requested waste allocs frees allocated failed injected stalls stall_ns stall_max_ns, of kernels that count them.

Yes or no (accurate backing) is compared by = and !=.

Example: 'file~^fs/ext4 (bytes>1M or calls>=10k) not module=- line=10-90 accurate=yes'";

impl FilterArgs {
    /// The condition. Its subsystems are those of `subsystems`.
    ///
    /// # Errors
    ///
    /// A usage error if it cannot be read.
    pub fn condition(&self, subsystems: &Subsystems) -> Result<Option<Where>> {
        let parse =
            |text: &String| Where::parse(text, subsystems).map_err(|error| Error::expression("--where", text, error));
        self.condition.as_ref().map(parse).transpose()
    }

    /// The table of subsystems.
    ///
    /// # Errors
    ///
    /// If the user's file cannot be read.
    pub fn subsystems(&self) -> Result<Subsystems> {
        Subsystems::load(self.subsystems.as_deref())
    }
}

/// Options of every command that lists entries.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Selection")]
pub struct ViewArgs {
    /// Which rows.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Add rows up by site, func, file, dir, dir:DEPTH, module or subsystem
    #[arg(short, long, value_name = "GROUP", default_value = "site", value_parser = Choosing::<Group>::new(), hide_possible_values = true)]
    pub group: Group,
    /// Sort by fields: numbers from the largest, names from A; a - in front turns it round
    #[arg(short, long, value_name = "KEY[,-KEY]", value_delimiter = ',', allow_hyphen_values = true, value_parser = Choosing::<SortKey>::new(), hide_possible_values = true)]
    pub sort: Vec<SortKey>,
    /// Show at most N entries
    #[arg(short = 'n', long, value_name = "N")]
    pub limit: Option<usize>,
    /// Show only entries of at least SIZE bytes, such as 64k
    #[arg(short, long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true)]
    pub min: Option<i64>,
    /// Show entries that hold nothing too
    #[arg(short, long)]
    pub zeros: bool,
    /// Count pages that only back other rows like the rest
    #[arg(long)]
    pub include_backing: bool,
}

impl ViewArgs {
    /// The view. The subsystems of its condition are those of `subsystems`.
    ///
    /// # Errors
    ///
    /// A usage error if parts of it do not go together.
    pub fn resolve(&self, subsystems: &Subsystems) -> Result<View> {
        if let Some(key) = self.sort.iter().find(|key| !self.group.has(key.field)) {
            let name = key.field.name();
            return Err(Error::Usage(format!("--sort {name}: entries of --group {} have no such field", self.group)));
        }
        Ok(View {
            condition: self.filter.condition(subsystems)?,
            group: self.group,
            sort: self.sort.clone(),
            limit: self.limit,
            min: self.min,
            zeros: self.zeros,
            include_backing: self.include_backing,
        })
    }
}

/// Reads a size in bytes.
///
/// # Errors
///
/// If it is none.
pub fn size(text: &str) -> std::result::Result<i64, String> {
    units::parse(text).ok_or_else(|| "no size such as 4096, 64k, 1.5M or 2GB".to_owned())
}

/// Reads a size in bytes that is none below zero.
///
/// # Errors
///
/// If it is none.
pub fn amount(text: &str) -> std::result::Result<i64, String> {
    size(text).and_then(|bytes| if bytes < 0 { Err("must not be below zero".to_owned()) } else { Ok(bytes) })
}
