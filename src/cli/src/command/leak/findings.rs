// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What was found out about each site, and how it is told.

use std::io::Write;
use std::ops::Deref;

use serde_json::json;

use super::origins::Origins;
use super::samples::Samples;
use crate::command::ruling::Rulings;
use crate::error::Result;
use crate::model::{Amount, Measure, Measured, Meta, Number, Row};
use crate::render::fit::End;
use crate::render::json::{head, Head};
use crate::render::style::Ink;
use crate::render::units::count;
use crate::render::{Cell, Column, Format, Layout, Table};
use crate::time::{duration, outlook};
use crate::trend::history::Tally;
use crate::trend::{self, finding, Judgement, Limits, Verdict};

/// A site and its judgement.
pub(super) struct Finding {
    found: trend::Finding,
    pub(super) suppressed: bool,
}

impl Deref for Finding {
    type Target = trend::Finding;

    fn deref(&self) -> &trend::Finding {
        &self.found
    }
}

const HOUR: f64 = 3600.0;

impl Finding {
    /// What only some kernels count of it, at its last sample.
    pub(super) fn measure(&self, measure: Measure) -> Option<Amount> {
        measure.of(&Measured { bytes: self.row.bytes, numbers: &self.row.numbers, time_ms: None })
    }

    fn is_leak(&self) -> bool {
        self.judgement.verdict == Verdict::Leak
    }

    /// Bytes an hour, rounded.
    pub(super) fn slope_per_hour(&self) -> i64 {
        per_hour(self.judgement.slope.estimate)
    }
}

/// What can be told of a site that only some kernels count. (A rate since boot is not what happened here.)
pub(super) fn measures() -> impl Iterator<Item = Measure> {
    Measure::all().filter(|measure| *measure != Measure::Rate)
}

fn per_hour(slope: f64) -> i64 {
    // CAST: saturates, which no slope comes near.
    (slope * HOUR).round() as i64
}

/// All of them.
pub(super) struct Findings {
    list: Vec<Finding>,
    tally: Tally,
    last: Meta,
    /// What its kernel counts besides.
    counted: Vec<Measure>,
    available: Option<i64>,
}

impl Findings {
    /// Judges every site.
    pub(super) fn judge(samples: Samples, limits: &Limits, available: Option<i64>) -> Findings {
        let (history, last) = (samples.history, samples.last);
        let tally = *history.tally();
        let found = finding::find(history, &last, limits);
        let list = found.into_iter().map(|found| Finding { found, suppressed: false }).collect();
        let counted = Number::all().filter(|&number| last.counts(number)).map(Measure::Counted).collect();
        let told = last.meta.memory.get("MemAvailable").and_then(|bytes| i64::try_from(bytes).ok());
        Findings { list, tally, available: available.or(told), last: last.meta, counted }
    }

    /// Removes findings about rows that `keep` does not want.
    pub(super) fn retain(&mut self, keep: impl Fn(&Row) -> bool) {
        self.list.retain(|finding| keep(&finding.row));
    }

    /// Marks leaks that are known.
    pub(super) fn suppress(&mut self, mut known: impl FnMut(&Row) -> bool) {
        for finding in self.list.iter_mut().filter(|finding| finding.judgement.verdict == Verdict::Leak) {
            finding.suppressed = known(&finding.found.row);
        }
    }

    /// What the judgement rests on if it says nothing: the most samples that a site has.
    pub(super) fn too_few(&self) -> Option<usize> {
        let short = |finding: &Finding| finding.judgement.verdict == Verdict::Short;
        let samples = self.list.iter().map(|finding| finding.samples).max()?;
        self.list.iter().all(short).then_some(samples)
    }

    /// Findings that are not known.
    pub(super) fn unsuppressed(&self) -> impl Iterator<Item = &Finding> {
        self.list.iter().filter(|finding| !finding.suppressed)
    }

    /// Writes them.
    pub(super) fn write(
        &self,
        limit: Option<usize>,
        all: bool,
        layout: &Layout,
        rulings: &Rulings,
        origins: &Origins,
        out: &mut dyn Write,
    ) -> Result<()> {
        let told = |finding: &&Finding| all || !matches!(finding.judgement.verdict, Verdict::Noise | Verdict::Short);
        let shown: Vec<&Finding> = self.unsuppressed().filter(told).take(limit.unwrap_or(usize::MAX)).collect();
        let human = layout.format.is_for_people();
        let mut columns = if human { COLUMNS.to_vec() } else { [&COLUMNS[..], &MACHINE_COLUMNS].concat() };
        let counted: &[Measure] = if human { &[] } else { &self.counted };
        columns.extend(counted.iter().map(|measure| Column::right(measure.name(), measure.title())));
        // Whether --fail-if names it.
        let ruled = !human && !rulings.is_empty();
        columns.extend(ruled.then_some(Column::left("fails", "")));
        let leaks: Vec<&Row> = shown.iter().filter(|finding| finding.is_leak()).map(|finding| &finding.row).collect();
        let mut rows = Vec::with_capacity(shown.len());
        for finding in shown {
            let mut cells = self.cells(finding);
            if !human {
                cells.extend(machine_cells(finding, self.available));
            }
            let cell = |&measure: &Measure| finding.measure(measure).map_or(Cell::Empty, Cell::from);
            cells.extend(counted.iter().map(cell));
            cells.extend(ruled.then(|| Cell::Flag(rulings.names(&finding.row.site.to_string()))));
            rows.push(cells);
        }
        let mut head = self.about();
        rulings.describe(&mut head);
        head.insert("contexts".into(), origins.json(&leaks));
        Table { columns, rows }.write(layout, &head, out)?;
        if layout.format == Format::Table {
            origins.write(&leaks, layout, out)?;
        }
        self.footer(layout, out)
    }

