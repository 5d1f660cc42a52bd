// A real browser for the tests of the query page. Nothing but the origin of the test is
// let through, and what a page complains of is kept.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// launch starts the browser of a path.
export const launch = (path) => chromium.launch({ executablePath: path });

// visitor opens a window of its own. Its complaints are kept in log: {outside: addresses
// of others that were asked for, console: errors, faults: what was thrown, policy: what
// Content-Security-Policy stopped}.
export async function visitor(browser, origin, log, { scheme = 'light', width = 1280, height = 800 } = {}) {
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height } });
  context.setDefaultTimeout(20_000);
  await context.addInitScript(() => addEventListener('securitypolicyviolation', (e) => console.error(`policy: ${e.violatedDirective} ${e.blockedURI}`)));
  await context.route('**/*', (route) => {
    const url = route.request().url();
    if (url.startsWith(`${origin}/`)) return route.continue();
    log.outside.push(url);
    return route.abort();
  });
  const page = await context.newPage();
  page.on('console', (m) => {
    if (m.type() === 'error' && !/^Failed to load resource: .*status of [45]/.test(m.text())) log.console.push(m.text());
  });
  page.on('pageerror', (e) => log.console.push(String(e.stack ?? e)));
  return page;
}

export const newLog = () => ({ outside: [], console: [] });

// open goes to an address and waits until the page has read the schema, or said why not.
export async function open(page, url) {
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector('#schema-state')?.textContent.match(/types?\b|Try again/));
}

// run runs the query with the keyboard and waits for its result.
export async function run(page) {
  await page.keyboard.press('Control+Enter');
  await page.waitForFunction(() => document.querySelector('#run').textContent === 'Run' && !document.querySelector('.busy') && document.querySelector('#result-state').textContent !== '');
}

// write replaces what stands in an editor, as typed by a person.
export async function write(page, id, text) {
  await page.focus(id);
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.type(text);
}

export const textOf = (page, selector) => page.locator(selector).innerText();
export const valueOf = (page, selector) => page.locator(selector).inputValue();

// violations are the rules of axe-core that a page breaks, with the elements.
export async function violations(page) {
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(axe);
  const { violations: found } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return found.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => `${n.target.join(' ')} ${n.any[0]?.message ?? ''}`).join(' | ')}`);
}
