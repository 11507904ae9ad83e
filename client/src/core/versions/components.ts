import type { JsonObject } from '../archive/bundle.ts';
import { type CardDifference, columnsOf } from './cards.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';
import { type Presence, presenceOf, recordsAt, type StoredChange, textAt } from './stored-change.ts';

/** A column that two states of a component do not have alike. */
export interface ColumnDifference {
  readonly key: string;
  readonly name: string;
  readonly change: Presence | 'moved';
  readonly fields: readonly FieldChange[];
}

export interface ComponentDifference {
  /** Paths of its own document and of its cards, those that changed. */
  readonly paths: readonly string[];
  readonly id: string;
  readonly name: string;
  /** `same` if its cards alone changed. */
  readonly change: Presence | 'same';
  readonly fields: readonly FieldChange[];
  readonly columns: readonly ColumnDifference[];
  readonly cards: readonly CardDifference[];
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/** Fields of a component that people set, with their names. */
export const COMPONENT_LABELS = {
  name: 'Name',
  kind: 'Kind',
  order: 'Place among the components',
  layoutId: 'Layout',
  backLayoutId: 'Layout of the backs',
  frontBy: 'Layouts by a column',
  backBy: 'Layouts of the backs by a column',
  size: 'Size of new layouts',
  copiesColumn: 'Column of copies',
  idColumn: 'Column of ids',
  source: 'Address that it follows',
} as const;
/** Columns are told one by one, and the number of cards by the cards. */
const ELSEWHERE: ReadonlySet<string> = new Set(['columns', 'cardCount']);

const COLUMN_LABELS = {
  name: 'Name',
  type: 'Type',
  formula: 'Formula',
  options: 'Options',
  hidden: 'Hidden',
  frozen: 'Kept in view',
  width: 'Width',
} as const;

/** The columns of a component by their keys. */
export const keyed = (component: JsonObject | null) =>
  new Map(recordsAt(component, 'columns').map((column) => [textAt(column, 'key'), column] as const));

/** The column that each one stands behind, among those that both have. */
function neighbours(keys: Iterable<string>, both: ReadonlySet<string>): Map<string, string> {
  const behind = new Map<string, string>();
  let last = '';
  for (const key of keys) {
    if (!both.has(key)) continue;
    behind.set(key, last);
    last = key;
  }
  return behind;
}

function columnDifferences(before: JsonObject | null, after: JsonObject | null): ColumnDifference[] {
  if (!before || !after) return [];
  const [was, is] = [keyed(before), keyed(after)];
  const both = new Set([...is.keys()].filter((key) => was.has(key)));
  const [stood, stands] = [neighbours(was.keys(), both), neighbours(is.keys(), both)];
  const found = [...is].flatMap(([key, column]): ColumnDifference[] => {
    const then = was.get(key);
    const name = textAt(column, 'name') || key;
    if (!then) return [{ key, name, change: 'added', fields: [] }];
    const fields = fieldChanges(then, column, COLUMN_LABELS);
    const moved = stood.get(key) !== stands.get(key);
    if (fields.length === 0 && !moved) return [];
    return [{ key, name, change: fields.length > 0 ? 'changed' : 'moved', fields }];
  });
  const gone = [...was].flatMap(([key, column]): ColumnDifference[] =>
    is.has(key) ? [] : [{ key, name: textAt(column, 'name') || key, change: 'removed', fields: [] }],
  );
  return [...found, ...gone];
}

/**
 * @param own change of its own document; without one, its cards alone changed
 * @param known its document, where that did not change
 */
export function componentDifference(
  id: string,
  own: StoredChange | undefined,
  known: JsonObject | undefined,
  cards: readonly CardDifference[],
): ComponentDifference {
  const [before, after] = own ? [own.before, own.after] : [known ?? null, known ?? null];
  const presence = own ? presenceOf(own) : 'same';
  const fields = presence === 'changed' ? fieldChanges(before, after, COMPONENT_LABELS, ELSEWHERE) : [];
  const columns = columnDifferences(before, after);
  return {
    paths: [...(own ? [own.path] : []), ...cards.map(({ path }) => path)],
    id,
    name: textAt(after ?? before, 'name') || 'A component',
    change: presence === 'changed' && fields.length + columns.length === 0 ? 'same' : presence,
    fields,
    columns,
    cards,
    before,
    after,
  };
}

/** Columns of both states, the later first. */
export const columnsOfBoth = (own: StoredChange | undefined, known: JsonObject | undefined) => [
  ...columnsOf(own ? own.after : known),
  ...columnsOf(own ? own.before : undefined),
];
