// The page of --report, used as a person does: it must answer to clicks and keys, print, be readable in both themes, ask
// the network for nothing and say nothing on the console. Leaves screenshots in the folder.
//
// usage: PLAYWRIGHT=FOLDER node page.mjs HEDDLE EXAMPLES FOLDER-FOR-FILES
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const { chromium } = createRequire(import.meta.url)(process.env.PLAYWRIGHT);
const [heddle, examples, folder] = process.argv.slice(2).map((path) => resolve(path));

// Eight threads, so that main makes nine.
const CROWD = `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn, last_seen_by_anybody;
static void* worker(void* a) {
  int seen = atomic_fetch_add_explicit(&turn, 1, memory_order_acq_rel);
  atomic_store_explicit(&last_seen_by_anybody, seen, memory_order_relaxed);
  return a;
}
int main(void) {
  pthread_t t[8];
  for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 8; i++) pthread_join(t[i], 0);
  assert(last_seen_by_anybody == 7); // fails
}
`;
const STRANGE = `
#include <assert.h>
#include <stdio.h>
int main(void) {
  printf("</script><script>document.title = 'taken'</script><img src=x onerror=\\"document.title = 'taken'\\">\\n");
  assert(!"<b>bold</b>"); // <img src=x onerror="document.title = 'taken'">
}
`;

function check(name, status, words, cwd) {
  const file = join(folder, `${name}.html`);
  const done = spawnSync(heddle, ["check", "--report", file, ...words], { cwd, encoding: "utf8" });
  assert.equal(done.status, status, `${words}: ${done.stdout}${done.stderr}`);
  return file;
}
function written(name, text) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });

// Opens a page, and sees to it that it is quiet.
async function visit(file, use, { width = 1280, height = 900, colorScheme = "light" } = {}) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  const said = [];
  page.on("console", (message) => said.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => said.push(`error: ${error.message}`));
  page.on("request", (request) => { if (!/^(file|data):/.test(request.url())) said.push(`asks for ${request.url()}`); });
  await page.goto(`file://${file}`);
  await use(page);
  await page.close();
  assert.deepEqual(said, [], file);
}
const shot = (page, name) => page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
const text = (page, selector) => page.locator(selector).innerText();
const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const opacity = (page, selector) => page.evaluate((s) => getComputedStyle(document.querySelector(s)).opacity, selector);

async function race(page) {
  assert.equal((await text(page, "#badge")).toLowerCase(), "error");
  assert.match(await text(page, "h1"), /^data race on data/);
  assert.match(await text(page, ".why"), /not ordered by happens-before/);
  assert.match(await text(page, "#command"), /heddle check --report .* mp_relaxed\.c/);
  const steps = await page.locator(".step").count();
  assert.equal(await text(page, "#count"), `${steps} of ${steps}`);
  assert.equal(await page.locator(".lane-heads b").count(), 3);
  assert.equal(await page.locator(".line.bad .no").innerText(), "21");
  assert.equal(await page.locator(".line.other .no").innerText(), "14");
  await shot(page, "race-light");

  // A click on the read shows its line, and the write that it read.
  const read = page.locator(".step.read", { hasText: "flag" }).first();
  await read.click();
  assert.match(await read.getAttribute("class"), /current/);
  assert.equal(await page.locator(".step.partner").count(), 1);
  assert.match(await page.locator(".step.partner").getAttribute("aria-label"), /T1, line 15: write\(rlx\) flag = 1/);
  assert.equal(await page.locator(".line.current .no").innerText(), "20");
  assert.equal(await page.locator(".line.partner .no").innerText(), "15");
  assert.match(await text(page, "#detail"), /read\(acq\) flag = 1.*does not synchronise/s);
  await shot(page, "race-read");

  // Steps: keys, buttons, slider.
  await page.keyboard.press("Home");
  assert.equal(await text(page, "#count"), `1 of ${steps}`);
  assert.equal(await page.locator(".step.future").count(), steps - 1);
  assert.match(await text(page, "#values"), /flag\s+initial\s+–\s+–\s+–/);  // not yet written, seen by nobody
  await page.keyboard.press("ArrowRight");
  await page.locator("#next").click();
  assert.equal(await text(page, "#count"), `3 of ${steps}`);
  assert.match(await text(page, "#values"), /flag\s+1\s+–\s+1\s+–/);  // T1 has written it
  await page.locator("#slider").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await text(page, "#count"), `4 of ${steps}`);
  await page.locator("#lanes").focus();
  await page.keyboard.press("ArrowUp");
  assert.equal(await text(page, "#count"), `3 of ${steps}`);
  await page.keyboard.press("End");
  assert.equal(await text(page, "#count"), `${steps} of ${steps}`);
  await page.locator(".line.used", { hasText: "memory_order_relaxed" }).click();
  assert.equal(await text(page, "#count"), `3 of ${steps}`);

  // Relations on and off, by the mouse and by keys.
  for (const name of ["po", "rf", "hb"]) {
    const group = page.locator(`g.relation.${name}`);
    const button = page.locator(`[data-relation=${name}]`);
    const before = await button.getAttribute("aria-pressed");
    assert.equal(await group.evaluate((g) => getComputedStyle(g).display !== "none"), before === "true");
    await button.click();
    assert.notEqual(await button.getAttribute("aria-pressed"), before);
    assert.equal(await group.evaluate((g) => getComputedStyle(g).display !== "none"), before !== "true");
    await page.keyboard.press(name[0]);
    assert.equal(await button.getAttribute("aria-pressed"), before);
  }

  // Themes.
  const light = await background(page);
  await page.locator("#theme").click();
  const dark = await background(page);
  assert.notEqual(light, dark);
  await page.keyboard.press("h");
  await shot(page, "race-dark");
  await page.keyboard.press("t");
  assert.equal(await background(page), light);

  // In print everything is there, whatever the step.
  await page.keyboard.press("Home");
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("#theme").isVisible(), false);
  assert.equal(await opacity(page, ".step.future"), "1");
  await shot(page, "race-print");
  await page.pdf({ path: join(folder, "race.pdf") });
}

