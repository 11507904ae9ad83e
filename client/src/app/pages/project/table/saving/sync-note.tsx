import { Button } from '@mantine/core';
import { Cloud, CloudOff, CloudUpload, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { describeDelay, describeError } from '../../../../../data/server/messages.ts';
import type { CardTable } from '../../../../../data/table/sync/card-table.ts';
import type { TableState } from '../../../../../data/table/sync/table-state.ts';
import { Popup, PopupActions } from '../../../../../ui/popups/popup.tsx';
import dialogs from '../dialogs/dialogs.module.css';
import css from '../table-toolbar.module.css';
import { ConflictsPopup } from './conflicts-popup.tsx';

const cardsOf = (count: number) => (count === 1 ? '1 card' : `${count} cards`);

/** State of saving, and the actions offered when it fails. */
export function SyncNote({ table, state }: { table: CardTable; state: TableState }) {
  const { sync, stranded, conflicts } = state;
  const [shown, setShown] = useState(false);
  const [deciding, setDeciding] = useState(false);
  return (
    <>
      {stranded.length > 0 && (
        <span className={css.sync} data-at="refused">
          <TriangleAlert size={15} aria-hidden />
          <button type="button" onClick={() => setShown(true)}>
            {cardsOf(stranded.length)} you edited {stranded.length === 1 ? 'was' : 'were'} deleted
          </button>
        </span>
      )}
      {conflicts.length > 0 && (
        <span className={css.sync} data-at="refused">
          <TriangleAlert size={15} aria-hidden />
          <button type="button" onClick={() => setDeciding(true)}>
            {conflicts.length === 1 ? '1 text' : `${conflicts.length} texts`} changed elsewhere, too
          </button>
        </span>
      )}
      <ConflictsPopup
        open={deciding && conflicts.length > 0}
        onClose={() => setDeciding(false)}
        table={table}
        state={state}
      />
      <span className={css.sync} role="status" data-at={sync.at}>
        {sync.at === 'saved' && (
          <>
            <Cloud size={15} aria-hidden /> Saved
          </>
        )}
        {sync.at === 'saving' && (
          <>
            <CloudUpload size={15} aria-hidden /> Saving…
          </>
        )}
        {sync.at === 'offline' && (
          <>
            <CloudOff size={15} aria-hidden /> Offline: {cardsOf(sync.cards)} kept here
          </>
        )}
        {sync.at === 'delayed' && (
          <>
            <CloudUpload size={15} aria-hidden /> {describeDelay(sync.error)}
          </>
        )}
        {sync.at === 'refused' && (
          <>
            <TriangleAlert size={15} aria-hidden /> Not saved: {describeError(sync.error)}{' '}
            <button type="button" onClick={() => table.retry()}>
              Try again
            </button>{' '}
            <button type="button" onClick={() => table.discard()}>
              Discard
            </button>
          </>
        )}
      </span>
      <Popup open={shown} onClose={() => setShown(false)} title="Text of deleted cards" width={560}>
        <p>Somebody deleted these cards while you edited them. This is what you typed:</p>
        <ul className={dialogs.list}>
          {stranded.flatMap(({ card, overlay }) =>
            Object.entries(overlay.cells).map(([key, text]) => (
              <li key={`${card}/${key}`}>
                <b>{state.component.columns.find((column) => column.key === key)?.name ?? key}</b>: {text}
              </li>
            )),
          )}
        </ul>
        <PopupActions>
          <Button
            onClick={() => {
              setShown(false);
              table.dismissStranded();
            }}
          >
            Done
          </Button>
        </PopupActions>
      </Popup>
    </>
  );
}
