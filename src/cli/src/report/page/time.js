// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Moments and how long something takes. Times are by the clock of who made the report, which stands beside the axis.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

// Where a profile is on the axis of time: milliseconds, or its number where that is not known.
const WHEN = FRAMES.map((frame, index) => (DATA.clock === "number" ? index : frame.time));

// By its two largest units: 3 h 12 min.
function duration(ms) {
  const parts = [[DAY, "d"], [HOUR, "h"], [MINUTE, "min"], [SECOND, "s"]];
  const first = parts.findIndex(([unit]) => ms >= unit);
  if (first < 0) return ms + " ms";
  const texts = [];
  for (const [unit, name] of parts.slice(first, first + 2)) {
    if (ms >= unit) texts.push(Math.floor(ms / unit) + " " + name);
    ms %= unit;
  }
  return texts.join(" ");
}

// A moment by that clock: what JavaScript calls UTC is ours.
const wall = (at) => new Date(at + DATA.zone.ahead);

function day(date) {
  return MONTHS[date.getUTCMonth()] + " " + date.getUTCDate();
}

// A profile's name among the others.
function label(frame) {
  if (DATA.clock === "every") return frame ? "after " + duration(WHEN[frame]) : "at the beginning";
  return FRAMES[frame].label;
}

// The same where there is little room.
function brief(frame) {
  if (DATA.clock !== "wall") return DATA.clock === "every" ? "+" + duration(WHEN[frame]) : "profile " + (frame + 1);
  const date = wall(WHEN[frame]);
  return day(date) + " " + date.toISOString().slice(11, 16);
}

const STEPS = [1, 2, 5, 15, 30].map((n) => n * SECOND)
  .concat([1, 2, 5, 15, 30].map((n) => n * MINUTE), [1, 2, 3, 6, 12].map((n) => n * HOUR), [1, 2, 3, 5, 7, 14, 30, 91, 365].map((n) => n * DAY));

// Marks of the axis: no more than `count`, each with where it is and what it says.
function instants(count) {
  const [from, to] = [WHEN[0], WHEN[LAST]];
  const found = [];
  if (DATA.clock === "number") {
    const step = marks(LAST, count, "calls")[1] || 1;
    for (let at = 0; at <= LAST; at += Math.max(1, step)) found.push({ at, text: String(at + 1) });
    return found;
  }
  const step = STEPS.find((each) => (to - from) / each <= count) || STEPS[STEPS.length - 1];
  const ahead = DATA.clock === "wall" ? DATA.zone.ahead : 0;
  for (let at = Math.ceil((from + ahead) / step) * step - ahead; at <= to; at += step) {
    const date = wall(at);
    const midnight = (at + ahead) % DAY === 0;
    const clock = date.toISOString().slice(11, step < MINUTE ? 19 : 16);
    found.push({ at, text: DATA.clock === "every" ? (at ? "+" + duration(at) : "0") : midnight ? day(date) : clock, strong: midnight && step < DAY });
  }
  return found;
}
