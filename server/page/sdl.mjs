import { Lexer, blockValue, lineEnd, stringValue } from './lex.mjs';

// The schema as the page knows it, read from its SDL. The reader is kind: what it does
// not understand it leaves out, and counts in unread.
//
//   schema { types: name → type, directives: name → {name, description, args},
//            query, mutation, subscription (names), description, notes, unread }
//   type   { kind, name, description, interfaces, fields: name → field (of objects,
//            interfaces and inputs), values (of enums), members (of unions) }
//   field  { name, description, args: name → field, type, fallback, deprecated }
//   type reference { text, name, list, required }

const KINDS = { type: 'OBJECT', interface: 'INTERFACE', input: 'INPUT_OBJECT', enum: 'ENUM', union: 'UNION', scalar: 'SCALAR' };

// KIND_WORDS are the names of kinds for people.
export const KIND_WORDS = {
  OBJECT: 'type', INTERFACE: 'interface', INPUT_OBJECT: 'input', ENUM: 'enum', UNION: 'union', SCALAR: 'scalar',
};

const BUILT_IN = {
  Int: 'A whole number from −2,147,483,648 to 2,147,483,647.', Float: 'A number that may have a fraction.',
  String: 'Text.', Boolean: 'true or false.', ID: 'An identifier, written as text.',
};

const NOTHING = new Map();

// Type is a type of a schema. Its fields are read when they are first asked for: of a
// large schema, few ever are.
class Type {
  constructor(kind, name, description = '', builtIn = false) {
    Object.assign(this, { kind, name, description, builtIn, interfaces: [], values: [], members: [] });
    this.bodies = []; // readers of what stands in braces
    this.known = NOTHING;
  }

  get fields() {
    while (this.bodies.length) this.known = this.bodies.shift()(this.known);
    return this.known;
  }
}

// parseSchema reads SDL.
export function parseSchema(sdl) {
  return new Reader(sdl).schema();
}

class Reader {
  // from and whole are for a reader of a part of the text.
  constructor(text, from = 0, whole = null) {
    this.lexer = new Lexer(text);
    this.text = text;
    this.refs = whole?.refs ?? new Map(); // text → type reference
    if (whole) {
      this.result = whole.result;
      this.lexer.end = from;
      this.lexer.skip();
      return;
    }
    this.result = {
      types: new Map(), directives: new Map(), query: null, mutation: null, subscription: null,
      description: '', notes: [], unread: 0,
    };
  }

  schema() {
    const { lexer, result } = this;
    for (const [name, description] of Object.entries(BUILT_IN)) {
      result.types.set(name, new Type('SCALAR', name, description, true));
    }
    for (const [name, description] of [['skip', 'Leaves the field out when if is true.'], ['include', 'Keeps the field only when if is true.']]) {
      const condition = { name: 'if', description: '', args: NOTHING, type: this.reference('Boolean!', 'Boolean', false, true), deprecated: null };
      result.directives.set(name, { name, description, args: new Map([['if', condition]]) });
    }
    for (lexer.next(); lexer.kind === 'comment'; lexer.next()) result.notes.push(lexer.value().slice(1).trim());
    while (lexer.kind !== 'end') this.definition();
    for (const [role, name] of [['query', 'Query'], ['mutation', 'Mutation'], ['subscription', 'Subscription']]) {
      if (!this.rooted && result.types.get(name)?.kind === 'OBJECT') result[role] = name;
    }
    return result;
  }

  // name takes a name, '' where there is none.
  name() {
    const { lexer } = this;
    if (lexer.kind !== 'name') return '';
    const value = lexer.value();
    lexer.skip();
    return value;
  }

  take(punctuator) {
    if (!this.lexer.is(punctuator)) return false;
    this.lexer.skip();
    return true;
  }

  description() {
    const { lexer } = this;
    if (lexer.kind !== 'string' && lexer.kind !== 'block') return '';
    const raw = lexer.value();
    const value = lexer.kind === 'block' ? blockValue(raw) : stringValue(raw);
    lexer.skip();
    return value;
  }

  definition() {
    const { lexer, result } = this;
    const from = lexer.start;
    const description = this.description();
    let word = this.name();
    if (word === 'extend') word = this.name();
    if (word === 'schema') {
      result.description = description || result.description;
      this.directives();
      this.roots();
    } else if (word === 'directive') {
      this.directive(description);
    } else if (word in KINDS) {
      this.type(KINDS[word], description);
    } else {
      result.unread++;
      if (lexer.start === from) lexer.skip();
    }
  }

  roots() {
    if (!this.take('{')) return;
    this.rooted = true;
    while (this.lexer.kind === 'name') {
      const role = this.name();
      if (!this.take(':')) break;
      const name = this.name();
      if (['query', 'mutation', 'subscription'].includes(role)) this.result[role] = name;
    }
    this.close('}');
  }

  directive(description) {
    this.take('@');
    const name = this.name();
    const args = this.take('(') ? this.fields(')') : NOTHING;
    while (this.lexer.kind === 'name' || this.lexer.is('|')) { // repeatable on A | B
      const word = this.lexer.value();
      if (word in KINDS || word === 'schema' || word === 'extend' || word === 'directive') break;
      this.lexer.skip();
    }
    if (name) this.result.directives.set(name, { name, description, args });
  }

