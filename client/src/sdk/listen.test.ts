import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { connectionState } from './connection.ts';
import { JsonArraySplitter } from './firestore/listen/json-array-splitter.ts';
import { compareValues } from './firestore/listen/order.ts';
import type { WireValue } from './firestore/types.ts';
import {
  collection,
  doc,
  type Firestore,
  getFirestore,
  limit,
  onSnapshot,
  orderBy,
  query,
} from './firestore.ts';
import { createCore } from './internal/app-core.ts';
import { FakePlatform, json, type SeenRequest, settle } from './testing/fake-platform.ts';

const ROOT = 'projects/demo/databases/(default)/documents';

/** One open stream, as the server sees it. */
class FakeStream {
  readonly request: SeenRequest;
  readonly response: Response;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #started = false;

  constructor(request: SeenRequest) {
    this.request = request;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
    });
    this.response = new Response(body);
    request.init.signal?.addEventListener('abort', () => {
      try {
        this.#controller?.error(new DOMException('aborted', 'AbortError'));
      } catch {
        // Ended already.
      }
    });
  }

  get targets() {
    return (
      this.request.json as { addTarget: { targetId: number; resumeToken?: string; expectedCount?: number } }[]
    ).map((one) => one.addTarget);
  }

  get aborted(): boolean {
    return this.request.init.signal?.aborted ?? false;
  }

  async send(...messages: object[]): Promise<void> {
    const text = messages.map((message) => {
      const lead = this.#started ? ',' : '[';
      this.#started = true;
      return `${lead}${JSON.stringify(message)}\n`;
    });
    this.#controller?.enqueue(new TextEncoder().encode(text.join('')));
    await settle();
  }

  async end(): Promise<void> {
    this.#controller?.close();
    await settle();
  }
}

let platform: FakePlatform;
let db: Firestore;
let streams: FakeStream[];
let tokenChanged: () => void;
let getToken: (force: boolean) => Promise<string | null>;
let count = 0;

beforeEach(() => {
  platform = new FakePlatform();
  streams = [];
  getToken = async (force) => (force ? 'NEW' : 'ID');
  platform.handler = (request) => {
    const stream = new FakeStream(request);
    streams.push(stream);
    return stream.response;
  };
  const core = createCore({ projectId: 'demo', apiKey: 'k' }, `listen-${count++}`, platform);
  core.authTokens = {
    getToken: (force) => getToken(force),
    onChange: (callback) => {
      tokenChanged = callback;
      return () => undefined;
    },
  };
  db = getFirestore(core.app);
});

const last = () => {
  const stream = streams[streams.length - 1];
  if (!stream) throw new Error('no stream is open');
  return stream;
};
const change = (path: string, n: number, targetIds: number[], removedTargetIds?: number[]) => ({
  documentChange: {
    document: {
      name: `${ROOT}/${path}`,
      fields: { n: { integerValue: String(n) } },
      updateTime: `T${path}${n}`,
    },
    targetIds,
    removedTargetIds,
  },
});
const current = (id: number, resumeToken: string) => ({
  targetChange: {
    targetChangeType: 'CURRENT',
    targetIds: [id],
    resumeToken,
    readTime: '2026-01-01T00:00:00Z',
  },
});
const cut = (resumeToken?: string) => ({ targetChange: { readTime: '2026-01-01T00:00:00Z', resumeToken } });

/** Watches a query and keeps what it is told. */
function watch(path: string, ...constraints: Parameters<typeof query>[1][]) {
  const results: number[][] = [];
  const changes: string[][] = [];
  const errors: string[] = [];
  const stop = onSnapshot(
    query(collection(db, path), ...constraints),
    (snapshot) => {
      results.push(snapshot.docs.map((one) => one.get('n') as number));
      changes.push(
        snapshot.docChanges().map((one) => `${one.type} ${one.doc.id} ${one.oldIndex}>${one.newIndex}`),
      );
    },
    (error) => errors.push(error.code),
  );
  return { results, changes, errors, stop };
}

