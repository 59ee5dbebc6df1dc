// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Where to write.

use std::path::{Path, PathBuf};

use clap::Args;

/// The option of every command that writes a document.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Output")]
pub struct SinkArgs {
    /// Write to FILE, which is replaced at once when all is written; - is standard output (the default)
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl SinkArgs {
    /// The file; `None` for standard output.
    pub fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|file| file.as_os_str() != "-")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dash_is_standard_output() {
        for (output, expected) in [(None, None), (Some("-"), None), (Some("./-"), Some("./-"))] {
            let sink = SinkArgs { output: output.map(PathBuf::from) };
            assert_eq!(sink.file(), expected.map(Path::new));
        }
    }
}
