import 'fake-indexeddb/auto';
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../firestore/database.ts';
import {
  arrayRemove,
  arrayUnion,
  collection,
  collectionGroup,
  deleteDoc,
  deleteField,
  doc,
  endBefore,
  type Firestore,
  getDoc,
  getDocs,
  increment,
  limit,
  onSnapshot,
  orderBy,
  type Query,
  query,
  runTransaction,
  serverTimestamp,
  setDoc,
  startAfter,
  type Timestamp,
  updateDoc,
  where,
  writeBatch,
} from '../firestore.ts';
import { createCore } from '../internal/app-core.ts';
import { FakePlatform } from '../testing/fake-platform.ts';
import { KeptDocuments, MAX_WRITES } from './kept-documents.ts';
import { LocalBackend, type Windows } from './local-backend.ts';

let count = 0;
let openWindow: () => Promise<Firestore>;

/** A browser's windows; each hears of the others' commits, after them. */
function browser(): () => Windows {
  const heard = new Set<() => void>();
  return () => {
    let own: () => void = () => undefined;
    return {
      tell: () => {
        for (const callback of heard) if (callback !== own) queueMicrotask(callback);
      },
      onNews(callback) {
        own = callback;
        heard.add(callback);
      },
    };
  };
}

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  // Nobody waits between two attempts of a transaction.
  const platform = Object.assign(new FakePlatform(), {
    setTimer: (callback: () => void) => {
      queueMicrotask(callback);
      return () => undefined;
    },
  });
  const { app } = createCore({ projectId: 'demo' }, `local-${count++}`, platform);
  const join = browser();
  openWindow = async () => {
    const root = 'projects/demo/databases/kept/documents';
    const kept = await KeptDocuments.open('kept', root);
    const backend = new LocalBackend(kept, root, join(), () => platform.now());
    await backend.follow();
    const core = { ...createCore({ projectId: 'demo' }, `window-${count++}`, platform), app };
    return new Database(core, { ignoreUndefinedProperties: true }, 'kept', backend);
  };
});

/** Documents by path, as plain data. */
type Model = Map<string, Record<string, unknown>>;

const IDS = ['a', 'b', 'c', 'd'];
const id = fc.constantFrom(...IDS);
const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('', 'x', 'y', 'Zürich', '\u{1f3b2}'),
  fc.boolean(),
  fc.constant(null),
);
const data = fc.record({ n: value, tags: fc.array(fc.constantFrom('p', 'q', 'r'), { maxLength: 3 }) });
const one = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), id, data }),
  fc.record({ kind: fc.constant('merge' as const), id, data: fc.record({ n: value, more: value }) }),
  fc.record({ kind: fc.constant('delete' as const), id }),
  fc.record({ kind: fc.constant('update' as const), id, n: value }),
  fc.record({ kind: fc.constant('drop' as const), id }),
  fc.record({ kind: fc.constant('add' as const), id, tag: fc.constantFrom('p', 's') }),
  fc.record({ kind: fc.constant('take' as const), id, tag: fc.constantFrom('p', 's') }),
);
type Act = typeof one extends fc.Arbitrary<infer T> ? T : never;
const acts = fc.array(
  fc.record({ window: fc.nat(1), together: fc.array(one, { minLength: 1, maxLength: 3 }) }),
  {
    maxLength: 12,
  },
);

/** Writes acts to a model; false, and nothing is written, if one of them needs a document that is not there. */
function written(model: Model, together: readonly Act[]): boolean {
  const next = new Map([...model].map(([path, fields]) => [path, structuredClone(fields)]));
  for (const act of together) {
    const before = next.get(act.id);
    const tags = (before?.['tags'] ?? []) as string[];
    if (['update', 'drop', 'add', 'take'].includes(act.kind) && !before) return false;
    if (act.kind === 'set') next.set(act.id, structuredClone(act.data));
    else if (act.kind === 'merge') next.set(act.id, { ...before, ...act.data });
    else if (act.kind === 'delete') next.delete(act.id);
    else if (act.kind === 'update') next.set(act.id, { ...before, n: act.n });
    else if (act.kind === 'drop') delete before?.['n'];
    else if (act.kind === 'add' && !tags.includes(act.tag))
      next.set(act.id, { ...before, tags: [...tags, act.tag] });
    else if (act.kind === 'take')
      next.set(act.id, { ...before, tags: tags.filter((tag) => tag !== act.tag) });
  }
  model.clear();
  for (const [path, fields] of next) model.set(path, fields);
  return true;
}

async function write(db: Firestore, together: readonly Act[]): Promise<void> {
  const batch = writeBatch(db);
  for (const act of together) {
    const ref = doc(db, 'cards', act.id);
    if (act.kind === 'set') batch.set(ref, act.data);
    else if (act.kind === 'merge') batch.set(ref, act.data, { merge: true });
    else if (act.kind === 'delete') batch.delete(ref);
    else if (act.kind === 'update') batch.update(ref, { n: act.n });
    else if (act.kind === 'drop') batch.update(ref, { n: deleteField() });
    else if (act.kind === 'add') batch.update(ref, { tags: arrayUnion(act.tag) });
    else batch.update(ref, { tags: arrayRemove(act.tag) });
  }
  await batch.commit();
}