async function opened(): Promise<FakeStream> {
  await platform.advance(0);
  return last();
}

describe('a live query', () => {
  it('shows nothing before a consistent cut, then every cut as one', async () => {
    const view = watch('a', orderBy('n'));
    const stream = await opened();
    expect(stream.request.url).toBe(`https://cards.test/v1/${ROOT}:listen`);
    expect(stream.request.headers.Authorization).toBe('Bearer ID');
    const [target] = stream.targets;
    const id = target?.targetId ?? 0;
    await stream.send(change('a/x', 2, [id]), change('a/y', 1, [id]), current(id, 'R1'));
    expect(view.results).toEqual([]);
    await stream.send(cut());
    expect(view.results).toEqual([[1, 2]]);
    await stream.send(change('a/x', 0, [id]), change('a/z', 3, [id]));
    expect(view.results).toHaveLength(1);
    await stream.send({ documentDelete: { document: `${ROOT}/a/y`, removedTargetIds: [id] } }, cut('R2'));
    expect(view.results[1]).toEqual([0, 3]);
    expect(view.changes).toEqual([
      ['added y -1>0', 'added x -1>1'],
      ['removed y 0>-1', 'modified x 1>0', 'added z -1>1'],
    ]);
    expect(connectionState(db)).toBe('online');
  });

  it('is not told about cuts that leave it as it was', async () => {
    const view = watch('a');
    const stream = await opened();
    await stream.send(current(2, 'R1'), cut(), cut(), cut('R2'));
    expect(view.results).toEqual([[]]);
  });

  it('drops a document that no longer matches', async () => {
    const view = watch('a', orderBy('n'), limit(1));
    const stream = await opened();
    await stream.send(change('a/x', 1, [2]), current(2, 'R1'), cut());
    await stream.send(change('a/w', 0, [2]), change('a/x', 1, [], [2]), cut());
    expect(view.results).toEqual([[1], [0]]);
  });

  it('shares its target with whoever watches the same', async () => {
    const one = watch('a');
    const stream = await opened();
    await stream.send(change('a/x', 1, [2]), current(2, 'R1'), cut());
    const two = watch('a');
    await settle();
    expect(two.results).toEqual([[1]]);
    one.stop();
    await stream.send(change('a/x', 2, [2]), cut());
    expect(one.results).toEqual([[1]]);
    expect(two.results).toEqual([[1], [2]]);
    expect(streams).toHaveLength(1);
    two.stop();
    expect(stream.aborted).toBe(true);
    expect(connectionState(db)).toBe('idle');
  });
});

describe('who joins while the stream is down', () => {
  it('is told that it sees what was known, and then only of what changed', async () => {
    watch('a');
    const first = await opened();
    await first.send(change('a/x', 1, [2]), change('a/y', 2, [2]), current(2, 'R1'), cut());
    await first.end();
    const seen: unknown[] = [];
    onSnapshot(query(collection(db, 'a')), (snapshot) => {
      const changes = snapshot.docChanges().map(({ type, doc: { id } }) => `${type} ${id}`);
      const documents = snapshot.docs.map(({ metadata }) => metadata.fromCache);
      seen.push([snapshot.metadata.fromCache, documents, changes]);
    });
    await settle();
    await platform.advance(1_000);
    await last().send(change('a/y', 3, [2]), current(2, 'R2'), cut());
    expect(seen).toEqual([
      [true, [true, true], ['added x', 'added y']],
      [false, [false, false], ['modified y']],
    ]);
  });
});

describe('a live document', () => {
  it('tells presence, change and absence', async () => {
    const seen: unknown[] = [];
    onSnapshot(doc(db, 'a/x'), (snapshot) => seen.push(snapshot.exists() ? snapshot.data() : null));
    const stream = await opened();
    await stream.send({ documentDelete: { document: `${ROOT}/a/x` } }, current(2, 'R1'), cut());
    await stream.send(change('a/x', 1, [2]), cut());
    await stream.send({ documentRemove: { document: `${ROOT}/a/x`, removedTargetIds: [2] } }, cut());
    expect(seen).toEqual([null, { n: 1 }, null]);
  });
});

