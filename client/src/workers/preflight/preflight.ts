import type { Column, Row } from '../../core/scene/card/row.ts';
import type { Finding, Look } from '../../core/table/preflight.ts';
import { Caller, type Endpoint } from '../rpc.ts';
import { readyLibrary } from '../sources/library.ts';
import type { PreflightMethods } from './preflight-protocol.ts';

/** Lays every card out in a worker and returns its problems; the signal terminates the worker. */
export async function preflight(
  looks: readonly Look[],
  rows: readonly Row[],
  columns: readonly Column[],
  {
    sizes,
    ...options
  }: {
    readonly signal: AbortSignal;
    readonly onProgress: (cards: number) => void;
    /** True if the smallest text of each card that was shrunk is told as well. */
    readonly sizes?: boolean;
  },
): Promise<readonly Finding[]> {
  const url = __WORKER_URLS__.preflight;
  if (!url) throw new Error('The build has no preflight worker.');
  const worker = new Worker(url, { type: 'module', name: 'preflight' });
  // At once: a worker that is ready before somebody listens is waited for in vain.
  const caller = new Caller<PreflightMethods>(worker as unknown as Endpoint);
  try {
    const { images: library } = await readyLibrary();
    return await caller.call('check', { looks, rows, columns, library, sizes }, options);
  } finally {
    worker.terminate();
  }
}
