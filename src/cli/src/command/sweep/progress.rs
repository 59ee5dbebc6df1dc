// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How far a sweep has come, on a terminal.

use std::collections::BTreeMap;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::model::Site;
use crate::sweep::found::{Found, Verdict};
use crate::sweep::session::Watcher;
use crate::sweep::trial::Trial;

/// How often time is told, where nothing else is.
const TICK: Duration = Duration::from_secs(1);

/// A bar on standard error, if that is a terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    verdicts: BTreeMap<Verdict, usize>,
}

impl Progress {
    /// None is drawn before there is something to say.
    pub(super) fn new() -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        Progress { bar, verdicts: BTreeMap::new() }
    }

    /// Takes the bar away.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn style(&self, template: &str) {
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.progress_chars("=> "));
        }
    }
}

impl Watcher for Progress {
    fn learns(&mut self) {
        self.style("{spinner} {elapsed} {msg}");
        self.bar.set_message("learning what the command touches");
        self.bar.enable_steady_tick(TICK);
    }

    fn plans(&mut self, sites: usize) {
        self.bar.set_length(sites.try_into().unwrap_or(u64::MAX));
        self.bar.reset_eta();
        self.bar.set_message("");
        self.style("[{bar:30}] {pos}/{len} {msg}, {eta} left");
    }

    fn has_tried(&mut self, _trial: &Trial, found: &Found) {
        *self.verdicts.entry(found.verdict()).or_default() += 1;
        let told = self.verdicts.iter().rev().map(|(verdict, times)| format!("{times} {}", verdict.name()));
        self.bar.set_message(told.collect::<Vec<_>>().join(", "));
    }

    fn is_done_with(&mut self, _site: &Site) {
        self.bar.inc(1);
    }
}