    fn about(&self) -> Head {
        let mut head = head("alloctag.leak/2");
        let tally = &self.tally;
        head.insert("meta".into(), json!(self.last));
        head.insert("available".into(), json!(self.available));
        head.insert(
            "samples".into(),
            json!({"taken": tally.taken, "torn": tally.torn, "off": tally.off, "disordered": tally.disordered}),
        );
        head.insert("cuts".into(), json!({"reboots": tally.reboots, "reloads": tally.reloads}));
        let counts = self.counts().map(|(verdict, count)| (verdict.name().to_owned(), count.into()));
        head.insert("verdicts".into(), serde_json::Value::Object(counts.collect()));
        head.insert("suppressed".into(), (self.list.len() - self.unsuppressed().count()).into());
        head
    }

    fn counts(&self) -> impl Iterator<Item = (Verdict, usize)> + '_ {
        let count = |verdict| self.unsuppressed().filter(|finding| finding.judgement.verdict == verdict).count();
        Verdict::ALL.into_iter().map(move |verdict| (verdict, count(verdict)))
    }

    fn cells<'f>(&self, finding: &'f Finding) -> Vec<Cell<'f>> {
        let Judgement { verdict, slope, growth, .. } = finding.judgement;
        let eta = finding.exhaustion(self.available);
        // CAST: saturates; a duration of that many centuries is no news.
        let eta = eta.map_or(Cell::Empty, |seconds| Cell::Text(outlook((seconds * 1000.0) as u64).into()));
        vec![
            word(verdict),
            Cell::Bytes(per_hour(slope.estimate)),
            Cell::Bytes(per_hour(slope.low)),
            Cell::Bytes(per_hour(slope.high)),
            Cell::Real(finding.judgement.q),
            // CAST: a sum of integers.
            Cell::Bytes(growth as i64),
            Cell::Bytes(finding.row.bytes),
            Cell::size(finding.samples),
            eta,
            Cell::Text(finding.row.site.to_string().into()),
        ]
    }

    fn footer(&self, layout: &Layout, out: &mut dyn Write) -> Result<()> {
        let counts: Vec<String> = self
            .counts()
            .filter(|(_, count)| *count > 0)
            .map(|(verdict, count)| format!("{count} {verdict}"))
            .collect();
        layout.remark(Ink::Head, &format!("{} sites: {}", self.list.len(), counts.join(", ")), out)?;
        let span = self.list.iter().map(|finding| finding.span).fold(0.0, f64::max);
        let mut parts = vec![
            count(self.tally.taken, "sample"),
            // CAST: saturates.
            format!("judged over up to {}", duration((span * 1000.0) as u64)),
        ];
        for (number, what) in [(self.tally.reboots, "reboot"), (self.tally.reloads, "module reload")] {
            if number > 0 {
                parts.push(format!("cut at {}", count(number, what)));
            }
        }
        let suppressed = self.list.len() - self.unsuppressed().count();
        if suppressed > 0 {
            parts.push(format!("{} known and not shown", count(suppressed, "leak")));
        }
        if let Some(available) = self.available {
            parts.push(format!("{} available", layout.units.format(available)));
        }
        layout.remark(Ink::Faint, &parts.join(", "), out)?;
        Ok(())
    }
}

const COLUMNS: [Column; 10] = [
    Column::left("verdict", "VERDICT"),
    Column::right("slope", "SLOPE/h"),
    Column::right("slope_low", "LOW").spare(4),
    Column::right("slope_high", "HIGH").spare(4),
    Column::right("q", "Q").spare(5),
    Column::right("growth", "GROWTH").spare(3),
    Column::right("now", "NOW").spare(2),
    Column::right("samples", "SAMPLES").spare(6),
    Column::right("exhaustion", "FULL IN").spare(1),
    Column::left("site", "SITE").cut(End::Front),
];

/// A verdict in its colour.
fn word(verdict: Verdict) -> Cell<'static> {
    match verdict {
        Verdict::Leak => Cell::Word(Ink::Alarm, verdict.name()),
        Verdict::Noise | Verdict::Short => Cell::Word(Ink::Faint, verdict.name()),
        _ => verdict.name().into(),
    }
}

/// What programs want besides: seconds as numbers, the site in its parts.
const MACHINE_COLUMNS: [Column; 6] = [
    Column::right("p", "P"),
    Column::right("exhaustion_s", "SECONDS"),
    Column::left("file", "FILE"),
    Column::right("line", "LINE"),
    Column::left("func", "FUNC"),
    Column::left("module", "MODULE"),
];

fn machine_cells(finding: &Finding, available: Option<i64>) -> Vec<Cell<'_>> {
    let site = &finding.row.site;
    vec![
        Cell::Real(finding.judgement.p),
        // CAST: saturates.
        finding.exhaustion(available).map_or(Cell::Empty, |seconds| Cell::Count(seconds as i64)),
        site.path().into(),
        Cell::Count(site.line.into()),
        site.func.as_str().into(),
        site.module.as_deref().map_or(Cell::Empty, Cell::from),
    ]
}
