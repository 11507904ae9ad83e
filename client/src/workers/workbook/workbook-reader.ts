import { WorkbookError } from '../../core/table/workbook-error.ts';
import { inLimitedWorker } from '../limited.ts';
import type { WorkbookMethods } from './workbook-protocol.ts';

/** Time limit for a workbook, in milliseconds: the largest that fit take a second or two. */
export const WORKBOOK_TIME_LIMIT_MS = 20_000;

/** Reads a workbook's first sheet in a worker, which is terminated when it takes too long. */
export function readWorkbookInWorker(
  bytes: Uint8Array,
  worker: Worker = startWorkbookWorker(),
): Promise<readonly (readonly string[])[]> {
  const late = () =>
    new WorkbookError('This workbook takes too long to read. Save the sheet you need as CSV.');
  return inLimitedWorker<WorkbookMethods, readonly (readonly string[])[]>(
    worker,
    { ms: WORKBOOK_TIME_LIMIT_MS, late },
    (caller) => caller.call('read', bytes),
  );
}

function startWorkbookWorker(): Worker {
  const url = __WORKER_URLS__.workbook;
  if (!url) throw new Error('The build has no workbook worker.');
  return new Worker(url, { type: 'module', name: 'workbook' });
}
