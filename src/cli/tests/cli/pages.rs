// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Help, manual pages, completions.

use std::fs;

use alloctag::cli::Cli;
use alloctag::model::{Meta, Origin, Uname, Unreadable, Version};
use clap::Parser;

use crate::harness::{directory, run, words};

const COMMANDS: [&str; 27] = [
    "list",
    "top",
    "tree",
    "summary",
    "report",
    "treemap",
    "flame",
    "snap",
    "record",
    "check",
    "diff",
    "leak",
    "watch",
    "contexts",
    "stalls",
    "latency",
    "lifetimes",
    "trace",
    "profile",
    "fault",
    "sweep",
    "export",
    "serve",
    "bundle",
    "ctl",
    "completions",
    "man",
];

#[test]
fn help_shows_examples_for_every_command() {
    assert!(run("--version").clean().starts_with("alloctag 0."));
    let top = run("--help").clean();
    for command in COMMANDS {
        assert!(top.contains(&format!("\n  {command} ")), "{command}: {top}");
        for flag in ["-h", "--help"] {
            let help = run(&format!("{command} {flag}")).clean();
            assert!(help.contains("Examples:\n  alloctag "), "{command}: {help}");
        }
    }
}

/// The command lines of the tool in a line of a shell, without what is said about them.
fn command_lines(example: &str) -> impl Iterator<Item = &str> {
    let example = example.trim();
    let shown = example.find("  ").map_or(example, |end| &example[..end]);
    let commands = shown.split(" | ").flat_map(|part| part.split(" && "));
    // What may stand in front logs in elsewhere.
    let own = commands
        .filter_map(|command| command.strip_prefix("alloctag ").or_else(|| Some(command.split_once(" alloctag ")?.1)));
    own.filter_map(|line| line.split(" >").next())
}

#[test]
fn every_example_makes_sense() {
    let mut examples = 0;
    for command in COMMANDS {
        let help = run(&format!("{command} --help")).clean();
        let (_, lines) = help.split_once("Examples:\n").unwrap();
        for line in lines.lines().flat_map(command_lines) {
            let words = ["alloctag".to_owned()].into_iter().chain(words(line));
            if let Err(error) = Cli::try_parse_from(words) {
                panic!("{line}: {error}");
            }
            examples += 1;
        }
    }
    assert!(examples > 2 * COMMANDS.len(), "{examples}");
}

#[test]
fn what_comes_first_stands_first() {
    let help = run("diff --help").clean();
    assert!(help.find("  <A>\n").unwrap() < help.find("  [B]\n").unwrap(), "{help}");
}

#[test]
fn every_command_has_a_manual_page() {
    let directory = directory(&[]);
    assert_eq!(run(&format!("man --dir {}", directory.path().display())).clean(), "");
    for page in COMMANDS.map(|command| format!("alloctag-{command}")).into_iter().chain(["alloctag".to_owned()]) {
        let text = fs::read_to_string(directory.path().join(format!("{page}.1"))).unwrap();
        assert!(text.contains(".TH ") && text.contains("procfs"), "{page}: {text}");
        let name = page.strip_prefix("alloctag-").unwrap_or_default();
        assert_eq!(run(&format!("man {name}")).clean(), text, "{page}");
    }
    let tool = run("man").clean();
    for part in ["sweep finds a defect", "fault and trace run", "/alloctag/top.toml", "subsystems.toml"] {
        assert!(tool.contains(part), "{part}: {tool}");
    }
    for hidden in ["marked", "settle"] {
        assert!(!directory.path().join(format!("alloctag-{hidden}.1")).exists(), "{hidden}");
    }
    assert_eq!(run("man nonsense").failed(2), "alloctag: alloctag-nonsense: there is no such page");
    assert!(run("man --dir /no/such/dir").failed(1).contains("no such file or directory"));
}

