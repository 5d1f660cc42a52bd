// A program with graphql-request, which sends one request after the other.
//
// task: {requests: [{url, page, query, variables, extra}]}: page, if given, is the origin
// of the web page in which the program runs; extra are members added to the request
// prints [{status, data, errors, body, fault}], one for each request; body is there for
// an answer with errors, and fault is an exception that tells of no answer
import { ClientError, GraphQLClient } from 'graphql-request';
import { task, verdict } from './client.mjs';

// inPage makes fetch as a browser has it in a page of another origin: it asks before it
// sends JSON, and keeps an answer from the page that is not allowed to it.
const inPage = (page) => async (url, { method, headers, body }) => {
  const allowed = (response) => ['*', page].includes(response.headers.get('access-control-allow-origin'));
  const listed = (response, name) => (response.headers.get(name) ?? '').toLowerCase().split(/\s*,\s*/);
  const sent = new Headers(headers);
  const asks = [...sent.keys()].filter((name) => name !== 'accept').sort();
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: { origin: page, 'access-control-request-method': method, 'access-control-request-headers': asks.join(',') },
  });
  const may = preflight.ok && allowed(preflight)
    && asks.every((name) => listed(preflight, 'access-control-allow-headers').includes(name));
  if (!may) throw new TypeError(`preflight refused with ${preflight.status}`);
  sent.set('origin', page);
  const response = await fetch(url, { method, headers: sent, body });
  if (!allowed(response)) throw new TypeError('the answer is kept from the page');
  return response;
};

const outcomes = [];
for (const { url, page, query, variables, extra } of task().requests) {
  const client = new GraphQLClient(url, {
    fetch: page ? inPage(page) : fetch,
    requestMiddleware: (request) => ({ ...request, body: JSON.stringify({ ...JSON.parse(request.body), ...extra }) }),
  });
  try {
    const { status, data } = await client.rawRequest(query, variables);
    outcomes.push({ status, data });
  } catch (error) {
    if (error instanceof ClientError) {
      const { status, data, errors, body } = error.response;
      outcomes.push({ status, data, errors, body });
    } else {
      outcomes.push({ fault: `${error}` });
    }
  }
}
verdict(outcomes);
