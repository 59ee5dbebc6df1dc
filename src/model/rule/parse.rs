// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! From words to rules.

use super::{
    number,
    option::KEYS,
    word::{self, Mistake, Token, Wrong},
    Command, Contexts, Faults, Keys, Letters, Lifetimes, Lines, Measured, Rule, Sites,
};
use crate::model::sample::Period;

/// What a text asks for, one after the other.
///
/// `offered` are the letters that there are. Behind a mistake nothing is asked for any more.
///
/// # Examples
///
/// ```
/// use alloctag_core::model::rule::{commands, Command, Letters};
///
/// let mut asked = commands(b"file fs/ext4/* +c by=stack; -1", Letters::CONTEXTS);
/// assert!(matches!(asked.next(), Some(Ok(Command::Add(_)))));
/// assert_eq!(asked.next(), Some(Ok(Command::TakeBack(1))));
/// assert_eq!(asked.next(), None);
/// ```
pub const fn commands(text: &[u8], offered: Letters) -> Commands<'_> {
    Commands { text, offered }
}

/// See [`commands()`].
#[derive(Clone, Copy, Debug)]
pub struct Commands<'a> {
    text: &'a [u8],
    offered: Letters,
}

impl<'a> Iterator for Commands<'a> {
    type Item = Result<Command<'a>, Mistake<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        // Between two ends there may be nothing.
        let asked = loop {
            match word::next(&mut self.text)? {
                Ok(Token::End) => {}
                Ok(Token::Word(first)) => break self.command(first),
                Err(mistake) => break Err(mistake),
            }
        };
        if asked.is_err() {
            self.text = &[];
        }
        Some(asked)
    }
}

/// Says that a word is wrong.
const fn mistake<T>(word: &[u8], wrong: Wrong) -> Result<T, Mistake<'_>> {
    Err(Mistake { word, wrong })
}

/// Notes what may be said once.
fn once<'a, T>(place: &mut Option<T>, value: T, word: &'a [u8]) -> Result<(), Mistake<'a>> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => mistake(word, Wrong::Twice),
    }
}

impl<'a> Commands<'a> {
    /// The next word of the same rule.
    fn word(&mut self) -> Result<Option<&'a [u8]>, Mistake<'a>> {
        match word::next(&mut self.text) {
            None | Some(Ok(Token::End)) => Ok(None),
            Some(Ok(Token::Word(word))) => Ok(Some(word)),
            Some(Err(mistake)) => Err(mistake),
        }
    }

    /// What begins with a word.
    fn command(&mut self, first: &'a [u8]) -> Result<Command<'a>, Mistake<'a>> {
        if let Some(command) = taking_back(first)? {
            return match self.word()? {
                None => Ok(command),
                Some(word) => mistake(word, Wrong::Unknown),
            };
        }
        if first == b"reset" {
            let what = self.word()?.unwrap_or(first);
            return match (measured(what), self.word()?) {
                (Some(measured), None) => Ok(Command::Reset(measured)),
                (Some(_), Some(word)) => mistake(word, Wrong::Unknown),
                (None, _) => mistake(what, Wrong::Measured),
            };
        }
        let mut draft = Draft::default();
        let (mut word, mut last) = (Some(first), first);
        while let Some(now) = word {
            last = now;
            match now {
                _ if draft.on.is_some() => draft.option(now)?,
                [sign @ (b'+' | b'-'), names @ ..] => {
                    draft.letters(now, *sign == b'+', names, self.offered)?;
                }
                b"*" => once(&mut draft.all, (), now)?,
                b"file" | b"func" | b"module" | b"line" => {
                    let value = self.word()?;
                    last = value.unwrap_or(now);
                    draft.sites(now, value)?;
                }
                _ => return mistake(now, Wrong::Unknown),
            }
            word = self.word()?;
        }
        draft.rule(last).map(Command::Add)
    }
}

