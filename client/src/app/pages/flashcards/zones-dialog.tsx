import { Button, Checkbox } from '@mantine/core';
import { EyeOff } from 'lucide-react';
import { useMemo, useState } from 'react';
import { coverable } from '../../../core/learning/covered.ts';
import type { Layout } from '../../../core/scene/layout.ts';
import type { Learning } from '../../../data/learning.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import css from './flashcards.module.css';

/** A button that asks which zones of a layout stay covered until the card is turned. */
export function HideZones({
  front,
  count,
  learning: { hidden, hide, loaded },
}: {
  front: Layout;
  /** Number of covers on the card now. */
  count: number;
  learning: Learning;
}) {
  const [open, setOpen] = useState(false);
  const [failure, setFailure] = useState<string>();
  // The last choice, while it is on its way: another click builds on it.
  const [chosen, setChosen] = useState<readonly string[]>();
  const zones = useMemo(() => coverable(front.zones), [front]);
  const own = new Set(zones.map(({ id }) => id));
  const change = (ids: readonly string[]) => {
    setFailure(undefined);
    // Zones of other layouts stay as they are.
    const all = [...hidden.filter((id) => !own.has(id)), ...ids];
    setChosen(all);
    hide(all).catch((error) => {
      setChosen(undefined);
      setFailure(describeError(error));
    });
  };
  return (
    <>
      <Button
        variant="subtle"
        disabled={!loaded}
        leftSection={<EyeOff size={16} aria-hidden />}
        onClick={() => {
          setChosen(undefined);
          setOpen(true);
        }}
      >
        {count === 0 ? 'Hide zones' : `Hide zones (${count})`}
      </Button>
      <Popup open={open} onClose={() => setOpen(false)} title="Hide zones">
        {failure && <Problem title={failure} />}
        {zones.length === 0 ? (
          <p className={css.quiet}>This layout has no zones.</p>
        ) : (
          <Checkbox.Group
            label="Covered until the card is turned"
            value={(chosen ?? hidden).filter((id) => own.has(id))}
            onChange={change}
          >
            <div className={css.zones}>
              {zones.map(({ id, name, depth }) => (
                <Checkbox key={id} value={id} label={name} style={{ paddingLeft: depth * 20 }} />
              ))}
            </div>
          </Checkbox.Group>
        )}
        <PopupActions>
          <Button variant="subtle" color="gray" disabled={count === 0} onClick={() => change([])}>
            Hide none
          </Button>
          <Button onClick={() => setOpen(false)}>Done</Button>
        </PopupActions>
      </Popup>
    </>
  );
}
