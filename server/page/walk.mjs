import { Parts } from './parts.mjs';
import { isComposite, possibleTypes } from './sdl.mjs';

// One walk over a query serves colours, marks and completion. It goes on after every
// fault, since a query that is being written is faulty most of the time.

// meta are the fields that every type has beside its own.
const TYPENAME = { name: '__typename', description: 'The name of the object’s type.', args: new Map(), type: { text: 'String!', name: 'String', list: false, required: true }, deprecated: null };

// fieldsOf are the fields that a query can select of a type: name → field.
export function fieldsOf(schema, type) {
  const out = new Map(type?.fields ?? []);
  if (isComposite(type)) out.set('__typename', TYPENAME);
  return out;
}

// fieldOf is one of them.
const fieldOf = (type, name) => (name === '__typename' && isComposite(type) ? TYPENAME : type?.fields.get(name));

// walk reads a query against a schema, which may be null. With a cursor (an offset) it
// also finds what can stand there. It gives
//
//   tokens      with a role each, for colours
//   problems    {start, end, message, fix}: fix is the nearest name or absent
//   operations  {kind, name, start, end}, fragments {name, on, start, end}
//   selections  {type, open, close}: the braces of each selection set and its type's name
//   context     what stands at the cursor: {what, start, end, prefix, …}, or null
export function walk(text, schema, cursor = -1) {
  return new Walker(text, schema, cursor).run();
}

class Walker extends Parts {
  constructor(text, schema, cursor) {
    super(text, schema, cursor);
    this.operations = [];
    this.fragments = [];
    this.selections = [];
  }

  run() {
    while (this.token.kind !== 'end') this.definition();
    this.checkDocument();
    const { tokens, problems, operations, fragments, selections, context } = this;
    problems.sort((a, b) => a.start - b.start);
    return { tokens, problems, operations, fragments, selections, context };
  }

  definition() {
    const first = this.token;
    if (this.is('{')) {
      this.operation('query', first);
      return;
    }
    if (first.kind !== 'name') {
      this.unexpected('a query begins with query or {');
      return;
    }
    const word = this.name('keyword', () => ({ what: 'definition' })).value;
    if (['query', 'mutation', 'subscription'].includes(word)) {
      this.operation(word, first);
    } else if (word === 'fragment') {
      this.fragment(first);
    } else if (!first.virtual) {
      this.unknown(first, `A query begins with query, fragment or {, not with ${first.value}.`, ['query', 'mutation', 'fragment']);
    }
  }

  operation(kind, first) {
    const named = this.name('definition', () => null);
    const operation = { kind, name: named?.value ?? '', start: first.start, end: first.end, variables: new Map(), uses: [], spreads: [] };
    this.scope = operation;
    this.operations.push(operation);
    if (this.take('(')) this.variableDefinitions(operation);
    this.directives();
    const root = this.schema?.[kind];
    if (this.schema && !root) this.problem(first, `The schema has no ${kind}s.`);
    this.body(operation, this.schema?.types.get(root), named ?? first);
  }

  fragment(first) {
    const named = this.name('definition', () => null);
    const fragment = { name: named?.value ?? '', on: '', start: first.start, end: first.end, uses: [], spreads: [] };
    this.scope = fragment;
    this.fragments.push(fragment);
    if (!named) this.problem(first, 'A fragment needs a name: fragment Name on Type { … }.');
    let type;
    if (this.token.kind === 'name' && this.token.value === 'on') {
      this.advance('keyword');
      type = this.condition(fragment, null);
    } else {
      if (this.token.virtual) this.name('keyword', () => ({ what: 'on' }));
      this.problem(named ?? first, 'A fragment says its type: fragment Name on Type { … }.');
    }
    this.directives();
    this.body(fragment, type, named ?? first);
  }

  body(definition, type, at) {
    if (this.is('{')) this.selection(type);
    else this.problem(at, 'The fields in braces are missing: { … }.');
    definition.end = this.tokens[Math.max(0, this.at - 1)].end;
    this.scope = null;
  }

  // condition takes the type after "on".
  condition(fragment, parent) {
    const t = this.name('type', () => ({ what: 'condition', parent }));
    if (!t) {
      this.problem(this.token, 'The name of a type is missing.');
      return null;
    }
    if (fragment) fragment.on = t.value;
    const type = this.schema?.types.get(t.value);
    if (!this.schema || t.virtual) return type;
    if (!type) this.unknown(t, `There is no type ${t.value}.`, this.composites());
    else if (!isComposite(type)) this.problem(t, `${t.value} has no fields to select.`);
    else if (parent && !overlap(this.schema, parent, type)) this.problem(t, `A ${parent.name} is never a ${t.value}.`);
    return type;
  }

  composites() {
    return [...this.schema.types.values()].filter(isComposite).map((type) => type.name);
  }

  variableDefinitions(operation) {
    while (this.take('$')) {
      const t = this.name('variable', () => null);
      if (!t) break;
      this.tokens[this.at - 2].role = 'variable';
      let type;
      if (this.take(':')) type = this.variableType();
      else this.problem(t, `Say the type of $${t.value}: $${t.value}: Type.`);
      operation.variables.set(t.value, { token: t, type });
      if (this.take('=')) this.value(type);
      this.directives();
    }
    this.until(')', 'a variable begins with $');
  }

