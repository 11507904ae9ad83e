import { beforeEach, describe, expect, it } from 'vitest';
import {
  connectFunctionsEmulator,
  FunctionsError,
  getFunctions,
  httpsCallable,
  httpsCallableFromURL,
  setExtraToken,
} from './functions.ts';
import { type AppCore, createCore } from './internal/app-core.ts';
import { FakePlatform, json, settle } from './testing/fake-platform.ts';

let platform: FakePlatform;
let core: AppCore;
let count = 0;

beforeEach(() => {
  platform = new FakePlatform();
  core = createCore({ projectId: 'demo', apiKey: 'k' }, `functions-${count++}`, platform);
});

async function failure(call: Promise<unknown>): Promise<FunctionsError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(FunctionsError);
  return error as FunctionsError;
}

const callDemo = (data?: unknown) => httpsCallable(getFunctions(core.app), 'deleteDeck')(data);

describe('a call', () => {
  it('posts {data} to the region and project host form', async () => {
    platform.handler = () => json({ result: { deleted: 3 } });
    const { data } = await callDemo({ deckId: 'd', at: new Date(0), gone: undefined });
    expect(data).toEqual({ deleted: 3 });
    const [request] = platform.requests;
    expect(request?.url).toBe('https://cards.test/us-central1-demo/deleteDeck');
    expect(request?.init.method).toBe('POST');
    expect(request?.json).toEqual({ data: { deckId: 'd', at: '1970-01-01T00:00:00.000Z', gone: null } });
    expect(request?.headers).toEqual({ 'Content-Type': 'application/json' });
  });

  it('sends null when there is no payload', async () => {
    platform.handler = () => json({ data: null });
    await callDemo();
    expect(platform.requests[0]?.json).toEqual({ data: null });
  });

  it('sends every token there is', async () => {
    core.authTokens = { getToken: async () => 'ID', onChange: () => () => undefined };
    setExtraToken('messaging', async () => 'MSG', core.app);
    setExtraToken('appCheck', async () => 'APP', core.app);
    platform.handler = () => json({ data: 1 });
    await callDemo();
    expect(platform.requests[0]?.headers).toEqual({
      'Content-Type': 'application/json',
      Authorization: 'Bearer ID',
      'Firebase-Instance-ID-Token': 'MSG',
      'X-Firebase-AppCheck': 'APP',
    });
  });

  it('goes on without a token that cannot be had', async () => {
    setExtraToken('messaging', () => Promise.reject(new Error('refused')), core.app);
    setExtraToken('appCheck', async () => null, core.app);
    core.authTokens = { getToken: () => Promise.reject(new Error('down')), onChange: () => () => undefined };
    platform.handler = () => json({ data: 1 });
    await expect(callDemo()).resolves.toEqual({ data: 1 });
    expect(platform.requests[0]?.headers).toEqual({ 'Content-Type': 'application/json' });
  });

  it('sends no token that was taken away', async () => {
    setExtraToken('messaging', async () => 'MSG', core.app);
    setExtraToken('messaging', null, core.app);
    platform.handler = () => json({ data: 1 });
    await callDemo();
    expect(platform.requests[0]?.headers).toEqual({ 'Content-Type': 'application/json' });
  });

  it('prefers data, falls back to result, and decodes long integers', async () => {
    platform.handler = () => json({ data: 1, result: 2 });
    expect((await callDemo()).data).toBe(1);
    const long = { '@type': 'type.googleapis.com/google.protobuf.Int64Value', value: '123' };
    platform.handler = () => json({ result: [{ n: long }] });
    expect((await callDemo()).data).toEqual([{ n: 123 }]);
  });

  it.each([
    ['a region', 'europe-west1', 'https://cards.test/europe-west1-demo/deleteDeck'],
    ['a domain', 'https://fn.example/', 'https://fn.example/deleteDeck'],
  ])('takes %s', async (_, where, url) => {
    platform.handler = () => json({ data: 1 });
    await httpsCallable(getFunctions(core.app, where), 'deleteDeck')();
    expect(platform.requests[0]?.url).toBe(url);
  });

  it('takes an emulator and a whole URL', async () => {
    platform.handler = () => json({ data: 1 });
    const functions = getFunctions(core.app);
    connectFunctionsEmulator(functions, 'localhost', 5001);
    await httpsCallable(functions, 'deleteDeck')();
    await httpsCallableFromURL(functions, 'https://a.test/f')();
    expect(platform.requests.map((one) => one.url)).toEqual([
      'http://localhost:5001/demo/us-central1/deleteDeck',
      'https://a.test/f',
    ]);
  });
});

