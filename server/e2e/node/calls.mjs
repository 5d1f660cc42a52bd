// One client that calls tools one after the other.
//
// task: {target, calls: [{tool, args}]}
// prints {tools: [name], listed: [name], announced, answers: [{isError, text}]}: the tools before and
// after the calls
import { connect, task, text, verdict } from './client.mjs';

const { target, calls } = task();
const c = await connect(target);
const tools = await c.tools();
const answers = [];
for (const { tool, args } of calls) {
  const result = await c.call(tool, args);
  answers.push({ isError: Boolean(result.isError), text: text(result) });
}
verdict({ tools, listed: await c.tools(), announced: c.seen.announced, answers });
await c.close();
