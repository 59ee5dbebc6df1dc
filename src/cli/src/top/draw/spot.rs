// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What is where on the screen.

use ratatui::layout::Size;

use super::plan::Plan;
use super::table::{column_at, columns};
use crate::top::{Column, Mode, State};

/// What is at some place of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// The head of a column.
    Head(Column),
    /// That line of the board, if it has as many.
    Line(usize),
    /// Nothing that could be meant.
    Elsewhere,
}

/// What is drawn at a place of a screen of that size.
pub fn spot(size: Size, state: &State, (x, y): (u16, u16)) -> Spot {
    let plan = Plan::of(size.height);
    if !matches!(state.mode, Mode::Browse) {
        return Spot::Elsewhere;
    }
    match y.checked_sub(plan.about) {
        Some(0) if plan.head => {
            let shown = columns(&state.settings.columns, size.width.into(), state.units);
            column_at(x, &shown, state.units).map_or(Spot::Elsewhere, Spot::Head)
        }
        Some(below) if below - u16::from(plan.head) < plan.rows => {
            Spot::Line(state.first + usize::from(below - u16::from(plan.head)))
        }
        _ => Spot::Elsewhere,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::top::Settings;
    use std::time::Duration;

    #[test]
    fn places_are_those_of_what_is_drawn() {
        let state = State { first: 5, ..State::new(Settings::default(), Duration::from_secs(2)) };
        let size = Size { width: 96, height: 10 };
        for (x, y, expected) in [
            (0, 0, Spot::Elsewhere),
            (0, 3, Spot::Head(Column::Bytes)),
            (10, 3, Spot::Head(Column::Bytes)),
            (11, 3, Spot::Head(Column::Share)),
            (30, 3, Spot::Head(Column::Rate)),
            (95, 3, Spot::Head(Column::Name)),
            (50, 4, Spot::Line(5)),
            (50, 8, Spot::Line(9)),
            (50, 9, Spot::Elsewhere),
            (50, 99, Spot::Elsewhere),
        ] {
            assert_eq!(spot(size, &state, (x, y)), expected, "{x} {y}");
        }
        assert_eq!(
            spot(Size { width: 9, height: 1 }, &state, (0, 0)),
            Spot::Line(5),
            "a line is all there is room for"
        );
        let help = State { mode: Mode::Help, ..state };
        assert_eq!(spot(size, &help, (0, 4)), Spot::Elsewhere);
    }
}
