// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! All contexts at one moment.

use super::magnitudes::Magnitudes;
use super::{Context, Frame, Names, Pair, Refused, Row, Sample, Site, Unreadable};

/// Contexts, in the source's order. Made by [`ContextsBuilder`].
///
/// # Invariants
///
/// Their rows obey [`Row`]'s invariant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contexts {
    list: Vec<Context>,
    unreadable: Unreadable,
}

impl Contexts {
    /// All of them.
    pub fn list(&self) -> &[Context] {
        &self.list
    }

    /// Whether there are none, nor any that could not be read.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.unreadable.count == 0
    }

    /// What could not be read.
    pub fn unreadable(&self) -> &Unreadable {
        &self.unreadable
    }

    /// Adds what could not be read when they were read before.
    pub fn inherit_unreadable(&mut self, before: Unreadable) {
        self.unreadable.count = self.unreadable.count.saturating_add(before.count);
        self.unreadable.first = before.first.or_else(|| self.unreadable.first.take());
    }

    /// Removes the contexts that `keep` does not want.
    pub fn retain(&mut self, keep: impl FnMut(&Context) -> bool) {
        self.list.retain(keep);
    }

    /// The same with all that was ever allocated in place of what is alive.
    #[must_use]
    pub fn ever(self) -> Contexts {
        Contexts { list: self.list.into_iter().map(Context::ever).collect(), ..self }
    }

    /// The keys that they have, each once, in the order in which they come.
    pub fn keys(&self) -> Vec<&str> {
        let mut keys: Vec<&str> = Vec::new();
        for pair in self.list.iter().flat_map(Context::keys) {
            if !keys.contains(&pair.key.as_str()) {
                keys.push(&pair.key);
            }
        }
        keys
    }

    /// From how many bytes one object is looked at, where all of those that are estimates agree.
    pub fn period(&self) -> Option<i64> {
        let mut periods = self.list.iter().filter_map(Context::period);
        let first = periods.next()?;
        periods.all(|period| period == first).then_some(first)
    }
}

/// Collects contexts, and counts what could not be read.
#[derive(Debug)]
pub struct ContextsBuilder<'n> {
    names: &'n mut Names,
    contexts: Contexts,
    magnitudes: Magnitudes,
}

impl<'n> ContextsBuilder<'n> {
    /// None yet, whose names go into `names`.
    pub fn new(names: &'n mut Names) -> ContextsBuilder<'n> {
        ContextsBuilder { names, contexts: Contexts::default(), magnitudes: Magnitudes::default() }
    }

    /// Adds a context. Its keys are `keys`, what `sample` has besides is left.
    ///
    /// # Errors
    ///
    /// [`Refused`] if sums would not fit any more; nothing is added then.
    pub fn push(
        &mut self,
        number: u64,
        sample: &Sample<'_>,
        keys: &[(&str, &str)],
        stack: &[&str],
    ) -> Result<(), Refused> {
        self.magnitudes.admit(sample)?;
        let names = &mut *self.names;
        let site = Site {
            file: names.intern(sample.file),
            line: sample.line,
            func: names.intern(sample.func),
            module: sample.module.map(|module| names.intern(module)),
        };
        let extra = keys.iter().map(|(key, value)| Pair { key: names.intern(key), value: names.intern(value) });
        let extra = extra.collect();
        let row = Row {
            site,
            bytes: sample.bytes,
            calls: sample.calls,
            accurate: sample.accurate,
            clipped: sample.clipped,
            merged: 1,
            numbers: sample.numbers.clone(),
            extra,
        };
        let stack = stack.iter().map(|frame| Frame::new(names.intern(frame))).collect();
        self.contexts.list.push(Context { number, row, stack });
        Ok(())
    }

    /// Counts a context that could not be read. `place` says where it is, `reason` what is wrong with it.
    pub fn unreadable(&mut self, place: impl FnOnce() -> String, reason: &str) {
        let unreadable = &mut self.contexts.unreadable;
        unreadable.count += 1;
        unreadable.first.get_or_insert_with(|| format!("{}: {reason}", place()));
    }

    /// All of them.
    pub fn finish(self) -> Contexts {
        self.contexts
    }
}
