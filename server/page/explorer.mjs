import { button, make, portion, say } from './dom.mjs';
import { KIND_WORDS, isComposite, possibleTypes } from './sdl.mjs';
import { count } from './words.mjs';

const ENTRIES = 60;
const FOUND = 80;

// Explorer shows a schema to look things up in: the fields of the query, types, what a
// type has. insert(typeName, field) puts a field into the query and says whether it could.
export class Explorer {
  constructor(host, insert) {
    this.insert = insert;
    this.search = make('input', { type: 'search', id: 'search', placeholder: 'Search types and fields', 'aria-label': 'Search the schema', autocomplete: 'off', spellcheck: 'false', on: { input: () => this.find() } });
    this.crumbs = make('ol');
    this.body = make('div', { class: 'explored' });
    this.nav = make('nav', { 'aria-label': 'Place in the schema', class: 'crumbs', hidden: true }, this.crumbs);
    host.append(make('div', { class: 'search' }, this.search), this.nav, this.body);
    this.load(null);
  }

  // load shows another schema.
  load(schema) {
    this.schema = schema;
    this.index = null;
    this.trail = [];
    this.search.disabled = !schema;
    this.show();
  }

  // go shows a type, further along the trail.
  go(name) {
    if (!this.schema.types.has(name)) return;
    const before = this.trail.indexOf(name);
    this.trail = before < 0 ? [...this.trail, name] : this.trail.slice(0, before + 1);
    this.search.value = '';
    this.show(true);
  }

  show(moved = false) {
    this.crumbs.replaceChildren();
    this.nav.hidden = !this.trail.length;
    if (!this.schema) {
      this.body.replaceChildren(make('p', { class: 'quiet' }, 'No schema is loaded.'));
      return;
    }
    const steps = [null, ...this.trail].slice(-4);
    if (steps[0] !== null) steps.unshift(null);
    for (const [i, name] of steps.entries()) {
      const here = i === steps.length - 1;
      const step = here ? make('span', { 'aria-current': 'page' }, name ?? 'Schema') : button(name ?? 'Schema', () => this.back(name), { class: 'link' });
      this.crumbs.append(make('li', {}, step));
    }
    const name = this.trail.at(-1);
    this.body.replaceChildren(...(name ? this.type(this.schema.types.get(name)) : this.start()));
    this.body.scrollTop = 0;
    if (moved) this.body.querySelector('h3')?.focus();
  }

  back(name) {
    this.trail = name === null ? [] : this.trail.slice(0, this.trail.indexOf(name) + 1);
    this.show(true);
  }

  // start shows what can be asked and which types there are.
  start() {
    const { schema } = this;
    const out = [make('h3', { tabindex: '-1', class: 'unseen' }, 'Schema')];
    out.push(...described(schema.description));
    if (schema.notes.length) out.push(make('details', {}, make('summary', {}, count(schema.notes.length, 'note')), make('p', { class: 'notes' }, schema.notes.slice(0, 100).join('\n'))));
    for (const role of ['query', 'mutation', 'subscription']) {
      const root = schema.types.get(schema[role]);
      if (!root) continue;
      const [title, list] = this.section({ query: 'Queries', mutation: 'Mutations', subscription: 'Subscriptions' }[role], [...root.fields.values()], (f) => this.field(root, f));
      out.push(title, ...(root.description ? [brief(root.description, 400)] : []), list);
    }
    const roots = new Set([schema.query, schema.mutation, schema.subscription]);
    const kinds = { OBJECT: 'Types', INTERFACE: 'Interfaces', UNION: 'Unions', ENUM: 'Enums', INPUT_OBJECT: 'Inputs', SCALAR: 'Scalars' };
    for (const [kind, title] of Object.entries(kinds)) {
      const types = [...schema.types.values()].filter((t) => t.kind === kind && !roots.has(t.name));
      if (types.length) out.push(...this.section(title, types, (t) => make('li', {}, this.link(t.name), brief(t.description))));
    }
    return out;
  }

  section(title, items, show) {
    return [
      make('h4', {}, title, ' ', make('span', { class: 'count' }, items.length.toLocaleString('en'))),
      make('ul', { class: 'entries' }, this.items(items, show)),
    ];
  }

  // items are list items, the rest of them on demand.
  items(items, show) {
    if (items.length <= ENTRIES) return items.map(show);
    return [portion(items, ENTRIES, show, 'entries', (more) => make('li', { class: 'rest' }, more))];
  }

  link(name, text = name) {
    return button(text, () => this.go(name), { class: 'link type' });
  }

  // reference shows a type reference with a link to its type.
  reference(ref) {
    const at = ref.text.indexOf(ref.name);
    return make('span', { class: 'reference' }, ref.text.slice(0, at), this.link(ref.name), ref.text.slice(at + ref.name.length));
  }

