import type { Encoding, Picture } from '../core/imposition/picture.ts';
import type { NamedImages } from './export-protocol.ts';
import type { PictureIssue, RenderMethods } from './protocol.ts';
import { Caller, type Endpoint } from './rpc.ts';

/** Workers that paint and encode pictures, as many at a time as there are workers. */
export class PainterPool {
  readonly #workers: readonly Worker[];
  readonly #callers: readonly Caller<RenderMethods>[];
  /** Images go to each worker once. */
  readonly #given = new WeakSet<Caller<RenderMethods>>();
  readonly #images: NamedImages | undefined;

  constructor(url: string, count: number, images: NamedImages | undefined) {
    this.#workers = Array.from(
      { length: count },
      (_, index) => new Worker(url, { type: 'module', name: `painter ${index + 1}` }),
    );
    this.#callers = this.#workers.map((worker) => new Caller<RenderMethods>(worker as unknown as Endpoint));
    this.#images = images;
  }

  get size(): number {
    return this.#callers.length;
  }

  async encode(
    picture: Picture,
    encoding: Encoding,
    signal: AbortSignal,
  ): Promise<{ bytes: Uint8Array; issues: readonly PictureIssue[] }> {
    const [first] = this.#callers;
    if (!first) throw new Error('No worker paints.');
    const caller = this.#callers.reduce((least, next) => (next.busy < least.busy ? next : least), first);
    const images = this.#images && !this.#given.has(caller) ? { images: this.#images } : {};
    this.#given.add(caller);
    return caller.call('encodePicture', { picture, encoding, ...images }, { signal });
  }

  dispose(): void {
    for (const worker of this.#workers) worker.terminate();
    for (const caller of this.#callers) caller.fail(new DOMException('The export ended.', 'AbortError'));
  }
}
