// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Commands with all that they start. Alone in its process, for all of that process's children are ended.

use std::process::Command;
use std::time::{Duration, Instant};

use alloctag::interrupt::Interrupt;
use alloctag::sweep::process::{Ending, Processes};

#[test]
fn commands_end_by_themselves_or_are_ended() {
    let (long, short) = (Duration::from_secs(600), Duration::from_millis(100));
    let directory = tempfile::tempdir().unwrap();
    let left_behind = directory.path().join("pid");
    let interrupt = Interrupt::catch().unwrap();
    let mut before = Command::new("sleep").arg("1000").spawn().unwrap();
    let mut processes = Processes::adopt().unwrap();
    let mut spared = Command::new("sleep").arg("1000").spawn().unwrap();
    processes.spare(&spared);
    let mut looks = 0;
    let mut run =
        |command: &mut Command, timeout| processes.run(command, timeout, Some(&interrupt), &mut || looks += 1);
    let background = format!("setsid sleep 1000 & echo $! >{}", left_behind.display());
    for (script, timeout, expected) in [
        ("true", long, Ending::Status(0)),
        ("exit 3", long, Ending::Status(3)),
        ("kill -9 $$", long, Ending::Signal(9)),
        ("exec sleep 1000", short, Ending::Timeout),
        ("sleep 1000 | sleep 1000", short, Ending::Timeout),
        (&background, long, Ending::Status(0)),
        // What is left behind leaves something behind.
        ("setsid sh -c 'sleep 1000 & sleep 1000 & wait' & exit 0", long, Ending::Status(0)),
    ] {
        let begin = Instant::now();
        let ending = run(Command::new("sh").args(["-c", script]), timeout).unwrap();
        assert_eq!(ending, Some(expected), "{script}");
        assert!(begin.elapsed() < long, "{script}");
    }
    let pid = std::fs::read_to_string(left_behind).unwrap();
    assert!(!std::path::Path::new("/proc").join(pid.trim()).exists(), "it is still there");
    assert!(run(&mut Command::new("/no/such"), long).is_err());
    assert!(looks > 0);
    for child in [&mut before, &mut spared] {
        assert!(child.try_wait().unwrap().is_none(), "it was not to be ended");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
