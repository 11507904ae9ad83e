import { readyLibrary } from './library.ts';
import { Caller, type Endpoint } from './rpc.ts';
import type {
  OutputProgress,
  OutputRequest,
  RulebookMethods,
  SetReply,
  SetRequest,
} from './rulebook-protocol.ts';

export type PagesRequest = Omit<SetRequest, 'library'>;

/** Sets and paints the pages of one rulebook in a worker of its own. */
export interface RulebookSetter {
  set(request: PagesRequest, signal?: AbortSignal): Promise<SetReply>;
  /** A bitmap of a page that was set last; the caller closes it. */
  paint(page: number, pxPerMm: number, signal?: AbortSignal): Promise<ImageBitmap>;
  /** The bytes of a file, made in a worker that ends with it. */
  write(
    request: Omit<OutputRequest, 'library' | 'created'>,
    options: { readonly signal: AbortSignal; readonly onProgress: (progress: OutputProgress) => void },
  ): Promise<{ readonly bytes: Uint8Array; readonly pages: number }>;
  dispose(): void;
}

function startWorker(name: string): Worker {
  const url = __WORKER_URLS__.rulebook;
  if (!url) throw new Error('The build has no rulebook worker.');
  return new Worker(url, { type: 'module', name });
}

export function createRulebookSetter(now: () => Date = () => new Date()): RulebookSetter {
  const worker = startWorker('rulebook');
  const caller = new Caller<RulebookMethods>(worker as unknown as Endpoint);
  return {
    async set(request, signal) {
      const { images: library } = await readyLibrary();
      signal?.throwIfAborted();
      return caller.call('set', { ...request, library }, { signal });
    },
    paint: (page, pxPerMm, signal) => caller.call('paint', { page, pxPerMm }, { signal }),
    async write(request, options) {
      // The pages on screen go on following the text meanwhile, and cancelling is at once.
      const own = startWorker('rulebook file');
      try {
        const { images: library } = await readyLibrary();
        const writer = new Caller<RulebookMethods>(own as unknown as Endpoint);
        return await writer.call('write', { ...request, library, created: now() }, options);
      } finally {
        own.terminate();
      }
    },
    dispose() {
      worker.terminate();
      caller.fail(new DOMException('The rulebook was closed.', 'AbortError'));
    },
  };
}
