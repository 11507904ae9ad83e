/** A project with one component of cards, written without the application. */

import type { Layout } from '../src/core/scene/layout.ts';
import type { RestUser } from './rest-user.ts';

/** Columns by their keys: their names and types. */
type Columns = Readonly<Record<string, readonly [name: string, type: string]>>;

/**
 * Writes the project `d` with the component `c`, and each of `cards` by its id. With a layout the component is drawn by it;
 * the layout's id is `front`.
 */
export function putCards(
  user: RestUser,
  {
    project,
    component,
    columns,
    cards,
    layout,
  }: {
    project: string;
    component: string;
    columns: Columns;
    cards: Readonly<Record<string, object>>;
    layout?: Layout;
  },
): Promise<void> {
  return user.put({
    'projects/d': { name: project, createdAt: 1, updatedAt: 1 },
    'projects/d/components/c': {
      name: component,
      kind: 'cards',
      ...(layout && { layoutId: 'front' }),
      columns: Object.entries(columns).map(([key, [name, type]]) => ({ key, name, type })),
      order: 1,
      cardCount: Object.keys(cards).length,
    },
    ...(layout && {
      'projects/d/layouts/front': { name: layout.name, version: 1, updatedAt: 1, scene: layout },
    }),
    ...Object.fromEntries(
      Object.entries(cards).map(([id, card]) => [`projects/d/components/c/cards/${id}`, card]),
    ),
  });
}
