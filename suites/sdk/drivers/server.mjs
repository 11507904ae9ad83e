/** `@google-cloud/firestore`, the server SDK, over gRPC or REST. */

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as sdk from '@google-cloud/firestore';

const sdkRequire = createRequire(createRequire(import.meta.url).resolve('@google-cloud/firestore'));
const { PassThroughClient } = createRequire(sdkRequire.resolve('google-gax'))('google-auth-library');

/** The longest wait of the SDK before it tries again, in milliseconds. */
const LONGEST_BACKOFF = 2_000;
/** Timers this long are no backoff, in milliseconds: the SDK reopens a listener that was idle for so long. */
const IDLE_LISTENER = 120_000;

/**
 * Over REST the SDK takes HTTP 409, which is ABORTED, for a sign of overload, and waits up to ninety seconds before it tries
 * a transaction again. The suite tests servers, not patience.
 */
function shortenBackoff() {
  const main = createRequire(import.meta.url).resolve('@google-cloud/firestore');
  const { setTimeoutHandler } = sdkRequire(join(dirname(main), 'backoff.js'));
  setTimeoutHandler((run, wait) =>
    setTimeout(run, wait < IDLE_LISTENER ? Math.min(wait, LONGEST_BACKOFF) : wait),
  );
}

/**
 * Settings of this SDK for a server, as somebody with a token: it says that it is the owner unless told otherwise. Until it
 * has them it takes the server from the environment, whatever its settings say.
 */
export function settingsOf({ host, port }, { token }) {
  process.env.FIRESTORE_EMULATOR_HOST = `${host}:${port}`;
  // No cloud machine is around that could be asked for credentials.
  process.env.METADATA_SERVER_DETECTION = 'none';
  return { ssl: false, ...(token && { customHeaders: { Authorization: `Bearer ${token}` } }) };
}

export function serverDriver({ name, host, port, preferRest = false }) {
  const open = (at = { host, port }, as = {}) => {
    const settings = { projectId: 'demo-suite', preferRest, ...settingsOf(at, as) };
    if (as.database) settings.databaseId = as.database;
    // Over REST the SDK insists on credentials, even for an emulator; this kind has none to send.
    if (preferRest) {
      settings.authClient = new PassThroughClient();
      shortenBackoff();
    }
    const db = new sdk.Firestore(settings);
    const can = preferRest ? ['json'] : [];
    return makeServerDriver({ name, sdk, db, another: open, can, close: () => db.terminate() });
  };
  return open();
}

/** Capabilities over both transports. */
const SERVER = [
  'listen',
  'server',
  'aggregates',
  'or',
  'limitToLast',
  'converters',
  'create',
  'cursors',
  'preconditions',
  'transactions',
];

