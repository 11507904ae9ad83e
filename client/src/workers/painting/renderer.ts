import { EMPTY_LIBRARY, type ImageLibrary } from '../../core/images/library.ts';
import type { Encoding, Painting } from '../../core/imposition/images/painting.ts';
import type { GroupSizes } from '../../core/layout/group-sizes.ts';
import type { Column, Row } from '../../core/scene/card/row.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { Caller, type Endpoint } from '../rpc.ts';
import { readyLibrary } from '../sources/library.ts';
import type { PaintingIssue, RenderMethods, RenderReply, RenderRequest } from './protocol.ts';

export interface RenderOptions {
  readonly pxPerMm: number;
  readonly columns?: readonly Column[];
  readonly images?: ReadonlyMap<string, Blob>;
  readonly bleed?: boolean;
  readonly clipToTrim?: boolean;
  readonly signal?: AbortSignal;
}

export interface Renderer {
  /** A bitmap of one card; the caller closes it. */
  renderCard(layout: Layout, row: Row, options: RenderOptions): Promise<ImageBitmap>;
  /** The same with the card's issues, and the library it was painted with. */
  render(
    layout: Layout,
    row: Row,
    options: RenderOptions,
  ): Promise<RenderReply & { readonly library: ImageLibrary }>;
  /** Sizes of the texts that have one size on all rows of a project. */
  fitGroups(
    layout: Layout,
    rows: readonly Row[],
    columns: readonly Column[],
    signal?: AbortSignal,
  ): Promise<GroupSizes>;
  /** A bitmap of a painting; the caller closes it. */
  renderPainting(
    painting: Painting,
    options?: { readonly images?: ReadonlyMap<string, Blob>; readonly signal?: AbortSignal },
  ): Promise<ImageBitmap>;
  /** A painting as the bytes of a file. */
  encodePainting(
    painting: Painting,
    encoding: Encoding,
    options?: { readonly images?: ReadonlyMap<string, Blob>; readonly signal?: AbortSignal },
  ): Promise<{ readonly bytes: Uint8Array; readonly issues: readonly PaintingIssue[] }>;
  /** Ends the workers. */
  dispose(): void;
}

/** Most workers: more gain nothing on usual machines and cost memory each. */
const MAX_WORKERS = 4;

/** @param workers by default one per core but one, four at most */
export function createRenderer(workers: readonly Worker[] = startRenderWorkers()): Renderer {
  const callers = workers.map((worker) => new Caller<RenderMethods>(worker as unknown as Endpoint));
  /** Images last sent to each worker: sent with every card, each would be decoded every time. */
  const given = new WeakMap<Caller<RenderMethods>, ReadonlyMap<string, Blob>>();
  const libraries = new WeakMap<Caller<RenderMethods>, ImageLibrary>();
  const pick = async (images: ReadonlyMap<string, Blob> | undefined, signal: AbortSignal | undefined) => {
    const library = await readyLibrary();
    signal?.throwIfAborted();
    const caller = leastBusy(callers);
    if ((libraries.get(caller) ?? EMPTY_LIBRARY) !== library) {
      libraries.set(caller, library);
      caller.call('takeLibrary', library.images).catch(() => undefined);
    }
    if (images && given.get(caller) !== images) {
      given.set(caller, images);
      // It fails only with the worker, and then the following call rejects too.
      caller.call('takeImages', images).catch(() => undefined);
    }
    return { caller, library };
  };
  const render: Renderer['render'] = async (layout, row, { signal, images, ...options }) => {
    const request: RenderRequest = { layout, row, ...options };
    const { caller, library } = await pick(images, signal);
    return { ...(await caller.call('renderCard', request, { signal })), library };
  };
  return {
    render,
    async renderCard(layout, row, options) {
      return (await render(layout, row, options)).bitmap;
    },
    async fitGroups(layout, rows, columns, signal) {
      const { caller } = await pick(undefined, signal);
      return caller.call('fitGroups', { layout, rows, columns }, { signal });
    },
    async renderPainting(painting, { signal, images } = {}) {
      const { caller } = await pick(images, signal);
      return (await caller.call('renderPainting', { painting }, { signal })).bitmap;
    },
    async encodePainting(painting, encoding, { signal, images } = {}) {
      const { caller } = await pick(images, signal);
      return caller.call('encodePainting', { painting, encoding }, { signal });
    },
    dispose() {
      for (const worker of workers) worker.terminate();
      for (const caller of callers) caller.fail(new DOMException('The renderer was closed.', 'AbortError'));
    },
  };
}

function leastBusy(callers: readonly Caller<RenderMethods>[]): Caller<RenderMethods> {
  const [first] = callers;
  if (!first) throw new Error('The renderer has no worker.');
  return callers.reduce((least, next) => (next.busy < least.busy ? next : least), first);
}

function startRenderWorkers(): Worker[] {
  const url = __WORKER_URLS__.render;
  if (!url) throw new Error('The build has no render worker.');
  const count = Math.max(1, Math.min(MAX_WORKERS, (navigator.hardwareConcurrency || 2) - 1));
  return Array.from(
    { length: count },
    (_, index) => new Worker(url, { type: 'module', name: `render ${index + 1}` }),
  );
}
