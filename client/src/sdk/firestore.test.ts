import { beforeEach, describe, expect, it } from 'vitest';
import {
  addDoc,
  arrayRemove,
  arrayUnion,
  Bytes,
  collection,
  deleteDoc,
  deleteField,
  doc,
  documentId,
  FieldPath,
  type Firestore,
  FirestoreError,
  GeoPoint,
  getDoc,
  getDocs,
  getFirestore,
  increment,
  limit,
  orderBy,
  query,
  runTransaction,
  serverTimestamp,
  setDoc,
  startAfter,
  Timestamp,
  updateDoc,
  where,
  writeBatch,
} from './firestore.ts';
import { createCore } from './internal/app-core.ts';
import { FakePlatform, json } from './testing/fake-platform.ts';

const ROOT = 'projects/demo/databases/(default)/documents';

let platform: FakePlatform;
let db: Firestore;
let count = 0;

beforeEach(() => {
  platform = new FakePlatform();
  const core = createCore({ projectId: 'demo', apiKey: 'k' }, `firestore-${count++}`, platform);
  core.authTokens = { getToken: async () => 'ID', onChange: () => () => undefined };
  db = getFirestore(core.app);
});

interface SentWrite {
  update?: { name: string; fields: Record<string, unknown> };
  verify?: string;
  updateMask?: unknown;
  currentDocument?: unknown;
}

function committed(): SentWrite[] {
  const request = platform.requests[platform.requests.length - 1];
  return (request?.json as { writes: SentWrite[] } | undefined)?.writes ?? [];
}
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error: FirestoreError) => error.code,
  );
const found = (path: string, fields: object, updateTime = '2026-01-01T00:00:00.000001Z') => ({
  found: { name: `${ROOT}/${path}`, fields, updateTime },
});

