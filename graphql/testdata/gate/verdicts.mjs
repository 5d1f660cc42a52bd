// Writes verdicts.txt: what graphql-js says of each request in cases.txt. Run it where
// the package graphql is installed: node verdicts.mjs > verdicts.txt
import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate, getOperationAST } from 'graphql';
import { getVariableValues } from 'graphql/execution/values.js';

const here = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const schema = buildSchema(here('schema.graphql'));

function verdict({ query, variables, operation }) {
  let document;
  try {
    document = parse(query);
  } catch (e) {
    return e.message;
  }
  const errors = validate(schema, document);
  if (errors.length > 0) return errors[0].message;
  const op = getOperationAST(document, operation);
  if (!op) return 'no such operation, or no name for one of several';
  if (!schema.getRootType(op.operation)) return 'Schema is not configured to execute ' + op.operation + ' operation.';
  const values = getVariableValues(schema, op.variableDefinitions ?? [], variables ?? {});
  if (values.errors) return values.errors[0].message;
  return '';
}

for (const block of here('cases.txt').split(/^=== /m).slice(1)) {
  const [name, ...lines] = block.replace(/\n$/, '').split('\n');
  const c = { query: [] };
  for (const line of lines) {
    if (line.startsWith('? ')) c.variables = JSON.parse(line.slice(2));
    else if (line.startsWith('@ ')) c.operation = line.slice(2);
    else c.query.push(line);
  }
  c.query = c.query.join('\n');
  const why = verdict(c);
  console.log(why ? `reject ${name}\n    ${why.replaceAll('\n', ' ')}` : `accept ${name}`);
}
