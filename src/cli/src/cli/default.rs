// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Makes `list` the default command.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::{Command, CommandFactory};

use super::Cli;

/// Inserts `list` where a command line names no command.
///
/// A word that is neither a command nor a file is left for clap, which knows what it resembles.
pub fn with_command(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let command = Cli::command();
    let mut place = 1.min(arguments.len());
    while let Some(words) = arguments.get(place).and_then(|argument| global(&command, &argument.to_string_lossy())) {
        place += words;
    }
    let named = arguments.get(place).is_some_and(|argument| is_command(&command, argument));
    if !named {
        arguments.insert(place.min(arguments.len()), "list".into());
    }
    arguments
}

/// How many words an option of every command takes, itself among them; `None` if this is none.
fn global(command: &Command, argument: &str) -> Option<usize> {
    let option = argument.strip_prefix("--")?;
    let name = option.split('=').next()?;
    let known = command.get_arguments().find(|known| known.is_global_set() && known.get_long() == Some(name))?;
    Some(if known.get_action().takes_values() && name == option { 2 } else { 1 })
}

fn is_command(command: &Command, argument: &OsStr) -> bool {
    let text = argument.to_string_lossy();
    if let "-h" | "--help" | "-V" | "--version" | "help" = text.as_ref() {
        return true;
    }
    if command.get_subcommands().any(|command| command.get_name() == text) {
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
            ("--utc tree", "--utc tree"),
            ("--utc", "--utc list"),
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
