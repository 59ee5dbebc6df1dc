// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Records what the running kernel tells.
//!
//! Of a command, what it and its children allocate is in one instance, which follows them; what is freed is in another, of
//! whomever: much of what a task gives up is freed by others, after a grace period.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{kill_process, Pid, Signal};
use rustix::time::{clock_gettime, ClockId};

use super::callers::Callers;
use super::head::{Head, Tail};
use super::instance::{self, Instance};
use super::page::Layout;
use super::piece::Piece;
use super::tasks;
use crate::error::{describe, Error, Result};
use crate::interrupt::Interrupt;
use crate::source::filter::Filter;
use crate::source::records::settling;
use crate::source::tracefs::{self, EVENTS};

/// Nanoseconds that all CPUs agree on; those of `clock_gettime(CLOCK_MONOTONIC)`.
const CLOCK: &str = "mono";

/// How often buffers are looked at that have little in them.
const STEP: Duration = Duration::from_millis(50);

/// How long something may take from reading the clock to being seen, in nanoseconds.
const SLACK: u64 = 1_000_000;

/// How long a command may take to end that was told to: a program that has much to put in order, on a machine with much to do.
const ENDING: Duration = Duration::from_secs(10);

/// How long is waited for what is freed late where the kernel cannot tell when that is done, or nobody wants to know it any more.
const PATIENCE: Duration = Duration::from_secs(2);

/// Sub-buffers that are handed on together.
const TOGETHER: usize = 64;

/// What to record.
#[derive(Debug)]
pub struct Plan<'p> {
    /// Where procfs is.
    pub procfs: &'p Path,
    /// Bytes of each CPU's buffer.
    pub buffer: u64,
    /// Whether what failed, and what had to wait, is wanted as well, and who frees.
    pub all: bool,
    /// Call sites that the kernel may leave out. Who receives filters again: this only saves work.
    pub filter: Option<Filter>,
    /// The command.
    pub command: &'p [OsString],
    /// For how long, if not until it ends or an interrupt comes.
    pub time: Option<Duration>,
}

/// Who gets what is recorded.
pub trait Receive {
    /// Takes a piece.
    ///
    /// # Errors
    ///
    /// Why no more is wanted.
    fn take(&mut self, piece: &Piece<'_>) -> Result<()>;

    /// Threads that have turned up, and of which nothing is known.
    fn strangers(&mut self) -> BTreeSet<u32>;

    /// Addresses that have turned up, whose functions are not known.
    fn unnamed(&mut self) -> BTreeSet<u64>;
}

/// A recording that has been prepared.
#[derive(Debug)]
pub struct Recorder {
    /// What stands in front of it.
    pub head: Head,
    procfs: PathBuf,
    tracefs: PathBuf,
    layout: Layout,
    /// In which kinds of events are enabled: those that follow a command first.
    instances: Vec<(Instance, Vec<&'static str>)>,
    /// How much of a buffer is read before others are.
    turn: usize,
    /// Where functions are looked up, if they are wanted.
    callers: Option<Callers>,
}

impl Recorder {
    /// Prepares to record. Nothing is traced yet.
    ///
    /// # Errors
    ///
    /// If the kernel has no such events, or does not let this process have them.
    pub fn prepare(plan: &Plan<'_>) -> Result<Recorder> {
        let tracefs = tracefs::directory(plan.procfs);
        let explain = |(path, error): (PathBuf, io::Error)| tracefs::explain(&path, &error, plan.procfs);
        let text = |path: PathBuf| fs::read_to_string(&path).map_err(|error| explain((path, error)));
        let format = |event: &str| text(tracefs.join(format!("{EVENTS}/{event}/format")));
        let mut formats = vec![format("alloc")?, format("free")?];
        let mut told = vec!["alloc"];
        for event in ["fail", "stall"].into_iter().filter(|_| plan.all) {
            // Not every kernel has them.
            if let Ok(text) = format(event) {
                formats.push(text);
                told.push(event);
            }
        }
        let tracer = std::process::id();
        let command = plan.command.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>();
        let page = tracefs.join("events/header_page");
        let mut head = Head {
            release: rustix::system::uname().release().to_string_lossy().into_owned(),
            page_size: u64::try_from(rustix::param::page_size()).unwrap_or(4096),
            header_page: tracefs::read_once(&page).map_err(|error| explain((page, error)))?,
            formats,
            tracer,
            command: (!command.is_empty()).then_some(command),
            ..Head::default()
        };
        instance::sweep(&tracefs, plan.procfs);
        let make = |role: &str| {
            let made = Instance::make(&tracefs, tracer, role);
            made.map_err(|error| explain((tracefs.join("instances"), error)))
        };
        let mut instances = Vec::new();
        if plan.command.is_empty() {
            told.push("free");
            instances.push((make("")?, told));
        } else {
            instances.push((make("")?, told));
            instances.push((make("-frees")?, vec!["free"]));
        }
        // Sub-buffers of the tracer itself may be of another size.
        let own = instances.first().map(|(instance, _)| instance.path().join("events/header_page"));
        if let Some(own) = own.and_then(|path| tracefs::read_once(&path).ok()) {
            head.header_page = own;
        }
        let events = tracefs.join(EVENTS);
        let (layout, _) = head.parse().map_err(|problem| Error::failed(events.display(), problem))?;
        let filter = plan.filter.as_ref().and_then(filter);
        for (instance, events) in &mut instances {
            instance.write("trace_clock", CLOCK).map_err(explain)?;
            instance.write("buffer_size_kb", &(plan.buffer / 1024).max(1).to_string()).map_err(explain)?;
            for event in &*events {
                let Some(filter) = &filter else { continue };
                // A kernel that does not take it tells more than is needed.
                let _ = instance.write(&format!("{EVENTS}/{event}/filter"), filter);
            }
            instance.open().map_err(explain)?;
        }
        if let Some((instance, _)) = instances.first().filter(|_| !plan.command.is_empty()) {
            // What this process starts is followed, and what that starts.
            instance.write("options/event-fork", "1").map_err(explain)?;
            instance.write("set_event_pid", &tracer.to_string()).map_err(explain)?;
        }
        let turn = usize::try_from(plan.buffer).unwrap_or(usize::MAX) / layout.size();
        let procfs = plan.procfs.to_owned();
        let callers = plan.all.then(|| Callers::new(procfs.clone()));
        Ok(Recorder { head, procfs, tracefs, layout, instances, turn: turn.max(1), callers })
    }

