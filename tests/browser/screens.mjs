// SPDX-License-Identifier: GPL-2.0-only
// Reports on screens of every size, in light and dark, by pointer and by touch.

import { box, boxes, differs, lacks, open, picture, test, text } from "./harness.mjs";

// A notebook, a telephone, and the smallest telephone there is.
const SCREENS = [
  { width: 1366, height: 768 },
  { width: 390, height: 844, touch: true },
  { width: 320, height: 568, touch: true },
];

// A finger's tip, in pixels: the least that WCAG 2.2 asks of a target.
const TARGET = 24;

const device = ({ width, height, touch }, colorScheme) => ({ viewport: { width, height }, colorScheme, hasTouch: Boolean(touch), isMobile: Boolean(touch) });

// What does not fit: texts that are cut, controls that overlap or are out of reach, a picture that is too small.
function misfit({ least, touch }) {
  if (document.documentElement.scrollWidth > innerWidth) return `the page is ${document.documentElement.scrollWidth} wide`;
  const seen = [...document.querySelectorAll("button, select, input")].filter((each) => each.offsetHeight > 0 && !each.closest("main, #tip"));
  const rects = seen.map((each) => [each.id || each.textContent, each.getBoundingClientRect(), each.type === "checkbox" ? each.parentNode.getBoundingClientRect() : null]);
  for (const [name, rect, label] of rects) {
    if (rect.left < -1 || rect.right > innerWidth + 1) return `${name} is outside`;
    if (touch && (label || rect).height < least) return `${name} is ${rect.height} high`;
    for (const [other, there] of rects) {
      const meet = rect.left < there.right - 2 && there.left < rect.right - 2 && rect.top < there.bottom - 2 && there.top < rect.bottom - 2;
      if (other !== name && meet) return `${name} is on ${other}`;
    }
  }
  for (const each of document.querySelectorAll("h1, header p, .sums div, .story p, #when, #notes")) {
    if (each.scrollWidth > each.clientWidth + 1 && each.clientWidth) return `'${each.textContent}' is cut`;
  }
  for (const each of document.querySelectorAll("#chart text")) {
    const [inner, outer] = [each.getBoundingClientRect(), document.getElementById("chart").getBoundingClientRect()];
    if (inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.top < outer.top - 3) return `'${each.textContent}' is cut by the chart`;
  }
  const main = document.querySelector("main").getBoundingClientRect();
  if (main.height < 250 || main.width < innerWidth - 60) return `the picture has ${main.width} by ${main.height}`;
}

for (const screen of SCREENS) {
  const size = `${screen.width}x${screen.height}`;
  for (const scheme of ["light", "dark"]) {
    await test(`everything has its place on ${size}, ${scheme}`, async () => {
      for (const name of ["week.html", "one.html", "diff.html", "hourly.html"]) {
        for (const view of ["treemap", "icicle", "table", "trends"]) {
          const page = await open(name, device(screen, scheme), `#view=${view}`);
          const wrong = await page.evaluate(misfit, { least: TARGET, touch: Boolean(screen.touch) });
          if (name === "week.html") await picture(page, `${size}-${scheme}-${view}.png`);
          await page.close();
          if (wrong) return `${name}, ${view}: ${wrong}`;
        }
      }
    });
  }
}

await test("on a wide screen the page ends where the screen does", async () => {
  const page = await open("week.html", device(SCREENS[0]));
  return differs(await page.evaluate(() => document.documentElement.scrollHeight), SCREENS[0].height);
});

for (const screen of SCREENS.filter((each) => each.touch)) {
  const size = `${screen.width}x${screen.height}`;

  await test(`a touch tells about a box, and a second one opens it, on ${size}`, async () => {
    const page = await open("week.html", device(screen));
    const before = await boxes(page);
    await box(page, "ext4_alloc_inode").tap({ position: { x: 30, y: 40 } });
    const tip = await text(page, "#tip");
    const { x, y, width, height } = await page.locator("#tip").boundingBox();
    await picture(page, `${size}-told.png`);
    if (x < 0 || y < 0 || x + width > screen.width || y + height > screen.height) return `it is at ${[x, y, width, height]}`;
    const untouched = await boxes(page);
    await page.locator("#tip button", { hasText: "Open" }).tap();
    const opened = await text(page, "#crumbs");
    await box(page, "ext4_alloc_inode").tap({ position: { x: 30, y: 40 } });
    await page.locator("#tip button", { hasText: "Back" }).tap();
    const above = await text(page, "#crumbs");
    await page.locator("#crumbs button").first().tap();
    const back = await boxes(page);
    await box(page, "ext4_alloc_inode").tap({ position: { x: 30, y: 40 } });
    await page.locator("#tip button", { hasText: "Close" }).tap();
    const closed = await page.locator("#tip").isHidden();
    return lacks(tip, "fs/ext4/super.c:1393") || differs(untouched, before) || lacks(opened, "super.c") || differs(above.includes("super.c"), false) || differs(back, before) || (closed ? undefined : "it stays");
  });

  await test(`a finger chooses a moment and a stretch of time, on ${size}`, async () => {
    const page = await open("week.html", device(screen));
    const touch = await page.context().newCDPSession(page);
    await page.locator("#chart").scrollIntoViewIfNeeded();
    const { x, y, width, height } = await page.locator("#chart").boundingBox();
    const at = (part) => [{ x: Math.round(x + 56 + part * (width - 72)), y: Math.round(y + height / 2) }];
    const send = (type, touchPoints) => touch.send("Input.dispatchTouchEvent", { type, touchPoints });
    await send("touchStart", at(0.2));
    await send("touchEnd", []);
    const moment = await text(page, "#when");
    await send("touchStart", at(0.3));
    for (const part of [0.35, 0.4, 0.5]) await send("touchMove", at(part));
    await send("touchEnd", []);
    const stretch = await text(page, "#when");
    return lacks(moment, "Nov 21") || lacks(stretch, "→") || differs(await page.locator(".handle").count(), 2);
  });
}

await test("the picture of the manual can be taken", async () => {
  const manual = await open("week.html", { viewport: { width: 1200, height: 780 } });
  await box(manual, "acme_refill_rx").hover({ position: { x: 70, y: 50 } });
  await picture(manual, "manual.png");
  return lacks(await text(manual, "#tip"), "drivers/net/ethernet/acme/acme_rx.c:412");
});
