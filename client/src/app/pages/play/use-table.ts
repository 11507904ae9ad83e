import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Act, Handle } from '../../../core/play/messages.ts';
import { needsFlex, setFlexBoxes } from '../../../core/play/table-spaces.ts';
import type { TableView } from '../../../core/play/view.ts';
import { setSharedImages } from '../../../data/images/shared-images.ts';
import type { Connected, Outcome, TableConnection } from '../../../data/play/connection.ts';
import { connectTo } from '../../../data/play/tables.ts';
import { toasts } from '../../../ui/toasts/engine.ts';

/** A refusal is read, not only seen. */
const REFUSAL_MS = 5_000;

/** Verbs whose acts `Ctrl+Z` passes over. */
const NOT_UNDONE = new Set(['undo', 'claim', 'leave', 'mark', 'end', 'peek', 'show', 'search', 'name']);

/** A connection to a table for as long as the page is open. */
export function useConnection(table: string): { connection: TableConnection; connected: Connected } {
  const connection = useMemo(() => connectTo(table), [table]);
  useEffect(() => {
    connection.start();
    return () => connection.stop();
  }, [connection]);
  const connected = useSyncExternalStore(connection.subscribe, connection.snapshot);
  return { connection, connected };
}

/**
 * Acts at the table: refusals are shown, and the own ones are remembered, so that they can be taken back one after the
 * other.
 */
export function useActs(connection: TableConnection): {
  act: (act: Act) => Promise<Outcome>;
  undo: number | undefined;
} {
  const [done, setDone] = useState<readonly number[]>([]);
  const act = useCallback(
    async (asked: Act): Promise<Outcome> => {
      const outcome = await connection.act(asked);
      if (!outcome.ok) {
        toasts.show(outcome.say, { type: 'warning', autoCloseTime: REFUSAL_MS });
        // An act that cannot be taken back is passed over the next time.
        if (asked.verb === 'undo' && outcome.code === 'not-possible') {
          setDone((known) => known.filter((n) => n !== asked['n']));
        }
        return outcome;
      }
      if (asked.verb === 'undo') setDone((known) => known.filter((n) => n !== asked['n']));
      else if (!NOT_UNDONE.has(asked.verb)) setDone((known) => [...known, outcome.n]);
      return outcome;
    },
    [connection],
  );
  return { act, undo: done.at(-1) };
}

/** Loads what puts spaces in flex containers in their places, once a board has such spaces. */
export function useFlexSpaces(view: TableView | undefined): void {
  const common = view?.common;
  useEffect(() => {
    if (!common || !needsFlex(common)) return;
    import('../../../core/layout/flex.ts')
      .then(({ flexBoxes }) => setFlexBoxes((container) => flexBoxes(container, () => undefined)))
      // Pieces rest where they are let go.
      .catch((error) => console.warn('spaces in flex containers cannot be worked out', error));
  }, [common]);
}

/** Lets painters have the pictures that the looks on view carry. */
export function useCarriedPictures(view: TableView | undefined): void {
  const { faces, backs, common } = view ?? {};
  const known = useRef('');
  const pictures = useMemo(() => {
    const looks = [
      ...[...(faces?.values() ?? [])].flatMap(({ sides }) => sides),
      ...[...(backs?.values() ?? [])].flatMap(({ drawn }) => drawn ?? []),
    ];
    return [...(common?.pictures ?? []), ...looks.flatMap(({ pictures: own }) => own ?? [])];
  }, [faces, backs, common]);
  useEffect(() => {
    const text = JSON.stringify(pictures);
    if (text === known.current) return;
    known.current = text;
    // Names mean the table's pictures before one's own.
    setSharedImages(
      'table',
      pictures.map((picture) => ({ ...picture, shelf: 'image' as const, rank: -1 })),
    );
  }, [pictures]);
  useEffect(
    () => () => {
      known.current = '';
      setSharedImages('table', []);
    },
    [],
  );
}

/** The selection, as far as its pieces are still there. */
export function useSelection(view: TableView | undefined) {
  const [chosen, setChosen] = useState<readonly Handle[]>([]);
  const selected = useMemo(() => chosen.filter((handle) => view?.pieces.has(handle)), [chosen, view]);
  return [selected, setChosen] as const;
}
