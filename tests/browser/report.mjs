// SPDX-License-Identifier: GPL-2.0-only
// Uses reports in a real browser as a person would. Prints TAP.
//
// node report.mjs DIRECTORY: where the reports are that tests/suites/cli-report makes, and where the pictures go. Chromium is
// Debian's; CHROMIUM names another.

import { address, box, boxes, differs, finish, lacks, open, picture, test, text } from "./harness.mjs";

const page = await open("one.html");

await test("the treemap is drawn with its largest boxes named", async () => {
  const drawn = await boxes(page);
  return drawn < 150 ? `only ${drawn} boxes` : lacks(await text(page, "main"), "shmem_alloc_folio:1938");
});

await test("boxes stay within those that hold them, and areas are in proportion to sizes", () =>
  page.evaluate(() => {
    const groups = [...document.querySelectorAll("g.box")];
    const rects = new Map(groups.map((group) => [group.node, group.firstChild.getBBox()]));
    for (const [node, rect] of rects) {
      const outer = rects.get(node.parent);
      const within = !outer || (rect.x >= outer.x - 0.2 && rect.x + rect.width <= outer.x + outer.width + 0.2 && rect.y + rect.height <= outer.y + outer.height + 0.2);
      if (!within) return `${node.name} sticks out`;
    }
    const tops = [...rects].filter(([node]) => node.parent && !node.parent.parent).slice(0, 4);
    const density = tops.map(([node, rect]) => (rect.width * rect.height) / node.weight);
    return Math.max(...density) / Math.min(...density) > 1.05 ? `densities differ: ${density}` : undefined;
  }));

await test("the picture fills its place and is not cut", () =>
  page.evaluate(() => {
    const main = document.querySelector("main");
    const rest = main.clientHeight - main.querySelector("svg").getBoundingClientRect().height;
    return rest < 0 || rest > 2 ? `${rest} pixels are left` : undefined;
  }));

await test("a tooltip tells everything about the box under the pointer", async () => {
  await box(page, "alloc_buf:456").hover();
  const tip = await text(page, "#tip");
  return lacks(tip, "drivers/char/virtio_console.c:456") || lacks(tip, "1,708,032") || lacks(tip, "VIRTIO CONSOLE DRIVER");
});

await test("a click zooms and the path leads back", async () => {
  const before = await boxes(page);
  await page.locator("g.box", { hasText: /^drivers / }).first().click({ position: { x: 40, y: 8 } });
  const crumbs = await text(page, "#crumbs");
  if (!crumbs.includes("drivers")) return `the path is '${crumbs}'`;
  await page.locator("#crumbs button").first().click();
  return differs(await boxes(page), before);
});

await test("the finder takes the colour from all that does not match, and says how much does", async () => {
  await page.keyboard.press("/");
  await page.keyboard.type("virtio");
  const missed = await page.locator("g.box.missed").count();
  const found = await text(page, "#found");
  const wrong = await page.evaluate(() => {
    const matches = (site) => site.text.includes("virtio");
    const groups = [...document.querySelectorAll("g.box")];
    const colours = (some) => new Set(groups.filter((group) => some(group.node.sites.filter(matches).length, group.node.sites.length)).map((group) => group.firstChild.getAttribute("fill")));
    const [grey, coloured] = [colours((found, all) => found < all), colours((found, all) => found === all)];
    if (grey.size !== 1) return `those that do not match have the colours ${[...grey]}`;
    return coloured.size < 2 || coloured.has([...grey][0]) ? `those that match have ${[...coloured]}` : undefined;
  });
  await page.keyboard.press("Escape");
  const left = await page.locator("g.box.missed").count();
  return wrong || (missed < 50 || left > 0 ? `${missed} faded, then ${left}` : lacks(found, " found, "));
});

