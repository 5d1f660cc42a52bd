// A program that sends a query which graphql-codegen wrote.
//
// task: {url, module, document, variables}: module is the file that was written, and
// document the name of the query in it
// prints the data of the answer
import { request } from 'graphql-request';
import { createJiti } from 'jiti';
import { task, verdict } from './client.mjs';

const { url, module, document, variables } = task();
const written = await createJiti(import.meta.url, { fsCache: false }).import(module);
verdict(await request(url, written[document], variables));