/** Queries, and which documents of a model belong to each. */
const QUERIES: readonly [(db: Firestore) => Query, (fields: Record<string, unknown>) => boolean][] = [
  [(db) => collection(db, 'cards'), () => true],
  [(db) => query(collection(db, 'cards'), where('n', '==', 1)), ({ n }) => n === 1],
  [(db) => query(collection(db, 'cards'), where('n', '==', null)), ({ n }) => n === null],
  [
    (db) => query(collection(db, 'cards'), where('n', '!=', 1)),
    ({ n }) => n !== undefined && n !== null && n !== 1,
  ],
  [(db) => query(collection(db, 'cards'), where('n', '>', 0)), ({ n }) => typeof n === 'number' && n > 0],
  [(db) => query(collection(db, 'cards'), where('n', 'in', ['x', 2])), ({ n }) => n === 'x' || n === 2],
  [
    (db) => query(collection(db, 'cards'), where('tags', 'array-contains', 'p')),
    ({ tags }) => ((tags ?? []) as string[]).includes('p'),
  ],
  [(db) => query(collectionGroup(db, 'cards'), orderBy('n', 'desc')), ({ n }) => n !== undefined],
];

const idsOf = ({ docs }: { docs: readonly { id: string }[] }) => docs.map((one) => one.id);

describe('a database in this browser', () => {
  it('holds what a simple model holds, in every window, and tells listeners of it', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (steps) => {
        globalThis.indexedDB = new IDBFactory();
        const windows = [await openWindow(), await openWindow()];
        const model: Model = new Map();
        const heard = windows.flatMap((db) =>
          QUERIES.map(([of]) => {
            const seen = { now: undefined as string | undefined, times: 0 };
            onSnapshot(of(db), (snapshot) => {
              seen.now = JSON.stringify(snapshot.docs.map((found) => [found.id, found.data()]));
              seen.times++;
            });
            return { db, of, seen };
          }),
        );
        for (const { window, together } of steps) {
          const db = windows[window] as Firestore;
          const taken = written(model, together);
          const tried = await write(db, together).then(
            () => true,
            (error: { code: string }) => {
              expect(error.code).toBe('not-found');
              return false;
            },
          );
          expect(tried).toBe(taken);
          const other = windows[1 - window] as Firestore;
          for (const [of, belongs] of QUERIES) {
            const found = await getDocs(of(other));
            const wanted = [...model].filter(([, fields]) => belongs(fields)).map(([path]) => path);
            expect(idsOf(found).sort()).toEqual(wanted.sort());
            for (const each of found.docs) expect(each.data()).toEqual(model.get(each.id));
          }
        }
        // Calls read what is committed, and whoever listens has heard of it by then.
        for (const db of windows) await getDoc(doc(db, 'cards', 'a'));
        for (const { db, of, seen } of heard) {
          const found = await getDocs(of(db));
          expect(seen.now).toBe(JSON.stringify(found.docs.map((each) => [each.id, each.data()])));
        }
        // A window that is opened now finds the same.
        const third = await openWindow();
        const all = await getDocs(collection(third, 'cards'));
        expect(new Map(all.docs.map((each) => [each.id, each.data()]))).toEqual(new Map(model));
      }),
      { numRuns: 150 },
    );
  });

  it('orders and cuts like the server: by several fields, descending, after a document, up to a limit', async () => {
    const db = await openWindow();
    const all = [3, 1, 2, 2, 5, 4].map((n, i) => ({ id: `c${i}`, n, even: n % 2 === 0 }));
    for (const { id: name, ...fields } of all) await setDoc(doc(db, 'p', 'x', 'cards', name), fields);
    await setDoc(doc(db, 'p', 'y', 'cards', 'other'), { n: 9 });
    const cards = collection(db, 'p', 'x', 'cards');
    const sorted = await getDocs(query(cards, orderBy('n', 'desc'), limit(3)));
    expect(idsOf(sorted)).toEqual(['c4', 'c5', 'c0']);
    const [, second] = sorted.docs;
    expect(idsOf(await getDocs(query(cards, orderBy('n', 'desc'), startAfter(second), limit(2))))).toEqual([
      'c0',
      'c3',
    ]);
    expect(idsOf(await getDocs(query(cards, orderBy('n'), endBefore(3))))).toEqual(['c1', 'c2', 'c3']);
    expect(idsOf(await getDocs(query(cards, orderBy('even'), orderBy('n', 'desc'))))).toEqual([
      ...['c4', 'c0', 'c1'],
      ...['c5', 'c3', 'c2'],
    ]);
    expect((await getDocs(query(collectionGroup(db, 'cards'), where('n', '>=', 4)))).size).toBe(3);
  });

  it('counts up, notes times and changes fields of maps', async () => {
    const db = await openWindow();
    const ref = doc(db, 'things', 't');
    await setDoc(ref, { cells: { name: 'Cork', 'odd.name': 'x' }, made: serverTimestamp() });
    await updateDoc(ref, { 'cells.name': 'Peg', count: increment(2), 'deep.er': 1 });
    await updateDoc(ref, { count: increment(3), 'cells.gone': deleteField() });
    const { made, ...rest } = (await getDoc(ref)).data() as { made: Timestamp };
    expect(rest).toEqual({ cells: { name: 'Peg', 'odd.name': 'x' }, count: 5, deep: { er: 1 } });
    expect(made.toMillis()).toBe(Date.UTC(2026, 0, 1));
  });

  it('runs a transaction again when another window wrote what it read', async () => {
    const [one, two] = [await openWindow(), await openWindow()];
    await setDoc(doc(one, 'n', 'n'), { n: 0 });
    let runs = 0;
    await runTransaction(one, async (transaction) => {
      const { n } = (await transaction.get(doc(one, 'n', 'n'))).data() as { n: number };
      if (runs++ === 0) await updateDoc(doc(two, 'n', 'n'), { n: 10 });
      transaction.update(doc(one, 'n', 'n'), { n: n + 1 });
    });
    expect([runs, (await getDoc(doc(two, 'n', 'n'))).data()]).toEqual([2, { n: 11 }]);
  });
});

