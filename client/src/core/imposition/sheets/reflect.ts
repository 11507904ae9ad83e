import type { Turn } from '../settings.ts';

/**
 * Places a back so that it lies behind its front. Both ways of getting there (turning the sheet over, folding it) are a
 * reflection of the sheet about a line.
 *
 * A card is turned over like the page of a book: its back is upright when its front is. About an upright line the back
 * therefore keeps its head up; about a level line, where the sheet's head becomes its foot, it must stand on its head
 * to come out upright behind the front.
 */
export interface Mirror {
  /** `upright`: x changes; `level`: y changes. */
  readonly axis: 'upright' | 'level';
  /** Position of the line, in millimetres from the page's left or top. */
  readonly at: number;
}

export interface Placed {
  /** Top left corner of the card, turned as it is. */
  readonly x: number;
  readonly y: number;
  readonly turn: Turn;
}

/** The line about which a printer turns a page over. */
export function flipLine(page: { w: number; h: number }, edge: 'long-edge' | 'short-edge'): Mirror {
  const standing = page.h >= page.w;
  return standing === (edge === 'long-edge')
    ? { axis: 'upright', at: page.w / 2 }
    : { axis: 'level', at: page.h / 2 };
}

/** @param size of the card as it lies on the sheet, turned */
export function behind(front: Placed, size: { w: number; h: number }, mirror: Mirror): Placed {
  return mirror.axis === 'upright'
    ? { x: 2 * mirror.at - front.x - size.w, y: front.y, turn: turned(-front.turn) }
    : { x: front.x, y: 2 * mirror.at - front.y - size.h, turn: turned(180 - front.turn) };
}

function turned(degrees: number): Turn {
  return (((degrees % 360) + 360) % 360) as Turn;
}
