import { cellAt, own } from '../../core/records.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { sameSize } from '../../core/scene/sizes.ts';
import type { Look } from '../../core/table/preflight.ts';
import type { Card, Component, LayoutChoice, LayoutDocument, WithId } from '../documents/documents.ts';

/** Fields of a component that choose its cards' layouts. */
type Sides = Pick<Component, 'layoutId' | 'backLayoutId' | 'frontBy' | 'backBy'>;

const chosen = (by: LayoutChoice | null | undefined, card: Pick<Card, 'cells'>): string | undefined => {
  return by ? own(by.layouts, cellAt(card.cells, by.column).trim()) : undefined;
};

/** The layouts of a card's two sides: by its own cells first, then the component's. */
export function sidesOf(
  component: Sides,
  card: Pick<Card, 'cells'>,
): { readonly front: string | null; readonly back: string | null } {
  return {
    front: chosen(component.frontBy, card) ?? component.layoutId,
    back: chosen(component.backBy, card) ?? component.backLayoutId,
  };
}

/** Layout of each card's front; the component's own layout where the card's is not available. */
export function frontPainter(
  component: Sides,
  layouts: readonly WithId<LayoutDocument>[],
  own: Layout,
): (card: Pick<Card, 'cells'>) => Layout {
  if (!component.frontBy) return () => own;
  const scenes = new Map(layouts.map(({ id, scene }) => [id, scene]));
  return (card) => scenes.get(sidesOf(component, card).front ?? '') ?? own;
}

/** Cards that have the same layouts on both sides, together; groups and cards in the order of the table. */
export function bySides<C extends Pick<Card, 'cells'>>(
  component: Sides,
  cards: readonly C[],
): { readonly front: string | null; readonly back: string | null; readonly cards: readonly C[] }[] {
  const groups = new Map<string, { front: string | null; back: string | null; cards: C[] }>();
  for (const card of cards) {
    const sides = sidesOf(component, card);
    const key = JSON.stringify([sides.front, sides.back]);
    const group = groups.get(key) ?? { ...sides, cards: [] };
    group.cards.push(card);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/**
 * Every layout that paints a side of these cards. Cards whose layout is not there have the component's own; a back
 * of another size than its front is none.
 */
export function looksOf(
  component: Sides,
  cards: readonly Pick<Card, 'cells'>[],
  layouts: ReadonlyMap<string, Layout>,
): Look[] {
  const looks = new Map<string, { id: string; layout: Layout; side: Look['side']; cards: number[] }>();
  const add = (id: string, side: Look['side'], layout: Layout, card: number): void => {
    const key = JSON.stringify([id, side]);
    const look = looks.get(key) ?? { id, layout, side, cards: [] };
    look.cards.push(card);
    looks.set(key, look);
  };
  for (const [place, card] of cards.entries()) {
    const sides = sidesOf(component, card);
    const shown = [sides.front, component.layoutId].find((id) => id !== null && layouts.has(id)) ?? '';
    const front = layouts.get(shown);
    if (!front) continue;
    add(shown, 'front', front, place);
    const back = layouts.get(sides.back ?? '');
    if (back && sameSize(back, front)) add(sides.back ?? '', 'back', back, place);
  }
  return [...looks.values()];
}
