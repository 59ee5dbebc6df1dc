// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag top` on a real terminal: tmux's.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use alloctag::model::Meta;

use crate::harness::{directory, snapshot};

/// How long something on the screen may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Said by the shell after the tool, with its status.
const AFTER: &str = "ended with";

/// A terminal with a shell that runs something in it, and a kernel to look at.
struct Terminal {
    procfs: TempDir,
}

/// Whatever becomes of a test, nothing of it stays behind.
impl Drop for Terminal {
    fn drop(&mut self) {
        let tool = self.tool();
        let _ = self.command(&["kill-server"]).output();
        if tool.is_empty() {
            return;
        }
        let start = Instant::now();
        while runs(&tool) {
            if start.elapsed() > PATIENCE {
                let _ = Command::new("kill").args(["-KILL", &tool]).status();
                assert!(std::thread::panicking(), "it outlives its terminal");
                return;
            }
            sleep(Duration::from_millis(10));
        }
    }
}

/// Whether a process is there and not dead.
fn runs(process: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat"));
    state.is_ok_and(|state| state.rsplit_once(')').is_some_and(|(_, state)| !state.starts_with(" Z")))
}

impl Terminal {
    /// A terminal of that size in which `alloctag top` with these options is on the screen.
    fn with_top(size: (u16, u16), options: &str) -> Terminal {
        let terminal = Terminal::new(size, |procfs| {
            format!("{} top -d 0.2 --procfs {procfs} {options}", env!("CARGO_BIN_EXE_alloctag"))
        });
        terminal.wait("inode.c", |screen| screen.contains("inode.c"));
        terminal
    }

    /// A terminal in which a shell, whose modes are told before and after, runs a command.
    fn new((width, height): (u16, u16), command: impl Fn(&str) -> String) -> Terminal {
        let terminal = Terminal { procfs: directory(&[("allocinfo", ""), ("modules", ""), ("cmdline", "")]) };
        terminal.allocinfo(4096);
        let path = terminal.procfs.path();
        let script = format!(
            "export RUST_BACKTRACE=0; stty -a >{dir}/before; {command}; status=$?; stty -a >{dir}/after; echo {AFTER} $status; exec sleep 600",
            dir = path.display(),
            command = command(&path.display().to_string()),
        );
        let size = [width.to_string(), height.to_string()];
        let out = terminal
            .command(&["-f", "/dev/null", "new-session", "-d", "-x", &size[0], "-y", &size[1], "bash", "-c", &script])
            .env("LC_ALL", "C.UTF-8")
            .env("TZ", "UTC")
            .env("XDG_CONFIG_HOME", path)
            .env_remove("TMUX")
            .output()
            .expect("these tests need tmux: apt install tmux");
        assert!(out.status.success(), "{out:?}");
        terminal
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(self.procfs.path().join("tmux")).args(arguments).stdin(Stdio::null());
        command
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let out = self.command(arguments).output().expect("tmux runs");
        assert!(out.status.success(), "{arguments:?}: {out:?}");
        String::from_utf8(out.stdout).unwrap()
    }

    /// Makes the inodes' call site hold so many bytes.
    fn allocinfo(&self, bytes: u64) {
        let text = format!(
            "allocinfo - version: 2.0\n\
             {bytes} 16 fs/ext4/inode.c:10 [ext4] func:ext4_alloc \n\
             2048 2 mm/util.c:20 func:kstrdup \n\
             1024 1 mm/util.c:30 func:kmemdup \n"
        );
        // In one step: the tool must not see half of it.
        fs::write(self.procfs.path().join("new"), text).unwrap();
        fs::rename(self.procfs.path().join("new"), self.procfs.path().join("allocinfo")).unwrap();
    }

    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Waits until the screen is as it should be, and returns it.
    #[track_caller]
    fn wait(&self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if holds(&screen) {
                return screen;
            }
            assert!(start.elapsed() < PATIENCE, "no {what}:\n{screen}");
            sleep(Duration::from_millis(50));
        }
    }

    #[track_caller]
    fn wait_for(&self, text: &str) -> String {
        self.wait(text, |screen| screen.contains(text))
    }

    /// Checks that the terminal is as it was: its modes, its screen, its cursor. Returns the screen.
    #[track_caller]
    fn given_back(&self, status: &str) -> String {
        let screen = self.wait_for(&format!("{AFTER} {status}"));
        // All but the first line, which has the size.
        let modes = |name: &str| {
            let text = fs::read_to_string(self.procfs.path().join(name)).unwrap();
            text.split_once('\n').expect("there are several lines").1.to_owned()
        };
        assert_eq!(modes("before"), modes("after"));
        assert!(modes("before").contains(" icanon") && modes("before").contains(" echo "));
        assert_eq!(self.tmux(&["display", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}"]), "0 1 0\n");
        screen
    }

    /// The process of the tool; nothing if it has ended.
    fn tool(&self) -> String {
        let shell = self.command(&["display", "-p", "#{pane_pid}"]).output().expect("tmux runs").stdout;
        let shell = String::from_utf8(shell).unwrap();
        let shell = shell.trim();
        // Shells have one process in the foreground.
        fs::read_to_string(format!("/proc/{shell}/task/{shell}/children")).unwrap_or_default().trim().to_owned()
    }

    fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.tool()]).status().unwrap().success());
    }
}

