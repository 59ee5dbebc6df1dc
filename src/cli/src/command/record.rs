// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag record`: keeps a ring of snapshots of the running kernel.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::builder::RangedU64ValueParser;
use clap::Args;

use super::reading::unreadable;
use super::Context;
use crate::args::view;
use crate::error::{Outcome, Result};
use crate::model::{Names, Profile};
use crate::recording::{Retention, Ring};
use crate::render::units::count;
use crate::source::{self, Interface, Request};
use crate::time::span;

/// Options of `record`.
#[derive(Args, Debug)]
#[command(after_help = "\
It may be stopped at any time, by kill -9 too: what has been recorded is whole.

Examples:
  alloctag record /var/lib/alloctag                            every minute, the last 256 MiB
  alloctag record -i 10m --keep-age 30d --keep-size 2G /srv/rec
  alloctag record -i 1 --for 2m /tmp/rec && alloctag leak /tmp/rec")]
pub struct RecordArgs {
    /// The directory of the recording; one that is there is continued
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Take a snapshot every so often: 10 (seconds), 5m, 2h
    #[arg(short, long, value_name = "TIME", default_value = "60s", value_parser = span::interval)]
    pub interval: Duration,
    /// Stop after so long
    #[arg(long = "for", value_name = "TIME", value_parser = span::parse)]
    pub time: Option<Duration>,
    /// Stop after N snapshots
    #[arg(short = 'n', long, value_name = "N", value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    pub count: Option<u64>,
    /// Keep at most so many bytes of snapshots; 0 for any number
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = view::amount, help_heading = "Retention")]
    pub keep_size: i64,
    /// Remove snapshots older than this: 7d, 4w
    #[arg(long, value_name = "TIME", value_parser = span::parse, help_heading = "Retention")]
    pub keep_age: Option<Duration>,
    /// Keep at most N snapshots
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..), help_heading = "Retention")]
    pub keep_count: Option<usize>,
    /// Which of the kernel's interfaces to read by
    #[arg(long, value_name = "INTERFACE", default_value = "auto", help_heading = "Input")]
    pub source: Interface,
    /// Name every snapshot on standard output
    #[arg(short, long)]
    pub verbose: bool,
}

/// Failures to read or to write one after the other before recording ends: a module being loaded, say, or a disk that is full
/// until somebody looks, does not last that long.
pub(super) const PATIENCE: u32 = 5;

/// Runs the command.
///
/// # Errors
///
/// If the kernel cannot be read or a snapshot not be written, the first one or five in a row.
pub fn run(args: &RecordArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let size = u64::try_from(args.keep_size).ok().filter(|&size| size > 0);
    let retention = Retention { size, age: args.keep_age, count: args.keep_count };
    let request =
        Request { interface: args.source, contexts: true, timings: true, ..Request::live(&context.global.procfs) };
    let mut names = Names::new();
    // Whether there is anything to record is told before a directory is made.
    let first = source::read(&request, &mut names)?;
    let mut ring = Ring::open(&args.directory, retention)?;
    if ring.swept > 0 {
        context.note(format_args!(
            "{}: removed {} of a recorder that was killed",
            args.directory.display(),
            count(ring.swept, "unfinished snapshot")
        ));
    }
    let mut outcome = Outcome::Done;
    let mut kept = |profile: &Profile, ring: &mut Ring, context: &mut Context<'_>| {
        // Said once: a row that cannot be read is there every minute.
        let doubts = if outcome == Outcome::Done { unreadable(profile) } else { Vec::new() };
        let path = ring.add(profile)?;
        for doubt in doubts {
            context.note(format_args!("{}: {doubt}", path.display()));
            outcome = Outcome::Partial;
        }
        Ok(path)
    };
    let path = kept(&first, &mut ring, context)?;
    tell(&path, args, context)?;
    let start = Instant::now();
    let (mut taken, mut ticks, mut failures) = (1, 0u32, 0);
    while args.count.is_none_or(|count| taken < count) {
        // By the clock from the start, so that the time that reading takes does not add up.
        ticks = ticks.saturating_add(1).max(missed(start.elapsed(), args.interval));
        let due = args.interval.saturating_mul(ticks);
        if args.time.is_some_and(|time| due > time) {
            break;
        }
        std::thread::sleep(due.saturating_sub(start.elapsed()));
        match source::read(&request, &mut names).and_then(|profile| kept(&profile, &mut ring, context)) {
            Ok(path) => tell(&path, args, context)?,
            Err(error) if failures + 1 >= PATIENCE => return Err(error),
            Err(error) => {
                failures += 1;
                context.note(error);
                continue;
            }
        }
        (taken, failures) = (taken + 1, 0);
    }
    Ok(outcome)
}

fn tell(path: &Path, args: &RecordArgs, context: &mut Context<'_>) -> Result<()> {
    if args.verbose {
        writeln!(context.out, "{}", path.display())?;
        context.out.flush()?;
    }
    Ok(())
}

/// The intervals that have passed: after a suspend or a slow disk, what was missed is not made up for.
fn missed(elapsed: Duration, interval: Duration) -> u32 {
    u32::try_from(elapsed.as_nanos() / interval.as_nanos().max(1)).unwrap_or(u32::MAX)
}
