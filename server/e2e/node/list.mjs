// One client that lists the tools and calls one.
//
// task: {target, tool, args}
// prints {tools: [name], isError, text}
import { connect, task, text, verdict } from './client.mjs';

const { target, tool, args } = task();
const c = await connect(target);
const tools = await c.tools();
const result = await c.call(tool, args);
verdict({ tools, isError: Boolean(result.isError), text: text(result) });
await c.close();
