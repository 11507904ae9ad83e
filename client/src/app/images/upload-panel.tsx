import { Button } from '@mantine/core';
import { Check, CircleAlert, CircleSlash, Clock, Pause, Play, RotateCcw, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { fileSize } from '../../data/images/upload/file-kind.ts';
import { isOver, totalsOf, type UploadItem, type UploadState } from '../../data/images/upload/upload-item.ts';
import { uploads, useUploads } from '../../data/images/upload/uploads.ts';
import css from './upload.module.css';

/** Most files listed; the totals count all. */
const MAX_LISTED = 200;

/** Order in the list: what needs a hand first, what is done last. */
const RANK: Readonly<Record<UploadState, number>> = {
  failed: 0,
  working: 1,
  waiting: 2,
  cancelled: 3,
  skipped: 4,
  same: 5,
  done: 6,
};

const WORDS: Readonly<Record<UploadState, string>> = {
  waiting: 'Waiting',
  working: 'Sending',
  done: 'Uploaded',
  same: 'Already in the library',
  skipped: 'Left out',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

const ICONS: Readonly<Record<UploadState, ReactNode>> = {
  waiting: <Clock size={15} aria-hidden />,
  working: <Clock size={15} aria-hidden />,
  done: <Check size={15} aria-hidden />,
  same: <Check size={15} aria-hidden />,
  skipped: <CircleSlash size={15} aria-hidden />,
  failed: <CircleAlert size={15} aria-hidden />,
  cancelled: <CircleSlash size={15} aria-hidden />,
};

const files = (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`;

/** Progress of all uploads and of each; nothing when there are none. */
export function UploadPanel({ collapsed = false }: { collapsed?: boolean }) {
  const { items, paused, trouble, fragile } = useUploads();
  if (items.length === 0) return null;
  const totals = totalsOf(items);
  const over = totals.left === 0;
  const shown = [...items].sort((a, b) => RANK[a.state] - RANK[b.state]).slice(0, MAX_LISTED);
  const queue = uploads();
  const headline = over
    ? [
        totals.finished > 0 && `${files(totals.finished)} uploaded`,
        totals.failed > 0 && `${files(totals.failed)} failed`,
        totals.cancelled > 0 && `${files(totals.cancelled)} cancelled`,
      ]
        .filter(Boolean)
        .join(', ')
    : `${paused ? 'Paused' : 'Uploading'}: ${totals.finished} of ${files(totals.files)}`;
  return (
    <section className={css.panel} aria-label="Uploads">
      <header>
        <div className={css.headline}>
          <strong role="status">{headline}</strong>
          <span>
            {fileSize(totals.sent)} of {fileSize(totals.bytes)}
          </span>
        </div>
        <div className={css.buttons}>
          {!over && !paused && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Pause size={14} aria-hidden />}
              onClick={() => queue.pause()}
            >
              Pause
            </Button>
          )}
          {!over && paused && (
            <Button size="xs" leftSection={<Play size={14} aria-hidden />} onClick={() => queue.resume()}>
              Resume
            </Button>
          )}
          {!over && (
            <Button
              size="xs"
              variant="default"
              leftSection={<X size={14} aria-hidden />}
              onClick={() => queue.cancel()}
            >
              Cancel
            </Button>
          )}
          {over && items.some(({ state, mayRetry }) => state === 'cancelled' || mayRetry) && (
            <Button size="xs" leftSection={<RotateCcw size={14} aria-hidden />} onClick={() => queue.retry()}>
              {totals.failed === 0 ? 'Take up again' : 'Try again'}
            </Button>
          )}
          {over && (
            <Button size="xs" variant="default" onClick={() => queue.clear()}>
              Clear list
            </Button>
          )}
        </div>
      </header>
      <progress
        className={css.progress}
        aria-label="All uploads"
        max={Math.max(1, totals.bytes)}
        value={totals.sent}
      />
      {trouble && !over && <p className={css.trouble}>{trouble}</p>}
      {fragile && (
        <p className={css.trouble}>This browser has no room to keep the files: leave the page open.</p>
      )}
      {!collapsed && (
        <ul className={css.items}>
          {shown.map((item) => (
            <Line key={item.id} item={item} />
          ))}
          {items.length > shown.length && (
            <li className={css.more}>and {items.length - shown.length} more</li>
          )}
        </ul>
      )}
    </section>
  );
}

function Line({ item }: { item: UploadItem }) {
  const queue = uploads();
  return (
    <li data-state={item.state}>
      <span className={css.state}>{ICONS[item.state]}</span>
      <span className={css.path} title={item.path}>
        {item.path}
      </span>
      <span className={css.note} title={item.message}>
        {item.message ?? (item.state === 'working' && item.sent > 0 ? percent(item) : WORDS[item.state])}
      </span>
      {isOver(item) ? (
        item.state === 'failed' || item.state === 'cancelled' ? (
          <button type="button" aria-label={`Try ${item.path} again`} onClick={() => queue.retry(item.id)}>
            <RotateCcw size={14} aria-hidden />
          </button>
        ) : (
          <span />
        )
      ) : (
        <button type="button" aria-label={`Cancel ${item.path}`} onClick={() => queue.cancel(item.id)}>
          <X size={14} aria-hidden />
        </button>
      )}
    </li>
  );
}

const percent = ({ sent, bytes }: UploadItem): string =>
  `${Math.round((100 * sent) / Math.max(1, bytes))} % of ${fileSize(bytes)}`;
