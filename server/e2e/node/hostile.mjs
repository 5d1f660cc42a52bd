// The query page before servers that are hostile, closed, gone, or answer too much.
//
// task: {chromium, origin, domains: [name], probe: text}
// prints {domain: {state, body, faults, answer, nodes, probed}, outside, console}
import { launch, newLog, open, run, textOf, visitor, write } from './browser.mjs';
import { task, verdict } from './client.mjs';

const { chromium, origin, domains, probe } = task();
const browser = await launch(chromium);
const log = newLog();
const seen = { ...log, domains: {} };

for (const domain of domains) {
  const page = await visitor(browser, origin, log);
  // What a hostile page of the same origin could have left behind, and a hostile link.
  const path = `/graphql/${encodeURIComponent(domain)}`;
  await page.addInitScript(([key, text]) => localStorage.setItem(key, JSON.stringify([{ query: text, variables: text, operation: text, at: text, faults: 1 }, 7, null])), [`ontogate.graphql.history:${path}`, probe]);
  await open(page, `${origin}${path}#${new URLSearchParams({ query: `{ a } # ${probe}`, variables: '', operation: probe })}`);
  await run(page);
  const shown = {
    state: await textOf(page, '#schema-state'),
    faults: await textOf(page, '#faults'),
    answer: (await textOf(page, '#answer')).slice(0, 20_000),
    nodes: await page.evaluate(() => document.querySelectorAll('#answer *').length),
  };
  if (await page.locator('#views button').count()) {
    await page.click('#views >> text=Table');
    shown.answer += await textOf(page, '#answer');
  }
  if (await page.locator('#search').isEnabled()) {
    await page.evaluate(() => { for (const d of document.querySelectorAll('#panel-schema details')) d.open = true; });
    shown.schema = await textOf(page, '#panel-schema');
    await page.fill('#search', 'thing');
    shown.schema += await textOf(page, '#panel-schema');
    await page.click('#panel-schema .entries button >> nth=0');
    shown.schema += await textOf(page, '#panel-schema');
    await write(page, '#query', '{ thing(');
    await page.keyboard.press('Control+Space');
    await page.waitForSelector('#query-list [role=option]');
    shown.schema += await textOf(page, '#query-host .about');
  }
  await page.click('#tab-history');
  shown.history = await textOf(page, '#panel-history');
  shown.body = await textOf(page, 'h1');
  shown.probed = await page.evaluate(() => [typeof globalThis.probed, document.querySelectorAll('img, iframe, object, embed, base, form, svg, script:not([type=module])').length].join(' '));
  seen.domains[domain] = shown;
  await page.context().close();
}
await browser.close();
verdict(seen);
