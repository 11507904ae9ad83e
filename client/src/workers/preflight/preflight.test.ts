import { afterEach, expect, test, vi } from 'vitest';

let libraryIsReady = (): void => undefined;
vi.mock('../sources/library.ts', () => ({
  readyLibrary: () => new Promise((resolve) => (libraryIsReady = () => resolve({ images: [] }))),
}));

/** A worker that is ready at once, and finds nothing. */
class QuickWorker extends EventTarget {
  constructor() {
    super();
    queueMicrotask(() => this.#say({ ready: true }));
  }
  postMessage({ id }: { id: number }): void {
    queueMicrotask(() => this.#say({ id, result: [] }));
  }
  terminate(): void {}
  #say(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

afterEach(() => vi.unstubAllGlobals());

test('a worker that is ready before the images are known is not waited for in vain', async () => {
  vi.stubGlobal('Worker', QuickWorker);
  vi.stubGlobal('__WORKER_URLS__', { preflight: '/workers/preflight.js' });
  const { preflight } = await import('./preflight.ts');
  const checked = preflight([], [], [], {
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  // The worker has long said that it is ready.
  await new Promise((resolve) => setTimeout(resolve, 0));
  libraryIsReady();
  expect(await checked).toEqual([]);
});
