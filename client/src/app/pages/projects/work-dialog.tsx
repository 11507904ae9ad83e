import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ProjectProgress, ProjectWork } from '../../../data/project/transfer/read-project.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import css from './projects.module.css';

/** Something that takes a while and can be called off. */
export interface LongWork {
  readonly title: string;
  readonly run: (work: ProjectWork) => Promise<void>;
}

/** Runs a piece of work as soon as it is given, shows how far it is, and lets it be cancelled. */
export function WorkDialog({ work, onClose }: { work: LongWork | undefined; onClose: () => void }) {
  const [progress, setProgress] = useState<ProjectProgress>();
  const [failure, setFailure] = useState<string>();
  const [stopping, setStopping] = useState(false);
  const abort = useRef<AbortController>(undefined);
  const title = useRef('');
  if (work) title.current = work.title;
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    if (!work) return;
    const controller = new AbortController();
    abort.current = controller;
    setProgress(undefined);
    setFailure(undefined);
    setStopping(false);
    work.run({ onProgress: setProgress, signal: controller.signal }).then(
      () => close.current(),
      (error) => {
        if (controller.signal.aborted) close.current();
        else setFailure(describeError(error));
      },
    );
  }, [work]);

  const share = progress?.total ? Math.round((100 * progress.done) / progress.total) : 0;
  return (
    <Popup open={work !== undefined} locked title={title.current}>
      {failure ? (
        <Problem title={failure}>Nothing was kept of it.</Problem>
      ) : (
        <div className={css.progress}>
          <ProgressBar label={title.current} done={share} total={100} />
          <p>{stopping ? 'Stopping and tidying up…' : `${progress?.what ?? 'Starting'}…`}</p>
        </div>
      )}
      <PopupActions>
        {failure ? (
          <Button onClick={onClose}>Close</Button>
        ) : (
          <Button
            variant="default"
            disabled={stopping}
            onClick={() => {
              setStopping(true);
              abort.current?.abort();
            }}
          >
            Cancel
          </Button>
        )}
      </PopupActions>
    </Popup>
  );
}
