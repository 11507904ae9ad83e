import { Button } from '@mantine/core';
import { CircleCheck, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Problem } from '../../../ui/page/page.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import css from './print.module.css';
import type { ExportWork } from './use-export.ts';

/** Most remarks on cards that are listed after an export. */
const MAX_ISSUES_SHOWN = 50;

export function fileSize(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/** Progress and current step of an export. */
export function ExportProgressBar({
  work,
  label,
  onCancel,
}: {
  work: Extract<ExportWork, { at: 'running' }>;
  label: string;
  onCancel: () => void;
}) {
  return (
    <div className={css.progress}>
      <ProgressBar label={label} done={work.done} total={work.total} />
      <p>{work.total ? `${work.done} of ${work.total}` : 'Loading fonts…'}</p>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

/** Result of an export. */
export function ExportResult({
  work,
  summary,
}: {
  work: ExportWork;
  /** Summary of the result, in words. */
  summary: (work: Extract<ExportWork, { at: 'done' }>) => ReactNode;
}) {
  if (work.at === 'failed') {
    return (
      <Problem title="The export failed.">{work.why} Nothing was saved; no unfinished file was left.</Problem>
    );
  }
  if (work.at === 'interrupted') {
    const { name, kind } = work.what;
    return (
      <Problem title="The page was reloaded before the export was finished.">
        {name} was not saved{kind === 'host' && ', and the pictures that were stored are removed'}. Export it
        again.
        {kind === 'disk' && ' Where you chose to save it, an empty file of that name may be left.'}
      </Problem>
    );
  }
  if (work.at === 'cancelled') {
    return (
      <p className={css.hint} role="status">
        Cancelled. Nothing was saved.
      </p>
    );
  }
  if (work.at !== 'done') return null;
  return (
    <div className={css.done} role="status">
      <strong>
        <CircleCheck size={16} aria-hidden /> {summary(work)}
      </strong>
      {work.url ? (
        <Button
          component="a"
          variant="default"
          href={work.url}
          download={work.name}
          leftSection={<Download size={16} aria-hidden />}
          fullWidth
          classNames={{ label: css.fileName }}
        >
          Download {work.name}
        </Button>
      ) : (
        <p>
          Saved as {work.name}, {fileSize(work.bytes)}.
        </p>
      )}
      {work.issues.length > 0 && (
        <details>
          <summary>
            {work.issues.length} {work.issues.length === 1 ? 'remark' : 'remarks'} on cards
          </summary>
          <ul>
            {work.issues.slice(0, MAX_ISSUES_SHOWN).map(({ where, card, issue }) => (
              <li key={`${where}:${card}:${issue.zone}:${issue.code}`}>
                {where}
                {card !== undefined && `, card ${card + 1}`}: {issue.message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
