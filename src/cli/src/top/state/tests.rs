// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::top::Line;

/// A board with lines of these names; one with a `+` in front is a closed branch, one with a `-` an open one.
fn board(names: &[&str]) -> Board {
    let line = |name: &&str| {
        let open = match name.as_bytes()[0] {
            b'+' => Some(false),
            b'-' => Some(true),
            _ => None,
        };
        Line { open, ..Line::new((*name).to_owned(), (*name).to_owned(), 0) }
    };
    Board { lines: names.iter().map(line).collect(), ..Board::default() }
}

fn state() -> State {
    State::new(Settings::default(), Duration::from_secs(2))
}

/// Types keys: names in brackets, all other characters for themselves. Returns the last effect.
fn typed(state: &mut State, keys: &str, board: &Board) -> Effect {
    let mut effect = Effect::None;
    let mut rest = keys;
    while let Some(first) = rest.chars().next() {
        let (code, modifiers, length) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((name, _)) => {
                let code = match name {
                    "Up" => KeyCode::Up,
                    "Down" => KeyCode::Down,
                    "Left" => KeyCode::Left,
                    "Right" => KeyCode::Right,
                    "PgUp" => KeyCode::PageUp,
                    "PgDn" => KeyCode::PageDown,
                    "Home" => KeyCode::Home,
                    "End" => KeyCode::End,
                    "Enter" => KeyCode::Enter,
                    "Esc" => KeyCode::Esc,
                    "Back" => KeyCode::Backspace,
                    "F1" => KeyCode::F(1),
                    control => KeyCode::Char(control.chars().last().expect("a control key has a letter")),
                };
                let modifiers = if name.starts_with('^') { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
                (code, modifiers, name.len() + 2)
            }
            None => (KeyCode::Char(first), KeyModifiers::NONE, first.len_utf8()),
        };
        effect = state.press(KeyEvent::new(code, modifiers), board, 3, &Subsystems::built_in());
        state.settle(board, 3);
        rest = &rest[length..];
    }
    effect
}

#[test]
fn keys_ask_the_world_for_what_only_it_can_do() {
    for (keys, expected) in [
        ("q", Effect::Quit),
        ("[^c]", Effect::Quit),
        ("/[^c]", Effect::Quit),
        ("?[^c]", Effect::Quit),
        ("[^z]", Effect::Suspend),
        ("[^l]", Effect::Redraw),
        ("d", Effect::Mark),
        ("D", Effect::Unmark),
        ("W", Effect::Keep),
        ("/W", Effect::None),
        ("[Enter]d", Effect::Mark),
        ("[Enter]D", Effect::Unmark),
        ("/q", Effect::None),
        ("/d", Effect::None),
        ("?q", Effect::None),
        ("[Enter]q", Effect::None),
        ("x", Effect::None),
    ] {
        assert_eq!(typed(&mut state(), keys, &board(&["a"])), expected, "{keys}");
    }
}

#[test]
fn keys_lead_through_a_recording() {
    let board = board(&["+a"]);
    let replay = |at| State { replay: Some(Progress { at, of: 40 }), ..state() };
    for (keys, effect, paused) in [
        (" ", Effect::None, true),
        ("  ", Effect::None, false),
        ("p", Effect::None, true),
        ("[Left]", Effect::Step(-1), true),
        ("[Right]", Effect::Step(1), true),
        ("]", Effect::Step(4), true),
        ("[[]", Effect::Step(-4), true),
        // In a filter and on the help page they are what they always are.
        ("/ ", Effect::None, false),
        ("?[Left]", Effect::None, false),
    ] {
        let mut state = replay(7);
        assert_eq!(typed(&mut state, keys, &board), effect, "{keys}");
        assert_eq!((state.paused, state.settings.open.is_empty()), (paused, true), "{keys}");
    }
    // At its end there is nothing to go on with.
    let mut state = State { paused: true, ..replay(39) };
    assert_eq!((typed(&mut state, " ", &board), state.paused), (Effect::Step(-40), false));
    // The branch of a tree is opened by Enter.
    let mut state = replay(7);
    assert_eq!(typed(&mut state, "[Enter]", &board), Effect::None);
    assert!(state.settings.open.contains("+a"));
    // The running kernel has no other times.
    let mut state = self::state();
    assert_eq!(typed(&mut state, "[Left]", &board), Effect::None);
    assert!(!state.paused);
}

