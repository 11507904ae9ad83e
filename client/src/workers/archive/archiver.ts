import type { ProjectBundle } from '../../core/archive/bundle.ts';
import { Caller, type Endpoint } from '../rpc.ts';
import type { ArchiveMethods, PackProgress } from './archive-protocol.ts';

/** Runs one task in a worker that ends with it; cancelling terminates the worker at once. */
async function inWorker<T>(run: (caller: Caller<ArchiveMethods>) => Promise<T>): Promise<T> {
  const url = __WORKER_URLS__.archive;
  if (!url) throw new Error('The build has no archive worker.');
  const worker = new Worker(url, { type: 'module', name: 'archive' });
  try {
    return await run(new Caller<ArchiveMethods>(worker as unknown as Endpoint));
  } finally {
    worker.terminate();
  }
}

/** A project as one ZIP. The bytes of its images are transferred to the worker. */
export function packProject(
  bundle: ProjectBundle,
  signal: AbortSignal | undefined,
  onProgress: (progress: PackProgress) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  return inWorker((caller) =>
    caller.call('pack', bundle, {
      signal,
      onProgress,
      transfer: bundle.images.map(({ bytes }) => bytes.buffer),
    }),
  );
}

/** The project in a ZIP. Rejects with an error named `ArchiveError` that names its fault. */
export function unpackProject(
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal | undefined,
): Promise<ProjectBundle> {
  return inWorker((caller) => caller.call('unpack', bytes, { signal, transfer: [bytes.buffer] }));
}
