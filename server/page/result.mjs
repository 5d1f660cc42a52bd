import { button, make, portion, say } from './dom.mjs';
import { explain, saidBy } from './faults.mjs';
import { parseJSON, scalarText } from './json.mjs';
import { table, tables, tree } from './tree.mjs';
import { count, duration, offsetOf, size } from './words.mjs';

// PLAIN_LENGTH is how many characters are shown of an answer that is no JSON.
const PLAIN_LENGTH = 4000;

// Result shows what came of a request. jump(start, end) shows a part of the query.
export class Result {
  constructor({ state, faults, views, body, jump }) {
    Object.assign(this, { state, faults, views, body, jump });
    this.raw = '';
    this.view = 'JSON';
  }

  // wait shows that a request is on its way.
  wait() {
    this.state.replaceChildren(make('span', { class: 'busy' }, 'Running…'));
    this.body.setAttribute('aria-busy', 'true');
  }

  // show shows an answer of ask() to a query.
  show(answer, query) {
    this.body.removeAttribute('aria-busy');
    this.raw = answer.text;
    this.views.replaceChildren();
    if (answer.stopped) {
      this.state.replaceChildren('Stopped.');
      this.faults.replaceChildren();
      this.body.replaceChildren();
      return { faults: 0, answered: false };
    }
    const value = this.read(answer);
    const errors = value?.get('errors');
    const data = value?.get('data');
    const list = Array.isArray(errors) ? errors : [];
    const graph = list.length > 0 || data !== undefined;
    const failed = !graph || (answer.status !== 200 && data === undefined);
    this.told(answer, list.length, failed);
    this.faults.replaceChildren(...this.words(answer, list, query, failed));
    this.content(answer, value, data);
    return { faults: failed ? Math.max(1, list.length) : list.length, answered: true };
  }

  // read is the answer as a Map, null when it is no JSON object.
  read(answer) {
    if (!answer.whole || !answer.text) return null;
    try {
      const value = parseJSON(answer.text);
      return value instanceof Map ? value : null;
    } catch {
      return null;
    }
  }

  // told writes the line of facts over the answer.
  told(answer, errors, failed) {
    const status = answer.status || 'no answer';
    const facts = [duration(answer.time), ...(answer.bytes ? [size(answer.bytes)] : []), ...(errors ? [count(errors, 'error')] : [])];
    this.state.replaceChildren(make('span', { class: failed || answer.status !== 200 ? 'status bad' : errors ? 'status some' : 'status good' }, String(status)), ...facts.map((fact) => make('span', {}, fact)));
    say(`Result: ${[status, ...facts].join(', ')}`);
  }

  // words say what went wrong: with the request as a whole, or else with the query.
  words(answer, errors, query, failed) {
    if (!answer.whole) return [fault('The answer is larger than 64 MB.', 'It is not shown. Ask for fewer items or fields.')];
    if (failed && answer.status !== 200 && !(answer.status === 400 && errors.length)) {
      const { title, text } = explain(answer.status, saidBy(answer.text));
      return [fault(title, text)];
    }
    if (!errors.length) return failed ? [fault('This is no answer of GraphQL.', 'Check the address of this page.')] : [];
    const list = portion(errors, 20, (e) => this.error(e, query), 'errors', (more) => make('li', {}, more));
    return [make('h3', {}, count(errors.length, 'error')), make('ol', { class: 'errors' }, list)];
  }

  // error shows an error of GraphQL with where it is in the query and the answer.
  error(e, query) {
    const entry = e instanceof Map ? e : new Map([['message', e]]);
    const message = entry.get('message');
    const row = make('li', {}, make('p', {}, typeof message === 'string' ? message : 'The server gives no message.'));
    const facts = make('p', { class: 'where' });
    const path = entry.get('path');
    if (Array.isArray(path) && path.length) facts.append(make('span', {}, 'at ', make('code', {}, path.map(scalarText).join('.'))));
    const places = entry.get('locations');
    for (const place of Array.isArray(places) ? places.slice(0, 5) : []) {
      const [line, column] = place instanceof Map ? [place.get('line'), place.get('column')] : [];
      if (!Number.isInteger(line) || !Number.isInteger(column)) continue;
      facts.append(button(`line ${line}, column ${column}`, () => {
        const at = offsetOf(query, line, column);
        this.jump(at, at + (/^\w*/.exec(query.slice(at))[0].length || 1));
      }, { class: 'link' }));
    }
    if (facts.childNodes.length) row.append(facts);
    return row;
  }

  // content shows the answer itself, as JSON or, where it has lists, as a table.
  content(answer, value, data) {
    this.body.replaceChildren();
    if (value === null) {
      if (answer.text) this.body.append(make('pre', { class: 'plain' }, answer.text.slice(0, PLAIN_LENGTH) + (answer.text.length > PLAIN_LENGTH ? `\n… ${count(answer.text.length - PLAIN_LENGTH, 'more character')}` : '')));
      return;
    }
    const lists = data instanceof Map ? tables(data) : [];
    const draw = {
      JSON: () => [tree(value)],
      Table: () => lists.map(table),
    };
    const choose = (view) => {
      for (const b of this.views.children) b.setAttribute('aria-pressed', b.textContent === view);
      this.body.replaceChildren(...draw[view]());
      this.body.scrollTop = 0;
    };
    if (lists.length) {
      this.views.append(...Object.keys(draw).map((view) => button(view, () => {
        this.view = view;
        choose(view);
      })));
    }
    choose(lists.length ? this.view : 'JSON');
  }
}

const fault = (title, text) => make('div', { class: 'fault' }, make('h3', {}, title), text ? make('p', {}, text) : null);