#[test]
fn the_order_follows_its_keys() {
    for (keys, column, reversed) in [
        ("", Column::Bytes, false),
        (">", Column::Delta, false),
        (">>", Column::Rate, false),
        ("<", Column::Name, false),
        ("<>", Column::Bytes, false),
        ("c", Column::Calls, false),
        ("a", Column::Average, false),
        ("n", Column::Name, false),
        ("ri", Column::Rate, true),
        ("eii", Column::Delta, false),
        ("cs", Column::Bytes, false),
    ] {
        let mut state = state();
        let _ = typed(&mut state, keys, &board(&["a"]));
        assert_eq!((state.settings.order.column, state.settings.order.reversed), (column, reversed), "{keys}");
    }
}

#[test]
fn columns_come_and_go_by_their_numbers_and_names_stay() {
    for (keys, shown) in [
        ("", "bytes share delta rate calls avg trend name"),
        ("257", "bytes delta rate avg name"),
        ("2525", "bytes share delta rate calls avg trend name"),
        ("1234567", "name"),
        ("109", "share delta rate calls avg trend name"),
        ("8", "bytes share delta rate calls avg trend slack allocs waste name"),
        ("8468", "bytes share delta calls trend name"),
    ] {
        let mut state = state();
        let _ = typed(&mut state, keys, &board(&["a"]));
        let names: Vec<&str> = state.settings.columns.iter().map(|column| column.name()).collect();
        assert_eq!(names.join(" "), shown, "{keys}");
    }
}

#[test]
fn groups_go_round_in_both_directions() {
    for (keys, group) in [
        ("g", Group::Func),
        ("gg", Group::File),
        ("gggggg", Group::Site),
        ("G", Group::Subsystem),
        ("GG", Group::Module),
        ("gggG", Group::File),
    ] {
        let mut state = state();
        let _ = typed(&mut state, keys, &board(&["a"]));
        assert_eq!(state.settings.group, group, "{keys}");
    }
    let mut deep = state();
    deep.settings.group = Group::Dir(Some(2));
    let _ = typed(&mut deep, "g", &board(&[]));
    assert_eq!(deep.settings.group, Group::Site, "a depth is on no key");
}

#[test]
fn switches_turn_on_and_off() {
    let mut state = state();
    let lines = board(&["a"]);
    let _ = typed(&mut state, "ptzb", &lines);
    let settings = &state.settings;
    assert!(state.paused && settings.tree && settings.zeros && settings.include_backing);
    let _ = typed(&mut state, "ptzb", &lines);
    let settings = &state.settings;
    assert!(!(state.paused || settings.tree || settings.zeros || settings.include_backing));
    for units in [Units::Si, Units::Raw, Units::Iec] {
        let _ = typed(&mut state, "u", &lines);
        assert_eq!(state.units, units);
    }
}

#[test]
fn intervals_have_the_bounds_of_the_command_line() {
    let mut state = state();
    let _ = typed(&mut state, "-", &board(&[]));
    assert_eq!(state.interval, Duration::from_secs(1));
    let _ = typed(&mut state, "----------", &board(&[]));
    assert_eq!(state.interval, *INTERVALS.start());
    let _ = typed(&mut state, &"+".repeat(30), &board(&[]));
    assert_eq!(state.interval, *INTERVALS.end());
}