it('knows what was changed below a path since a commit, and deletes everything in one', async () => {
  const db = await openWindow();
  const kept = await KeptDocuments.open('kept', 'projects/demo/databases/kept/documents');
  await setDoc(doc(db, 'projects', 'p'), { name: 'P' });
  const { version } = await kept.since(0);
  expect(await kept.changedSince(version, 'projects/p')).toBe(false);
  await setDoc(doc(db, 'projects', 'p', 'components', 'c'), { name: 'C' });
  await setDoc(doc(db, 'users', 'u'), {});
  await setDoc(doc(db, 'projects', 'pp', 'components', 'c'), {});
  expect(await kept.changedSince(version, 'projects/p')).toBe(true);
  const { version: later } = await kept.since(0);
  expect(await kept.changedSince(later, 'projects/p')).toBe(false);
  await deleteDoc(doc(db, 'projects', 'p', 'components', 'c'));
  expect(await kept.changedSince(later, 'projects/p')).toBe(true);
  const heard: number[] = [];
  onSnapshot(collectionGroup(db, 'components'), ({ size }) => heard.push(size));
  await kept.erase();
  expect((await getDoc(doc(db, 'projects', 'p'))).exists()).toBe(false);
  expect(heard.at(-1)).toBe(0);
  expect((await getDocs(collection(await openWindow(), 'projects'))).empty).toBe(true);
});

describe('a browser without room', () => {
  it('says so, keeps what was there, and goes on when there is room again', async () => {
    const db = await openWindow();
    await setDoc(doc(db, 'cards', 'a'), { n: 1 });
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await expect(setDoc(doc(db, 'cards', 'b'), { n: 2 })).rejects.toThrow(
      /no room left in this browser.*Delete cards or layouts.*or what other sites keep here.*“Download the game”/,
    );
    put.mockRestore();
    expect(idsOf(await getDocs(collection(db, 'cards')))).toEqual(['a']);
    await setDoc(doc(db, 'cards', 'b'), { n: 3 });
    expect((await getDoc(doc(await openWindow(), 'cards', 'b'))).data()).toEqual({ n: 3 });
  });

  it('takes no document and no commit that is too large, and no more documents than it may hold', async () => {
    const db = await openWindow();
    const text = 'x'.repeat(1024 * 1024);
    await expect(setDoc(doc(db, 'cards', 'a'), { text })).rejects.toThrow('larger than a document may be');
    const batch = writeBatch(db);
    for (let i = 0; i <= MAX_WRITES; i++) batch.set(doc(db, 'cards', `c${i}`), {});
    await expect(batch.commit()).rejects.toThrow(`at most ${MAX_WRITES} writes`);
    expect((await getDocs(collection(db, 'cards'))).empty).toBe(true);
  });

  it('says what to do where nothing may be kept at all', async () => {
    vi.stubGlobal('indexedDB', undefined);
    await expect(openWindow()).rejects.toThrow('allow this site to store data');
    vi.unstubAllGlobals();
    vi.spyOn(globalThis.indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('no', 'SecurityError');
    });
    await expect(openWindow()).rejects.toThrow('leave the private window');
  });
});

it('deletes a document that was written in the same commit, and writes one that was deleted', async () => {
  const db = await openWindow();
  const ref = doc(db, 'cards', 'a');
  await writeBatch(db).set(ref, { n: 1 }).delete(ref).commit();
  expect((await getDoc(ref)).exists()).toBe(false);
  await setDoc(ref, { n: 2 });
  await deleteDoc(ref);
  await writeBatch(db).delete(ref).set(ref, { n: 3 }).commit();
  expect((await getDoc(ref)).data()).toEqual({ n: 3 });
});
