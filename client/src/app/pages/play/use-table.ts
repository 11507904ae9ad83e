import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Act, Handle } from '../../../core/play/protocol/messages.ts';
import { needsFlex, setFlexBoxes } from '../../../core/play/view/table-spaces.ts';
import type { TableView } from '../../../core/play/view/view.ts';
import { setSharedImages } from '../../../data/images/shared-images.ts';
import type { Connected, Outcome, TableConnection } from '../../../data/play/connection.ts';
import { connectTo } from '../../../data/play/tables.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import { type ActsKept, OwnActs } from './own-acts.ts';

/** A refusal is read, not only seen. */
const REFUSAL_MS = 5_000;

/** Shows the reason for which something was not done. One that is shown already starts anew: held keys repeat. */
export function tellRefusal(say: string): void {
  for (const { id, message } of toasts.snapshot()) if (message === say) toasts.close(id);
  toasts.show(say, { type: 'warning', autoCloseTime: REFUSAL_MS });
}

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

/** The entries of a table's own acts as this tab keeps them; a browser that keeps nothing forgets them with the page. */
function keptActs(table: string): ActsKept {
  const key = `table-acts ${table}`;
  return {
    read() {
      try {
        const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
        return Array.isArray(found) ? found.filter((n) => Number.isSafeInteger(n)) : [];
      } catch {
        return [];
      }
    },
    write(entries) {
      try {
        sessionStorage.setItem(key, JSON.stringify(entries));
      } catch {
        // Storage is full or switched off.
      }
    },
  };
}

/** Acts at the table, whose refusals are shown; `undo` takes the last one back, and is missing while there is none. */
export function useActs(
  connection: TableConnection,
  table: string,
): {
  act: (act: Act) => Promise<Outcome>;
  undo: (() => void) | undefined;
} {
  const [canTakeBack, changed] = useState<boolean>();
  const acts = useMemo(() => new OwnActs(connection, changed, keptActs(table)), [connection, table]);
  const shown = useCallback(async <T extends Outcome | undefined>(answer: Promise<T>): Promise<T> => {
    const outcome = await answer;
    if (outcome && !outcome.ok) tellRefusal(outcome.say);
    return outcome;
  }, []);
  const act = useCallback((asked: Act) => shown(acts.act(asked)), [acts, shown]);
  const undo = useCallback(() => void shown(acts.takeBack()), [acts, shown]);
  return { act, undo: (canTakeBack ?? acts.canTakeBack) ? undo : undefined };
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
