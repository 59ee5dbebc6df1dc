// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What `alloctag stalls`, `latency` and `lifetimes` do: they show how long something took, by call site.

mod args;

use serde_json::json;

use super::below::{self, INDENT};
use super::{describe, meant, note_caveats, Context};
use crate::args::input::input;
use crate::error::{Error, Outcome, Result};
use crate::model::{Names, Profile, Quantity, Timed, Timing};
use crate::query::OfTiming;
use crate::render::bars::bars;
use crate::render::json::{head, Head};
use crate::render::style::Ink;
use crate::render::units::count;
use crate::render::{Format, Layout, Units};
use crate::source::control::Control;
use crate::source::{self, Request};
use crate::subsystem::Subsystems;
use crate::view::times::{By, TimesPart, TimesSelection, TimesView};

pub use args::TimesArgs;

/// Runs the command about `timed`.
///
/// # Errors
///
/// If options do not go together, nothing can be read, or the output cannot be written.
pub(super) fn run(timed: Timed, args: &TimesArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let subsystems = Subsystems::load(args.subsystems.as_deref())?;
    let view = view(timed, args, &subsystems)?;
    let layout = args.output.resolve(context.style);
    if args.reset {
        return reset(timed, args, context);
    }
    let request = Request { input: input(args.file.as_deref()), ..Request::live(&context.global.procfs) };
    let (profile, outcome) = read(timed, &request, context)?;
    let list = profile.timings.of(timed).unwrap_or_default();
    let selection = view.apply(list, &subsystems);
    let table = selection.table(&parts(&view, &selection, layout.format));
    if args.histogram && layout.format == Format::Table {
        let drawn = selection.groups.iter().map(|group| drawn(timed, &group.sum, &layout));
        below::write(&table, drawn, &layout, context.out)?;
    } else {
        table.write(&layout, &about(timed, &profile, &selection), context.out)?;
    }
    footer(timed, &selection, &layout, context)?;
    Ok(outcome)
}

/// What is to be shown.
fn view(timed: Timed, args: &TimesArgs, subsystems: &Subsystems) -> Result<TimesView> {
    let parse =
        |text: &String| OfTiming::parse(text, subsystems).map_err(|error| Error::expression("--where", text, error));
    let view = TimesView {
        timed,
        condition: args.condition.as_ref().map(parse).transpose()?,
        by: args.by.clone(),
        sort: args.sort.clone(),
        limit: args.limit,
    };
    if timed != Timed::Stalls && view.by.contains(&By::Cause) {
        return Err(Error::Usage("--by cause: only stalls have causes".to_owned()));
    }
    for part in view.sort.iter().map(|order| order.part) {
        let name = part.word();
        match part {
            TimesPart::Quantity(quantity) if timed != Timed::Lifetimes && quantity.is_of_lifetimes() => {
                return Err(Error::Usage(format!("--sort {name}: only lifetimes have that")));
            }
            TimesPart::By(By::Cause) if timed != Timed::Stalls => {
                return Err(Error::Usage("--sort cause: only stalls have causes".to_owned()));
            }
            TimesPart::By(by) if !view.by.is_empty() && !view.by.contains(&by) => {
                return Err(Error::Usage(format!("--sort {name}: it is not among what --by adds up by")));
            }
            _ => {}
        }
    }
    Ok(view)
}

/// Has the kernel begin anew.
fn reset(timed: Timed, args: &TimesArgs, context: &mut Context<'_>) -> Result<Outcome> {
    if args.file.is_some() {
        return Err(Error::Usage("--reset: of the running kernel only".to_owned()));
    }
    Control::of(&context.global.procfs).reset(timed)?;
    Ok(Outcome::Done)
}

fn read(timed: Timed, request: &Request, context: &Context<'_>) -> Result<(Profile, Outcome)> {
    let profile = source::timings(&meant(request, &context.clock)?, timed, &mut Names::new())?;
    let outcome = note_caveats(&profile, context);
    if profile.timings.of(timed).is_none() {
        return Err(Error::failed(&profile.meta.origin, format_args!("has no {}", timed.name())));
    }
    Ok((profile, outcome))
}

