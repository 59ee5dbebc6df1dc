// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What `treemap` and `flame` share.

use std::io::{self, Write};

use clap::builder::RangedI64ValueParser;
use clap::Args;

use super::{backing, Chosen, Context};
use crate::args::output::UnitArgs;
use crate::args::rows::RowsArgs;
use crate::args::sink::SinkArgs;
use crate::draw::Frame;
use crate::error::{Error, Outcome, Result};
use crate::model::Profile;
use crate::render::Units;
use crate::sink;
use crate::time::Clock;
use crate::view::tree::{By, Node};

/// Options of every command that draws.
#[derive(Args, Debug)]
pub struct PictureArgs {
    /// Which rows of what.
    #[command(flatten)]
    pub rows: RowsArgs,
    /// What the branches are
    #[arg(long, value_name = "KIND", default_value = "dir", help_heading = "Selection")]
    pub by: By,
    /// Width in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 1200, value_parser = pixels(), help_heading = "Output")]
    pub width: u32,
    /// Where to.
    #[command(flatten)]
    pub sink: SinkArgs,
    /// The units.
    #[command(flatten)]
    pub units: UnitArgs,
}

/// Lengths that show something and that viewers can open.
pub fn pixels() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(100..=20_000)
}

/// Reads a profile and draws it by `write`.
///
/// # Errors
///
/// If nothing can be read or drawn, or the output cannot be written.
pub fn draw(
    args: &PictureArgs,
    height: u32,
    write: impl FnOnce(&Node, &Frame, &mut dyn Write) -> io::Result<()>,
    context: &mut Context<'_>,
) -> Result<Outcome> {
    let chosen = Chosen::read(&args.rows, context)?;
    let profile = &chosen.reading.profile;
    let mut root = chosen.tree(args.by);
    root.fold();
    if root.bytes <= 0 {
        return Err(Error::failed(&profile.meta.origin, "no row that is to be drawn holds anything"));
    }
    let units = args.units.resolve();
    let mut title = title(profile, root.bytes, units, &context.clock);
    for line in backing::left_out(&chosen.whole(), chosen.include_backing, units) {
        title.push_str(&format!(" · {line}"));
    }
    let frame = Frame { width: args.width, height, title, units };
    sink::write(args.sink.file(), context.out, |out| write(&root, &frame, out))?;
    Ok(chosen.reading.outcome)
}

/// What is drawn, of which kernel, of when: as far as that is known.
fn title(profile: &Profile, bytes: i64, units: Units, clock: &Clock) -> String {
    let meta = &profile.meta;
    let mut parts = vec![format!("{} of kernel memory by call site", units.format(bytes))];
    match &meta.uname {
        Some(uname) => parts.push(format!("{} {}", uname.node, uname.release)),
        None => parts.push(meta.origin.to_string()),
    }
    parts.extend(meta.time_ms.map(|time| clock.date(time)));
    parts.join(" · ")
}
