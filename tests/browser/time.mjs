// SPDX-License-Identifier: GPL-2.0-only
// Reports of recordings: the chart and its brush, the verdicts, the address, files, paper.

import fs from "node:fs";

import { address, browser, differs, lacks, open, picture, test, text } from "./harness.mjs";

const page = await open("week.html");
const total = (of = page) => text(of, "#sums b >> nth=0");
// The address is written when the page comes to rest, at the latest when it is left.
const state = (of = page) =>
  of.evaluate(() => {
    dispatchEvent(new Event("pagehide"));
    return location.hash.slice(1);
  });

// Where a part of the time is on the chart.
async function place(part, of = page) {
  const { x, y, width, height } = await of.locator("#chart").boundingBox();
  return [x + 56 + part * (width - 72), y + height / 2];
}

async function drag(from, to) {
  await page.mouse.move(...(await place(from)));
  await page.mouse.down();
  await page.mouse.move(...(await place((from + to) / 2)));
  await page.mouse.move(...(await place(to)));
  await page.mouse.up();
}

await test("memory over time is stacked by subsystem, in the colours of the treemap", () =>
  page.evaluate(() => {
    const bands = [...document.querySelectorAll(".band")];
    if (bands.length !== 9) return `${bands.length} bands`;
    const tops = [...document.querySelectorAll("g.box")].filter((group) => group.node.parent && !group.node.parent.parent);
    for (const band of bands.slice(0, 8)) {
      const name = band.querySelector("title").textContent;
      const top = tops.find((group) => group.node.name === name);
      if (top && top.firstChild.getAttribute("fill") !== band.getAttribute("fill")) return `${name} has two colours`;
    }
    const named = bands.map((band) => band.querySelector("title").textContent);
    return ["EXT4 FILE SYSTEM", "9 others"].some((name, at) => (at ? !/^\d+ others$/.test(named[8]) : !named.includes(name))) ? named.join(", ") : undefined;
  }));

await test("the axes have round sizes and days", async () => {
  const axis = (await page.locator("#chart .axis").allTextContents()).join(" ");
  return lacks(axis, "0 512Mi 1Gi") || lacks(axis, "Nov 21") || lacks(axis, "12:00") || lacks(axis, "UTC");
});

await test("the axis and the moments are by the clock of who made the report", async () => {
  const east = await open("east.html");
  const axis = (await east.locator("#chart .axis").allTextContents()).join(" ");
  const told = await text(east, "body");
  await east.close();
  // In UTC the recording ends on the day before.
  return lacks(axis, "12:00 Nov 27 +05:30") || lacks(told, "2026-11-27 04:56:24 +05:30") || (told.includes("UTC") ? "UTC is told" : undefined);
});

await test("the peak is marked where it is, and chosen by its button", async () => {
  const peak = await page.locator(".peak").textContent();
  await page.locator("#peak").click();
  const chosen = await total();
  const [handle, mark] = await page.evaluate(() => [".handle circle", ".peak circle"].map((each) => Number(document.querySelector(each).getAttribute("cx"))));
  await page.locator("#last").click();
  return differs(peak, "peak " + chosen) || (Math.abs(handle - mark) > 1 ? `it is at ${mark}, chosen is ${handle}` : undefined);
});

await test("a click chooses a moment", async () => {
  const before = await total();
  await page.mouse.click(...(await place(0.02)));
  const [then, when] = [await total(), await text(page, "#when")];
  await page.locator("#last").click();
  return (before === then && `always ${before}`) || lacks(when, "2026-11-20 ") || differs(await total(), before);
});

await test("a stroke chooses a stretch, whose change treemap and table show", async () => {
  await drag(0.36, 0.5);
  const [sums, when, veils] = [await text(page, "#sums"), await text(page, "#when"), await page.locator(".veil").count()];
  const fill = await page.locator("g.box", { hasText: "r5l_init_log" }).last().locator("rect.fill").getAttribute("fill");
  await page.keyboard.press("3");
  const row = await text(page, "tbody tr >> nth=0");
  await page.keyboard.press("1");
  await page.mouse.click(...(await place(0.999)));
  const warm = parseInt(fill.slice(1, 3), 16) > parseInt(fill.slice(5, 7), 16);
  return lacks(sums, "change") || lacks(when, "→") || differs(veils, 2) || lacks(row, "+96.0Mi") || (warm ? undefined : `what grew is ${fill}`);
});

