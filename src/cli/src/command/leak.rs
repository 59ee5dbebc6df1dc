// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag leak`: tells leaks from everything else that grows.

mod args;
mod findings;
mod origins;
mod samples;

use super::ruling::{Breach, Rulings};
use super::{require, Context};
use crate::args::output::Judging;
use crate::error::{Error, Outcome, Result};
use crate::model::Measure;
use crate::query::{Fact, Where};
use crate::render::units::count;
use crate::trend::{Limits, Suppressions, Verdict};
pub use args::LeakArgs;
use findings::{Finding, Findings};
use origins::Origins;

/// Facts about a site that are numbers, besides those that only some kernels count.
const NUMBERS: [&str; 4] = ["slope", "growth", "now", "samples"];

/// Runs the command.
///
/// # Errors
///
/// If too little can be read, an expression makes no sense or the output cannot be written.
pub fn run(args: &LeakArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let measures = findings::measures();
    let numbers: Vec<&str> = NUMBERS.into_iter().chain(measures.map(Measure::name)).collect();
    let checks = args.fail_if.checks(&[("verdict", &Verdict::ALL.map(Verdict::name))], &numbers, None)?;
    args.output.needs(&checks)?;
    let subsystems = args.filter.subsystems()?;
    let condition = args.filter.condition(&subsystems)?;
    let mut suppressions =
        args.suppress.as_deref().map(|path| Suppressions::load(path, &subsystems)).transpose()?.unwrap_or_default();
    let limits = Limits { false_discoveries: args.false_discoveries, growth: args.min_growth, ..Limits::default() };

    let mut samples = samples::collect(args, context)?;
    let origins = Origins::of(&mut samples);
    let outcome = samples.outcome;
    let compared = checks.iter().flat_map(|check| check.condition.compared()).filter_map(|field| Measure::named(field));
    require(&samples.last, condition.iter().flat_map(Where::measures).chain(compared))?;
    let mut findings = Findings::judge(samples, &limits, args.available);
    findings.retain(|row| condition.as_ref().is_none_or(|condition| condition.matches(row, &subsystems)));
    findings.suppress(|row| suppressions.matches(row, &subsystems));
    for rule in suppressions.unused() {
        context.note(format_args!("--suppress: nothing is known by {rule}"));
    }
    let layout = args.output.resolve(context.style);
    let rulings = Rulings::of(&checks, |check| {
        let fails = |finding: &&Finding| check.condition.holds(Some(&finding.row.site), |field| fact(field, finding));
        let breach = |finding: &Finding| Breach::new(check, finding.row.site.to_string(), |field| fact(field, finding));
        findings.unsuppressed().filter(fails).map(breach).collect()
    });
    let written = match args.output.format {
        Judging::Junit => rulings.write_junit("alloctag leak", context.out).map_err(Error::from),
        _ => findings.write(args.limit, args.all, &layout, &rulings, &origins, context.out),
    };
    rulings.note(context);
    // Nobody looks at what passes: silence must not be taken for a kernel without leaks.
    let outcome = match findings.too_few().filter(|_| !args.all) {
        Some(samples) => {
            let samples = count(samples, "sample");
            context.note(format_args!("nothing can be judged by {samples} a site; --all takes that for an answer"));
            outcome.and(Outcome::Partial)
        }
        None => outcome,
    };
    outcome.and(rulings.outcome()).once(written)
}

/// What a condition can ask of a finding.
fn fact(field: &str, finding: &Finding) -> Fact {
    match field {
        "verdict" => Fact::Word(finding.judgement.verdict.name()),
        "slope" => Fact::Number(finding.slope_per_hour()),
        // CAST: sums of sizes, which are integers.
        "growth" => Fact::Number(finding.judgement.growth as i64),
        "now" => Fact::Number(finding.row.bytes),
        "samples" => Fact::Number(i64::try_from(finding.samples).unwrap_or(i64::MAX)),
        other => {
            let measured = Measure::named(other).and_then(|measure| finding.measure(measure));
            measured.map_or(Fact::None, Fact::from)
        }
    }
}
