// Tokens of GraphQL, for queries and schemas (specification of October 2021, 2.1).

const LETTER = 1;
const DIGIT = 2;

// classes say of each ASCII character whether it can be in a name.
const classes = new Uint8Array(128);
for (let c = 65; c <= 90; c++) classes[c] = classes[c + 32] = LETTER;
for (let c = 48; c <= 57; c++) classes[c] = DIGIT;
classes[95] = LETTER;

const inName = (code) => code < 128 && classes[code] !== 0;
const isDigit = (code) => code >= 48 && code <= 57;

// Lexer reads one token after the other. After next(), kind is one of name, number,
// string, block, punctuator, comment, bad and end, and the token is text[start, end).
// Nothing stops it: what is no token is bad, of one character, and a string without an
// end is bad to the end of its line.
export class Lexer {
  constructor(text) {
    this.text = text;
    this.end = 0;
    this.start = 0;
    this.kind = 'end';
  }

  // next goes to the next token; comments are tokens here.
  next() {
    const { text } = this;
    let at = this.end;
    for (;; at++) {
      const code = text.charCodeAt(at); // NaN at the end
      if (!(code === 32 || code === 10 || code === 9 || code === 13 || code === 44 || code === 0xfeff)) break;
    }
    this.start = at;
    if (at >= text.length) {
      this.end = at;
      this.kind = 'end';
      return;
    }
    const code = text.charCodeAt(at);
    if (code < 128 && classes[code] === LETTER) {
      do at++; while (inName(text.charCodeAt(at)));
      this.kind = 'name';
    } else if (code === 34) {
      at = this.string(at);
    } else if (code === 35) {
      at = lineEnd(text, at);
      this.kind = 'comment';
    } else if (isDigit(code) || code === 45) {
      at = this.number(at);
    } else if (text.startsWith('...', at)) {
      at += 3;
      this.kind = 'punctuator';
    } else {
      this.kind = '{}()[]:=!|&$@'.includes(text[at]) ? 'punctuator' : 'bad';
      at += code >= 0xd800 && code < 0xdc00 && at + 1 < text.length ? 2 : 1;
    }
    this.end = at;
  }

  // skip goes to the next token that is no comment.
  skip() {
    do this.next(); while (this.kind === 'comment');
  }

  value() {
    return this.text.slice(this.start, this.end);
  }

  is(punctuator) {
    return this.kind === 'punctuator' && this.text.startsWith(punctuator, this.start);
  }

  string(at) {
    const { text } = this;
    if (text.startsWith('"""', at)) {
      this.kind = 'block';
      for (let from = at + 3; ;) {
        const close = text.indexOf('"""', from);
        if (close < 0) {
          this.kind = 'bad';
          return text.length;
        }
        if (text[close - 1] !== '\\') return close + 3;
        from = close + 3;
      }
    }
    this.kind = 'string';
    for (at++; at < text.length; at++) {
      const c = text[at];
      if (c === '"') return at + 1;
      if (c === '\n' || c === '\r') break;
      if (c === '\\') at++;
    }
    this.kind = 'bad';
    return Math.min(at, text.length);
  }

  number(at) {
    const { text } = this;
    const from = at;
    if (text[at] === '-') at++;
    const digits = () => {
      const first = at;
      while (isDigit(text.charCodeAt(at))) at++;
      return at > first;
    };
    let good = digits();
    if (good && text[at] === '.' && isDigit(text.charCodeAt(at + 1))) {
      at++;
      digits();
    }
    if (good && (text[at] === 'e' || text[at] === 'E')) {
      at++;
      if (text[at] === '+' || text[at] === '-') at++;
      good = digits();
    }
    this.kind = good ? 'number' : 'bad';
    return Math.max(at, from + 1);
  }
}

// lineEnd is where the line ends that a character stands in.
export const lineEnd = (text, at) => {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
};

// lex gives the tokens of a query as objects {kind, start, end, value}; the last has the
// kind end. Comments are among them only when wanted.
export function lex(text, comments = false) {
  const out = [];
  const lexer = new Lexer(text);
  for (;;) {
    lexer.next();
    if (lexer.kind !== 'comment' || comments) {
      out.push({ kind: lexer.kind, start: lexer.start, end: lexer.end, value: lexer.value() });
    }
    if (lexer.kind === 'end') return out;
  }
}

// blockValue is the text of a block string: without the indentation that its lines share
// and without empty lines at both ends (2.9.4).
export function blockValue(raw) {
  const lines = raw.slice(3, -3).replaceAll('\\"""', '"""').split(/\r\n|\n|\r/);
  const indents = lines.slice(1).filter((line) => /[^ \t]/.test(line)).map((line) => line.search(/[^ \t]/));
  const common = indents.length ? Math.min(...indents) : 0;
  const cut = lines.map((line, i) => (i ? line.slice(common) : line));
  while (cut.length && !cut[0].trim()) cut.shift();
  while (cut.length && !cut.at(-1).trim()) cut.pop();
  return cut.join('\n');
}

// stringValue is the text of a string token of either kind.
export function stringValue(raw) {
  if (raw.startsWith('"""')) return blockValue(raw);
  try {
    return JSON.parse(raw.replace(/\\u\{([0-9a-fA-F]{1,6})\}/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16))).replaceAll('\t', '\\t'));
  } catch {
    return raw.slice(1, -1);
  }
}
