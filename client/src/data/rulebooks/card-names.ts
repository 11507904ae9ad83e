import { SimilarNames } from '../../core/book/comparison/similar-names.ts';
import { cardName } from '../../core/imposition/job/card-name.ts';
import { cellAt } from '../../core/records.ts';
import type { Card, Component, WithId } from '../documents/documents.ts';

/** A component of the project with its cards, formulas worked out. */
export interface BookPart {
  readonly component: WithId<Component>;
  readonly cards: readonly WithId<Card>[];
}

/** A card by the name that rulebooks call it. */
export interface NamedCard {
  readonly name: string;
  readonly component: WithId<Component>;
  readonly card: WithId<Card>;
}

/** The cards of a project by their names. */
export interface CardNames {
  /** By every name that a rulebook may call them. */
  readonly cards: ReadonlyMap<string, NamedCard>;
  readonly similar: SimilarNames;
  /** Names of different cards, each with those that tell them apart; alone it means the first. */
  readonly shared: ReadonlyMap<string, readonly string[]>;
  /** The name that means a card and no other; of equal rows of a component the same. */
  readonly nameOf: ReadonlyMap<WithId<Card>, string>;
}

/** Those of parts that were asked for: every change of a document's text asks again for the same. */
const knownNames = new WeakMap<readonly BookPart[], CardNames>();

export function cardNames(parts: readonly BookPart[]): CardNames {
  const known = knownNames.get(parts);
  if (known) return known;
  const names = readNames(parts);
  knownNames.set(parts, names);
  return names;
}

/** Every card by its names. */
export const namedCards = (parts: readonly BookPart[]): ReadonlyMap<string, NamedCard> =>
  cardNames(parts).cards;

function readNames(parts: readonly BookPart[]): CardNames {
  const groups = groupsOf(parts);
  const cards = new Map<string, NamedCard>();
  const shared = new Map<string, string[]>();
  const nameOf = new Map<WithId<Card>, string>();
  for (const [name, rows] of groups) {
    const different = [...rows.values()];
    const own = ownNames(name, different, groups);
    different.forEach(({ component, cards: equal }, at) => {
      const [card] = equal;
      const qualified = own[at];
      if (!card) return;
      if (at === 0) cards.set(name, { name, component, card });
      if (qualified !== undefined) cards.set(qualified, { name: qualified, component, card });
      const means = at === 0 || qualified === undefined ? name : qualified;
      for (const one of equal) nameOf.set(one, means);
    });
    const told = own.filter((one) => one !== undefined);
    // Without a name of its own for the first, nobody could say that it is meant.
    if (own[0] !== undefined && told.length > 1) shared.set(name, told);
  }
  return { cards, similar: new SimilarNames([...cards.keys()]), shared, nameOf };
}

/** Cards of a component that say the same. */
interface EqualCards {
  readonly component: WithId<Component>;
  readonly cards: WithId<Card>[];
}

/** The cards of each name in order; rows of one component that say the same are one. */
function groupsOf(parts: readonly BookPart[]): ReadonlyMap<string, ReadonlyMap<string, EqualCards>> {
  const groups = new Map<string, Map<string, EqualCards>>();
  for (const { component, cards } of parts) {
    for (const [at, card] of cards.entries()) {
      const name = cardName({ cells: card.cells }, component.columns, at);
      const group = groups.get(name) ?? new Map<string, EqualCards>();
      groups.set(name, group);
      const said = JSON.stringify([
        component.id,
        component.columns.map(({ key }) => cellAt(card.cells, key)),
      ]);
      const equal = group.get(said);
      if (equal) equal.cards.push(card);
      else group.set(said, { component, cards: [card] });
    }
  }
  return groups;
}

/**
 * Names that tell the cards of one name apart: with their component, and their number where that has several.
 * Nothing for a card that is alone, and where another card is called so.
 */
function ownNames(
  name: string,
  different: readonly EqualCards[],
  taken: ReadonlyMap<string, unknown>,
): (string | undefined)[] {
  if (different.length < 2) return [];
  const counts = new Map<string, number>();
  const made = new Set<string>();
  return different.map(({ component }) => {
    const count = (counts.get(component.id) ?? 0) + 1;
    counts.set(component.id, count);
    const own = `${name} (${component.name}${count === 1 ? '' : ` ${count}`})`;
    if (taken.has(own) || made.has(own)) return undefined;
    made.add(own);
    return own;
  });
}
