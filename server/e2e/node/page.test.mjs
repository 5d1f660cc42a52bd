// The scripts of the query page, tested without a browser: what they make of schemas,
// queries and JSON. graphql-js is the referee.
//
// PAGE_SCHEMAS: a folder with the SDL of each sample domain, NAME.graphql
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GraphQLSchema, buildSchema, parse, print, stripIgnoredCharacters, validate } from 'graphql';
import { complete, rank } from '../../page/complete.mjs';
import { exampleQuery, fieldText, insertField } from '../../page/example.mjs';
import { findIn, indexOf } from '../../page/explorer.mjs';
import { explain, saidBy, unready } from '../../page/faults.mjs';
import { Exact, parseJSON, print as printJSON } from '../../page/json.mjs';
import { prettify } from '../../page/pretty.mjs';
import { parseSchema } from '../../page/sdl.mjs';
import { titleOf } from '../../page/side.mjs';
import { Draft, History, fromHash, historyLimit, linkHash, requestBody, variablesFault } from '../../page/store.mjs';
import { tables } from '../../page/tree.mjs';
import { walk } from '../../page/walk.mjs';
import { nearest, offsetOf, placeOf, size } from '../../page/words.mjs';

const SHOP = readFileSync('page.graphql', 'utf8');
const shop = parseSchema(SHOP);

const schemas = { shop: SHOP };
const folder = process.env.PAGE_SCHEMAS;
for (const file of folder ? readdirSync(folder) : []) schemas[file] = readFileSync(join(folder, file), 'utf8');

// outline is what a schema says, in a form that two readers can agree on.
const outlineOfOurs = (schema) => {
  const field = (f) => [f.name, f.type.text, f.description, f.deprecated, [...f.args.values()].map(argument)];
  const argument = (a) => [a.name, a.type.text, a.description, a.fallback !== undefined];
  return [...schema.types.values()].filter((t) => !t.builtIn).map((t) => [t.name, t.kind, t.description, [...t.interfaces],
    t.kind === 'INPUT_OBJECT' ? [...t.fields.values()].map(argument) : [...t.fields?.values() ?? []].map(field),
    t.values.map((v) => [v.name, v.description, v.deprecated]), t.members]).sort(byName);
};

const outlineOfTheirs = (schema) => {
  const field = (f) => [f.name, String(f.type), f.description ?? '', f.deprecationReason ?? null, f.args.map(argument)];
  const argument = (a) => [a.name, String(a.type), a.description ?? '', a.defaultValue !== undefined];
  const kinds = { GraphQLObjectType: 'OBJECT', GraphQLInterfaceType: 'INTERFACE', GraphQLInputObjectType: 'INPUT_OBJECT', GraphQLEnumType: 'ENUM', GraphQLUnionType: 'UNION', GraphQLScalarType: 'SCALAR' };
  const builtIn = new Set(['Int', 'Float', 'String', 'Boolean', 'ID']);
  return Object.values(schema.getTypeMap()).filter((t) => !t.name.startsWith('__') && !builtIn.has(t.name)).map((t) => {
    const kind = kinds[t.constructor.name];
    const members = t.getFields ? Object.values(t.getFields()) : [];
    return [t.name, kind, t.description ?? '', t.getInterfaces?.().map((i) => i.name) ?? [], members.map(kind === 'INPUT_OBJECT' ? argument : field),
      t.getValues?.().map((v) => [v.name, v.description ?? '', v.deprecationReason ?? null]) ?? [], t.getTypes?.().map((m) => m.name) ?? []];
  }).sort(byName);
};

const byName = ([a], [b]) => (a < b ? -1 : 1);

for (const [name, sdl] of Object.entries(schemas)) {
  test(`schema ${name}: read as graphql-js reads it`, () => {
    const ours = parseSchema(sdl);
    const theirs = buildSchema(sdl);
    assert.ok(theirs instanceof GraphQLSchema);
    assert.equal(ours.unread, 0);
    assert.equal(ours.query, theirs.getQueryType().name);
    assert.equal(ours.description, theirs.description ?? '');
    assert.deepEqual(outlineOfOurs(ours), outlineOfTheirs(theirs));
  });

  test(`schema ${name}: the example and each root field make valid queries, which the page does not mark`, () => {
    const ours = parseSchema(sdl);
    const theirs = buildSchema(sdl);
    const root = ours.types.get(ours.query);
    const example = exampleQuery(ours);
    assert.match(example, /limit: 3/);
    for (const query of [example, ...[...root.fields.values()].map((f) => `{\n${fieldText(ours, f, '  ')}\n}\n`)]) {
      assert.deepEqual(validate(theirs, parse(query)).map((e) => e.message), [], query);
      assert.deepEqual(walk(query, ours).problems, [], query);
      assert.equal(prettify(query), query);
    }
  });
}

