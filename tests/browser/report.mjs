// SPDX-License-Identifier: GPL-2.0-only
// Uses reports in a real browser as a person would. Prints TAP.
//
// node report.mjs DIRECTORY: where one.html, diff.html, many.html, large.html and hostile.html are (see
// tests/suites/cli-report), and where the pictures go. Chromium is Debian's; CHROMIUM names another.

import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";
import path from "node:path";

const directory = path.resolve(process.argv[2]);
const { chromium } = createRequire(path.join(directory, "/"))("playwright-core");

let count = 0;
let failures = 0;

async function test(sentence, body) {
  let problem;
  try {
    problem = await body();
  } catch (error) {
    problem = error.message;
  }
  count++;
  if (problem) failures++;
  console.log(`${problem ? "not ok" : "ok"} ${count} - ${sentence}`);
  if (problem) console.log(String(problem).replace(/^/gm, "# "));
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

// Everything that a page complains about or asks for.
const complaints = [];

async function open(name, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 }, ...options });
  page.on("pageerror", (error) => complaints.push(`${name}: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && complaints.push(`${name}: ${message.text()}`));
  page.on("request", (request) => request.url().startsWith("file:") || complaints.push(`${name} asks for ${request.url()}`));
  page.on("dialog", (dialog) => {
    complaints.push(`${name}: a name ran as a script: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(pathToFileURL(path.join(directory, name)).href);
  return page;
}

const boxes = (page) => page.locator("g.box").count();
const text = (page, selector) => page.locator(selector).innerText();
const box = (page, name) => page.locator("g.box", { hasText: name }).last();
const differs = (found, expected) => (found === expected ? undefined : `'${found}' is not '${expected}'`);
const lacks = (found, part) => (found.includes(part) ? undefined : `'${found}' lacks '${part}'`);

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

await test("the finder fades what does not match and says how much does", async () => {
  await page.keyboard.press("/");
  await page.keyboard.type("virtio");
  const missed = await page.locator("g.box.missed").count();
  const found = await text(page, "#found");
  await page.keyboard.press("Escape");
  const left = await page.locator("g.box.missed").count();
  return missed < 50 || left > 0 ? `${missed} faded, then ${left}` : lacks(found, " found, ");
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
  await page.screenshot({ path: path.join(directory, "icicle.png") });
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
  await page.screenshot({ path: path.join(directory, "table.png") });
  return lacks(largest, "shmem_alloc_folio") || (smallest === largest && "the order is not turned round") || (sorted ? undefined : names.join(" "));
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

await test("it is dark where the system is, and by a key", async () => {
  const dark = await open("one.html", { colorScheme: "dark" });
  const shade = () => dark.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [before] = [await shade()];
  await dark.screenshot({ path: path.join(directory, "dark.png") });
  await dark.locator("main").focus();
  await dark.keyboard.press("d");
  const after = await shade();
  return differs(before, "rgb(20, 23, 26)") || differs(after, "rgb(251, 251, 250)");
});

await test("two profiles open on their difference", async () => {
  const diff = await open("diff.html");
  const fill = (name) => box(diff, name).locator("rect.fill").evaluate((rect) => rect.getAttribute("fill"));
  await diff.screenshot({ path: path.join(directory, "diff.png") });
  const sums = await text(diff, "#sums");
  const grown = await fill("shmem_alloc_folio");
  const shrunk = await fill("alloc_buf");
  const warm = parseInt(grown.slice(1, 3), 16) > parseInt(grown.slice(5, 7), 16);
  const cold = parseInt(shrunk.slice(1, 3), 16) < parseInt(shrunk.slice(5, 7), 16);
  return lacks(sums, "change") || (warm && cold ? undefined : `grown is ${grown}, shrunk is ${shrunk}`);
});

await test("the slider goes through the profiles, and one site's course is drawn", async () => {
  const many = await open("many.html");
  const total = () => text(many, "#sums b >> nth=0");
  const last = await total();
  await many.locator("#to").focus();
  await many.keyboard.press("Home");
  const first = await total();
  const title = await text(many, "#when");
  await box(many, "shmem_alloc_folio").hover();
  const course = await many.locator("#tip polyline").count();
  return (first === last && `always ${first}`) || lacks(title, "p0.txt") || differs(course, 1);
});

await test("15,000 rows open within two seconds and 4,000 boxes", async () => {
  const start = Date.now();
  const large = await open("large.html");
  const took = Date.now() - start;
  const drawn = await boxes(large);
  await large.screenshot({ path: path.join(directory, "large.png") });
  return took > 2000 || drawn > 4000 || drawn < 300 ? `${took} ms, ${drawn} boxes` : undefined;
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
    const picture = await open(name);
    const drawn = await picture.locator("rect").count();
    await picture.screenshot({ path: path.join(directory, name.replace("svg", "png")) });
    if (drawn < 60) return `${name}: ${drawn} boxes`;
  }
});

await test("the picture of the manual can be taken", async () => {
  const manual = await open("manual.html", { viewport: { width: 1200, height: 720 } });
  await box(manual, "alloc_thread_stack_node").hover();
  await manual.screenshot({ path: path.join(directory, "manual.png") });
  return lacks(await text(manual, "#tip"), "kernel/fork.c:419");
});

await test("no page complains or asks for anything", () => complaints.join("\n"));

await browser.close();
console.log(`1..${count}`);
process.exitCode = failures ? 1 : 0;
