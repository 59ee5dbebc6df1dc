// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Events as lines.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::{json, Map, Value};

use crate::printable::printable;
use crate::render::human::cut;
use crate::render::{Format, Layout};
use crate::time::span;
use crate::trace::event::{Actor, Event, Memory, Place, What};
use crate::trace::page::Lost;
use crate::trace::session::Told;

/// What an interrupt is called.
pub(super) const INTERRUPT: &str = "(interrupt)";

/// The columns.
pub(super) fn head(layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
    if layout.format != Format::Table {
        return Ok(());
    }
    let line = format!("{:>14} {:>3} {:<22} {:<5} {:>10}  SITE", "TIME", "CPU", "TASK", "EVENT", "SIZE");
    writeln!(out, "{}", cut(&line, layout.style))
}

/// Writes an event; `begin` is when the trace began.
pub(super) fn write(told: &Told<'_>, begin: u64, layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
    if layout.format != Format::Table {
        serde_json::to_writer(&mut *out, &object(told, begin))?;
        return writeln!(out);
    }
    let Event { time, cpu, what, .. } = told.event;
    let since = time.saturating_sub(begin);
    let (seconds, nanos) = (since / 1_000_000_000, since % 1_000_000_000);
    let size = size(what).map(|bytes| layout.units.format(bytes)).unwrap_or_default();
    let site = told.site.map(ToString::to_string).unwrap_or_default();
    let mut line = format!("{seconds:>4}.{nanos:09} {cpu:>3} {:<22} {:<5} {size:>10}  {site}", task(told), what.name());
    for detail in details(told) {
        line.push(' ');
        line.push_str(&detail);
    }
    writeln!(out, "{}", cut(&printable(&line), layout.style))
}

/// Who it was: the name, and the thread.
fn task(told: &Told<'_>) -> Cow<'static, str> {
    let name = told.task.map_or("<...>", |task| task.name.as_str());
    match (&told.event.what, told.event.actor) {
        (What::Lost(_), _) => "".into(),
        (_, Actor::Interrupt) => INTERRUPT.into(),
        (_, Actor::Task(thread)) => format!("{}-{thread}", printable(name)).into(),
    }
}

fn size(what: &What) -> Option<i64> {
    let bytes = match what {
        What::Alloc(memory, _) | What::Free(memory, _) => memory.bytes,
        What::Fail(refusal) => refusal.requested,
        What::Stall(_) | What::Lost(_) => return None,
    };
    Some(i64::try_from(bytes).unwrap_or(i64::MAX))
}

/// What else there is to say.
fn details(told: &Told<'_>) -> Vec<String> {
    let Event { time, cpu, what, .. } = told.event;
    match what {
        What::Alloc(memory, given) => {
            let mut details = place(memory);
            details.push(format!("gfp={}", told.flags.name(given.gfp)));
            details
        }
        What::Free(memory, freed) => {
            let mut details = place(memory);
            details.extend(told.caller.map(|caller| format!("by={caller}")));
            if told.caller.is_none() && freed.by != 0 {
                details.push(format!("by={:#x}", freed.by));
            }
            if let Some(held) = told.seen.held {
                details.push(format!("after={}", short(time.saturating_sub(held.time))));
                if held.cpu != *cpu {
                    details.push(format!("from-cpu={}", held.cpu));
                }
            }
            details
        }
        What::Fail(refusal) => {
            let mut details = vec![format!("order={} gfp={}", refusal.order, told.flags.name(refusal.gfp))];
            details.extend(refusal.injected.then(|| "injected".to_owned()));
            details.extend(refusal.again.then(|| "tried-another-way".to_owned()));
            details
        }
        What::Stall(stall) => vec![format!("{} {}", stall.cause, short(stall.ns))],
        What::Lost(Lost::So(number)) => vec![format!("{number} events")],
        What::Lost(_) => vec!["events".to_owned()],
    }
}

fn place(memory: &Memory) -> Vec<String> {
    let mut details = match memory.place {
        Place::Object(address) => vec![format!("ptr={address:#x}")],
        Place::Page(first) => vec![format!("pfn={first:#x} order={}", memory.order)],
    };
    if memory.requested != memory.bytes {
        details.push(format!("requested={}", memory.requested));
    }
    details.extend(memory.node.map(|node| format!("node={node}")));
    details
}

fn short(ns: u64) -> String {
    span::short(i64::try_from(ns).unwrap_or(i64::MAX))
}

/// Flags by name, if the kernel has told names.
fn flags(told: &Told<'_>, gfp: u64) -> Value {
    (!told.flags.is_empty()).then(|| told.flags.name(gfp)).into()
}

/// An event for programs.
fn object(told: &Told<'_>, begin: u64) -> Value {
    let Event { time, cpu, what, actor } = told.event;
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| drop(object.insert(name.to_owned(), value));
    put("ns", time.saturating_sub(begin).into());
    put("cpu", (*cpu).into());
    put("event", what.name().into());
    if let Actor::Task(thread) = actor {
        put("thread", (*thread).into());
        put("process", told.task.map(|task| task.process).into());
        put("comm", told.task.map(|task| task.name.as_str()).into());
    }
    if let Some(site) = told.site {
        put("file", site.path().into());
        put("line", site.line.into());
        put("func", site.func.as_str().into());
        put("module", site.module.as_deref().into());
    }
    if let What::Alloc(memory, _) | What::Free(memory, _) = what {
        match memory.place {
            Place::Object(address) => put("ptr", format!("{address:#x}").into()),
            Place::Page(first) => put("pfn", first.into()),
        }
        put("requested", memory.requested.into());
        put("bytes", memory.bytes.into());
        put("order", memory.order.into());
        put("node", memory.node.into());
    }
    match what {
        What::Alloc(_, given) => {
            put("gfp", given.gfp.into());
            put("gfp_flags", flags(told, given.gfp));
        }
        What::Free(_, freed) => {
            put("by", (freed.by != 0).then(|| format!("{:#x}", freed.by)).into());
            put("by_function", told.caller.into());
            put("lived_ns", told.seen.held.map(|held| time.saturating_sub(held.time)).into());
            put("alloc_cpu", told.seen.held.map(|held| held.cpu).into());
        }
        What::Fail(refusal) => {
            put("requested", refusal.requested.into());
            put("order", refusal.order.into());
            put("gfp", refusal.gfp.into());
            put("gfp_flags", flags(told, refusal.gfp));
            put("injected", refusal.injected.into());
            put("again", refusal.again.into());
        }
        What::Stall(stall) => {
            put("cause", stall.cause.into());
            put("stall_ns", stall.ns.into());
        }
        What::Lost(lost) => put("lost", if let Lost::So(number) = lost { json!(number) } else { Value::Null }),
    }
    Value::Object(object)
}
