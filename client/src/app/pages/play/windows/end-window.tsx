import { Button, Checkbox, NumberInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import { MAX_TEXT, MAX_VALUE } from '../../../../core/play/protocol/limits.ts';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import { DANGER } from '../../../../ui/theme/theme.ts';
import type { PlayContext } from '../commands/play-context.ts';
import css from '../people/people.module.css';
import { SeatBadge } from '../people/seat-badge.tsx';

/** Ends the game, with who won and what everybody made. */
export function EndWindow({ context, onClose }: { context: PlayContext; onClose: () => void }) {
  const [result, setResult] = useState('');
  const [winners, setWinners] = useState<ReadonlySet<number>>(new Set());
  const [points, setPoints] = useState<ReadonlyMap<number, number>>(new Map());
  const [busy, setBusy] = useState(false);
  const seats = Object.entries(context.view.table.seats)
    .filter(([, { taken }]) => taken)
    .map(([no, seat]) => ({ no: Number(no), ...seat }));
  const end = async () => {
    setBusy(true);
    const { ok } = await context.act({
      verb: 'end',
      result: result.trim(),
      winners: [...winners],
      points: [...points],
    });
    setBusy(false);
    if (ok) onClose();
  };
  return (
    <Popup open onClose={onClose} title="End the game?" width={480}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void end();
        }}
      >
        <fieldset className={css.results}>
          <legend>
            {context.isSample ? 'Who won (optional)' : 'Who won, for the statistics (optional)'}
          </legend>
          {seats.map(({ no, name, colour }) => (
            <div key={no} className={css.result}>
              <SeatBadge seat={no} colour={colour} />
              <Checkbox
                label={name}
                checked={winners.has(no)}
                onChange={({ currentTarget: { checked } }) =>
                  setWinners(
                    (known) => new Set(checked ? [...known, no] : [...known].filter((one) => one !== no)),
                  )
                }
              />
              <NumberInput
                aria-label={`Points of ${name}`}
                placeholder="Points"
                size="sm"
                w={120}
                min={-MAX_VALUE}
                max={MAX_VALUE}
                allowDecimal={false}
                value={points.get(no) ?? ''}
                onChange={(value) =>
                  setPoints((known) => {
                    const next = new Map(known);
                    if (typeof value === 'number') next.set(no, value);
                    else next.delete(no);
                    return next;
                  })
                }
              />
            </div>
          ))}
        </fieldset>
        <Textarea
          label="Result, for the log (optional)"
          rows={3}
          mb="md"
          maxLength={MAX_TEXT}
          data-autofocus
          value={result}
          onChange={({ currentTarget: { value } }) => setResult(value)}
        />
        <PopupActions>
          <Button variant="subtle" color="gray" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color={DANGER} loading={busy}>
            End the game
          </Button>
        </PopupActions>
      </form>
    </Popup>
  );
}
