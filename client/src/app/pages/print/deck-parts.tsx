import { useEffect, useState } from 'react';
import type { PrintPart } from '../../../core/imposition/print-job.ts';
import { hasGroups, withGroupSizes } from '../../../core/layout/group-sizes.ts';
import { sameSize } from '../../../core/scene/sizes.ts';
import type { Layout } from '../../../core/scene/zone.ts';
import { bySides } from '../../../data/card-layout.ts';
import type { Card, Component as CardsComponent, LayoutDocument, WithId } from '../../../data/documents.ts';
import { useCards } from '../../../data/queries.ts';
import { computedCards } from '../../../data/table/formula.ts';
import { sharedRenderer } from '../../painting/renderer.ts';

/** A component with everything that exporting it takes. */
export interface DeckPart {
  readonly component: WithId<CardsComponent>;
  readonly cards: readonly WithId<Card>[];
  /** Every card with its own copies. */
  readonly part: PrintPart;
}

/** Cards of a component, or why they cannot be had. */
export type CardsState =
  | { readonly cards: readonly WithId<Card>[]; readonly error?: undefined }
  | { readonly error: Error; readonly cards?: undefined };

/** Follows the cards of one component; there is one of these for each that is exported. */
export function CardsLoader({
  deck,
  component,
  onCards,
}: {
  deck: string;
  component: string;
  onCards: (component: string, state: CardsState) => void;
}) {
  const { data, error } = useCards(deck, component);
  useEffect(() => {
    if (data) onCards(component, { cards: data.items });
    else if (error) onCards(component, { error });
  }, [component, data, error, onCards]);
  return null;
}

/**
 * What can be exported of a component: a part for each pair of layouts that its cards have. Cards whose layout is
 * not there are left out; without any layout there is no part.
 */
export function deckParts(
  component: WithId<CardsComponent>,
  stored: readonly WithId<Card>[],
  layouts: readonly WithId<LayoutDocument>[],
): DeckPart[] {
  const all = computedCards(stored, component);
  const find = (id: string | null) => layouts.find((one) => one.id === id)?.scene;
  const own = find(component.layoutId);
  return bySides(component, all).flatMap((group) => {
    const layout = find(group.front) ?? own;
    if (!layout) return [];
    const back = find(group.back) ?? null;
    const { cards } = group;
    return [
      {
        component,
        cards,
        part: {
          name:
            cards.length === all.length
              ? component.name
              : `${component.name}, ${nameOf(group.front, layouts)}`,
          layout,
          // A back of another size would lie behind nothing.
          back: back && sameSize(back, layout) ? back : null,
          columns: component.columns,
          cards: cards.map(({ cells, copies }) => ({ row: { cells }, copies })),
        },
      },
    ];
  });
}

const nameOf = (id: string | null, layouts: readonly WithId<LayoutDocument>[]): string =>
  layouts.find((one) => one.id === id)?.name ?? 'other';

/**
 * Parts whose layouts set text alike on all cards of a deck, with the sizes that takes; undefined
 * while they are worked out. Where that fails, each text has the size it needs itself.
 */
export function useFittedParts(parts: readonly DeckPart[] | undefined): readonly DeckPart[] | undefined {
  const [fitted, setFitted] = useState<{ of: readonly DeckPart[]; parts: readonly DeckPart[] }>();
  const plain = parts?.every(({ part }) => !sides(part).some(hasGroups));
  useEffect(() => {
    if (!parts || plain) return;
    const abort = new AbortController();
    Promise.all(parts.map((one) => fittedPart(one, abort.signal))).then(
      (done) => {
        if (!abort.signal.aborted) setFitted({ of: parts, parts: done });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        console.error(error);
        setFitted({ of: parts, parts });
      },
    );
    return () => abort.abort();
  }, [parts, plain]);
  if (plain) return parts;
  // The last ones while new ones are worked out.
  return parts && fitted?.parts;
}

const sides = ({ layout, back }: PrintPart) => (back ? [layout, back] : [layout]);

async function fittedPart(deckPart: DeckPart, signal: AbortSignal): Promise<DeckPart> {
  const { part } = deckPart;
  const rows = part.cards.map(({ row }) => row);
  const fitted = async (layout: Layout): Promise<Layout> =>
    hasGroups(layout)
      ? withGroupSizes(layout, await sharedRenderer().fitGroups(layout, rows, part.columns, signal))
      : layout;
  return {
    ...deckPart,
    part: { ...part, layout: await fitted(part.layout), back: part.back && (await fitted(part.back)) },
  };
}