/// The columns: for people those that are looked at, for programs all.
fn parts(view: &TimesView, selection: &TimesSelection<'_>, format: Format) -> Vec<TimesPart> {
    let quantities: Vec<Quantity> = if format.is_for_people() {
        let usual: &[Quantity] = match view.timed {
            Timed::Stalls | Timed::Latency => {
                &[Quantity::Count, Quantity::Total, Quantity::P50, Quantity::P99, Quantity::Max]
            }
            Timed::Lifetimes => &[
                Quantity::Count,
                Quantity::P50,
                Quantity::P99,
                Quantity::Max,
                Quantity::Alive,
                Quantity::Kept,
                Quantity::Age,
                Quantity::Lost,
            ],
        };
        let sorted = |quantity: &Quantity| {
            view.sort.iter().any(|order| order.part == TimesPart::Quantity(*quantity)) || usual.contains(quantity)
        };
        let is_lost = |quantity: &Quantity| {
            *quantity != Quantity::Lost || selection.groups.iter().any(|group| group.sum.lost > 0)
        };
        Quantity::of_all(view.timed).filter(sorted).filter(is_lost).collect()
    } else {
        Quantity::of_all(view.timed).collect()
    };
    let mut parts: Vec<TimesPart> = quantities.into_iter().map(TimesPart::Quantity).collect();
    let several = selection.groups.iter().any(|group| group.sites > 1);
    parts.extend((!format.is_for_people() || several).then_some(TimesPart::Sites));
    let causes = view.timed == Timed::Stalls && !selection.by.contains(&By::Cause);
    parts.extend(causes.then_some(TimesPart::Causes));
    if !format.is_for_people() {
        parts.push(TimesPart::Histogram);
        parts.extend((view.timed == Timed::Lifetimes).then_some(TimesPart::Ages));
    }
    parts.extend(selection.by.iter().copied().map(TimesPart::By));
    parts
}

/// The bars below a row.
fn drawn(timed: Timed, sum: &Timing, layout: &Layout) -> Vec<String> {
    let bars = |histogram| bars(histogram, layout.units, INDENT, layout.style.width, layout.style.unicode);
    if timed != Timed::Lifetimes {
        return bars(&sum.times);
    }
    let mut lines = Vec::new();
    for (histogram, head) in [(&sum.times, "freed after"), (&sum.ages, "alive for")] {
        if !histogram.is_empty() {
            lines.push(format!("{INDENT}{head}"));
            lines.extend(bars(histogram));
        }
    }
    lines
}

fn about(timed: Timed, profile: &Profile, selection: &TimesSelection<'_>) -> Head {
    let mut head = head(match timed {
        Timed::Stalls => "alloctag.stalls/1",
        Timed::Latency => "alloctag.latency/1",
        Timed::Lifetimes => "alloctag.lifetimes/1",
    });
    describe(&mut head, profile);
    head.insert("unreadable".into(), json!(profile.timings.unreadable()));
    head.insert("by".into(), json!(selection.by.iter().map(|by| by.name()).collect::<Vec<_>>()));
    let sum = selection.total.as_ref();
    let total = |number: fn(&Timing) -> u64| sum.map_or(0, number);
    head.insert(
        "total".into(),
        json!({
            "count": total(|sum| sum.times.count()),
            "ns": total(|sum| sum.times.ns()),
            "alive": total(|sum| sum.ages.count()),
            "lost": total(|sum| sum.lost),
            "sites": selection.sites,
        }),
    );
    head.insert("shared".into(), json!(selection.shared));
    head.insert("omitted".into(), json!({"cut": selection.cut}));
    head
}

fn footer(timed: Timed, selection: &TimesSelection<'_>, layout: &Layout, context: &mut Context<'_>) -> Result<()> {
    let Some(sum) = &selection.total else {
        return Ok(layout.remark(Ink::Head, "nothing was measured", context.out)?);
    };
    let sites = count(selection.sites, "site");
    let line = match timed {
        Timed::Stalls => format!("{} in {} of {sites}", time(layout.units, sum), count(sum.times.count(), "wait")),
        Timed::Latency => {
            format!("{} in {} of {sites}", time(layout.units, sum), count(sum.times.count(), "allocation"))
        }
        Timed::Lifetimes => format!("{} freed, {} alive, of {sites}", sum.times.count(), sum.ages.count()),
    };
    layout.remark(Ink::Head, &line, context.out)?;
    if selection.shared > 0 {
        let line = format!("{} of them of call sites without a histogram of their own", selection.shared);
        layout.remark(Ink::Alarm, &line, context.out)?;
    }
    if sum.lost > 0 {
        let line = format!("not among them: {} that found no room in the kernel's table", sum.lost);
        layout.remark(Ink::Alarm, &line, context.out)?;
    }
    if selection.cut > 0 {
        layout.remark(Ink::Faint, &format!("not shown: {} by -n", selection.cut), context.out)?;
    }
    Ok(())
}

/// How long all took.
fn time(units: Units, sum: &Timing) -> String {
    units.time(i64::try_from(sum.times.ns()).unwrap_or(i64::MAX))
}
