import { Caller, type Endpoint } from '../rpc.ts';
import { readyLibrary } from '../sources/library.ts';
import type {
  ExportMethods,
  ExportProgress,
  ExportReply,
  ExportRequest,
  ExportTarget,
  FingerprintRequest,
  SafeIssue,
  SafeZoneRequest,
} from './export-protocol.ts';

export interface ExportOptions {
  readonly onProgress?: (progress: ExportProgress) => void;
  /** Stops the export: the promise rejects with an `AbortError` at once. */
  readonly signal?: AbortSignal;
}

export interface Exporter {
  /**
   * Makes a file in a worker. Rejects with `ImpositionError` when cards do not fit the page, or with an error naming
   * the font, image or file that could not be made; no partial file is kept.
   */
  write(request: ExportRequest, target: ExportTarget, options?: ExportOptions): Promise<ExportReply>;
  /** Fingerprints of each card's look, by part. */
  fingerprints(request: FingerprintRequest, options?: ExportOptions): Promise<readonly (readonly string[])[]>;
  /** Text that comes too near the trim. */
  safeZone(request: SafeZoneRequest, options?: Pick<ExportOptions, 'signal'>): Promise<readonly SafeIssue[]>;
  /** Ends the worker. */
  dispose(): void;
}

/** A painter takes a few hundred megabytes at high resolutions. */
const GB_PER_PAINTER = 2;
const MAX_PAINTERS = 4;

/** @param worker by default a new export worker of the build */
export function createExporter(
  worker: Worker = startExportWorker(),
  now: () => Date = () => new Date(),
): Exporter {
  const caller = new Caller<ExportMethods>(worker as unknown as Endpoint);
  const withLibrary = async <T extends object>(request: T) => ({
    library: (await readyLibrary()).images,
    ...request,
  });
  return {
    async write(given, target, options = {}) {
      const request = await withLibrary(given);
      const painterUrl = new URL(__WORKER_URLS__.render ?? '', window.location.href).href;
      return caller.call(
        'write',
        { request, target, created: now(), painterUrl, painters: painterCount() },
        options,
      );
    },
    fingerprints: async (request, options = {}) =>
      caller.call('fingerprints', await withLibrary(request), options),
    safeZone: async (request, { signal } = {}) =>
      caller.call('safeZone', await withLibrary(request), { signal }),
    dispose() {
      worker.terminate();
      caller.fail(new DOMException('The exporter was closed.', 'AbortError'));
    },
  };
}

function painterCount(): number {
  const memory = (navigator as Navigator & { deviceMemory?: number }).deviceMemory ?? 4;
  const cores = navigator.hardwareConcurrency || 2;
  return Math.max(1, Math.min(MAX_PAINTERS, cores, Math.floor(memory / GB_PER_PAINTER)));
}

function startExportWorker(): Worker {
  const url = __WORKER_URLS__.export;
  if (!url) throw new Error('The build has no export worker.');
  return new Worker(url, { type: 'module', name: 'export' });
}
