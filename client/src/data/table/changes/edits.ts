import { bareRecord, cellAt } from '../../../core/records.ts';
import {
  CARD_STATUSES,
  type Card,
  type CardStatus,
  type Component,
  MAX_COPIES,
  type TableColumn,
  type WithId,
} from '../../documents/documents.ts';
import { MAX_CELL_LENGTH } from '../../import/table.ts';
import type { Intent } from './change.ts';

/** Columns that every table has without having them: they are fields of the card, not cells. */
export const COPIES_KEY = '#copies';
export const STATUS_KEY = '#status';

/** A cell that somebody filled. */
export interface CellEdit {
  readonly id: string;
  readonly key: string;
  readonly text: string;
}

/** Edits to apply, and those that cannot be. */
export interface Understood {
  readonly intents: readonly Intent[];
  /** Sentences, one for each kind of fault. */
  readonly faults: readonly string[];
}

/** The text a cell shows; formulas apart. */
export function cellText(card: Card, key: string, component: Pick<Component, 'copiesColumn'>): string {
  if (key === STATUS_KEY) return card.status ?? '';
  if (key === COPIES_KEY || key === component.copiesColumn) return String(card.copies);
  return cellAt(card.cells, key);
}

/** A number of copies, `undefined` when the text is none. Nothing means one. */
export function readCopies(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return 1;
  const copies = Number(trimmed);
  return Number.isInteger(copies) && copies >= 0 && copies <= MAX_COPIES ? copies : undefined;
}

/** The copies that cards' cells in a column ask for. An empty cell leaves its card as it is. */
export function copiesIn(cards: readonly WithId<Card>[], key: string): Understood {
  const faults = new Set<string>();
  const intents: Intent[] = [];
  for (const { id, copies: before, cells } of cards) {
    const text = cellAt(cells, key);
    if (text.trim() === '') continue;
    const copies = readCopies(text);
    if (copies === undefined) faults.add(noCopies(text));
    else if (copies !== before) intents.push({ kind: 'field', card: id, field: 'copies', value: copies });
  }
  return { intents, faults: [...faults] };
}

const noCopies = (text: string) =>
  `“${text}” is no number of copies: a whole number from 0 to ${MAX_COPIES} belongs here.`;

/** Edits as what is to be written: copies and status go to the card's own fields. */
export function understand(edits: readonly CellEdit[], component: WithId<Component>): Understood {
  const formulas = new Set(component.columns.filter(({ type }) => type === 'formula').map(({ key }) => key));
  const faults = new Set<string>();
  const intents: Intent[] = [];
  for (const { id, key, text } of edits) {
    if (formulas.has(key)) continue;
    if (key === STATUS_KEY) {
      const status = readStatus(text);
      if (status === undefined)
        faults.add(`“${text}” is no status: ${CARD_STATUSES.join(', ')}, or nothing.`);
      else intents.push({ kind: 'field', card: id, field: 'status', value: status });
    } else if (key === COPIES_KEY || key === component.copiesColumn) {
      const copies = readCopies(text);
      if (copies === undefined) {
        faults.add(noCopies(text));
        continue;
      }
      intents.push({ kind: 'field', card: id, field: 'copies', value: copies });
      if (key !== COPIES_KEY) intents.push({ kind: 'cell', card: id, key, text: text.trim() });
    } else if (text.length > MAX_CELL_LENGTH) {
      faults.add(`A cell of ${text.length} characters was left out; at most ${MAX_CELL_LENGTH} fit.`);
    } else {
      intents.push({ kind: 'cell', card: id, key, text });
    }
  }
  return { intents, faults: [...faults] };
}

function readStatus(text: string): CardStatus | null | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return null;
  return CARD_STATUSES.find((status) => status === wanted);
}

/** A card with these texts in its cells, to be added in that place. */
export function newCard(
  texts: Readonly<Record<string, string>>,
  order: number,
  component: WithId<Component>,
): { card: Card; faults: readonly string[] } {
  const { intents, faults } = understand(
    Object.entries(texts).map(([key, text]) => ({ id: '', key, text })),
    component,
  );
  const cells = bareRecord<string>(component.columns.map(({ key }) => [key, ''] as const));
  const fields: Partial<Pick<Card, 'copies' | 'status'>> = {};
  for (const intent of intents) {
    if (intent.kind === 'cell') cells[intent.key] = intent.text;
    if (intent.kind === 'field' && intent.value !== null)
      Object.assign(fields, { [intent.field]: intent.value });
  }
  return { card: { order, copies: 1, ...fields, cells }, faults };
}

/** A place between two cards of a list, or at its end. */
export function orderAfter(cards: readonly Card[], index: number): number {
  const before = cards[index]?.order;
  const next = cards[index + 1]?.order;
  if (before === undefined) return (cards[0]?.order ?? 1) - 1;
  return next === undefined ? before + 1 : (before + next) / 2;
}

/** Columns with one of them changed. */
export function withColumn(
  columns: readonly TableColumn[],
  key: string,
  change: Partial<TableColumn>,
): TableColumn[] {
  return columns.map((column) => (column.key === key ? { ...column, ...change } : column));
}

/** Columns with one of them moved to where another is. */
export function moveColumn(columns: readonly TableColumn[], key: string, to: number): TableColumn[] {
  const moved = columns.find((column) => column.key === key);
  const rest = columns.filter((column) => column.key !== key);
  return moved ? [...rest.slice(0, to), moved, ...rest.slice(to)] : [...columns];
}
