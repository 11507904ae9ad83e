import type { Act, Handle, SeatNo, Shown } from '../../../../core/play/protocol/messages.ts';
import type { Placed } from '../../../../core/play/view/arrange.ts';
import { handOf, type TableView } from '../../../../core/play/view/view.ts';
import type { Outcome } from '../../../../data/play/connection.ts';

/** Windows over the table that ask for something. */
export type Asked =
  | { readonly ask: 'note'; readonly note?: Handle; readonly text: string }
  | { readonly ask: 'remark'; readonly pieces: readonly Handle[] }
  | { readonly ask: 'deal'; readonly from: Handle; readonly most: number }
  | { readonly ask: 'value'; readonly pieces: readonly Handle[]; readonly value: number }
  | { readonly ask: 'name'; readonly name: string }
  | { readonly ask: 'set-up' }
  | { readonly ask: 'end' }
  | { readonly ask: 'feedback' }
  | { readonly ask: 'buttons' }
  | { readonly ask: 'edit-set-up' }
  | { readonly ask: 'places' }
  | { readonly ask: 'shortcuts' };

/** The view on the table: zoom and place. */
export interface Eye {
  zoom(factor: number): void;
  fit(): void;
  pan(dx: number, dy: number): void;
  /** A place where a piece of this size lies on nothing but boards and areas, in sight. */
  freeSpot(w: number, h: number): { readonly x: number; readonly y: number };
}

/** The table, and what commands act on. */
export interface PlayContext {
  readonly view: TableView;
  readonly placed: readonly Placed[];
  readonly connected: boolean;
  /** Selected pieces; while there are none, the one under the pointer. */
  readonly targets: readonly Handle[];
  /** Takes the last own act back; undefined while there is none. */
  readonly undo: (() => void) | undefined;
  /** True at a table of the sample game, which belongs to nobody's project. */
  readonly isSample: boolean;
  /** The own seats: one looks from one of them. */
  readonly seats: readonly SeatNo[];
  /** Looks from another of them. */
  look(seat: SeatNo): void;
  /** Shows everybody a place. */
  ping(x: number, y: number): void;
  readonly eye: Eye;
  /** Sends an act; a refusal is shown. */
  act(act: Act): Promise<Outcome>;
  ask(question: Asked): void;
  select(handles: readonly Handle[]): void;
  openMenu(): void;
}

/** Pieces that are targets, with their looks. */
export function targetsOf({ targets, view }: PlayContext): readonly (readonly [Handle, Shown])[] {
  return targets.flatMap((handle) => {
    const shown = view.pieces.get(handle);
    return shown ? [[handle, shown] as const] : [];
  });
}

/** The one container that is meant: the target itself, or the pile that its target is the top of. */
export function containerOf(context: PlayContext): readonly [Handle, Shown] | undefined {
  const found = targetsOf(context);
  const [only] = found;
  return found.length === 1 && only?.[1].container ? only : undefined;
}

export const ownHand = ({ view }: PlayContext): Handle | undefined => handOf(view.pieces, view.seat);

/** True if the own seat leads the table. */
export function leads({ view: { table, seat } }: Pick<PlayContext, 'view'>): boolean {
  const role = seat === null ? undefined : table.seats[String(seat)]?.role;
  return role === 'host' || role === 'cohost';
}

/** True if the own seat may change the table: its buttons, its set-up, and who sees its places. */
export const mayEdit = (context: Pick<PlayContext, 'view'>): boolean =>
  leads(context) || (context.view.seat !== null && context.view.table.settings.rights.edit);

/** Reason for which nothing can be done at the table at all. */
export function idleReason({ view, connected }: PlayContext): string | undefined {
  if (view.table.ended) return 'The game has ended.';
  if (view.seat === null) return 'Take a seat to play; observers only watch.';
  return connected ? undefined : 'There is no connection to the table right now.';
}

/** Reason for which the targets cannot be moved, turned or changed; the server's rules, told beforehand. */
export function touchReason(context: PlayContext): string | undefined {
  const idle = idleReason(context);
  if (idle) return idle;
  const found = targetsOf(context);
  if (found.length === 0) return 'Select a piece first.';
  if (found.some(([, shown]) => shown.locked)) return 'That piece is locked. Unlock it first.';
  if (found.some(([, { container }]) => container?.kind === 'hand')) return 'A hand stays at its seat.';
  const { view } = context;
  const isOwn = ({ holder }: Shown) =>
    holder !== undefined && view.pieces.get(holder)?.container?.owner === view.seat;
  if (!view.table.settings.rights.move_all && !leads(context) && !found.every(([, shown]) => isOwn(shown))) {
    return 'At this table, players move only their own pieces.';
  }
  return undefined;
}

/** Seats other than the own one that somebody sits on. */
export function otherSeats({ view: { table, seat } }: Pick<PlayContext, 'view'>): readonly SeatNo[] {
  return Object.entries(table.seats)
    .filter(([no, { taken }]) => taken && Number(no) !== seat)
    .map(([no]) => Number(no));
}
