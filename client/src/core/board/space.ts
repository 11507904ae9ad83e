import type { Rect } from '../scene/matrix.ts';

/**
 * Spaces of a board: places where pieces go. They are never printed. Simulators and the playtest table learn them from
 * the layout.
 */

/**
 * `spot` holds a piece on its middle, `slot` a card or tile that covers it, `deck` a pile; what lies in an `area` lies
 * anywhere in it.
 */
export const SPACE_ROLES = ['spot', 'slot', 'deck', 'area'] as const;
export type SpaceRole = (typeof SPACE_ROLES)[number];

/** A space in the coordinates of its zone's holder, before the zone's own turn. */
export interface OwnSpace {
  readonly name: string;
  readonly role: SpaceRole;
  readonly box: Rect;
}
