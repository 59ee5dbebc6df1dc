// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Reads contexts for a command, and says what is doubtful about them.

use super::{meant, note_caveats, read, Context, Reading};
use crate::error::{Error, Outcome, Result};
use crate::model::{Contexts, Names, Profile};
use crate::query::OfContext;
use crate::source::control::Control;
use crate::source::{self, Input, Request};
use crate::subsystem::Subsystems;

/// Contexts with the circumstances of their reading, and how well they could be read.
#[derive(Debug)]
pub struct Told {
    /// What they were read with: of a text, or of the running kernel, they are all that there is.
    pub profile: Profile,
    /// [`Outcome::Partial`] if some could not be read.
    pub outcome: Outcome,
}

impl Told {
    /// The contexts.
    pub fn contexts(&self) -> &Contexts {
        &self.profile.contexts
    }
}

/// Reads the contexts of what is meant; with `ever` all that was ever allocated stands in place of what is alive.
///
/// # Errors
///
/// If nothing can be read, or there are none.
pub fn read_contexts(request: &Request, ever: bool, context: &Context<'_>) -> Result<Told> {
    let request = meant(request, &context.clock)?;
    let mut profile = source::contexts(&request, &mut Names::new())?;
    let outcome = note_caveats(&profile, context);
    if profile.contexts.list().is_empty() {
        return Err(absent(&profile, &request));
    }
    if ever {
        profile.contexts = std::mem::take(&mut profile.contexts).ever();
    }
    Ok(Told { profile, outcome })
}

/// Why there are none.
fn absent(profile: &Profile, request: &Request) -> Error {
    let origin = &profile.meta.origin;
    if request.input != Input::Live {
        return Error::failed(origin, "has no contexts: no call sites were chosen, as `alloctag watch` does");
    }
    match Control::of(&request.procfs).list() {
        Ok(rules) if rules.is_empty() => Error::Failed(
            "no call sites are chosen: alloctag watch 'file fs/inode.c +c by=stack', for instance".to_owned(),
        ),
        _ => Error::failed(origin, "the call sites that are chosen have allocated nothing yet"),
    }
}

/// The condition of an option `--where` about contexts. Its subsystems are those of `subsystems`.
///
/// # Errors
///
/// A usage error if it cannot be read.
pub fn condition(text: Option<&str>, subsystems: &Subsystems) -> Result<Option<OfContext>> {
    let parse =
        |text: &str| OfContext::parse(text, subsystems).map_err(|error| Error::expression("--where", text, error));
    text.map(parse).transpose()
}

/// What there is to be shown.
pub enum Either {
    /// Contexts: they were asked for, or there is nothing else.
    Contexts(Told),
    /// All that call sites have.
    Profile(Reading),
}

/// Reads contexts if they are `asked` for or a saved file has nothing else, else what call sites have.
///
/// # Errors
///
/// If nothing can be read, or there are none of what was asked for.
pub fn read_either(request: &Request, asked: bool, ever: bool, context: &Context<'_>) -> Result<Either> {
    if asked {
        return read_contexts(request, ever, context).map(Either::Contexts);
    }
    let request = Request { contexts: request.input != Input::Live, ..request.clone() };
    let mut reading = read(&request, context)?;
    if !reading.profile.rows().is_empty() || reading.profile.contexts.is_empty() {
        return Ok(Either::Profile(reading));
    }
    if ever {
        reading.profile.contexts = std::mem::take(&mut reading.profile.contexts).ever();
    }
    Ok(Either::Contexts(Told { profile: reading.profile, outcome: reading.outcome }))
}
