import { button, byId, make } from './dom.mjs';
import { count, shorten } from './words.mjs';

// tabs makes buttons with role tab switch between their panels; arrows go along them.
export function tabs(buttons, shown = () => {}) {
  const choose = (chosen) => {
    for (const tab of buttons) {
      const on = tab === chosen;
      tab.setAttribute('aria-selected', on);
      tab.tabIndex = on ? 0 : -1;
      byId(tab.getAttribute('aria-controls')).hidden = !on;
    }
    shown(chosen.id);
  };
  for (const [i, tab] of buttons.entries()) {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (!step) return;
      const next = buttons[(i + step + buttons.length) % buttons.length];
      choose(next);
      next.focus();
    });
  }
}

// showHistory lists the queries that were run; load puts one into the editors.
export function showHistory(host, history, load) {
  const entries = history.entries();
  if (!entries.length) {
    host.replaceChildren(make('p', { class: 'quiet' }, 'Queries that you run are kept here, in this browser only.'));
    return;
  }
  const clear = button('Clear history', () => {
    history.clear();
    showHistory(host, history, load);
    byId('tab-history').focus();
  });
  const row = (entry) => make('li', {}, button([make('code', {}, titleOf(entry)), make('span', { class: 'quiet' }, factsOf(entry))], () => load(entry), { class: 'past' }));
  host.replaceChildren(make('div', { class: 'past-head' }, make('p', { class: 'quiet' }, `${count(entries.length, 'query', 'queries')}, kept in this browser only`), clear), make('ul', { class: 'history' }, entries.map(row)));
}

// titleOf is a line that tells a query from others.
export function titleOf({ query, operation }) {
  const text = query.replace(/#[^\n]*/g, '').replace(/\s+/g, ' ').trim();
  return shorten((operation ? `${operation}: ` : '') + text.replace(/^\{ (.*) \}$/, '$1'), 120) || '(empty)';
}

function factsOf({ at, faults }) {
  const when = new Date(at);
  const day = Number.isNaN(when.getTime()) ? '' : when.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  return faults ? `${day} · ${count(faults, 'error')}` : day;
}
