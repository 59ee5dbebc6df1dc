// SPDX-License-Identifier: GPL-2.0-only OR MIT
// What became of the sites over the recording, as `alloctag leak` judges them.

const MEANING = {
  LEAK: "grows without an end in sight",
  BOUNDED: "grew and stopped, as caches do",
  STEP: "went from one level to another",
  SAWTOOTH: "rises and is emptied again",
  FALLING: "becomes less and less",
};

// From when on running out is no news.
const FAR = 10 * 365.25 * DAY;

function remaining(seconds) {
  return seconds * SECOND < FAR ? duration(seconds * SECOND) : "more than ten years";
}

function verdict(trend) {
  return make("span", { class: "verdict " + trend.verdict.toLowerCase(), title: MEANING[trend.verdict] }, trend.verdict);
}

const number_ = (text, more) => make("td", { class: "number" + (more || "") }, text);

// Those of the open node that are looked for.
function told(top, matches) {
  const sites = new Set(top.sites);
  return TRENDS.list.filter((trend) => sites.has(SITES[trend.site]) && (!matches || matches.has(SITES[trend.site])));
}

// One line for all leaks together, and the largest of them.
function story(place, reveal) {
  place.hidden = !TRENDS;
  if (!TRENDS) return;
  place.classList.toggle("alarm", TRENDS.leaks > 0);
  place.replaceChildren(make("p", {}, TRENDS.sentence));
  for (const trend of TRENDS.list.filter((each) => each.verdict === "LEAK").slice(0, 3)) {
    const site = SITES[trend.site];
    const button = make("button", { class: "leak", title: site.place + ": " + per(trend) });
    button.append(spark(site.bytes, 54, 18), make("b", {}, site.func), make("span", {}, signed(trend.slope, "bytes") + "/h"));
    button.onclick = () => reveal(site);
    place.append(button);
  }
}

function trends(main, top, matches, reveal) {
  const list = told(top, matches);
  const names = [["Verdict", " less"], ["Course", " less"], ["Growth", " number less"], ["An hour", " number"], ["95 % within", " number less"], ["Now", " number less"], ["Full in", " number less"], ["Call site"]];
  const head = make("tr", {}, ...names.map(([name, more]) => make("th", { class: "plain" + (more || "") }, name)));
  const rows = list.map((trend) => {
    const site = SITES[trend.site];
    const button = make("button", { class: "link" }, site.func);
    button.onclick = () => reveal(site);
    return make("tr", {},
      make("td", { class: "less" }, verdict(trend)),
      make("td", { class: "less" }, spark(site.bytes, 120, 26)),
      number_(signed(trend.growth, "bytes"), " less"),
      number_(signed(trend.slope, "bytes")),
      number_(size(trend.low) + " … " + size(trend.high), " less"),
      number_(size(trend.now), " less"),
      number_(trend.exhaustion ? remaining(trend.exhaustion) : "–", " less"),
      make("td", {}, button, make("span", { class: "under" }, site.place + (site.module ? " [" + site.module + "]" : "")),
        make("span", { class: "below" }, verdict(trend), spark(site.bytes, 90, 22))));
  });
  const quiet = (TRENDS.counts.NOISE || 0) + (TRENDS.counts.SHORT || 0);
  const kinds = ["LEAK", "BOUNDED", "STEP", "SAWTOOTH", "FALLING"].map((name) => (TRENDS.counts[name] || 0) + " " + name);
  const about = `${kinds.join(", ")}; ${digits(quiet)} sites did nothing that chance does not explain. By ${digits(TRENDS.samples)} samples` +
    (TRENDS.available ? `; ${size(TRENDS.available)} were available at the end.` : ".");
  const none = make("p", { class: "empty" }, "Nothing to tell of what is shown here.");
  main.replaceChildren(list.length ? make("table", { class: "trends" }, make("thead", {}, head), make("tbody", {}, ...rows)) : none, make("p", { class: "about" }, about));
}
