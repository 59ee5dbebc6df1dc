// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a sweep is to do.

use std::ffi::OsString;
use std::fmt;
use std::os::unix::ffi::OsStringExt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::model::Site;

/// One of several parts of a sweep, which together are the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Part {
    /// Which one, from 1 on.
    number: u32,
    /// Of how many.
    of: u32,
}

impl Part {
    /// All of it.
    pub const WHOLE: Part = Part { number: 1, of: 1 };

    /// Whether these, in order, are each part of one whole, once.
    pub fn are_all(parts: &[Part]) -> bool {
        (1..).zip(parts).all(|(number, part)| part.number == number && part.of as usize == parts.len())
    }

    /// Whether a call site belongs to it. That goes by its name alone, for each part learns for itself which there are.
    pub fn has(self, site: &Site) -> bool {
        let mut hash = flate2::Crc::new();
        hash.update(site.to_string().as_bytes());
        hash.sum() % self.of == self.number - 1
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Part { number, of }),
            _ => Err("a part is given as 2/4, the second one of four".to_owned()),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// What a sweep is to do: the same as long as it lasts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The command and its arguments.
    #[serde(with = "words")]
    pub command: Vec<OsString>,
    /// What the shell runs after each time, with nothing failing.
    pub cleanup: Option<String>,
    /// Which call sites, of those that it touches.
    pub condition: Option<String>,
    /// How often a call site is tried: its first time, its second one and so on.
    pub nth: u32,
    /// When the command is given up, in milliseconds.
    pub timeout_ms: u64,
    /// Which part of the call sites.
    pub part: Part,
}

/// Words that need not be text.
mod words {
    use serde::de::Error;
    use serde::{Deserializer, Serializer};

    use super::{Deserialize, OsString, OsStringExt, Serialize};

    pub(super) fn serialize<S: Serializer>(words: &[OsString], serializer: S) -> Result<S::Ok, S::Error> {
        let texts: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
        match texts {
            Some(texts) => texts.serialize(serializer),
            None => words.iter().map(|word| word.clone().into_vec()).collect::<Vec<_>>().serialize(serializer),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<OsString>, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Word {
            Text(String),
            Bytes(Vec<u8>),
        }
        let words = Vec::<Word>::deserialize(deserializer).map_err(D::Error::custom)?;
        Ok(words
            .into_iter()
            .map(|word| match word {
                Word::Text(text) => text.into(),
                Word::Bytes(bytes) => OsString::from_vec(bytes),
            })
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_site_is_in_one_part() {
        let sites = (1..100).map(|line| Site { file: "a.c".into(), line, func: "f".into(), module: None });
        let parts: Vec<Part> = (1..=3).map(|number| format!("{number}/3").parse().unwrap()).collect();
        for site in sites {
            assert_eq!(parts.iter().filter(|part| part.has(&site)).count(), 1, "{site}");
            assert!(Part::WHOLE.has(&site));
        }
    }

    #[test]
    fn a_part_is_one_of_so_many() {
        for wrong in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
        let parts = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<Part>>();
        for (texts, expected) in [
            (&["1/1"][..], true),
            (&["1/2", "2/2"], true),
            (&["1/2"], false),
            (&["1/3", "3/3"], false),
            (&["1/2", "1/2"], false),
            (&["1/2", "2/3"], false),
        ] {
            assert_eq!(Part::are_all(&parts(texts)), expected, "{texts:?}");
        }
        assert_eq!("2/4".parse::<Part>().unwrap().to_string(), "2/4");
    }

    #[test]
    fn a_command_comes_back_as_it_was() {
        for word in [OsString::from("ä b"), OsString::from_vec(vec![0xff, 0x41])] {
            let settings = Settings {
                command: vec!["x".into(), word],
                cleanup: None,
                condition: Some("module=-".to_owned()),
                nth: 1,
                timeout_ms: 1,
                part: Part::WHOLE,
            };
            let text = serde_json::to_string(&settings).unwrap();
            assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
        }
    }
}