await test("a stretch is moved by either of its ends", async () => {
  await drag(0.3, 0.6);
  const before = await state();
  await drag(0.6, 0.8);
  const moved = await state();
  await page.locator("#last").click();
  const [a, b] = [new URLSearchParams(before), new URLSearchParams(moved)];
  return differs(b.get("from"), a.get("from")) || (Number(b.get("to")) > Number(a.get("to")) + 30 ? undefined : `${before}, then ${moved}`);
});

await test("the brush can be used by the keyboard alone", async () => {
  await page.locator("#handle-at").focus();
  for (const key of ["Home", "PageUp", "ArrowRight", "ArrowRight", "ArrowLeft"]) await page.keyboard.press(key);
  const at = await page.locator("#handle-at").getAttribute("aria-valuenow");
  const told = await page.locator("#handle-at").getAttribute("aria-valuetext");
  await page.locator("#diff").check();
  await page.locator("#handle-to").focus();
  await page.keyboard.press("End");
  await page.locator("#handle-from").focus();
  await page.keyboard.press("ArrowRight");
  const range = await state();
  await page.locator("#diff").uncheck();
  return differs(at, "31") || lacks(told, "2026-11-2") || lacks(range, "from=1") || lacks(range, "diff=yes");
});

await test("the verdicts are there with their courses, and all leaks in one line", async () => {
  const line = await text(page, "#story p");
  await page.keyboard.press("4");
  const rows = await page.locator(".trends tbody tr").allInnerTexts();
  const courses = await page.locator(".trends tbody td > .spark").count();
  await picture(page, "trends.png");
  const expected = [/LEAK.*acme_refill_rx/s, /LEAK.*ovl_cache_entry_new/s, /BOUNDED.*ext4_alloc_inode/s, /STEP.*r5l_init_log/s, /SAWTOOTH.*kmalloc_reserve/s];
  const wrong = expected.find((each, at) => !each.test(rows[at]));
  return (wrong && `${wrong}: ${rows[expected.indexOf(wrong)]}`) || differs(courses, rows.length) || (/^2 leaks take .* an hour: out of memory in \d+ d/.test(line) ? undefined : line);
});

await test("a verdict leads to its box, which is marked", async () => {
  await page.locator(".trends .link", { hasText: "acme_refill_rx" }).click();
  const tip = await text(page, "#tip");
  const marked = await page.locator("g.box.leak").count();
  await page.keyboard.press("Escape");
  return lacks(tip, "LEAK: ") || differs(marked, 2);
});

await test("what is opened has a course and verdicts of its own", async () => {
  const acme = await open("week.html", {}, "#in=NETWORKING+DRIVERS");
  const peak = await acme.locator(".peak").textContent();
  await acme.keyboard.press("4");
  const rows = await acme.locator(".trends tbody tr").count();
  return lacks(peak, "192.0Mi") || differs(rows, 1);
});

await test("what is shown stands in the address, and the way back leads there", async () => {
  const one = await open("week.html");
  await one.keyboard.press("2");
  await one.selectOption("#by", "module");
  await one.selectOption("#measure", "calls");
  await one.locator("#peak").click();
  await one.locator("g.box", { hasText: "(built-in)" }).first().click({ position: { x: 30, y: 8 } });
  const shown = async (of) => [await text(of, "#crumbs"), await text(of, "#sums"), await text(of, "#when"), await of.locator("[aria-selected=true]").innerText()].join(" | ");
  const there = await shown(one);
  const again = await open("week.html", {}, "#" + (await state(one)));
  const copied = await shown(again);
  await one.goBack();
  const back = await one.locator("#crumbs").isVisible();
  await one.goForward();
  return differs(copied, there) || (back ? "the way back leads nowhere" : differs(await shown(one), there));
});

