// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Whether the tests name everything there is: each option of each command, each format, each verdict.

use std::fs;
use std::path::{Path, PathBuf};

use alloctag::cli::Cli;
use alloctag::trend::Verdict;
use clap::{Arg, Command, CommandFactory};
use regex_lite::Regex;

/// The tests that run the tool, by the name of their file: those of this directory, and what is run in the guest.
fn tests() -> Vec<(String, String)> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = fs::read_dir(package.join("tests/cli")).unwrap().map(|entry| entry.unwrap().path());
    let guest: PathBuf = package.join("../../tests/tool/guest");
    let suite: PathBuf = package.join("../../tests/suites/cli-report");
    own.chain([guest, suite])
        .filter(|path| !path.ends_with("coverage.rs"))
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap()))
        .collect()
}

/// Whether some test of `command` has the option: one in the command's own file, or a line that names both.
fn is_tested(command: &str, arg: &Arg, tests: &[(String, String)]) -> bool {
    let long = arg.get_long().map(|long| format!("--{long}"));
    let short = arg.get_short().map(|short| format!("-{short}"));
    let names: Vec<String> = long.into_iter().chain(short).map(|name| regex_lite::escape(&name)).collect();
    let option = Regex::new(&format!(r#"(^|[\s"'`(])({})($|[\s"'`=,)\\])"#, names.join("|"))).unwrap();
    let word = Regex::new(&format!(r"\b{command}\b")).unwrap();
    tests.iter().any(|(file, text)| {
        let own = file.split('_').next() == Some(command)
            || (file == "picture" && ["report", "treemap", "flame"].contains(&command));
        text.lines().any(|line| option.is_match(line) && (own || word.is_match(line)))
    })
}

#[test]
fn every_option_of_every_command_is_in_a_test() {
    let tests = tests();
    let cli = Cli::command();
    let mut untested = Vec::new();
    let mut options = 0;
    for command in cli.get_subcommands() {
        for arg in command.get_arguments().filter(|arg| !arg.is_positional() && !arg.is_hide_set()) {
            options += 1;
            if !is_tested(command.get_name(), arg, &tests) {
                untested.push(format!("{} --{}", command.get_name(), arg.get_id()));
            }
        }
    }
    assert!(options > 100, "{options}");
    assert_eq!(untested, Vec::<String>::new());
}

#[test]
fn every_option_of_all_commands_is_in_a_test() {
    let tests = tests();
    for arg in Cli::command().get_arguments().filter(|arg| !arg.is_positional()) {
        let name = format!("--{}", arg.get_long().expect("they have long names"));
        assert!(tests.iter().any(|(_, text)| text.contains(&name)), "{name}");
    }
}

#[test]
fn every_value_that_can_be_chosen_is_in_a_test() {
    let tests = tests();
    let cli = Cli::command();
    let mut untested = Vec::new();
    let values = |command: &Command| -> Vec<String> {
        let args = command.get_arguments().filter(|arg| arg.get_action().takes_values());
        args.flat_map(|arg| arg.get_possible_values()).map(|value| value.get_name().to_owned()).collect()
    };
    for command in cli.get_subcommands() {
        for value in values(command) {
            let word = Regex::new(&format!(r"\b{}\b", regex_lite::escape(&value))).unwrap();
            if !tests.iter().any(|(_, text)| word.is_match(text)) {
                untested.push(format!("{} {value}", command.get_name()));
            }
        }
    }
    assert_eq!(untested, Vec::<String>::new());
}

#[test]
fn every_verdict_is_in_a_test_here_and_but_for_short_in_the_guest() {
    let tests = tests();
    let text = |name: &str| &tests.iter().find(|(file, _)| file == name).expect("it is there").1;
    for verdict in Verdict::ALL {
        assert!(text("leak").contains(&format!("\"{verdict}\"")), "{verdict}");
        let in_guest = text("guest").contains(&format!(" {verdict}\n"));
        assert!(in_guest || verdict == Verdict::Short, "{verdict}");
    }
}

#[test]
fn every_option_is_explained_and_every_command_has_examples() {
    // What is hidden is for the tool itself.
    for command in Cli::command().get_subcommands().filter(|command| !command.is_hide_set()) {
        let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        assert!(examples.contains(&format!("  alloctag {} ", command.get_name())), "{}", command.get_name());
        // Nothing but examples stands behind them, as lines that need not be broken; what does not is prose.
        let (_, lines) = examples.split_once("Examples:\n").expect("they have a title");
        assert!(lines.lines().all(|line| line.starts_with("  ") && line.len() <= 100), "{lines}");
        for arg in command.get_arguments() {
            assert!(arg.get_help().is_some(), "{} {}", command.get_name(), arg.get_id());
        }
    }
}
