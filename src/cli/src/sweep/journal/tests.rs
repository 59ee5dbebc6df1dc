// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::sweep::found::Verdict;
use crate::sweep::process::Ending;
use crate::sweep::said::{Gravity, Said};
use crate::sweep::settings::Part;

fn settings() -> Settings {
    Settings {
        command: vec!["true".into()],
        cleanup: None,
        condition: None,
        nth: 1,
        timeout_ms: 1000,
        part: Part::WHOLE,
    }
}

fn trial(line: u32) -> Trial {
    Trial { site: Site { file: "a.c".into(), line, func: "f".into(), module: None }, nth: 1 }
}

fn found(gravity: Option<Gravity>) -> Found {
    Found { said: Said { gravity, ..Said::default() }, ..Found::ended(true, Ending::Status(1)) }
}

fn open(directory: &Path, boot: &str) -> Result<Journal> {
    Journal::open(Some(directory), &settings(), boot, false)
}

#[test]
fn a_sweep_goes_on_where_it_was_stopped() {
    let directory = tempfile::tempdir().unwrap();
    let sites = vec![trial(1).site, trial(2).site];
    let mut journal = open(directory.path(), "a").unwrap();
    journal.plan(sites.clone()).unwrap();
    journal.begin(trial(1)).unwrap();
    journal.end(trial(1), found(None)).unwrap();
    journal.begin(trial(2)).unwrap();
    drop(journal);
    // The tool was stopped, and not the kernel: the second one was not made.
    let journal = open(directory.path(), "a").unwrap();
    assert_eq!(journal.past().plan, Some(sites));
    assert_eq!(journal.past().of(&trial(1)), Some(&found(None)));
    assert_eq!(journal.past().of(&trial(2)), None);
    drop(journal);
    // Nor has it anything to do with a kernel that went down after that.
    assert_eq!(open(directory.path(), "b").unwrap().past().of(&trial(2)), None);
}

#[test]
fn what_was_tried_when_the_kernel_went_down_has_brought_it_down() {
    let directory = tempfile::tempdir().unwrap();
    let mut journal = open(directory.path(), "a").unwrap();
    journal.begin(trial(1)).unwrap();
    drop(journal);
    let path = directory.path().join(FILE);
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str("{\"console\":[\"kernel BUG at a.c:7!\"]}\n{\"end\":{\"tri");
    fs::write(&path, &text).unwrap();
    let journal = open(directory.path(), "b").unwrap();
    let found = journal.past().of(&trial(1)).unwrap();
    assert_eq!(
        (found.verdict(), &found.said.complaints[..]),
        (Verdict::Oopsed, &["kernel BUG at a.c:7!".to_owned()][..])
    );
    drop(journal);
    assert_eq!(read(directory.path()).unwrap().ended.len(), 1);
}

#[test]
fn what_was_stopped_has_brought_no_kernel_down() {
    let directory = tempfile::tempdir().unwrap();
    let mut journal = open(directory.path(), "a").unwrap();
    journal.begin(trial(1)).unwrap();
    journal.abandon().unwrap();
    journal.abandon().unwrap();
    drop(journal);
    assert_eq!(open(directory.path(), "b").unwrap().past().ended, []);
}

#[test]
fn a_kernel_that_was_booted_after_a_crash_is_not_spent() {
    let directory = tempfile::tempdir().unwrap();
    let mut journal = open(directory.path(), "a").unwrap();
    journal.begin(trial(1)).unwrap();
    drop(journal);
    drop(open(directory.path(), "b").unwrap());
    assert_eq!(open(directory.path(), "b").unwrap().past().ended.len(), 1);
}

#[test]
fn what_comes_to_light_later_counts() {
    let directory = tempfile::tempdir().unwrap();
    let mut journal = open(directory.path(), "a").unwrap();
    journal.begin(trial(1)).unwrap();
    journal.end(trial(1), found(None)).unwrap();
    journal.begin(trial(2)).unwrap();
    journal.end_again(trial(1), found(Some(Gravity::Damage))).unwrap();
    journal.end(trial(2), found(None)).unwrap();
    let damaged = found(Some(Gravity::Damage));
    assert_eq!(journal.past().ended, [(trial(1), damaged), (trial(2), found(None))]);
    drop(journal);
    assert!(open(directory.path(), "a").unwrap_err().to_string().contains("boot it anew"));
}

#[test]
fn a_kernel_that_was_spent_is_not_gone_on_with() {
    let directory = tempfile::tempdir().unwrap();
    let mut journal = open(directory.path(), "a").unwrap();
    journal.begin(trial(1)).unwrap();
    journal.end(trial(1), found(Some(Gravity::Damage))).unwrap();
    drop(journal);
    assert!(open(directory.path(), "a").unwrap_err().to_string().contains("boot it anew"));
    assert_eq!(open(directory.path(), "b").unwrap().past().ended.len(), 1);
}

#[test]
fn what_is_no_journal_or_another_ones_is_left_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let journal = open(directory.path(), "a").unwrap();
    assert!(open(directory.path(), "a").unwrap_err().to_string().contains("another alloctag"));
    drop(journal);
    let other = Settings { nth: 2, ..settings() };
    let refused = Journal::open(Some(directory.path()), &other, "a", false).unwrap_err();
    assert!(refused.to_string().contains("holds another sweep"));
    let path = directory.path().join(FILE);
    for (text, expected) in [
        ("text\n", "is no journal of a sweep"),
        ("{\"done\":null}\n", "is no journal"),
        ("\"done\"\n", "is no journal of a sweep"),
        (&fs::read_to_string(&path).unwrap().replacen("\"version\":1", "\"version\":2", 1), "is of version 2"),
        (&format!("{}x\n", fs::read_to_string(&path).unwrap()), "line 3 is no entry"),
    ] {
        fs::write(&path, text).unwrap();
        let error = open(directory.path(), "a").unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), *text);
    }
    assert!(read(&directory.path().join("none")).is_err());
}

#[test]
fn without_a_directory_nothing_is_kept() {
    let mut journal = Journal::open(None, &settings(), "a", false).unwrap();
    journal.begin(trial(1)).unwrap();
    journal.end(trial(1), found(None)).unwrap();
    journal.done().unwrap();
    assert!(journal.past().done);
}
