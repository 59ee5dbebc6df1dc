// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What came of a trial.

use serde::{Deserialize, Serialize};

use super::growth::More;
use super::process::Ending;
use super::said::{self, Gravity, Said};
use crate::model::Site;

/// A call site that holds more each time that the trial is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leak {
    /// The call site.
    pub site: Site,
    /// How much more.
    #[serde(flatten)]
    pub more: More,
}

/// What came of a trial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Whether the call site was made to fail: the command may not have come to it.
    pub reached: bool,
    /// How the command ended; `None` where the kernel went down before.
    pub ending: Option<Ending>,
    /// What the kernel said.
    #[serde(flatten)]
    pub said: Said,
    /// What was lost, the most first.
    pub leaks: Vec<Leak>,
    /// What may have been: the command did not come to the call site often enough to tell.
    #[serde(default)]
    pub unsure: Vec<Leak>,
}

/// What that comes to, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The command did not come to it.
    Unreached,
    /// The command ended by itself, and nothing is wrong.
    Handled,
    /// It ended by a signal, and nothing is wrong with the kernel.
    Killed,
    /// Memory was lost.
    Leaked,
    /// The kernel said that something is wrong.
    Warned,
    /// The command did not end in time.
    Hung,
    /// The kernel died, or a task in it.
    Oopsed,
}

impl Verdict {
    /// All of them, the worst first.
    pub const ALL: [Verdict; 7] = [
        Verdict::Oopsed,
        Verdict::Hung,
        Verdict::Warned,
        Verdict::Leaked,
        Verdict::Killed,
        Verdict::Handled,
        Verdict::Unreached,
    ];

    /// The word.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Unreached => "unreached",
            Verdict::Handled => "handled",
            Verdict::Killed => "killed",
            Verdict::Leaked => "leaked",
            Verdict::Warned => "warned",
            Verdict::Hung => "hung",
            Verdict::Oopsed => "oopsed",
        }
    }

    /// Whether it is the kernel's fault.
    pub fn is_defect(self) -> bool {
        self >= Verdict::Leaked
    }
}

impl Found {
    /// That the command ended so, and nothing is wrong so far.
    pub fn ended(reached: bool, ending: Ending) -> Found {
        Found { reached, ending: Some(ending), said: Said::default(), leaks: Vec::new(), unsure: Vec::new() }
    }

    /// That the kernel went down, and what its console said then.
    pub fn went_down(console: &[String]) -> Found {
        let mut said = said::look(console.iter().map(String::as_str));
        said.gravity = Some(Gravity::Oops);
        if said.complaints.is_empty() {
            said.complaints.push("the kernel went down".to_owned());
        }
        Found { reached: true, ending: None, said, leaks: Vec::new(), unsure: Vec::new() }
    }

    /// The worst of it.
    pub fn verdict(&self) -> Verdict {
        match (self.ending, self.said.gravity) {
            (None, _) | (_, Some(Gravity::Oops)) => Verdict::Oopsed,
            // Whatever came of that, it was not the call site's.
            _ if !self.reached => Verdict::Unreached,
            (Some(Ending::Timeout | Ending::Stuck), _) => Verdict::Hung,
            (_, Some(_)) => Verdict::Warned,
            _ if !self.leaks.is_empty() => Verdict::Leaked,
            (Some(Ending::Signal(_)), None) => Verdict::Killed,
            (Some(Ending::Status(_)), None) => Verdict::Handled,
        }
    }

    /// Whether the kernel is in no state to be tried further: what it does from here on may follow from this.
    pub fn has_spent_the_kernel(&self) -> bool {
        self.said.is_damage() || matches!(self.ending, None | Some(Ending::Stuck))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(ending: Ending) -> Found {
        Found::ended(true, ending)
    }

    fn said(gravity: Gravity, found: Found) -> Found {
        Found { said: Said { gravity: Some(gravity), ..Said::default() }, ..found }
    }

    #[test]
    fn the_worst_is_the_verdict() {
        let site = Site { file: "a.c".into(), line: 1, func: "f".into(), module: None };
        let leaks = vec![Leak { site, more: More { bytes: 64, calls: 1 } }];
        let fine = found(Ending::Status(1));
        let killed = found(Ending::Signal(9));
        for (found, verdict, spent) in [
            (Found { reached: false, ..fine.clone() }, Verdict::Unreached, false),
            (Found { reached: false, ..found(Ending::Timeout) }, Verdict::Unreached, false),
            (fine.clone(), Verdict::Handled, false),
            (killed.clone(), Verdict::Killed, false),
            (Found { leaks: leaks.clone(), ..killed.clone() }, Verdict::Leaked, false),
            (said(Gravity::Warning, Found { leaks: leaks.clone(), ..fine.clone() }), Verdict::Warned, false),
            (said(Gravity::Damage, fine.clone()), Verdict::Warned, true),
            (found(Ending::Timeout), Verdict::Hung, false),
            (found(Ending::Stuck), Verdict::Hung, true),
            (said(Gravity::Oops, found(Ending::Timeout)), Verdict::Oopsed, true),
            (Found::went_down(&[]), Verdict::Oopsed, true),
        ] {
            assert_eq!((found.verdict(), found.has_spent_the_kernel()), (verdict, spent), "{found:?}");
        }
    }

    #[test]
    fn verdicts_are_listed_from_the_worst_on() {
        assert!(Verdict::ALL.windows(2).all(|pair| pair[0] > pair[1]));
    }

    #[test]
    fn what_the_console_said_is_told_of_a_kernel_that_went_down() {
        let console = ["x".to_owned(), "Kernel panic - not syncing: Fatal exception".to_owned()];
        assert_eq!(Found::went_down(&console).said.complaints, ["Kernel panic - not syncing: Fatal exception"]);
        assert_eq!(Found::went_down(&[]).said.complaints, ["the kernel went down"]);
    }
}
