import { useMemo } from 'react';
import type { Column } from '../../../../core/scene/card/row.ts';
import type { Layout } from '../../../../core/scene/layout.ts';
import { type CardDifference, cellsOf } from '../../../../core/versions/cards.ts';
import type { ComponentDifference } from '../../../../core/versions/components.ts';
import { cellsWithImages, type Side, withImages } from '../../../../core/versions/pictures.ts';
import { type Component, componentSchema, type WithId } from '../../../../data/documents/documents.ts';
import { sidesOf } from '../../../../data/layouts/card-layout.ts';
import { useComponents, useLayouts } from '../../../../data/project/queries.ts';
import { computedCards } from '../../../../data/table/formula/formula.ts';
import { useProject } from '../../project/project-gate.tsx';
import { useComparison } from '../comparison-context.ts';
import { useImagesOfStates } from './use-images-of-states.ts';

/** The front of a card in one of the states. */
export interface CardLook {
  /** Name of the state. */
  readonly label: string;
  readonly layout: Layout;
  readonly cells: Readonly<Record<string, string>>;
  readonly columns: readonly Column[];
}

const SIDES: readonly Side[] = ['before', 'after'];

/** A card in the states that have it; nothing where its component or its layout cannot be read. */
export function useLooks(card: CardDifference, of: ComponentDifference): readonly CardLook[] {
  const project = useProject();
  const { labels, difference } = useComparison();
  const images = useImagesOfStates();
  const today = useComponents(project).data?.items.find(({ id }) => id === card.component);
  const layouts = useLayouts(project).data?.items;
  return useMemo(() => {
    if (!layouts) return [];
    return SIDES.flatMap((side, at): CardLook[] => {
      const fields = card[side];
      const component = componentIn(of, side, today);
      if (!fields || !component) return [];
      const plain = { id: card.id, order: 0, copies: 1, cells: cellsOf(fields) };
      const [computed = plain] = computedCards([plain], component);
      const scenes = new Map(layouts.map(({ id, scene }) => [id, scene]));
      for (const changed of difference.layouts) {
        const scene = changed[side];
        if (scene) scenes.set(changed.id, scene);
        else scenes.delete(changed.id);
      }
      const layout =
        scenes.get(sidesOf(component, computed).front ?? '') ?? scenes.get(component.layoutId ?? '');
      if (!layout) return [];
      const ofImages = new Set(component.columns.flatMap(({ key, type }) => (type === 'image' ? [key] : [])));
      return [
        {
          label: labels[at] ?? '',
          layout: withImages(layout, images[side]),
          cells: cellsWithImages(computed.cells, ofImages, images[side]),
          columns: component.columns,
        },
      ];
    });
  }, [card, of, today, layouts, labels, difference, images]);
}

/** The component of a card in a state; where that is not told, as it is today. */
function componentIn(
  of: ComponentDifference,
  side: Side,
  today: WithId<Component> | undefined,
): WithId<Component> | undefined {
  const read = componentSchema.safeParse(of[side] ?? of.before ?? of.after).data;
  return read ? { ...read, id: of.id } : today;
}
