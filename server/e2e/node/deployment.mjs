// The GraphQL service of an OntoBricks deployment, on graphql-js, over the facts of one
// domain: it answers a POST as section 2 of the OntoBricks contract says, whatever its path.
//
// task: {sdl, triples, classes, properties, broken}: classes and properties are what
// stands before a name in their IRIs; broken is a field, as Type.field, that fails
// prints {url} when it serves; ends with its standard input
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import {
  buildSchema, execute, getNamedType, getNullableType, isLeafType, isListType, parse, validate,
} from 'graphql';
import { task, verdict } from './client.mjs';

const { sdl, triples, classes, properties, broken } = task();
const schema = buildSchema(sdl);
const rdfType = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
const rdfsLabel = 'http://www.w3.org/2000/01/rdf-schema#label';

const entities = (type) => triples.filter(([, p, o]) => p === rdfType && o === classes + type).map(([s]) => s).sort();
const objects = (iri, predicate) => triples.filter(([s, p]) => s === iri && p === predicate).map(([, , o]) => o);
const mentions = (iri, words) => triples.some(([s, p, o]) => s === iri && p !== rdfType
  && o.toLowerCase().includes(words.toLowerCase()));

// level is how many fields lead to a field, itself included.
const level = (path) => (path ? level(path.prev) + (typeof path.key === 'string' ? 1 : 0) : 0);

// resolve answers a field. An entity is its IRI.
function resolve(iri, args, { depth }, { fieldName, parentType, returnType, path }) {
  if (`${parentType.name}.${fieldName}` === broken) throw new Error('a secret of the store');
  const type = getNamedType(returnType);
  if (parentType === schema.getQueryType()) {
    const all = entities(type.name);
    if (!isListType(getNullableType(returnType))) return all.find((e) => e.endsWith(`/${args.id}`) || e.endsWith(`#${args.id}`));
    const found = args.search === null ? all : all.filter((e) => mentions(e, args.search));
    return found.slice(args.offset, args.offset + args.limit);
  }
  switch (fieldName) {
    case 'id': return iri.split('#').at(-1).split('/').at(-1);
    case 'uri': return iri;
    case 'label': return objects(iri, rdfsLabel).at(-1);
  }
  const values = objects(iri, properties + fieldName);
  if (isLeafType(type)) return values.at(-1);
  return values.length > 0 && level(path) <= 1 + depth ? values : null;
}

async function run({ query, variables, operationName, depth = 2 }) {
  const document = parse(query);
  const errors = validate(schema, document);
  if (errors.length > 0) return { errors };
  const first = document.definitions.find((d) => d.kind === 'OperationDefinition');
  return execute({
    schema, document, fieldResolver: resolve, variableValues: variables,
    operationName: operationName ?? first?.name?.value,
    contextValue: { depth: Math.min(Math.max(depth, 1), 5) },
  });
}

const server = createServer(async (request, response) => {
  const { data, errors } = await json(request).then(run).catch((error) => ({ errors: [error] }));
  response.writeHead(errors ? 400 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({
    data: data ?? undefined,
    errors: errors?.map((e) => ({ message: 'The query could not be executed.', path: e.path ?? null })),
  }));
});
server.listen(0, '127.0.0.1', () => verdict({ url: `http://127.0.0.1:${server.address().port}` }));
process.stdin.on('close', () => process.exit()).resume();
