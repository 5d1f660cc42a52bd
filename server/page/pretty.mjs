import { lex } from './lex.mjs';

const WIDTH = 80;

// prettify lays a query out: two spaces a level, one field a line, arguments on one line
// when they fit. Comments stay, before the line that they stand in. It throws an Error
// whose offset says where a query is faulty.
export function prettify(text) {
  return new Layout(text).document();
}

class Layout {
  constructor(text) {
    this.tokens = lex(text, true);
    this.at = 0;
    this.comments = [];
    this.settle();
  }

  // settle puts comments aside until a line begins.
  settle() {
    while (this.tokens[this.at].kind === 'comment') this.comments.push(this.tokens[this.at++].value.trimEnd());
    this.token = this.tokens[this.at];
  }

  take() {
    const t = this.token;
    if (t.kind === 'end' || t.kind === 'bad') this.fail();
    this.at++;
    this.settle();
    return t.value;
  }

  fail() {
    const t = this.token;
    throw Object.assign(new Error(t.kind === 'end' ? 'The query ends too early.' : `${t.value} is not expected here.`), { offset: t.start });
  }

  is(value) {
    return this.token.kind === 'punctuator' && this.token.value === value;
  }

  expect(value) {
    if (!this.is(value)) this.fail();
    return this.take();
  }

  name() {
    if (this.token.kind !== 'name') this.fail();
    return this.take();
  }

  // begin gives the comments that belong before a line.
  begin(indent) {
    const out = this.comments.map((comment) => indent + comment);
    this.comments = [];
    return out;
  }

  document() {
    const parts = [];
    while (this.token.kind !== 'end') {
      const lines = this.begin('');
      lines.push(this.definition());
      parts.push(lines.join('\n'));
    }
    const rest = this.begin('').join('\n');
    if (rest) parts.push(rest);
    return parts.length ? `${parts.join('\n\n')}\n` : '';
  }

  definition() {
    if (this.is('{')) return this.selection('');
    if (!['query', 'mutation', 'subscription', 'fragment'].includes(this.token.value)) this.fail();
    let head = this.name();
    if (head === 'fragment') head += ` ${this.name()} ${this.name()} ${this.name()}`;
    else if (this.token.kind === 'name') head += ` ${this.name()}`;
    if (this.is('(')) head += this.parentheses('', head.length, () => this.variable());
    return `${head}${this.directives('')} ${this.selection('')}`;
  }

  variable() {
    let out = `${this.expect('$')}${this.name()}${this.expect(':')} ${this.type()}`;
    if (this.is('=')) out += ` ${this.take()} ${this.value()}`;
    return out + this.directives('');
  }

  type() {
    let out = this.is('[') ? `${this.take()}${this.type()}${this.expect(']')}` : this.name();
    if (this.is('!')) out += this.take();
    return out;
  }

  selection(indent) {
    const inner = `${indent}  `;
    this.expect('{');
    const lines = ['{'];
    do {
      lines.push(...this.begin(inner));
      lines.push(inner + (this.is('...') ? this.spread(inner) : this.field(inner)));
    } while (!this.is('}'));
    lines.push(...this.begin(inner));
    this.take();
    lines.push(`${indent}}`);
    return lines.join('\n');
  }

  field(indent) {
    let out = this.name();
    if (this.is(':')) out += `${this.take()} ${this.name()}`;
    if (this.is('(')) out += this.parentheses(indent, indent.length + out.length, () => this.argument());
    out += this.directives(indent);
    return this.is('{') ? `${out} ${this.selection(indent)}` : out;
  }

  spread(indent) {
    let out = this.take();
    let inline = true;
    if (this.token.kind === 'name') {
      const word = this.take();
      inline = word === 'on';
      out += inline ? ` on ${this.name()}` : word;
    }
    out += this.directives(indent);
    return inline ? `${out} ${this.selection(indent)}` : out;
  }

  parentheses(indent, before, item) {
    this.take();
    const items = [];
    do items.push(item()); while (!this.is(')'));
    this.take();
    const flat = `(${items.join(', ')})`;
    if (before + flat.length <= WIDTH && !flat.includes('\n')) return flat;
    return `(\n${items.map((text) => `${indent}  ${text}`).join('\n')}\n${indent})`;
  }

  argument() {
    return `${this.name()}${this.expect(':')} ${this.value()}`;
  }

  value() {
    if (this.is('$')) return this.take() + this.name();
    if (this.is('[')) return `[${this.items(']', () => this.value()).join(', ')}]`;
    if (this.is('{')) {
      const items = this.items('}', () => this.argument());
      return items.length ? `{ ${items.join(', ')} }` : '{}';
    }
    if (this.token.kind === 'punctuator') this.fail();
    return this.take();
  }

  items(closing, item) {
    const out = [];
    this.take();
    while (!this.is(closing)) out.push(item());
    this.take();
    return out;
  }

  directives(indent) {
    let out = '';
    while (this.is('@')) {
      out += ` ${this.take()}${this.name()}`;
      if (this.is('(')) out += this.parentheses(indent, 0, () => this.argument());
    }
    return out;
  }
}
