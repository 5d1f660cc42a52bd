import { isComposite, isInput, isNeeded } from './sdl.mjs';
import { fieldsOf, overlap, walk } from './walk.mjs';

// manySuggestions is how many suggestions are shown at once.
const manySuggestions = 60;

// complete gives what can stand at the cursor: {start, end, items, total}, with items
// {label, detail, description, deprecated, insert}; null when nothing can be said.
export function complete(text, schema, cursor) {
  if (!schema) return null;
  const { context, fragments, operations } = walk(text, schema, cursor);
  if (!context) return null;
  const all = candidates(schema, context, fragments, operations);
  const fits = rank(all, context.prefix);
  return fits.length ? { start: context.start, end: context.end, prefix: context.prefix, items: fits.slice(0, manySuggestions), total: fits.length } : null;
}

function candidates(schema, context, fragments, operations) {
  switch (context.what) {
    case 'definition':
      return bare(['query', 'mutation', 'subscription'].filter((kind) => schema[kind])).concat(bare(['fragment']));
    case 'on':
      return bare(['on']);
    case 'field':
      return context.parent ? [...fieldsOf(schema, context.parent).values()].map(ofField) : [];
    case 'argument':
      return unused(context.owner.args, context.given);
    case 'member':
      return unused(context.parent.fields, context.given);
    case 'value':
      return valuesFor(schema, context, operations);
    case 'variable':
      return variablesFor(context, operations, '');
    case 'inputType':
      return typesThat(schema, isInput);
    case 'condition':
      return typesThat(schema, (type) => isComposite(type) && overlap(schema, context.parent, type));
    case 'spread':
      return spreads(schema, context, fragments);
    case 'directive':
      return [...schema.directives.values()].map((d) => suggestion(d.name, '', d.description, null, d.args.size ? `${d.name}(` : d.name));
    default:
      return [];
  }
}

const suggestion = (label, detail = '', description = '', deprecated = null, insert = label) => ({ label, detail, description, deprecated, insert });

const bare = (list) => list.map((word) => suggestion(word));

const ofField = (field) => suggestion(field.name, field.type.text, field.description, field.deprecated);

function unused(fields, given) {
  return [...fields.values()].filter((f) => !given.has(f.name)).map((f) => ({
    ...suggestion(f.name, f.type.text + (f.fallback === undefined ? '' : ` = ${f.fallback}`), f.description, f.deprecated, `${f.name}: `),
    first: isNeeded(f),
  }));
}

function valuesFor(schema, context, operations) {
  const type = context.type && schema.types.get(context.type.name);
  const out = variablesFor(context, operations, '$');
  if (type?.kind === 'ENUM') out.unshift(...type.values.map((v) => suggestion(v.name, type.name, v.description, v.deprecated)));
  if (type?.name === 'Boolean') out.unshift(...bare(['true', 'false']));
  if (type?.kind === 'INPUT_OBJECT') out.unshift(suggestion('{ }', type.name, type.description, null, '{}'));
  return out;
}

// variables are those of the operation whose type's name fits; a fragment may use those
// of any operation.
function variablesFor(context, operations, sign) {
  const from = context.scope?.variables ? [context.scope] : operations;
  const out = new Map();
  for (const operation of from) {
    for (const [name, { type }] of operation.variables) {
      if (!context.type || !type?.name || type.name === context.type.name) out.set(name, suggestion(sign + name, type?.text));
    }
  }
  return [...out.values()];
}

const typesThat = (schema, fits) => [...schema.types.values()].filter(fits).map((type) => suggestion(type.name, type.kind.toLowerCase().replace('_object', ''), type.description));

function spreads(schema, context, fragments) {
  const named = fragments.filter((f) => f.name && f !== context.scope).filter((f) => {
    const type = schema.types.get(f.on);
    return !type || overlap(schema, context.parent, type);
  });
  return [...named.map((f) => suggestion(f.name, `on ${f.on}`)), suggestion('on', 'a part for one type', '', null, 'on ')];
}

// rank orders what fits a prefix: names that begin with it, then those that hold it, then
// those that have its letters in order; each in its own order, deprecated ones last.
export function rank(items, prefix) {
  const wanted = prefix.toLowerCase().replace(/^\$/, '');
  const tiers = [[], [], [], [], []];
  for (const it of items) {
    const name = it.label.toLowerCase().replace(/^\$/, '');
    const hidden = !wanted.startsWith('_') && name.startsWith('__');
    let tier = -1;
    if (name.startsWith(wanted)) tier = it.first ? 0 : 1;
    else if (name.includes(wanted)) tier = 2;
    else if (wanted.length > 1 && inOrder(wanted, name)) tier = 3;
    if (tier >= 0) tiers[(it.deprecated !== null || hidden) ? 4 : tier].push(it);
  }
  return tiers.flat();
}

function inOrder(letters, name) {
  let at = 0;
  for (const letter of letters) {
    at = name.indexOf(letter, at) + 1;
    if (!at) return false;
  }
  return true;
}