describe('writes', () => {
  beforeEach(() => {
    platform.handler = () => json({ commitTime: '2026-01-01T00:00:00Z' });
  });

  it('setDoc replaces, as the signed-in caller', async () => {
    await setDoc(doc(db, 'users/u/decks', 'd'), { name: 'A', n: 1, at: serverTimestamp() });
    const [request] = platform.requests;
    expect(request?.url).toBe(`https://cards.test/v1/${ROOT}:commit`);
    expect(request?.headers.Authorization).toBe('Bearer ID');
    expect(committed()).toEqual([
      {
        update: {
          name: `${ROOT}/users/u/decks/d`,
          fields: { name: { stringValue: 'A' }, n: { integerValue: '1' } },
        },
        updateTransforms: [{ fieldPath: 'at', setToServerValue: 'REQUEST_TIME' }],
      },
    ]);
  });

  it('setDoc with merge masks every leaf', async () => {
    await setDoc(doc(db, 'a/b'), { x: { y: 1, 'odd name': [] }, z: deleteField(), e: {} }, { merge: true });
    expect(committed()[0]).toEqual({
      update: {
        name: `${ROOT}/a/b`,
        fields: {
          x: {
            mapValue: { fields: { y: { integerValue: '1' }, 'odd name': { arrayValue: { values: [] } } } },
          },
          e: { mapValue: { fields: {} } },
        },
      },
      updateMask: { fieldPaths: ['x.y', 'x.`odd name`', 'z', 'e'] },
    });
  });

  it('setDoc with mergeFields writes these only', async () => {
    await setDoc(doc(db, 'a/b'), { x: 1, y: increment(1), z: increment(1) }, { mergeFields: ['x', 'y'] });
    expect(committed()[0]).toMatchObject({
      updateMask: { fieldPaths: ['x'] },
      updateTransforms: [{ fieldPath: 'y', increment: { integerValue: '1' } }],
    });
  });

  it('updateDoc writes at paths, needs the document and replaces maps whole', async () => {
    await updateDoc(doc(db, 'a/b'), {
      'x.y': 1,
      'x.n': increment(2.5),
      m: { k: 'v' },
      old: deleteField(),
      tags: arrayUnion('a', 'b'),
      gone: arrayRemove(1),
    });
    expect(committed()[0]).toEqual({
      update: {
        name: `${ROOT}/a/b`,
        fields: {
          x: { mapValue: { fields: { y: { integerValue: '1' } } } },
          m: { mapValue: { fields: { k: { stringValue: 'v' } } } },
        },
      },
      updateMask: { fieldPaths: ['x.y', 'm', 'old'] },
      updateTransforms: [
        { fieldPath: 'x.n', increment: { doubleValue: 2.5 } },
        {
          fieldPath: 'tags',
          appendMissingElements: { values: [{ stringValue: 'a' }, { stringValue: 'b' }] },
        },
        { fieldPath: 'gone', removeAllFromArray: { values: [{ integerValue: '1' }] } },
      ],
      currentDocument: { exists: true },
    });
  });

  it('updateDoc takes field and value pairs', async () => {
    await updateDoc(doc(db, 'a/b'), new FieldPath('a.b'), 1, 'c', 2);
    expect(committed()[0]?.updateMask).toEqual({ fieldPaths: ['`a.b`', 'c'] });
  });

  it('a batch is one commit, once', async () => {
    const batch = writeBatch(db);
    batch.set(doc(db, 'a/1'), { n: 1 }).update(doc(db, 'a/2'), { n: 2 }).delete(doc(db, 'a/3'));
    await batch.commit();
    expect(platform.requests).toHaveLength(1);
    expect(committed().map((write) => Object.keys(write)[0])).toEqual(['update', 'update', 'delete']);
    expect(() => batch.delete(doc(db, 'a/4'))).toThrow(FirestoreError);
  });

  it('addDoc draws an id of 20 letters and digits and will not overwrite', async () => {
    const ref = await addDoc(collection(db, 'a'), { n: 1 });
    expect(ref.id).toMatch(/^[A-Za-z0-9]{20}$/);
    expect(committed()[0]?.currentDocument).toEqual({ exists: false });
  });

  it.each<[string, unknown, object]>([
    ['text', 'é', { stringValue: 'é' }],
    ['null', null, { nullValue: null }],
    ['a whole number', 7, { integerValue: '7' }],
    ['a fraction', 0.5, { doubleValue: 0.5 }],
    ['minus zero', -0, { doubleValue: '-0' }],
    ['a number past 2^53', 2 ** 60, { doubleValue: 2 ** 60 }],
    ['NaN', Number.NaN, { doubleValue: 'NaN' }],
    ['infinity', Number.NEGATIVE_INFINITY, { doubleValue: '-Infinity' }],
    ['a date', new Date(1500), { timestampValue: '1970-01-01T00:00:01.500000000Z' }],
    ['a timestamp', new Timestamp(1, 2), { timestampValue: '1970-01-01T00:00:01.000000002Z' }],
    ['bytes', Bytes.fromUint8Array(new Uint8Array([1, 2])), { bytesValue: 'AQI=' }],
    ['a place', new GeoPoint(1, 2), { geoPointValue: { latitude: 1, longitude: 2 } }],
  ])('%s is encoded and comes back', async (_, value, wire) => {
    await setDoc(doc(db, 'a/b'), { v: value });
    expect(committed()[0]?.update?.fields).toEqual({ v: wire });
    platform.handler = () => json([found('a/b', { v: wire })]);
    const back = (await getDoc(doc(db, 'a/b'))).get('v');
    if (value instanceof Date) expect((back as Timestamp).toDate()).toEqual(value);
    else if (value instanceof Bytes) expect(value.isEqual(back as Bytes)).toBe(true);
    else expect(back).toEqual(value);
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['a function', () => 1],
    ['an array in an array', [[1]]],
    ['an instance of a class', new Map()],
    ['a marker in an array', [increment(1)]],
  ])('refuses %s before anything is sent', async (_, value) => {
    expect(await codeOf(setDoc(doc(db, 'a/b'), { v: value }))).toBe('invalid-argument');
    expect(platform.requests).toHaveLength(0);
  });
});