await test("the keyboard alone moves, opens and goes back", async () => {
  await page.locator("main").focus();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp"]) await page.keyboard.press(key);
  const said = await text(page, "#said");
  await page.keyboard.press("Enter");
  const opened = await text(page, "#crumbs");
  await page.keyboard.press("Escape");
  const back = await text(page, "#crumbs");
  return lacks(said, "drivers: ") || lacks(opened, "drivers") || differs(back.trim(), "all");
});

await test("the icicle has the whole on top and is as wide as the window", async () => {
  await page.keyboard.press("2");
  const width = await page.evaluate(() => document.querySelector("g.box rect").getBBox().width - document.querySelector("main").clientWidth);
  await picture(page, "icicle.png");
  return Math.abs(width) > 1 ? `it differs by ${width}` : lacks(await text(page, "main"), "all\n30.6Mi");
});

await test("the table sorts by any column, both ways", async () => {
  await page.keyboard.press("3");
  const first = () => page.locator("tbody tr").first().innerText();
  const largest = await first();
  await page.locator("th button", { hasText: "Bytes" }).click();
  const smallest = await first();
  await page.locator("th button", { hasText: "Function" }).click();
  const names = await page.locator("tbody td:nth-child(4)").allInnerTexts();
  const sorted = names.every((name, at) => at === 0 || names[at - 1] <= name);
  await picture(page, "table.png");
  return lacks(largest, "shmem_alloc_folio") || (smallest === largest && "the order is not turned round") || (sorted ? undefined : names.join(" "));
});

await test("a button that adds rows is there if there are more", async () => {
  const few = await page.locator(".more").isVisible();
  const large = await open("large.html", {}, "#view=table");
  const name = await text(large, ".more");
  await large.locator(".more").click();
  const rows = await large.locator("tbody tr").count();
  return few ? "it offers what is not there" : differs(name, "400 more of 9,600") || differs(rows, 800);
});

await test("branches are directories, subsystems or modules; boxes are bytes or calls", async () => {
  await page.keyboard.press("1");
  await page.selectOption("#by", "subsystem");
  const legend = await text(page, "#legend");
  await page.selectOption("#measure", "calls");
  const sums = await text(page, "#sums");
  await page.selectOption("#by", "module");
  const module = await text(page, "main");
  return lacks(legend, "TMPFS (SHMEM FILESYSTEM)") || lacks(sums, "live calls") || lacks(module, "(built-in)");
});

await test("what is written in a box stays in it, and a number keeps its unit", async () => {
  for (const name of ["one.html", "diff.html", "large.html"]) {
    const labelled = await open(name, { viewport: { width: 1000, height: 700 } });
    const wrong = await labelled.evaluate(() => {
      for (const group of document.querySelectorAll("g.box")) {
        const outer = group.firstChild.getBBox();
        const lines = [...group.querySelectorAll("text")];
        for (const line of lines) {
          const inner = line.getBBox();
          if (inner.x + inner.width > outer.x + outer.width + 1 || inner.y + inner.height > outer.y + outer.height + 3) return `'${line.textContent}' sticks out`;
          if (/  .*…$|^[+-]?[\d.,]+\w*…$/.test(line.textContent)) return `'${line.textContent}' is cut in its number`;
        }
        if (lines.length && /^[+-]?[\d.,]+([KMGTPE]i?)?$/.test(lines[0].textContent)) return `'${lines[0].textContent}' has no name`;
      }
    });
    if (wrong) return `${name}: ${wrong}`;
  }
});

await test("branches differ in colour where there is but one directory, and within every one that is opened", async () => {
  const fs = await open("fs.html");
  const colours = () => fs.evaluate(() => new Set([...document.querySelectorAll("g.box")].filter((group) => group.node.rank >= 0).map((group) => group.firstChild.getAttribute("fill"))).size);
  const legend = await text(fs, "#legend");
  const all = await colours();
  const within = await open("one.html", {}, "#in=drivers");
  const opened = await text(within, "#legend");
  return all < 4 ? `${all} colours` : lacks(legend, "kernfs") || lacks(opened, "virtio");
});