  type(type) {
    const out = [make('h3', { tabindex: '-1' }, type.name, ' ', make('span', { class: 'badge' }, KIND_WORDS[type.kind]))];
    out.push(...described(type.description));
    if (type.specifiedBy) out.push(make('p', { class: 'quiet' }, `Specified by ${type.specifiedBy}`));
    if (type.interfaces.length) out.push(make('p', {}, 'Implements ', type.interfaces.map((name, i) => [i ? ', ' : '', this.link(name)])));
    if (type.fields.size) out.push(...this.section(type.kind === 'INPUT_OBJECT' ? 'Members' : 'Fields', [...type.fields.values()], (f) => this.field(type, f)));
    if (type.values.length) out.push(...this.section('Values', type.values, (v) => make('li', {}, make('code', {}, v.name), brief(v.description), deprecated(v.deprecated))));
    if (type.kind === 'INTERFACE' || type.kind === 'UNION') {
      const names = possibleTypes(this.schema, type);
      if (names.length) out.push(...this.section('Possible types', names, (name) => make('li', {}, this.link(name))));
    }
    return out;
  }

  field(type, field) {
    const head = make('div', { class: 'head' }, make('code', { class: 'name' }, field.name), ' ', this.reference(field.type));
    if (field.fallback !== undefined) head.append(make('span', { class: 'quiet' }, ` = ${field.fallback}`));
    const root = type.name === this.schema.query;
    if (isComposite(type)) {
      const what = root ? `Insert the query ${field.name}` : `Insert the field ${field.name}`;
      head.append(button('Insert', () => this.put(type, field), { class: 'insert', 'aria-label': what, title: what }));
    }
    const args = [...field.args.values()].map((arg) => make('li', { title: arg.description || null }, make('code', {}, arg.name), ': ', this.reference(arg.type), arg.fallback === undefined ? '' : ` = ${arg.fallback}`));
    return make('li', { class: field.deprecated === null ? 'entry' : 'entry deprecated' }, head, brief(field.description, 400), deprecated(field.deprecated), args.length ? make('ul', { class: 'args', 'aria-label': `Arguments of ${field.name}` }, args) : null);
  }

  put(type, field) {
    if (this.insert(type.name, field)) say(`${field.name} is in the query.`);
  }

  // find shows what fits the search.
  find() {
    const wanted = this.search.value.trim().toLowerCase();
    if (!wanted || !this.schema) {
      this.show();
      return;
    }
    this.index ??= indexOf(this.schema);
    const { found, total } = findIn(this.index, wanted, FOUND);
    this.nav.hidden = true;
    const rows = found.map(({ type, field }) => make('li', {}, field ? [this.link(type, `${type}.${field.name}`), ' ', make('span', { class: 'quiet' }, field.type.text), brief(field.description), deprecated(field.deprecated)] : [this.link(type), brief(this.schema.types.get(type).description)]));
    const head = total ? `${count(total, 'match', 'matches')}${total > found.length ? `, the first ${found.length} are shown: type more letters` : ''}` : 'Nothing fits. Try fewer letters.';
    this.body.replaceChildren(make('p', { class: 'quiet', role: 'status' }, head), make('ul', { class: 'entries' }, rows));
  }
}

// indexOf lists the names of a schema for searching: of inputs, which mostly repeat the
// names of fields, only the types.
export function indexOf(schema) {
  const out = [];
  for (const type of schema.types.values()) out.push({ lower: type.name.toLowerCase(), type: type.name });
  for (const type of schema.types.values()) {
    if (type.kind === 'INPUT_OBJECT') continue;
    for (const field of type.fields.values()) out.push({ lower: field.name.toLowerCase(), type: type.name, field });
  }
  return out;
}

// findIn gives the best entries of an index: equal names, then those that begin with the
// word, then those that hold it; types before fields.
export function findIn(index, wanted, most) {
  const tiers = [[], [], []];
  let total = 0;
  const [owner, member] = wanted.includes('.') ? wanted.split('.', 2) : [null, wanted];
  for (const entry of index) {
    if (owner !== null && (!entry.field || entry.type.toLowerCase() !== owner)) continue;
    const at = entry.lower.indexOf(member);
    if (at < 0) continue;
    total++;
    const tier = entry.lower === member ? 0 : at === 0 ? 1 : 2;
    if (tiers[tier].length < most) tiers[tier].push(entry);
  }
  return { found: tiers.flat().slice(0, most), total };
}

const described = (text) => (text ? [make('p', { class: 'description' }, text.length > 4000 ? `${text.slice(0, 4000)}…` : text)] : []);

function brief(text, most = 160) {
  if (!text) return null;
  return make('p', { class: 'brief' }, text.length > most ? `${text.slice(0, most)}…` : text);
}

const deprecated = (reason) => (reason === null || reason === undefined ? null : make('p', { class: 'warning' }, `Deprecated: ${reason}`));
