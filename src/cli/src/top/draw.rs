// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Draws the state of things on a screen of any size.
//!
//! From the top: up to three lines about the whole, the head of the table, the lines, and one about the state. What a small
//! screen has no room for goes in this order: lines about the whole, the head, the state.

mod callers;
mod canvas;
mod details;
mod help;
mod plan;
mod scene;
mod spot;
mod table;

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style as Look};
use ratatui::Frame;

use super::{page, Mode};
use crate::render::style::Ink;
use canvas::Canvas;
pub use plan::Plan;
pub use scene::Scene;
pub use spot::{spot, Spot};

/// Draws.
pub fn draw(frame: &mut Frame<'_>, scene: &Scene<'_>) {
    let area = frame.area();
    let plan = Plan::of(area.height);
    let canvas = &mut Canvas { buffer: frame.buffer_mut(), area, style: scene.style };
    let body = Rect { y: plan.about, height: plan.rows + u16::from(plan.head), ..area };
    if scene.state.mode == Mode::Help {
        let all = Rect { height: area.height - u16::from(plan.state), ..area };
        help::draw(canvas, all);
    } else {
        let about = page::summary(scene.board, scene.history, scene.meta, scene.state.units, scene.clock);
        for (y, line) in (0..plan.about).zip(&about) {
            canvas.text(0, y, line, if y == 1 { Ink::Head.look(scene.style) } else { Look::new() });
        }
        match &scene.state.mode {
            Mode::Details(id) => details::draw(canvas, body, scene, id),
            _ => table::draw(canvas, body, plan.head, scene),
        }
    }
    if plan.state {
        state(canvas, area.height - 1, scene);
    }
}

/// The last line: what is being typed, what is wrong, or how things are shown.
fn state(canvas: &mut Canvas<'_>, y: u16, scene: &Scene<'_>) {
    let state = scene.state;
    let warning = Ink::Warning.look(scene.style);
    if let Mode::Filter(_) = state.mode {
        let prompt = format!("/{}", state.prompt);
        let end = canvas.text(0, y, &prompt, Look::new());
        let end = canvas.text(end, y, " ", Look::new().add_modifier(Modifier::REVERSED));
        if let Some(problem) = &state.problem {
            canvas.text(end + 1, y, problem, warning);
        }
        return;
    }
    let mut x = 0;
    if state.paused {
        x = canvas.text(x, y, "paused  ", warning);
    }
    if let Some(notice) = &state.notice {
        canvas.text(x, y, notice, warning);
        return;
    }
    if let Some(trouble) = scene.trouble.or_else(|| page::doubt(scene.history, scene.meta)) {
        canvas.text(x, y, trouble, warning);
        return;
    }
    let settings = &state.settings;
    let turned = if settings.order.reversed { "-" } else { "" };
    let tree = if settings.tree { " tree" } else { "" };
    let filter = if state.prompt.is_empty() { String::new() } else { format!("  /{}", state.prompt) };
    let hidden = if scene.board.hidden > 0 { format!("  {} hidden", scene.board.hidden) } else { String::new() };
    let place = state.replay.map_or_else(String::new, |progress| format!("{}/{}  ", progress.at + 1, progress.of));
    let text = format!(
        "? help  q quit  {place}by {}{tree}  sort {turned}{}  every {:.1} s{hidden}{filter}",
        settings.group,
        settings.order.column.name(),
        state.interval.as_secs_f64(),
    );
    canvas.text(x, y, &text, Ink::Faint.look(scene.style));
}

#[cfg(test)]
#[path = "draw/tests.rs"]
mod tests;