#[test]
fn the_screen_follows_the_kernel() {
    let terminal = Terminal::with_top((100, 20), "");
    terminal.allocinfo(8192);
    let screen = terminal.wait_for("+4.0Ki");
    let row = screen.lines().find(|line| line.contains("inode.c")).unwrap();
    assert!(row.trim_start().starts_with("8.0Ki"), "{row}");
    terminal.press(&["d"]);
    terminal.wait("new baseline", |screen| !screen.contains("+4.0Ki"));
    terminal.allocinfo(4096);
    terminal.wait_for("-4.0Ki");
    terminal.press(&["p"]);
    terminal.wait_for("paused");
    terminal.allocinfo(1 << 30);
    sleep(Duration::from_millis(600));
    assert!(!terminal.screen().contains("1.0Gi"), "it pauses");
    terminal.press(&["p"]);
    terminal.wait_for("1.0Gi");
    terminal.press(&["q"]);
    let screen = terminal.given_back("0");
    assert!(!screen.contains("inode.c"), "{screen}");
}

#[test]
fn keys_change_what_is_shown() {
    let terminal = Terminal::with_top((100, 26), "");
    terminal.press(&["/"]);
    terminal.press(&["-l", "kmem"]);
    terminal.wait("filtered lines", |screen| screen.contains("/kmem") && !screen.contains("inode.c"));
    terminal.press(&["Enter"]);
    terminal.wait_for("? help");
    terminal.press(&["Escape"]);
    terminal.wait_for("inode.c");
    terminal.press(&["g"]);
    terminal.wait_for("by func");
    terminal.press(&["t"]);
    terminal.wait_for("by func tree");
    terminal.press(&["t", "G", "n"]);
    let screen = terminal.wait_for("by site  sort name");
    assert!(screen.find("inode.c") < screen.find("util.c"), "{screen}");
    terminal.press(&["?"]);
    terminal.wait_for("filter as you type");
    terminal.press(&["x", "Enter"]);
    terminal.wait_for("since the baseline");
    terminal.press(&["C-c"]);
    terminal.given_back("0");
}

/// What the mouse sends: a button at a column and a line, from 1.
fn click(terminal: &Terminal, button: u8, column: usize, line: usize) {
    terminal.tmux(&["send-keys", "-l", &format!("\x1b[<{button};{column};{line}M\x1b[<{button};{column};{line}m")]);
}

#[test]
fn the_mouse_selects_opens_sorts_and_scrolls() {
    let terminal = Terminal::with_top((100, 20), "--raw-bytes");
    assert_eq!(terminal.tmux(&["display", "-p", "#{mouse_any_flag}"]), "1\n");
    let screen = terminal.screen();
    let head = screen.lines().position(|line| line.contains("BYTES")).expect("there is a head") + 1;
    let name = screen.lines().nth(head - 1).unwrap().find("NAME").unwrap() + 1;
    click(&terminal, 0, name, head);
    terminal.wait_for("sort name");
    click(&terminal, 0, name, head);
    terminal.wait_for("sort -name");
    // The last line is the inodes' now.
    click(&terminal, 0, 5, head + 3);
    click(&terminal, 0, 5, head + 3);
    terminal.wait("history", |screen| screen.contains("since the baseline") && screen.contains("ext4_alloc"));
    click(&terminal, 0, 5, 5);
    terminal.wait_for("RATE/s");
    click(&terminal, 64, 5, 5);
    terminal.press(&["Enter"]);
    terminal.wait("another history", |screen| screen.contains("since the baseline") && screen.contains("kmemdup"));
    terminal.press(&["Escape"]);
    terminal.wait_for("RATE/s");
    terminal.press(&["q"]);
    terminal.given_back("0");
    let without = Terminal::with_top((100, 20), "--no-mouse");
    assert_eq!(without.tmux(&["display", "-p", "#{mouse_any_flag}"]), "0\n");
    without.press(&["q"]);
    without.given_back("0");
}

