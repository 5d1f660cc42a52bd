// Connects the official TypeScript client to the server under test and counts
// what the server announces to it.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

// connect opens one client. target is {url, listen} for HTTP, where listen false
// stands for a client whose GET is answered 405, or {command, args} for stdio.
export async function connect(target) {
  const seen = { announced: 0, listening: 0 };
  const client = new Client({ name: 'ontogate-e2e', version: '1.0.0' });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => { seen.announced++; });
  const transport = target.url ? overHTTP(target, seen) : new StdioClientTransport({
    command: target.command, args: target.args, env: process.env, stderr: 'ignore',
  });
  await client.connect(transport);
  return {
    client, transport, seen,
    tools: async () => (await client.listTools()).tools.map((t) => t.name).sort(),
    call: (name, args = {}) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

// overHTTP notes in seen.listening the status with which the GET was answered.
function overHTTP(target, seen) {
  const counting = async (url, init) => {
    if (init?.method !== 'GET') return fetch(url, init);
    if (target.listen === false) {
      seen.listening = 405;
      return new Response(null, { status: 405 });
    }
    const response = await fetch(url, init);
    seen.listening = response.status;
    return response;
  };
  return new StreamableHTTPClientTransport(new URL(target.url), { fetch: counting });
}

// text joins the text blocks of a tool's result.
export const text = (result) => result.content.filter((c) => c.type === 'text').map((c) => c.text).join('\n');

// task is what the Go test asked for; verdict prints one line that it reads.
export const task = () => JSON.parse(process.argv[2]);
export const verdict = (value) => console.log(JSON.stringify(value));
