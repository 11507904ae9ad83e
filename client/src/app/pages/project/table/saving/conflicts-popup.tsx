import { Button } from '@mantine/core';
import { cellAt } from '../../../../../core/records.ts';
import type { Conflict } from '../../../../../data/table/changes/overlay.ts';
import type { CardTable } from '../../../../../data/table/sync/card-table.ts';
import type { TableState } from '../../../../../data/table/sync/table-state.ts';
import { Popup, PopupActions } from '../../../../../ui/popups/popup.tsx';
import css from './conflicts-popup.module.css';

/** Both texts of each cell that somebody else changed while one's own edit waited, to choose from. */
export function ConflictsPopup(props: {
  open: boolean;
  onClose(): void;
  table: CardTable;
  state: TableState;
}) {
  const { open, onClose, table, state } = props;
  const { conflicts } = state;
  const all = (keep: 'mine' | 'theirs') => {
    for (const conflict of conflicts) table.resolveConflict(conflict, keep);
  };
  return (
    <Popup open={open} onClose={onClose} title="Changed here and elsewhere" width={640}>
      <p>
        Somebody else changed {conflicts.length === 1 ? 'this cell' : 'these cells'} before your edit reached
        the server. The table shows the other text. Choose the one to keep.
      </p>
      <ul className={css.list}>
        {conflicts.map((conflict) => (
          <ConflictItem
            key={`${conflict.card}/${conflict.key}`}
            conflict={conflict}
            state={state}
            choose={(keep) => table.resolveConflict(conflict, keep)}
          />
        ))}
      </ul>
      <PopupActions>
        {conflicts.length > 1 && (
          <>
            <Button variant="default" disabled={state.readOnly} onClick={() => all('theirs')}>
              Keep all of the others’
            </Button>
            <Button variant="default" disabled={state.readOnly} onClick={() => all('mine')}>
              Keep all of mine
            </Button>
          </>
        )}
        <Button onClick={onClose}>Decide later</Button>
      </PopupActions>
    </Popup>
  );
}

function ConflictItem(props: {
  conflict: Conflict;
  state: TableState;
  choose(keep: 'mine' | 'theirs'): void;
}) {
  const { conflict, state, choose } = props;
  const { card: id, key, mine } = conflict;
  const card = state.byId.get(id);
  const column = state.component.columns.find((one) => one.key === key)?.name ?? key;
  const place = card ? `card ${state.cards.indexOf(card) + 1}` : 'deleted card';
  const theirs = card && cellAt(card.cells, key);
  const label = `${column}, ${place}`;
  return (
    <li className={css.item}>
      <b>{label}</b>
      <div className={css.texts}>
        <div>
          <span>Yours</span>
          <p>{mine || <i>empty</i>}</p>
          <Button
            size="compact-sm"
            variant="light"
            disabled={state.readOnly}
            aria-label={`Keep my text: ${label}`}
            onClick={() => choose('mine')}
          >
            Keep mine
          </Button>
        </div>
        <div>
          <span>Theirs</span>
          <p>{theirs || <i>{card ? 'empty' : 'deleted'}</i>}</p>
          <Button
            size="compact-sm"
            variant="light"
            disabled={state.readOnly}
            aria-label={`Keep the other text: ${label}`}
            onClick={() => choose('theirs')}
          >
            Keep theirs
          </Button>
        </div>
      </div>
    </li>
  );
}
