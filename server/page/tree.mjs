import { button, make, portion } from './dom.mjs';
import { Exact, isObject, isScalar } from './json.mjs';
import { count } from './words.mjs';

// MEMBERS is how many members of one list are shown at once, ROWS how many rows are open at
// first, LONG how many characters of a text are shown.
const MEMBERS = 100;
const ROWS = 400;
const LONG = 2000;

// tree shows a value of parseJSON. What is beyond the limits is shown on demand.
export function tree(value) {
  const budget = { rows: ROWS };
  return make('div', { class: 'tree' }, node(null, value, budget, true));
}

// node shows a member: its key (null for none, a number in a list) and its value.
function node(key, value, budget, last = false) {
  budget.rows--;
  const label = typeof key === 'string' ? [make('span', { class: 'key' }, JSON.stringify(key)), ': '] : [];
  if (isScalar(value)) return make('div', { class: 'leaf' }, label, scalar(value), last ? '' : ',');
  const list = Array.isArray(value);
  const members = list ? value.map((item, i) => [i, item]) : [...value];
  const [opening, closing] = list ? '[]' : '{}';
  if (!members.length) return make('div', { class: 'leaf' }, label, opening + closing, last ? '' : ',');
  return branch({ label, members, opening, closing: closing + (last ? '' : ','), budget, name: typeof key === 'number' ? `item ${key + 1}` : key ?? 'all' });
}

function branch({ label, members, opening, closing, budget, name }) {
  const inner = make('div', { class: 'members' });
  const end = make('div', { class: 'closing' }, closing);
  const items = opening === '[' ? count(members.length, 'item') : count(members.length, 'field');
  const summary = make('span', { class: 'summary' }, ` ${items} ${closing}`);
  const fold = make('button', { type: 'button', class: 'fold', 'aria-label': `${name}, ${items}` }, label, opening, summary);
  let filled = false;
  const open = (wanted, rows) => {
    if (wanted && !filled) {
      filled = true;
      inner.append(portion(members, MEMBERS, ([k, v]) => node(k, v, rows, k === members.at(-1)[0]), opening === '[' ? 'items' : 'fields'));
    }
    fold.setAttribute('aria-expanded', wanted);
    inner.hidden = !wanted;
    end.hidden = !wanted;
    summary.hidden = wanted;
  };
  fold.addEventListener('click', () => open(fold.getAttribute('aria-expanded') !== 'true', { rows: MEMBERS }));
  open(budget.rows > 0, budget);
  return make('div', { class: 'branch' }, fold, inner, end);
}

// scalar shows a value that has no members.
export function scalar(value) {
  if (value === null) return make('span', { class: 'null' }, 'null');
  if (value instanceof Exact) return make('span', { class: 'number' }, value.text);
  if (typeof value === 'string') return stringNode(value);
  return make('span', { class: typeof value }, String(value));
}

function stringNode(value) {
  const whole = JSON.stringify(value);
  if (whole.length <= LONG) return make('span', { class: 'string' }, whole);
  const part = make('span', { class: 'string' }, `${whole.slice(0, LONG)}…`);
  const all = button(`Show all ${value.length.toLocaleString('en')} characters`, () => {
    part.textContent = whole;
    all.remove();
  }, { class: 'more' });
  return make('span', {}, part, ' ', all);
}

// tables finds the lists in an answer that can be shown as tables: {path, rows, columns}.
export function tables(data) {
  const out = [];
  const look = (value, path, depth) => {
    if (out.length >= 20 || depth > 6 || isScalar(value)) return;
    if (isObject(value)) {
      for (const [name, member] of value) look(member, path ? `${path}.${name}` : name, depth + 1);
      return;
    }
    const rows = value.filter((item) => item !== null);
    if (rows.length && rows.every(isObject)) {
      const columns = columnsOf(rows);
      if (columns) out.push({ path, rows, columns });
    }
  };
  look(data, '', 0);
  return out;
}

// columnsOf are the names of members, when each row has one that is a plain value.
function columnsOf(rows) {
  const columns = new Set();
  for (const row of rows) {
    let flat = false;
    for (const [name, value] of row) {
      columns.add(name);
      flat ||= isScalar(value);
    }
    if (!flat) return null;
  }
  return columns.size <= 60 ? [...columns] : null;
}

// table shows one of them.
export function table({ path, rows, columns }) {
  const head = make('tr', {}, columns.map((name) => make('th', { scope: 'col' }, name)));
  const body = make('tbody');
  const row = (item) => make('tr', {}, columns.map((name) => make('td', typeof item.get(name) === 'number' ? { class: 'number' } : {}, cell(item.get(name)))));
  const title = `${path}: ${count(rows.length, 'row')}`;
  const holder = make('div', { class: 'table', role: 'region', 'aria-label': title, tabindex: '0' }, make('table', {}, make('caption', {}, title), make('thead', {}, head), body));
  body.append(portion(rows, MEMBERS, row, 'rows', (more) => make('tr', {}, make('td', { colspan: columns.length }, more))));
  return holder;
}

function cell(value) {
  if (value === undefined) return '';
  if (value === null) return make('span', { class: 'null' }, '–');
  if (Array.isArray(value)) return value.every(isScalar) ? value.map(plainText).join(', ').slice(0, LONG) : count(value.length, 'item');
  if (isObject(value)) return [...value.values()].filter(isScalar).map(plainText).join(', ').slice(0, LONG) || '{…}';
  return plainText(value).slice(0, LONG);
}

const plainText = (value) => (value instanceof Exact ? value.text : String(value));
