import { useMemo } from 'react';
import type { ModularCells } from '../../../../core/board/modular.ts';
import { bakedCard } from '../../../../core/generators/baked-card.ts';
import type { ModularTile } from '../../../../core/generators/modular-zones.ts';
import { cellAt } from '../../../../core/records.ts';
import type { Layout } from '../../../../core/scene/layout.ts';
import { MAX_NAME_LENGTH } from '../../../../core/scene/limits.ts';
import { sameSize } from '../../../../core/scene/sizes.ts';
import { cutText } from '../../../../core/text/cut-text.ts';
import type { Card, Component, LayoutDocument, WithId } from '../../../../data/documents/documents.ts';
import { frontPainter } from '../../../../data/layouts/card-layout.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { useCards, useComponents, useLayouts } from '../../../../data/project/queries.ts';
import { useSettledCards } from '../../../../data/table/formula/use-computed-cards.ts';

/** Tiles of one size, each as its row and its layout make it. */
export interface TileSet {
  readonly size: { readonly w: number; readonly h: number };
  readonly cells: ModularCells;
  readonly tiles: readonly ModularTile[];
}

const nameOf = ({ columns }: Component, cells: Card['cells'], at: number): string => {
  const named = columns.find(({ name }) => /^(name|title)$/i.test(name)) ?? columns[0];
  const name = named ? cellAt(cells, named.key).trim() : '';
  return cutText(name, MAX_NAME_LENGTH - 8) || `Tile ${at + 1}`;
};

const cellsOf = ({ size: { shape } }: Layout): ModularCells =>
  shape === 'hex-flat' || shape === 'hex-pointy' ? shape : 'square';

/** The rows of a component as tiles; rows whose layout has another size than the component's are left out. */
export function tileSet(
  component: WithId<Component>,
  cards: readonly WithId<Card>[],
  layouts: readonly WithId<LayoutDocument>[],
): TileSet | undefined {
  const main = layouts.find(({ id }) => id === component.layoutId)?.scene;
  if (!main) return undefined;
  const layoutOf = frontPainter(component, layouts, main);
  const tiles = cards.flatMap((card, at): ModularTile[] => {
    const layout = layoutOf(card);
    if (!sameSize(layout, main)) return [];
    const row = { cells: card.cells, index: at + 1, count: cards.length };
    return [
      {
        name: nameOf(component, card.cells, at),
        copies: card.copies,
        colour: '#ffffff',
        look: bakedCard(layout, row, component.columns),
      },
    ];
  });
  const { w, h } = main.size;
  return { size: { w, h }, cells: cellsOf(main), tiles };
}

/** The rows of a component of a project as tiles, live; undefined while they are read, and where it has no layout. */
export function useTileSet(project: Project | undefined, id: string): TileSet | undefined {
  const of = id === '' ? undefined : project;
  const component = useComponents(of).data?.items.find((one) => one.id === id);
  const list = useCards(of, id).data?.items;
  const layouts = useLayouts(of).data?.items;
  const computed = useSettledCards(list, component);
  return useMemo(() => {
    if (!component || !computed?.settled || !layouts) return undefined;
    return tileSet(component, computed.cards, layouts);
  }, [component, computed, layouts]);
}
