// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What is wrong with a command line, in one line.

use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory};

use super::Cli;

/// What clap has against these words, without the usage, for which there is --help.
pub fn tell(error: &clap::Error, words: &[OsString]) -> String {
    let problem = below_zero(error, words).unwrap_or_else(|| one_line(&error.to_string()));
    format!("{problem}; --help says more")
}

/// What is wrong, and the tips. How to pass what is no option as a value is none: most have misspelt one.
fn one_line(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let is_tip = |part: &str| part.starts_with("tip: ") && !part.starts_with("tip: to pass ");
    let told = text.split("\n\n").enumerate().filter(|(place, part)| *place == 0 || is_tip(part.trim_start()));
    let words: Vec<&str> = told.flat_map(|(_, part)| part.split_ascii_whitespace()).collect();
    words.join(" ").replace(" tip:", "; tip:")
}

/// The same of a number below zero, which clap takes for an option or for no number.
fn below_zero(error: &clap::Error, words: &[OsString]) -> Option<String> {
    let told = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let (option, value) = match error.kind() {
        ErrorKind::UnknownArgument => {
            // Of a word clap tells the first letter that is no option.
            let found = told(ContextKind::InvalidArg)?;
            let place = words.iter().position(|word| word.to_str().is_some_and(|word| word.starts_with(found)))?;
            (words.get(place.checked_sub(1)?)?.to_str()?, words[place].to_str()?)
        }
        ErrorKind::ValueValidation => {
            (told(ContextKind::InvalidArg)?.split(' ').next()?, told(ContextKind::InvalidValue)?)
        }
        _ => return None,
    };
    let number = value.strip_prefix('-')?.strip_prefix('.').unwrap_or(&value[1..]);
    let is_meant = number.starts_with(|c: char| c.is_ascii_digit()) && takes_none(option, words);
    is_meant.then(|| format!("{option} {value}: must not be below zero"))
}

/// Whether an option has a value, and none that may begin with a hyphen.
fn takes_none(option: &str, words: &[OsString]) -> bool {
    let line = Cli::command();
    let named = |word: &OsString| line.find_subcommand(AsRef::<OsStr>::as_ref(word));
    let is_meant = |arg: &&Arg| match option.strip_prefix("--") {
        Some(long) => arg.get_long() == Some(long),
        None => arg.get_short().is_some_and(|short| option.strip_prefix('-') == Some(short.encode_utf8(&mut [0; 4]))),
    };
    let of_command = words.iter().find_map(named).into_iter().flat_map(Command::get_arguments);
    let found = of_command.chain(line.get_arguments()).find(is_meant);
    found.is_some_and(|arg| arg.get_action().takes_values() && !arg.is_allow_hyphen_values_set())
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn what_is_wrong_stands_in_one_line_with_the_tips_that_help() {
        for (text, expected) in [
            ("error: no\n\nUsage: a b\n\nFor more", "no"),
            ("error: no\n  [x]\n\n  tip: similar\n\nUsage: a", "no [x]; tip: similar"),
            ("error: no\n\n  tip: to pass 'x' as a value\n\nUsage: a", "no"),
        ] {
            assert_eq!(one_line(text), expected);
        }
    }
}
