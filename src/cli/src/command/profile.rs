// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag profile`: from nothing to a flame graph of the kernel's memory.

mod form;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::picture::{pixels, Stacks};
use super::told::Told;
use super::{note_caveats, Context};
use crate::draw::icicle;
use crate::error::{Error, Outcome, Result};
use crate::export::{folded, pprof};
use crate::interrupt::Interrupt;
use crate::model::{Contexts, Names};
use crate::render::units::count;
use crate::render::Units;
use crate::rule::Rules;
use crate::sink;
use crate::source::control::{Control, Listed};
use crate::source::{self, contexts, surroundings, Request};
use crate::subsystem::Subsystems;
use crate::time::span;
use crate::view::contexts::ContextView;
use crate::view::stacks::Top;
use form::Form;

/// What is chosen unless the user says so: all of the kernel, by samples.
const RULE: &str = "* +c by=stack every=512K";

/// The same for kernels that take no samples.
const WITHOUT_SAMPLES: &str = "* +c by=stack";

/// Options of `profile`.
#[derive(Args, Debug)]
#[command(after_help = "\
What is seen is what is allocated meanwhile and, for graphs, not freed before the end; pprof has both. The rule is taken back at \
the end, also by ^C, which writes what there is. Rules that hold already stay as they are; for call sites that they choose, this \
one decides meanwhile.

Examples:
  alloctag profile --for 30s -o kernel.pb.gz      all of the kernel, for pprof -http=: kernel.pb.gz
  alloctag profile --for 10s -o kernel.svg        a flame graph for any browser
  alloctag profile -o ext4.folded 'module ext4 +c by=stack,comm'")]
pub struct ProfileArgs {
    /// Which call sites, as for `alloctag watch`; `* +c by=stack every=512K` without
    #[arg(value_name = "RULE")]
    pub rules: Vec<String>,
    /// Look for so long
    #[arg(long = "for", value_name = "TIME", default_value = "30s", value_parser = span::interval)]
    pub time: Duration,
    /// Write to FILE, by its name: .pb.gz for pprof, .folded or .txt for folded stacks, .svg or .html for a flame graph
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: PathBuf,
    /// Of graphs and folded stacks, count all that was allocated meanwhile, freed or not
    #[arg(long, help_heading = "Output")]
    pub cumulative: bool,
    /// Of graphs, put the call sites on top and their callers below
    #[arg(long, help_heading = "Output")]
    pub invert: bool,
    /// Width of a graph in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 1200, value_parser = pixels(), help_heading = "Output")]
    pub width: u32,
}

/// Runs the command.
///
/// # Errors
///
/// If the kernel does not take the rule, nothing is allocated meanwhile, or the output cannot be written.
pub fn run(args: &ProfileArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let form = Form::of(&args.output)?;
    sink::require_place(&args.output)?;
    let control = Control::of(&context.global.procfs);
    if surroundings::profiling(&context.global.procfs).enabled == Some(false) {
        return Err(Error::Failed("profiling is off, and so are rules; `alloctag ctl on` turns it on".to_owned()));
    }
    // From here on a signal is waited for, so that no rule stays.
    let interrupt = Interrupt::catch_all()?;
    let before = read_before(context);
    let mut installed = install(args, &control, context)?;
    let cut = interrupt.comes_within(args.time)?;
    let request = Request::live(&context.global.procfs);
    let after = source::contexts(&request, &mut Names::new());
    note_lost(&control, &installed, context);
    installed.take_back()?;
    let profile = after?;
    let mut told = Told { outcome: note_caveats(&profile, context), profile };
    if cut {
        context.note("ended by a signal: this is what there was until then");
    }
    // Pages in which objects lie would be counted twice.
    told.profile
        .contexts
        .retain(|now| now.row.backing().is_none() && !before.list().iter().any(|old| old.is_same(now)));
    if told.contexts().list().is_empty() {
        return Err(Error::Failed(
            "the call sites that are chosen have allocated nothing meanwhile, or too little to be looked at (every=)"
                .to_owned(),
        ));
    }
    write(args, form, told, context)
}

