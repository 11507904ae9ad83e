import { useCallback, useEffect, useRef, useState } from 'react';
import { describeError } from '../../../data/messages.ts';
import { createExporter, type Exporter } from '../../../workers/exporter.ts';
import type { CardIssue, ExportJob } from '../../../workers/protocol.ts';

/** How an export stands. */
export type ExportWork =
  | { readonly at: 'idle' }
  | { readonly at: 'running'; readonly done: number; readonly total: number }
  | {
      readonly at: 'done';
      readonly url: string;
      readonly name: string;
      readonly pages: number;
      readonly cards: number;
      readonly issues: readonly CardIssue[];
    }
  | { readonly at: 'failed'; readonly why: string };

/** Letters that file systems do not take. */
const UNSAFE = /[\\/:*?"<>|]+/g;

function save(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

/** One export at a time, in a worker of its own that ends with the page. */
export function useExport(): {
  work: ExportWork;
  start: (job: ExportJob, fileName: string) => Promise<void>;
  cancel: () => void;
} {
  const [work, setWork] = useState<ExportWork>({ at: 'idle' });
  const exporter = useRef<Exporter>(undefined);
  const abort = useRef<AbortController>(undefined);
  const url = useRef<string>(undefined);

  const release = useCallback(() => {
    if (url.current) URL.revokeObjectURL(url.current);
    url.current = undefined;
  }, []);
  useEffect(
    () => () => {
      abort.current?.abort();
      exporter.current?.dispose();
      exporter.current = undefined;
      release();
    },
    [release],
  );

  const start = useCallback(
    async (job: ExportJob, fileName: string) => {
      release();
      const controller = new AbortController();
      abort.current = controller;
      setWork({ at: 'running', done: 0, total: 0 });
      try {
        exporter.current ??= createExporter();
        const { blob, ...rest } = await exporter.current.exportPdf(job, {
          signal: controller.signal,
          onProgress: ({ done, total }) => setWork({ at: 'running', done, total }),
        });
        const name = fileName.replace(UNSAFE, ' ').trim();
        url.current = URL.createObjectURL(blob);
        save(url.current, name);
        setWork({ at: 'done', url: url.current, name, ...rest });
      } catch (error) {
        if (controller.signal.aborted) setWork({ at: 'idle' });
        else setWork({ at: 'failed', why: describeError(error) });
      }
    },
    [release],
  );
  const cancel = useCallback(() => abort.current?.abort(), []);
  return { work, start, cancel };
}
