// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What trials are made on.

use super::process::Ending;
use super::trial::Trial;
use crate::error::Result;
use crate::model::Profile;

/// What became of a request to run the command.
#[derive(Clone, Debug, PartialEq)]
pub enum Run {
    /// It was run, and ended so; and what was held then, by call sites of modules that have gone as well.
    Ended(Ending, Box<Profile>),
    /// It was not, for the kernel does not take its rule: why.
    Refused(String),
    /// An interrupt came first.
    Interrupted,
}

/// What trials are made on: a kernel, or a test.
pub trait Machine {
    /// Runs the command once, with a trial's call site failing if there is one.
    ///
    /// # Errors
    ///
    /// If it cannot be run.
    fn run(&mut self, trial: Option<&Trial>) -> Result<Run>;

    /// Runs what cleans up after it, with nothing failing and whatever interrupts; how that ended, if there is such a thing.
    ///
    /// # Errors
    ///
    /// If it cannot be run.
    fn clean_up(&mut self) -> Result<Option<Ending>>;

    /// What is held now.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn held(&mut self) -> Result<Profile>;

    /// What is held once all is quiet; `None` if the kernel does not come to that: something in it is stuck.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn quiet(&mut self) -> Result<Option<Profile>>;

    /// Lets some time pass.
    fn wait(&mut self);

    /// What was logged since this was asked for last.
    fn logged(&mut self) -> Vec<String>;
}
