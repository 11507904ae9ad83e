import type { Rect } from '../scene/display/matrix.ts';

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

/** The angle that pieces take: the usual one of the space's role, the one they are held at, or an angle of the space. */
export const SPACE_TURNINGS = ['usual', 'held', 'angle'] as const;
export type SpaceTurning = (typeof SPACE_TURNINGS)[number];

/** Kinds of pieces that a space tells apart. */
export const ACCEPTED_PIECES = ['card', 'token', 'tile', 'die'] as const;
export type AcceptedPiece = (typeof ACCEPTED_PIECES)[number];

/** Most pieces that a space can be limited to. */
export const MAX_HELD = 1_000;
/** Largest place in the order of play. */
export const MAX_ORDER = 20_000;
/** Most spaces that one space leads to. */
export const MAX_SPACE_LINKS = 24;

/** Pieces of a space, and how they lie in it. */
export interface SpaceTraits {
  readonly role: SpaceRole;
  readonly turning: SpaceTurning;
  /** Degrees clockwise from the space's own angle; counts where `turning` is `angle`. */
  readonly turn: number;
  /** Kinds of pieces that come to rest there; empty for all. */
  readonly accepts: readonly AcceptedPiece[];
  /** Most pieces at a time; 0 for any number. */
  readonly holds: number;
}

/** Traits of a new space. */
export const plainTraits = <Role extends SpaceRole>(role: Role) => ({
  role,
  turning: 'usual' as SpaceTurning,
  turn: 0,
  accepts: [] as AcceptedPiece[],
  holds: 0,
});

/** A space in the coordinates of its zone's holder, before the zone's own turn. */
export interface OwnSpace extends SpaceTraits {
  readonly name: string;
  readonly box: Rect;
  /** Place in the order of play, from 1; 0 for none. */
  readonly order: number;
  /** Ids of zones whose spaces it leads to. */
  readonly links: readonly string[];
}

/**
 * Degrees that pieces turn from the space's own angle; undefined where they stay as they are held. A single piece stays
 * so by itself, while cards and piles lie straight.
 */
export function pieceTurn({ role, turning, turn }: SpaceTraits): number | undefined {
  if (role === 'area' || turning === 'held') return undefined;
  if (turning === 'angle') return turn;
  return role === 'spot' ? undefined : 0;
}

/** True for a box on a board or about it. What lies further away than the board is large is a slip of a mouse. */
export const isNear = (box: Rect, board: Rect): boolean =>
  [
    (box.x - board.x) / board.w,
    (box.x + box.w - board.x) / board.w,
    (box.y - board.y) / board.h,
    (box.y + box.h - board.y) / board.h,
  ].every((share) => share >= -1 && share <= 2);