describe('the stream', () => {
  it('is opened once for subscriptions made together, and resumes when one joins', async () => {
    const a = watch('a');
    const b = watch('b');
    const first = await opened();
    expect(first.targets.map((one) => one.targetId)).toEqual([2, 4]);
    await first.send(change('a/x', 1, [2]), current(2, 'RA'), current(4, 'RB'), cut());
    const c = watch('c');
    const second = await opened();
    expect(first.aborted).toBe(true);
    expect(second.targets).toMatchObject([
      { targetId: 2, resumeToken: 'RA', expectedCount: 1 },
      { targetId: 4, resumeToken: 'RB', expectedCount: 0 },
      { targetId: 6 },
    ]);
    await second.send(current(6, 'RC'), cut());
    expect([a.results, b.results, c.results]).toEqual([[[1]], [[]], [[]]]);
  });

  it('takes a token of all targets only for those that have had their first result on the stream', async () => {
    watch('a');
    watch('b');
    const first = await opened();
    await first.send(change('a/x', 1, [2]), current(2, 'R1'), current(4, 'R1'), cut('R1'));
    watch('c');
    const second = await opened();
    await second.send(change('a/x', 2, [2]), current(2, 'R2'), cut('R3'));
    await second.end();
    await platform.advance(1_000);
    expect(last().targets).toMatchObject([{ resumeToken: 'R3' }, { resumeToken: 'R1' }, { targetId: 6 }]);
    expect(last().targets[2]).not.toHaveProperty('resumeToken');
  });

  it('takes a token of some targets for those, while others wait for their first result', async () => {
    watch('a');
    watch('b');
    const first = await opened();
    await first.send(change('a/x', 1, [2]), current(2, 'R1'), cut());
    await first.send(
      change('a/y', 2, [2]),
      { targetChange: { targetIds: [2], resumeToken: 'R2' } },
      { targetChange: { readTime: '2026-01-01T00:00:01Z' } },
    );
    await first.end();
    await platform.advance(1_000);
    expect(last().targets).toMatchObject([{ resumeToken: 'R2', expectedCount: 2 }, { targetId: 4 }]);
    expect(last().targets[1]).not.toHaveProperty('resumeToken');
  });

  it('forgets what came without a cut when it is lost, and resumes before it', async () => {
    const view = watch('a');
    const first = await opened();
    await first.send(change('a/x', 1, [2]), current(2, 'R1'), cut());
    await first.send(change('a/y', 2, [2]), current(2, 'R2'));
    await first.end();
    expect(connectionState(db)).toBe('offline');
    await platform.advance(1_000);
    expect(last().targets).toMatchObject([{ resumeToken: 'R1', expectedCount: 1 }]);
    expect(view.results).toEqual([[1]]);
  });

  it('waits longer after each failure, is healthy again after a cut, and hurries when the network is back', async () => {
    watch('a');
    const serve = platform.handler;
    platform.handler = () => json({ error: { status: 'UNAVAILABLE' } }, 503);
    await platform.advance(0);
    expect(platform.waits).toEqual([1_000]);
    await platform.advance(1_000);
    expect(platform.waits).toEqual([1_500]);
    platform.handler = serve;
    platform.goOnline();
    const stream = await opened();
    await stream.send(current(2, 'R1'), cut());
    await stream.end();
    expect(platform.waits).toEqual([1_000]);
  });

  it('is opened anew with the new token when the caller changes', async () => {
    watch('a');
    const first = await opened();
    await first.send(current(2, 'R1'), cut());
    tokenChanged();
    await opened();
    expect(streams).toHaveLength(2);
    expect(first.aborted).toBe(true);
  });

  it('fetches a new token when the old one is refused', async () => {
    watch('a');
    const serve = platform.handler;
    platform.handler = () => json({ error: { status: 'UNAUTHENTICATED' } }, 401);
    await platform.advance(0);
    platform.handler = serve;
    await platform.advance(1_000);
    expect(last().request.headers.Authorization).toBe('Bearer NEW');
  });

  it('ends one target with its reason and keeps the others', async () => {
    const a = watch('a');
    const b = watch('b');
    const stream = await opened();
    await stream.send(
      { targetChange: { targetChangeType: 'REMOVE', targetIds: [2], cause: { code: 7, message: 'no' } } },
      change('b/x', 1, [4]),
      current(4, 'R'),
      cut(),
    );
    expect(a.errors).toEqual(['permission-denied']);
    expect(b.results).toEqual([[1]]);
  });

  it('ends every target when the server judges the request', async () => {
    const a = watch('a');
    platform.handler = () => json({ error: { status: 'PERMISSION_DENIED' } }, 403);
    await platform.advance(0);
    expect(a.errors).toEqual(['permission-denied']);
    expect(platform.waits).toEqual([]);
  });

  it('ends the target whose result is larger than can be held, and goes on with the others', async () => {
    const small = watch('a');
    const large = watch('b');
    const first = await opened();
    await first.send(change('a/x', 1, [2]));
    const many = Array.from({ length: 20_000 }, (_one, n) => change(`b/${n}`, n, [4]));
    for (let sent = 0; sent < 200_000; sent += many.length) await first.send(...many);
    expect([first.aborted, large.errors, small.errors]).toEqual([true, ['resource-exhausted'], []]);
    const second = await opened();
    expect(second.targets.map((one) => one.targetId)).toEqual([2]);
    await second.send(change('a/x', 1, [2]), current(2, 'R1'), cut());
    expect([small.results, large.results]).toEqual([[[1]], []]);
  });

  it('is tried again when a proxy answers that it knows no such page', async () => {
    const view = watch('a');
    const serve = platform.handler;
    platform.handler = () => new Response('<html>Not found</html>', { status: 404 });
    await platform.advance(0);
    expect([connectionState(db), view.errors]).toEqual(['offline', []]);
    platform.handler = serve;
    await platform.advance(1_000);
    await last().send(change('a/x', 1, [2]), current(2, 'R1'), cut());
    expect(view.results).toEqual([[1]]);
  });

  it('starts a target over when it disagrees with the server about how much there is', async () => {
    const view = watch('a');
    const first = await opened();
    await first.send(change('a/x', 1, [2]), change('a/y', 2, [2]), current(2, 'R1'), cut());
    await first.send({ filter: { targetId: 2, count: 1 } }, cut());
    const second = await opened();
    expect(second).not.toBe(first);
    expect(second.targets[0]).not.toHaveProperty('resumeToken');
    await second.send(change('a/y', 2, [2]), current(2, 'R2'), cut());
    expect(view.results).toEqual([[1, 2], [2]]);
  });

  it('goes on when what is gone is told after the count of what is left', async () => {
    const view = watch('a');
    const stream = await opened();
    await stream.send(change('a/x', 1, [2]), change('a/y', 2, [2]), current(2, 'R1'), cut());
    await stream.send(
      { filter: { targetId: 2, count: 1 } },
      { documentDelete: { document: `${ROOT}/a/x`, removedTargetIds: [2] } },
      current(2, 'R2'),
      cut(),
    );
    expect(streams).toHaveLength(1);
    expect(view.results).toEqual([[1, 2], [2]]);
  });

  it('takes everything anew after RESET', async () => {
    const view = watch('a');
    const stream = await opened();
    await stream.send(change('a/x', 1, [2]), current(2, 'R1'), cut());
    await stream.send(
      { targetChange: { targetChangeType: 'RESET', targetIds: [2] } },
      change('a/z', 3, [2]),
      current(2, 'R2'),
      cut(),
    );
    expect(view.results).toEqual([[1], [3]]);
  });

  it('is lost after two minutes of silence, and resumes', async () => {
    watch('a');
    const first = await opened();
    await first.send(current(2, 'R1'), cut());
    await platform.advance(119_000);
    await first.send(cut());
    await platform.advance(119_000);
    expect(connectionState(db)).toBe('online');
    await platform.advance(1_000);
    expect([first.aborted, connectionState(db)]).toEqual([true, 'offline']);
    await platform.advance(1_000);
    expect(last().targets).toMatchObject([{ resumeToken: 'R1' }]);
  });

  it('is lost when the network swallows its request, and tried again', async () => {
    const view = watch('a');
    const first = await opened();
    await first.send(current(2, 'R1'), cut());
    const serve = platform.handler;
    platform.handler = () => new Promise<Response>(() => undefined);
    watch('b');
    await platform.advance(29_000);
    expect(connectionState(db)).toBe('online');
    await platform.advance(1_000);
    expect(connectionState(db)).toBe('offline');
    platform.handler = serve;
    await platform.advance(1_000);
    await last().send(change('a/x', 1, [2]), current(2, 'R2'), current(4, 'R2'), cut());
    expect(connectionState(db)).toBe('online');
    expect(view.results).toEqual([[], [1]]);
  });

  it('is lost when the token it needs does not come', async () => {
    getToken = () => new Promise(() => undefined);
    watch('a');
    await platform.advance(30_000);
    expect([connectionState(db), streams.length]).toEqual(['offline', 0]);
    getToken = async () => 'ID';
    await platform.advance(1_000);
    expect(streams).toHaveLength(1);
  });

  it('is opened anew when the machine is on line again, though nothing was heard of its loss', async () => {
    watch('a');
    const first = await opened();
    await first.send(current(2, 'R1'), cut());
    platform.goOnline();
    await opened();
    expect([first.aborted, streams.length]).toEqual([true, 2]);
  });
});

