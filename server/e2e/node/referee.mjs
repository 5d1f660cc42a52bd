// The referee of GraphQL: graphql-js says what a schema and a document are worth, and
// executes documents over the same Turtle files with resolvers of its own, field by
// field. Its argument names a {"file"} that holds {"sdl", "introspection", "namespace", "base", "languages", "files",
// "documents": [{"query", "variables", "operationName"}]}.
import { readFileSync } from "node:fs";
import {
  buildClientSchema, buildSchema, execute, getIntrospectionQuery, isListType, isNonNullType, isInterfaceType,
  isObjectType, getNamedType, GraphQLError, GraphQLScalarType, parse, printSchema, validate, valueFromASTUntyped,
} from "graphql";
import { Parser } from "n3";

const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const RDFS = "http://www.w3.org/2000/01/rdf-schema#";
const OWL = "http://www.w3.org/2002/07/owl#";
const XSD = "http://www.w3.org/2001/XMLSchema#";

const given = JSON.parse(readFileSync(JSON.parse(process.argv[2]).file, "utf8"));
if (given.ask === "introspection query") {
  const query = getIntrospectionQuery({
    descriptions: true, specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, inputValueDeprecation: true, oneOf: true,
  });
  console.log(JSON.stringify({ query }));
  process.exit(0);
}
// outcome is what graphql-js makes of a document: accepted says that it was executed.
async function outcome({ query, variables, operationName }) {
  let document;
  try {
    document = parse(query);
  } catch (error) {
    return { accepted: false, errors: [error.message] };
  }
  const faults = validate(schema, document);
  if (faults.length > 0) return { accepted: false, errors: faults.map((f) => f.message) };
  const result = await execute({ schema, document, variableValues: variables, operationName, rootValue: {} });
  // An error without a path is none of executing: there is no such operation.
  if (!("data" in result) || result.errors?.some((e) => !e.path)) return { accepted: false, errors: result.errors.map((e) => e.message) };
  return { accepted: true, data: JSON.stringify(result.data), errors: (result.errors ?? []).map((e) => e.path.join(".")), messages: (result.errors ?? []).map((e) => e.message) };
}

// readGraph reads Turtle into maps: subject → property → objects, and backwards.
function readGraph(files) {
  const forward = new Map(), backward = new Map();
  const put = (map, a, p, b) => {
    if (!map.has(a)) map.set(a, new Map());
    const of = map.get(a);
    if (!of.has(p)) of.set(p, []);
    of.get(p).push(b);
  };
  for (const file of files) {
    for (const q of new Parser({ baseIRI: given.base }).parse(readFileSync(file, "utf8"))) {
      put(forward, q.subject.value, q.predicate.value, q.object);
      if (q.object.termType !== "Literal") put(backward, q.object.value, q.predicate.value, q.subject);
    }
  }
  return {
    objects: (s, p) => forward.get(s)?.get(p) ?? [],
    subjects: (o, p) => (backward.get(o)?.get(p) ?? []).map((t) => t.value),
    all: () => [...forward.keys()],
  };
}

