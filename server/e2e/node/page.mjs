// People use the query page of a domain.
//
// task: {chromium, origin, domain}
// prints what they saw; see pageSeen in page_test.go
import { launch, newLog, open, run, textOf, valueOf, violations, visitor, write } from './browser.mjs';
import { task, verdict } from './client.mjs';

const { chromium, origin, domain } = task();
const address = `${origin}/graphql/${domain}`;
const browser = await launch(chromium);
const log = newLog();
const seen = { axe: {}, ...log };

async function writes(page) {
  await open(page, address);
  seen.title = await page.title();
  seen.heading = await textOf(page, 'h1');
  seen.example = await valueOf(page, '#query');
  await run(page);
  seen.exampleState = await textOf(page, '#result-state');
  await write(page, '#query', '{ allCustomer(limit: 2) { fir');
  await page.waitForSelector('#query-list [role=option]');
  seen.suggested = await page.locator('#query-list .label').allInnerTexts();
  seen.announced = await textOf(page, '#say');
  seen.axe.suggestions = await violations(page);
  await page.keyboard.press('Enter');
  seen.completed = await valueOf(page, '#query');
  await run(page);
  seen.answer = await textOf(page, '#answer');
  await page.click('#views >> text=Table');
  seen.table = await textOf(page, '#answer');
  seen.axe.table = await violations(page);
}

async function marks(page) {
  await write(page, '#query', '{ allCustomer { fristname } }');
  // Until the pause after the last key, the mark is of what was there before it.
  await page.waitForFunction(() => document.querySelector('#problems li')?.textContent.includes('fristname'));
  seen.problems = await textOf(page, '#problems');
  seen.axe.problems = await violations(page);
  await run(page);
  seen.errors = await textOf(page, '#faults');
  await page.click('#faults .where button');
  seen.jumped = await page.evaluate(() => {
    const area = document.querySelector('#query');
    return [document.activeElement === area, area.value.slice(area.selectionStart, area.selectionEnd)].join(' ');
  });
  await page.click('#problems >> text=Use firstname');
  seen.fixed = await valueOf(page, '#query');
  await page.click('#prettify');
  seen.prettified = await valueOf(page, '#query');
}

async function explores(page) {
  seen.explorer = await textOf(page, '#panel-schema');
  await page.fill('#search', 'hasinter');
  seen.found = await textOf(page, '#panel-schema');
  await page.locator('#panel-schema').getByText('Customer.hasInteraction', { exact: true }).click();
  seen.type = await textOf(page, '#panel-schema h3');
  seen.implements = await textOf(page, '#panel-schema >> text=Implements');
  seen.crumbs = await textOf(page, '.crumbs');
  await page.click('#panel-schema >> role=button[name="Insert the field email"]');
  seen.inserted = await valueOf(page, '#query');
  seen.axe.type = await violations(page);
}

async function returns(page) {
  await page.waitForTimeout(400); // the pause in typing after which the page keeps a draft
  await page.reload();
  await page.waitForFunction(() => document.querySelector('#schema-state').textContent.includes('types'));
  seen.draft = await valueOf(page, '#query');
  await page.focus('#tab-schema');
  await page.keyboard.press('ArrowRight');
  seen.history = await page.locator('.past code').allInnerTexts();
  seen.axe.history = await violations(page);
  await page.locator('.past').last().click();
  seen.recalled = await valueOf(page, '#query');
  await page.click('text=Clear history');
  seen.cleared = await page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.includes('history')).length);
}

async function follows(scheme, width) {
  const page = await visitor(browser, origin, log, { scheme, width });
  const parts = new URLSearchParams({ query: 'query One($n: Int) { allCustomer(limit: $n) { label } }\nquery Two { countCustomer }', variables: '{"n": 1}', operation: 'Two' });
  await open(page, `${address}#${parts}`);
  const linked = [await valueOf(page, '#query'), await valueOf(page, '#variables'), await valueOf(page, '#operation')];
  await run(page);
  linked.push(await textOf(page, '#answer'));
  seen.linked = linked;
  seen.axe[`${scheme}, ${width}`] = await violations(page);
  seen.overflow = (seen.overflow ?? 0) + await page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
  await page.context().close();
}

try {
  const page = await visitor(browser, origin, log);
  await writes(page);
  await marks(page);
  await explores(page);
  await returns(page);
  await page.context().close();
  await follows('light', 1280);
  await follows('dark', 1280);
  await follows('light', 360);
  await follows('dark', 360);
} finally {
  await browser.close();
}
verdict(seen);