// Names for whoever does not see the picture, and no two of one id.
async function accessible(page) {
  const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, [role=button], [tabindex='0']")]
    .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim())).map((e) => e.outerHTML));
  assert.deepEqual(unnamed, []);
  const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((e) => e.id));
  assert.equal(new Set(ids).size, ids.length);
}

await visit(check("race", 1, ["mp_relaxed.c"], examples), async (page) => { await race(page); });
await visit(join(folder, "race.html"), accessible);
await visit(join(folder, "race.html"), async (page) => {  // the system's theme counts if nobody has chosen
  const [, ...rgb] = (await background(page)).match(/(\d+), (\d+), (\d+)/);
  assert.ok(Math.max(...rgb.map(Number)) < 64, "dark");
}, { colorScheme: "dark" });

await visit(check("deadlock", 1, ["deadlock.c"], examples), async (page) => {
  assert.ok(await page.locator(".step.blocked").count() >= 2);
  await shot(page, "deadlock-light");
});

await visit(check("crowd", 1, [written("crowd.c", CROWD)]), async (page) => {
  assert.equal(await page.locator(".lane-heads b").count(), 9);
  await accessible(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is too wide");
  await page.keyboard.press("c");
  await shot(page, "crowd-light");
  await page.keyboard.press("t");
  await shot(page, "crowd-dark");
});

await visit(check("several", 1, ["--keep-going", "--model", "rc11", "race.c"], examples), accessible);

await visit(check("verified", 0, ["mp.c"], examples), async (page) => {
  assert.equal((await text(page, "#badge")).toLowerCase(), "verified");
  assert.match(await text(page, "h1"), /no error in/);
  assert.match(await text(page, "#summary"), /executions\s+\d/);
  assert.equal(await page.locator("#execution").isVisible(), false);
  await shot(page, "verified-light");
});

await visit(check("failed", 2, ["nothing_here.c"], folder), async (page) => {
  assert.match(await text(page, "h1"), /nothing_here\.c: no such file/);
});

await visit(check("strange", 1, [written("strange.c", STRANGE)]), async (page) => {
  assert.doesNotMatch(await page.title(), /taken/);
  assert.match(await text(page, "#output"), /<\/script><script>/);
  assert.equal(await page.locator("img, b:not(.why b):not(.lane-heads b)").count(), 0);
  assert.equal(await page.locator(".line code", { hasText: "<img" }).count(), 2);
});

await browser.close();
console.log("the pages work");