await test("an address that makes no sense shows what can be shown", async () => {
  for (const hash of ["#view=nothing&by=&to=99999&from=-1&in=no/such&sort=x", "#%%%", "#to=1.5&diff=maybe&theme=blue&measure=bits"]) {
    const odd = await open("week.html", {}, hash);
    const wrong = differs(await total(odd), await total());
    if (wrong) return `${hash}: ${wrong}`;
  }
  const single = await open("one.html", {}, "#diff=yes&to=7&view=trends");
  return differs(await single.locator("[aria-selected=true]").innerText(), "Treemap");
});

await test("the rows that are shown can be saved", async () => {
  const save = async (of, key) => {
    const [file] = await Promise.all([of.waitForEvent("download"), key ? of.keyboard.press(key) : of.locator("#save").click()]);
    return [file.suggestedFilename(), fs.readFileSync(await file.path(), "utf8").trimEnd().split("\n")];
  };
  const found = await open("week.html", {}, "#view=table&query=virtio&sort=func");
  const rows = await found.locator("tbody tr").count();
  const [name, lines] = await save(found);
  const verdicts = await open("week.html", {}, "#view=trends");
  await verdicts.locator("main").focus();
  const [other, told] = await save(verdicts, "s");
  return (
    differs(name, "call-sites.csv") || differs(lines[0], "bytes,calls,avg,func,site,module,subsystem,accurate,verdict") || differs(lines.length, rows + 1) ||
    lacks(lines[1], ",__vring_new_virtqueue_split,drivers/virtio/virtio_ring.c:1354,,VIRTIO CORE,yes,") || differs(other, "verdicts.csv") || differs(told.length, 6) || lacks(told[1], "LEAK,")
  );
});

await test("on paper there are the chart and the picture, on white and within the sheet", async () => {
  const paper = await open("week.html", { colorScheme: "dark", viewport: { width: 980, height: 700 } });
  await paper.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await paper.emulateMedia({ media: "print" });
  await picture(paper, "paper.png", { fullPage: true });
  const seen = await paper.evaluate(() => ({
    nav: document.querySelector("nav").offsetHeight,
    chart: document.querySelector("#chart svg").getBoundingClientRect().height,
    map: document.querySelector("main svg").getBoundingClientRect().height,
    wide: document.documentElement.scrollWidth - innerWidth,
    shade: getComputedStyle(document.body).backgroundColor,
  }));
  const pdf = await paper.pdf({ preferCSSPageSize: true });
  const pages = pdf.toString("latin1").match(/\/Type \/Page\b/g).length;
  const wrong = seen.nav !== 0 || seen.chart < 80 || seen.map < 200 || seen.wide > 0 || seen.shade !== "rgb(255, 255, 255)" || pages !== 1;
  return wrong ? `${JSON.stringify(seen)}, ${pages} pages` : undefined;
});

await test("without scripts there are the sums, the verdicts and the largest sites to read", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const plain = await context.newPage();
  await plain.goto(address("week.html"));
  const [shown, tables] = [await text(plain, "body"), await plain.locator("table").count()];
  await picture(plain, "plain.png");
  const rest = await plain.locator("nav, main, footer").evaluateAll((all) => all.filter((each) => each.offsetHeight > 0).length);
  return lacks(shown, "2 leaks take") || lacks(shown, "at the peak") || lacks(shown, "EXT4 FILE SYSTEM") || differs(tables, 3) || differs(rest, 0);
});

await test("profiles that do not say when they were read stand side by side", async () => {
  const many = await open("many.html");
  const axis = (await many.locator("#chart .axis").allTextContents()).join(" ");
  await many.locator("#first").click();
  const when = await text(many, "#when");
  const hourly = await open("hourly.html");
  const every = (await hourly.locator("#chart .axis").allTextContents()).join(" ");
  return lacks(axis, "1 2 3 4") || lacks(when, "p0.txt") || lacks(every, "+1 h");
});

await test("of two profiles there is no chart, and both can be looked at", async () => {
  const diff = await open("diff.html");
  const chart = await diff.locator("#chart").isVisible();
  await diff.locator("#first").click();
  const first = await text(diff, "#when");
  await diff.locator("#diff").check();
  const both = await text(diff, "#when");
  return (chart && "there is one") || lacks(first, "p0.txt") || lacks(both, "→");
});

await page.close();
