import { cellAt } from '../../core/records.ts';
import type { Card, Component, WithId } from '../documents.ts';
import type { CardFieldName, CardFieldValue, Change, ComponentPatch } from './change.ts';

/** Unsaved state of one card: all edits since the last successful commit. */
export interface Overlay {
  /** The card is new (or back again), with these values. */
  readonly add?: Card;
  readonly remove?: true;
  readonly cells: Readonly<Record<string, string>>;
  readonly fields: { readonly [K in CardFieldName]?: CardFieldValue };
}

/** Changes by card, and of the component: what is kept until the server has it. Plain JSON. */
export interface Overlays {
  readonly cards: Map<string, Overlay>;
  component: ComponentPatch | undefined;
}

export const noOverlays = (): Overlays => ({ cards: new Map(), component: undefined });

const EMPTY: Overlay = { cells: {}, fields: {} };

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
      return { ...old, cells: { ...old.cells, [change.key]: change.after } };
    case 'field':
      return { ...old, fields: { ...old.fields, [change.field]: change.after } };
    case 'add':
      return { add: change.value, cells: {}, fields: {} };
    case 'remove':
      return { remove: true, cells: {}, fields: {} };
  }
}

/** Puts `later` over `earlier`: what was typed later stays. */
export function merge(earlier: Overlay | undefined, later: Overlay): Overlay {
  if (!earlier || later.add || later.remove) return later;
  return {
    ...(earlier.add && { add: earlier.add }),
    ...(earlier.remove && { remove: true as const }),
    cells: { ...earlier.cells, ...later.cells },
    fields: { ...earlier.fields, ...later.fields },
  };
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