  type(kind, description) {
    const name = this.name();
    const type = this.result.types.get(name) ?? new Type(kind, name);
    type.kind = kind;
    type.builtIn = false;
    type.description = description || type.description;
    if (this.lexer.kind === 'name' && this.lexer.value() === 'implements') {
      this.lexer.skip();
      this.list('&', type.interfaces);
    }
    const applied = this.directives();
    type.specifiedBy = applied.get('specifiedBy')?.get('url') ?? type.specifiedBy;
    if (kind === 'UNION') {
      if (this.take('=')) this.list('|', type.members);
    } else if (kind === 'ENUM') {
      if (this.take('{')) this.values(type.values);
    } else if (this.lexer.is('{')) {
      const from = this.lexer.end;
      type.bodies.push((before) => new Reader(this.text, from, this).fields('}', before));
      this.pass();
    }
    if (name) this.result.types.set(name, type);
  }

  // pass goes behind the closing brace of the body that begins here.
  pass() {
    const { lexer, text } = this;
    let depth = 1;
    let at = lexer.end;
    for (; depth > 0 && at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 123) depth++;
      else if (code === 125) depth--;
      else if (code === 34) at = lexer.string(at) - 1;
      else if (code === 35) at = lineEnd(text, at);
    }
    if (depth > 0) this.result.unread++;
    lexer.end = at;
    lexer.skip();
  }

  // list reads names with a punctuator between them.
  list(punctuator, into) {
    this.take(punctuator);
    do {
      const name = this.name();
      if (name) into.push(name);
    } while (this.take(punctuator));
  }

  values(into) {
    for (;;) {
      const description = this.description();
      const name = this.name();
      if (!name) break;
      into.push({ name, description, deprecated: deprecation(this.directives()) });
    }
    this.close('}');
  }

  // fields reads fields or arguments up to a punctuator.
  fields(closing, before = NOTHING) {
    const out = new Map(before);
    for (;;) {
      const description = this.description();
      const name = this.name();
      if (!name) break;
      const args = this.take('(') ? this.fields(')') : NOTHING;
      if (!this.take(':')) break;
      const type = this.typeReference();
      const fallback = this.take('=') ? this.constant() : undefined;
      const deprecated = deprecation(this.directives());
      out.set(name, { name, description, args, type, fallback, deprecated });
    }
    this.close(closing);
    return out;
  }

  // close goes behind a punctuator, over what should not be before it.
  close(punctuator) {
    if (this.take(punctuator)) return;
    this.result.unread++;
    while (this.lexer.kind !== 'end' && !this.lexer.is(punctuator)) this.lexer.skip();
    this.take(punctuator);
  }

  typeReference() {
    const { lexer } = this;
    const list = this.take('[');
    if (!list) {
      const name = this.name();
      const required = this.take('!');
      return this.reference(required ? `${name}!` : name, name, false, required);
    }
    const inner = lexer.kind === 'end' ? this.reference('', '', false, false) : this.typeReference();
    this.take(']');
    const required = this.take('!');
    return this.reference(`[${inner.text}]${required ? '!' : ''}`, inner.name, true, required, inner);
  }

  reference(text, name, list, required, item) {
    let found = this.refs.get(text);
    if (!found) this.refs.set(text, found = { text, name, list, required, item });
    return found;
  }

  // constant is the text of a value that stands in the SDL.
  constant() {
    const { lexer } = this;
    const from = lexer.start;
    let end = lexer.end;
    for (let depth = 0; lexer.kind !== 'end';) {
      if (lexer.is('[') || lexer.is('{')) depth++;
      if (lexer.is(']') || lexer.is('}')) depth--;
      end = lexer.end;
      lexer.skip();
      if (depth <= 0) break;
    }
    return this.text.slice(from, end);
  }

  // directives reads applied directives: name → (argument → text).
  directives() {
    if (!this.lexer.is('@')) return NOTHING;
    const out = new Map();
    while (this.take('@')) {
      const name = this.name();
      const args = new Map();
      if (this.take('(')) {
        for (let arg = this.name(); arg && this.take(':'); arg = this.name()) {
          const text = this.constant();
          args.set(arg, text.startsWith('"') ? stringValue(text) : text);
        }
        this.close(')');
      }
      out.set(name, args);
    }
    return out;
  }
}

const deprecation = (directives) => (directives.has('deprecated') ? directives.get('deprecated').get('reason') ?? 'No longer supported' : null);

// isComposite reports whether a type has fields that a query selects.
export const isComposite = (type) => type != null && ['OBJECT', 'INTERFACE', 'UNION'].includes(type.kind);

// isInput reports whether a type can be that of an argument or a variable.
export const isInput = (type) => type != null && ['SCALAR', 'ENUM', 'INPUT_OBJECT'].includes(type.kind);

// possibleTypes are the names of the object types that a value of a type can have.
export function possibleTypes(schema, type) {
  if (type.kind === 'OBJECT') return [type.name];
  if (type.kind === 'UNION') return type.members;
  schema.possible ??= implementations(schema);
  return schema.possible.get(type.name) ?? [];
}

// implementations are the object types of each interface.
function implementations(schema) {
  const out = new Map();
  for (const type of schema.types.values()) {
    if (type.kind !== 'OBJECT') continue;
    for (const name of type.interfaces) {
      if (!out.has(name)) out.set(name, []);
      out.get(name).push(type.name);
    }
  }
  return out;
}

// isNeeded reports whether an argument or input member has to be given.
export const isNeeded = (field) => field.type.required && field.fallback === undefined;
