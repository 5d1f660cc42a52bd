import { complete } from './complete.mjs';
import { byId, button, make, say } from './dom.mjs';
import { Editor } from './editor.mjs';
import { exampleQuery, insertField } from './example.mjs';
import { Explorer } from './explorer.mjs';
import { ask, explain, saidBy, unready } from './faults.mjs';
import { lex } from './lex.mjs';
import { prettify } from './pretty.mjs';
import { Result } from './result.mjs';
import { parseSchema } from './sdl.mjs';
import { showHistory, tabs } from './side.mjs';
import { Draft, History, fromHash, layOutJSON, linkHash, requestBody, variablesFault } from './store.mjs';
import { walk } from './walk.mjs';
import { count, placeOf } from './words.mjs';

// WAIT is how long a pause in typing is, in milliseconds, after which problems are listed.
const WAIT = 250;

// SHOWN is how long a notice stays, in milliseconds.
const SHOWN = 6000;

// Page joins the parts: the address says the domain, the server answers at the address.
class Page {
  constructor() {
    this.address = location.pathname.replace(/\/+$/, '');
    this.storage = storageOf();
    this.history = new History(this.storage, this.address);
    this.draft = new Draft(this.storage, this.address);
    this.schema = null;
    this.running = null;
    const name = domainIn(this.address);
    byId('domain').textContent = name;
    document.title = `${name} · GraphQL · Ontogate`;
    this.parts();
    this.controls();
    this.begin();
    this.load();
  }

  parts() {
    this.query = new Editor(byId('query-host'), {
      id: 'query', label: 'Query',
      paint: (text) => walk(text, this.schema),
      suggest: (text, cursor) => complete(text, this.schema, cursor),
      onChange: () => this.edited(),
    });
    this.variables = new Editor(byId('variables-host'), {
      id: 'variables', label: 'Variables, as JSON', paint: paintJSON, onChange: () => this.edited(),
    });
    this.explorer = new Explorer(byId('panel-schema'), (type, field) => this.insert(type, field));
    this.result = new Result({
      state: byId('result-state'), faults: byId('faults'), views: byId('views'), body: byId('answer'),
      jump: (start, end) => this.query.select(start, end),
    });
  }

