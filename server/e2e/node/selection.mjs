// Several clients at once, each changing its selection round after round.
//
// task: {targets: [target], lists: {domain: [tool]}, rounds}
// prints {round} from the first client after each of its rounds, then {clients: [{selections, announced, listening, faults}]}
import { connect, task, text, verdict } from './client.mjs';

const { targets, lists, rounds } = task();
const names = Object.keys(lists);
const clients = await Promise.all(targets.map(async (target) => ({
  ...await connect(target), selections: 0, faults: [],
})));

// select changes one client's selection and checks what that client then sees.
async function select(c, domain, announcements) {
  const before = c.seen.announced;
  const result = await c.call('select_domain', { domain_name: domain });
  c.selections++;
  if (result.isError) c.faults.push(`${domain}: ${text(result)}`);
  const got = (await c.tools()).join(' ');
  const want = [...lists[domain]].sort().join(' ');
  if (got !== want) c.faults.push(`${domain}: tools ${got}, want ${want}`);
  const heard = c.seen.announced - before;
  if (heard !== announcements) c.faults.push(`${domain}: announced ${heard} times, want ${announcements}`);
}

// alternate moves through the domains by stride, so that clients differ and
// every round is a change: both strides used are coprime to four.
async function alternate(c, stride, start, count, each = () => {}) {
  for (let i = 0; i < count; i++) {
    await select(c, names[(start + i * stride) % names.length], 1);
    each(i + 1);
  }
}

// Before the crowd: one acts while the others hear nothing, and a selection
// that changes nothing is not announced.
for (const c of clients) {
  const others = clients.filter((o) => o !== c).map((o) => [o, o.seen.announced]);
  await select(c, names[0], 1);
  await select(c, names[0], 0);
  for (const [o, before] of others) {
    await o.client.ping();
    if (o.seen.announced !== before) o.faults.push("heard of another client's selection");
  }
}
await Promise.all(clients.map((c, i) => alternate(c, i % 2 ? 3 : 1, 1, rounds,
  i === 0 ? (round) => verdict({ round }) : undefined)));
for (const c of clients) await c.client.ping();

verdict({
  clients: clients.map((c) => ({
    selections: c.selections, announced: c.seen.announced, listening: c.seen.listening, faults: c.faults.slice(0, 5),
  })),
});
await Promise.all(clients.map((c) => c.close()));
