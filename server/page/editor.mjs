import { make, say } from './dom.mjs';
import { count } from './words.mjs';

// PAINTED is how many characters are coloured; longer texts are shown plain.
const PAINTED = 50_000;

const PAIRS = { '{': '}', '(': ')', '[': ']' };

// Editor is a text area with colours behind it, line numbers, marks and suggestions.
// Tab leaves it, unless suggestions are open.
//
// options: id, label, rows; paint(text) gives {tokens: [{start, end, role}], problems:
// [{start, end}]}; suggest(text, cursor) gives what complete() does, or null; onChange().
export class Editor {
  constructor(host, options) {
    this.options = options;
    this.gutter = make('div', { class: 'gutter', 'aria-hidden': 'true' });
    this.paper = make('pre', { class: 'paper', 'aria-hidden': 'true' });
    this.area = make('textarea', {
      id: options.id, 'aria-label': options.label, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', autocorrect: 'off', wrap: 'off', rows: '1',
      ...(options.suggest ? { 'aria-autocomplete': 'list', 'aria-controls': `${options.id}-list` } : {}),
    });
    this.list = make('ul', { role: 'listbox', id: `${options.id}-list`, 'aria-label': 'Suggestions', class: 'suggestions', hidden: true });
    this.about = make('p', { class: 'about', hidden: true });
    this.scroller = make('div', { class: 'scroller' }, this.gutter, make('div', { class: 'sheet' }, this.paper, this.area));
    host.append(make('div', { class: 'editor' }, this.scroller, this.list, this.about));
    this.found = null;
    this.area.addEventListener('input', (e) => this.changed(e));
    this.area.addEventListener('keydown', (e) => this.key(e));
    this.area.addEventListener('blur', () => this.close());
    this.area.addEventListener('click', () => this.close());
    this.scroller.addEventListener('scroll', () => this.close());
    this.scroller.addEventListener('mousedown', (e) => {
      if (e.target === this.area) return;
      e.preventDefault();
      this.area.focus();
    });
    this.draw();
  }

  get text() {
    return this.area.value;
  }

  set text(value) {
    this.area.value = value;
    this.close();
    this.draw();
  }

  // replace puts a text in the place of another, so that the browser can undo it.
  replace(start, end, text) {
    this.area.focus();
    this.area.setSelectionRange(start, end);
    const done = text ? document.execCommand('insertText', false, text) : start === end || document.execCommand('delete');
    if (!done) {
      this.area.setRangeText(text, start, end, 'end');
      this.changed();
    }
  }

  // select shows a part of the text and puts the cursor there.
  select(start, end) {
    this.area.focus();
    this.area.setSelectionRange(start, end);
    const box = this.boxAt(start);
    const view = this.scroller.getBoundingClientRect();
    if (box.top < view.top + 20 || box.bottom > view.bottom - 20) this.scroller.scrollTop += box.top - view.top - view.height / 3;
    if (box.left < view.left + 60 || box.left > view.right - 40) this.scroller.scrollLeft += box.left - view.left - view.width / 3;
  }

  changed(event) {
    this.draw();
    this.options.onChange();
    if (!this.options.suggest) return;
    const typed = event?.inputType === 'insertText' ? event.data : null;
    if (typed && /^[A-Za-z0-9_$@]$/.test(typed)) this.open(false);
    else if (this.found && event?.inputType === 'deleteContentBackward') this.open(false);
    else this.close();
  }

  // draw shows colours, marks and line numbers.
  draw() {
    const text = this.area.value;
    const lines = text.split('\n').length;
    if (lines !== this.lines) {
      this.lines = lines;
      this.gutter.textContent = Array.from({ length: lines }, (_, i) => i + 1).join('\n');
    }
    const parts = [];
    if (text.length <= PAINTED) {
      const { tokens, problems } = this.options.paint(text);
      paint(text, tokens, problems, parts);
    } else {
      parts.push(text);
    }
    this.paper.replaceChildren(...parts, '\n');
  }