describe('the splitter', () => {
  it('finds the elements however the text is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
        fc.array(fc.nat(40)),
        (elements, cuts) => {
          const text = `[${elements.map((one) => JSON.stringify(one)).join('\n,\n')}]`;
          const splitter = new JsonArraySplitter();
          const out: string[] = [];
          let rest = text;
          for (const length of cuts) {
            out.push(...splitter.push(rest.slice(0, length)));
            rest = rest.slice(length);
          }
          out.push(...splitter.push(rest));
          expect(out).toEqual(elements.map((one) => JSON.stringify(one)));
        },
      ),
    );
  });
});

describe('the order of values', () => {
  const ascending: WireValue[] = [
    { nullValue: null },
    { booleanValue: false },
    { booleanValue: true },
    { doubleValue: 'NaN' },
    { doubleValue: '-Infinity' },
    { integerValue: '-1' },
    { doubleValue: 0.5 },
    { integerValue: '9007199254740992' },
    { integerValue: '9007199254740993' },
    { timestampValue: '2026-01-01T00:00:00Z' },
    { timestampValue: '2026-01-01T00:00:00.5Z' },
    { stringValue: '' },
    { stringValue: 'a' },
    { stringValue: '\uffff' },
    { stringValue: '\u{10000}' },
    { bytesValue: 'AQ==' },
    { bytesValue: 'AQI=' },
    { referenceValue: 'projects/p/databases/d/documents/a/__id9__' },
    { referenceValue: 'projects/p/databases/d/documents/a/__id10__' },
    { referenceValue: 'projects/p/databases/d/documents/a/b' },
    { geoPointValue: { latitude: 1 } },
    { geoPointValue: { latitude: 1, longitude: 2 } },
    { arrayValue: {} },
    { arrayValue: { values: [{ integerValue: '1' }] } },
    { mapValue: {} },
    { mapValue: { fields: { a: { integerValue: '1' } } } },
    { mapValue: { fields: { a: { integerValue: '1' }, b: { nullValue: null } } } },
    { mapValue: { fields: { b: { nullValue: null } } } },
  ];

  it('is total over every type', () => {
    ascending.forEach((a, i) => {
      ascending.forEach((b, j) => {
        expect(Math.sign(compareValues(a, b)), `${i} and ${j}`).toBe(Math.sign(i - j));
      });
    });
  });
});
