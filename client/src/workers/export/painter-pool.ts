import type { ImageLibrary } from '../../core/images/library.ts';
import type { Encoding, Painting } from '../../core/imposition/images/painting.ts';
import type { PaintingIssue, RenderMethods } from '../painting/protocol.ts';
import { Caller, type Endpoint } from '../rpc.ts';
import type { NamedImages } from './export-protocol.ts';

/** Workers that paint and encode images, as many at a time as there are workers. */
export class PainterPool {
  readonly #workers: readonly Worker[];
  readonly #callers: readonly Caller<RenderMethods>[];
  /** Library and images that each worker has: each is sent once. */
  readonly #libraries = new WeakMap<Caller<RenderMethods>, ImageLibrary>();
  readonly #given = new WeakMap<Caller<RenderMethods>, NamedImages>();

  constructor(url: string, count: number) {
    this.#workers = Array.from(
      { length: count },
      (_, index) => new Worker(url, { type: 'module', name: `painter ${index + 1}` }),
    );
    this.#callers = this.#workers.map((worker) => new Caller<RenderMethods>(worker as unknown as Endpoint));
  }

  get size(): number {
    return this.#callers.length;
  }

  async encode(
    painting: Painting,
    encoding: Encoding,
    { images, library }: { readonly images: NamedImages | undefined; readonly library: ImageLibrary },
    signal: AbortSignal,
  ): Promise<{ bytes: Uint8Array; issues: readonly PaintingIssue[] }> {
    const [first] = this.#callers;
    if (!first) throw new Error('No worker paints.');
    const caller = this.#callers.reduce((least, next) => (next.busy < least.busy ? next : least), first);
    if (this.#libraries.get(caller) !== library) {
      this.#libraries.set(caller, library);
      // It fails only with the worker, and then the following call rejects too.
      caller.call('takeLibrary', library.images).catch(() => undefined);
    }
    const fresh = images && this.#given.get(caller) !== images ? { images } : {};
    if (images) this.#given.set(caller, images);
    return caller.call('encodePainting', { painting, encoding, ...fresh }, { signal });
  }

  dispose(): void {
    for (const worker of this.#workers) worker.terminate();
    for (const caller of this.#callers) caller.fail(new DOMException('The export ended.', 'AbortError'));
  }
}