  // boxAt is where a character stands on the screen.
  boxAt(offset) {
    const walker = document.createTreeWalker(this.paper, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    let left = offset;
    for (let n = walker.nextNode(); n; n = walker.nextNode()) {
      if (left < n.length) {
        range.setStart(n, left);
        range.setEnd(n, left);
        return range.getBoundingClientRect();
      }
      left -= n.length;
    }
    return this.paper.getBoundingClientRect();
  }

  key(event) {
    const control = event.ctrlKey || event.metaKey;
    if (control && event.code === 'Space' && this.options.suggest) {
      event.preventDefault();
      this.open(true);
      return;
    }
    if (control || event.altKey || event.isComposing) return;
    if (this.found && this.keyInList(event)) event.preventDefault();
    else if (this.keyInText(event)) event.preventDefault();
  }

  keyInList({ key, shiftKey }) {
    const last = this.found.items.length - 1;
    switch (key) {
      case 'ArrowDown': this.choose(this.chosen === last ? 0 : this.chosen + 1); return true;
      case 'ArrowUp': this.choose(this.chosen === 0 ? last : this.chosen - 1); return true;
      case 'PageDown': this.choose(Math.min(last, this.chosen + 8)); return true;
      case 'PageUp': this.choose(Math.max(0, this.chosen - 8)); return true;
      case 'Enter': this.accept(); return true;
      case 'Tab': if (!shiftKey) this.accept(); return !shiftKey;
      case 'Escape': this.close(); return true;
      default: return false;
    }
  }

  // keyInText closes brackets and keeps the indentation.
  keyInText({ key }) {
    const { selectionStart: start, selectionEnd: end, value } = this.area;
    const next = value[end] ?? '';
    if (key === 'Enter') {
      this.newLine(start, end);
      return true;
    }
    if (start !== end) return false;
    if (PAIRS[key] && /^[\s)\]}]?$/.test(next)) {
      this.replace(start, end, key + PAIRS[key]);
      this.area.setSelectionRange(start + 1, start + 1);
      return true;
    }
    if (key === next && Object.values(PAIRS).includes(key)) {
      this.area.setSelectionRange(start + 1, start + 1);
      return true;
    }
    if (key === 'Backspace' && next && PAIRS[value[start - 1]] === next) {
      this.replace(start - 1, start + 1, '');
      return true;
    }
    return false;
  }

  newLine(start, end) {
    const { value } = this.area;
    const line = value.slice(value.lastIndexOf('\n', start - 1) + 1, start);
    const indent = /^[ \t]*/.exec(line)[0];
    const opened = PAIRS[line.trimEnd().at(-1)];
    if (!opened) {
      this.replace(start, end, `\n${indent}`);
      return;
    }
    const between = value[end] === opened;
    this.replace(start, end, `\n${indent}  ${between ? `\n${indent}` : ''}`);
    const at = start + indent.length + 3;
    this.area.setSelectionRange(at, at);
  }

  // open shows what can stand at the cursor. Unasked, it does not when the only name that
  // fits is there already.
  open(asked) {
    const { selectionStart: cursor, value } = this.area;
    const found = this.options.suggest(value, cursor);
    const done = !asked && found && found.items.length === 1 && found.items[0].label.replace(/^\$/, '') === found.prefix;
    if (!found || done) {
      this.close();
      if (asked) say('No suggestions here.');
      return;
    }
    this.found = found;
    this.list.replaceChildren(...found.items.map((item, i) => this.option(item, i)));
    if (found.total > found.items.length) this.list.append(make('li', { class: 'rest', 'aria-hidden': 'true' }, `${(found.total - found.items.length).toLocaleString('en')} more: type more letters`));
    this.list.hidden = false;
    this.list.scrollTop = 0;
    this.put();
    this.choose(0);
    say(`${count(found.total, 'suggestion')}. ${spoken(found.items[0])}`);
  }

  option(item, i) {
    return make('li', {
      role: 'option', id: `${this.options.id}-option-${i}`, class: item.deprecated === null ? null : 'deprecated',
      on: {
        mousedown: (e) => e.preventDefault(),
        click: () => {
          this.chosen = i;
          this.accept();
        },
      },
    }, make('span', { class: 'label' }, item.label), make('span', { class: 'detail' }, item.detail ?? ''));
  }

  // put places the list under the cursor, within the editor's width.
  put() {
    const frame = this.list.parentElement.getBoundingClientRect();
    const box = this.boxAt(this.found.start);
    const width = this.list.offsetWidth;
    const left = Math.max(4, Math.min(box.left - frame.left - 8, frame.width - width - 4));
    const below = box.bottom - frame.top + 4;
    this.list.style.left = `${left}px`;
    this.list.style.top = `${below}px`;
    this.about.style.left = `${left}px`;
    this.about.style.top = `${below + this.list.offsetHeight - 1}px`;
    this.about.style.width = `${width}px`;
  }

  choose(i) {
    const options = this.list.querySelectorAll('[role=option]');
    for (const [n, option] of options.entries()) option.setAttribute('aria-selected', n === i);
    this.chosen = i;
    options[i].scrollIntoView({ block: 'nearest' });
    this.area.setAttribute('aria-activedescendant', options[i].id);
    const item = this.found.items[i];
    const parts = [item.deprecated === null ? '' : `Deprecated: ${item.deprecated}`, item.description].filter(Boolean).join(' ');
    this.about.textContent = parts.length > 240 ? `${parts.slice(0, 240)}…` : parts;
    this.about.hidden = !parts;
  }

  accept() {
    const { start, end, items } = this.found;
    let { insert } = items[this.chosen];
    this.close();
    if (insert.endsWith(': ') && /^\s*:/.test(this.text.slice(end))) insert = insert.slice(0, -2);
    this.replace(start, end, insert);
    const at = start + insert.length - (insert.endsWith('{}') ? 1 : 0);
    this.area.setSelectionRange(at, at);
  }

  close() {
    this.found = null;
    this.list.hidden = true;
    this.about.hidden = true;
    this.area.removeAttribute('aria-activedescendant');
  }
}

const spoken = (item) => [item.label, item.detail].filter(Boolean).join(', ');

// paint appends nodes for a text: tokens have their role as class, problems are marked.
function paint(text, tokens, problems, parts) {
  let at = 0;
  for (const t of tokens) {
    if (t.end <= t.start) continue;
    if (t.start > at) parts.push(text.slice(at, t.start));
    const marked = problems.some((p) => p.start <= t.start && t.end <= Math.max(p.end, p.start + 1));
    const role = t.role ?? t.kind;
    parts.push(make('span', { class: marked ? `${role} wrong` : role }, text.slice(t.start, t.end)));
    at = t.end;
  }
  parts.push(text.slice(at));
}
