// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag trace`: shows allocations and frees as they happen, and what they add up to.

mod args;
mod lines;
mod report;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::time::{SystemTime, UNIX_EPOCH};

use super::context::note;
use super::marked::not_run;
use super::Context;
use crate::error::{describe, Error, Outcome, Result};
use crate::interrupt::Interrupt;
use crate::model::{Names, Number, Row, Site};
use crate::query::OfSite;
use crate::render::{Format, Layout};
use crate::source::{self, surroundings, Request};
use crate::storage;
use crate::subsystem::Subsystems;
use crate::trace::file::{Reader, TraceError, Writer};
use crate::trace::head::{Before, Head};
use crate::trace::piece::Piece;
use crate::trace::recorder::{Plan, Receive, Recorder};
use crate::trace::session::{Choice, Session, Told};
pub use args::TraceArgs;
use report::Report;

/// The least room that a CPU's buffer is given: the kernel makes it two sub-buffers in any case.
const LEAST: i64 = 4096;

/// Runs the command.
///
/// # Errors
///
/// If the kernel has no such events or does not let this process have them, COMMAND cannot be run, or a file cannot be read or
/// written.
pub fn run(args: &TraceArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let layout = args.output.resolve(context.style);
    if args.events && !matches!(layout.format, Format::Table | Format::Ndjson) {
        return Err(Error::Usage("--events: as table or ndjson only".to_owned()));
    }
    if args.summary && layout.format != Format::Table && args.events {
        return Err(Error::Usage("--events --summary: as table only".to_owned()));
    }
    if args.buffer < LEAST {
        return Err(Error::Usage("--buffer: at least 4k".to_owned()));
    }
    let subsystems = Subsystems::load(args.subsystems.as_deref())?;
    let parse =
        |text: &String| OfSite::parse(text, &subsystems).map_err(|error| Error::expression("--where", text, error));
    let condition = args.condition.as_ref().map(parse).transpose()?;
    let chosen = Chosen { condition, subsystems };
    match &args.replay {
        Some(file) => replay(file, &chosen, args, &layout, context),
        None => record(&chosen, args, &layout, context),
    }
}

/// Which call sites are wanted.
struct Chosen {
    condition: Option<OfSite>,
    subsystems: Subsystems,
}

impl Chosen {
    fn has(&self, site: &Site) -> bool {
        self.condition.as_ref().is_none_or(|condition| condition.matches(site, &self.subsystems))
    }

    fn choice(&self) -> Choice<'_> {
        Box::new(|site| self.has(site))
    }
}

fn replay(
    file: &Path,
    chosen: &Chosen,
    args: &TraceArgs,
    layout: &Layout,
    context: &mut Context<'_>,
) -> Result<Outcome> {
    let failed = |problem: TraceError| Error::failed(file.display(), problem);
    let input = File::open(file).map_err(|error| failed(TraceError::Io(error)))?;
    let (head, mut reader) = Reader::new(BufReader::new(input)).map_err(failed)?;
    let senseless = |problem: String| failed(TraceError::Damaged("HEAD", problem));
    let session = Session::new(&head, chosen.choice()).map_err(senseless)?;
    let mut shown = Shown::new(session, &head, args, layout, &mut *context.out, None);
    shown.begin()?;
    let cut = loop {
        match reader.piece() {
            Ok(Some(piece)) => shown.take(&piece)?,
            Ok(None) => break false,
            Err(TraceError::Cut) => break true,
            Err(problem) => return Err(failed(problem)),
        }
    };
    let outcome = shown.end()?;
    if cut {
        context.note(failed(TraceError::Cut));
        return Ok(Outcome::Partial);
    }
    Ok(outcome)
}

fn record(chosen: &Chosen, args: &TraceArgs, layout: &Layout, context: &mut Context<'_>) -> Result<Outcome> {
    if let Some(path) = args.output_file.as_ref().filter(|_| !args.force) {
        storage::require_new(path)?;
    }
    if args.output_file.as_ref().is_some_and(|path| path.as_os_str() == "-") {
        return Err(Error::Usage("--output -: standard output is for what is shown; name a file".to_owned()));
    }
    let interrupt = Interrupt::catch_all()?;
    let procfs = context.global.procfs.clone();
    let plan = Plan {
        procfs: &procfs,
        buffer: args.buffer.unsigned_abs(),
        all: args.events || args.output_file.is_some(),
        filter: chosen.condition.as_ref().and_then(OfSite::pushdown),
        command: &args.command,
        time: args.time,
    };
    let mut recorder = Recorder::prepare(&plan)?;
    if surroundings::profiling(&procfs).enabled == Some(false) {
        context.note("profiling is off, and nothing is told; `alloctag ctl on` turns it on");
    }
    recorder.head.time_ms =
        SystemTime::now().duration_since(UNIX_EPOCH).ok().and_then(|time| time.as_millis().try_into().ok());
    recorder.head.condition.clone_from(&args.condition);
    recorder.head.before = before(&procfs, chosen);
    recorder.begin()?;
    let head = recorder.head.clone();
    let session = Session::new(&head, chosen.choice()).map_err(Error::Failed)?;
    let file = args.output_file.as_deref().map(|path| Kept::new(path, args.force, &head)).transpose()?;
    let mut shown = Shown::new(session, &head, args, layout, &mut *context.out, file);
    shown.begin()?;
    let child = match Recorder::start(&plan) {
        Ok(child) => child,
        Err(error) => {
            let program = args.command.first().map(|program| program.display());
            note(format_args!("{}: {}", program.expect("it was to be run"), describe(&error)));
            return Ok(Outcome::Ended(not_run(&error)));
        }
    };
    let status = recorder.run(&plan, child, &interrupt, &mut shown)?;
    // The instance goes before anything is written that may take long.
    drop(recorder);
    let outcome = shown.end()?;
    Ok(match status.map(code) {
        None if args.command.is_empty() => outcome,
        None => {
            context.note("COMMAND has not ended, though it was told to: what it left behind is what it has by now");
            Outcome::Partial
        }
        // What went wrong here is to be seen, but not to hide what COMMAND says.
        Some(0) => outcome,
        Some(status) => Outcome::Ended(status),
    })
}

