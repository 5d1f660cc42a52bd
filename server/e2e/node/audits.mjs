// The audits of graphql-http, which are the requirements of GraphQL over HTTP one by one.
//
// task: {url}
// prints {audits: [{id, name, status, reason}]}, where status is ok, notice, warn or error
import { auditServer } from 'graphql-http';
import { task, verdict } from './client.mjs';

const { url } = task();
const results = await auditServer({ url });
verdict({ audits: results.map(({ id, name, status, reason }) => ({ id, name, status, reason: reason ?? '' })) });
