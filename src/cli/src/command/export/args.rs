// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The options of `export`.

use clap::{Args, ValueEnum};

use crate::args::choice::Choosing;
use crate::args::rows::RowsArgs;
use crate::args::sink::SinkArgs;
use crate::args::view::size;
use crate::view::Group;

/// Options of `export`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alloctag export --format json -o profile.json          everything, for a program
  alloctag export --format openmetrics -o /var/lib/prometheus/node-exporter/alloctag.prom
                                                         for node_exporter's textfile collector
  alloctag export --format openmetrics -g file -n 500    finer series, at most 500 of them
  alloctag export --format pprof -o kernel.pb.gz && pprof -http=: -tagroot=subsystem kernel.pb.gz
  alloctag export --contexts --format pprof -o stacks.pb.gz
                                                         real stacks of what `alloctag watch` chose
  alloctag export --format parquet --all /var/lib/alloctag -o $(hostname).parquet
                                                         a recording for DuckDB, ClickHouse, Spark
  alloctag export --format folded | flamegraph.pl --countname bytes > kernel.svg")]
pub struct ExportArgs {
    /// Which rows of what.
    #[command(flatten)]
    pub rows: RowsArgs,
    /// Add rows up by site, func, file, dir, dir:DEPTH, module or subsystem; site without, subsystem for openmetrics
    #[arg(short, long, value_name = "GROUP", value_parser = Choosing::<Group>::new(), hide_possible_values = true, help_heading = "Selection")]
    pub group: Option<Group>,
    /// At most N entries or series; openmetrics adds the others up in one, and has 200 without
    #[arg(short = 'n', long, value_name = "N", help_heading = "Selection")]
    pub limit: Option<usize>,
    /// Only entries of at least SIZE bytes, such as 64k
    #[arg(short, long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true, help_heading = "Selection")]
    pub min: Option<i64>,
    /// Which format
    #[arg(long, value_name = "FORMAT", default_value = "json", help_heading = "Output")]
    pub format: ExportFormat,
    /// Of a recording every snapshot, not only the last one; parquet only
    #[arg(short, long, help_heading = "Input")]
    pub all: bool,
    /// Write what watched call sites have by where it comes from and for whom; pprof and folded have real stacks then. A saved text
    /// of contexts is always taken so, and EXPR may name keys as in `alloctag contexts`
    #[arg(long, help_heading = "Selection")]
    pub contexts: bool,
    /// Write histograms of how long allocations took and lived, too, by what -g says; openmetrics only. Each has 42 series, of stalls
    /// for every cause
    #[arg(long, help_heading = "Selection")]
    pub histograms: bool,
    /// Of contexts, all that was ever allocated, freed or not; pprof tells both
    #[arg(long, help_heading = "Selection")]
    pub cumulative: bool,
    /// Where to.
    #[command(flatten)]
    pub sink: SinkArgs,
}

/// A format of other tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// One JSON object, a row a line.
    Json,
    /// A JSON object a line; the first says what the rows are of.
    Ndjson,
    /// Comma-separated values with a header.
    Csv,
    /// Tab-separated values with a header.
    Tsv,
    /// Prometheus and node_exporter.
    Openmetrics,
    /// flamegraph.pl, speedscope.
    Folded,
    /// pprof, Pyroscope, Parca; gzipped.
    Pprof,
    /// DuckDB, ClickHouse, Spark: with host, time and kernel in every row.
    Parquet,
}
