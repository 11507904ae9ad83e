import type { JsonObject } from '../archive/bundle.ts';
import { nameColumn, plainText } from '../imposition/job/card-name.ts';
import { cellAt } from '../records.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';
import {
  numberAt,
  type Presence,
  presenceOf,
  recordAt,
  recordsAt,
  type StoredChange,
  textAt,
} from './stored-change.ts';

/** A column, as far as telling changes needs it. */
export interface ToldColumn {
  readonly key: string;
  readonly name: string;
  readonly type: string;
}

/** A cell that two states of a card do not have alike. */
export interface CellChange {
  readonly key: string;
  /** Name of its column; of a column that is gone, the name that it had. */
  readonly column: string;
  readonly type: string;
  readonly before: string;
  readonly after: string;
}

export interface CardDifference {
  readonly path: string;
  readonly component: string;
  readonly id: string;
  readonly name: string;
  /** `moved` says the same at another place. */
  readonly change: Presence | 'moved';
  readonly cells: readonly CellChange[];
  /** Copies, status and what else is stored, without the place. */
  readonly fields: readonly FieldChange[];
  /** It stands elsewhere, whatever else changed. */
  readonly moved: boolean;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

const LABELS = { copies: 'Copies', status: 'Status' } as const;
const ELSEWHERE: ReadonlySet<string> = new Set(['cells', 'order']);

/** The columns of a component's document. */
export const columnsOf = (component: JsonObject | null | undefined): ToldColumn[] =>
  recordsAt(component, 'columns').map((column) => ({
    key: textAt(column, 'key'),
    name: textAt(column, 'name'),
    type: textAt(column, 'type') || 'text',
  }));

/** The cells of a card's document; what is no text is none. */
export function cellsOf(card: JsonObject | null | undefined): Record<string, string> {
  const texts = Object.entries(recordAt(card, 'cells')).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}

/**
 * Cells that differ, in the order of the columns; those of no column last.
 * @param columns of both states, the later first
 */
function cellChanges(
  before: JsonObject | null,
  after: JsonObject | null,
  columns: readonly ToldColumn[],
): CellChange[] {
  const [was, is] = [cellsOf(before), cellsOf(after)];
  const known = new Map<string, ToldColumn>();
  for (const column of columns) if (!known.has(column.key)) known.set(column.key, column);
  const keys = new Set([...known.keys(), ...Object.keys(was), ...Object.keys(is)]);
  return [...keys].flatMap((key): CellChange[] => {
    const [then, now] = [cellAt(was, key), cellAt(is, key)];
    if (then === now) return [];
    const { name = '', type = 'text' } = known.get(key) ?? {};
    return [{ key, column: name || key, type, before: then, after: now }];
  });
}

const NAMELESS = 'A card without a name';

function nameFrom(cells: Readonly<Record<string, string>>, columns: readonly ToldColumn[]): string {
  const column = nameColumn(columns);
  return column ? plainText(cellAt(cells, column.key)) : '';
}

/** @param columns of both states, the later first */
export function cardDifference(
  { path, before, after }: StoredChange,
  { component, id }: { readonly component: string; readonly id: string },
  columns: readonly ToldColumn[],
): CardDifference {
  const presence = presenceOf({ before, after });
  const cells = cellChanges(before, after, columns);
  const fields = presence === 'changed' ? fieldChanges(before, after, LABELS, ELSEWHERE) : [];
  const moved = presence === 'changed' && numberAt(before, 'order') !== numberAt(after, 'order');
  return {
    path,
    component,
    id,
    name: nameFrom(cellsOf(after ?? before), columns) || nameFrom(cellsOf(before), columns) || NAMELESS,
    change: moved && cells.length + fields.length === 0 ? 'moved' : presence,
    cells,
    fields,
    moved,
    before,
    after,
  };
}

/** Cards in the order of the later state; those that are gone stand where they stood. */
export function inOrder(cards: readonly CardDifference[]): CardDifference[] {
  const place = ({ before, after }: CardDifference) => numberAt(after ?? before, 'order');
  return [...cards].sort((a, b) => place(a) - place(b) || (a.id < b.id ? -1 : 1));
}
