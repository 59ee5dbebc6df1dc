// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the mouse changes, as [`State::press`] is what keys do.

use crossterm::event::{KeyCode, MouseButton, MouseEventKind};

use super::draw::Spot;
use super::{Board, Column, Mode, State};

/// Lines that a turn of the wheel goes.
const TURN: usize = 3;

impl State {
    /// Takes what the mouse has done at some place. `rows` is how many lines can be seen.
    pub fn point(&mut self, kind: MouseEventKind, spot: Spot, board: &Board, rows: usize) {
        match (kind, &self.mode) {
            // Whoever types does not want the board to move.
            (_, Mode::Filter(_)) => {}
            (MouseEventKind::Down(MouseButton::Left), Mode::Browse) => self.click(spot, board),
            (MouseEventKind::Down(MouseButton::Left), _) => self.mode = Mode::Browse,
            (MouseEventKind::ScrollUp, Mode::Browse) => self.turn(KeyCode::Up, board, rows),
            (MouseEventKind::ScrollDown, Mode::Browse) => self.turn(KeyCode::Down, board, rows),
            _ => {}
        }
    }

    fn turn(&mut self, code: KeyCode, board: &Board, rows: usize) {
        for _ in 0..TURN {
            self.travel(code, board, rows);
        }
    }

    fn click(&mut self, spot: Spot, board: &Board) {
        match spot {
            Spot::Head(Column::Trend) | Spot::Elsewhere => {}
            Spot::Head(column) => {
                // A share is one of bytes.
                let column = if column == Column::Share { Column::Bytes } else { column };
                let order = &mut self.settings.order;
                order.reversed = order.column == column && !order.reversed;
                order.column = column;
            }
            Spot::Line(place) => {
                let Some(line) = board.lines.get(place) else { return };
                if self.cursor == place {
                    self.open(KeyCode::Enter, board);
                } else {
                    (self.cursor, self.selected) = (place, Some(line.id.clone()));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::top::{Line, Settings};
    use std::time::Duration;

    const CLICK: MouseEventKind = MouseEventKind::Down(MouseButton::Left);

    fn board() -> Board {
        let lines = ["a", "b", "c", "d", "e"].map(|name| Line::new(name.to_owned(), name.to_owned(), 0));
        Board { lines: lines.to_vec(), ..Board::default() }
    }

    fn state() -> State {
        State::new(Settings::default(), Duration::from_secs(2))
    }

    #[test]
    fn a_click_on_a_line_selects_it_and_another_opens_it() {
        let mut state = state();
        state.point(CLICK, Spot::Line(2), &board(), 3);
        assert_eq!((state.cursor, state.selected.as_deref(), &state.mode), (2, Some("c"), &Mode::Browse));
        state.point(CLICK, Spot::Line(2), &board(), 3);
        assert_eq!(state.mode, Mode::Details("c".into()));
        state.point(CLICK, Spot::Elsewhere, &board(), 3);
        assert_eq!(state.mode, Mode::Browse, "a click anywhere goes back");
        state.point(CLICK, Spot::Line(99), &board(), 3);
        assert_eq!(state.cursor, 2);
    }

    #[test]
    fn a_click_on_a_head_sorts_and_another_turns_it_round() {
        let mut state = state();
        for (column, expected, reversed) in [
            (Column::Rate, Column::Rate, false),
            (Column::Rate, Column::Rate, true),
            (Column::Rate, Column::Rate, false),
            (Column::Share, Column::Bytes, false),
            (Column::Trend, Column::Bytes, false),
            (Column::Name, Column::Name, false),
        ] {
            state.point(CLICK, Spot::Head(column), &board(), 3);
            let order = state.settings.order;
            assert_eq!((order.column, order.reversed), (expected, reversed), "{column:?}");
        }
    }

    #[test]
    fn the_wheel_scrolls() {
        let mut state = state();
        state.point(MouseEventKind::ScrollDown, Spot::Elsewhere, &board(), 3);
        assert_eq!(state.cursor, 3);
        state.point(MouseEventKind::ScrollDown, Spot::Line(1), &board(), 3);
        assert_eq!(state.cursor, 4);
        state.point(MouseEventKind::ScrollUp, Spot::Elsewhere, &board(), 3);
        assert_eq!(state.cursor, 1);
    }

    #[test]
    fn nothing_moves_while_a_filter_is_typed() {
        let mut state = State { mode: Mode::Filter(String::new()), ..state() };
        state.point(CLICK, Spot::Line(2), &board(), 3);
        state.point(MouseEventKind::ScrollDown, Spot::Line(2), &board(), 3);
        assert_eq!((state.cursor, &state.mode), (0, &Mode::Filter(String::new())));
    }
}
