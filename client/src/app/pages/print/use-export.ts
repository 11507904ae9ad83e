import { useCallback, useEffect, useRef, useState } from 'react';
import { describeError } from '../../../data/server/messages.ts';
import { offerFile } from '../../../ui/download.ts';
import { safeFileName } from '../../../ui/safe-file-name.ts';
import type { CardIssue, ExportRequest, ExportTarget } from '../../../workers/export/export-protocol.ts';
import { createExporter, type Exporter } from '../../../workers/export/exporter.ts';
import { forgetOldExports, holdExport } from './site-files.ts';
import { forgetUnderWay, noteUnderWay, takeInterrupted, type UnderWay } from './under-way.ts';

/** State of an export. */
export type ExportWork =
  | { readonly at: 'idle' }
  | { readonly at: 'running'; readonly done: number; readonly total: number }
  | { readonly at: 'cancelled' }
  /** The page was reloaded or left while it was made. */
  | { readonly at: 'interrupted'; readonly what: UnderWay }
  | {
      readonly at: 'done';
      /** Download address; absent when the export went to a file on disk. */
      readonly url: string | undefined;
      readonly name: string;
      readonly bytes: number;
      readonly pages: number;
      readonly cards: number;
      readonly issues: readonly CardIssue[];
    }
  | { readonly at: 'failed'; readonly why: string };

interface SavePicker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
}

/** True if files can be written straight to the user's disk. */
export const canChooseFile = (): boolean => 'showSaveFilePicker' in window;

/** A request that takes time to plan; it is begun once a file is chosen, for which browsers want a click. */
export type MakeRequest = (signal: AbortSignal) => Promise<ExportRequest>;

export interface Exporting {
  readonly work: ExportWork;
  /** Resolves to whether the export was finished. */
  readonly start: (
    request: ExportRequest | MakeRequest,
    fileName: string,
    toDisk?: boolean,
  ) => Promise<boolean>;
  readonly cancel: () => void;
  readonly exporter: () => Exporter;
}

/** One export at a time, in a worker of its own that ends with the page. */
export function useExport(): Exporting {
  const [work, setWork] = useState<ExportWork>({ at: 'idle' });
  const worker = useRef<Exporter>(undefined);
  const abort = useRef<AbortController>(undefined);
  const url = useRef<string>(undefined);

  const release = useCallback(() => {
    if (url.current) URL.revokeObjectURL(url.current);
    url.current = undefined;
  }, []);
  useEffect(() => {
    void forgetOldExports();
    const what = takeInterrupted();
    if (what) {
      setWork({ at: 'interrupted', what });
      if (what.folder !== undefined) void removeStored(what.folder);
    }
    return () => {
      abort.current?.abort();
      // Whoever turns to another page ends it themselves; the next page must not speak of a reload.
      forgetUnderWay();
      worker.current?.dispose();
      worker.current = undefined;
      release();
    };
  }, [release]);

  const exporter = useCallback(() => {
    worker.current ??= createExporter();
    return worker.current;
  }, []);

  const start = useCallback(
    async (given: ExportRequest | MakeRequest, fileName: string, toDisk = false) => {
      release();
      const name = safeFileName(fileName);
      const controller = new AbortController();
      abort.current = controller;
      try {
        const target = await (toDisk ? chooseTarget(name) : holdExport());
        if (!target) return false;
        setWork({ at: 'running', done: 0, total: 0 });
        noteUnderWay({ name, kind: target.kind });
        const request = typeof given === 'function' ? await given(controller.signal) : given;
        controller.signal.throwIfAborted();
        const { file, ...rest } = await exporter().write(request, target, {
          signal: controller.signal,
          onProgress: ({ done, total }) => setWork({ at: 'running', done, total }),
        });
        if (file) {
          url.current = URL.createObjectURL(file);
          offerFile(url.current, name);
        }
        setWork({ at: 'done', url: url.current, name, ...rest });
        return true;
      } catch (error) {
        setWork(
          controller.signal.aborted ? { at: 'cancelled' } : { at: 'failed', why: describeError(error) },
        );
        return false;
      } finally {
        forgetUnderWay();
      }
    },
    [release, exporter],
  );
  const cancel = useCallback(() => abort.current?.abort(), []);
  return { work, start, cancel, exporter };
}

/** Pictures that a page stored before it went. */
async function removeStored(folder: string): Promise<void> {
  const { removePublicFolder } = await import('../../../data/project/published.ts');
  await removePublicFolder(folder).catch((error) =>
    console.warn('Pictures of an export that was cut short could not be removed.', error),
  );
}

/** Lets the designer choose a file; undefined when they think better of it. */
async function chooseTarget(name: string): Promise<ExportTarget | undefined> {
  try {
    const handle = await (window as SavePicker).showSaveFilePicker?.({ suggestedName: name });
    return handle && { kind: 'disk', handle };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}
