// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What `--fail-if` holds for: call sites, or what they add up to.

use super::entry::{all, Entry};
use super::table::label;
use crate::args::fail_if::Check;
use crate::command::ruling::{Breach, Rulings};
use crate::compare::Change;
use crate::error::{Error, Result};
use crate::query::{Fact, NAMES, SUBSYSTEM};
use crate::subsystem::Subsystems;
use crate::view::Group;

/// What a condition knows besides the facts of an entry: the bytes added by all together.
pub(super) const TOTAL: &str = "total";

/// Facts that only a call site has.
const OF_SITES: [&str; 1] = ["match"];

/// What is compared.
pub(super) struct Compared<'p> {
    pub(super) changes: &'p [Change<'p>],
    pub(super) total: i64,
    pub(super) group: Group,
    pub(super) subsystems: &'p Subsystems,
    /// Milliseconds between both, if that is known.
    pub(super) time_ms: Option<u64>,
}

/// What a condition is about: what is listed, or sums of subsystems if it names them.
///
/// # Errors
///
/// A usage error if it asks for what that does not have: it would never hold.
pub(super) fn group(check: &Check, listed: Group) -> Result<Group> {
    let group = if check.condition.compares(SUBSYSTEM) { Group::Subsystem } else { listed };
    let missing = check.condition.compared().iter().find(|field| !has(group, field));
    match missing {
        None => Ok(group),
        Some(field) => {
            let problem = format!("sums by {group} have no field `{field}`");
            Err(Error::expression("--fail-if", &check.text, problem))
        }
    }
}

/// Whether entries of `group` have that fact or name.
fn has(group: Group, field: &str) -> bool {
    let own: &[&str] = match group {
        Group::Site => &["file", "func", "module", "dir", "site"],
        Group::Func => &["file", "func", "module", "dir"],
        Group::File => &["file", "dir"],
        Group::Dir(_) => &["dir"],
        Group::Module => &["module"],
        Group::Subsystem => &[SUBSYSTEM],
    };
    let is_name = NAMES.contains(&field) || field == SUBSYSTEM;
    if is_name {
        own.contains(&field)
    } else {
        group == Group::Site || !OF_SITES.contains(&field)
    }
}

/// Asks each condition.
///
/// # Errors
///
/// A usage error if one makes no sense for what it is about.
pub(super) fn rule(checks: &[Check], compared: &Compared<'_>) -> Result<Rulings> {
    checks.iter().try_for_each(|check| group(check, compared.group).map(drop))?;
    Ok(Rulings::of(checks, |check| breaches(check, compared)))
}

fn breaches(check: &Check, compared: &Compared<'_>) -> Vec<Breach> {
    let alone = |field: &str| if field == TOTAL { Fact::Number(compared.total) } else { Fact::None };
    // A total can be too large without any site; then it is no news that the condition holds for each of them.
    if check.condition.compares(TOTAL) && check.condition.holds_by(alone) {
        return vec![Breach::new(check, "all together", alone)];
    }
    let group = group(check, compared.group).unwrap_or(compared.group);
    let mut breaches = Vec::new();
    all(compared.changes, group, compared.subsystems, |entry| {
        let fact = |field: &str| if field == TOTAL { alone(field) } else { entry.fact(field, compared.time_ms) };
        if check.condition.holds_for(|field| name(entry, group, field), fact) {
            breaches.push(Breach::new(check, label(entry, group), fact));
        }
    });
    breaches
}

/// A name that all sites of an entry share.
fn name(entry: &Entry<'_>, group: Group, field: &str) -> Option<String> {
    let site = &entry.change.row().site;
    let name = match field {
        "file" => site.path().to_owned(),
        "func" => site.func.to_string(),
        "module" => site.module.as_deref().unwrap_or_default().to_owned(),
        "dir" if !matches!(group, Group::Dir(_)) => site.dir().to_owned(),
        "site" => site.to_string(),
        _ => entry.label.to_owned(),
    };
    has(group, field).then_some(name)
}
