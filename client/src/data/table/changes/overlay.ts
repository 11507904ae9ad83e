import { cellAt } from '../../../core/records.ts';
import type { Card, Component, WithId } from '../../documents/documents.ts';
import type { CardFieldName, CardFieldValue, Change, ComponentPatch } from './change.ts';

/** Unsaved state of one card: all edits since the last successful commit. */
export interface Overlay {
  /** The card is new (or back again), with these values. */
  readonly add?: Card;
  readonly remove?: true;
  readonly cells: Readonly<Record<string, string>>;
  readonly fields: { readonly [K in CardFieldName]?: CardFieldValue };
  /**
   * By key, the texts that the server may have without anybody else's edit: the one that was first
   * replaced, and those a failed commit may have written. Absent in what older versions kept.
   */
  readonly bases?: Readonly<Record<string, readonly string[]>>;
}

/** A cell that somebody else changed while this window's own text for it waited to be written. */
export interface Conflict {
  readonly card: string;
  readonly key: string;
  /** This window's text. The server has the other one. */
  readonly mine: string;
}

/** Changes by card, and of the component: what is kept until the server has it. Plain JSON. */
export interface Overlays {
  readonly cards: Map<string, Overlay>;
  component: ComponentPatch | undefined;
  /** Texts that were not written because the cell had changed meanwhile; the user decides. */
  conflicts?: readonly Conflict[];
}

export const noOverlays = (): Overlays => ({ cards: new Map(), component: undefined });

const EMPTY: Overlay = { cells: {}, fields: {} };
/** Most texts kept in `bases` for one cell; the first stays, then the newest. */
const MAX_BASES = 16;

/** Adds a change to what is already to be written. */
export function stack(overlays: Overlays, change: Change): void {
  if (change.kind === 'component') {
    overlays.component = { ...overlays.component, ...change.after };
    return;
  }
  const old = overlays.cards.get(change.card) ?? EMPTY;
  overlays.cards.set(change.card, stacked(old, change));
}

function stacked(old: Overlay, change: Exclude<Change, { kind: 'component' }>): Overlay {
  switch (change.kind) {
    case 'cell':
      return {
        ...old,
        cells: { ...old.cells, [change.key]: change.after },
        ...(!old.add && { bases: { [change.key]: [change.before], ...old.bases } }),
      };
    case 'field':
      return { ...old, fields: { ...old.fields, [change.field]: change.after } };
    case 'add':
      return { add: change.value, cells: {}, fields: {} };
    case 'remove':
      return { remove: true, cells: {}, fields: {} };
  }
}

/** Puts `later` over `earlier`, which may have been written: what was typed later stays. */
export function merge(earlier: Overlay | undefined, later: Overlay): Overlay {
  if (!earlier || later.add || later.remove) return later;
  const bases = mergedBases(earlier, later);
  return {
    ...(earlier.add && { add: earlier.add }),
    ...(earlier.remove && { remove: true as const }),
    cells: { ...earlier.cells, ...later.cells },
    fields: { ...earlier.fields, ...later.fields },
    ...(bases && { bases }),
  };
}

/** An overlay whose commit failed: it may have been written all the same. */
export function afterFailedCommit(overlay: Overlay): Overlay {
  const bases = mergedBases(overlay, { cells: {}, fields: {}, bases: overlay.bases ?? {} });
  return overlay.bases && bases ? { ...overlay, bases } : overlay;
}

function mergedBases(earlier: Overlay, later: Overlay): Overlay['bases'] {
  if (earlier.add || (!earlier.bases && !later.bases)) return undefined;
  const bases: Record<string, readonly string[]> = { ...earlier.bases };
  for (const [key, texts] of Object.entries(later.bases ?? {})) {
    const typed = Object.hasOwn(earlier.cells, key) ? [cellAt(earlier.cells, key)] : [];
    const old = earlier.bases && Object.hasOwn(earlier.bases, key) ? earlier.bases[key] : undefined;
    // Edits kept by a version without bases are never compared.
    if (typed.length > 0 && !old) delete bases[key];
    else bases[key] = bounded([...new Set([...(old ?? []), ...typed, ...texts])]);
  }
  return bases;
}

const bounded = (texts: readonly string[]) =>
  texts.length <= MAX_BASES ? texts : [...texts.slice(0, 1), ...texts.slice(1 - MAX_BASES)];

/**
 * Compares an overlay with the cells the server has now.
 *
 * @returns the overlay without the cells that somebody else changed, and those cells
 */
export function withoutConflicts(
  card: string,
  overlay: Overlay,
  server: Readonly<Record<string, string>>,
): { readonly overlay: Overlay; readonly conflicts: readonly Conflict[] } {
  const bases = overlay.bases;
  if (!bases || overlay.add || overlay.remove) return { overlay, conflicts: [] };
  const conflicts = Object.entries(overlay.cells).flatMap(([key, mine]) => {
    const expected = Object.hasOwn(bases, key) ? bases[key] : undefined;
    const text = cellAt(server, key);
    return !expected || text === mine || expected.includes(text) ? [] : [{ card, key, mine }];
  });
  if (conflicts.length === 0) return { overlay, conflicts };
  return { overlay: withoutCells(overlay, conflicts), conflicts };
}

/** An overlay without the cells of these conflicts. */
export function withoutCells(overlay: Overlay, conflicts: readonly Conflict[]): Overlay {
  const lost = new Set(conflicts.map(({ key }) => key));
  const cells = Object.fromEntries(Object.entries(overlay.cells).filter(([key]) => !lost.has(key)));
  return { ...overlay, cells };
}

/** A card as it is with what was typed; the same object when nothing changes. */
export function applyOverlay(
  id: string,
  card: WithId<Card> | undefined,
  overlay: Overlay | undefined,
): WithId<Card> | undefined {
  if (!overlay) return card;
  if (overlay.remove) return undefined;
  const base = overlay.add ? { ...overlay.add, id } : card;
  if (!base) return undefined;
  const cells = Object.entries(overlay.cells).some(([key, text]) => cellAt(base.cells, key) !== text)
    ? { ...base.cells, ...overlay.cells }
    : base.cells;
  const fields = Object.entries(overlay.fields).filter(
    ([name, value]) => (base[name as CardFieldName] ?? null) !== value,
  );
  if (cells === base.cells && fields.length === 0 && !overlay.add) return base;
  const next: Record<string, unknown> = { ...base, cells };
  for (const [name, value] of fields) {
    if (value === null) delete next[name];
    else next[name] = value;
  }
  return next as unknown as WithId<Card>;
}

/** A component with a patch over it. */
export function applyPatch(
  component: WithId<Component>,
  patch: ComponentPatch | undefined,
): WithId<Component> {
  if (!patch) return component;
  const next: Record<string, unknown> = { ...component };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete next[name];
    else next[name] = value;
  }
  return next as unknown as WithId<Component>;
}

/** Weight of an overlay in a commit, in characters. */
export function weight(overlay: Overlay): number {
  const size = (cells: Readonly<Record<string, string>>) =>
    Object.entries(cells).reduce((sum, [key, text]) => sum + key.length + text.length + 24, 160);
  return size(overlay.cells) + (overlay.add ? size(overlay.add.cells) : 0);
}
