/**
 * Whose projects and layouts are that belong to somebody else. An address names a project alone; whose it
 * is becomes known when the project is looked up, before anything of it is read.
 */
const decks = new Map<string, string>();
const layouts = new Map<string, string>();

/** Notes whose a project is. */
export function rememberOwner(deck: string, owner: string): void {
  decks.set(deck, owner);
}

/** Notes that a project is the user's own, or nobody's that is known. */
export function forgetOwner(deck: string): void {
  decks.delete(deck);
}

/** Whose a project is; `undefined` for the user's own. */
export function ownerOfDeck(deck: string): string | undefined {
  return decks.get(deck);
}

/** Notes whose a layout is. */
export function rememberLayoutOwner(layout: string, owner: string): void {
  layouts.set(layout, owner);
}

/** Whose a layout is; `undefined` for the user's own. */
export function ownerOfLayout(layout: string): string | undefined {
  return layouts.get(layout);
}

/** Notes that the layouts which a project uses are kept with the project's owner. */
export function rememberLayoutsOf(deck: string, used: readonly string[]): void {
  const owner = ownerOfDeck(deck);
  if (owner !== undefined) for (const layout of used) rememberLayoutOwner(layout, owner);
}