  controls() {
    byId('run').addEventListener('click', () => (this.running ? this.running.abort() : this.run()));
    byId('prettify').addEventListener('click', () => this.layOut());
    byId('link').addEventListener('click', () => this.copyLink());
    byId('copy').addEventListener('click', () => this.copy(layOutIfSmall(this.result.raw), 'The result is copied.'));
    tabs([byId('tab-schema'), byId('tab-history')], (id) => id === 'tab-history' && this.showPast());
    addEventListener('hashchange', () => this.follow());
    closeByItself(document.querySelector('.keys'));
    addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.run();
    });
  }

  // begin fills the editors: from the link, or what stood there last.
  begin() {
    if (this.follow()) return;
    const last = this.draft.load();
    if (last) this.fill(last.query, last.variables);
  }

  // follow takes the query that a link carries.
  follow() {
    const link = fromHash(location.hash);
    if (!link) return false;
    this.fill(link.query, link.variables);
    this.operations(link.operation);
    return true;
  }

  fill(query, variables) {
    this.query.text = query;
    this.variables.text = variables;
    this.edited(true);
  }

  async load() {
    const state = byId('schema-state');
    state.replaceChildren('Reading the schema…');
    const answer = await ask(`${this.address}/schema`, { headers: { accept: 'application/json' } });
    let body = null;
    try {
      body = JSON.parse(answer.text);
    } catch { /* told below */ }
    if (answer.status === 200 && typeof body?.sdl === 'string') {
      this.use(parseSchema(body.sdl));
      return;
    }
    const { title, text } = answer.status === 200 ? unready(body) : explain(answer.status, saidBy(answer.text));
    state.replaceChildren(make('span', { class: 'bad' }, title), ' ', make('span', {}, text), ' ', button('Try again', () => this.load(), { class: 'link' }));
  }

  // use works with a schema from now on.
  use(schema) {
    this.schema = schema;
    const types = [...schema.types.values()].filter((type) => !type.builtIn).length;
    byId('schema-state').replaceChildren(`${count(types, 'type')}${schema.unread ? `, ${count(schema.unread, 'part')} of the schema could not be read` : ''}`);
    this.explorer.load(schema);
    if (this.query.text.trim()) this.query.draw();
    else this.fill(exampleQuery(schema), this.variables.text);
    this.check();
  }

  edited(loaded = false) {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.settled(loaded), WAIT);
  }

  settled(loaded) {
    this.check();
    this.draft.save(this.query.text, this.variables.text);
    // What is edited is no longer what the link says.
    if (!loaded && location.hash) history.replaceState(null, '', location.pathname + location.search);
  }

  // check lists problems and operations.
  check() {
    const { text } = this.query;
    const list = byId('problems');
    const { problems, operations } = text.length <= 50_000 ? walk(text, this.schema) : { problems: [], operations: [] };
    // The name that is being chosen is not wrong yet.
    const writing = this.query.found ? this.query.area.selectionStart : -1;
    const rows = text.trim() ? problems.filter((p) => p.end !== writing).slice(0, 20).map((p) => this.problem(p, text)) : [];
    if (problems.length > 20) rows.push(make('li', {}, count(problems.length - 20, 'more problem')));
    list.replaceChildren(...rows);
    list.hidden = !rows.length;
    this.operations(byId('operation').value, operations);
    const fault = variablesFault(this.variables.text);
    byId('variables-problem').replaceChildren(...(fault ? [this.place(fault.offset, this.variables), ' ', fault.message] : []));
  }

  problem(p, text) {
    const row = make('li', {}, this.place(p.start, this.query, p.end), ' ', p.message);
    if (p.fix) row.append(' ', button(`Use ${p.fix}`, () => this.query.text === text && this.query.replace(p.start, p.end, p.fix), { class: 'link' }));
    return row;
  }

  // place is a button that shows a place in an editor.
  place(start, editor, end = start + 1) {
    const { line, column } = placeOf(editor.text, start);
    return button(`${line}:${column}`, () => editor.select(start, end), { class: 'link place', 'aria-label': `${line}:${column}, go to line ${line}, column ${column}` });
  }

  // operations offers the operations of the query when there are several.
  operations(chosen, list = walk(this.query.text, this.schema).operations) {
    const names = list.map((o) => o.name).filter(Boolean);
    const select = byId('operation');
    select.replaceChildren(...names.map((name) => make('option', { value: name, selected: name === chosen }, name)));
    byId('operation-label').hidden = names.length < 2;
  }

  operation() {
    return byId('operation-label').hidden ? '' : byId('operation').value;
  }

  async run() {
    if (this.running) return;
    const { text: query } = this.query;
    const { text: variables } = this.variables;
    this.check();
    if (!query.trim()) {
      this.stand('Write a query first.');
      this.query.area.focus();
      return;
    }
    const fault = variablesFault(variables);
    if (fault) {
      this.stand(`The variables are faulty. ${fault.message}`);
      this.variables.select(fault.offset, fault.offset + 1);
      return;
    }
    const operation = this.operation();
    this.running = new AbortController();
    byId('run').textContent = 'Stop';
    this.result.wait();
    const answer = await ask(this.address, {
      method: 'POST', body: requestBody(query, variables, operation), signal: this.running.signal,
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json' },
    });
    this.running = null;
    byId('run').textContent = 'Run';
    const { faults, answered } = this.result.show(answer, query);
    byId('copy').hidden = !answer.text;
    if (answered) this.history.add({ query, variables, operation, at: Date.now(), faults });
    if (!byId('panel-history').hidden) this.showPast();
  }

  // stand says why nothing was run.
  stand(text) {
    byId('result-state').replaceChildren(make('span', { class: 'bad' }, text));
    say(text);
  }

  layOut() {
    try {
      const text = prettify(this.query.text);
      if (text !== this.query.text) this.query.replace(0, this.query.text.length, text);
      const variables = layOutJSON(this.variables.text);
      if (variables !== this.variables.text) this.variables.replace(0, this.variables.text.length, variables);
      say('The query is laid out.');
    } catch (error) {
      this.stand(`The query cannot be laid out. ${error.message}`);
      this.query.select(error.offset, error.offset + 1);
    }
  }

  insert(type, field) {
    const { area, text } = this.query;
    const put = insertField(this.schema, text, area.selectionStart, type, field);
    if (!put) {
      this.notice(`The query has no braces for fields of ${type}: insert a field that leads there first.`);
      return false;
    }
    this.query.replace(0, text.length, put.text);
    this.query.select(put.start, put.end);
    return true;
  }

  showPast() {
    showHistory(byId('panel-history'), this.history, (entry) => {
      this.fill(entry.query, entry.variables);
      this.operations(entry.operation);
      this.query.area.focus();
    });
  }

  copyLink() {
    const hash = linkHash(this.query.text, this.variables.text, this.operation());
    const url = location.origin + location.pathname + hash;
    this.copy(url, 'The link is copied.', () => {
      history.replaceState(null, '', hash);
      return 'The link is in the address bar.';
    });
  }

  // copy puts a text on the clipboard, or does something else where pages may not.
  async copy(text, done, otherwise = () => 'This browser does not let pages copy.') {
    let said = done;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      said = otherwise();
    }
    this.notice(said);
  }

  // notice shows and speaks a sentence for a while.
  notice(text) {
    byId('notice').textContent = text;
    clearTimeout(this.noticed);
    this.noticed = setTimeout(() => byId('notice').replaceChildren(), SHOWN);
  }
}

// closeByItself closes what was unfolded over the page when something else is done.
function closeByItself(details) {
  addEventListener('pointerdown', (event) => {
    if (!details.contains(event.target)) details.open = false;
  });
  details.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') details.open = false;
  });
}

function storageOf() {
  try {
    return localStorage;
  } catch {
    return null; // closed to pages by the browser's settings
  }
}

function domainIn(address) {
  const last = address.slice(address.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

// paintJSON gives the tokens of JSON, which are among those of GraphQL.
function paintJSON(text) {
  const tokens = lex(text);
  for (const [i, t] of tokens.entries()) {
    if (t.kind === 'string' && tokens[i + 1].value === ':') t.role = 'argument';
  }
  const fault = variablesFault(text);
  return { tokens, problems: fault ? [{ start: fault.offset, end: fault.offset + 1 }] : [] };
}

const layOutIfSmall = (text) => (text.length < 2e6 ? layOutJSON(text) : text);

new Page();