describe('errors', () => {
  it.each([
    [403, { error: { status: 'PERMISSION_DENIED', message: 'no' } }, 'permission-denied'],
    [400, [{ error: { status: 'FAILED_PRECONDITION', message: 'no' } }], 'failed-precondition'],
    [429, '<html>', 'resource-exhausted'],
    [404, { error: { status: 'NOT_FOUND', message: 'no' } }, 'not-found'],
    [404, '<html>', 'unavailable'],
    [503, null, 'unavailable'],
  ])('HTTP %i with %j is %s', async (status, body, code) => {
    platform.handler = () => json(body, status);
    expect(await codeOf(deleteDoc(doc(db, 'a/b')))).toBe(code);
  });

  it('no network is unavailable; no answer in a minute is deadline-exceeded', async () => {
    platform.handler = () => {
      throw new TypeError('Failed to fetch');
    };
    expect(await codeOf(getDoc(doc(db, 'a/b')))).toBe('unavailable');
    platform.handler = () => new Promise<Response>(() => undefined);
    const pending = codeOf(getDoc(doc(db, 'a/b')));
    await platform.advance(60_000);
    expect(await pending).toBe('deadline-exceeded');
  });

  it('asks once more with a new token when the old one is refused', async () => {
    let calls = 0;
    platform.handler = () => (calls++ === 0 ? json({ error: { status: 'UNAUTHENTICATED' } }, 401) : json({}));
    expect(await codeOf(deleteDoc(doc(db, 'a/b')))).toBe('resolved');
    expect(calls).toBe(2);
  });
});

describe('reads', () => {
  it('getDoc tells a document from its absence', async () => {
    platform.handler = () => json([found('a/b', { n: { integerValue: '1' } })]);
    const there = await getDoc(doc(db, 'a/b'));
    expect([there.exists(), there.id, there.data()]).toEqual([true, 'b', { n: 1 }]);
    platform.handler = () => json([{ missing: `${ROOT}/a/b`, readTime: '2026-01-01T00:00:00Z' }]);
    const missing = await getDoc(doc(db, 'a/b'));
    expect([missing.exists(), missing.data()]).toEqual([false, undefined]);
  });

  it('getDocs sends the whole query', async () => {
    platform.handler = () =>
      json([
        { document: found('u/1/a/x', {}).found, readTime: 'z' },
        { readTime: 'z', done: true },
      ]);
    const result = await getDocs(
      query(
        collection(db, 'u/1/a'),
        where('n', '>', 3),
        where('tag', '==', null),
        where(documentId(), 'in', ['x', 'y']),
        orderBy('n', 'desc'),
        startAfter(9),
        limit(5),
      ),
    );
    expect(result.docs.map((one) => one.ref.path)).toEqual(['u/1/a/x']);
    expect(platform.requests[0]?.url).toBe(`https://cards.test/v1/${ROOT}/u/1:runQuery`);
    const name = (id: string) => ({ referenceValue: `${ROOT}/u/1/a/${id}` });
    expect(platform.requests[0]?.json).toEqual({
      structuredQuery: {
        from: [{ collectionId: 'a' }],
        where: {
          compositeFilter: {
            op: 'AND',
            filters: [
              {
                fieldFilter: { field: { fieldPath: 'n' }, op: 'GREATER_THAN', value: { integerValue: '3' } },
              },
              { unaryFilter: { field: { fieldPath: 'tag' }, op: 'IS_NULL' } },
              {
                fieldFilter: {
                  field: { fieldPath: '__name__' },
                  op: 'IN',
                  value: { arrayValue: { values: [name('x'), name('y')] } },
                },
              },
            ],
          },
        },
        orderBy: [
          { field: { fieldPath: 'n' }, direction: 'DESCENDING' },
          { field: { fieldPath: '__name__' }, direction: 'DESCENDING' },
        ],
        startAt: { values: [{ integerValue: '9' }], before: false },
        limit: 5,
      },
    });
  });

  it.each([
    ['a', 'collection'],
    ['a/b/c', 'collection'],
  ])('doc(%s) is refused: it names a %s', (path) => {
    expect(() => doc(db, path)).toThrow(/names a collection/);
  });
});

