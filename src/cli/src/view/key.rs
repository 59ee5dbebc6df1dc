// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What contexts are added up by.

use std::borrow::Cow;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use crate::model::{Context, Contexts, Site, EVERY, STACK};
use crate::subsystem::Subsystems;

/// What two contexts share to be added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The call site.
    Site,
    /// Its function.
    Func,
    /// Its file.
    File,
    /// Its directory.
    Dir,
    /// Its module; built-in code is one.
    Module,
    /// Its subsystem.
    Subsystem,
    /// The functions that called.
    Stack,
    /// A key of the kernel's, and the head of its column.
    Kept(&'static str, &'static str),
}

/// The kernel's keys that are known, with their heads.
const KEPT: [(&str, &str); 9] = [
    ("caller", "CALLER"),
    ("comm", "COMM"),
    ("pid", "PID"),
    ("cgroup", "CGROUP"),
    ("node", "NODE"),
    ("order", "ORDER"),
    ("gfp", "GFP"),
    ("age", "AGE"),
    (EVERY, "EVERY"),
];

/// Those that a call site has by itself.
const OF_SITE: [(Key, &str, &str); 7] = [
    (Key::Site, "site", "SITE"),
    (Key::Func, "func", "FUNC"),
    (Key::File, "file", "FILE"),
    (Key::Dir, "dir", "DIR"),
    (Key::Module, "module", "MODULE"),
    (Key::Subsystem, "subsystem", "SUBSYSTEM"),
    (Key::Stack, STACK, "STACK"),
];

/// Keys of later kernels by which contexts are told apart unasked, at most: no kernel has as many, and a file that somebody has made
/// up may have any number.
const LATER: usize = 16;

impl Key {
    /// All that have names of their own.
    pub fn all() -> impl Iterator<Item = Key> {
        let kept = KEPT.iter().map(|&(name, title)| Key::Kept(name, title));
        OF_SITE.iter().map(|entry| entry.0).chain(kept)
    }

    /// By what `contexts` are told apart: their keys, their stack if one has some, the call site.
    pub fn of_all(contexts: &Contexts) -> Vec<Key> {
        let has = contexts.keys();
        let mut keys: Vec<Key> = Key::all().filter(|key| has.contains(&key.name())).collect();
        let later = has.iter().filter(|name| Key::all().all(|key| key.name() != **name));
        keys.extend(later.take(LATER).map(|name| Key::later(name)));
        keys.push(Key::Site);
        keys.extend(contexts.list().iter().any(|context| !context.stack.is_empty()).then_some(Key::Stack));
        keys
    }

    /// A key that a later kernel tells contexts apart by. Its name lasts as long as the process, but there is one of each.
    fn later(name: &str) -> Key {
        static KNOWN: Mutex<Vec<Key>> = Mutex::new(Vec::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = known.iter().find(|key| key.name() == name) {
            return *key;
        }
        let key = Key::Kept(name.to_owned().leak(), name.to_ascii_uppercase().leak());
        known.push(key);
        key
    }

    /// Its name in options and machine formats.
    pub fn name(self) -> &'static str {
        self.names().0
    }

    /// The head of its column.
    pub fn title(self) -> &'static str {
        self.names().1
    }

    /// What `context` has there; `None` if it is not told apart by it.
    pub fn of<'c>(self, context: &'c Context, subsystems: &'c Subsystems) -> Option<Cow<'c, str>> {
        match self {
            Key::Stack => match context.stack.as_slice() {
                [] => None,
                frames => Some(frames.iter().map(|frame| frame.as_str()).collect::<Vec<_>>().join(" < ").into()),
            },
            Key::Kept(key, _) => Some(context.key(key)?.into()),
            own => own.of_site(&context.row.site, subsystems),
        }
    }

    /// What a call site has there by itself; `None` if that is none of its own.
    pub fn of_site<'c>(self, site: &'c Site, subsystems: &'c Subsystems) -> Option<Cow<'c, str>> {
        Some(match self {
            Key::Site => site.to_string().into(),
            Key::Func => site.func.as_str().into(),
            Key::File => site.path().into(),
            Key::Dir => site.dir().into(),
            Key::Module => site.module.as_deref().unwrap_or("(built-in)").into(),
            Key::Subsystem => subsystems.of(site).into(),
            Key::Stack | Key::Kept(..) => return None,
        })
    }

    fn names(self) -> (&'static str, &'static str) {
        match self {
            Key::Kept(name, title) => (name, title),
            own => OF_SITE.iter().find(|entry| entry.0 == own).map_or(("", ""), |entry| (entry.1, entry.2)),
        }
    }
}

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Key, String> {
        if let Some(key) = Key::all().find(|key| key.name() == text) {
            return Ok(key);
        }
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
        // What a later kernel tells contexts apart by.
        match text.strip_prefix("key.").filter(|name| !name.is_empty() && name.bytes().all(plain)) {
            Some(name) => Ok(Key::later(name)),
            None => {
                let names: Vec<_> = Key::all().map(Key::name).collect();
                Err(format!("`{text}` is no key; there are {}, key.NAME", names.join(", ")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::KEYS;

    #[test]
    fn every_key_is_found_by_its_name() {
        assert_eq!(KEPT.map(|(name, _)| name), KEYS, "conditions know the same");
        for key in Key::all() {
            assert_eq!(key.name().parse(), Ok(key));
            assert_eq!(key.title(), key.name().to_uppercase());
        }
        assert_eq!("key.colour".parse::<Key>().map(|key| (key.name(), key.title())), Ok(("colour", "COLOUR")));
        for text in ["colour", "key.", "key.a b"] {
            assert!(text.parse::<Key>().unwrap_err().contains("there are site, func"), "{text}");
        }
    }
}