#[test]
fn what_is_shown_can_be_kept_and_is_shown_the_next_time() {
    // The third time the settings are taken for none; the fourth they are damaged.
    let command = |procfs: &str| {
        let (tool, kept) = (env!("CARGO_BIN_EXE_alloctag"), format!("{procfs}/alloctag/top.toml"));
        let top = |options| format!("{tool} top -d 0.2 --procfs {procfs} {options}");
        let (file, none) = (top("-g file"), top("--no-settings"));
        format!("{}; {file}; {none}; echo 'sort = 7' >{kept}; {0}", top(""))
    };
    let terminal = Terminal::new((100, 20), command);
    terminal.wait_for("inode.c");
    terminal.press(&["g", "n", "i", "5", "7"]);
    terminal.wait("no CALLS", |screen| screen.contains("by func  sort -name") && !screen.contains("CALLS"));
    terminal.press(&["W"]);
    terminal.wait_for("/alloctag/top.toml");
    terminal.press(&["q"]);
    let screen = terminal.wait_for("by file  sort -name");
    assert!(!screen.contains("CALLS") && !screen.contains("TREND") && screen.contains("RATE/s"), "{screen}");
    terminal.press(&["q"]);
    let screen = terminal.wait_for("by site  sort bytes");
    assert!(screen.contains("CALLS"), "{screen}");
    terminal.press(&["q"]);
    terminal.wait_for("passed over: sort: no text");
    terminal.press(&["z"]);
    terminal.wait_for("by site  sort bytes");
    terminal.press(&["q"]);
    let screen = terminal.given_back("0");
    assert_eq!(screen.matches("passed over").count(), 1, "{screen}");
}

#[test]
fn a_recording_is_replayed_and_keys_lead_through_it() {
    let recording = directory(&[]);
    for number in 1..=9u64 {
        let meta = Meta { time_ms: Some(1_795_244_400_000 + 60_000 * number), ..Meta::default() };
        let path = recording.path().join(format!("{number:08}-x.alloctag"));
        snapshot(&path, &format!("{} 1 inode.c:1 func:grows \n", 100 * number), meta);
    }
    let terminal = Terminal::with_top((100, 20), &recording.path().display().to_string());
    let end = terminal.wait_for("9/9  by site");
    assert!(end.contains("2026-11-21 07:09:00 UTC") && end.contains("+800"), "{end}");
    terminal.wait_for("paused");
    terminal.press(&["Left"]);
    let before = terminal.wait_for("8/9  by site");
    assert!(before.contains("07:08:00") && before.contains("+700"), "{before}");
    terminal.press(&["Left", "Left", "Right"]);
    terminal.wait_for("7/9  by site");
    for _ in 0..9 {
        terminal.press(&["["]);
    }
    let first = terminal.wait_for("1/9  by site");
    assert!(first.contains("100 in 1 site") && first.contains("paused"), "{first}");
    terminal.press(&["Space"]);
    terminal.wait_for("9/9  by site");
    terminal.press(&["q"]);
    terminal.given_back("0");
}

#[test]
fn back_on_a_damaged_snapshot_what_is_shown_stays_with_its_changes() {
    let recording = directory(&[("00000002-x.alloctag", "damaged")]);
    for number in [1, 3, 4u64] {
        let meta = Meta { time_ms: Some(1_795_244_400_000 + 60_000 * number), ..Meta::default() };
        let path = recording.path().join(format!("{number:08}-x.alloctag"));
        snapshot(&path, &format!("{} 1 inode.c:1 func:grows \n", 100 * number), meta);
    }
    let terminal = Terminal::with_top((100, 20), &recording.path().display().to_string());
    terminal.wait_for("4/4  by site");
    terminal.wait_for("paused");
    terminal.press(&["Left"]);
    terminal.wait("the third", |screen| screen.contains("3/4  by site") && screen.contains("+200"));
    terminal.press(&["Left"]);
    let screen = terminal.wait_for("00000002-x.alloctag: is not");
    assert!(screen.contains("07:03:00") && screen.contains("+200"), "{screen}");
    terminal.press(&["Left"]);
    terminal.wait("the first", |screen| screen.contains("1/4  by site") && screen.contains("100 in 1 site"));
    terminal.press(&["q"]);
    terminal.given_back("0");
}