  selection(type) {
    const open = this.advance();
    const record = { type: type?.name ?? '', open: open.start, close: this.text.length };
    this.selections.push(record);
    const seen = this.at;
    while (!this.is('}') && this.token.kind !== 'end') {
      if (this.is('...')) this.spread(type);
      else if (this.token.kind === 'name') this.field(type);
      else this.unexpected('a field is');
    }
    if (this.is('}')) {
      record.close = this.token.start;
      if (seen === this.at) this.problem(open, 'Name at least one field between the braces.');
      this.advance();
    } else {
      this.problem(open, 'The closing brace of this one is missing.');
    }
  }

  spread(type) {
    const dots = this.advance();
    const t = this.token;
    if (t.kind === 'name' && t.value === 'on' && t.cursor === undefined) {
      this.advance('keyword');
      const on = this.condition(null, type);
      this.directives();
      this.braces(on, t);
    } else if (t.kind === 'name') {
      this.name('fragment', () => ({ what: 'spread', parent: type }));
      this.scope?.spreads.push(t);
      this.directives();
    } else if (this.is('{') || this.is('@')) {
      this.directives();
      this.braces(type, dots);
    } else {
      this.problem(dots, 'The name of a fragment, or on Type, is missing after the dots.');
    }
  }

  braces(type, at) {
    if (this.is('{')) this.selection(type);
    else this.problem(at, 'The fields in braces are missing: { … }.');
  }

  field(parent) {
    const what = () => ({ what: 'field', parent });
    let t = this.name('field', what);
    if (this.is(':')) {
      t.role = 'alias';
      if (t.cursor !== undefined) this.context = null;
      this.advance();
      t = this.name('field', what);
      if (!t) {
        this.problem(this.token, 'The name of a field is missing after the colon.');
        return;
      }
    }
    const field = parent ? this.known(parent, t) : null;
    if (this.is('(')) this.arguments(field, t);
    else if (field) this.needed(field.args, new Set(), t);
    this.directives();
    const type = field && this.schema.types.get(field.type.name);
    if (this.is('{')) {
      if (type && !isComposite(type)) this.problem(t, `${t.value} is a ${type.name}: it has no fields to select.`);
      this.selection(isComposite(type) ? type : null);
    } else if (isComposite(type)) {
      this.problem(t, `Say which fields of ${t.value} you want: ${t.value} { … }.`);
    }
  }

  // known is the field that a token names; it may be one of introspection, of which the
  // schema says nothing.
  known(parent, t) {
    const field = fieldOf(parent, t.value);
    if (!field && !t.virtual && !(t.value.startsWith('__') && parent.name === this.schema.query)) {
      this.unknown(t, `${parent.name} has no field ${t.value}.`, fieldsOf(this.schema, parent).keys());
    }
    return field ?? null;
  }

  // checkDocument looks at names that are used in one place and defined in another.
  checkDocument() {
    const fragments = new Map(this.fragments.map((f) => [f.name, f]));
    for (const definition of [...this.operations, ...this.fragments]) {
      for (const t of definition.spreads) {
        if (!fragments.has(t.value) && !t.virtual) this.unknown(t, `There is no fragment ${t.value}.`, fragments.keys());
      }
    }
    const used = new Set();
    for (const operation of this.operations) this.checkVariables(operation, fragments, used);
    for (const f of this.fragments) {
      if (f.name && !used.has(f.name) && this.operations.length) this.problem({ start: f.start, end: f.start + 8 }, `The fragment ${f.name} is not used.`);
    }
    const nameless = this.operations.find((o) => !o.name);
    if (nameless && this.operations.length > 1) this.problem({ start: nameless.start, end: nameless.start + 1 }, 'Give each operation a name when there are several: query Name { … }.');
  }

  checkVariables(operation, fragments, used) {
    const uses = [...operation.uses];
    const waiting = operation.spreads.map((t) => t.value);
    const reached = new Set();
    while (waiting.length) {
      const name = waiting.pop();
      const fragment = fragments.get(name);
      if (!fragment || reached.has(name)) continue;
      reached.add(name);
      used.add(name);
      uses.push(...fragment.uses);
      waiting.push(...fragment.spreads.map((t) => t.value));
    }
    const names = new Set(uses.map((t) => t.value));
    for (const t of new Set(uses)) {
      if (!operation.variables.has(t.value) && !t.virtual) this.unknown(t, `The variable $${t.value} is not declared: query(${'$'}${t.value}: Type).`, operation.variables.keys());
    }
    for (const [name, variable] of operation.variables) {
      if (!names.has(name)) this.problem(variable.token, `The variable $${name} is not used.`);
    }
  }
}

// overlap reports whether an object can be of both types; a type that is not known may
// be any.
export function overlap(schema, a, b) {
  if (!isComposite(a) || a === b) return true;
  const others = new Set(possibleTypes(schema, b));
  return possibleTypes(schema, a).some((name) => others.has(name));
}