    /// Begins. What is told from now on is recorded.
    ///
    /// # Errors
    ///
    /// That of the kernel.
    pub fn begin(&mut self) -> Result<()> {
        self.head.begin = now();
        for (instance, events) in self.instances.iter().rev() {
            for event in events {
                let file = format!("{EVENTS}/{event}/enable");
                let enabled = instance.write(&file, "1");
                enabled.map_err(|(path, error)| tracefs::explain(&path, &error, &self.procfs))?;
            }
        }
        Ok(())
    }

    /// Starts the command, if there is one.
    ///
    /// # Errors
    ///
    /// Why it cannot be run.
    pub fn start(plan: &Plan<'_>) -> io::Result<Option<Child>> {
        let command = plan.command.split_first();
        command.map(|(program, arguments)| Command::new(program).args(arguments).spawn()).transpose()
    }

    /// Records to the end, and hands it on. How the command ended, if it has.
    ///
    /// # Errors
    ///
    /// If the kernel tells no more, or no more is wanted: then the command is told to end.
    pub fn run(
        &mut self,
        plan: &Plan<'_>,
        mut child: Option<Child>,
        interrupt: &Interrupt,
        receive: &mut dyn Receive,
    ) -> Result<Option<ExitStatus>> {
        let deadline = plan.time.and_then(|time| Instant::now().checked_add(time));
        let recorded = self.until_end(child.as_mut(), deadline, interrupt, receive);
        if let (Err(_), Some(child)) = (&recorded, &mut child) {
            // Nobody would wait for it any more.
            stop(child);
        }
        recorded
    }

    fn until_end(
        &mut self,
        mut child: Option<&mut Child>,
        deadline: Option<Instant>,
        interrupt: &Interrupt,
        receive: &mut dyn Receive,
    ) -> Result<Option<ExitStatus>> {
        // Until when is waited once there is to be an end.
        let mut patience: Option<Instant> = None;
        let mut status = None;
        let mut settling: Option<JoinHandle<()>> = None;
        let mut busy = false;
        loop {
            let wait = if busy { Duration::ZERO } else { STEP };
            let is_over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            // Once is enough: a second one ends this process.
            let is_told = patience.is_none() && interrupt.comes_within(wait)?;
            if patience.is_some() {
                thread::sleep(wait);
            }
            busy = self.step(receive)?;
            let Some(child) = child.as_deref_mut() else {
                if is_told || is_over {
                    break;
                }
                continue;
            };
            if (is_told || is_over) && patience.is_none() {
                if settling.is_none() {
                    stop(child);
                }
                patience = Some(Instant::now() + if settling.is_none() { ENDING } else { PATIENCE });
            }
            if settling.is_none() {
                let ended = child.try_wait().map_err(|error| Error::failed("waiting", describe(&error)))?;
                if let Some(ended) = ended {
                    status = Some(ended);
                    settling = Some(self.settle());
                    patience = patience.map(|_| Instant::now() + PATIENCE);
                }
            }
            let is_late = patience.is_some_and(|end| Instant::now() > end);
            if is_late || settling.as_ref().is_some_and(JoinHandle::is_finished) {
                break;
            }
        }
        self.finish(receive)?;
        Ok(status)
    }

