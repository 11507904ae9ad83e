import { describe, expect, test } from 'vitest';
import { Caller, type Endpoint, serve } from './rpc.ts';

type Methods = {
  add: { argument: { a: number; b: number }; result: number; progress: number };
  wait: { argument: null; result: string; progress: never };
  fail: { argument: string; result: never; progress: never };
  bytes: { argument: null; result: Uint8Array; progress: never };
};

function start(whenServed: Promise<void> = Promise.resolve()): {
  caller: Caller<Methods>;
  aborted: Promise<unknown>;
  close: () => void;
} {
  const { port1, port2 } = new MessageChannel();
  let onAbort: (reason: unknown) => void;
  const aborted = new Promise<unknown>((resolve) => {
    onAbort = resolve;
  });
  void whenServed.then(() =>
    serve<Methods>(port2 as unknown as Endpoint, {
      add: async ({ a, b }, { progress }) => {
        progress(0.5);
        return { value: a + b, transfer: [] };
      },
      wait: (_argument, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            onAbort('stopped');
            reject(signal.reason);
          });
        }),
      fail: async (message) => {
        throw new RangeError(message);
      },
      bytes: async () => {
        const value = new Uint8Array([1, 2, 3]);
        return { value, transfer: [value.buffer] };
      },
    }),
  );
  const caller = new Caller<Methods>(port1 as unknown as Endpoint);
  return { caller, aborted, close: () => port1.close() };
}

describe('calls into a worker', () => {
  test('bring results, progress and errors with their names', async () => {
    const { caller, close } = start();
    const seen: number[] = [];
    expect(await caller.call('add', { a: 2, b: 3 }, { onProgress: (value) => seen.push(value) })).toBe(5);
    expect(seen).toEqual([0.5]);
    await expect(caller.call('fail', 'too far')).rejects.toMatchObject({
      name: 'RangeError',
      message: 'too far',
    });
    expect(await caller.call('bytes', null)).toEqual(new Uint8Array([1, 2, 3]));
    expect(caller.busy).toBe(0);
    close();
  });

  test('made before the worker is ready are not lost', async () => {
    let serveNow: () => void = () => undefined;
    const served = new Promise<void>((resolve) => {
      serveNow = resolve;
    });
    const { caller, close } = start(served);
    const sum = caller.call('add', { a: 1, b: 1 });
    serveNow();
    expect(await sum).toBe(2);
    close();
  });

  test('stop when cancelled, on both sides', async () => {
    const { caller, aborted, close } = start();
    const controller = new AbortController();
    await caller.call('add', { a: 0, b: 0 });
    const waiting = caller.call('wait', null, { signal: controller.signal });
    // The call goes out in the microtask after the next.
    await Promise.resolve();
    await Promise.resolve();
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    expect(await aborted).toBe('stopped');
    await expect(caller.call('add', { a: 1, b: 1 }, { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    close();
  });

  test('under way when the worker breaks are rejected', async () => {
    const { caller, close } = start();
    const waiting = caller.call('wait', null);
    caller.fail(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    close();
  });
});
