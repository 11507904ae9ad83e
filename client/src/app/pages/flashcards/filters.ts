import { cellAt } from '../../../core/records.ts';
import { looksLikeTags, tagsIn } from '../../../core/table/statistics.ts';
import type { Card, Component, WithId } from '../../../data/documents/documents.ts';

/** Conditions for a card to be shown. Empty texts and 0 leave none out. */
export interface Wanted {
  readonly status: string;
  /** A tag in any column that has some. */
  readonly tag: string;
  /** Number of the print since which a card must have changed. */
  readonly since: number;
}

export const ANY: Wanted = { status: '', tag: '', since: 0 };

/** Stands for cards without a status. */
export const NO_STATUS = 'none';

/** Columns whose cells are tags: lists, and texts that are short and often the same. */
function tagColumns(
  component: Pick<Component, 'columns'>,
  cards: readonly WithId<Card>[],
): readonly string[] {
  const counted = cards.map(({ cells, copies }) => ({ copies, text: (key: string) => cellAt(cells, key) }));
  return component.columns
    .filter(({ key, type }) => type === 'list' || (type === 'text' && looksLikeTags(counted, key)))
    .map(({ key }) => key);
}

/** Every tag of the cards by its column, in the order of the table. */
export function tagsOf(
  component: Pick<Component, 'columns'>,
  cards: readonly WithId<Card>[],
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    tagColumns(component, cards).map((key) => [
      key,
      [...new Set(cards.flatMap(({ cells }) => [...tagsIn(cellAt(cells, key))]))],
    ]),
  );
}

/** A tag of a column as one text. */
export const tagKey = (column: string, tag: string): string => JSON.stringify([column, tag]);

function hasTag(card: Pick<Card, 'cells'>, wanted: string): boolean {
  const [column = '', tag = ''] = JSON.parse(wanted) as string[];
  return tagsIn(cellAt(card.cells, column)).has(tag);
}

/**
 * The cards that are wanted.
 * @param changed ids of the cards that changed since the print
 */
export const wantedCards = (
  cards: readonly WithId<Card>[],
  { status, tag, since }: Wanted,
  changed: ReadonlySet<string> | undefined,
): readonly WithId<Card>[] =>
  cards.filter(
    (card) =>
      (status === '' || (card.status ?? NO_STATUS) === status) &&
      (tag === '' || hasTag(card, tag)) &&
      (since === 0 || changed?.has(card.id) === true),
  );