/** A driver over any copy of the server SDK. */
export function makeServerDriver({ name, sdk, db, another, can = [], close }) {
  const { AggregateField, FieldPath, FieldValue, Filter, GeoPoint, Timestamp } = sdk;
  const doc = (path) => db.doc(path);
  const fieldOf = (field) => (field === '__name__' ? FieldPath.documentId() : field);

  function build(spec) {
    let query = spec.group ? db.collectionGroup(spec.group) : db.collection(spec.collection);
    for (const [field, op, value] of spec.where ?? []) query = query.where(fieldOf(field), op, value);
    if (spec.or) {
      query = query.where(
        Filter.or(...spec.or.map(([field, op, value]) => Filter.where(fieldOf(field), op, value))),
      );
    }
    for (const [field, direction] of spec.orderBy ?? []) query = query.orderBy(fieldOf(field), direction);
    if (spec.select) query = query.select(...spec.select);
    if (spec.limit !== undefined) query = query.limit(spec.limit);
    if (spec.limitToLast !== undefined) query = query.limitToLast(spec.limitToLast);
    for (const bound of ['startAt', 'startAfter', 'endAt', 'endBefore']) {
      if (spec[bound]) query = query[bound](...spec[bound]);
    }
    return query;
  }

  function plain(value) {
    if (value instanceof Timestamp) return { $time: [value.seconds, value.nanoseconds] };
    if (value instanceof GeoPoint) return { $geo: [value.latitude, value.longitude] };
    if (value instanceof Uint8Array) return { $bytes: [...value] };
    if (value && typeof value.toArray === 'function') return { $vector: value.toArray() };
    if (value && typeof value.path === 'string' && value.firestore) return { $ref: value.path };
    if (Array.isArray(value)) return value.map(plain);
    if (value && typeof value === 'object') {
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]));
    }
    return value;
  }

  const dataOf = (snapshot) => (snapshot.exists ? plain(snapshot.data()) : undefined);
  const aggregateField = ([kind, field]) =>
    kind === 'count' ? AggregateField.count() : AggregateField[kind](field);

  return {
    name,
    db,
    plain,
    sdk,
    can: new Set([...SERVER, ...can]),
    another,
    get: async (path) => dataOf(await doc(path).get()),
    snapshot: (path) => doc(path).get(),
    set: (path, data, options) => (options ? doc(path).set(data, options) : doc(path).set(data)),
    update: (path, ...change) => doc(path).update(...change),
    updateSince: (time, path, change) => doc(path).update(change, { lastUpdateTime: time }),
    updateTime: async (path) => (await doc(path).get()).updateTime,
    remove: (path) => doc(path).delete(),
    create: (path, data) => doc(path).create(data),
    add: async (path, data) => (await db.collection(path).add(data)).id,
    query: async (spec) => {
      const snapshot = await build(spec).get();
      return snapshot.docs.map((found) => ({
        id: found.id,
        path: found.ref.path,
        data: plain(found.data()),
      }));
    },
    count: async (spec) => (await build(spec).count().get()).data().count,
    aggregate: async (spec, fields) => {
      const wanted = Object.fromEntries(
        Object.entries(fields).map(([alias, field]) => [alias, aggregateField(field)]),
      );
      return (await build(spec).aggregate(wanted).get()).data();
    },
    batch: async (steps) => {
      const batch = db.batch();
      for (const [kind, path, ...rest] of steps)
        batch[kind === 'remove' ? 'delete' : kind](doc(path), ...rest);
      await batch.commit();
    },
    transaction: (work, options) =>
      db.runTransaction(
        (tx) =>
          work({
            get: async (path) => dataOf(await tx.get(doc(path))),
            query: async (spec) => (await tx.get(build(spec))).docs.map((found) => found.id),
            set: (path, ...rest) => tx.set(doc(path), ...rest),
            update: (path, ...rest) => tx.update(doc(path), ...rest),
            remove: (path) => tx.delete(doc(path)),
          }),
        options,
      ),
    // This SDK tells of states that the server has confirmed and of nothing else: no `fromCache`, no `pending`.
    listen(spec, events) {
      const failed = (error) => events.fail(error);
      if (spec.doc) {
        const next = (snapshot) => events.push({ exists: snapshot.exists, data: dataOf(snapshot) });
        return doc(spec.doc).onSnapshot(next, failed);
      }
      const next = (snapshot) =>
        events.push({
          docs: snapshot.docs.map((found) => ({ id: found.id, data: plain(found.data()) })),
          ids: snapshot.docs.map((found) => found.id),
          changes: snapshot.docChanges().map((change) => `${change.type} ${change.doc.id}`),
        });
      return build(spec).onSnapshot(next, failed);
    },
    value: {
      time: (seconds, nanos) => new Timestamp(seconds, nanos),
      geo: (latitude, longitude) => new GeoPoint(latitude, longitude),
      bytes: (list) => Buffer.from(list),
      ref: doc,
      vector: (list) => FieldValue.vector(list),
      serverTimestamp: FieldValue.serverTimestamp,
      increment: FieldValue.increment,
      arrayUnion: FieldValue.arrayUnion,
      arrayRemove: FieldValue.arrayRemove,
      deleteField: FieldValue.delete,
      fieldPath: (...names) => new FieldPath(...names),
    },
    converted: (path, converter) => {
      const ref = doc(path).withConverter(converter);
      return {
        set: (value) => ref.set(value),
        get: async () => (await ref.get()).data(),
        /** Replaces what it holds by what `change` makes of it, in a transaction. */
        replace: (change) =>
          db.runTransaction(async (tx) => void tx.set(ref, change((await tx.get(ref)).data()))),
        listen: (events) =>
          ref.onSnapshot(
            (found) => events.push(found.data()),
            (error) => events.fail(error),
          ),
      };
    },
    convertedQuery: (spec, converter) => {
      const query = build(spec).withConverter(converter);
      const objects = (found) => found.docs.map((one) => one.data());
      return {
        get: async () => objects(await query.get()),
        listen: (events) =>
          query.onSnapshot(
            (found) => events.push(objects(found)),
            (error) => events.fail(error),
          ),
      };
    },
    close,
  };
}