function byText(a, b) {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

// supersOf are a class and all above it.
function supersOf(cls, seen = new Set()) {
  if (seen.has(cls)) return seen;
  seen.add(cls);
  for (const s of graph.objects(cls, RDFS + "subClassOf")) supersOf(s.value, seen);
  return seen;
}

function typesOf(iri) {
  const depth = (c) => Math.max(0, ...graph.objects(c, RDFS + "subClassOf").filter((s) => s.termType === "NamedNode").map((s) => 1 + depth(s.value)));
  return graph.objects(iri, RDF + "type").map((t) => t.value).sort((a, b) => depth(b) - depth(a) || byText(a, b));
}

function isA(iri, cls) {
  return typesOf(iri).some((t) => supersOf(t).has(cls));
}

function entities() {
  return graph.all().filter((s) => s.startsWith(given.base) && !s.startsWith(given.namespace) && s + "#" !== given.namespace).sort(byText);
}

const short = (iri) => (iri.startsWith(given.base) ? iri.slice(given.base.length) : iri);
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();

// choose picks the text of the best language; lang keeps the texts of one language.
function choose(literals, lang) {
  const meets = (tag, wanted) => tag === wanted || tag.startsWith(wanted + "-");
  const sorted = [...literals].sort((a, b) => byText(a.value, b.value));
  if (lang !== undefined && lang !== null) return sorted.find((l) => (lang === "" ? l.language === "" : meets(l.language, lang)))?.value ?? null;
  for (const wanted of given.languages) {
    const found = sorted.find((l) => meets(l.language, wanted));
    if (found) return found.value;
  }
  return (sorted.find((l) => l.language === "") ?? sorted[0])?.value ?? null;
}

const labelsOf = (iri) => graph.objects(iri, RDFS + "label");

// read turns the text of a literal into the value of a scalar, or throws.
const read = {
  String: (t) => t,
  Int: (t) => whole(t, (n) => n >= -2147483648n && n <= 2147483647n),
  Long: (t) => whole(t, () => true),
  Decimal: (t) => {
    if (!/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(t)) throw new GraphQLError("no decimal");
    const [, sign, int, , frac = ""] = /^([+-]?)(\d*)(\.(\d*))?$/.exec(t);
    const text = (int.replace(/^0+/, "") || "0") + (frac.replace(/0+$/, "") && "." + frac.replace(/0+$/, ""));
    return sign === "-" && text !== "0" ? "-" + text : text;
  },
  Float: (t) => {
    if (!/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(t)) throw new GraphQLError("no number");
    return Number(t);
  },
  Boolean: (t) => {
    if (!["true", "false", "1", "0"].includes(t)) throw new GraphQLError("no boolean");
    return t === "true" || t === "1";
  },
  Date: pattern(/^-?\d{4,}-\d\d-\d\d(Z|[+-]\d\d:\d\d)?$/),
  DateTime: pattern(/^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/),
  Time: pattern(/^\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/),
};

function whole(text, fits) {
  if (!/^[+-]?\d+$/.test(text) || !fits(BigInt(text))) throw new GraphQLError("no integer");
  const n = BigInt(text);
  return n >= -9007199254740991n && n <= 9007199254740991n ? Number(n) : n.toString();
}

function pattern(p) {
  return (text) => {
    if (!p.test(text)) throw new GraphQLError("no such date or time");
    return text;
  };
}

// rank is what values of a scalar are compared by; undefined for a text that is none.
function rank(scalar, text) {
  try {
    read[scalar](text);
  } catch {
    return undefined;
  }
  switch (scalar) {
    case "Int": case "Long": return BigInt(text);
    case "Decimal": return Number(text);
    case "Float": return Number(text);
    case "Boolean": return text === "true" || text === "1" ? 1 : 0;
    case "Date": return Date.parse(text.slice(0, 10));
    case "DateTime": return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : text + "Z");
    case "Time": return Date.parse("1972-12-31T" + (/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : text + "Z"));
  }
  return text;
}

// related are the entities that a field leads to: its property forwards, and those
// that the ontology calls its inverse backwards.
function related(iri, property) {
  const inverses = [...graph.objects(property, OWL + "inverseOf").map((t) => t.value), ...graph.subjects(property, OWL + "inverseOf")];
  const found = new Set(graph.objects(iri, property).filter((o) => o.termType !== "Literal").map((o) => o.value));
  for (const q of inverses) for (const s of graph.subjects(iri, q)) found.add(s);
  return [...found].sort(byText);
}

const literals = (iri, property) => graph.objects(iri, property).filter((o) => o.termType === "Literal").sort((a, b) => byText(a.value, b.value));

function page(list, { limit, offset }) {
  limit ??= 50;
  offset ??= 0;
  if (limit < 0 || limit > 1000 || offset < 0) throw new GraphQLError("out of range");
  return list.slice(offset, offset + limit);
}

