import { RulebookError } from '../../core/book/document/error.ts';
import type { DocxBook } from '../../core/book/docx/read.ts';
import { inLimitedWorker } from '../limited.ts';
import type { DocxMethods } from './rulebook-docx-protocol.ts';

/** Time limit for a document, in milliseconds: the largest that fit take some seconds. */
const TIME_LIMIT_MS = 60_000;

/** Reads a Word document in a worker, which is terminated when it takes too long. */
export function readDocxInWorker(bytes: Uint8Array): Promise<DocxBook> {
  const url = __WORKER_URLS__['rulebook-docx'];
  if (!url) throw new Error('The build has no worker for Word documents.');
  const worker = new Worker(url, { type: 'module', name: 'rulebook-docx' });
  const late = () => new RulebookError('It takes too long to read. Divide it into several documents.');
  return inLimitedWorker<DocxMethods, DocxBook>(worker, { ms: TIME_LIMIT_MS, late }, (caller) =>
    caller.call('read', bytes),
  );
}
