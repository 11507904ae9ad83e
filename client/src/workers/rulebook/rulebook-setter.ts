import { Caller, type Endpoint } from '../rpc.ts';
import { readyLibrary } from '../sources/library.ts';
import type {
  BookPicture,
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
    options: Following,
  ): Promise<{ readonly bytes: Uint8Array; readonly pages: number }>;
  /** The pictures that a text shows, made in a worker that ends with it. */
  illustrate(request: PagesRequest, options: Following): Promise<readonly BookPicture[]>;
  dispose(): void;
}

interface Following {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: OutputProgress) => void;
}

function startWorker(name: string): Worker {
  const url = __WORKER_URLS__.rulebook;
  if (!url) throw new Error('The build has no rulebook worker.');
  return new Worker(url, { type: 'module', name });
}

/** Works in a worker of its own: the pages on screen go on following the text meanwhile, and cancelling is at once. */
async function alone<T>(
  name: string,
  work: (caller: Caller<RulebookMethods>, library: SetRequest['library']) => Promise<T>,
): Promise<T> {
  const own = startWorker(name);
  const caller = new Caller<RulebookMethods>(own as unknown as Endpoint);
  try {
    const { images } = await readyLibrary();
    return await work(caller, images);
  } finally {
    own.terminate();
  }
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
    write: (request, options) =>
      alone('rulebook file', (writer, library) =>
        writer.call('write', { ...request, library, created: now() }, options),
      ),
    illustrate: (request, options) =>
      alone('rulebook pictures', (painter, library) =>
        painter.call('illustrate', { ...request, library }, options),
      ),
    dispose() {
      worker.terminate();
      caller.fail(new DOMException('The rulebook was closed.', 'AbortError'));
    },
  };
}
