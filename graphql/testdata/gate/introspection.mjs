// Writes introspection.json: what graphql-js answers to questions about schema.graphql,
// without the descriptions of what every schema has (the words differ). Run it where the
// package graphql is installed: node introspection.mjs > introspection.json
import { readFileSync } from 'node:fs';
import { buildSchema, getIntrospectionQuery, graphqlSync } from 'graphql';

const schema = buildSchema(readFileSync(new URL('schema.graphql', import.meta.url), 'utf8'));
const queries = [
  getIntrospectionQuery(),
  getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    experimentalDirectiveDeprecation: true,
    oneOf: true,
    typeDepth: 12,
  }),
  '{ __schema { types { name fields { name args { name } } enumValues { name } inputFields { name defaultValue } possibleTypes { name } interfaces { name } ofType { name } } } }',
  '{ a: __type(name: "Customer") { __typename kind fields(includeDeprecated: true) { __typename name isDeprecated deprecationReason args { name } } } b: __type(name: "Nothing") { name } c: __type(name: "__Type") { name fields { name type { kind ofType { kind name ofType { kind name } } } } } d: __type(name: "Thing") { possibleTypes { name } fields { name } }  e: __type(name: "Entity") { possibleTypes { name } interfaces { name } } }',
  '{ __type(name: "Point") { inputFields(includeDeprecated: true) { name defaultValue type { kind name ofType { name } } } isOneOf } k: __type(name: "Kind") { enumValues(includeDeprecated: null) { name } isOneOf } }',
  'query ($yes: Boolean = true, $no: Boolean = false) { __schema { __typename queryType { ...N } mutationType { ...N } ...S @skip(if: $no) } x: __schema @include(if: $no) { description } } fragment N on __Type { name n: name ... @include(if: $no) { kind } fields(includeDeprecated: $yes) { name } fields(includeDeprecated: $yes) { type { name } } } fragment S on __Schema { directives { name locations isRepeatable args { name defaultValue } } }',
];

// everyones reports whether every schema has what a name stands for.
const everyones = (o) => o.name && (o.name.startsWith('__') || ['String', 'Int', 'Float', 'Boolean', 'ID', 'skip', 'include', 'deprecated', 'specifiedBy', 'oneOf'].includes(o.name));
function strip(v, within) {
  if (Array.isArray(v)) return v.map((x) => strip(x, within));
  if (v === null || typeof v !== 'object') return v;
  const inside = within || everyones(v);
  return Object.fromEntries(Object.entries(v).filter(([k]) => !(inside && k === 'description')).map(([k, x]) => [k, strip(x, inside)]));
}

const out = queries.map((query) => {
  const { data, errors } = graphqlSync({ schema, source: query });
  if (errors) throw errors[0];
  return { query, data: strip(data, false) };
});
console.log(JSON.stringify(out, null, 1));
