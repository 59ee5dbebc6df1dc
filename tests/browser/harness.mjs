// SPDX-License-Identifier: GPL-2.0-only
// A browser, and tests that print TAP.

import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";
import path from "node:path";

export const directory = path.resolve(process.argv[2]);
const { chromium } = createRequire(path.join(directory, "/"))("playwright-core");

let count = 0;
let failures = 0;

// Everything that a page complains about or asks for.
export const complaints = [];

export async function test(sentence, body) {
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

export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

export const address = (name) => (name === "about:blank" ? name : pathToFileURL(path.join(directory, name)).href);

// Opens a report. `options` are those of a browser's context; `hash` is what stands behind the address.
export async function open(name, options = {}, hash = "") {
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 }, ...options });
  // On a machine that is busy with other things everything takes its time.
  page.setDefaultTimeout(300_000);
  page.on("pageerror", (error) => complaints.push(`${name}: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && complaints.push(`${name}: ${message.text()}`));
  // What is saved is made in the page itself.
  page.on("request", (request) => /^(file|blob):/.test(request.url()) || complaints.push(`${name} asks for ${request.url()}`));
  page.on("dialog", (dialog) => {
    complaints.push(`${name}: a name ran as a script: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(address(name) + hash);
  return page;
}

export const picture = (page, name, options) => page.screenshot({ path: path.join(directory, name), ...options });
export const boxes = (page) => page.locator("g.box").count();
export const text = (page, selector) => page.locator(selector).innerText();
export const box = (page, name) => page.locator("g.box", { hasText: name }).last();
export const differs = (found, expected) => (found === expected ? undefined : `'${found}' is not '${expected}'`);
export const lacks = (found, part) => (found.includes(part) ? undefined : `'${found}' lacks '${part}'`);

export async function finish() {
  await test("no page complains or asks for anything", () => complaints.join("\n"));
  await browser.close();
  console.log(`1..${count}`);
  process.exitCode = failures ? 1 : 0;
}