test('a schema that is cut off or strange is read as far as it goes', () => {
  for (let end = 0; end < SHOP.length; end += 7) parseSchema(SHOP.slice(0, end));
  const got = parseSchema('# one\n# two\n} type A { a: Int bad ] b: Int } type Query { a: A }');
  assert.deepEqual(got.notes, ['one', 'two']);
  assert.ok(got.unread > 0);
  assert.ok(got.types.has('A') && got.types.has('Query'));
});

// faulty is query → the problems that the page marks. graphql-js must refuse each, too.
const faulty = {
  '{ allCustomer { fristname } }': ['Customer has no field fristname. Did you mean firstname?'],
  '{ allCustomers { id } }': ['Query has no field allCustomers. Did you mean allCustomer?'],
  '{ allCustomer }': ['Say which fields of allCustomer you want: allCustomer { … }.'],
  '{ allCustomer { id { x } } }': ['id is a String: it has no fields to select.'],
  '{ allCustomer(limt: 3) { id } }': ['allCustomer has no argument limt. Did you mean limit?'],
  '{ allCustomer(limit: "3") { id } }': ['A whole number is expected here.'],
  '{ customer { id } }': ['customer needs id (String!).'],
  '{ customer(id: CUST1) { id } }': ['Text stands between double quotes: "CUST1".'],
  '{ allCustomer(where: { fistname: { eq: "a" } }) { id } }': ['CustomerFilter has no member fistname. Did you mean firstname?'],
  '{ allCustomer(orderBy: [{ label: asc }]) { id } }': ['Direction has no value asc. Did you mean ASC?'],
  '{ allCustomer { ...parts } }': ['There is no fragment parts.'],
  '{ allCustomer { ... on Custmer { id } } }': ['There is no type Custmer. Did you mean Customer?'],
  '{ allCustomer { ... on Interaction { id } } }': ['A Customer is never a Interaction.'],
  '{ customer(id: $id) { id } }': ['The variable $id is not declared: query($id: Type).'],
  'query A($id: String!) { countCustomer }': ['The variable $id is not used.'],
  'query A($id: Strin!) { customer(id: $id) { id } }': ['There is no type Strin. Did you mean String?'],
  '{ countCustomer @inclde(if: true) }': ['There is no directive @inclde. Did you mean include?'],
  'fragment F on Customer { id } { countCustomer }': ['The fragment F is not used.'],
  'mutation { a }': ['The schema has no mutations.'],
  '{ countCustomer } query B { countCustomer }': ['Give each operation a name when there are several: query Name { … }.'],
  '{ allCustomer { id }': ['The closing brace of this one is missing.'],
  '{ allCustomer( { id } }': ['{ is not expected here: an argument is name: value.', 'id is not expected'],
  '{ customer(id: "a) { id } }': null,
  '{ }': ['Name at least one field between the braces.'],
  'qury { a }': null,
};

test('faults are marked where graphql-js finds them, and said in words', () => {
  const theirs = buildSchema(SHOP);
  for (const [query, want] of Object.entries(faulty)) {
    let refused = false;
    try {
      refused = validate(theirs, parse(query)).length > 0;
    } catch {
      refused = true;
    }
    if (!query.startsWith('mutation')) assert.ok(refused, `graphql-js takes ${query}`); // it refuses that when it executes
    const got = walk(query, shop).problems;
    assert.ok(got.length > 0, query);
    if (want && want.length === 1) assert.deepEqual(got.map((p) => p.message), want, query);
    for (const p of got) assert.ok(p.start >= 0 && p.end <= query.length + 1 && p.start <= p.end, query);
  }
});

const fine = [
  'query A($n: Int = 3, $w: CustomerFilter) { c: allCustomer(limit: $n, where: $w) { ...F } } fragment F on Customer { label(lang: "en") hasInteraction(limit: 2) { ... on Entity { id } channel } }',
  '{ search(text: "a") { __typename id ... on Customer { firstname @include(if: true) } ... @skip(if: false) { label } } }',
  '{ allCustomer(where: { or: [{ age: { lt: 3 } }, { not: { firstname: { in: ["a", "b"] } } }] }, orderBy: [{ label: DESC }, { firstname: ASC }]) { id } }',
  '{ __schema { types { name } } __type(name: "Customer") { fields { name } } }',
  'query($id: String!) { customer(id: $id) { ...A } entity(uri: """x""") { id } } fragment A on Customer { ...B } fragment B on Entity { label(lang: null) }',
];

