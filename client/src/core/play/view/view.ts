import type { Button } from '../protocol/buttons.ts';
import {
  type BackLook,
  type CommonLook,
  EMPTY_COMMON,
  type FaceLook,
  readBack,
  readCommon,
  readFace,
} from '../protocol/looks.ts';
import type { Handle, Patch, PublicTable, SeatNo, Shown, ShownSet, State } from '../protocol/messages.ts';
import { facesInEach } from './in-language.ts';
import { type LogLine, linesOf } from './log-lines.ts';
import { viewHash } from './view-hash.ts';

/** Most lines of the log that are kept. */
export const MAX_LOG = 500;

/** A table as its server shows it to the own seat. */
export interface TableView {
  readonly epoch: string;
  /** The last entry. */
  readonly n: number;
  /** The own seat; `null` for observers. */
  readonly seat: SeatNo | null;
  /** SHA-256 of the seed of chance, in hexadecimal. */
  readonly commitment: string;
  readonly pieces: ReadonlyMap<Handle, Shown>;
  readonly faces: ReadonlyMap<number, FaceLook>;
  readonly backs: ReadonlyMap<number, BackLook>;
  readonly common: CommonLook;
  readonly table: PublicTable;
  /** The set-up and the sets of the box, for seats that may change the table. */
  readonly setup?: Button;
  readonly sets?: readonly ShownSet[];
  /** Lines of the log since the page was opened, oldest first. */
  readonly log: readonly LogLine[];
}

/** The view that a state shows. Lines of the log stay, since a state has none. */
export function viewOfState(state: State, before?: TableView): TableView {
  return {
    epoch: state.epoch,
    n: state.n,
    seat: state.seat,
    commitment: state.commitment,
    pieces: withChanges(new Map(), state.set),
    faces: withLooks(new Map(), state.faces, readFace),
    backs: withLooks(new Map(), state.backs, readBack),
    common: state.common === undefined ? (before?.common ?? EMPTY_COMMON) : readCommon(state.common),
    table: state.table,
    ...toldOf(state),
    log: before?.log ?? [],
  };
}

export type Patched =
  | { readonly view: TableView }
  /** The patch does not follow on the view, or leads to another one than the server's: all of it is needed. */
  | { readonly fault: 'gap' | 'check' };

/** A patch with what its short form leaves out; undefined if it names a piece that is not on view. */
function inFull(view: TableView, { put, did, ...patch }: Patch): Patch | undefined {
  const set: Record<Handle, Shown | null> = { ...patch.set };
  for (const [handle, [x, y, z]] of Object.entries(put ?? {})) {
    const known = view.pieces.get(handle);
    if (!known) return undefined;
    set[handle] = { ...known, x, y, z };
  }
  if (!did) return put ? { ...patch, set } : patch;
  const pieces = did.map((handle) => {
    const face = set[handle]?.face;
    return { handle, ...(face !== undefined && { face }) };
  });
  return { ...patch, set, say: [{ say: 'moved', pieces }] };
}

/** The view after a patch. */
export function patched(view: TableView, short: Patch): Patched {
  if (short.n !== view.n + 1) return { fault: 'gap' };
  const patch = inFull(view, short);
  if (!patch) return { fault: 'check' };
  const next: TableView = {
    ...view,
    n: patch.n,
    pieces: patch.set ? withChanges(new Map(view.pieces), patch.set) : view.pieces,
    faces: withLooks(view.faces, patch.faces, readFace),
    backs: withLooks(view.backs, patch.backs, readBack),
    common: patch.common === undefined ? view.common : readCommon(patch.common),
    table: patch.table ?? view.table,
    ...toldOf(patch),
  };
  if (patch.check !== undefined && patch.check !== viewHash(next.pieces)) return { fault: 'check' };
  const lines = spokenLines(patch, view, next);
  return { view: { ...next, log: [...next.log, ...lines].slice(-MAX_LOG) } };
}

/** The lines of an entry, in each language of the box. */
function spokenLines(patch: Patch, before: TableView, after: TableView): readonly LogLine[] {
  const lines = linesOf(patch, before, after);
  const spokenBefore = new Map(facesInEach(before));
  const others = facesInEach(after).map(
    ([tag, view]) => [tag, linesOf(patch, spokenBefore.get(tag) ?? before, view)] as const,
  );
  return lines.map((line, at) => {
    const spoken = others.flatMap(([tag, own]): [string, string][] => {
      const text = own[at]?.text;
      return text === undefined || text === line.text ? [] : [[tag, text]];
    });
    return spoken.length === 0 ? line : { ...line, spoken: Object.fromEntries(spoken) };
  });
}

const toldOf = ({ setup, sets }: Pick<State, 'setup' | 'sets'>) => ({
  ...(setup && { setup }),
  ...(sets && { sets }),
});

function withChanges(pieces: Map<Handle, Shown>, set: State['set']): Map<Handle, Shown> {
  for (const [handle, shown] of Object.entries(set ?? {})) {
    if (shown === null) pieces.delete(handle);
    else pieces.set(handle, shown);
  }
  return pieces;
}

function withLooks<T>(
  known: ReadonlyMap<number, T>,
  looks: Readonly<Record<string, string>> | undefined,
  read: (text: string) => T,
): ReadonlyMap<number, T> {
  if (!looks) return known;
  const next = new Map(known);
  for (const [no, text] of Object.entries(looks)) next.set(Number(no), read(text));
  return next;
}

/** The hand of a seat. */
export function handOf(pieces: ReadonlyMap<Handle, Shown>, seat: SeatNo | null): Handle | undefined {
  for (const [handle, { container }] of pieces) {
    if (seat !== null && container?.kind === 'hand' && container.owner === seat) return handle;
  }
  return undefined;
}
