// SPDX-License-Identifier: GPL-2.0-only OR MIT
// How long allocations of a site took and lived, as bars: one for each power of two of nanoseconds.

for (const [place, head, count, half, most, longest, buckets] of DATA.times) {
  const site = SITES[place];
  site.times = site.times || [];
  site.times.push({ head, count, half, most, longest, buckets });
}

// The bars of the buckets from the first to the last that has something. What is there at all can be seen.
function bars(buckets, width, height) {
  const [first, last] = [buckets[0][0], buckets[buckets.length - 1][0]];
  const peak = Math.max(...buckets.map(([, count]) => count));
  const step = Math.min(16, width / (last - first + 1));
  const svg = make("svg", { width, height, viewBox: `0 0 ${width} ${height}`, class: "bars", "aria-hidden": "true" });
  for (const [bucket, count] of buckets) {
    const tall = Math.max(1.5, (count / peak) * height);
    const x = (bucket - first) * step;
    svg.append(make("rect", { x, y: height - tall, width: Math.max(1, step - 1), height: tall, fill: "currentColor" }));
  }
  return svg;
}

// Two lines and a picture of each histogram that a site has.
function timed(site) {
  return (site.times || []).map((times) => {
    const [first, last] = [times.buckets[0][0], times.buckets[times.buckets.length - 1][0]];
    const quantiles = "p50 " + span(times.half) + ", p99 " + span(times.most) + ", at most " + span(times.longest);
    return make("div", { class: "timed" },
      make("div", {}, times.head + ": " + digits(times.count) + " times, " + quantiles),
      bars(times.buckets, 180, 28),
      make("span", { class: "where" }, span(first ? 2 ** first : 0) + " to " + span(2 ** (last + 1))));
  });
}
