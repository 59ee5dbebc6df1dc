// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag list`: call sites, or groups of them, as a table.

use std::io::{self, Write};

use clap::Args;
use serde_json::json;

use super::left_out::{self, Limits};
use super::{backing, describe, read, require, Context};
use crate::args::choice::Choosing;
use crate::args::input::InputArgs;
use crate::args::output::OutputArgs;
use crate::args::view::ViewArgs;
use crate::error::{Error, Outcome, Result};
use crate::model::Profile;
use crate::render::json::{head, Head};
use crate::render::style::Ink;
use crate::render::units::count;
use crate::render::Layout;
use crate::view::{Field, Group, Selection, View};

/// Options of `list`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alloctag list -n 20                          the twenty largest call sites
  alloctag list --group subsystem              who holds how much
  alloctag list -w 'file~^fs/ext4 bytes>1M'    large ones of ext4
  alloctag list -s -calls --min 1M saved.gz    large ones of a saved one, fewest calls first
  alloctag list -s slack -w 'waste>25'         what wastes most, of kernels that count it
  ssh host sudo cat /proc/allocinfo | alloctag list - --format json")]
pub struct ListArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,
    /// What to show.
    #[command(flatten)]
    pub view: ViewArgs,
    /// Which fields: bytes share calls avg sites rows module file line site func dir subsystem accurate backing extra flags; of kernels
    /// that count them slack requested waste allocs frees allocated failed injected stalls stall_ns stall_max_ns rate
    #[arg(short, long, value_name = "FIELD[,FIELD]", value_delimiter = ',', value_parser = Choosing::<Field>::new(), hide_possible_values = true, help_heading = "Output")]
    pub fields: Vec<Field>,
    /// How to write it.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Runs the command.
///
/// # Errors
///
/// If options do not go together, nothing can be read, or the output cannot be written.
pub fn run(args: &ListArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let subsystems = args.view.filter.subsystems()?;
    let view = args.view.resolve(&subsystems)?;
    check_fields(args, view.group)?;
    let layout = args.output.resolve(context.style);

    let request = args.input.resolve(&context.global, view.condition.as_ref());
    let reading = read(&request, context)?;
    require(&reading.profile, view.measures())?;
    let fields = fields(args, &view, &reading.profile);
    let selection = view.apply(&reading.profile, &subsystems);
    let head = about(&reading.profile, view.group, &selection, view.include_backing);
    let mut table = selection.table(&fields, &subsystems);
    if !args.fields.is_empty() {
        // Who asks for a column gets it.
        table.columns.iter_mut().for_each(|column| column.spare = 0);
    }
    table.write(&layout, &head, context.out)?;
    footer(&selection, &view, &layout, context.out)?;
    if view.condition.is_none() {
        reconcile(&selection, &reading.profile, &layout, context.out)?;
    }
    Ok(reading.outcome)
}

fn check_fields(args: &ListArgs, group: Group) -> Result<()> {
    match args.fields.iter().find(|field| !group.has(**field)) {
        None => Ok(()),
        Some(field) => {
            Err(Error::Usage(format!("--fields {}: entries of --group {group} have no such field", field.name())))
        }
    }
}

fn fields(args: &ListArgs, view: &View, profile: &Profile) -> Vec<Field> {
    match (args.fields.is_empty(), args.output.format) {
        (false, _) => args.fields.clone(),
        (true, format) if format.is_for_people() => {
            let mut fields = view.group.fields().to_vec();
            // What few kernels count is shown to those who ask for its order.
            let sorted = view.sort.iter().map(|key| key.field).filter(|field| matches!(field, Field::Measure(_)));
            fields.splice(1..1, sorted);
            fields
        }
        (true, _) => view.group.machine_fields(profile),
    }
}

/// What stands in front of the rows in JSON.
fn about(profile: &Profile, group: Group, selection: &Selection<'_>, included: bool) -> Head {
    let mut head = head("alloctag.list/1");
    describe(&mut head, profile);
    head.insert("group".into(), group.to_string().into());
    head.insert("total".into(), json!(selection.whole.total(included)));
    backing::describe(&mut head, &selection.whole, included);
    head.insert("omitted".into(), json!({"empty": selection.empty, "cut": selection.cut}));
    head
}

/// The lines under the table: the sum, what is not in it, what is not shown.
fn footer(selection: &Selection<'_>, view: &View, layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
    let (units, included) = (layout.units, view.include_backing);
    let total = selection.whole.total(included);
    layout.remark(Ink::Head, &format!("{} in {}", units.format(total.bytes), count(total.sites, "site")), out)?;
    for line in backing::left_out(&selection.whole, included, units) {
        layout.remark(Ink::Faint, &line, out)?;
    }
    let limits = Limits { limit: view.limit, min: view.min };
    left_out::write((selection.empty, "that hold nothing"), selection.cut, limits, layout, out)
}

/// The line that sets the sum against what the kernel itself says is in use.
fn reconcile(selection: &Selection<'_>, profile: &Profile, layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
    let Some(used) = profile.meta.memory.used().and_then(|used| i64::try_from(used).ok()) else { return Ok(()) };
    let units = layout.units;
    let charged = selection.whole.sites.bytes;
    let line = format!(
        "in use by /proc/meminfo: {}, of which {} charged to sites and {} not",
        units.format(used),
        units.format(charged),
        units.format(used - charged)
    );
    layout.remark(Ink::Faint, &line, out)
}
