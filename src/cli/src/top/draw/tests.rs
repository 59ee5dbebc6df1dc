// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Golden screens, in `tests/data/top` of the package. To write them anew: `GOLDEN=write cargo test -p alloctag draw`.

use std::path::Path;
use std::time::Duration;
use std::{env, fs};

use ratatui::backend::TestBackend;
use ratatui::style::Color;
use ratatui::Terminal;

use super::*;
use crate::model::{Contexts, Meta, Names, Origin, Profile};
use crate::render::Style;
use crate::source::file;
use crate::subsystem::Subsystems;
use crate::time::Clock;
use crate::top::{Board, Filter, History, Settings, State};

const CAPTURE: &[u8] = include_bytes!("../../../tests/data/crafted-2.0.txt");

/// The capture at a time, with every size multiplied.
fn reading(uptime_ms: u64, factor: i64) -> Profile {
    let text = std::str::from_utf8(CAPTURE).unwrap();
    let grown = |line: &str| match line.trim_start().split_once(' ').map(|(size, rest)| (size.parse::<i64>(), rest)) {
        Some((Ok(size), rest)) if line.contains("fs/") => format!("{} {rest}", size * factor),
        _ => line.to_owned(),
    };
    let text: String = text.lines().map(|line| grown(line) + "\n").collect();
    let mut profile = file::decode(text.as_bytes(), Origin::Stdin, &mut Names::new()).unwrap();
    let memory = crate::source::surroundings::memory("MemTotal: 1048576 kB\nMemFree: 524288 kB\n");
    let time_ms = Some(1_795_244_400_000 + uptime_ms);
    profile.meta = Meta { uptime_ms: Some(uptime_ms), time_ms, memory, ..Meta::default() };
    profile
}

/// What a screen of that size shows after three readings, the colours of changed cells behind it.
fn screen(width: u16, height: u16, style: Style, change: impl FnOnce(&mut State, &Board)) -> String {
    screen_with(&Contexts::default(), (width, height), style, change)
}

/// The same with contexts.
fn screen_with(
    contexts: &Contexts,
    (width, height): (u16, u16),
    style: Style,
    change: impl FnOnce(&mut State, &Board),
) -> String {
    let mut history = History::default();
    history.record(reading(1000, 1));
    history.record(reading(3000, 2));
    let sample = history.record(reading(5000, 3));
    let mut state = State::new(Settings::default(), Duration::from_secs(2));
    let arrange = |state: &State| Board::arrange(&sample, &history, &state.settings, &Subsystems::built_in());
    let board = arrange(&state);
    change(&mut state, &board);
    let board = arrange(&state);
    state.settle(&board, Plan::of(height).rows.into());
    let scene = Scene {
        state: &state,
        board: &board,
        history: &history,
        meta: &sample.profile.meta,
        contexts,
        style,
        clock: &Clock::utc(),
        trouble: None,
    };
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, &scene)).unwrap();
    terminal.backend().to_string()
}

const UNICODE: Style = Style { color: true, unicode: true, width: None };

#[track_caller]
fn golden(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/top").join(name);
    if env::var_os("GOLDEN").is_some_and(|value| value == "write") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(found, expected, "{}\nfound:\n{found}", path.display());
}

#[test]
fn the_board_on_screens_of_every_size() {
    for (width, height) in [(120, 24), (80, 12), (50, 8), (20, 4), (12, 2)] {
        golden(&format!("board-{width}x{height}.txt"), &screen(width, height, UNICODE, |_, _| {}));
    }
}

#[test]
fn other_arrangements_of_the_board() {
    golden(
        "tree.txt",
        &screen(100, 16, UNICODE, |state, _| {
            state.settings.tree = true;
            state.settings.open_all = true;
        }),
    );
    golden(
        "subsystems.txt",
        &screen(100, 16, UNICODE, |state, _| {
            state.settings.group = crate::view::Group::Subsystem;
            state.settings.order = "rate".parse().unwrap();
        }),
    );
    golden("ascii.txt", &screen(120, 10, Style::default(), |_, _| {}));
    golden(
        "cursor.txt",
        &screen(80, 9, UNICODE, |state, board| {
            state.selected = board.lines.last().map(|line| line.id.clone());
            state.paused = true;
        }),
    );
}

