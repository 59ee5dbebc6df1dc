// SPDX-License-Identifier: GPL-2.0-only OR MIT
// The sites of the open node as a table that can be sorted.

// Rows put on the page at a time: browsers slow down with many thousands.
const ROWS = 400;

const COLUMNS = [
  { name: "Bytes", number: true, of: (site, state) => site.bytes[state.to], write: size },
  { name: "Δ bytes", number: true, diff: true, of: (site, state) => site.bytes[state.to] - site.bytes[state.from], write: (value) => signed(value, "bytes") },
  { name: "Calls", number: true, of: (site, state) => site.calls[state.to], write: digits },
  { name: "Δ calls", number: true, diff: true, of: (site, state) => site.calls[state.to] - site.calls[state.from], write: (value) => signed(value, "calls") },
  { name: "Average", number: true, of: (site, state) => (site.calls[state.to] > 0 ? site.bytes[state.to] / site.calls[state.to] : -1), write: (value) => (value < 0 ? "–" : size(Math.round(value))) },
  { name: "Function", of: (site) => site.func },
  { name: "File", of: (site) => site.file + (site.folded ? "" : ":" + site.line) },
  { name: "Module", of: (site) => site.module },
  { name: "Subsystem", of: (site) => site.subsystem },
  { name: "Accurate", of: (site) => (site.accurate ? "yes" : "no") },
];

const sorting = { column: null, down: true };

function rank(column, state) {
  const turn = sorting.down ? -1 : 1;
  return (a, b) => {
    let [x, y] = [column.of(a, state), column.of(b, state)];
    if (column.diff && sorting.down) [x, y] = [Math.abs(x), Math.abs(y)];
    return x === y ? 0 : x < y ? -turn : turn;
  };
}

function table(main, top, state, matches, redraw) {
  const columns = COLUMNS.filter((column) => state.diff || !column.diff);
  if (!columns.includes(sorting.column)) Object.assign(sorting, { column: columns[state.diff ? 1 : 0], down: true });
  const sites = top.sites.filter((site) => !matches || matches.has(site)).sort(rank(sorting.column, state));
  const head = make("tr");
  for (const column of columns) {
    const chosen = column === sorting.column;
    const button = make("button", {}, column.name + (chosen ? (sorting.down ? " ↓" : " ↑") : ""));
    button.onclick = () => {
      Object.assign(sorting, chosen ? { down: !sorting.down } : { column, down: Boolean(column.number) });
      redraw();
    };
    const order = chosen ? (sorting.down ? "descending" : "ascending") : "none";
    head.append(make("th", { "aria-sort": order, class: column.number ? "number" : "" }, button));
  }
  const body = make("tbody");
  const more = make("button", { class: "more" });
  const add = () => {
    const start = body.rows.length;
    for (const site of sites.slice(start, start + ROWS)) {
      const row = make("tr");
      for (const column of columns) {
        const value = column.of(site, state);
        row.append(make("td", column.number ? { class: "number" } : { title: value }, column.write ? column.write(value) : value));
      }
      body.append(row);
    }
    const left = sites.length - body.rows.length;
    more.hidden = left <= 0;
    more.textContent = digits(Math.min(left, ROWS)) + " more of " + digits(left);
  };
  more.onclick = add;
  add();
  main.replaceChildren(make("table", {}, make("thead", {}, head), body), more);
}
