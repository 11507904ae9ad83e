import { bareRecord } from '../../core/records.ts';
import type { Card, ColumnType, TableColumn, WithId } from '../documents/documents.ts';

/** View of a table: filters and order. It never changes a card. */
export interface TableView {
  readonly search: string;
  readonly filters: readonly Filter[];
  readonly sort: Sort | undefined;
  readonly groupBy: string | undefined;
}

export type FilterOperation = 'contains' | 'is' | 'isNot' | 'empty' | 'filled' | 'over' | 'under';

/** Cards to keep: those whose cell in `key` passes. */
export interface Filter {
  readonly key: string;
  readonly operation: FilterOperation;
  readonly value: string;
}

export interface Sort {
  readonly key: string;
  readonly descending: boolean;
}

export const PLAIN_VIEW: TableView = { search: '', filters: [], sort: undefined, groupBy: undefined };

/** A row of the table: a card, the heading of a group, or the sums at the foot. */
export type ViewRow =
  | {
      readonly kind: 'card';
      readonly id: string;
      readonly card: WithId<Card>;
      /** Place among all cards, from 1. */
      readonly number: number;
      readonly edited?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'group' | 'totals';
      readonly id: string;
      readonly label: string;
      readonly cards: number;
      /** Sums by column, as text. */
      readonly sums: Readonly<Record<string, string>>;
      readonly edited?: Readonly<Record<string, string>>;
    };

/** A cell's text, formulas worked out. */
export type TextOf = (card: WithId<Card>, key: string) => string;

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The number a cell holds; decimal commas are understood. */
export function numberIn(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/.test(trimmed)) return undefined;
  return Number(trimmed.replace(',', '.'));
}

function passes(text: string, { operation, value }: Filter): boolean {
  const folded = text.toLowerCase();
  const wanted = value.toLowerCase();
  switch (operation) {
    case 'contains':
      return folded.includes(wanted);
    case 'is':
      return folded.trim() === wanted.trim();
    case 'isNot':
      return folded.trim() !== wanted.trim();
    case 'empty':
      return text.trim() === '';
    case 'filled':
      return text.trim() !== '';
    case 'over':
    case 'under': {
      const [have, limit] = [numberIn(text), numberIn(value)];
      if (have === undefined || limit === undefined) return false;
      return operation === 'over' ? have > limit : have < limit;
    }
  }
}

/** Cards shown, in order. */
export function selectCards(
  cards: readonly WithId<Card>[],
  columns: readonly TableColumn[],
  view: TableView,
  textOf: TextOf,
): readonly WithId<Card>[] {
  const search = view.search.trim().toLowerCase();
  const keys = columns.map(({ key }) => key);
  let kept = cards;
  if (search !== '') {
    kept = kept.filter((card) => keys.some((key) => textOf(card, key).toLowerCase().includes(search)));
  }
  for (const filter of view.filters) {
    kept = kept.filter((card) => passes(textOf(card, filter.key), filter));
  }
  const { sort } = view;
  if (!sort) return kept;
  const type = columns.find(({ key }) => key === sort.key)?.type;
  const compare = comparison(type);
  return kept
    .map((card) => ({ card, value: textOf(card, sort.key) }))
    .sort((a, b) => {
      // Empty cells come last either way.
      const empty = Number(a.value.trim() === '') - Number(b.value.trim() === '');
      return empty || (sort.descending ? compare(b.value, a.value) : compare(a.value, b.value));
    })
    .map(({ card }) => card);
}

function comparison(type: ColumnType | undefined): (a: string, b: string) => number {
  if (type !== 'number') return collator.compare;
  return (a, b) => {
    const [x, y] = [numberIn(a), numberIn(b)];
    return x !== undefined && y !== undefined ? x - y : collator.compare(a, b);
  };
}

/** Text of the sums and counts under a column; empty where there are none. */
export function sumsOf(
  cards: readonly WithId<Card>[],
  columns: readonly TableColumn[],
  textOf: TextOf,
): Record<string, string> {
  const sums = bareRecord<string>([]);
  for (const { key, type } of columns) {
    if (type === 'number' || type === 'formula') {
      const numbers = cards.flatMap((card) => numberIn(textOf(card, key)) ?? []);
      if (numbers.length > 0) sums[key] = `Σ ${tidy(numbers.reduce((sum, one) => sum + one, 0))}`;
    } else if (type === 'bool') {
      sums[key] = `${cards.filter((card) => isTrue(textOf(card, key))).length} ✓`;
    }
  }
  return sums;
}

const tidy = (number: number) => String(Number(number.toFixed(6)));

/** True if a cell's text means yes. */
export function isTrue(text: string): boolean {
  return !['', 'false', '0', 'no', 'n', 'off', '-'].includes(text.trim().toLowerCase());
}

/** The rows of the table: cards, with a heading before each group when grouped, and sums at the foot. */
export function viewRows(
  cards: readonly WithId<Card>[],
  columns: readonly TableColumn[],
  view: TableView,
  textOf: TextOf,
  rowOf: (card: WithId<Card>, number: number) => ViewRow,
): ViewRow[] {
  const numbers = new Map(cards.map((card, i) => [card.id, i + 1]));
  const kept = selectCards(cards, columns, view, textOf);
  const toRow = (card: WithId<Card>) => rowOf(card, numbers.get(card.id) ?? 0);
  const rows: ViewRow[] = [];
  const { groupBy } = view;
  if (groupBy === undefined) {
    for (const card of kept) rows.push(toRow(card));
  } else {
    const groups = new Map<string, WithId<Card>[]>();
    for (const card of kept) {
      const label = textOf(card, groupBy).trim();
      const group = groups.get(label);
      if (group) group.push(card);
      else groups.set(label, [card]);
    }
    const ordered = [...groups].sort(
      ([a], [b]) => Number(a === '') - Number(b === '') || collator.compare(a, b),
    );
    for (const [label, group] of ordered) {
      rows.push({
        kind: 'group',
        id: `group:${label}`,
        label,
        cards: group.length,
        sums: sumsOf(group, columns, textOf),
      });
      for (const card of group) rows.push(toRow(card));
    }
  }
  const sums = sumsOf(kept, columns, textOf);
  if (Object.keys(sums).length > 0 && kept.length > 0) {
    rows.push({ kind: 'totals', id: 'totals', label: 'Total', cards: kept.length, sums });
  }
  return rows;
}