#[test]
fn a_filter_being_typed_and_what_is_wrong_with_it() {
    golden(
        "filter.txt",
        &screen(80, 12, UNICODE, |state, _| {
            state.mode = Mode::Filter(String::new());
            state.prompt = "ext4".into();
            state.settings.filter = Filter::parse("ext4", &Subsystems::built_in()).unwrap();
        }),
    );
    golden(
        "filter-problem.txt",
        &screen(80, 6, UNICODE, |state, _| {
            state.mode = Mode::Filter(String::new());
            state.prompt = "bytes>x".into();
            state.problem = Filter::parse("bytes>x", &Subsystems::built_in()).err();
        }),
    );
    golden(
        "nothing.txt",
        &screen(60, 6, UNICODE, |state, _| {
            state.prompt = "no such name".into();
            state.settings.filter = Filter::parse("no such name", &Subsystems::built_in()).unwrap();
        }),
    );
}

#[test]
fn the_history_of_a_line() {
    let details = |state: &mut State, board: &Board| state.mode = Mode::Details(board.lines[0].id.clone());
    golden("details.txt", &screen(80, 16, UNICODE, details));
    golden("details-small.txt", &screen(40, 6, UNICODE, details));
    golden("details-ascii.txt", &screen(80, 12, Style::default(), details));
    let site = |bytes: u32| format!("{bytes} 9 fs/ext4/inode.c:1234 [ext4] func:ext4_alloc_inode");
    let text = format!(
        "contexts - version: 1.0\n{} ctx:2\n{} ctx:1 comm:my\\040task\n  ext4_alloc_inode+0x1/0x2 [ext4]\n  caller+0x3/0x4\n\
         9 1 other.c:1 func:g ctx:3\n",
        site(7),
        site(65536)
    );
    let contexts = crate::source::contexts::parse(text.as_bytes(), &mut Names::new()).unwrap();
    golden("details-callers.txt", &screen_with(&contexts, (80, 20), UNICODE, details));
    let lost = screen(60, 8, UNICODE, |state, _| state.mode = Mode::Details("nobody".into()));
    assert!(lost.contains("not shown any more"), "{lost}");
}

#[test]
fn the_help_page_names_every_key_or_as_many_as_fit() {
    golden("help.txt", &screen(100, 24, UNICODE, |state, _| state.mode = Mode::Help));
    golden("help-small.txt", &screen(40, 8, UNICODE, |state, _| state.mode = Mode::Help));
}

#[test]
fn the_page_of_documentation_shows_this_screen_and_these_keys() {
    const PAGE: &str = include_str!("../../../../../Documentation/tools/alloctag-top.rst");
    let shown = screen(96, 10, UNICODE, |_, _| {});
    golden("documented.txt", &shown);
    for line in shown.lines().map(|line| line.trim_matches('"').trim_end()) {
        assert!(PAGE.contains(&format!("    {line}\n")), "not in the page: {line}");
    }
    let words = PAGE.split_whitespace().collect::<Vec<_>>().join(" ");
    for (keys, meaning) in crate::top::keys::HELP {
        assert!(words.contains(&format!("``{keys}`` {meaning}")), "not in the page: {keys} {meaning}");
    }
}

#[test]
fn no_size_is_too_small() {
    let modes = [Mode::Browse, Mode::Help, Mode::Filter(String::new()), Mode::Details("x".into())];
    for (width, height) in [(1, 1), (1, 30), (200, 1), (2, 2), (3, 3), (9, 5), (300, 100)] {
        for mode in &modes {
            screen(width, height, UNICODE, |state, _| state.mode = mode.clone());
            screen(width, height, UNICODE, |state, board| state.mode = Mode::Details(board.lines[0].id.clone()));
        }
        let plan = Plan::of(height);
        assert_eq!(plan.about + plan.rows + u16::from(plan.head) + u16::from(plan.state), height);
        assert!(plan.rows > 0, "there is always a line of the table");
    }
}

#[test]
fn without_colours_there_are_none() {
    let mut history = History::default();
    history.record(reading(1000, 1));
    let sample = history.record(reading(3000, 2));
    let state = State::new(Settings::default(), Duration::from_secs(2));
    let board = Board::arrange(&sample, &history, &state.settings, &Subsystems::built_in());
    let colors = |style| {
        let scene = Scene {
            state: &state,
            board: &board,
            history: &history,
            meta: &sample.profile.meta,
            contexts: &sample.profile.contexts,
            style,
            clock: &Clock::utc(),
            trouble: None,
        };
        let mut terminal = Terminal::new(TestBackend::new(100, 20)).unwrap();
        terminal.draw(|frame| draw(frame, &scene)).unwrap();
        terminal.backend().buffer().content().iter().filter(|cell| cell.fg != Color::Reset).count()
    };
    assert_eq!(colors(Style { color: false, ..UNICODE }), 0);
    assert!(colors(UNICODE) > 0);
}