/// The contexts of rules that hold already: they are not what this one found.
fn read_before(context: &Context<'_>) -> Contexts {
    contexts::read(&context.global.procfs, &mut Names::new()).map(|live| live.contexts).unwrap_or_default()
}

/// Rules that are taken back, whatever happens.
struct Installed<'c> {
    control: &'c Control,
    numbers: Vec<u32>,
}

impl Installed<'_> {
    fn take_back(&mut self) -> Result<()> {
        let numbers = std::mem::take(&mut self.numbers);
        if numbers.is_empty() {
            return Ok(());
        }
        self.control.take_back(Some(&numbers))
    }
}

impl Drop for Installed<'_> {
    fn drop(&mut self) {
        // An error is on its way to the user already.
        let _ = self.take_back();
    }
}

fn install<'c>(args: &ProfileArgs, control: &'c Control, context: &Context<'_>) -> Result<Installed<'c>> {
    let installed = |added: Vec<Listed>| Installed { control, numbers: added.iter().map(|rule| rule.number).collect() };
    if !args.rules.is_empty() {
        let rules = Rules::of_arguments(&args.rules)
            .map_err(|problem| Error::expression("RULE", &args.rules.join(" "), problem))?;
        return control.add(&rules).map(installed);
    }
    let rules = |text: &str| Rules::parse(text).map_err(Error::Failed);
    let refused = match control.add(&rules(RULE)?) {
        Ok(added) => return Ok(installed(added)),
        Err(error) => error,
    };
    let Ok(added) = control.add(&rules(WITHOUT_SAMPLES)?) else { return Err(refused) };
    context.note(format_args!(
        "{refused}; every allocation is looked at instead, which costs more, and what finds no room is left out"
    ));
    Ok(installed(added))
}

fn note_lost(control: &Control, installed: &Installed<'_>, context: &Context<'_>) {
    let Ok(rules) = control.list() else { return };
    let own = rules.iter().filter(|rule| installed.numbers.contains(&rule.number));
    let lost: u64 = own.fold(0, |sum, rule| sum.saturating_add(rule.lost));
    if lost > 0 {
        context.note(format_args!("{} found no room for a context, and are not in it", count(lost, "allocation")));
    }
}

fn write(args: &ProfileArgs, form: Form, mut told: Told, context: &mut Context<'_>) -> Result<Outcome> {
    if args.cumulative && form != Form::Pprof {
        told.profile.contexts = std::mem::take(&mut told.profile.contexts).ever();
    }
    let subsystems = Subsystems::built_in();
    let (profile, contexts) = (&told.profile, told.contexts());
    let file = Some(args.output.as_path());
    match form {
        Form::Pprof => sink::write(file, context.out, |out| {
            pprof::write_contexts(contexts.list(), contexts.period(), &profile.meta, &subsystems, out)
        })?,
        Form::Folded => {
            sink::write(file, context.out, |out| folded::write_contexts(contexts.list(), out).map(drop))?;
        }
        Form::Svg | Form::Html => {
            let top = if args.invert { Top::Site } else { Top::Root };
            let stacks = Stacks { told: &told, view: &ContextView::default(), top, ever: args.cumulative };
            let (root, frame) = stacks.picture(args.width, Units::default(), &subsystems, &context.clock)?;
            sink::write(file, context.out, |out| {
                if form == Form::Svg {
                    return icicle::write(&root, &frame, out);
                }
                form::begin(&frame.title, out)?;
                icicle::write(&root, &frame, out)?;
                form::end(out)
            })?;
        }
    }
    writeln!(context.out, "{}: {}", args.output.display(), count(contexts.list().len(), "context"))?;
    Ok(told.outcome)
}
