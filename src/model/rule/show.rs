// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Rules as text, which asks for the same again.

use super::{number, option::KEYS, word::quote_for, Contexts, Faults, Rule, Sites};
use crate::model::{
    sample::Period,
    text::{Full, Text},
};

/// Appends a name, a word that may need quotes, and a blank, if there is such a word.
fn named(text: &mut Text<'_>, name: &[u8], value: Option<&[u8]>) -> Result<(), Full> {
    let Some(value) = value else { return Ok(()) };
    text.bytes(name)?;
    let quote = quote_for(value);
    for part in [quote.as_slice(), value, quote.as_slice(), b" "] {
        text.bytes(part)?;
    }
    Ok(())
}

/// Appends a name and a number, if there is one.
fn option(text: &mut Text<'_>, name: &[u8], number: Option<u32>) -> Result<(), Full> {
    match number {
        None => Ok(()),
        Some(number) => {
            text.bytes(name)?;
            text.digits(u64::from(number))
        }
    }
}

/// Appends how far apart the bytes are that are looked at.
fn every(text: &mut Text<'_>, period: Period) -> Result<(), Full> {
    let (number, unit) = number::in_bytes(period.bytes());
    text.bytes(b" every=")?;
    text.digits(number)?;
    text.bytes(&[unit])
}

impl Rule<'_> {
    /// Appends the rule, as it would be written.
    ///
    /// # Errors
    ///
    /// [`Full`] where the buffer is too short; what was written is then to be dropped.
    pub fn show(&self, text: &mut Text<'_>) -> Result<(), Full> {
        self.sites.show(text)?;
        text.bytes(if self.on { b"+" } else { b"-" })?;
        for name in self.letters.names() {
            text.bytes(&[name])?;
        }
        if let Some(contexts) = &self.contexts {
            contexts.show(text)?;
        }
        // Of both it is said once.
        let of_contexts = self.contexts.and_then(|contexts| contexts.every);
        let of_lifetimes = self.lifetimes.and_then(|lifetimes| lifetimes.every);
        if let Some(period) = of_contexts.or(of_lifetimes) {
            every(text, period)?;
        }
        match &self.faults {
            Some(faults) => faults.show(text),
            None => Ok(()),
        }
    }
}

impl Sites<'_> {
    fn show(&self, text: &mut Text<'_>) -> Result<(), Full> {
        if *self == Sites::default() {
            return text.bytes(b"* ");
        }
        // Without the colon, behind which a function might stand.
        named(text, b"file ", self.file)?;
        named(text, b"func ", self.function)?;
        named(text, b"module ", self.module)?;
        let Some(lines) = self.lines else {
            return Ok(());
        };
        let (first, last) = lines.bounds();
        text.bytes(b"line ")?;
        text.digits(u64::from(first))?;
        text.bytes(b"-")?;
        text.digits(u64::from(last))?;
        text.bytes(b" ")
    }
}

impl Contexts {
    fn show(&self, text: &mut Text<'_>) -> Result<(), Full> {
        let mut before: &[u8] = b" by=";
        for (name, key) in KEYS {
            if self.keys.has(key) {
                text.bytes(before)?;
                text.bytes(name)?;
                before = b",";
            }
        }
        let unsaid = Contexts::DEFAULT;
        if self.depth != unsaid.depth {
            option(text, b" depth=", Some(self.depth))?;
        }
        if self.slice != unsaid.slice {
            let (number, unit) = number::in_seconds(u64::from(self.slice));
            text.bytes(b" slice=")?;
            text.digits(number)?;
            text.bytes(&[unit])?;
        }
        Ok(())
    }
}

impl Faults {
    fn show(&self, text: &mut Text<'_>) -> Result<(), Full> {
        option(text, b" times=", self.times)?;
        option(text, b" skip=", self.skip)?;
        option(text, b" interval=", self.interval)?;
        option(text, b" probability=", self.probability)?;
        if self.task_filter {
            text.bytes(b" task-filter=Y")?;
        }
        Ok(())
    }
}
