// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a trace adds up to.

use std::collections::BTreeMap;
use std::io::Write;

use serde_json::{json, Value};

use super::lines::INTERRUPT;
use crate::error::Result;
use crate::model::{per_second, Backing, Histogram, Site};
use crate::render::bars::bars;
use crate::render::fit::End;
use crate::render::json::{self, head, Head};
use crate::render::style::Ink;
use crate::render::units::count;
use crate::render::{Cell, Column, Format, Layout, Table};
use crate::trace::event::Actor;
use crate::trace::head;
use crate::trace::session::Session;
use crate::trace::tally::{ActorTally, SiteTally};

/// Lines of each table where nothing is said.
const USUAL: usize = 10;

/// All that a trace adds up to, in the order in which it is shown.
pub(super) struct Report<'s> {
    about: &'s head::Head,
    session: &'s Session<'s>,
    sites: Vec<(&'s Site, SiteTally)>,
    processes: Vec<(u32, String, ActorTally)>,
    /// Nanoseconds.
    took: u64,
    limit: usize,
}

impl<'s> Report<'s> {
    pub(super) fn new(
        about: &'s head::Head,
        session: &'s Session<'s>,
        limit: Option<usize>,
        format: Format,
    ) -> Report<'s> {
        let sites = session.tally.sites().into_iter().enumerate();
        let sites = sites.filter_map(|(id, site)| Some((session.sites.get(id)?, site)));
        let mut sites: Vec<_> = sites.filter(|(_, site)| *site != SiteTally::default()).collect();
        sites.sort_by(|(a, one), (b, other)| other.allocs.cmp(&one.allocs).then_with(|| a.cmp(b)));
        let usual = if format.is_for_people() { USUAL } else { usize::MAX };
        Report {
            about,
            session,
            sites,
            processes: processes(session),
            took: session.last.saturating_sub(about.begin),
            limit: limit.unwrap_or(usual),
        }
    }

    /// Writes it.
    pub(super) fn write(&self, layout: &Layout, out: &mut dyn Write) -> Result<()> {
        if !layout.format.is_for_people() {
            return Ok(self.all().write(layout, &self.about(), out)?);
        }
        layout.remark(Ink::Head, &self.totals(layout), out)?;
        let mut part = |title: &str, table: Table<'_>| -> Result<()> {
            if table.rows.is_empty() {
                return Ok(());
            }
            writeln!(out)?;
            layout.remark(Ink::Head, title, out)?;
            Ok(table.write(layout, &Head::new(), out)?)
        };
        part("by process", self.by_process())?;
        part("by call site", self.by_site())?;
        part("freed on another CPU", self.crossed())?;
        part(&self.left_title(), self.left())?;
        self.lifetimes(layout, out)?;
        writeln!(out)?;
        for (ink, line) in self.remarks(layout) {
            layout.remark(ink, &line, out)?;
        }
        Ok(())
    }

    fn totals(&self, layout: &Layout) -> String {
        let sum = |number: fn(&SiteTally) -> u64| self.sites.iter().map(|(_, site)| number(site)).sum::<u64>();
        let allocs = sum(|site| site.allocs);
        let rate = self.rate(allocs).map(|rate| format!(" ({rate} a second)")).unwrap_or_default();
        format!(
            "{}{rate} and {} in {}",
            count(allocs, "allocation"),
            count(sum(|site| site.frees), "free"),
            layout.units.time(i64::try_from(self.took).unwrap_or(i64::MAX))
        )
    }

    /// So many in a second.
    fn rate(&self, number: u64) -> Option<i64> {
        per_second(i64::try_from(number).ok()?, self.took / 1_000_000)
    }

    fn by_process(&self) -> Table<'_> {
        let columns = vec![
            Column::right("allocs", "ALLOCS"),
            Column::right("bytes", "BYTES"),
            Column::right("pages", "PAGES"),
            Column::right("frees", "FREES"),
            Column::right("process", "PID"),
            Column::left("comm", "COMMAND"),
        ];
        let row = |(process, name, tally): &'_ (u32, String, ActorTally)| {
            let process = if name == INTERRUPT { Cell::Empty } else { Cell::Count((*process).into()) };
            let name = Cell::Text(name.clone().into());
            vec![number(tally.allocs), bytes(tally.bytes), number(tally.pages), number(tally.frees), process, name]
        };
        Table { columns, rows: self.processes.iter().take(self.limit).map(row).collect() }
    }

    fn by_site(&self) -> Table<'_> {
        let columns = vec![
            Column::right("allocs", "ALLOCS"),
            Column::right("rate", "ALLOCS/s").spare(1),
            Column::right("allocated", "BYTES"),
            Column::right("frees", "FREES"),
            Column::right("freed", "FREED").spare(2),
            site_column(),
        ];
        let row = |(site, tally): &(&Site, SiteTally)| {
            let rate = self.rate(tally.allocs).map_or(Cell::Empty, Cell::Count);
            vec![
                number(tally.allocs),
                rate,
                bytes(tally.allocated),
                number(tally.frees),
                bytes(tally.freed),
                name(site),
            ]
        };
        Table { columns, rows: self.sites.iter().take(self.limit).map(row).collect() }
    }

    fn crossed(&self) -> Table<'_> {
        let columns = vec![
            Column::right("crossed", "FREES"),
            Column::right("share", "SHARE"),
            Column::right("p50", "P50").spare(1),
            site_column(),
        ];
        let mut sites: Vec<_> = self.sites.iter().filter(|(_, site)| site.crossed > 0).collect();
        sites.sort_by_key(|(_, site)| std::cmp::Reverse(site.crossed));
        let row = |(site, tally): &&(&Site, SiteTally)| {
            let share = Cell::share(signed(tally.crossed), signed(tally.lifetimes.count()));
            vec![number(tally.crossed), share, time(tally.lifetimes.quantile(50)), name(site)]
        };
        Table { columns, rows: sites.iter().take(self.limit).map(row).collect() }
    }

    fn left_title(&self) -> String {
        match &self.about.command {
            Some(command) => format!("left behind by {}", command.first().map_or("the command", String::as_str)),
            None => "allocated meanwhile, and not freed".to_owned(),
        }
    }

    fn left(&self) -> Table<'_> {
        let columns =
            vec![Column::right("left_bytes", "BYTES"), Column::right("left_objects", "OBJECTS"), site_column()];
        let mut sites: Vec<_> = self.sites.iter().filter(|(_, site)| site.left.objects > 0).collect();
        sites.sort_by_key(|(_, site)| std::cmp::Reverse(site.left.bytes));
        let row =
            |(site, tally): &&(&Site, SiteTally)| vec![bytes(tally.left.bytes), number(tally.left.objects), name(site)];
        Table { columns, rows: sites.iter().take(self.limit).map(row).collect() }
    }

    fn lifetimes(&self, layout: &Layout, out: &mut dyn Write) -> Result<()> {
        let lifetimes = &self.session.tally.lifetimes;
        if lifetimes.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        let of = |percent| layout.units.time(signed(lifetimes.quantile(percent).unwrap_or(0)));
        let title = format!("lifetimes: half of {} at most {}, 99% {}", lifetimes.count(), of(50), of(99));
        layout.remark(Ink::Head, &title, out)?;
        if layout.format == Format::Table {
            for line in bars(lifetimes, layout.units, "", layout.style.width, layout.style.unicode) {
                writeln!(out, "{line}")?;
            }
        }
        Ok(())
    }

    /// What one should know to judge the rest.
    fn remarks(&self, layout: &Layout) -> Vec<(Ink, String)> {
        let tally = &self.session.tally;
        let left = self.sites.iter().filter(|(site, _)| Backing::of(site).is_none());
        let left = left.fold((0u64, 0u64), |sum, (_, site)| (sum.0 + site.left.objects, sum.1 + site.left.bytes));
        let mut lines = vec![(
            Ink::Head,
            format!("not freed: {} in {}", layout.units.format(signed(left.1)), count(left.0, "piece")),
        )];
        if let Some(before) = self.about.before {
            let line = format!(
                "before the tracer: {}, of which {} live, {}",
                count(u64::try_from(before.allocs).unwrap_or(0), "allocation"),
                before.calls,
                layout.units.format(before.bytes),
            );
            lines.push((Ink::Faint, line));
        }
        for (ink, number, thing, what) in [
            (Ink::Faint, tally.unseen, "free", "of what had been allocated before the tracer"),
            (Ink::Faint, tally.moved, "free", "of pages whose contents had been moved, so that no lifetime is known"),
            (Ink::Faint, self.failed(), "allocation", "got nothing"),
            (Ink::Faint, self.stalls(), "allocation", "had to wait"),
            (Ink::Warning, tally.unended, "allocation", "where something else was whose end was not seen"),
            (Ink::Alarm, self.session.damaged, "piece", "could not be read: the trace is damaged"),
        ] {
            if number > 0 {
                lines.push((ink, format!("{} {what}", count(number, thing))));
            }
        }
        lines.push(match self.lost() {
            0 if tally.gaps == 0 => (Ink::Faint, "no event was lost".to_owned()),
            0 => (Ink::Alarm, "events were lost: what is left and how long it lived is of what was seen".to_owned()),
            lost => (
                Ink::Alarm,
                format!(
                    "{} lost: what is left and how long it lived is of what was seen; --buffer gives more room",
                    count(lost, "event")
                ),
            ),
        });
        lines
    }

    /// Events that were lost: as the kernel has told at the end, else as far as pages say.
    fn lost(&self) -> u64 {
        let told = self.session.tail.as_ref().map(|tail| tail.losses.values().map(head::Losses::sum).sum());
        told.unwrap_or(self.session.tally.lost)
    }

    fn failed(&self) -> u64 {
        self.sites.iter().map(|(_, site)| site.failed).sum()
    }

    fn stalls(&self) -> u64 {
        self.sites.iter().map(|(_, site)| site.stalls).sum()
    }

    /// Everything about call sites, for programs.
    fn all(&self) -> Table<'_> {
        let number_columns = [
            "allocs",
            "rate",
            "allocated",
            "requested",
            "frees",
            "freed",
            "crossed",
            "left_objects",
            "left_bytes",
            "failed",
            "stalls",
            "life_p50",
            "life_p99",
            "life_max",
        ];
        let mut columns: Vec<Column> = number_columns.into_iter().map(|name| Column::right(name, name)).collect();
        columns.extend(["life_histogram", "file", "line", "func", "module"].map(|name| Column::left(name, name)));
        let row = |(site, tally): &(&'s Site, SiteTally)| {
            let life = &tally.lifetimes;
            let histogram = if life.is_empty() { Cell::Empty } else { Cell::Text(life.to_string().into()) };
            vec![
                number(tally.allocs),
                self.rate(tally.allocs).map_or(Cell::Empty, Cell::Count),
                bytes(tally.allocated),
                bytes(tally.requested),
                number(tally.frees),
                bytes(tally.freed),
                number(tally.crossed),
                number(tally.left.objects),
                bytes(tally.left.bytes),
                number(tally.failed),
                number(tally.stalls),
                time(life.quantile(50)),
                time(life.quantile(99)),
                time(life.max_ns()),
                histogram,
                Cell::Text(site.path().into()),
                Cell::Count(site.line.into()),
                Cell::Text(site.func.as_str().into()),
                site.module.as_deref().map_or(Cell::Empty, Cell::from),
            ]
        };
        Table { columns, rows: self.sites.iter().take(self.limit).map(row).collect() }
    }

    fn about(&self) -> Head {
        let mut about = head("alloctag.trace/1");
        let tally = &self.session.tally;
        let mut put = |name: &str, value: Value| drop(about.insert(name.to_owned(), value));
        put("release", self.about.release.as_str().into());
        put("time_ms", self.about.time_ms.into());
        put("command", json!(self.about.command));
        put("condition", json!(self.about.condition));
        put("ns", self.took.into());
        put("before", json!(self.about.before));
        put("frees_of_before", tally.unseen.into());
        put("moved", tally.moved.into());
        put("unended", tally.unended.into());
        put("damaged", self.session.damaged.into());
        put(
            "lost",
            json!({"events": self.lost(), "gaps": tally.gaps, "by_cpu": self.session.tail.as_ref().map(|tail| &tail.losses)}),
        );
        put("lifetimes", lifetimes(&tally.lifetimes));
        put("processes", json::objects(&self.by_process()));
        about
    }
}

