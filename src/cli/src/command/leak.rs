// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag leak`: tells leaks from everything else that grows.

mod args;
mod findings;
mod interrupt;
mod samples;

use super::Context;
use crate::error::{Outcome, Result};
use crate::query::{Condition, Fact};
use crate::render::units::count;
use crate::trend::{Limits, Suppressions, Verdict};
pub use args::LeakArgs;
use findings::{Finding, Findings};

const NUMBERS: [&str; 4] = ["slope", "growth", "now", "samples"];

/// Runs the command.
///
/// # Errors
///
/// If too little can be read, an expression makes no sense or the output cannot be written.
pub fn run(args: &LeakArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let fail_if = args.fail_if.condition(&[("verdict", &Verdict::ALL.map(Verdict::name))], &NUMBERS)?;
    let condition = args.filter.condition()?;
    let subsystems = args.filter.subsystems()?;
    let mut suppressions = args.suppress.as_deref().map(Suppressions::load).transpose()?.unwrap_or_default();
    let limits = Limits { false_discoveries: args.false_discoveries, growth: args.min_growth, ..Limits::default() };

    let samples = samples::collect(args, context)?;
    let outcome = samples.outcome;
    let mut findings = Findings::judge(samples, &limits, args.available);
    findings.retain(|row| condition.as_ref().is_none_or(|condition| condition.matches(row, &subsystems)));
    findings.suppress(|row| suppressions.matches(row, &subsystems));
    for rule in suppressions.unused() {
        context.note(format_args!("--suppress: nothing is known by {rule}"));
    }
    let layout = args.output.resolve(context.style);
    findings.write(args.limit, args.all, &layout, context.out)?;
    let fails = |condition: Condition| findings.unsuppressed().any(|finding| fails(&condition, finding));
    // Nobody looks at what passes: silence must not be taken for a kernel without leaks.
    let outcome = match findings.too_few().filter(|_| !args.all) {
        Some(samples) => {
            let samples = count(samples, "sample");
            context.note(format_args!("nothing can be judged by {samples} a site; --all takes that for an answer"));
            outcome.and(Outcome::Partial)
        }
        None => outcome,
    };
    Ok(if fail_if.is_some_and(fails) { outcome.and(Outcome::ConditionMet) } else { outcome })
}

fn fails(condition: &Condition, finding: &Finding) -> bool {
    condition.holds(Some(&finding.row.site), |field| match field {
        "verdict" => Fact::Word(finding.judgement.verdict.name()),
        "slope" => Fact::Number(finding.slope_per_hour()),
        // CAST: sums of sizes, which are integers.
        "growth" => Fact::Number(finding.judgement.growth as i64),
        "now" => Fact::Number(finding.row.bytes),
        _ => Fact::Number(i64::try_from(finding.samples).unwrap_or(i64::MAX)),
    })
}
