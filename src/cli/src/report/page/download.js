// SPDX-License-Identifier: GPL-2.0-only OR MIT
// What is shown as a file of comma-separated values.

function quoted(value) {
  const text = String(value);
  return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
}

function sheet(rows) {
  return rows.map((row) => row.map(quoted).join(",") + "\n").join("");
}

// The sites of the table, in its order.
function sheetOfSites(top, state, matches) {
  const there = columns(state);
  const value = (column, site) => (column.file || String)(column.of(site, state));
  return sheet([there.map((column) => column.head), ...listed(top, state, matches).map((site) => there.map((column) => value(column, site)))]);
}

function sheetOfTrends(top, matches) {
  const heads = ["verdict", "slope", "low", "high", "q", "growth", "now", "samples", "exhaustion"];
  const rows = told(top, matches).map((trend) => [...heads.map((head) => trend[head] ?? ""), SITES[trend.site].func, SITES[trend.site].place, SITES[trend.site].module, SITES[trend.site].subsystem]);
  return sheet([[...heads, "func", "site", "module", "subsystem"], ...rows]);
}

function save(text, name) {
  const link = make("a", { download: name });
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10 * SECOND);
}
