import { Button } from '@mantine/core';
import { Globe } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { BundleEntry } from '../../../core/imposition/images/painting.ts';
import { IMAGES_PLACEHOLDER, mapStrings } from '../../../core/tabletop/rebase-tool.ts';
import type { TtsSave } from '../../../core/tabletop/save.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { describeError } from '../../../data/server/messages.ts';
import { saveFile } from '../../../ui/download.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { sharedRenderer } from '../../painting/renderer.ts';
import css from './print.module.css';
import { forgetUnderWay, noteUnderWay } from './under-way.ts';

type PaintingEntry = Extract<BundleEntry, { kind: 'painting' }>;

type Publishing =
  | { readonly at: 'idle' }
  | { readonly at: 'cancelled' }
  | { readonly at: 'running'; readonly done: number }
  | { readonly at: 'done'; readonly paintings: number }
  | { readonly at: 'failed'; readonly why: string };

/** Addresses that only this machine or its own network reaches. */
const LOCAL = /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[?::1)/;

/**
 * Stores the pictures on this host, where players reach them without an account by addresses that
 * nobody can guess, and downloads the save with those addresses in it.
 */
export function PublishSave({
  project,
  save,
  paintings,
  fileName,
}: {
  project: Project;
  save: TtsSave;
  paintings: readonly PaintingEntry[];
  fileName: string;
}) {
  const [state, setState] = useState<Publishing>({ at: 'idle' });
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const publish = async () => {
    const controller = new AbortController();
    abort.current = controller;
    setState({ at: 'running', done: 0 });
    let undo: (() => Promise<void>) | undefined;
    try {
      const { newPublicFolder, removePublicFolder } = await import('../../../data/project/published.ts');
      const folder = newPublicFolder(project);
      undo = () => removePublicFolder(folder.path);
      noteUnderWay({ name: fileName, kind: 'host', folder: folder.path });
      const urls = new Map<string, string>();
      for (const [done, { name, painting, encoding }] of paintings.entries()) {
        const { bytes } = await sharedRenderer().encodePainting(painting, encoding, {
          signal: controller.signal,
        });
        urls.set(`${IMAGES_PLACEHOLDER}${name}`, await folder.put(name, bytes, encoding.type));
        controller.signal.throwIfAborted();
        setState({ at: 'running', done: done + 1 });
      }
      const set = mapStrings(save, (text) => urls.get(text) ?? text);
      saveFile(fileName, new Blob([JSON.stringify(set, null, 2)], { type: 'application/json' }));
      setState({ at: 'done', paintings: paintings.length });
    } catch (error) {
      // Stored images are useless without the save.
      await undo?.().catch((refusal) => console.warn('Stored pictures could not be removed.', refusal));
      if (controller.signal.aborted) setState({ at: 'cancelled' });
      else setState({ at: 'failed', why: describeError(error) });
    } finally {
      forgetUnderWay();
    }
  };
  return (
    <div className={css.publish}>
      {state.at === 'running' ? (
        <Button variant="default" onClick={() => abort.current?.abort()}>
          {state.done} of {paintings.length} stored. Cancel
        </Button>
      ) : (
        <Button
          variant="default"
          // With the usual padding the label's last word is cut off.
          px="xs"
          leftSection={<Globe size={16} aria-hidden />}
          onClick={() => void publish()}
        >
          Store pictures here, save JSON
        </Button>
      )}
      {state.at === 'done' && (
        <p role="status" className={css.good}>
          {state.paintings} pictures stored; {fileName} leads to them.
        </p>
      )}
      {state.at === 'cancelled' && (
        <p role="status" className={css.hint}>
          Cancelled. Nothing was saved; the pictures that were stored are removed.
        </p>
      )}
      {state.at === 'failed' && <Problem title="The pictures were not stored.">{state.why}</Problem>}
      {LOCAL.test(window.location.hostname) && (
        <p className={css.hint}>
          This host’s address, {window.location.host}, is reached from this machine or network only: other
          players will see no pictures.
        </p>
      )}
    </div>
  );
}
