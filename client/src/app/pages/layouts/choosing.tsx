import { X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { NamedThings } from '../../transfers/carry-out.ts';
import { TransferButtons } from '../../transfers/transfer-buttons.tsx';
import { type Transfers, useTransfers } from '../../transfers/use-transfers.tsx';
import { countedThings } from '../../transfers/words.ts';
import css from './layouts.module.css';
import type { Shelf, Shelved } from './shelf.ts';

/** Layouts of one shelf as things to copy or move. */
const thingsOf = (shelf: Shelf, layouts: readonly Shelved['layout'][]): NamedThings => ({
  kind: 'layouts',
  from: shelf.project ? { project: shelf.project.id } : {},
  ids: layouts.map(({ id }) => id),
  names: new Map(layouts.map(({ id, name }) => [id, name])),
  mayMove: shelf.mayEdit,
});

/** The layouts that are chosen, all of one shelf: choosing on another one begins anew there. */
export interface Choosing {
  /** Some are. */
  readonly any: boolean;
  readonly has: (one: Shelved) => boolean;
  readonly toggle: (one: Shelved) => void;
  /** Things that a drag of a layout drags: all that are chosen, if it is. */
  readonly dragged: (one: Shelved) => NamedThings;
  readonly transfers: Transfers;
  /** Buttons for those that are chosen, and the questions that they ask. */
  readonly windows: ReactNode;
}

/** Choice of layouts on a page. @param known all that the page shows: what is gone is chosen no more */
export function useChoosing(known: readonly Shelved[]): Choosing {
  const [chosen, setChosen] = useState<{ readonly path: string; readonly ids: ReadonlySet<string> }>();
  const none = () => setChosen(undefined);
  const transfers = useTransfers(none);
  const pathOf = ({ shelf }: Shelved) => shelf.source.layouts.path;
  const all = known.filter((one) => chosen?.path === pathOf(one) && chosen.ids.has(one.layout.id));
  const [first] = all;
  useEffect(() => {
    if (!first) return;
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) setChosen(undefined);
    };
    document.addEventListener('keydown', leave);
    return () => document.removeEventListener('keydown', leave);
  }, [first]);
  const has = (one: Shelved) =>
    all.some((other) => pathOf(other) === pathOf(one) && other.layout.id === one.layout.id);
  const things =
    first &&
    thingsOf(
      first.shelf,
      all.map(({ layout }) => layout),
    );
  return {
    any: all.length > 0,
    has,
    toggle: (one) => {
      const path = pathOf(one);
      const ids = new Set(chosen?.path === path ? chosen.ids : []);
      if (!ids.delete(one.layout.id)) ids.add(one.layout.id);
      setChosen({ path, ids });
    },
    dragged: (one) => (things && has(one) ? things : thingsOf(one.shelf, [one.layout])),
    transfers,
    windows: (
      <>
        {things && first && (
          <section className={css.bar} aria-label="Chosen layouts">
            <p role="status">
              {countedThings('layouts', all.length)} of{' '}
              {first.shelf.project ? first.shelf.title : 'your library'}
            </p>
            <TransferButtons things={things} transfers={transfers} />
            <button type="button" aria-label="Choose none" onClick={none}>
              <X size={16} aria-hidden />
            </button>
          </section>
        )}
        {transfers.windows}
      </>
    ),
  };
}

/** Asks about one layout: where a copy goes, or where it moves. */
export const askAbout = (
  { copy, move }: Transfers,
  question: 'copy' | 'move',
  { shelf, layout }: Shelved,
): void => (question === 'copy' ? copy : move)(thingsOf(shelf, [layout]));