function named(list, text) {
  if (text === undefined || text === null || text === "") return list;
  const tier = (iri) => {
    const names = labelsOf(iri).map((l) => fold(l.value));
    if (names.includes(fold(text))) return 1;
    if (names.some((n) => n.startsWith(fold(text)))) return 2;
    if (names.some((n) => fold(text).split(" ").every((w) => n.split(" ").includes(w)))) return 3;
    return 9;
  };
  return list.filter((iri) => tier(iri) < 9).sort((a, b) => tier(a) - tier(b) || byText(a, b));
}

// holds says whether an entity passes a filter of a type.
function holds(iri, type, where) {
  return Object.entries(where).every(([name, test]) => {
    if (test === null) return true;
    if (name === "and") return test.every((w) => holds(iri, type, w));
    if (name === "or") return test.some((w) => holds(iri, type, w));
    if (name === "not") return !holds(iri, type, test);
    if (name === "exists") return test;
    if (name === "id") {
      const ids = [short(iri), iri, iri.slice(iri.lastIndexOf("/") + 1)];
      return Object.entries(test).every(([op, v]) => v === null || (op === "eq" ? ids.includes(v) : v.some((w) => ids.includes(w))));
    }
    const property = given.namespace + name;
    const field = type.getFields()[name];
    if (name === "label") return passes("String", labelsOf(iri), test);
    const target = getNamedType(field.type);
    if (target instanceof GraphQLScalarType) return passes(target.name, literals(iri, property), test);
    const targets = related(iri, property);
    return test.exists === false ? targets.length === 0 : targets.some((t) => holds(t, target, test));
  });
}

function passes(scalar, values, test) {
  const texts = values.map((v) => v.value);
  const some = (compare) => texts.some((t) => rank(scalar, t) !== undefined && compare(rank(scalar, t)));
  return Object.entries(test).every(([op, v]) => {
    if (v === null) return true;
    const w = Array.isArray(v) ? v.map((x) => rank(scalar, String(x))) : typeof v === "boolean" && op === "exists" ? v : rank(scalar, String(v));
    switch (op) {
      case "exists": return v === texts.length > 0;
      case "eq": return some((x) => x === w);
      case "ne": return !some((x) => x === w);
      case "in": return some((x) => w.includes(x));
      case "lt": return some((x) => x < w);
      case "le": return some((x) => x <= w);
      case "gt": return some((x) => x > w);
      case "ge": return some((x) => x >= w);
      case "contains": return texts.some((t) => fold(t).includes(fold(v)));
      case "startsWith": return texts.some((t) => fold(t).startsWith(fold(v)));
    }
    throw new Error("no such test: " + op);
  });
}

function ordered(list, type, orderBy) {
  for (const o of [...(orderBy ?? [])].reverse()) {
    const entries = Object.entries(o).filter(([, d]) => d !== null);
    if (entries.length !== 1) throw new GraphQLError("one field each");
    const [[name, direction]] = entries;
    const scalar = name === "label" ? "String" : getNamedType(type.getFields()[name].type).name;
    const key = (iri) => {
      if (name === "label") return choose(labelsOf(iri)) ?? undefined;
      const ranks = literals(iri, given.namespace + name).map((l) => rank(scalar, l.value)).filter((r) => r !== undefined);
      return ranks.length === 0 ? undefined : ranks.reduce((a, b) => (b < a ? b : a));
    };
    const compare = (a, b) => (typeof a === "string" ? byText(a, b) : a < b ? -1 : a > b ? 1 : 0);
    list = list.map((iri) => [iri, key(iri)]).sort(([, a], [, b]) => {
      if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
      return direction === "DESC" ? compare(b, a) : compare(a, b);
    }).map(([iri]) => iri);
  }
  return list;
}

function selected(type, args) {
  const of = entities().filter((iri) => isA(iri, given.namespace + type.name));
  return named(of, args.search).filter((iri) => args.where == null || holds(iri, type, args.where));
}

