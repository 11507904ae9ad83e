import type { CardIssue, ExportJob, ExportMethods, ExportProgress } from './protocol.ts';
import { Caller, type Endpoint } from './rpc.ts';

export interface ExportOptions {
  readonly onProgress?: (progress: ExportProgress) => void;
  /** Stops the export: the promise rejects with an `AbortError` at once. */
  readonly signal?: AbortSignal;
}

export interface ExportedPdf {
  readonly blob: Blob;
  readonly pages: number;
  /** Cards printed, copies counted. */
  readonly cards: number;
  /** Overflowing text, missing images and the like, card by card. */
  readonly issues: readonly CardIssue[];
}

export interface Exporter {
  /**
   * Makes a PDF in a worker. Rejects with `ImpositionError` when cards do not fit the page, or with
   * an error naming the font or image that could not be read; nothing half-made is kept.
   */
  exportPdf(job: ExportJob, options?: ExportOptions): Promise<ExportedPdf>;
  /** Ends the worker. */
  dispose(): void;
}

/** @param worker by default a new export worker of the build */
export function createExporter(
  worker: Worker = startExportWorker(),
  now: () => Date = () => new Date(),
): Exporter {
  const caller = new Caller<ExportMethods>(worker as unknown as Endpoint);
  return {
    async exportPdf(job, options = {}) {
      const { bytes, ...rest } = await caller.call('exportPdf', { ...job, created: now() }, options);
      return { blob: new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/pdf' }), ...rest };
    },
    dispose() {
      worker.terminate();
      caller.fail(new DOMException('The exporter was closed.', 'AbortError'));
    },
  };
}

function startExportWorker(): Worker {
  const url = __WORKER_URLS__.export;
  if (!url) throw new Error('The build has no export worker.');
  return new Worker(url, { type: 'module', name: 'export' });
}
