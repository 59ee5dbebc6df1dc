// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Which rows are exported.

use super::args::{ExportArgs, ExportFormat};
use crate::error::{Error, Result};
use crate::model::{Profile, Row};
use crate::subsystem::Subsystems;
use crate::view::{Group, View};

/// Series of each metric unless asked otherwise. A recent kernel has some 15,000 sites, in about 900 subsystems of which
/// fewer than 200 hold something.
pub const SERIES: usize = 200;

/// What is exported. Formats for programs hold every row: what is zero today may be compared with tomorrow's. The subsystems of its
/// condition are those of `subsystems`.
pub(super) fn view(args: &ExportArgs, subsystems: &Subsystems) -> Result<View> {
    use ExportFormat::{Folded, Openmetrics, Parquet, Pprof};
    let stacks = matches!(args.format, Folded | Pprof);
    if (stacks || args.format == Parquet) && args.group.is_some_and(|group| group != Group::Site) {
        return Err(Error::Usage(
            "--group: folded stacks, pprof and parquet are of call sites; their readers add up".to_owned(),
        ));
    }
    if args.limit == Some(0) {
        return Err(Error::Usage("-n 0: nothing would be exported".to_owned()));
    }
    let metrics = args.format == Openmetrics;
    if metrics && args.min.is_some() {
        return Err(Error::Usage("--min: series would come and go; -n bounds them and keeps their sum".to_owned()));
    }
    Ok(View {
        condition: args.rows.filter.condition(subsystems)?,
        group: args.group.unwrap_or(if metrics { Group::Subsystem } else { Group::Site }),
        sort: Vec::new(),
        limit: args.limit.or(metrics.then_some(SERIES)),
        min: args.min,
        // Of what holds nothing now a kernel may count what it held; folded stacks cannot say either.
        zeros: !metrics && args.format != Folded,
        include_backing: args.rows.include_backing,
    })
}

/// The rows of a view of call sites, the largest first.
pub(super) fn sites<'p>(profile: &'p Profile, view: &View, subsystems: &'p Subsystems) -> Vec<&'p Row> {
    view.apply(profile, subsystems).entries.iter().map(|entry| entry.row).collect()
}
