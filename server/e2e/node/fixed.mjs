// A client on /mcp/{domain} while another one on /mcp changes its selection.
//
// task: {base, domain, other, tools, rounds}: base is the URL of /mcp, tools what the domain shows
// prints {announced, faults}
import { connect, task, text, verdict } from './client.mjs';

const { base, domain, other, tools, rounds } = task();
const faults = [];
const check = (holds, fault) => { if (!holds) faults.push(fault); };

const fixed = await connect({ url: `${base}/${domain}` });
const roaming = await connect({ url: base });

async function checkList(when) {
  const got = (await fixed.tools()).join(' ');
  check(got === [...tools].sort().join(' '), `${when}: tools ${got}`);
}

// checkRefused expects a refusal that names the URL on which the other domain is.
async function checkRefused(tool, args) {
  const result = await fixed.call(tool, args);
  const says = text(result);
  check(result.isError && says.includes(`${base}/${other}`), `${tool} ${JSON.stringify(args)}: ${says}`);
}

async function checkAnswers(tool, args) {
  const result = await fixed.call(tool, args);
  const says = text(result);
  check(!result.isError && says.includes(domain), `${tool} ${JSON.stringify(args)}: ${says.slice(0, 300)}`);
}

await checkList('at first');
await Promise.all([
  (async () => {
    for (let i = 0; i < rounds; i++) await roaming.call('select_domain', { domain_name: i % 2 ? domain : other });
  })(),
  (async () => {
    await checkRefused('select_domain', { domain_name: other });
    await checkRefused('describe_ontology', { domain_name: other });
    await checkAnswers('select_domain', { domain_name: domain });
    await checkAnswers('describe_ontology', { domain_name: domain });
    await checkAnswers('describe_ontology', {});
    for (let i = 0; i < rounds; i++) await checkList(`round ${i}`);
  })(),
]);

// A session belongs to its path.
const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
async function statusOn(url, method, session) {
  const response = await fetch(url, {
    method,
    body: method === 'POST' ? message : undefined,
    headers: {
      'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-session-id': session,
    },
  });
  await response.body?.cancel();
  return response.status;
}
for (const [session, url] of [
  [fixed.transport.sessionId, base],
  [fixed.transport.sessionId, `${base}/${other}`],
  [roaming.transport.sessionId, `${base}/${domain}`],
]) {
  for (const method of ['POST', 'GET', 'DELETE']) {
    const status = await statusOn(url, method, session);
    check(status === 404, `${method} ${url} with a session of another path: ${status}`);
  }
}
await checkList('at last');
await roaming.tools();

verdict({ announced: fixed.seen.announced, faults: faults.slice(0, 8) });
await Promise.all([fixed.close(), roaming.close()]);