/// What a word that is all of a command takes back, if it is one.
fn taking_back(word: &[u8]) -> Result<Option<Command<'_>>, Mistake<'_>> {
    match word {
        b"=_" => Ok(Some(Command::TakeBackAll)),
        [b'-', digits @ ..] if digits.first().is_some_and(u8::is_ascii_digit) => {
            match small(digits) {
                Some(number) => Ok(Some(Command::TakeBack(number))),
                None => mistake(word, Wrong::Number),
            }
        }
        _ => Ok(None),
    }
}

/// What is measured under that name.
const fn measured(name: &[u8]) -> Option<Measured> {
    match name {
        b"stalls" => Some(Measured::Stalls),
        b"latency" => Some(Measured::Latency),
        b"lifetimes" => Some(Measured::Lifetimes),
        _ => None,
    }
}

/// A number of 32 bits.
fn small(text: &[u8]) -> Option<u32> {
    number::plain(text)?.try_into().ok()
}

/// Lines, as `10`, `10-20`, `10-` or `-20`.
fn lines(text: &[u8]) -> Option<Lines> {
    let mut parts = text.splitn(2, |byte| *byte == b'-');
    let first = parts.next()?;
    let Some(last) = parts.next() else {
        let line = small(first)?;
        return Lines::new(line, line);
    };
    let bound = |text: &[u8], none| {
        if text.is_empty() {
            Some(none)
        } else {
            small(text)
        }
    };
    if first.is_empty() && last.is_empty() {
        return None;
    }
    Lines::new(bound(first, 0)?, bound(last, u32::MAX)?)
}

/// A rule as far as it is known.
#[derive(Default)]
struct Draft<'a> {
    all: Option<()>,
    sites: Sites<'a>,
    on: Option<bool>,
    letters: Letters,
    keys: Option<Keys>,
    depth: Option<u32>,
    slice: Option<u32>,
    every: Option<Period>,
    faults: Faults,
    task_filter: Option<()>,
}