await test("every text can be read on what is behind it", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const name of ["one.html", "diff.html"]) {
      const shaded = await open(name, { colorScheme });
      const wrong = await shaded.evaluate(() => {
        const parts = (colour) => (colour.startsWith("#") ? [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) : colour.match(/\d+/g).slice(0, 3).map(Number));
        const light = (colour) => {
          const [r, g, b] = parts(colour).map((byte) => (byte / 255 <= 0.04 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
        };
        const contrast = (a, b) => Math.max(light(a), light(b)) / Math.min(light(a), light(b));
        for (const label of document.querySelectorAll("g.box text")) {
          const [ink, paper] = [label.getAttribute("fill"), label.parentNode.firstChild.getAttribute("fill")];
          if (contrast(ink, paper) < 4.5) return `${ink} on ${paper}`;
        }
        const back = getComputedStyle(document.body).backgroundColor;
        for (const element of document.querySelectorAll("h1, header p, .sums span, #legend, footer, nav label, #crumbs button")) {
          const ink = getComputedStyle(element).color;
          if (contrast(ink, back) < 4.5) return `${element.id || element.className || element.tagName}: ${ink} on ${back}`;
        }
      });
      if (wrong) return `${name}, ${colorScheme}: ${wrong}`;
    }
  }
});

await test("it is dark where the system is, and by a key", async () => {
  const dark = await open("one.html", { colorScheme: "dark" });
  const shade = () => dark.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [before] = [await shade()];
  await picture(dark, "dark.png");
  await dark.locator("main").focus();
  await dark.keyboard.press("d");
  const after = await shade();
  return differs(before, "rgb(20, 23, 26)") || differs(after, "rgb(251, 251, 250)");
});

await test("two profiles open on their difference", async () => {
  const diff = await open("diff.html");
  const fill = (name) => box(diff, name).locator("rect.fill").evaluate((rect) => rect.getAttribute("fill"));
  await picture(diff, "diff.png");
  const sums = await text(diff, "#sums");
  const grown = await fill("shmem_alloc_folio");
  const shrunk = await fill("alloc_buf");
  const warm = parseInt(grown.slice(1, 3), 16) > parseInt(grown.slice(5, 7), 16);
  const cold = parseInt(shrunk.slice(1, 3), 16) < parseInt(shrunk.slice(5, 7), 16);
  return lacks(sums, "change") || (warm && cold ? undefined : `grown is ${grown}, shrunk is ${shrunk}`);
});

await test("15,000 rows open with two seconds of processor time and 4,000 boxes", async () => {
  const large = await open("about:blank");
  const session = await large.context().newCDPSession(large);
  // The time of the page's own thread, which others on the machine do not lengthen.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await large.goto(address("large.html"));
  const { metrics } = await session.send("Performance.getMetrics");
  const took = metrics.find((metric) => metric.name === "TaskDuration").value;
  const drawn = await boxes(large);
  await picture(large, "large.png");
  return took > 2 || drawn > 4000 || drawn < 300 ? `${took} s, ${drawn} boxes` : undefined;
});

await test("names are texts, whatever they hold", async () => {
  const hostile = await open("hostile.html");
  await hostile.waitForTimeout(200);
  const shown = await text(hostile, "main");
  await hostile.keyboard.press("3");
  const images = await hostile.locator("main img, main script").count();
  return lacks(shown, "<img/src=x/onerror=alert(1)>") || differs(images, 0);
});

await test("pictures open as they are", async () => {
  for (const name of ["treemap.svg", "flame.svg"]) {
    const drawing = await open(name);
    const drawn = await drawing.locator("rect").count();
    await picture(drawing, name.replace("svg", "png"));
    if (drawn < 60) return `${name}: ${drawn} boxes`;
  }
});

await import("./time.mjs");
await import("./screens.mjs");
await finish();