// one finds an entity by an id, an IRI, or a local id that is unique in its type.
function one(type, id) {
  const of = entities().filter((iri) => isA(iri, given.namespace + type.name));
  const whole = of.find((iri) => iri === id || short(iri) === id);
  if (whole) return whole;
  if (entities().some((iri) => iri === id || short(iri) === id)) return null;
  const local = of.filter((iri) => iri.slice(iri.lastIndexOf("/") + 1) === id);
  if (local.length > 1) throw new GraphQLError("ambiguous");
  return local[0] ?? null;
}

function makeExecutable(schema) {
  const query = schema.getQueryType();
  const typeNames = Object.values(schema.getTypeMap()).filter((t) => isObjectType(t) && t.getInterfaces().length > 0).map((t) => t.name);
  const mostSpecific = (iri) => {
    for (const t of typesOf(iri)) {
      const name = t.startsWith(given.namespace) ? t.slice(given.namespace.length) : "";
      if (typeNames.includes(name)) return name;
    }
    return "Untyped";
  };
  // A value is {iri, type}: type only where the field says it.
  for (const type of Object.values(schema.getTypeMap())) {
    if (type instanceof GraphQLScalarType && !["String", "Int", "Float", "Boolean", "ID"].includes(type.name)) {
      type.serialize = (v) => v;
      type.parseValue = (v) => v;
      type.parseLiteral = (node, variables) => (node.kind === "IntValue" || node.kind === "FloatValue" ? node.value : valueFromASTUntyped(node, variables));
    }
    if (isInterfaceType(type)) type.resolveType = (v) => mostSpecific(v.iri);
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields())) field.resolve = type === query ? rootField(field, typeNames) : column(field);
  }
}

function rootField(field, typeNames) {
  const target = getNamedType(field.type);
  if (field.name === "entity") return (_, { uri }) => {
    const iri = [uri, given.base + uri].find((i) => entities().includes(i));
    return iri === undefined ? null : { iri };
  };
  if (field.name === "search") return (_, { text, limit }) => page(named(entities(), text), { limit: limit ?? 20 }).map((iri) => ({ iri }));
  for (const name of typeNames) {
    const type = schema.getType(name);
    if (field.name === "all" + name) return (_, args) => page(ordered(selected(type, args), type, args.orderBy), args).map((iri) => ({ iri }));
    if (field.name === "count" + name) return (_, args) => selected(type, args).length;
  }
  return (_, { id }) => {
    const iri = one(target, id);
    return iri === null ? null : { iri };
  };
}

function column(field) {
  const property = given.namespace + field.name;
  switch (field.name) {
    case "id": return ({ iri }) => short(iri);
    case "uri": return ({ iri }) => iri;
    case "types": return ({ iri }) => typesOf(iri);
    case "label": return ({ iri }, { lang }) => choose(labelsOf(iri), lang);
  }
  const type = isNonNullType(field.type) ? field.type.ofType : field.type;
  const target = getNamedType(type);
  if (!(target instanceof GraphQLScalarType)) return ({ iri }, args) => page(named(related(iri, property), args.search), args).map((t) => ({ iri: t }));
  const value = (l) => {
    try {
      return read[target.name](l.value);
    } catch (error) {
      return error;
    }
  };
  if (isListType(type)) return ({ iri }) => literals(iri, property).map(value);
  return ({ iri }, { lang }) => {
    const of = literals(iri, property);
    if (field.args.length > 0) return choose(of, lang);
    if (of.length === 0) return null;
    return value(of[0]);
  };
}

const schema = buildSchema(given.sdl);
const out = { printed: printSchema(schema), outcomes: [] };
if (given.introspection) out.client = printSchema(buildClientSchema(given.introspection));
const graph = readGraph(given.files ?? []);
makeExecutable(schema);
for (const d of given.documents ?? []) out.outcomes.push(await outcome(d));
console.log(JSON.stringify(out));
