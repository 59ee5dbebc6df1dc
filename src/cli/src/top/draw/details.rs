// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! One line and its history.

use ratatui::layout::Rect;
use ratatui::style::Style as Look;

use super::callers;
use super::canvas::Canvas;
use super::scene::Scene;
use crate::printable::printable;
use crate::render::style::Ink;
use crate::render::units::count;
use crate::time::duration;
use crate::top::line::change;
use crate::top::spark::chart;

/// Lines of text around the picture.
const TEXT: u16 = 5;

pub(super) fn draw(canvas: &mut Canvas<'_>, area: Rect, scene: &Scene<'_>, id: &str) {
    let units = scene.state.units;
    let faint = Ink::Faint.look(scene.style);
    let bottom = area.y + area.height;
    let mut y = area.y;
    let mut say = |canvas: &mut Canvas<'_>, text: &str, look: Look| {
        if y < bottom {
            canvas.text(0, y, text, look);
            y += 1;
        }
    };
    let Some(line) = scene.board.find(id).map(|place| &scene.board.lines[place]) else {
        say(canvas, "this line is not shown any more; Esc goes back", faint);
        return;
    };
    say(canvas, &printable(&line.name), Ink::Head.look(scene.style));
    let average = line.average().map_or(String::new(), |average| format!(", {} each", units.format(average)));
    let calls = count(u64::try_from(line.calls).unwrap_or(0), "call");
    let mut now = format!("{} in {calls}{average}", units.format(line.bytes));
    if line.tracks.len() > 1 {
        now.push_str(&format!(", {}", count(line.tracks.len(), "site")));
    }
    if !line.accurate {
        now.push_str("; the kernel calls these values inaccurate, only their changes count");
    }
    say(canvas, &now, Look::new());
    let (delta, rate) = (change(line.delta, units), change(line.rate, units));
    let age = duration(scene.history.age_ms());
    say(canvas, &format!("{delta} since the baseline {age} ago, now {rate}/s"), Look::new());

    let readings = usize::from(area.width);
    let series = scene.history.series(&line.tracks, readings);
    let (least, most) = (series.iter().min().copied(), series.iter().max().copied());
    let below = callers::lines(line, scene);
    let room = area.height.saturating_sub(TEXT);
    // The course keeps a third of the room, where there is something to say of who called.
    let height = usize::from(if below.is_empty() { room } else { (room / 3).max(room.saturating_sub(length(&below))) });
    say(canvas, &format!("most  {}", units.format(most.unwrap_or(0))), faint);
    for row in chart(&series, height, scene.style.unicode) {
        say(canvas, &row, Ink::Shrinkage.look(scene.style));
    }
    let span = duration(scene.history.span_ms(readings));
    let text = format!("least {}  in {}, {span}", units.format(least.unwrap_or(0)), count(series.len(), "reading"));
    say(canvas, &text, faint);
    for (text, is_head) in below {
        say(canvas, &text, if is_head { Look::new() } else { faint });
    }
}

fn length(lines: &[(String, bool)]) -> u16 {
    u16::try_from(lines.len()).unwrap_or(u16::MAX)
}
