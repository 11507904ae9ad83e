/** Space between a menu and what opens it, and the window's edge, in CSS pixels. */
export const GAP_PX = 6;

/** Lines that can be chosen now. */
const CHOOSABLE = '[role="menuitem"]:not([aria-disabled="true"])';

/** Index of the focused line and number of lines to the index wanted, which may run over. */
type Move = (current: number, count: number) => number;

export const toFirst: Move = () => 0;

const MOVES: Readonly<Record<string, Move>> = {
  ArrowDown: (current) => current + 1,
  ArrowUp: (current) => (current < 0 ? -1 : current - 1),
  Home: toFirst,
  End: () => -1,
};

/** The move of a key that walks a menu; undefined for other keys. */
export const menuMove = (key: string): Move | undefined =>
  Object.hasOwn(MOVES, key) ? MOVES[key] : undefined;

/** Focuses a line of a menu, among those that a selector finds. */
export function focusLine(panel: HTMLElement | null, move: Move, lines = CHOOSABLE): void {
  const items = [...(panel?.querySelectorAll<HTMLElement>(lines) ?? [])];
  const current = items.indexOf(document.activeElement as HTMLElement);
  items[(move(current, items.length) + items.length) % Math.max(1, items.length)]?.focus();
}