test('queries without fault are not marked, and laid out to the same query', () => {
  const theirs = buildSchema(SHOP);
  for (const query of fine) {
    assert.deepEqual(validate(theirs, parse(query)).map((e) => e.message), [], query);
    assert.deepEqual(walk(query, shop).problems, [], query);
    assert.deepEqual(walk(query, null).problems.filter((p) => !/not used|declared/.test(p.message)), [], query);
    const laid = prettify(query);
    assert.equal(print(parse(laid)), print(parse(query)));
    assert.equal(prettify(laid), laid);
  }
});

test('layout keeps comments and says where it cannot go on', () => {
  const text = '# head\nquery A{#one\na(x:1,#two\ny:2){b}#three\n}# end';
  const laid = prettify(text);
  for (const comment of ['# head', '#one', '#two', '#three', '# end']) assert.ok(laid.includes(comment), laid);
  assert.equal(stripIgnoredCharacters(laid), stripIgnoredCharacters(text));
  for (const bad of ['{ a ', '{ a( }', 'foo { a }', '{ a(x: ) }', '{ a } }', '{ "a" }', 'query ($x: ) { a }']) {
    assert.throws(() => prettify(bad), (e) => Number.isInteger(e.offset) && e.offset <= bad.length, bad);
  }
});

// completions is query with | for the cursor → the first labels.
const completions = {
  '|': ['query', 'fragment'],
  'q|': ['query'],
  '{ al| }': ['allCustomer', 'allInteraction'],
  '{ allCustomer { | } }': ['id', 'uri', 'types', 'label', 'age', 'firstname', 'email', 'tags', 'hasInteraction', 'fax', '__typename'],
  '{ allCustomer { hasInteraction { ch| ': ['channel'],
  '{ allCustomer { x: fir|': ['firstname'],
  '{ allCustomer(| ) { id } }': ['limit', 'offset', 'search', 'where', 'orderBy'],
  '{ allCustomer(limit: 3, |': ['offset', 'search', 'where', 'orderBy'],
  '{ allCustomer(where: { fir|': ['firstname'],
  '{ allCustomer(where: { firstname: { |': ['eq', 'ne', 'in', 'contains', 'startsWith', 'exists'],
  '{ allCustomer(where: { and: [{ not: { age: { |': ['eq', 'lt'],
  '{ allCustomer(orderBy: [{ label: |': ['ASC', 'DESC'],
  '{ allCustomer(orderBy: [{ label: D|': ['DESC'],
  'query A($n: Int, $s: String) { allCustomer(limit: $|': ['n'],
  'query A($n: Int, $s: String) { allCustomer(limit: |': ['$n'],
  'query A($n: Int, $s: St|': ['String', 'StringFilter', 'CustomerFilter', 'CustomerOrder'],
  '{ search(text: "a") { ... on | } }': ['Customer', 'Interaction', 'Entity', 'Untyped'],
  '{ search(text: "a") { ...| } } fragment Names on Customer { label }': ['Names', 'on'],
  '{ allInteraction { ...| } } fragment Names on Customer { label }': ['on'],
  'fragment F |': ['on'],
  'fragment F on Cust|': ['Customer'],
  '{ countCustomer @|': ['skip', 'include'],
  '{ countCustomer @include(if: |': ['true', 'false'],
  '{ allCustomer(search: "fir|': null,
  '{ allCustomer { id # fir|': null,
  '{ allCustomer(limit: 3| ) { id } }': null,
  '{ unknown { |': null,
  '{ allCustomer { zzz|': null,
};

test('completion offers what can stand at the cursor', () => {
  for (const [marked, want] of Object.entries(completions)) {
    const cursor = marked.indexOf('|');
    const text = marked.replace('|', '');
    const got = complete(text, shop, cursor);
    assert.deepEqual(got && got.items.map((i) => i.label), want, marked);
    if (got) assert.ok(got.start <= cursor && cursor <= got.end, marked);
  }
});

test('the walk ends for every beginning of a query and every cursor', () => {
  for (const query of [...fine, ...Object.keys(faulty)]) {
    for (let at = 0; at <= query.length; at++) {
      walk(query.slice(0, at), shop);
      walk(query.slice(at), shop);
      walk(query, shop, at);
    }
  }
});

