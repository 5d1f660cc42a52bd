// JSON with the places of its faults, and with numbers that stay as they are written.

// Fault is what is wrong with a JSON text, and where.
export class Fault extends Error {
  constructor(message, offset) {
    super(message);
    this.offset = offset;
  }
}

// Exact is a number that a program's number cannot hold, as it is written.
export class Exact {
  constructor(text) {
    this.text = text;
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN = /[^"\\\x00-\x1f]*/y;
const WORDS = [['true', true], ['false', false], ['null', null]];

// parseJSON reads a JSON text; numbers that would change are Exact. It throws a Fault.
export function parseJSON(text) {
  const parser = new Parser(text);
  const value = parser.value(0);
  parser.space();
  if (parser.at < text.length) parser.fail('There is more text after the end of the JSON.');
  return value;
}

const DEEPEST = 500;

class Parser {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail(message, offset = this.at) {
    throw new Fault(message, offset);
  }

  space() {
    for (; ; this.at++) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
    }
  }

  value(depth) {
    if (depth > DEEPEST) this.fail(`The JSON is nested deeper than ${DEEPEST} levels.`);
    this.space();
    const { text, at } = this;
    switch (text[at]) {
      case '{': return this.object(depth);
      case '[': return this.array(depth);
      case '"': return this.string();
      case undefined: return this.fail('A value is missing at the end.');
      default:
    }
    NUMBER.lastIndex = at;
    const found = NUMBER.exec(text);
    if (found) {
      this.at = NUMBER.lastIndex;
      if (/[\w.]/.test(text[this.at] ?? '')) this.fail('This is no number of JSON.', at);
      return asNumber(found[0]);
    }
    for (const [word, value] of WORDS) {
      if (text.startsWith(word, at) && !/\w/.test(text[at + word.length] ?? '')) {
        this.at += word.length;
        return value;
      }
    }
    if (text[at] === "'") this.fail('Text stands between double quotes in JSON.');
    return this.fail(/[A-Za-z_$]/.test(text[at]) ? 'Text stands between double quotes in JSON; only true, false and null are bare.' : 'A value is expected here.');
  }

  object(depth) {
    const out = new Map();
    this.at++;
    this.space();
    if (this.text[this.at] === '}') {
      this.at++;
      return out;
    }
    for (;;) {
      this.space();
      const from = this.at;
      if (this.text[from] !== '"') this.fail(this.text[from] === '}' ? 'There is a comma too many before the closing brace.' : 'A name between double quotes is expected here.');
      const name = this.string();
      if (out.has(name)) this.fail(`The name ${JSON.stringify(name)} stands here twice.`, from);
      this.space();
      if (this.text[this.at] !== ':') this.fail('A colon is missing after the name.');
      this.at++;
      out.set(name, this.value(depth + 1));
      this.space();
      const c = this.text[this.at];
      if (c === '}') break;
      if (c !== ',') this.fail(c === undefined ? 'The closing brace is missing.' : 'A comma or a closing brace is expected here.');
      this.at++;
    }
    this.at++;
    return out;
  }

  array(depth) {
    const out = [];
    this.at++;
    this.space();
    if (this.text[this.at] === ']') {
      this.at++;
      return out;
    }
    for (;;) {
      this.space();
      if (this.text[this.at] === ']') this.fail('There is a comma too many before the closing bracket.');
      out.push(this.value(depth + 1));
      this.space();
      const c = this.text[this.at];
      if (c === ']') break;
      if (c !== ',') this.fail(c === undefined ? 'The closing bracket is missing.' : 'A comma or a closing bracket is expected here.');
      this.at++;
    }
    this.at++;
    return out;
  }

  string() {
    const { text } = this;
    const from = this.at;
    PLAIN.lastIndex = from + 1;
    PLAIN.test(text);
    if (text[PLAIN.lastIndex] === '"') {
      this.at = PLAIN.lastIndex + 1;
      return text.slice(from + 1, PLAIN.lastIndex);
    }
    let at = PLAIN.lastIndex;
    while (at < text.length && text[at] !== '"') {
      if (text.charCodeAt(at) < 32) this.fail('A text ends at its closing quote, on the same line.', from);
      at += text[at] === '\\' ? 2 : 1;
    }
    if (at >= text.length) this.fail('The closing quote is missing.', from);
    this.at = at + 1;
    try {
      return JSON.parse(text.slice(from, at + 1));
    } catch {
      return this.fail('There is a backslash with something that JSON does not know.', from);
    }
  }
}

// asNumber is a number, or Exact when writing the number would not give this text back.
function asNumber(text) {
  const value = Number(text);
  return String(value) === text ? value : new Exact(text);
}

// plain is a value of parseJSON as JSON.stringify takes it, with Exact as text.
export function scalarText(value) {
  if (value instanceof Exact) return value.text;
  return typeof value === 'string' ? value : String(value);
}

export const isScalar = (value) => value === null || typeof value !== 'object' || value instanceof Exact;
export const isObject = (value) => value instanceof Map;

// print writes a value of parseJSON with two spaces a level.
export function print(value, indent = '') {
  if (value instanceof Exact) return value.text;
  if (isScalar(value)) return JSON.stringify(value);
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item) => inner + print(item, inner))
    : [...value].map(([name, item]) => `${inner}${JSON.stringify(name)}: ${print(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return items.length ? `${open}\n${items.join(',\n')}\n${indent}${close}` : open + close;
}