#[test]
fn there_are_completions_for_every_shell() {
    for (shell, part) in [
        ("bash", "complete -F _alloctag"),
        ("zsh", "#compdef alloctag"),
        ("fish", "complete -c alloctag"),
        ("elvish", "edit:completion:arg-completer[alloctag]"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let script = run(&format!("completions {shell}")).clean();
        assert!(script.contains(part) && script.contains("include-backing"), "{shell}");
    }
    assert_eq!(run("completions tcsh").status, 2);
}

#[test]
fn shells_complete_groups_keys_and_fields_by_their_names() {
    let script = run("completions fish").clean();
    // By the command and the option's letter, whether files are offered, and what is.
    for (command, letter, word) in [
        ("list", "g", "subsystem"),
        ("list", "s", "avg"),
        ("list", "f", "backing"),
        ("top", "g", "module"),
        ("top", "s", "rate"),
        ("export", "g", "dir"),
        ("serve", "g", "file"),
        ("contexts", "b", "cgroup"),
        ("contexts", "s", "allocs"),
    ] {
        let option = format!("__fish_alloctag_using_subcommand {command}\" -s {letter} ");
        let (_, rest) = script.split_once(&option).unwrap_or_else(|| panic!("{command} -{letter}"));
        let (offered, _) = rest.split_once("\ncomplete ").unwrap();
        assert!(
            offered.contains(" -r -f -a \"") && offered.contains(&format!("{word}\\t")),
            "{command} -{letter}: {offered}"
        );
    }
}

/// The keys of an object and of those in it, but for what the kernel names.
fn keys(value: &serde_json::Value, all: &mut Vec<String>) {
    for (key, value) in value.as_object().into_iter().flatten() {
        all.push(key.clone());
        if key != "memory" {
            keys(value, all);
        }
    }
}

#[test]
fn the_page_names_every_field_of_a_snapshots_head() {
    let page =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Documentation/tools/alloctag.rst")).unwrap();
    let (_, section) = page.split_once("The JSON of ``META``").unwrap();
    let meta = Meta { version: Some(Version { major: 2, minor: 0 }), uname: Some(Uname::default()), ..Meta::default() };
    let mut names = Vec::new();
    keys(&serde_json::json!({"meta": meta, "unreadable": Unreadable::default()}), &mut names);
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        assert!(section.contains(&format!("``{name}``")), "{name}");
    }
    for origin in [Origin::Stdin, Origin::File("x".into()), Origin::Live("x".into())] {
        let origin = serde_json::to_string(&origin).unwrap().replace("\":\"x\"", "\": PATH");
        assert!(section.contains(&format!("``{origin}``")), "{origin}");
    }
}

#[test]
fn a_command_line_that_makes_no_sense_is_told_in_one_line() {
    for (line, expected) in [
        ("nosuch", "alloctag: unrecognized subcommand 'nosuch'; --help says more"),
        ("diff", "alloctag: the following required arguments were not provided: <A>; --help says more"),
        (
            "list --sorted",
            "alloctag: unexpected argument '--sorted' found; tip: a similar argument exists: '--sort'; --help says more",
        ),
        ("--nonsuch", "alloctag: unexpected argument '--nonsuch' found; --help says more"),
        ("list -x", "alloctag: unexpected argument '-x' found; --help says more"),
        (
            "fault func f --skip 2147483648 -- true",
            "alloctag: invalid value '2147483648' for '--skip <N>': 2147483648 is not in 0..=2147483647; --help says more",
        ),
        (
            "list --color red",
            "alloctag: invalid value 'red' for '--color <WHEN>' [possible values: auto, always, never]; --help says more",
        ),
    ] {
        assert_eq!(run(line).failed(2), expected);
    }
}

#[test]
fn numbers_below_zero_are_told_so() {
    for (line, told) in [
        ("-n -1", "-n -1: must not be below zero"),
        ("list --limit -1 crafted-2.0.txt", "--limit -1: must not be below zero"),
        ("list --limit=-1", "--limit -1: must not be below zero"),
        ("list recording@-1 --limit=-1", "--limit -1: must not be below zero"),
        ("leak -n-1 a", "--limit -1: must not be below zero"),
        ("diff a b -m -5", "-m -5: must not be below zero"),
        ("diff a b -m -5k", "-m -5k: must not be below zero"),
        ("diff a b --min=-5", "--min -5: must not be below zero"),
        ("leak --available -5M", "--available -5M: must not be below zero"),
        ("leak --min-growth=-5", "--min-growth -5: must not be below zero"),
        ("record --keep-size=-5 d", "--keep-size -5: must not be below zero"),
        ("record --keep-size -5 d", "--keep-size -5: must not be below zero"),
        ("record --keep-age -1d d", "--keep-age -1d: must not be below zero"),
        ("record --keep-age=-.5 d", "--keep-age -.5: must not be below zero"),
        ("tree --depth -1", "--depth -1: must not be below zero"),
        ("trace --buffer=-4M", "--buffer -4M: must not be below zero"),
        // Where zero will not do either.
        ("record -n -1 d", "-n -1: must not be below zero"),
        ("record -n=-1 d", "--count -1: must not be below zero"),
        ("record -i -5 d", "-i -5: must not be below zero"),
        ("leak --for=-1m", "--for -1m: must not be below zero"),
        // Which is nobody's value.
        ("list -5", "unexpected argument '-5' found"),
        ("leak -a -5", "unexpected argument '-5' found"),
    ] {
        assert_eq!(run(line).failed(2), format!("alloctag: {told}; --help says more"), "{line}");
    }
    // Call sites may be below zero.
    assert_eq!(run("list --min -5 crafted-2.0.txt").status, 0);
}
