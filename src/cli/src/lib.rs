// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag`: shows, records and compares Linux's per-call-site memory allocation profile.
//!
//! Data flows one way. A [`source`] reads a [`model::Profile`]; a [`query`] picks rows of it; a [`view`] groups, sorts and cuts
//! them; a renderer ([`render`]) writes them. A [`command`] is that flow with its [`args`], and the [`cli`] tells which is meant.
//!
//! Profiles are kept as [`snapshot`]s, many of them as a [`recording`]; [`compare`] sets two against each other, [`trend`]
//! judges the sites of a whole series. A [`sweep`] has them fail, one after the other.

pub mod args;
pub mod cli;
pub mod command;
pub mod compare;
pub mod draw;
pub mod error;
pub mod export;
pub mod fault;
pub mod interrupt;
pub mod model;
pub mod printable;
pub mod query;
pub mod recording;
pub mod render;
pub mod report;
pub mod rule;
pub mod sink;
pub mod snapshot;
pub mod source;
pub mod storage;
pub mod subsystem;
pub mod sweep;
pub mod time;
pub mod top;
pub mod trace;
pub mod trend;
pub mod view;
