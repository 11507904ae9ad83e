/** A swipe's direction across the screen. */
export type Swipe = 'left' | 'right';

/** Shortest way of a swipe, in CSS pixels: shorter ones are slips of the finger. */
export const SWIPE_PX = 64;
/** A swipe goes this many times further across than up or down; else the page is being scrolled. */
const ACROSS = 1.5;

/** The direction of a finger's way from where it touched, in CSS pixels; undefined if it is no swipe. */
export function swipeOf(dx: number, dy: number): Swipe | undefined {
  if (Math.abs(dx) < SWIPE_PX || Math.abs(dx) < ACROSS * Math.abs(dy)) return undefined;
  return dx < 0 ? 'left' : 'right';
}
