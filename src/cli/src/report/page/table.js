// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Tables that can be sorted: of the sites of the open node, and of what became of them.

// Rows put on the page at a time: browsers slow down with many thousands.
const ROWS = 400;

const changed = (measure) => (site, state) => site[measure][state.to] - site[measure][state.from];
// Of what only grows all was added where it began anew: with the machine, or with its module, where it is less than before.
const anew = ({ from, to }) => DATA.boots[from] !== null && DATA.boots[to] !== null && DATA.boots[from] !== DATA.boots[to];
const added = (measure) => (site, state) => {
  const [before, now] = [site[measure][state.from], site[measure][state.to]];
  return state.from < state.to && (now < before || anew(state)) ? now : now - before;
};
const held = (measure) => (site, state) => site[measure][state.to];
const average = (site, state) => (site.calls[state.to] > 0 ? site.bytes[state.to] / site.calls[state.to] : -1);

// `less` goes where there is little room; `head` is the name in a file.
const COLUMNS = [
  { name: "Bytes", head: "bytes", number: true, of: held("bytes"), write: size },
  { name: "Δ bytes", head: "delta_bytes", number: true, diff: true, of: changed("bytes"), write: (value) => signed(value, "bytes") },
  { name: "Calls", head: "calls", number: true, less: true, of: held("calls"), write: digits },
  { name: "Δ calls", head: "delta_calls", number: true, diff: true, less: true, of: changed("calls"), write: (value) => signed(value, "calls") },
  { name: "Average", head: "avg", number: true, less: true, of: average, write: (value) => (value < 0 ? "–" : size(Math.round(value))), file: (value) => (value < 0 ? "" : Math.round(value)) },
  { name: "Function", head: "func", of: (site) => site.func, below: (site) => site.place },
  { name: "File", head: "site", less: true, of: (site) => site.place },
  { name: "Module", head: "module", less: true, of: (site) => site.module },
  { name: "Subsystem", head: "subsystem", less: true, of: (site) => site.subsystem },
  { name: "Accurate", head: "accurate", less: true, of: (site) => (site.accurate ? "yes" : "no") },
  { name: "Verdict", head: "verdict", less: true, trend: true, of: (site) => (site.trend ? site.trend.verdict : "") },
];

// What only some kernels count stands in front of the names.
function counted([name, unit, grows]) {
  const title = name[0].toUpperCase() + name.slice(1);
  const signedAs = (value) => signed(value, unit);
  return [
    { name: title, head: name, number: true, less: true, of: held(name), write: (value) => amount(value, unit) },
    { name: "Δ " + name, head: "delta_" + name, number: true, diff: true, less: true, of: grows ? added(name) : changed(name), write: signedAs },
  ];
}
COLUMNS.splice(5, 0, ...DATA.counted.flatMap(counted));

const sorting = { column: null, down: true };

function rank(column, state) {
  const turn = sorting.down ? -1 : 1;
  return (a, b) => {
    let [x, y] = [column.of(a, state), column.of(b, state)];
    if (column.diff && sorting.down) [x, y] = [Math.abs(x), Math.abs(y)];
    return x === y ? 0 : x < y ? -turn : turn;
  };
}

function columns(state) {
  return COLUMNS.filter((column) => (state.diff || !column.diff) && (TRENDS || !column.trend));
}

// The rows that the table has, in its order.
function listed(top, state, matches) {
  const there = columns(state);
  if (!there.includes(sorting.column)) Object.assign(sorting, { column: there[state.diff ? 1 : 0], down: true });
  const holds = (site) => site[state.measure][state.to] !== 0 || (state.diff && site[state.measure][state.from] !== 0);
  return top.sites.filter((site) => (matches ? matches.has(site) : holds(site))).sort(rank(sorting.column, state));
}

function cell(column, site, state) {
  const value = column.of(site, state);
  const text = column.write ? column.write(value) : value;
  const element = make("td", { class: (column.number ? "number" : "") + (column.less ? " less" : ""), ...(column.number ? {} : { title: value }) }, text);
  if (column.below) element.append(make("span", { class: "below" }, column.below(site)));
  return element;
}

function table(main, top, state, matches, redraw) {
  const sites = listed(top, state, matches);
  const there = columns(state);
  const head = make("tr");
  for (const column of there) {
    const chosen = column === sorting.column;
    const button = make("button", {}, column.name + (chosen ? (sorting.down ? " ↓" : " ↑") : ""));
    button.onclick = () => {
      Object.assign(sorting, chosen ? { down: !sorting.down } : { column, down: Boolean(column.number) });
      redraw();
    };
    const order = chosen ? (sorting.down ? "descending" : "ascending") : "none";
    head.append(make("th", { "aria-sort": order, class: (column.number ? "number" : "") + (column.less ? " less" : "") }, button));
  }
  const body = make("tbody");
  const more = make("button", { class: "more" });
  const add = () => {
    for (const site of sites.slice(body.rows.length, body.rows.length + ROWS)) {
      body.append(make("tr", {}, ...there.map((column) => cell(column, site, state))));
    }
    const left = sites.length - body.rows.length;
    more.hidden = left <= 0;
    more.textContent = digits(Math.min(left, ROWS)) + " more of " + digits(left);
  };
  more.onclick = add;
  add();
  const empty = make("p", { class: "empty" }, "No call site here.");
  main.replaceChildren(sites.length ? make("table", {}, make("thead", {}, head), body) : empty, more);
}
