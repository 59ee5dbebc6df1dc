// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Makes `list` the default command.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::CommandFactory;

use super::Cli;

/// Global options that take a value of their own.
const WITH_VALUE: [&str; 2] = ["--color", "--procfs"];

/// Inserts `list` where a command line names no command.
///
/// A word that is neither a command nor a file is left for clap, which knows what it resembles.
pub fn with_command(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut place = 1.min(arguments.len());
    while let Some(argument) = arguments.get(place) {
        let text = argument.to_string_lossy();
        let global = text == "--no-color" || WITH_VALUE.iter().any(|name| text == *name || is_assignment(&text, name));
        if !global {
            break;
        }
        place += if WITH_VALUE.contains(&text.as_ref()) { 2 } else { 1 };
    }
    let named = arguments.get(place).is_some_and(|argument| is_command(argument));
    if !named {
        arguments.insert(place.min(arguments.len()), "list".into());
    }
    arguments
}

fn is_assignment(text: &str, name: &str) -> bool {
    text.strip_prefix(name).is_some_and(|rest| rest.starts_with('='))
}

fn is_command(argument: &OsStr) -> bool {
    let text = argument.to_string_lossy();
    if let "-h" | "--help" | "-V" | "--version" | "help" = text.as_ref() {
        return true;
    }
    if Cli::command().get_subcommands().any(|command| command.get_name() == text) {
        return true;
    }
    !text.starts_with('-') && !text.contains(['/', '.', '@']) && !Path::new(argument).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_is_meant_where_no_command_is_named() {
        for (typed, expected) in [
            ("", "list"),
            ("-n 3", "list -n 3"),
            ("list -n 3", "list -n 3"),
            ("--no-color -n 3", "--no-color list -n 3"),
            ("--color never tree", "--color never tree"),
            ("--color=never --procfs /p", "--color=never --procfs /p list"),
            ("--help", "--help"),
            ("-V", "-V"),
            ("help tree", "help tree"),
            ("-", "list -"),
            ("/proc/allocinfo", "list /proc/allocinfo"),
            ("Cargo.toml", "list Cargo.toml"),
            ("recording@-1h -n 3", "list recording@-1h -n 3"),
            ("lits", "lits"),
            ("--color", "--color list"),
        ] {
            let words = std::iter::once("alloctag").chain(typed.split_ascii_whitespace()).map(OsString::from);
            let found: Vec<_> =
                with_command(words).into_iter().skip(1).map(|word| word.into_string().unwrap()).collect();
            assert_eq!(found.join(" "), expected, "{typed}");
        }
        assert_eq!(with_command([]), ["list"]);
    }
}
