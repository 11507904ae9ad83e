import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Copyable } from '../../../ui/copy/copyable.tsx';
import { Popup } from '../../../ui/popups/popup.tsx';
import css from './chance.module.css';

/** The name of the number, the same at the table and in its replay: people compare the two. */
export const CHANCE = 'Chance of this table';

/** Shows a player the number that binds the table to its secret seed, while the game goes on. */
export function TableChance({ number }: { number: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={css.open} onClick={() => setOpen(true)}>
        <ShieldCheck size={15} aria-hidden /> {CHANCE}
      </button>
      <Popup open={open} onClose={() => setOpen(false)} title={CHANCE} width={540}>
        <p className={css.words}>
          A secret seed decides every shuffle and roll here. This number was made from it before the first act
          and fits no other seed. Keep it: once the game has ended, “Was it fair?” in the replay shows the
          number again and, with open hands, the seed, so that anybody can check that chance was not changed.
        </p>
        <Copyable text={number} noun="number" />
      </Popup>
    </>
  );
}
