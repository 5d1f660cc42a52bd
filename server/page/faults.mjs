// What went wrong with a request, in words.

const STATUS_WORDS = {
  0: ['The server cannot be reached.', 'Check that it runs and that you are online, then try again.'],
  400: ['The server does not take this request.', 'Check the query and its variables.'],
  401: ['You are not signed in.', 'Load this page again to sign in, then run the query.'],
  403: ['This GraphQL endpoint is closed.', 'Its domain’s settings do not let requests in.'],
  404: ['There is no such domain here.', 'GET /graphql lists the domains that have GraphQL. Check the address of this page.'],
  405: ['This address does not take requests.', 'Check the address of this page.'],
  413: ['The request is too large.', 'Send less than 1 MiB.'],
  429: ['There are too many requests.', 'Wait a moment, then try again.'],
  500: ['The server has a fault of its own.', 'Try again; tell the people who run it the number of the request.'],
  502: ['The service behind this server has a fault.', 'Try again in a moment.'],
  503: ['The domain cannot be used now.', 'Try again in a moment.'],
  504: ['The answer took too long.', 'Ask for fewer items or fields, or try again.'],
};

// explain says what a status means: {title, text}; said is what the server says itself.
export function explain(status, said = '') {
  const known = STATUS_WORDS[status] ?? STATUS_WORDS[status >= 500 ? 500 : 400];
  return { title: known[0], text: said || known[1] };
}

const UNREADY = {
  no_classes: 'The ontology has no classes yet: nothing can be asked for.',
  no_properties: 'The ontology has classes but no properties yet: nothing can be asked of them.',
};

// unready says why there is no schema, from the answer of …/schema.
export function unready(body) {
  const reason = UNREADY[body?.reason] ?? '';
  const said = typeof body?.message === 'string' ? body.message : '';
  return { title: 'The schema is not ready.', text: said || reason || 'The server gives no reason.' };
}

// saidBy is the message in an answer that reports an error, '' without one.
export function saidBy(text) {
  try {
    const body = JSON.parse(text);
    const said = [body?.message, body?.detail, body?.errors?.[0]?.message, body?.error].find((s) => typeof s === 'string' && s);
    return said ?? '';
  } catch {
    return '';
  }
}

// readAll reads the body of a response up to a number of bytes: {text, bytes, whole}.
export async function readAll(response, most) {
  const decoder = new TextDecoder();
  const parts = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    if (bytes > most) {
      await reader.cancel();
      return { text: '', bytes, whole: false };
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
  parts.push(decoder.decode());
  return { text: parts.join(''), bytes, whole: true };
}

// ask sends a request to the server of this page. It gives {status, text, bytes, whole,
// time: milliseconds}; a status of 0 means that there is no answer. An answer that leads
// elsewhere means that who asks has to sign in again.
export async function ask(path, options, most = 64e6) {
  const start = performance.now();
  const ended = (status, rest = {}) => ({ status, text: '', bytes: 0, whole: true, ...rest, time: performance.now() - start });
  try {
    const response = await fetch(path, { redirect: 'manual', ...options });
    if (response.type === 'opaqueredirect') return ended(401);
    return ended(response.status, await readAll(response, most));
  } catch (error) {
    return ended(0, { stopped: error?.name === 'AbortError' });
  }
}
