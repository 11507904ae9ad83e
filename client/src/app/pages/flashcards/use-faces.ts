import { useMemo } from 'react';
import type { Layout } from '../../../core/scene/layout.ts';
import { sameSize } from '../../../core/scene/sizes.ts';
import type { Card, Component, LayoutDocument, WithId } from '../../../data/documents/documents.ts';
import { sidesOf } from '../../../data/layouts/card-layout.ts';
import { useFittedLayout } from '../../painting/use-group-sizes.ts';

/** Layouts of a card's sides. */
export interface Faces {
  readonly front: Layout | undefined;
  readonly back: Layout | undefined;
  /** Id of the front's layout. */
  readonly frontId: string | undefined;
}

/** The layouts of each card's sides. A back of another size than its front is none. */
export function useFaces(
  component: WithId<Component>,
  cards: readonly WithId<Card>[],
  layouts: readonly WithId<LayoutDocument>[],
): (card: WithId<Card>) => Faces {
  const scenes = useMemo(() => new Map(layouts.map(({ id, scene }) => [id, scene])), [layouts]);
  const own = useFittedLayout(scenes.get(component.layoutId ?? ''), cards, component.columns);
  return useMemo(
    () => (card) => {
      const sides = sidesOf(component, card);
      const frontId = (scenes.has(sides.front ?? '') ? sides.front : component.layoutId) ?? undefined;
      const front = frontId === component.layoutId ? own : (scenes.get(frontId ?? '') ?? own);
      const other = scenes.get(sides.back ?? '');
      return { front, frontId, back: front && other && sameSize(other, front) ? other : undefined };
    },
    [component, scenes, own],
  );
}