describe('errors', () => {
  it.each([
    [400, 'invalid-argument'],
    [401, 'unauthenticated'],
    [403, 'permission-denied'],
    [404, 'not-found'],
    [409, 'aborted'],
    [429, 'resource-exhausted'],
    [499, 'cancelled'],
    [500, 'internal'],
    [501, 'unimplemented'],
    [503, 'unavailable'],
    [504, 'deadline-exceeded'],
    [302, 'unknown'],
    [418, 'unknown'],
    [599, 'unknown'],
  ])('HTTP %i without a body is %s', async (status, code) => {
    platform.handler = () => new Response('<html>', { status });
    const error = await failure(callDemo());
    expect(error.code).toBe(`functions/${code}`);
    expect(error.message).toBe(code);
  });

  it('no reply (HTTP 0) is internal', async () => {
    platform.handler = () => {
      throw new TypeError('Failed to fetch');
    };
    const error = await failure(callDemo());
    expect([error.code, error.message]).toEqual(['functions/internal', 'internal']);
  });

  it.each([
    ['CANCELLED', 'cancelled'],
    ['UNKNOWN', 'unknown'],
    ['INVALID_ARGUMENT', 'invalid-argument'],
    ['DEADLINE_EXCEEDED', 'deadline-exceeded'],
    ['NOT_FOUND', 'not-found'],
    ['ALREADY_EXISTS', 'already-exists'],
    ['PERMISSION_DENIED', 'permission-denied'],
    ['UNAUTHENTICATED', 'unauthenticated'],
    ['RESOURCE_EXHAUSTED', 'resource-exhausted'],
    ['FAILED_PRECONDITION', 'failed-precondition'],
    ['ABORTED', 'aborted'],
    ['OUT_OF_RANGE', 'out-of-range'],
    ['UNIMPLEMENTED', 'unimplemented'],
    ['INTERNAL', 'internal'],
    ['UNAVAILABLE', 'unavailable'],
    ['DATA_LOSS', 'data-loss'],
  ])('status %s is %s, whatever the HTTP status', async (status, code) => {
    for (const http of [200, 400, 500]) {
      platform.handler = () => json({ error: { status, message: 'why', details: { row: 3 } } }, http);
      const error = await failure(callDemo());
      expect([error.code, error.message, error.details]).toEqual([`functions/${code}`, 'why', { row: 3 }]);
    }
  });

  it('status OK in an error body is success with the body', async () => {
    platform.handler = () => json({ error: { status: 'OK' }, data: 5 });
    expect((await callDemo()).data).toBe(5);
  });

  it('a status nobody knows is internal', async () => {
    platform.handler = () => json({ error: { status: 'TEAPOT', message: 'short' } }, 400);
    const error = await failure(callDemo());
    expect([error.code, error.message]).toEqual(['functions/internal', 'internal']);
  });

  it('an error without a status takes the code of the HTTP status', async () => {
    platform.handler = () => json({ error: { message: 'no such deck' } }, 404);
    const error = await failure(callDemo());
    expect([error.code, error.message]).toEqual(['functions/not-found', 'no such deck']);
  });

  it.each(['not json', '[1]', 'null', '"text"'])(
    'a success that is no JSON object (%s) says so',
    async (body) => {
      platform.handler = () => new Response(body);
      const error = await failure(callDemo());
      expect([error.code, error.message]).toEqual([
        'functions/internal',
        'Response is not valid JSON object.',
      ]);
    },
  );

  it('a success without data says so', async () => {
    platform.handler = () => json({ ok: true });
    const error = await failure(callDemo());
    expect([error.code, error.message]).toEqual(['functions/internal', 'Response is missing data field.']);
  });
});

describe('the timeout', () => {
  const never = () => new Promise<Response>(() => undefined);

  it.each([
    ['by default', undefined, 70_000],
    ['as asked', 1_500, 1_500],
  ])('%s ends the call with deadline-exceeded', async (_, timeout, ms) => {
    platform.handler = never;
    const options = timeout === undefined ? {} : { timeout };
    const pending = failure(httpsCallable(getFunctions(core.app), 'slow', options)());
    let done = false;
    void pending.then(() => {
      done = true;
    });
    await platform.advance(ms - 1);
    expect(done).toBe(false);
    await platform.advance(1);
    const error = await pending;
    expect(error.code).toBe('functions/deadline-exceeded');
    expect(platform.requests[0]?.init.signal?.aborted).toBe(true);
  });

  it('leaves no timer behind', async () => {
    platform.handler = () => json({ data: 1 });
    await callDemo();
    await settle();
    expect(platform.waits).toEqual([]);
  });
});
