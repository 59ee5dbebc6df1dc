// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The tool from outside: command line in, output and exit status out.

mod coverage;
mod harness;
#[path = "../../src/trace/made.rs"]
mod made;
mod rules;

// What is read, and from where.
mod hostile;
mod input;
mod live;
mod moments;
mod uncounted;

// The commands.
mod bundle;
mod check;
mod contexts;
mod ctl;
mod diff;
mod export;
mod fault;
mod leak;
mod leak_origins;
mod list;
mod numbers;
mod pages;
mod parquet;
mod picture;
mod pprof;
mod profile;
mod record;
mod record_full;
mod serve;
mod serve_guarded;
mod shared;
mod snap;
mod stacks;
mod summary;
mod sweep;
mod times;
mod top;
mod trace;
mod tree;
mod watch;

// The world around.
mod ci;
mod terminal;
#[cfg(feature = "tui")]
mod top_gone;
#[cfg(feature = "tui")]
mod top_live;
