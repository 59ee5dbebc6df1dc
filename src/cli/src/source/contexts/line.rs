// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The first line of a context.

use std::borrow::Cow;

use crate::model::{Number, Numbers, Sample};
use crate::source::escape::unescape;
use crate::source::text;

/// A context without its stack.
#[derive(Debug)]
pub(super) struct Head<'t> {
    pub(super) number: u64,
    pub(super) sample: Sample<'t>,
    pub(super) keys: Vec<(&'t str, Cow<'t, str>)>,
}

/// The numbers that a context has behind its function.
const NUMBERS: [Number; 4] = [Number::Slack, Number::Allocs, Number::Frees, Number::Allocated];

/// Reads such a line.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn head(line: &str) -> Result<Head<'_>, &'static str> {
    let mut sample = text::row(line.trim_ascii())?;
    let mut number = None;
    let mut numbers = Numbers::NONE;
    let mut keys = Vec::new();
    for (key, value) in std::mem::take(&mut sample.extra) {
        if key == "ctx" && number.is_none() {
            number = Some(value.parse().map_err(|_| "its number is none")?);
        } else if let Some(counted) = NUMBERS.into_iter().find(|number| number.name() == key) {
            if numbers.get(counted).is_some() {
                return Err("it has a number twice");
            }
            numbers.set(counted, value.parse().map_err(|_| "a number of it is none")?);
        } else {
            // Nobody has named the task: an empty value is one, too.
            let key = if value.is_empty() { key.strip_suffix(':').unwrap_or(key) } else { key };
            keys.push((key, unescape(value)));
        }
    }
    sample.numbers = numbers;
    Ok(Head { number: number.ok_or("it has no number")?, sample, keys })
}
