// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Runs the tool in `tests/data`, in an environment of its own.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use alloctag::model::{Meta, Names, Origin};
use alloctag::snapshot;
use alloctag::source::file;
use tempfile::TempDir;

/// What a run left behind.
pub struct Ran {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// The output of a run that must have gone well and said nothing on standard error.
    #[track_caller]
    pub fn clean(self) -> String {
        assert_eq!((self.status, self.err.as_str()), (0, ""), "{}", self.out);
        self.out
    }

    /// The one line on standard error of a run that must have failed with `status` and written nothing.
    #[track_caller]
    pub fn failed(self, status: i32) -> String {
        assert_eq!((self.status, self.out.as_str()), (status, ""), "{}", self.err);
        let line = self.err.strip_suffix('\n').expect("a line ends");
        assert_eq!(line.lines().count(), 1, "{line}");
        line.to_owned()
    }

    /// Output that must be JSON.
    #[track_caller]
    pub fn json(self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            status: output.status.code().expect("no signal ends it"),
            out: String::from_utf8(output.stdout).expect("output is UTF-8"),
            err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }
}

/// The tool, to be run with the [`words`] of a line.
pub fn tool(line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alloctag"));
    command.args(words(line)).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data"));
    command.env_clear().env("LC_ALL", "C.UTF-8").env("TZ", "UTC").stdin(Stdio::null());
    command
}

/// Copies a program. Another process does: what this one has open for writing, a child that another test is just starting has as
/// well, and what is open for writing cannot be run.
pub fn install(from: &Path, to: &Path) {
    let installed = Command::new("install").args(["-m", "755"]).arg(from).arg(to).status();
    assert!(installed.unwrap().success(), "{}", to.display());
}

/// Runs the tool.
pub fn run(line: &str) -> Ran {
    tool(line).output().expect("the tool starts").into()
}

/// Runs the tool with something on standard input.
pub fn run_with_input(line: &str, input: &[u8]) -> Ran {
    let mut command = tool(line);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the tool starts");
    let mut stdin = child.stdin.take().expect("it has a pipe");
    std::thread::scope(|scope| {
        // It may well stop reading.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the tool ends").into()
    })
}

/// Tries something that takes time, and a machine that has some left: within a second, two, four, up to a minute.
#[track_caller]
pub fn patiently<T>(attempt: impl Fn(Duration) -> Result<T, String>) -> T {
    let mut problem = String::new();
    for seconds in [1, 2, 4, 8, 16, 32, 64].map(Duration::from_secs) {
        match attempt(seconds) {
            Ok(found) => return found,
            Err(reason) => problem = reason,
        }
    }
    panic!("not in a minute either: {problem}");
}

/// A directory with these files in it.
pub fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = TempDir::new().expect("there is room");
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("it is below the directory")).expect("there is room");
        fs::write(path, text).expect("there is room");
    }
    directory
}

/// Keeps the rows of a text as a snapshot, read in these circumstances.
pub fn snapshot(path: &Path, text: &str, meta: Meta) {
    let mut profile = file::decode(text.as_bytes(), Origin::Stdin, &mut Names::new()).expect("it is a profile");
    profile.meta = meta;
    fs::write(path, snapshot::encode(&profile)).expect("there is room");
}

/// Lines of a text as a list, to be compared with one.
pub fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// The words of a line. `'…'` keeps blanks together.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_ascii_whitespace().map(str::to_owned));
        }
    }
    words
}
