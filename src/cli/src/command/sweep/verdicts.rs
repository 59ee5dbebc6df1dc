// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What came of all trials, as a table.

use std::cmp::Reverse;
use std::io::{self, Write};

use crate::render::fit::End;
use crate::render::json::head;
use crate::render::junit::{Case, Suite};
use crate::render::style::Ink;
use crate::render::units::count;
use crate::render::{Cell, Column, Layout, Table};
use crate::sweep::found::{Found, Leak, Verdict};
use crate::sweep::journal::Past;
use crate::sweep::process::Ending;
use crate::sweep::trial::Trial;

/// What came of trials, the worst first.
pub(super) struct Verdicts<'p> {
    trials: Vec<(&'p Trial, &'p Found)>,
    /// Whether those are told, too, with which nothing is wrong.
    all: bool,
}

impl<'p> Verdicts<'p> {
    /// That of several sweeps together.
    pub(super) fn of(pasts: &'p [Past], all: bool) -> Verdicts<'p> {
        let mut trials: Vec<_> =
            pasts.iter().flat_map(|past| &past.ended).map(|(trial, found)| (trial, found)).collect();
        trials.sort_by(|(one, of_one), (other, of_other)| {
            let order = |trial: &Trial, found: &Found| {
                (Reverse((found.verdict(), found.said.gravity, lost(found))), trial.site.clone(), trial.nth)
            };
            order(one, of_one).cmp(&order(other, of_other))
        });
        Verdicts { trials, all }
    }

    /// Writes them.
    pub(super) fn write(&self, layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
        let for_people = layout.format.is_for_people();
        let told = |(_, found): &&(&Trial, &Found)| self.all || !for_people || found.verdict().is_defect();
        let told = self.trials.iter().filter(told);
        let table = if for_people {
            let rows: Vec<_> = told.map(|(trial, found)| cells_for_people(trial, found)).collect();
            Table { columns: columns_for_people(), rows }
        } else {
            Table { columns: columns(), rows: told.map(|(trial, found)| cells(trial, found)).collect() }
        };
        let mut head = head("alloctag.sweep/1");
        for verdict in Verdict::ALL {
            head.insert(verdict.name().to_owned(), self.number(verdict).into());
        }
        if !for_people || !table.rows.is_empty() {
            table.write(layout, &head, out)?;
        }
        layout.remark(Ink::Head, &self.summary(), out)
    }

    /// Writes them as tests.
    pub(super) fn write_junit(&self, out: &mut dyn Write) -> io::Result<()> {
        let case = |(trial, found): &(&Trial, &Found)| {
            let verdict = found.verdict();
            let lines =
                || what(found).into_iter().chain(found.said.stack.iter().cloned()).collect::<Vec<_>>().join("\n");
            Case { name: trial.to_string(), failure: verdict.is_defect().then(|| (verdict.name().to_owned(), lines())) }
        };
        Suite { name: "alloctag sweep".to_owned(), cases: self.trials.iter().map(case).collect() }.write(out)
    }

    fn number(&self, verdict: Verdict) -> usize {
        self.trials.iter().filter(|(_, found)| found.verdict() == verdict).count()
    }

    fn summary(&self) -> String {
        let numbers = Verdict::ALL.map(|verdict| (self.number(verdict), verdict.name()));
        let numbers = numbers.iter().filter(|(number, _)| *number > 0).map(|(number, name)| format!("{number} {name}"));
        let trials = count(self.trials.len(), "trial");
        [vec![trials], numbers.collect()].concat().join(", ")
    }
}

fn columns_for_people() -> Vec<Column> {
    vec![
        Column::left("verdict", "VERDICT"),
        Column::left("site", "SITE").cut(End::Front),
        Column::left("ended", "ENDED").spare(1),
        Column::left("what", "WHAT"),
    ]
}

fn cells_for_people<'p>(trial: &Trial, found: &'p Found) -> Vec<Cell<'p>> {
    vec![
        word(found.verdict()),
        Cell::Text(trial.to_string().into()),
        Cell::Text(ended(found).into()),
        Cell::Text(what(found).join("; ").into()),
    ]
}

fn columns() -> Vec<Column> {
    vec![
        Column::left("verdict", "VERDICT"),
        Column::left("file", "FILE"),
        Column::right("line", "LINE"),
        Column::left("func", "FUNC"),
        Column::left("module", "MODULE"),
        Column::right("nth", "NTH"),
        Column::left("ended", "ENDED"),
        Column::right("leaked", "LEAKED"),
        Column::left("leaks", "LEAKS"),
        Column::left("unsure", "UNSURE"),
        Column::left("said", "SAID"),
        Column::left("stack", "STACK"),
    ]
}

fn cells<'p>(trial: &'p Trial, found: &'p Found) -> Vec<Cell<'p>> {
    let site = &trial.site;
    let leaks: Vec<String> = found.leaks.iter().map(leaked).collect();
    let unsure: Vec<String> = found.unsure.iter().map(leaked).collect();
    vec![
        word(found.verdict()),
        site.path().into(),
        Cell::Count(site.line.into()),
        site.func.as_str().into(),
        site.module.as_ref().map_or(Cell::Empty, |module| module.as_str().into()),
        Cell::Count(trial.nth.into()),
        Cell::Text(ended(found).into()),
        Cell::Bytes(lost(found)),
        Cell::Text(leaks.join("; ").into()),
        Cell::Text(unsure.join("; ").into()),
        Cell::List(found.said.complaints.iter().map(String::as_str).collect()),
        Cell::List(found.said.stack.iter().map(String::as_str).collect()),
    ]
}

fn word<'c>(verdict: Verdict) -> Cell<'c> {
    match verdict {
        verdict if verdict.is_defect() => Cell::Word(Ink::Alarm, verdict.name()),
        Verdict::Killed => Cell::Word(Ink::Warning, verdict.name()),
        _ => verdict.name().into(),
    }
}

fn ended(found: &Found) -> String {
    match found.ending {
        None => "-".to_owned(),
        Some(Ending::Status(status)) => format!("status {status}"),
        Some(Ending::Signal(signal)) => format!("signal {signal}"),
        Some(Ending::Timeout) => "timeout".to_owned(),
        Some(Ending::Stuck) => "not at all".to_owned(),
    }
}

/// What is wrong, in words.
fn what(found: &Found) -> Vec<String> {
    let unsure = found.unsure.iter().map(|leak| format!("perhaps {}", leaked(leak)));
    found.said.complaints.iter().cloned().chain(found.leaks.iter().map(leaked)).chain(unsure).collect()
}

fn leaked(leak: &Leak) -> String {
    format!("leaked {} at {}", count(leak.more.bytes, "byte"), leak.site)
}

/// Bytes that were lost.
fn lost(found: &Found) -> i64 {
    found.leaks.iter().map(|leak| leak.more.bytes).sum()
}
