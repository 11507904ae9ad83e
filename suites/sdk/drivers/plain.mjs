/** No SDK at all: `fetch` against the REST interface, with its own methods for single documents. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Snapshot, structured } from './plain/queries.mjs';
import {
  Bytes,
  decodeFields,
  encode,
  encodeFields,
  GONE,
  Place,
  Reference,
  Time,
  Transform,
  Vector,
} from './plain/values.mjs';
import { FieldPath, set, update } from './plain/writes.mjs';

/** Attempts of a transaction, and the longest wait between two, in milliseconds. */
const ATTEMPTS = 5;
const WAIT = 200;

const segments = (path) => path.split('/').map(encodeURIComponent).join('/');

export function plainDriver({ name, host, port }) {
  const open = (at = { host, port }, { token, database = '(default)' } = {}) => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const root = `projects/demo-suite/databases/${database}/documents`;
    return make(name, { base: `http://${at.host}:${at.port}/v1`, root, headers }, open);
  };
  return open();
}

/** A request; its failure has the interface's code as the SDKs write it. */
async function send(url, { method, headers, body }) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url, { method, ...sent, headers });
  const reply = await response.json();
  if (response.ok) return reply;
  const { status, message } = (Array.isArray(reply) ? reply[0] : reply).error;
  throw Object.assign(new Error(message), { code: status.toLowerCase().replaceAll('_', '-') });
}

const orNothing = (error) => {
  if (error.code === 'not-found') return undefined;
  throw error;
};

function make(name, { base, root, headers }, another) {
  const ask = (to, method, body) => send(to, { method, headers, body });
  const url = (path, query = []) => {
    const parameters = new URLSearchParams(query);
    return `${base}/${root}/${segments(path)}${parameters.size > 0 ? `?${parameters}` : ''}`;
  };
  const call = (method, body) => ask(`${base}/${root}:${method}`, 'POST', body);
  const commit = (writes, transaction) => call('commit', { writes, transaction });
  const nameOf = (path) => `${root}/${path}`;
  const data = (document) => document && decodeFields(document.fields, root);
  const raw = (path, transaction) =>
    ask(url(path, transaction ? { transaction } : {}), 'GET').catch(orNothing);

  /** One document has a method of its own; only transforms need a commit. */
  async function put(path, write) {
    if (write.updateTransforms) {
      await commit([write]);
      return;
    }
    const parameters = (write.updateMask?.fieldPaths ?? []).map((field) => ['updateMask.fieldPaths', field]);
    for (const [key, value] of Object.entries(write.currentDocument ?? {})) {
      parameters.push([`currentDocument.${key}`, value]);
    }
    // A mask of no fields cannot be said in the address.
    if (write.updateMask?.fieldPaths.length === 0) await commit([write]);
    else await ask(url(path, parameters), 'PATCH', { fields: write.update.fields });
  }

  const WRITES = {
    set: (path, fields, options) => set(nameOf(path), fields, options, root),
    update: (path, ...change) => update(nameOf(path), change, root),
    remove: (path) => ({ delete: nameOf(path) }),
  };

  async function run(spec, transaction) {
    const { parent, query } = structured(spec, root);
    const body = { structuredQuery: query, transaction };
    const replies = await ask(`${base}/${segments(parent)}:runQuery`, 'POST', body);
    return replies.flatMap(({ document }) => {
      if (!document) return [];
      const path = document.name.slice(root.length + 1);
      return [{ id: path.split('/').at(-1), path, data: data(document) }];
    });
  }

  async function aggregate(spec, fields) {
    const { parent, query } = structured(spec, root);
    const aggregations = Object.entries(fields).map(([alias, [kind, fieldPath]]) => {
      if (kind === 'count') return { alias, count: {} };
      return { alias, [kind === 'average' ? 'avg' : kind]: { field: { fieldPath } } };
    });
    const body = { structuredAggregationQuery: { structuredQuery: query, aggregations } };
    const [{ result }] = await ask(`${base}/${segments(parent)}:runAggregationQuery`, 'POST', body);
    return decodeFields(result.aggregateFields, root);
  }

  async function attempt(work, options) {
    const { transaction } = await call('beginTransaction', { options });
    const writes = [];
    const later =
      (kind) =>
      (...step) =>
        writes.push(WRITES[kind](...step));
    let answer;
    try {
      answer = await work({
        get: async (path) => data(await raw(path, transaction)),
        query: async (spec) => (await run(spec, transaction)).map((found) => found.id),
        set: later('set'),
        update: later('update'),
        remove: later('remove'),
      });
    } catch (error) {
      if (error.code === 'aborted') return { again: transaction };
      await call('rollback', { transaction });
      throw error;
    }
    // A commit ends the transaction, whatever comes of it.
    try {
      await commit(writes, transaction);
      return { answer };
    } catch (error) {
      if (error.code === 'aborted') return { again: transaction };
      throw error;
    }
  }

  async function transact(work, { maxAttempts = ATTEMPTS, readOnly = false } = {}) {
    let options = readOnly ? { readOnly: {} } : { readWrite: {} };
    for (let tried = 0; tried < maxAttempts; tried++) {
      const outcome = await attempt(work, options);
      if (!outcome.again) return outcome.answer;
      options = { readWrite: { retryTransaction: outcome.again } };
      await sleep(Math.random() * WAIT);
    }
    throw Object.assign(new Error('the transaction was tried too often'), { code: 'aborted' });
  }

  return {
    name,
    can: new Set(['aggregates', 'or', 'create', 'cursors', 'preconditions', 'transactions']),
    another,
    get: async (path) => data(await raw(path)),
    snapshot: async (path) => new Snapshot(path, (await raw(path)).fields),
    set: (path, fields, options) => put(path, WRITES.set(path, fields, options)),
    update: (path, ...change) => put(path, WRITES.update(path, ...change)),
    updateSince: (time, path, change) =>
      put(path, { ...WRITES.update(path, change), currentDocument: { updateTime: time } }),
    updateTime: async (path) => (await raw(path)).updateTime,
    remove: (path) => ask(url(path), 'DELETE'),
    create: (path, fields) => {
      const steps = path.split('/');
      const documentId = steps.pop();
      return ask(url(steps.join('/'), { documentId }), 'POST', { fields: encodeFields(fields, root) });
    },
    add: async (path, fields) => {
      const made = await ask(url(path), 'POST', { fields: encodeFields(fields, root) });
      return made.name.split('/').at(-1);
    },
    query: (spec) => run(spec),
    count: async (spec) => (await aggregate(spec, { count: ['count'] })).count,
    aggregate,
    batch: (steps) => commit(steps.map(([kind, ...step]) => WRITES[kind](...step))),
    transaction: transact,
    value: {
      time: (seconds, nanos) => new Time(seconds, nanos),
      geo: (latitude, longitude) => new Place(latitude, longitude),
      bytes: (list) => new Bytes(list),
      ref: (path) => new Reference(path),
      vector: (numbers) => new Vector(numbers),
      serverTimestamp: () => new Transform(() => ({ setToServerValue: 'REQUEST_TIME' })),
      increment: (by) => new Transform((root) => ({ increment: encode(by, root) })),
      arrayUnion: (...list) =>
        new Transform((root) => ({
          appendMissingElements: { values: list.map((one) => encode(one, root)) },
        })),
      arrayRemove: (...list) =>
        new Transform((root) => ({ removeAllFromArray: { values: list.map((one) => encode(one, root)) } })),
      deleteField: () => GONE,
      fieldPath: (...steps) => new FieldPath(...steps),
    },
    close: async () => {},
  };
}
