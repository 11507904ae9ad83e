import { Button, Checkbox, TextInput } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Column } from '../../../../../core/scene/card/row.ts';
import type { Layout } from '../../../../../core/scene/layout.ts';
import { MAX_TOKEN_LENGTH } from '../../../../../core/scene/limits.ts';
import { isolated } from '../../../../../core/text/names.ts';
import detail from '../../../../../ui/page/list-and-detail.module.css';
import { Popup, PopupActions } from '../../../../../ui/popups/popup.tsx';
import { type IconPlace, type IconPlaces, iconPlaces, type Writing } from '../../state/table/icon-places.ts';
import type { TableRow } from '../../state/table/use-table.ts';
import css from './dialogs.module.css';
import { BeforeAndAfter } from './version-dialog.tsx';

/** Texts listed one by one. */
const MAX_LISTED = 40;

/** A token without the characters that have a meaning of their own. */
export const cleanToken = (typed: string): string => typed.replace(/[{}*\\]/g, '');

const times = (count: number, one: string, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;

/** Extent of the change, in words. */
export function summaryOf({ places, cards, read }: IconPlaces, rows: number): string {
  if (rows === 0) return 'There is no table beside this layout. Open it from a component to see its cards.';
  const of = read < rows ? `the first ${read} of ${rows} cards` : times(rows, 'card');
  if (places.length === 0) return `It would stand in no text of ${of}.`;
  const icons = places.reduce((sum, place) => sum + place.icons, 0);
  return `It would stand ${times(icons, 'time')}, in ${times(places.length, 'text')} on ${cards} of ${of}.`;
}

function Place({ place, picked, onPick }: { place: IconPlace; picked: boolean; onPick: () => void }) {
  return (
    <li>
      <button type="button" aria-pressed={picked} onClick={onPick}>
        <b>{place.row.name}</b>
        <small>{place.zone}</small>
        <span>
          {place.pieces.map(({ text, icon }, n) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text stay where they are
            icon ? <mark key={n}>{text}</mark> : <span key={n}>{text}</span>,
          )}
        </span>
      </button>
    </li>
  );
}

/** Preview of an icon's places on the real cards, before its token is applied. */
export function IconPlacesDialog({
  layout,
  at,
  rows,
  columns,
  onApply,
  onClose,
}: {
  layout: Layout;
  /** The icon's place among the layout's variables. */
  at: number;
  rows: readonly TableRow[];
  columns: readonly Column[];
  onApply: (writing: Writing) => void;
  onClose: () => void;
}) {
  const icon = layout.variables[at];
  const now = icon?.kind === 'icon' ? icon : undefined;
  const [writing, setWriting] = useState<Writing>({
    token: now?.token ?? '',
    anywhere: now?.anywhere ?? false,
  });
  const tried = useDeferredValue(writing);
  const found = useMemo(
    () => iconPlaces(layout, at, tried, rows, columns),
    [layout, at, tried, rows, columns],
  );
  const [picked, setPicked] = useState<string>();
  if (!now) return null;
  const keyOf = (place: IconPlace) => `${rows.indexOf(place.row)} ${place.zone}`;
  const listed = found.places.slice(0, MAX_LISTED);
  const shown = listed.find((place) => keyOf(place) === picked) ?? listed[0];
  const same = (now.token ?? '') === writing.token && (now.anywhere ?? false) === writing.anywhere;
  return (
    <Popup open onClose={onClose} title={`Where ${isolated(now.name)} would stand`} width={820}>
      <div className={css.writing}>
        <TextInput
          size="xs"
          label="Written as"
          placeholder="[name] or :name:"
          maxLength={MAX_TOKEN_LENGTH}
          value={writing.token ?? ''}
          data-autofocus
          onChange={(event) => setWriting({ ...writing, token: cleanToken(event.currentTarget.value) })}
        />
        <Checkbox
          size="sm"
          label={`Wherever the word ${isolated(now.name)} stands`}
          checked={writing.anywhere ?? false}
          onChange={(event) => setWriting({ ...writing, anywhere: event.currentTarget.checked })}
        />
      </div>
      <p role="status" className={css.summary}>
        {summaryOf(found, rows.length)}
      </p>
      {shown && (
        <div className={detail.columns}>
          <ul className={`${detail.list} ${css.places}`} aria-label="Texts with the icon">
            {listed.map((place) => (
              <Place
                key={keyOf(place)}
                place={place}
                picked={place === shown}
                onPick={() => setPicked(keyOf(place))}
              />
            ))}
            {found.places.length > listed.length && (
              <li className={css.hint}>and {found.places.length - listed.length} more</li>
            )}
          </ul>
          <BeforeAndAfter
            before={found.before}
            after={found.after}
            cells={shown.row.cells}
            labels={['Without', 'With the icon']}
          />
        </div>
      )}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {same ? 'Close' : 'Leave it as it is'}
        </Button>
        <Button
          disabled={same}
          onClick={() => {
            onApply(writing);
            onClose();
          }}
        >
          Write it so
        </Button>
      </PopupActions>
    </Popup>
  );
}