/// What each process did, the most active ones first.
fn processes(session: &Session<'_>) -> Vec<(u32, String, ActorTally)> {
    let mut sums: BTreeMap<Option<u32>, (String, ActorTally)> = BTreeMap::new();
    for (actor, tally) in &session.tally.actors {
        let (process, name, is_leader) = match actor {
            Actor::Interrupt => (None, INTERRUPT, true),
            Actor::Task(thread) => match session.tasks.get(thread) {
                Some(task) => (Some(task.process), task.name.as_str(), task.process == *thread),
                None => (Some(*thread), "<...>", true),
            },
        };
        let (named, sum) = sums.entry(process).or_default();
        // A process is called as its first thread is.
        if named.is_empty() || is_leader {
            name.clone_into(named);
        }
        sum.allocs += tally.allocs;
        sum.bytes = sum.bytes.saturating_add(tally.bytes);
        sum.pages = sum.pages.saturating_add(tally.pages);
        sum.frees += tally.frees;
    }
    let mut processes: Vec<_> =
        sums.into_iter().map(|(process, (name, sum))| (process.unwrap_or(0), name, sum)).collect();
    processes.sort_by_key(|(_, _, sum)| std::cmp::Reverse((sum.allocs, sum.frees)));
    processes
}

fn lifetimes(histogram: &Histogram) -> Value {
    json!({
        "count": histogram.count(),
        "min_ns": histogram.min_ns(),
        "mean_ns": histogram.mean_ns(),
        "p50_ns": histogram.quantile(50),
        "p99_ns": histogram.quantile(99),
        "max_ns": histogram.max_ns(),
        "histogram": histogram.to_string(),
    })
}

fn site_column() -> Column {
    Column::left("site", "SITE").cut(End::Front)
}

fn name(site: &Site) -> Cell<'static> {
    Cell::Text(site.to_string().into())
}

fn number(number: u64) -> Cell<'static> {
    Cell::Count(signed(number))
}

fn bytes(bytes: u64) -> Cell<'static> {
    Cell::Bytes(signed(bytes))
}

fn time(ns: Option<u64>) -> Cell<'static> {
    ns.map_or(Cell::Empty, |ns| Cell::Time(signed(ns)))
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
