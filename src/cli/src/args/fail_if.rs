// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What is not to be.

use clap::Args;

use crate::error::{Error, Result};
use crate::query::{Condition, Words};
use crate::subsystem::Subsystems;

/// The option of every command that can fail by what it finds.
#[derive(Args, Debug, Clone)]
pub struct FailIfArgs {
    /// Exit with status 3 if EXPR holds for a site, and name all sites that it holds for on standard error; may be given again
    #[arg(long, value_name = "EXPR")]
    pub fail_if: Vec<String>,
}

/// A condition as it was given.
#[derive(Clone, Debug)]
pub struct Check {
    /// Its text.
    pub text: String,
    /// What it means.
    pub condition: Condition,
}

impl FailIfArgs {
    /// The conditions over these fields, and over subsystems if there is a table of them.
    ///
    /// # Errors
    ///
    /// A usage error if one cannot be read.
    pub fn checks(&self, words: &Words<'_>, numbers: &[&str], subsystems: Option<&Subsystems>) -> Result<Vec<Check>> {
        let parse = |text: &String| {
            let condition = Condition::among(text, words, numbers, subsystems);
            let condition = condition.map_err(|error| Error::expression("--fail-if", text, error))?;
            Ok(Check { text: text.clone(), condition })
        };
        self.fail_if.iter().map(parse).collect()
    }
}
