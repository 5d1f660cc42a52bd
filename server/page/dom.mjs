// Elements, made of tags, attributes and text. Text from data becomes text nodes here and
// nowhere anything else.

// make creates an element. Of the attributes, on is event → listener, and one that is
// false, null or undefined is left out. Children are nodes, texts, or null.
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    else if (value === true) node.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

// button makes a button that does something.
export const button = (content, act, attributes = {}) => make('button', { type: 'button', ...attributes, on: { click: act } }, content);

export const byId = (id) => document.getElementById(id);

// say has a screen reader speak.
export function say(text) {
  const place = byId('say');
  place.textContent = place.textContent === text ? `${text} ` : text;
}

// portion shows a long list part by part: show makes the node of an item, and a button
// brings the next ones. It gives nodes for the list; row makes the place of the button.
export function portion(items, step, show, what, row = (node) => node) {
  const holder = document.createDocumentFragment();
  let shown = 0;
  const more = button('', () => grow(true), { class: 'more' });
  const last = row(more);
  const grow = (byHand) => {
    const next = items.slice(shown, shown + step).map(show);
    shown += next.length;
    if (byHand) last.before(...next);
    else holder.append(...next);
    const left = items.length - shown;
    more.textContent = `Show ${Math.min(step, left).toLocaleString('en')} more of ${left.toLocaleString('en')} ${what}`;
    if (!byHand) return;
    next[0]?.querySelector('button')?.focus();
    if (left === 0) last.remove();
  };
  grow(false);
  if (shown < items.length) holder.append(last);
  return holder;
}
