import type { Act, Handle, Shown } from '../protocol/messages.ts';
import type { TableView } from './view.ts';

/**
 * Own acts whose outcome does not depend on the server: moves of pieces on the table, and turns. They are shown at once,
 * so that keys pressed quickly build on each other; the server's answer takes their place.
 */

type Pieces = Pick<TableView, 'pieces'>;
type Change = (pieces: Map<Handle, Shown>, handles: readonly Handle[], act: Act) => void;

interface Place {
  readonly surface: number;
  readonly x: number;
  readonly y: number;
}

/** Acts by their verbs, as the server does them (`functions-host/table/src/rules/place.rs`). */
const CHANGES: Readonly<Record<string, Change>> = {
  move: (pieces, handles, act) => {
    const to = act['to'] as Place;
    const lead = pieces.get(handles[0] ?? '');
    if (!lead) return;
    const { x, y } = lead;
    let top = Math.max(0, ...[...pieces.values()].map(({ z, holder }) => (holder === undefined ? z : 0)));
    for (const handle of handles) {
      const piece = pieces.get(handle);
      if (!piece) continue;
      top += 1;
      const turn = act['turn'] as number | undefined;
      const moved = { ...piece, surface: to.surface, x: to.x + piece.x - x, y: to.y + piece.y - y, z: top };
      pieces.set(handle, turn === undefined ? moved : withTurn(moved, turn));
    }
  },
  turn: (pieces, handles, act) => {
    for (const handle of handles) {
      const piece = pieces.get(handle);
      if (piece) pieces.set(handle, withTurn(piece, (piece.turn ?? 0) + (act['by'] as number)));
    }
  },
};

/** A piece at an angle in degrees; 0 is left out, as the server does. */
function withTurn(piece: Shown, turn: number): Shown {
  const { turn: _, ...rest } = piece;
  const angle = ((turn % 360) + 360) % 360;
  return angle === 0 ? rest : { ...rest, turn: angle };
}

/** True if nobody but the own seat decides what an act does. */
export function isForeseen({ pieces }: Pieces, { verb, pieces: handles = [], ...fields }: Act): boolean {
  if (!Object.hasOwn(CHANGES, verb) || handles.length === 0 || fields['face'] !== undefined) return false;
  return handles.every((handle) => {
    const piece = pieces.get(handle);
    // Pieces of a group take others along; those in a pile come out of it.
    return piece && piece.holder === undefined && !piece.locked && piece.group === undefined;
  });
}

/** The view once the server has done these acts, as far as that is foreseen; the same view if nothing is. */
export function foreseen(view: TableView, acts: readonly Act[]): TableView {
  let pieces: Map<Handle, Shown> | undefined;
  for (const act of acts) {
    if (!isForeseen({ pieces: pieces ?? view.pieces }, act)) continue;
    pieces ??= new Map(view.pieces);
    CHANGES[act.verb]?.(pieces, act.pieces ?? [], act);
  }
  return pieces ? { ...view, pieces } : view;
}
