// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The lines of the board.

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style as Look};

use super::canvas::Canvas;
use super::scene::Scene;
use crate::render::style::Ink;
use crate::render::Units;
use crate::top::page::width;
use crate::top::{Column, Line};

/// Columns in the order in which a narrow screen does without them.
const DISPENSABLE: [Column; 6] =
    [Column::Trend, Column::Average, Column::Share, Column::Rate, Column::Calls, Column::Delta];

/// What names should have at least: a file with its line.
const NAME_WIDTH: usize = 28;

/// Blanks between columns.
const GAP: usize = 2;

/// Those of the wanted columns that fit.
pub(super) fn columns(wanted: &[Column], room: usize, units: Units) -> Vec<Column> {
    let mut columns = wanted.to_vec();
    let needed = |columns: &[Column]| -> usize {
        columns.iter().filter(|&&column| column != Column::Name).map(|&column| width(column, units) + GAP).sum()
    };
    // What was asked for goes last.
    let measures: Vec<Column> =
        wanted.iter().copied().filter(|column| matches!(column, Column::Measure(_))).rev().collect();
    for column in DISPENSABLE.into_iter().chain(measures) {
        if needed(&columns) + NAME_WIDTH <= room {
            break;
        }
        columns.retain(|&other| other != column);
    }
    columns
}

pub(super) fn draw(canvas: &mut Canvas<'_>, area: Rect, head: bool, scene: &Scene<'_>) {
    let state = scene.state;
    let columns = columns(&state.settings.columns, area.width.into(), state.units);
    let mut y = area.y;
    if head {
        canvas.line(y, Ink::Head.look(scene.style).add_modifier(Modifier::UNDERLINED));
        let titles = columns.iter().map(|&column| {
            let sorted = column == state.settings.order.column;
            let look = Ink::Head.look(scene.style).add_modifier(Modifier::UNDERLINED);
            (column, column.title().to_owned(), if sorted { look.add_modifier(Modifier::REVERSED) } else { look })
        });
        cells(canvas, y, state.units, titles);
        y += 1;
    }
    let bottom = area.y + area.height;
    for (index, line) in scene.board.lines.iter().enumerate().skip(state.first) {
        if y >= bottom {
            break;
        }
        let total = scene.board.all.bytes;
        let texts = columns.iter().map(|&column| {
            let text = line.cell(column, total, state.units, scene.style.unicode, scene.history);
            (column, text, look(line, column, scene))
        });
        cells(canvas, y, state.units, texts);
        if index == state.cursor {
            canvas.line(y, Look::new().add_modifier(Modifier::REVERSED));
        }
        y += 1;
    }
    if scene.board.lines.is_empty() && y < bottom {
        canvas.text(0, y, "nothing to show", Ink::Faint.look(scene.style));
    }
}

/// The column that is drawn at that place of a line.
pub(super) fn column_at(x: u16, columns: &[Column], units: Units) -> Option<Column> {
    let mut end = 0;
    columns.iter().copied().find(|&column| {
        end += width(column, units) + GAP;
        column == Column::Name || usize::from(x) < end
    })
}

/// Writes the cells of a line under one another's heads.
fn cells(canvas: &mut Canvas<'_>, y: u16, units: Units, cells: impl Iterator<Item = (Column, String, Look)>) {
    let mut x = 0;
    for (column, text, look) in cells {
        let room = width(column, units);
        let text = if column == Column::Name { text } else { format!("{text:>room$}") };
        let end = canvas.text(x, y, &text, look);
        x = end.saturating_add(u16::try_from(GAP).unwrap_or(0));
    }
}

/// The look of a cell: changes are coloured.
fn look(line: &Line, column: Column, scene: &Scene<'_>) -> Look {
    let change = match column {
        Column::Delta => line.delta,
        Column::Rate => line.rate,
        _ if line.gone => return Ink::Faint.look(scene.style),
        _ => None,
    };
    match change.unwrap_or(0) {
        0 => Look::new(),
        1.. => Ink::Growth.look(scene.style),
        _ => Ink::Shrinkage.look(scene.style),
    }
}
