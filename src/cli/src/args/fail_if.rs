// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What is not to be.

use clap::Args;

use crate::error::{Error, Result};
use crate::query::{Condition, Words};

/// The option of every command that can fail by what it finds.
#[derive(Args, Debug, Clone)]
pub struct FailIfArgs {
    /// Exit with status 3 if EXPR holds for a site
    #[arg(long, value_name = "EXPR")]
    pub fail_if: Option<String>,
}

impl FailIfArgs {
    /// The condition over these fields, if there is one.
    ///
    /// # Errors
    ///
    /// A usage error if it cannot be read.
    pub fn condition(&self, words: &Words<'_>, numbers: &[&str]) -> Result<Option<Condition>> {
        let parse = |text: &String| {
            Condition::parse(text, words, numbers).map_err(|error| Error::expression("--fail-if", text, error))
        };
        self.fail_if.as_ref().map(parse).transpose()
    }
}