describe('a transaction', () => {
  const reply = (handlers: { get: () => Response; commit: () => Response }) => {
    platform.handler = (request) => (request.url.endsWith(':batchGet') ? handlers.get() : handlers.commit());
  };
  const conflict = () => json({ error: { status: 'ABORTED', message: 'busy' } }, 409);

  it('writes on the versions it read, and verifies what it only read', async () => {
    const versions: Record<string, object> = {
      [`${ROOT}/a/1`]: found('a/1', { n: { integerValue: '1' } }, 'T1'),
      [`${ROOT}/a/2`]: found('a/2', {}, 'T2'),
      [`${ROOT}/a/3`]: { missing: `${ROOT}/a/3` },
    };
    platform.handler = (request) => {
      const [name = ''] = (request.json as { documents?: string[] }).documents ?? [];
      return request.url.endsWith(':batchGet') ? json([versions[name]]) : json({});
    };
    const result = await runTransaction(db, async (transaction) => {
      const one = await transaction.get(doc(db, 'a/1'));
      await transaction.get(doc(db, 'a/2'));
      await transaction.get(doc(db, 'a/3'));
      transaction.update(doc(db, 'a/1'), { n: (one.get('n') as number) + 1 });
      transaction.set(doc(db, 'a/3'), { n: 0 });
      transaction.update(doc(db, 'a/1'), { again: true });
      transaction.set(doc(db, 'a/4'), {});
      return 'done';
    });
    expect(result).toBe('done');
    expect(committed().map((write) => [write.update?.name ?? write.verify, write.currentDocument])).toEqual([
      [`${ROOT}/a/1`, { updateTime: 'T1' }],
      [`${ROOT}/a/3`, { exists: false }],
      [`${ROOT}/a/1`, { exists: true }],
      [`${ROOT}/a/4`, undefined],
      [`${ROOT}/a/2`, { updateTime: 'T2' }],
    ]);
  });

  it('is run again from the start after a conflict, with growing waits', async () => {
    let commits = 0;
    let runs = 0;
    reply({
      get: () => json([found('a/1', {}, `T${runs}`)]),
      commit: () => (++commits < 3 ? conflict() : json({})),
    });
    const pending = runTransaction(db, async (transaction) => {
      runs++;
      await transaction.get(doc(db, 'a/1'));
      transaction.set(doc(db, 'a/1'), { runs });
    });
    await platform.advance(0);
    expect(platform.waits).toEqual([100]);
    await platform.advance(100);
    expect(platform.waits).toEqual([150]);
    await platform.advance(150);
    await pending;
    expect(runs).toBe(3);
    expect(committed()[0]).toMatchObject({ currentDocument: { updateTime: 'T3' } });
  });

  it('gives up after five attempts', async () => {
    let commits = 0;
    reply({
      get: () => json([found('a/1', {})]),
      commit: () => {
        commits++;
        return conflict();
      },
    });
    const pending = codeOf(
      runTransaction(db, async (transaction) => {
        await transaction.get(doc(db, 'a/1'));
        transaction.delete(doc(db, 'a/1'));
      }),
    );
    await platform.advance(60_000);
    expect(await pending).toBe('aborted');
    expect(commits).toBe(5);
  });

  it('does not try again what cannot succeed, and passes the caller’s own error on', async () => {
    reply({ get: () => json([]), commit: () => json({ error: { status: 'PERMISSION_DENIED' } }, 403) });
    let runs = 0;
    const denied = runTransaction(db, async (transaction) => {
      runs++;
      transaction.set(doc(db, 'a/1'), {});
    });
    expect(await codeOf(denied)).toBe('permission-denied');
    expect(runs).toBe(1);
    await expect(runTransaction(db, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
  });

  it('refuses to read after writing, and to update what is not there', async () => {
    reply({ get: () => json([{ missing: `${ROOT}/a/1` }]), commit: () => json({}) });
    const late = runTransaction(db, async (transaction) => {
      transaction.set(doc(db, 'a/2'), {});
      await transaction.get(doc(db, 'a/1'));
    });
    expect(await codeOf(late)).toBe('invalid-argument');
    const absent = runTransaction(db, async (transaction) => {
      await transaction.get(doc(db, 'a/1'));
      transaction.update(doc(db, 'a/1'), { n: 1 });
    });
    expect(await codeOf(absent)).toBe('invalid-argument');
  });
});