    /// The command has ended: what is allocated from now on is none of its, and what is freed late may still be.
    fn settle(&self) -> JoinHandle<()> {
        if let Some((instance, events)) = self.instances.first() {
            for event in events {
                let _ = instance.write(&format!("{EVENTS}/{event}/enable"), "0");
            }
        }
        let allocinfo = self.procfs.join("allocinfo");
        // It takes long, and the buffers are to be emptied meanwhile.
        thread::spawn(move || {
            let settled = File::open(allocinfo).is_ok_and(|file| settling::wait(&file).is_ok());
            if !settled {
                thread::sleep(PATIENCE);
            }
        })
    }

    fn finish(&mut self, receive: &mut dyn Receive) -> Result<()> {
        for (instance, _) in &self.instances {
            let _ = instance.write("tracing_on", "0");
        }
        while self.step(receive)? {}
        let mut tail = Tail { end: now(), ..Tail::default() };
        for (cpu, losses) in self.instances.iter().flat_map(|(instance, _)| instance.losses()) {
            tail.losses.entry(cpu).or_default().add(losses);
        }
        receive.take(&Piece::Tail(tail))
    }

    /// Hands on what there is by now. Whether there was so much that one should look again at once.
    fn step(&mut self, receive: &mut dyn Receive) -> Result<bool> {
        let mut mark = now().saturating_sub(SLACK);
        let mut busy = false;
        for index in 0..self.instances.len() {
            for place in 0..self.instances[index].0.cpus() {
                if let Some(time) = self.drain(index, place, receive)? {
                    mark = mark.min(time);
                    busy = true;
                }
            }
        }
        let strangers = receive.strangers();
        if !strangers.is_empty() {
            receive.take(&Piece::Tasks(tasks::look(strangers, &self.procfs, &self.tracefs)))?;
        }
        if let Some(callers) = &mut self.callers {
            let unnamed = receive.unnamed();
            if !unnamed.is_empty() {
                receive.take(&Piece::Callers(callers.look(unnamed)))?;
            }
        }
        receive.take(&Piece::Mark(mark))?;
        Ok(busy)
    }

    /// Hands on what a CPU's buffer has. Where that is more than one turn takes, the time from which on there is more.
    fn drain(&mut self, index: usize, place: usize, receive: &mut dyn Receive) -> Result<Option<u64>> {
        let size = self.layout.size();
        let mut pages = Vec::with_capacity(size);
        let mut last = None;
        for number in 0..=self.turn {
            let begin = pages.len();
            pages.resize(begin + size, 0);
            let (instance, _) = &mut self.instances[index];
            let read = instance.read(place, &mut pages[begin..]);
            let (cpu, is_more) = read.map_err(|error| Error::failed(instance.path().display(), describe(&error)))?;
            if is_more {
                last = self.layout.read(&pages[begin..]).map(|page| page.records.time());
            } else {
                pages.truncate(begin);
            }
            if !pages.is_empty() && (!is_more || number == self.turn || pages.len() >= TOGETHER * size) {
                receive.take(&Piece::Pages(cpu, Cow::Borrowed(&pages)))?;
                pages.clear();
            }
            if !is_more {
                return Ok(None);
            }
        }
        Ok(last)
    }
}

/// Tells a command to end.
fn stop(child: &Child) {
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, Signal::TERM);
    }
}

fn now() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    let (seconds, nanos) = (u64::try_from(time.tv_sec).unwrap_or(0), u64::try_from(time.tv_nsec).unwrap_or(0));
    seconds.saturating_mul(1_000_000_000).saturating_add(nanos)
}

/// What the kernel's tracer is told to filter by; `None` if nothing is worth it.
fn filter(filter: &Filter) -> Option<String> {
    /// A text for the kernel has fewer bytes.
    const LONGEST: usize = 256;
    let fits = |text: &&String| !text.is_empty() && text.len() < LONGEST && !text.contains(['"', '\\', '\n']);
    let names = [("file", &filter.file), ("function", &filter.func), ("module", &filter.module)];
    let names =
        names.into_iter().filter_map(|(field, name)| Some(format!("{field} == \"{}\"", name.as_ref().filter(fits)?)));
    let parts: Vec<String> = names.chain(filter.line.map(|line| format!("line == {line}"))).collect();
    (!parts.is_empty()).then(|| parts.join(" && "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_told_to_leave_out_what_it_can_compare() {
        let some = |text: &str| Some(text.to_owned());
        let none = Filter::default();
        for (asked, expected) in [
            (none.clone(), None),
            (Filter { func: some("f"), line: Some(7), ..none.clone() }, some("function == \"f\" && line == 7")),
            (
                Filter { file: some("a.c"), module: some("m"), ..none.clone() },
                some("file == \"a.c\" && module == \"m\""),
            ),
            // What is built in has no module, which is no text to compare with.
            (Filter { module: some(""), ..none.clone() }, None),
            (Filter { func: some("f\" || 1"), ..none.clone() }, None),
            (Filter { file: some(&"x".repeat(256)), ..none }, None),
        ] {
            assert_eq!(filter(&asked), expected);
        }
    }
}
