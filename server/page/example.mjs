import { isComposite, isNeeded, possibleTypes } from './sdl.mjs';
import { walk } from './walk.mjs';

const INDENT = '  ';

// CONSIDERED is how many root fields are looked at for an example.
const CONSIDERED = 60;

// exampleQuery is a query to begin with: a list with a limit, a few plain fields and one
// relation. It is '' where the schema has nothing to ask for.
export function exampleQuery(schema) {
  const query = schema.types.get(schema.query);
  if (!query) return '';
  const callable = [...query.fields.values()].slice(0, CONSIDERED).filter((f) => f.deprecated === null && [...f.args.values()].every((arg) => !isNeeded(arg)));
  const worth = (f) => {
    const type = schema.types.get(f.type.name);
    if (!isComposite(type)) return 0;
    return (f.type.list ? 8 : 0) + (f.args.has('limit') ? 8 : 0) + Math.min(4, plain(schema, type).length) + (relation(schema, type) ? 2 : 0) + Math.min(99, type.fields.size) / 100;
  };
  let best = null;
  let most = -1;
  for (const f of callable) {
    const worthOf = worth(f);
    if (worthOf > most) [best, most] = [f, worthOf];
  }
  return best ? `{\n${fieldText(schema, best, INDENT, 3, true)}\n}\n` : '';
}

// fieldText writes a field with what it needs: arguments that have to be given, a limit
// where it takes one, and plain fields of what it leads to.
export function fieldText(schema, field, indent, limit = 5, deeper = false) {
  const args = [...field.args.values()].filter(isNeeded).map((arg) => `${arg.name}: ${sample(schema, arg.type)}`);
  if (field.args.has('limit') && field.type.list && !args.some((arg) => arg.startsWith('limit:'))) args.unshift(`limit: ${limit}`);
  const head = indent + field.name + (args.length ? `(${args.join(', ')})` : '');
  const type = schema.types.get(field.type.name);
  if (!isComposite(type)) return head;
  const inner = indent + INDENT;
  const lines = plain(schema, type).slice(0, 4).map((f) => inner + f.name);
  const next = deeper ? relation(schema, type) : null;
  if (next) lines.push(fieldText(schema, next, inner, limit));
  return `${head} {\n${(lines.length ? lines : [`${inner}__typename`]).join('\n')}\n${indent}}`;
}

// plain are the fields of a type that need nothing and lead nowhere: single ones before
// lists, and those that only tell of addresses last.
function plain(schema, type) {
  const last = new Set(['uri', 'types']);
  const fields = [...type.fields.values()].filter((f) => f.deprecated === null && ![...f.args.values()].some(isNeeded) && !isComposite(schema.types.get(f.type.name)));
  const order = (f) => (f.type.list ? 1 : 0) + (last.has(f.name) ? 2 : 0);
  return fields.map((f, i) => [f, i]).sort(([a, i], [b, j]) => order(a) - order(b) || i - j).map(([f]) => f);
}

function relation(schema, type) {
  for (const f of type.fields.values()) {
    const target = schema.types.get(f.type.name);
    if (f.deprecated === null && isComposite(target) && target !== type && ![...f.args.values()].some(isNeeded)) return f;
  }
  return null;
}

// sample is a value to begin with, for an argument that has to be given.
function sample(schema, ref) {
  if (ref.list) return `[${ref.item?.name ? sample(schema, ref.item) : ''}]`;
  const type = schema.types.get(ref.name);
  if (type?.kind === 'ENUM') return type.values[0]?.name ?? 'null';
  if (type?.kind === 'INPUT_OBJECT') {
    return `{ ${[...type.fields.values()].filter(isNeeded).map((f) => `${f.name}: ${sample(schema, f.type)}`).join(', ')} }`.replace('{  }', '{}');
  }
  return { Int: '1', Float: '1', Boolean: 'true' }[ref.name] ?? '""';
}

// insertField puts a field of a type into a query: into the braces of that type that the
// cursor is in, or else the last ones; a root field goes into a new query when there is
// none. It gives {text, start, end} with the place of what was put in, and null when the
// query has no such braces.
export function insertField(schema, text, cursor, typeName, field) {
  const { selections, operations } = walk(text, schema);
  const type = schema.types.get(typeName);
  const fits = selections.filter((s) => s.type === typeName || (isComposite(schema.types.get(s.type)) && possibleTypes(schema, type).includes(s.type) && type.kind === 'INTERFACE'));
  const around = fits.filter((s) => s.open < cursor && cursor <= s.close);
  const place = around.at(-1) ?? fits.at(-1);
  if (!place) {
    if (typeName !== schema.query || operations.length) return null;
    const head = text.trim() ? `${text.trimEnd()}\n\n` : '';
    const body = fieldText(schema, field, INDENT);
    return { text: `${head}{\n${body}\n}\n`, start: head.length + 2 + INDENT.length, end: head.length + 2 + body.length };
  }
  const before = text.slice(0, place.close).trimEnd();
  const lineStart = text.lastIndexOf('\n', place.open - 1) + 1;
  const outer = /^\s*/.exec(text.slice(lineStart, place.open))[0];
  const body = fieldText(schema, field, outer + INDENT);
  const rest = place.close < text.length ? text.slice(place.close) : '}\n';
  return { text: `${before}\n${body}\n${outer}${rest}`, start: before.length + 1 + outer.length + INDENT.length, end: before.length + 1 + body.length };
}
