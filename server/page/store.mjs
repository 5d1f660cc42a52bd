import { parseJSON, print } from './json.mjs';

// historyLimit is the number of queries that the history keeps.
export const historyLimit = 50;

// largest is the number of characters of a query and its variables beyond which they are
// not kept.
const largest = 50_000;

// History keeps the queries that were run, newest first, in the browser's storage under
// a name for the domain. It holds queries and variables, never what was answered and
// never what a browser sends along to say who it is.
export class History {
  constructor(storage, address) {
    this.storage = storage;
    this.key = `ontogate.graphql.history:${address}`;
  }

  // entries are {query, variables, operation, at: milliseconds, faults: number}.
  entries() {
    const list = readStored(this.storage, this.key);
    return Array.isArray(list) ? list.filter((e) => e && typeof e.query === 'string' && typeof e.variables === 'string').slice(0, historyLimit) : [];
  }

  // add puts an entry first; an equal one that is there goes.
  add(entry) {
    if (entry.query.length + entry.variables.length > largest) return;
    const same = (e) => e.query === entry.query && e.variables === entry.variables && e.operation === entry.operation;
    const list = [entry, ...this.entries().filter((e) => !same(e))].slice(0, historyLimit);
    // A browser's storage is small: the oldest go when it is full.
    while (list.length && !writeStored(this.storage, this.key, list)) list.pop();
  }

  clear() {
    writeStored(this.storage, this.key, null);
  }
}

// Draft keeps what stands in the editors, so that loading the page again loses nothing.
export class Draft {
  constructor(storage, address) {
    this.storage = storage;
    this.key = `ontogate.graphql.draft:${address}`;
  }

  load() {
    const d = readStored(this.storage, this.key);
    return d && typeof d.query === 'string' && typeof d.variables === 'string' ? d : null;
  }

  save(query, variables) {
    if (query.length + variables.length <= largest) writeStored(this.storage, this.key, { query, variables });
  }
}

function readStored(storage, key) {
  try {
    return JSON.parse(storage?.getItem(key) ?? 'null');
  } catch {
    return null; // a storage that is closed to pages, or holds something else
  }
}

function writeStored(storage, key, value) {
  try {
    if (value === null) storage?.removeItem(key);
    else storage?.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

// linkHash is the fragment of a link that carries a query.
export function linkHash(query, variables, operation) {
  const parts = new URLSearchParams({ query });
  if (variables.trim() && variables.trim() !== '{}') parts.set('variables', variables);
  if (operation) parts.set('operation', operation);
  return `#${parts}`;
}

// fromHash is the query that a link carries, null without one.
export function fromHash(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const query = parts.get('query');
  if (query === null) return null;
  return { query, variables: parts.get('variables') ?? '', operation: parts.get('operation') ?? '' };
}

// requestBody is the body of a request. The variables go as they are written, so that
// numbers of any size arrive; they are checked before.
export function requestBody(query, variables, operation) {
  const parts = [`"query":${JSON.stringify(query)}`];
  if (variables.trim()) parts.push(`"variables":${variables.trim()}`);
  if (operation) parts.push(`"operationName":${JSON.stringify(operation)}`);
  return `{${parts.join(',')}}`;
}

// variablesFault is what is wrong with the text of variables, {message, offset}, or null.
export function variablesFault(text) {
  if (!text.trim()) return null;
  try {
    const value = parseJSON(text);
    return value instanceof Map || value === null ? null : { message: 'Variables are a JSON object: {"name": value}.', offset: 0 };
  } catch (fault) {
    return { message: fault.message, offset: fault.offset ?? 0 };
  }
}

// layOutJSON lays out the text of variables; a faulty one stays as it is.
export function layOutJSON(text) {
  try {
    return text.trim() ? `${print(parseJSON(text))}\n` : text;
  } catch {
    return text;
  }
}
