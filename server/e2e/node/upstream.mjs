// People use the query page of a domain of a deployment.
//
// task: {chromium, origin, domain, query}
// prints {schema, example, state, answer, outside, console}
import { launch, newLog, open, run, textOf, valueOf, visitor, write } from './browser.mjs';
import { task, verdict } from './client.mjs';

const { chromium, origin, domain, query } = task();
const browser = await launch(chromium);
const log = newLog();
const seen = { ...log };
try {
  const page = await visitor(browser, origin, log);
  await open(page, `${origin}/api/v1/graphql/${domain}`);
  seen.schema = await textOf(page, '#panel-schema');
  seen.example = await valueOf(page, '#query');
  await write(page, '#query', query);
  await page.keyboard.press('Escape');
  await run(page);
  seen.state = await textOf(page, '#result-state');
  seen.answer = await textOf(page, '#answer');
} finally {
  await browser.close();
}
verdict(seen);
