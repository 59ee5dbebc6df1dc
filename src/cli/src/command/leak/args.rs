// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The options of `leak`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::args::fail_if::FailIfArgs;
use crate::args::output::JudgingArgs;
use crate::args::view::{amount, FilterArgs};
use crate::time::span;

/// Options of `leak`.
#[derive(Args, Debug)]
#[command(after_help = "\
Verdicts: LEAK grows without an end in sight; BOUNDED grew and stopped, as caches do; STEP went from one level to \
another; SAWTOOTH rises and is emptied again; FALLING becomes less and less; NOISE is nothing that chance does not explain; SHORT has too few \
samples. If all is SHORT the exit status is 1, unless --all asks for that, too.

--fail-if compares, of every site that is not suppressed: verdict, slope (bytes an hour), growth, now (bytes), \
samples, file, func, module, dir, site; of kernels that count them slack, requested, waste, allocs, frees, allocated, failed, \
injected, stalls, stall_ns, stall_max_ns of the last profile.

Examples:
  alloctag leak /var/lib/alloctag                 over a recording
  alloctag leak *.alloctag                        over snapshots, by their times
  alloctag leak --every 1h hourly/*.txt           over texts, which do not say their time
  alloctag leak -i 5 --for 5m                     over the running kernel, for five minutes
  alloctag leak rec --suppress known.txt --fail-if 'verdict=LEAK slope>1M'")]
pub struct LeakArgs {
    /// Recordings and saved profiles; those that tell their time are sorted by it. The running kernel without
    #[arg(value_name = "FILE", help_heading = "Input")]
    pub files: Vec<PathBuf>,
    /// Profiles that do not say when they were read are this far apart
    #[arg(long, value_name = "TIME", value_parser = span::interval, help_heading = "Input")]
    pub every: Option<Duration>,
    /// Read the running kernel every so often
    #[arg(short, long, value_name = "TIME", default_value = "2s", value_parser = span::interval, conflicts_with = "files", help_heading = "Input")]
    pub interval: Duration,
    /// Read the running kernel for so long; ^C ends it and judges what there is
    #[arg(long = "for", value_name = "TIME", default_value = "1m", value_parser = span::interval, conflicts_with = "files", help_heading = "Input")]
    pub time: Duration,
    /// Which sites.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Show at most N sites
    #[arg(short = 'n', long, value_name = "N", help_heading = "Selection")]
    pub limit: Option<usize>,
    /// Show what is NOISE or SHORT too
    #[arg(short, long, help_heading = "Selection")]
    pub all: bool,
    /// Pass over growth of less than SIZE bytes
    #[arg(short, long, value_name = "SIZE", default_value = "4k", value_parser = amount, help_heading = "Selection")]
    pub min_growth: i64,
    /// The share of false leaks among the leaks reported that is acceptable
    #[arg(long, value_name = "RATE", default_value = "0.05", value_parser = rate, help_heading = "Selection")]
    pub false_discoveries: f64,
    /// Leaks that are known: lines of leak:PATTERN (of a function, module or file; * ^ $) or where:EXPR
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub suppress: Option<PathBuf>,
    /// Memory left, instead of what the last profile says is available
    #[arg(long, value_name = "SIZE", value_parser = amount)]
    pub available: Option<i64>,
    /// What is not to be.
    #[command(flatten)]
    pub fail_if: FailIfArgs,
    /// How to write it.
    #[command(flatten)]
    pub output: JudgingArgs,
}

fn rate(text: &str) -> std::result::Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| *rate > 0.0 && *rate < 1.0);
    rate.ok_or_else(|| "must be between 0 and 1".to_owned())
}
