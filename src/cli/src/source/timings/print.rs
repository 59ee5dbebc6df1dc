// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Times as the kernel writes them.

use std::fmt::Write;

use super::columns::{title, written};
use crate::model::{Timed, Timing, Timings};

/// The texts of all that is known, one behind the other.
pub fn print(timings: &Timings) -> String {
    let mut text = String::new();
    for (timed, list) in timings.known() {
        let _ = writeln!(text, "{} 1.0\n# {}", title(timed), written(timed));
        for timing in list {
            // Memory takes all.
            let _ = one(timed, timing, &mut text);
        }
    }
    text
}

fn one(timed: Timed, timing: &Timing, out: &mut String) -> std::fmt::Result {
    let (times, site) = (&timing.times, &timing.site);
    write!(out, "{} {} ", times.count(), times.ns())?;
    write!(out, "{} {} ", times.min_ns().unwrap_or(0), times.max_ns().unwrap_or(0))?;
    match timed {
        Timed::Stalls => write!(out, "{} {times}", timing.cause.as_deref().unwrap_or("?"))?,
        Timed::Latency => write!(out, "{times}")?,
        Timed::Lifetimes => write!(out, "{} {} {times} {}", timing.ages.count(), timing.lost, timing.ages)?,
    }
    write!(out, " {}:{}", site.file, site.line)?;
    if let Some(module) = &site.module {
        write!(out, " [{module}]")?;
    }
    writeln!(out, " func:{}", site.func)
}
