import { lex } from './lex.mjs';
import { isInput, isNeeded } from './sdl.mjs';
import { nearest } from './words.mjs';

const NOBODY = { kind: 'name', start: 0, end: 0, value: '' };

// Parts reads the parts of a query that stand in fields and definitions: arguments,
// values, types of variables, directives. It goes on after every fault.
export class Parts {
  constructor(text, schema, cursor) {
    this.text = text;
    this.schema = schema;
    this.tokens = lex(text);
    this.at = 0;
    this.problems = [];
    this.context = null;
    this.scope = null; // the operation or fragment that is read
    if (cursor >= 0) this.place(cursor);
    this.token = this.tokens[0];
  }

  // place marks the name at the cursor, or puts an empty one there.
  place(cursor) {
    const i = this.tokens.findIndex((t) => t.end >= cursor);
    const t = this.tokens[i];
    if (t.kind === 'name' && t.start < cursor) {
      t.cursor = cursor;
      return;
    }
    const inside = t.start < cursor && cursor < t.end && t.kind !== 'end';
    const begun = t.kind === 'bad' && t.start < cursor && /["]/.test(t.value);
    const commented = /(^|\n)[^"\n]*#[^\n]*$/.test(this.text.slice(0, cursor));
    if (inside || begun || commented || (t.kind === 'number' && t.end === cursor)) return;
    const before = t.start < cursor ? i + 1 : i;
    this.tokens.splice(before, 0, { kind: 'name', start: cursor, end: cursor, value: '', cursor, virtual: true });
  }

  advance(role) {
    const t = this.token;
    if (role) t.role = role;
    if (t.kind !== 'end') this.token = this.tokens[++this.at];
    return t;
  }

  is(value) {
    return this.token.kind === 'punctuator' && this.token.value === value;
  }

  take(value) {
    return this.is(value) ? this.advance() : null;
  }

  problem(t, message, fix) {
    this.problems.push({ start: t.start, end: t.end, message, ...(fix ? { fix } : {}) });
  }

  // unknown is the problem of a name that is not there.
  unknown(t, message, names) {
    const fix = nearest(t.value, names);
    this.problem(t, fix ? `${message} Did you mean ${fix}?` : message, fix);
  }

  // unexpected is the problem of the token that stands here, which is passed over.
  unexpected(wanted) {
    const t = this.advance();
    this.problem(t, `${shown(t)} is not expected here: ${wanted}.`);
  }

  // name takes a name; what says what can stand there if it is the one at the cursor.
  name(role, what) {
    if (this.token.kind !== 'name') return null;
    if (this.token.cursor !== undefined) this.found(this.token, what());
    return this.advance(role);
  }

  found(t, what) {
    if (what) this.context = { ...what, start: t.start, end: t.end, prefix: this.text.slice(t.start, t.cursor), scope: this.scope };
  }

  // until goes behind a closing punctuator.
  until(closing, wanted) {
    while (!this.is(closing) && !this.stops()) this.unexpected(wanted);
    if (!this.take(closing)) this.problem(this.tokens[Math.max(0, this.at - 1)], `A ${closing} is missing here.`);
  }

  // stops reports whether what stands here can be in no parentheses.
  stops() {
    return this.token.kind === 'end' || this.is('}') || this.is('...');
  }

  // variableType reads a type reference.
  variableType() {
    if (this.take('[')) {
      const item = this.is(']') ? null : this.variableType();
      if (!this.take(']')) this.problem(this.token, 'A ] is missing here.');
      const required = this.take('!') !== null;
      return { text: `[${item?.text ?? ''}]${required ? '!' : ''}`, name: item?.name ?? '', list: true, required, item };
    }
    const t = this.name('type', () => ({ what: 'inputType' })) ?? NOBODY;
    const known = this.schema?.types.get(t.value);
    if (t === NOBODY) this.problem(this.token, 'The name of a type is missing.');
    else if (this.schema && !t.virtual && !isInput(known)) {
      const names = [...this.schema.types.values()].filter(isInput).map((type) => type.name);
      if (known) this.problem(t, `${t.value} is no type for a variable.`);
      else this.unknown(t, `There is no type ${t.value}.`, names);
    }
    const required = this.take('!') !== null;
    return { text: t.value + (required ? '!' : ''), name: t.value, list: false, required };
  }

  // arguments reads the arguments of a field or directive; owner is null when unknown.
  arguments(owner, t) {
    this.advance();
    const given = new Set();
    while (!this.is(')') && !this.stops()) {
      const arg = this.name('argument', () => owner && { what: 'argument', owner, given: new Set(given) });
      if (!arg) {
        this.unexpected('an argument is name: value');
        continue;
      }
      const known = owner?.args.get(arg.value);
      if (owner && !known && !arg.virtual) this.unknown(arg, `${t.value} has no argument ${arg.value}.`, owner.args.keys());
      if (given.has(arg.value)) this.problem(arg, `${arg.value} is given twice.`);
      given.add(arg.value);
      if (this.take(':')) this.value(known?.type, arg);
      else if (!arg.virtual) this.problem(arg, `The value of ${arg.value} is missing: ${arg.value}: value.`);
    }
    if (owner) this.needed(owner.args, given, t);
    this.until(')', 'an argument is name: value');
  }

  needed(fields, given, t) {
    for (const field of fields.values()) {
      if (isNeeded(field) && !given.has(field.name)) this.problem(t, `${t.value} needs ${field.name} (${field.type.text}).`);
    }
  }

  // value reads a value; type is its type reference, if known.
  value(type, at = this.token) {
    const t = this.token;
    if (this.is('$')) {
      this.advance('variable');
      const variable = this.name('variable', () => ({ what: 'variable', type }));
      if (variable) this.scope?.uses.push(variable);
      else this.problem(t, 'The name of a variable is missing after $.');
    } else if (this.is('[')) {
      this.advance();
      while (!this.is(']') && !this.is(')') && !this.stops()) this.value(type?.item ?? type);
      if (!this.take(']')) this.problem(t, 'The closing bracket of this one is missing.');
    } else if (this.is('{')) {
      this.object(type && this.schema?.types.get(type.name));
    } else if (t.kind === 'name') {
      this.word(type);
    } else if (['number', 'string', 'block'].includes(t.kind)) {
      this.advance(t.kind === 'number' ? 'number' : 'string');
      this.literal(t, type);
    } else if (t.kind === 'bad') {
      this.advance();
      this.problem(t, t.value.startsWith('"') ? 'The closing quote is missing.' : `${shown(t)} is no value.`);
    } else {
      this.problem(at, 'A value is missing here.');
      if (!this.is(')') && !this.is(']') && !this.stops()) this.advance();
    }
  }

  // literal checks a number or text.
  literal(t, type) {
    const known = type && this.schema?.types.get(type.name);
    if (known?.kind === 'ENUM' || known?.kind === 'INPUT_OBJECT') this.problem(t, `A ${known.name} is expected here, not ${t.kind === 'number' ? 'a number' : 'a text'}.`);
    else if (known?.name === 'Int' && (t.kind !== 'number' || /[.eE]/.test(t.value))) this.problem(t, 'A whole number is expected here.');
    else if ((known?.name === 'String' || known?.name === 'Boolean') && t.kind === 'number') this.problem(t, `A ${known.name} is expected here: ${known.name === 'String' ? `"${t.value}"` : 'true or false'}.`);
  }

  // word reads a value without quotes.
  word(type) {
    const known = type && this.schema?.types.get(type.name);
    const t = this.name('enum', () => ({ what: 'value', type }));
    if (!known || t.virtual || t.value === 'null') return;
    const truth = t.value === 'true' || t.value === 'false';
    if (known.kind === 'ENUM') {
      if (!known.values.some((v) => v.name === t.value)) this.unknown(t, `${known.name} has no value ${t.value}.`, known.values.map((v) => v.name));
    } else if (known.name === 'Boolean' ? !truth : known.builtIn || known.kind === 'INPUT_OBJECT') {
      this.problem(t, known.name === 'String' || known.name === 'ID' ? `Text stands between double quotes: "${t.value}".` : `A ${known.name} is expected here.`);
    }
  }

  object(type) {
    const open = this.advance();
    const input = type?.kind === 'INPUT_OBJECT' ? type : null;
    if (type && !input && type.builtIn) this.problem(open, `A ${type.name} is expected here.`);
    const given = new Set();
    while (!this.is('}') && !this.is(')') && this.token.kind !== 'end') {
      const t = this.name('argument', () => input && { what: 'member', parent: input, given: new Set(given) });
      if (!t) {
        this.unexpected('a member is name: value');
        continue;
      }
      const known = input?.fields.get(t.value);
      if (input && !known && !t.virtual) this.unknown(t, `${input.name} has no member ${t.value}.`, input.fields.keys());
      if (given.has(t.value)) this.problem(t, `${t.value} is given twice.`);
      given.add(t.value);
      if (this.take(':')) this.value(known?.type, t);
      else if (!t.virtual) this.problem(t, `The value of ${t.value} is missing: ${t.value}: value.`);
    }
    if (input) this.needed(input.fields, given, { ...open, value: input.name });
    if (!this.take('}')) this.problem(open, 'The closing brace of this one is missing.');
  }

  directives() {
    while (this.is('@')) {
      this.advance('directive');
      const t = this.name('directive', () => ({ what: 'directive' }));
      if (!t) {
        this.problem(this.tokens[this.at - 1], 'The name of a directive is missing after @.');
        return;
      }
      const known = this.schema?.directives.get(t.value);
      if (this.schema && !known && !t.virtual) this.unknown(t, `There is no directive @${t.value}.`, this.schema.directives.keys());
      if (this.is('(')) this.arguments(known ?? null, t);
      else if (known) this.needed(known.args, new Set(), t);
    }
  }
}

const shown = (t) => (t.kind === 'end' ? 'The end' : t.value);
