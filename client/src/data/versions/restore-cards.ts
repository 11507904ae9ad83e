import type { CardDifference, CellChange } from '../../core/versions/cards.ts';
import {
  CARD_STATUSES,
  type CardStatus,
  type Component,
  cardSchema,
  type WithId,
} from '../documents/documents.ts';
import type { Intent } from '../table/changes/change.ts';
import { understand } from '../table/changes/edits.ts';

/** Fields of a card that a table writes. */
const WRITTEN = new Set(['copies', 'status']);

const statusOf = (value: unknown): CardStatus | null =>
  CARD_STATUSES.find((status) => status === value) ?? null;

/**
 * Changes that make a card of today what it was, to be made in its table, where they can be taken back; `undefined` where
 * a table has no change for it, and the server has to restore it.
 */
export function restoreCard(card: CardDifference): readonly Intent[] | undefined {
  const { id, before, after, cells, fields, moved } = card;
  if (!before) return [{ kind: 'remove', card: id }];
  const was = cardSchema.safeParse(before);
  if (!was.success || fields.some(({ field }) => !WRITTEN.has(field))) return undefined;
  if (!after) return [{ kind: 'add', card: id, value: was.data }];
  return [
    ...cells.map(({ key, before: text }): Intent => ({ kind: 'cell', card: id, key, text })),
    ...fields.map(({ field, before: value }): Intent => {
      return field === 'copies'
        ? { kind: 'field', card: id, field, value: was.data.copies }
        : { kind: 'field', card: id, field: 'status', value: statusOf(value) };
    }),
    ...(moved ? [{ kind: 'field', card: id, field: 'order', value: was.data.order } as const] : []),
  ];
}

/** The same of one cell. */
export const restoreCell = (
  card: Pick<CardDifference, 'id'>,
  { key, before }: CellChange,
  component: WithId<Component>,
): readonly Intent[] => understand([{ id: card.id, key, text: before }], component).intents;
