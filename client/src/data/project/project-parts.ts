import type { PrintPart } from '../../core/imposition/job/print-job.ts';
import { sameSize } from '../../core/scene/sizes.ts';
import type { Card, Component, LayoutDocument, WithId } from '../documents/documents.ts';
import { bySides } from '../layouts/card-layout.ts';

/** A component with everything that exporting it takes. */
export interface ProjectPart {
  /** The component's id, and which layouts where its cards have several. */
  readonly id: string;
  readonly component: WithId<Component>;
  readonly cards: readonly WithId<Card>[];
  /** Ids of the layouts of both sides. */
  readonly sides: { readonly front: string; readonly back: string | null };
  /** Every card with its own copies. */
  readonly part: PrintPart;
}

/**
 * Exportable parts of a component: one for each pair of layouts among its cards. Cards without an available layout are
 * left out; without any layout there is no part.
 * @param all cards with their formulas worked out
 */
export function projectParts(
  component: WithId<Component>,
  all: readonly WithId<Card>[],
  layouts: readonly WithId<LayoutDocument>[],
): ProjectPart[] {
  const find = (id: string | null) => layouts.find((one) => one.id === id)?.scene;
  const groups = bySides(component, all);
  return groups.flatMap((group) => {
    const front = find(group.front) ? group.front : component.layoutId;
    const layout = find(front);
    if (front === null || !layout) return [];
    const back = find(group.back) ?? null;
    const { cards } = group;
    return [
      {
        id: cards.length === all.length ? component.id : [component.id, group.front, group.back].join(' '),
        component,
        cards,
        sides: { front, back: group.back },
        part: {
          name:
            cards.length === all.length
              ? component.name
              : [component.name, ...namesOf(group, groups, layouts)].join(', '),
          layout,
          // A back of another size would lie behind nothing.
          back: back && sameSize(back, layout) ? back : null,
          columns: component.columns,
          boards: component.kind === 'boards' || component.kind === 'mats',
          cards: cards.map(({ cells, copies }) => ({ row: { cells }, copies })),
        },
      },
    ];
  });
}

/** Fingerprints of the parts' cards, as the exporter gives them, by the cards' ids. */
export const marksByCard = (
  parts: readonly Pick<ProjectPart, 'cards'>[],
  marks: readonly (readonly string[])[],
): Map<string, string> =>
  new Map(
    parts.flatMap(({ cards }, part) =>
      cards.map(({ id }, card): [string, string] => [id, marks[part]?.[card] ?? '']),
    ),
  );

interface Sides {
  readonly front: string | null;
  readonly back: string | null;
}

/** Names that tell a component's groups of cards apart: the front, and the back where fronts are the same. */
function namesOf(
  group: Sides,
  groups: readonly Sides[],
  layouts: readonly WithId<LayoutDocument>[],
): readonly string[] {
  const nameOf = (id: string | null, none: string) =>
    id === null ? none : (layouts.find((one) => one.id === id)?.name ?? 'other');
  const alike = groups.filter(({ front }) => front === group.front).length > 1;
  return [nameOf(group.front, 'other'), ...(alike ? [nameOf(group.back, 'no back')] : [])];
}
