// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag flame`: a flame graph with its roots on top, as SVG.

use clap::Args;

use super::picture::{self, PictureArgs, Stacks};
use super::told::{condition, read_either, Either};
use super::{Chosen, Context};
use crate::draw::icicle;
use crate::error::{Error, Outcome, Result};
use crate::source::Input;
use crate::view::contexts::ContextView;
use crate::view::stacks::Top;

/// Options of `flame`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alloctag flame -o kernel.svg                 the running kernel, by directory
  alloctag flame --by module -o m.svg a.gz     a saved profile, by module
  alloctag flame --contexts -o stacks.svg      real stacks of what `alloctag watch` chose
  alloctag flame -w 'file~^drivers/' > d.svg   what drivers hold")]
pub struct FlameArgs {
    /// What is drawn, and where to.
    #[command(flatten)]
    pub picture: PictureArgs,
    /// Draw the stacks of watched call sites; of a saved text of contexts they are drawn in any case, and EXPR may name keys as in
    /// `alloctag contexts`
    #[arg(long, help_heading = "Selection")]
    pub contexts: bool,
    /// Of stacks, count all that was ever allocated, freed or not
    #[arg(long, help_heading = "Selection")]
    pub cumulative: bool,
    /// Of stacks, put the call sites on top and their callers below
    #[arg(long, help_heading = "Selection")]
    pub invert: bool,
}

/// Runs the command.
///
/// # Errors
///
/// If nothing can be read or drawn, or the output cannot be written.
pub fn run(args: &FlameArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let is_about_stacks = args.cumulative || args.invert;
    let request = args.picture.rows.input.resolve(&context.global, None);
    if !args.contexts && request.input == Input::Live {
        if is_about_stacks {
            return Err(misplaced());
        }
        return picture::draw(&args.picture, 0, icicle::write, context);
    }
    let filter = &args.picture.rows.filter;
    match read_either(&request, args.contexts, args.cumulative, context)? {
        Either::Contexts(told) => {
            let subsystems = filter.subsystems()?;
            let view = ContextView {
                condition: condition(filter.condition.as_deref(), &subsystems)?,
                include_backing: args.picture.rows.include_backing,
                ..ContextView::default()
            };
            let top = if args.invert { Top::Site } else { Top::Root };
            let stacks = Stacks { told: &told, view: &view, top, ever: args.cumulative };
            picture::draw_stacks(&args.picture, &stacks, &subsystems, context)
        }
        Either::Profile(_) if is_about_stacks => Err(misplaced()),
        Either::Profile(reading) => {
            let chosen = Chosen::of(&args.picture.rows, reading)?;
            picture::draw_chosen(&args.picture, &chosen, 0, icicle::write, context)
        }
    }
}

fn misplaced() -> Error {
    Error::Usage("--cumulative and --invert are about --contexts".to_owned())
}