/// What the kernel has counted so far of these call sites; `None` if it does not count that.
fn before(procfs: &Path, chosen: &Chosen) -> Option<Before> {
    let profile = source::read(&Request::live(procfs), &mut Names::new()).ok()?;
    let mut sum = profile.counts(Number::Allocs).then(Before::default)?;
    for row in profile.rows().iter().filter(|row| chosen.has(&row.site)) {
        sum.allocs = sum.allocs.saturating_add(row.numbers.get(Number::Allocs).unwrap_or(0));
        sum.calls += row.calls;
        sum.bytes += Some(row).filter(|row| Row::backing(row).is_none()).map_or(0, |row| row.bytes);
    }
    Some(sum)
}

/// Its exit status as a shell has it.
fn code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| Some(128 + status.signal()?));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// A trace that is shown, and perhaps kept.
struct Shown<'s> {
    session: Session<'s>,
    head: &'s Head,
    args: &'s TraceArgs,
    layout: &'s Layout,
    out: &'s mut dyn Write,
    file: Option<Kept<'s>>,
    /// Why nothing is shown any more.
    gone: Option<io::Error>,
    /// Whether the file lacks something.
    cut: bool,
}

impl<'s> Shown<'s> {
    fn new(
        session: Session<'s>,
        head: &'s Head,
        args: &'s TraceArgs,
        layout: &'s Layout,
        out: &'s mut dyn Write,
        file: Option<Kept<'s>>,
    ) -> Shown<'s> {
        Shown { session, head, args, layout, out, file, gone: None, cut: false }
    }

    fn begin(&mut self) -> Result<()> {
        if self.args.events {
            let begun = lines::head(self.layout, self.out).and_then(|()| self.out.flush());
            self.bear(begun)?;
        }
        Ok(())
    }

    fn end(mut self) -> Result<Outcome> {
        let written = match self.gone.take() {
            Some(error) => Err(error.into()),
            None => self.conclude(),
        };
        let outcome = if self.session.damaged > 0 || self.cut { Outcome::Partial } else { Outcome::Done };
        outcome.once(written)
    }

    /// Whether it goes on where nothing can be shown any more: there is a file to be written, or a command that nobody is to end
    /// for that.
    fn lasts(&self) -> bool {
        self.file.is_some() || !self.args.command.is_empty()
    }

    /// Bears that something could not be shown, if it goes on without.
    fn bear(&mut self, shown: io::Result<()>) -> Result<()> {
        match shown {
            Err(error) if self.lasts() => self.gone = Some(error),
            shown => shown?,
        }
        Ok(())
    }

    fn conclude(&mut self) -> Result<()> {
        let Shown { args, layout, head, out, .. } = self;
        let begin = head.begin;
        self.session.end(&mut |told| show(told, args, begin, layout, *out))?;
        let session = &self.session;
        if !args.events || args.summary {
            if args.events {
                writeln!(self.out)?;
            }
            Report::new(head, session, args.limit, layout.format).write(layout, self.out)?;
        }
        Ok(())
    }
}

impl Receive for Shown<'_> {
    fn take(&mut self, piece: &Piece<'_>) -> Result<()> {
        if let Some(Err(error)) = self.file.as_mut().map(|file| file.put(piece)) {
            if self.args.command.is_empty() {
                return Err(error);
            }
            // Not worth a command that has run for hours.
            note(&error);
            (self.file, self.cut) = (None, true);
        }
        let (args, layout, begin) = (self.args, self.layout, self.head.begin);
        let out = &mut *self.out;
        // All is added up, whoever looks.
        let mut shown = Ok(());
        let is_gone = self.gone.is_some();
        self.session.take(piece, &mut |told| {
            if !is_gone && shown.is_ok() {
                shown = show(told, args, begin, layout, out);
            }
            Ok(())
        })?;
        if args.events && !is_gone && matches!(piece, Piece::Mark(_)) {
            shown = shown.and_then(|()| self.out.flush());
        }
        self.bear(shown)
    }

    fn strangers(&mut self) -> BTreeSet<u32> {
        self.session.strangers()
    }

    fn unnamed(&mut self) -> BTreeSet<u64> {
        self.session.unnamed()
    }
}

fn show(told: &Told<'_>, args: &TraceArgs, begin: u64, layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
    if args.events {
        lines::write(told, begin, layout, out)?;
    }
    Ok(())
}

/// The file that a trace is kept in.
struct Kept<'p> {
    path: &'p Path,
    writer: Writer<BufWriter<File>>,
}

impl<'p> Kept<'p> {
    fn new(path: &'p Path, force: bool, head: &Head) -> Result<Kept<'p>> {
        let begun = Writer::new(BufWriter::new(storage::begin(path, force)?), head);
        let writer = begun.map_err(|error| Error::failed(path.display(), describe(&error)))?;
        Ok(Kept { path, writer })
    }

    fn put(&mut self, piece: &Piece<'_>) -> Result<()> {
        self.writer.put(piece).map_err(|error| Error::failed(self.path.display(), describe(&error)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_ends_as_a_shell_says_it() {
        for (wait, expected) in [(0, 0), (3 << 8, 3), (9, 137)] {
            assert_eq!(code(ExitStatus::from_raw(wait)), expected);
        }
    }
}