impl<'a> Draft<'a> {
    /// Takes one of the words that name call sites, and what follows it.
    fn sites(&mut self, word: &'a [u8], value: Option<&'a [u8]>) -> Result<(), Mistake<'a>> {
        let Some(value) = value else {
            return mistake(word, Wrong::Incomplete);
        };
        match word {
            b"func" => once(&mut self.sites.function, value, word),
            b"module" => once(&mut self.sites.module, value, word),
            b"line" => self.lines(word, value),
            _ => self.file(word, value),
        }
    }

    /// Takes a file, behind which lines or a function may stand.
    fn file(&mut self, word: &'a [u8], value: &'a [u8]) -> Result<(), Mistake<'a>> {
        let mut parts = value.splitn(2, |byte| *byte == b':');
        once(&mut self.sites.file, parts.next().unwrap_or(value), word)?;
        match parts.next() {
            None => Ok(()),
            Some(rest) if rest.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'-')) => {
                self.lines(word, rest)
            }
            Some(function) => once(&mut self.sites.function, function, word),
        }
    }

    /// Takes lines.
    fn lines(&mut self, word: &'a [u8], value: &'a [u8]) -> Result<(), Mistake<'a>> {
        match lines(value) {
            Some(lines) => once(&mut self.sites.lines, lines, word),
            None => mistake(value, Wrong::Range),
        }
    }

    /// Takes the letters.
    fn letters(
        &mut self,
        word: &'a [u8],
        on: bool,
        names: &[u8],
        offered: Letters,
    ) -> Result<(), Mistake<'a>> {
        self.on = Some(on);
        for name in names {
            match Letters::of(*name) {
                Some(letter) if !offered.has(letter) => return mistake(word, Wrong::Letter),
                None => return mistake(word, Wrong::Letter),
                Some(letter) if self.letters.has(letter) => return mistake(word, Wrong::Twice),
                Some(letter) => self.letters = self.letters.with(letter),
            }
        }
        if self.letters.is_empty() {
            return mistake(word, Wrong::NoLetters);
        }
        Ok(())
    }

    /// Whether a letter is turned on.
    fn turns_on(&self, letter: Letters) -> bool {
        self.on == Some(true) && self.letters.has(letter)
    }

    /// Takes an option.
    fn option(&mut self, word: &'a [u8]) -> Result<(), Mistake<'a>> {
        let mut parts = word.splitn(2, |byte| *byte == b'=');
        let (name, value) = (parts.next().unwrap_or(word), parts.next());
        let (contexts, lifetimes) = (Letters::CONTEXTS, Letters::LIFETIMES);
        let is_meant = match name {
            b"by" | b"depth" | b"slice" => self.turns_on(contexts),
            b"every" => self.turns_on(contexts) || self.turns_on(lifetimes),
            b"times" | b"skip" | b"interval" | b"probability" | b"task-filter" => {
                self.turns_on(Letters::FAULTS)
            }
            _ => return mistake(word, Wrong::Unknown),
        };
        let Some(value) = value else {
            return mistake(word, Wrong::Incomplete);
        };
        if !is_meant {
            return mistake(word, Wrong::Option);
        }
        let wrong = Mistake {
            word,
            wrong: Wrong::Number,
        };
        let within = |number: Option<u32>, least, most| {
            let fits = |number: &u32| (least..=most).contains(number);
            number.filter(fits).ok_or(wrong)
        };
        let (least, most) = Contexts::DEPTHS;
        let faults = &mut self.faults;
        match name {
            b"by" => once(&mut self.keys, keys(word, value)?, word),
            b"depth" => once(&mut self.depth, within(small(value), least, most)?, word),
            b"slice" => {
                let seconds = number::seconds(value).and_then(|number| number.try_into().ok());
                once(&mut self.slice, within(seconds, 1, u32::MAX)?, word)
            }
            b"every" => {
                let period = number::bytes(value).and_then(Period::new);
                once(&mut self.every, period.ok_or(wrong)?, word)
            }
            b"task-filter" if value != b"Y" => mistake(word, Wrong::Value),
            b"task-filter" => {
                faults.task_filter = true;
                once(&mut self.task_filter, (), word)
            }
            b"times" => once(
                &mut faults.times,
                within(small(value), 1, Faults::MOST)?,
                word,
            ),
            b"skip" => once(
                &mut faults.skip,
                within(small(value), 0, Faults::MOST)?,
                word,
            ),
            b"interval" => once(
                &mut faults.interval,
                within(small(value), 1, u32::MAX)?,
                word,
            ),
            _ => once(&mut faults.probability, within(small(value), 1, 100)?, word),
        }
    }

    /// What it comes to; `last` is its last word.
    fn rule(self, last: &'a [u8]) -> Result<Rule<'a>, Mistake<'a>> {
        let Some(on) = self.on else {
            return mistake(last, Wrong::NoLetters);
        };
        if self.all.is_none() && self.sites == Sites::default() {
            return mistake(last, Wrong::NoSites);
        }
        let mut contexts = None;
        if self.turns_on(Letters::CONTEXTS) {
            let Some(keys) = self.keys else {
                return mistake(last, Wrong::NoKeys);
            };
            let unsaid = Contexts::DEFAULT;
            contexts = Some(Contexts {
                keys,
                depth: self.depth.unwrap_or(unsaid.depth),
                slice: self.slice.unwrap_or(unsaid.slice),
                every: self.every,
            });
        }
        let faults = self.turns_on(Letters::FAULTS).then_some(self.faults);
        let lifetimes = self.turns_on(Letters::LIFETIMES);
        // INVARIANT: Signs come with letters; what is turned on has what is wanted.
        Ok(Rule {
            sites: self.sites,
            on,
            letters: self.letters,
            contexts,
            faults,
            lifetimes: lifetimes.then_some(Lifetimes { every: self.every }),
        })
    }
}

/// Keys with commas between them.
fn keys<'a>(word: &'a [u8], list: &[u8]) -> Result<Keys, Mistake<'a>> {
    let mut keys = Keys::NONE;
    for name in list.split(|byte| *byte == b',') {
        match KEYS.iter().find(|(known, _)| *known == name) {
            None => return mistake(word, Wrong::Value),
            Some((_, key)) if keys.has(*key) => return mistake(word, Wrong::Twice),
            Some((_, key)) => keys = keys.with(*key),
        }
    }
    Ok(keys)
}
