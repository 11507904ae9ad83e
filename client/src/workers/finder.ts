import type { Found, Search } from '../core/table/find.ts';
import type { FindMethods } from './find-protocol.ts';
import { Caller, type Endpoint } from './rpc.ts';

/** A pattern that takes longer over a table is ended: some would run for ever. */
export const FIND_TIME_LIMIT_MS = 4_000;

/** Finds in a worker, which is ended when the pattern takes too long. */
export async function find(
  cells: readonly string[],
  search: Search,
  replacement?: string,
  worker: Worker = startFindWorker(),
): Promise<readonly Found[]> {
  const caller = new Caller<FindMethods>(worker as unknown as Endpoint);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error('This pattern takes too long over these cells. Make it simpler.')),
      FIND_TIME_LIMIT_MS,
    );
  });
  try {
    const call = caller.call('find', { cells, search, ...(replacement !== undefined && { replacement }) });
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}

function startFindWorker(): Worker {
  const url = __WORKER_URLS__.find;
  if (!url) throw new Error('The build has no find worker.');
  return new Worker(url, { type: 'module', name: 'find' });
}
