// Readers of RDF that others wrote, and their canonical form of what they read.
//
// task: {files: [{path, format}]}: format is a media type
// writes the canonical N-Quads (RDFC-1.0) of each file to path + ".canonical"
// prints [{path, fault}], one for each file; fault is there where it could not be read
import { readFileSync, writeFileSync } from 'node:fs';
import jsonld from 'jsonld';
import { Parser, Store } from 'n3';
import { canonize } from 'rdf-canonize';
import { task, verdict } from './client.mjs';

// Nothing is fetched: what is written needs no context from elsewhere.
const documentLoader = (url) => { throw new Error(`it asks for ${url}`); };

const read = async ({ path, format }) => {
  const text = readFileSync(path, 'utf8');
  if (format === 'application/ld+json') return jsonld.toRDF(JSON.parse(text), { documentLoader });
  return [...new Store(new Parser({ format }).parse(text))]; // each once
};

const outcomes = [];
for (const file of task().files) {
  try {
    const text = await canonize(await read(file), { algorithm: 'RDFC-1.0', format: 'application/n-quads' });
    writeFileSync(`${file.path}.canonical`, text);
    outcomes.push({ path: file.path });
  } catch (fault) {
    outcomes.push({ path: file.path, fault: String(fault) });
  }
}
verdict(outcomes);