#[test]
fn a_filter_works_while_it_is_typed() {
    let mut state = state();
    let lines = board(&["a"]);
    let _ = typed(&mut state, "/ex", &lines);
    assert!(matches!(&state.settings.filter, Filter::Part(part) if part == "ex"));
    let _ = typed(&mut state, "[Back]", &lines);
    assert!(matches!(&state.settings.filter, Filter::Part(part) if part == "e"));
    let _ = typed(&mut state, "xt4[Enter]", &lines);
    assert_eq!((state.prompt.as_str(), &state.mode), ("ext4", &Mode::Browse));

    let _ = typed(&mut state, "/[^u]bytes>", &lines);
    assert!(state.problem.is_some());
    assert!(matches!(state.settings.filter, Filter::Part(_)), "the last good one stays in force");
    let _ = typed(&mut state, "[Enter]", &lines);
    assert!(matches!(state.mode, Mode::Filter(_)), "a bad one is not accepted");
    let _ = typed(&mut state, "1M", &lines);
    assert!(matches!(state.settings.filter, Filter::Condition(_)) && state.problem.is_none());
    let _ = typed(&mut state, " calls>2[^w][Back][Enter]", &lines);
    assert_eq!(state.prompt, "bytes>1M");

    let _ = typed(&mut state, "/zzz[Esc]", &lines);
    assert_eq!((state.prompt.as_str(), &state.mode), ("bytes>1M", &Mode::Browse));
    let _ = typed(&mut state, "[Esc]", &lines);
    assert!(matches!(state.settings.filter, Filter::All) && state.prompt.is_empty());
}

#[test]
fn the_cursor_stays_on_the_board_and_in_sight() {
    let lines = board(&["a", "b", "c", "d", "e"]);
    for (keys, cursor, first) in [
        ("", 0, 0),
        ("[Up]", 0, 0),
        ("jj", 2, 0),
        ("[Down][Down][Down]", 3, 1),
        ("[End]", 4, 2),
        ("[End]k", 3, 2),
        ("[End][Home]", 0, 0),
        ("[PgDn]", 3, 1),
        ("[PgDn][PgDn]", 4, 2),
        ("[End][PgUp]", 1, 1),
    ] {
        let mut state = state();
        let _ = typed(&mut state, keys, &lines);
        assert_eq!((state.cursor, state.first), (cursor, first), "{keys}");
    }
    let _ = typed(&mut state(), "j[Enter][PgDn] ", &board(&[]));
}

#[test]
fn the_cursor_keeps_to_its_line() {
    let mut state = state();
    let _ = typed(&mut state, "j", &board(&["a", "b", "c"]));
    state.settle(&board(&["x", "y", "z", "a", "b"]), 3);
    assert_eq!((state.cursor, state.first), (4, 2));
    state.settle(&board(&["x", "y"]), 3);
    assert_eq!((state.cursor, state.first), (1, 0));
    state.settle(&board(&[]), 0);
    assert_eq!((state.cursor, state.first), (0, 0));
}

#[test]
fn enter_shows_the_history_of_a_line_and_arrows_go_to_the_next() {
    let lines = board(&["a", "b"]);
    for (keys, mode) in [
        ("[Enter]", Mode::Details("a".into())),
        ("j[Enter]", Mode::Details("b".into())),
        ("[Enter][Down]", Mode::Details("b".into())),
        ("[Enter][Esc]", Mode::Browse),
        ("[Enter][Enter]", Mode::Browse),
        ("[Right]", Mode::Browse),
        ("?", Mode::Help),
        ("h", Mode::Help),
        ("[F1]", Mode::Help),
        ("?x", Mode::Browse),
    ] {
        let mut state = state();
        let _ = typed(&mut state, keys, &lines);
        assert_eq!(state.mode, mode, "{keys}");
    }
}

#[test]
fn branches_open_and_close() {
    let closed = board(&["+a", "b"]);
    for (keys, open) in [("[Enter]", true), (" ", true), ("[Right]", true), ("[Left]", false), ("j[Enter]", false)] {
        let mut state = state();
        let _ = typed(&mut state, keys, &closed);
        assert_eq!(state.settings.open.contains("+a"), open, "{keys}");
    }
    let open = board(&["-a", "-b"]);
    let mut state = state();
    let _ = typed(&mut state, "*", &open);
    assert!(state.settings.open_all);
    let _ = typed(&mut state, "[Left]", &open);
    assert!(!state.settings.open_all && state.settings.open.contains("-b") && !state.settings.open.contains("-a"));
}