test('deprecated and hidden names come last, needed ones first', () => {
  const items = [{ label: '__typename', deprecated: null }, { label: 'old', deprecated: 'gone' }, { label: 'one', deprecated: null }, { label: 'bone', deprecated: null }, { label: 'other', deprecated: null, first: true }];
  assert.deepEqual(rank(items, 'o').map((i) => i.label), ['other', 'one', 'bone', 'old']);
  assert.deepEqual(rank(items, '').map((i) => i.label), ['other', 'one', 'bone', '__typename', 'old']);
});

test('a field goes into the braces of its type', () => {
  const customer = shop.types.get('Customer');
  const query = shop.types.get('Query');
  const text = '{\n  allCustomer {\n    id\n  }\n}\n';
  assert.equal(insertField(shop, text, 20, 'Customer', customer.fields.get('email')).text, '{\n  allCustomer {\n    id\n    email\n  }\n}\n');
  const root = insertField(shop, text, 0, 'Query', query.fields.get('countCustomer'));
  assert.equal(root.text, '{\n  allCustomer {\n    id\n  }\n  countCustomer\n}\n');
  assert.equal(root.text.slice(root.start, root.end), 'countCustomer');
  assert.equal(insertField(shop, '{ countCustomer }', 3, 'Customer', customer.fields.get('email')), null);
  assert.match(insertField(shop, '', 0, 'Query', query.fields.get('customer')).text, /^\{\n  customer\(id: ""\) \{/);
  for (const from of ['{ allCustomer { id } }', '{ allCustomer { }', '# only this\n']) {
    const put = insertField(shop, from, 17, 'Query', query.fields.get('allInteraction'));
    assert.ok(put && parse(put.text.replace('allCustomer { }', 'allCustomer { id }')), put?.text);
  }
});

test('JSON is read as JSON.parse reads it', () => {
  const texts = ['{}', '[]', ' {"a": [1, -2.5, true, false, null, "x\\n\\u00e9\\"", {"b": {}}]} ', '"a"', '0', '1e2', '[[[]]]'];
  for (const text of texts) {
    const plain = (v) => (v instanceof Map ? Object.fromEntries([...v].map(([k, m]) => [k, plain(m)])) : Array.isArray(v) ? v.map(plain) : v instanceof Exact ? Number(v.text) : v);
    assert.deepEqual(plain(parseJSON(text)), JSON.parse(text), text);
    assert.deepEqual(JSON.parse(printJSON(parseJSON(text))), JSON.parse(text), text);
  }
  assert.equal(printJSON(parseJSON('[3000000000, 12345678901234567890, 1e-30, 1.50]')), '[\n  3000000000,\n  12345678901234567890,\n  1e-30,\n  1.50\n]');
  const faults = { '{"a": 1,}': 8, '{"a" 1}': 5, '{a: 1}': 1, '[1 2]': 3, '{"a": tru}': 6, '{"a": "x': 6, '': 0, '{"a": 01}': 6, '{"a":1,"a":2}': 7, '{} x': 3, "{'a': 1}": 1, '["a\nb"]': 1, '["\\x"]': 1 };
  for (const [text, offset] of Object.entries(faults)) {
    assert.throws(() => parseJSON(text), (e) => e.offset === offset && e.message.endsWith('.'), text);
    if (!text.includes('"a":2')) assert.throws(() => JSON.parse(text), text);
  }
  assert.throws(() => parseJSON('['.repeat(100_000)), /nested/);
});

test('a request carries the variables as they are written', () => {
  assert.equal(requestBody('{ a }', ' {"n": 12345678901234567890} ', 'A'), '{"query":"{ a }","variables":{"n": 12345678901234567890},"operationName":"A"}');
  assert.equal(requestBody('{ a }', '  ', ''), '{"query":"{ a }"}');
  assert.equal(variablesFault('[1]').message, 'Variables are a JSON object: {"name": value}.');
  assert.equal(variablesFault('{"a": 1}'), null);
  assert.equal(variablesFault(''), null);
});

test('a link carries query, variables and operation', () => {
  const query = '{ a(x: "é & # % + \n") }';
  assert.deepEqual(fromHash(linkHash(query, '{"n": 1}', 'A')), { query, variables: '{"n": 1}', operation: 'A' });
  assert.equal(linkHash('{ a }', '', ''), '#query=%7B+a+%7D');
  assert.equal(fromHash('#query-heading'), null);
  assert.equal(fromHash(''), null);
});

test('the history keeps the newest, once each, and gives way when storage is full', () => {
  const kept = new Map();
  let room = Infinity;
  const storage = {
    getItem: (k) => kept.get(k) ?? null,
    setItem: (k, v) => {
      if (v.length > room) throw new Error('full');
      kept.set(k, v);
    },
    removeItem: (k) => kept.delete(k),
  };
  const history = new History(storage, '/graphql/a');
  for (let i = 0; i < historyLimit + 10; i++) history.add({ query: `{ a${i} }`, variables: '', operation: '', at: i, faults: 0 });
  history.add({ query: '{ a30 }', variables: '', operation: '', at: 99, faults: 0 });
  assert.equal(history.entries().length, historyLimit);
  assert.equal(history.entries()[0].at, 99);
  assert.equal(history.entries().filter((e) => e.query === '{ a30 }').length, 1);
  assert.equal(new History(storage, '/graphql/b').entries().length, 0);
  room = 500;
  history.add({ query: '{ last }', variables: '', operation: '', at: 100, faults: 0 });
  assert.equal(history.entries()[0].query, '{ last }');
  history.add({ query: 'x'.repeat(60_000), variables: '', operation: '', at: 101, faults: 0 });
  assert.equal(history.entries()[0].query, '{ last }');
  history.clear();
  assert.deepEqual(history.entries(), []);
  kept.set(history.key, '{"not": "a list"}');
  assert.deepEqual(history.entries(), []);
  for (const broken of [null, { getItem() { throw new Error('closed'); }, setItem() { throw new Error('closed'); }, removeItem() {} }]) {
    new History(broken, 'a').add({ query: 'q', variables: '', operation: '', at: 1, faults: 0 });
    assert.deepEqual(new History(broken, 'a').entries(), []);
    new Draft(broken, 'a').save('q', 'v');
    assert.equal(new Draft(broken, 'a').load(), null);
  }
});

test('what went wrong is said in words', () => {
  assert.equal(explain(403, 'Closed.').text, 'Closed.');
  for (const status of [0, 400, 401, 403, 404, 413, 418, 429, 500, 502, 503, 504, 599]) {
    const { title, text } = explain(status);
    assert.match(title, /\.$/);
    assert.match(text, /\.$/);
  }
  assert.equal(saidBy('{"error":"authorization","message":"Closed."}'), 'Closed.');
  assert.equal(saidBy('{"errors":[{"message":"No."}]}'), 'No.');
  assert.equal(saidBy('<html>'), '');
  assert.match(unready({ ready: false, reason: 'no_classes' }).text, /no classes/);
  assert.equal(unready({ message: 'Add classes.' }).text, 'Add classes.');
});

test('lists of plain objects become tables', () => {
  const found = tables(parseJSON('{"allA": [{"id": "1", "n": [1, 2]}, null, {"id": "2", "m": {"x": 1}}], "b": {"c": [{"d": 1}]}, "e": [1], "f": [{"g": [{"h": 1}]}], "i": []}'));
  assert.deepEqual(found.map((t) => [t.path, t.columns, t.rows.length]), [['allA', ['id', 'n', 'm'], 2], ['b.c', ['d'], 1]]);
});

test('the schema is searched: equal names, beginnings, parts; types first', () => {
  const index = indexOf(shop);
  const names = (wanted) => findIn(index, wanted, 4).found.map((e) => (e.field ? `${e.type}.${e.field.name}` : e.type));
  assert.deepEqual(names('customer').slice(0, 2), ['Customer', 'Query.customer']);
  assert.deepEqual(names('customer.fir'), ['Customer.firstname']);
  assert.equal(findIn(index, 'label', 2).total, 4);
  assert.equal(findIn(index, 'label', 2).found.length, 2);
});

test('small words', () => {
  assert.equal(nearest('emial', ['email', 'label']), 'email');
  assert.equal(nearest('zzz', ['email', 'label']), null);
  assert.deepEqual(placeOf('ab\ncd', 4), { line: 2, column: 2 });
  assert.equal(offsetOf('ab\ncd', 2, 2), 4);
  assert.equal(offsetOf('ab', 9, 9), 2);
  assert.equal(size(1234), '1.2 kB');
  assert.equal(titleOf({ query: '# note\n{\n  a {\n b } }', operation: '' }), 'a { b }');
});
