import type { Found, Search } from '../../core/table/find.ts';
import { inLimitedWorker } from '../limited.ts';
import type { FindMethods } from './find-protocol.ts';

/** Time limit of a pattern over a table, in milliseconds: some would run for ever. */
export const FIND_TIME_LIMIT_MS = 4_000;

/** Searches in a worker, which is terminated when the pattern takes too long. */
export function find(
  cells: readonly string[],
  search: Search,
  replacement?: string,
  worker: Worker = startFindWorker(),
): Promise<readonly Found[]> {
  const late = () => new Error('This pattern takes too long over these cells. Make it simpler.');
  return inLimitedWorker<FindMethods, readonly Found[]>(worker, { ms: FIND_TIME_LIMIT_MS, late }, (caller) =>
    caller.call('find', { cells, search, ...(replacement !== undefined && { replacement }) }),
  );
}

function startFindWorker(): Worker {
  const url = __WORKER_URLS__.find;
  if (!url) throw new Error('The build has no find worker.');
  return new Worker(url, { type: 'module', name: 'find' });
}