#[test]
fn the_screen_can_be_of_any_size_and_change_it() {
    let terminal = Terminal::with_top((100, 20), "");
    for (width, height, part) in [("30", "5", "inode.c"), ("10", "2", "4.0Ki"), ("1", "1", ""), ("120", "40", "TREND")]
    {
        terminal.tmux(&["resize-window", "-x", width, "-y", height]);
        terminal.wait_for(part);
    }
    terminal.press(&["q"]);
    terminal.given_back("0");
}

#[test]
fn a_reading_that_fails_is_told_and_the_next_one_shown() {
    let terminal = Terminal::with_top((100, 20), "");
    fs::rename(terminal.procfs.path().join("allocinfo"), terminal.procfs.path().join("away")).unwrap();
    let screen = terminal.wait_for("does not exist");
    assert!(screen.contains("inode.c"), "the last reading stays: {screen}");
    terminal.allocinfo(12_288);
    terminal.wait("recovery", |screen| screen.contains("12.0Ki") && !screen.contains("does not exist"));
    terminal.press(&["q"]);
    terminal.given_back("0");
}

#[test]
fn signals_end_it_and_the_terminal_is_given_back() {
    // The shell tells a death by signal as 128 and its number.
    for (signal, status) in [("-TERM", "143"), ("-HUP", "129"), ("-INT", "130"), ("-QUIT", "131")] {
        let terminal = Terminal::with_top((80, 12), "");
        terminal.signal(signal);
        terminal.given_back(status);
    }
}

#[test]
fn it_ends_with_its_terminal() {
    let terminal = Terminal::with_top((80, 12), "");
    let tool = terminal.tool();
    assert!(runs(&tool));
    terminal.tmux(&["kill-server"]);
    let start = Instant::now();
    while runs(&tool) {
        assert!(start.elapsed() < PATIENCE, "it goes on");
        sleep(Duration::from_millis(10));
    }
}

#[test]
fn it_can_be_suspended_and_woken() {
    let terminal = Terminal::with_top((80, 12), "");
    let tool = terminal.tool();
    terminal.press(&["C-z"]);
    let start = Instant::now();
    let state = || fs::read_to_string(format!("/proc/{tool}/stat")).unwrap();
    while !state().contains(") T ") {
        assert!(start.elapsed() < PATIENCE, "it does not stop");
        sleep(Duration::from_millis(50));
    }
    assert_eq!(terminal.tmux(&["display", "-p", "#{alternate_on} #{cursor_flag}"]), "0 1\n");
    terminal.signal("-CONT");
    terminal.wait_for("inode.c");
    assert_eq!(terminal.tmux(&["display", "-p", "#{alternate_on} #{cursor_flag}"]), "1 0\n");
    terminal.press(&["q"]);
    terminal.given_back("0");
}

#[test]
fn a_panic_gives_the_terminal_back_before_it_is_told() {
    let this = std::env::current_exe().unwrap();
    let terminal = Terminal::new((100, 20), |_| {
        format!("{} --exact top_live::panics_on_the_screen --ignored --nocapture", this.display())
    });
    let screen = terminal.given_back("101");
    assert!(screen.contains("on purpose"), "{screen}");
}

/// Run by the test above, on its terminal.
#[test]
#[ignore = "panics on purpose"]
fn panics_on_the_screen() {
    let mut out = std::io::stdout();
    let mut screen = alloctag::top::screen::Screen::enter(true, &mut out).unwrap();
    screen.clear().unwrap();
    panic!("on purpose");
}

#[test]
fn what_is_wrong_from_the_start_is_told_without_touching_the_terminal() {
    let terminal =
        Terminal::new((100, 20), |procfs| format!("{} top --procfs {procfs}/no", env!("CARGO_BIN_EXE_alloctag")));
    let screen = terminal.given_back("1");
    assert!(screen.contains("procfs is not mounted here"), "{screen}");
}

#[test]
fn what_lies_behind_the_end_of_a_packed_profile_is_said_on_the_screen() {
    let terminal = Terminal::new((100, 12), |procfs| {
        let file = format!("{procfs}/t.gz");
        let script = format!("echo '8 1 fs/inode.c:1 func:f ' | gzip >{file} && echo garbage >>{file}");
        assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
        format!("{} top --procfs {procfs} {file}", env!("CARGO_BIN_EXE_alloctag"))
    });
    terminal.wait("what was ignored", |screen| {
        screen.contains("inode.c") && screen.contains("ignored 8 bytes behind the end of what gzip packed")
    });
}
