import { bareRecord, cellAt, own } from '../../core/records.ts';
import { isolated } from '../../core/text/names.ts';
import {
  type Card,
  type Component,
  MAX_CARDS,
  type TableColumn,
  type WithId,
} from '../documents/documents.ts';
import type { Intent } from '../table/changes/change.ts';
import { cellText } from '../table/changes/edits.ts';
import type { ImportProblem } from './decode.ts';
import { columnKey, type ImportedTable, namesRows } from './table.ts';

/** Header of the column that downloads write card ids into; such a file finds its cards exactly. */
export const CARD_ID_HEADER = 'Card ID';
/** Most rows and cards left over that are compared with each other cell by cell. */
const MAX_COMPARED = 400;
/** Share of equal cells from which a row is taken for a changed card. */
const LIKENESS = 0.5;

/** Destination of a file's column. */
export type Target =
  | { readonly kind: 'existing'; readonly key: string }
  | { readonly kind: 'new' }
  | { readonly kind: 'skip' };

/** Matching of rows to cards: by the card's own id, by a column, or by similarity. */
export type Match =
  | { readonly by: 'card-id'; readonly source: string }
  | { readonly by: 'column'; readonly source: string }
  | { readonly by: 'likeness' };

export interface Mapping {
  /** By key of the file's column. */
  readonly targets: Readonly<Record<string, Target>>;
  readonly match: Match;
  /** The file's column that says how many copies there are. */
  readonly copies: string | undefined;
}

export interface CellChange {
  readonly key: string;
  readonly before: string;
  readonly after: string;
}

export interface ChangedCard {
  readonly card: WithId<Card>;
  readonly cells: readonly CellChange[];
  readonly copies: { readonly before: number; readonly after: number } | undefined;
}

/** Effect of an import. */
export interface ImportPlan {
  readonly added: readonly { readonly cells: Readonly<Record<string, string>>; readonly copies: number }[];
  readonly changed: readonly ChangedCard[];
  readonly unchanged: number;
  /** Cards that no row of the file is. */
  readonly missing: readonly WithId<Card>[];
  readonly newColumns: readonly TableColumn[];
}

export type Planned = { readonly plan: ImportPlan } | { readonly problems: readonly ImportProblem[] };

const fold = (name: string) => name.trim().toLowerCase();

/** The mapping that is most likely meant. */
export function suggestMapping(
  table: ImportedTable,
  component: WithId<Component>,
  cards: readonly WithId<Card>[],
): Mapping {
  const byName = new Map(component.columns.map((column) => [fold(column.name), column]));
  const targets = bareRecord<Target>([]);
  for (const { key, name } of table.columns) {
    const existing = byName.get(fold(name));
    const own = fold(name) === fold(CARD_ID_HEADER) || (fold(name) === 'copies' && !existing);
    targets[key] = existing
      ? existing.type === 'formula'
        ? { kind: 'skip' }
        : { kind: 'existing', key: existing.key }
      : own
        ? { kind: 'skip' }
        : { kind: 'new' };
  }
  return { targets, match: suggestMatch(table, targets, component, cards), copies: table.copiesColumn };
}

function suggestMatch(
  table: ImportedTable,
  targets: Readonly<Record<string, Target>>,
  component: WithId<Component>,
  cards: readonly WithId<Card>[],
): Match {
  const ids = new Set(cards.map(({ id }) => id));
  const cardId = table.columns.find(({ name }) => fold(name) === fold(CARD_ID_HEADER));
  if (cardId && table.rows.some(({ cells }) => ids.has(cellAt(cells, cardId.key).trim()))) {
    return { by: 'card-id', source: cardId.key };
  }
  const names = (source: string): boolean => {
    const target = own(targets, source);
    return target?.kind === 'existing' && namesRows(source, table.rows) && namesRows(target.key, cards);
  };
  const marked = table.columns.find(({ key }) => {
    const target = own(targets, key);
    return target?.kind === 'existing' && target.key === component.idColumn;
  });
  if (marked && names(marked.key)) return { by: 'column', source: marked.key };
  if (table.idColumn !== undefined && names(table.idColumn)) return { by: 'column', source: table.idColumn };
  return { by: 'likeness' };
}

interface Incoming {
  /** Row as a spreadsheet counts. */
  readonly row: number;
  /** Cells by the table's keys. */
  readonly cells: Readonly<Record<string, string>>;
  readonly copies: number | undefined;
  /** Name of the row, if rows are matched by name. */
  readonly name: string;
}

/** Compares a file with the cards, by a mapping. Nothing is written. */
export function planImport(
  table: ImportedTable,
  mapping: Mapping,
  component: WithId<Component>,
  cards: readonly WithId<Card>[],
): Planned {
  const taken = new Set(component.columns.map(({ key }) => key));
  const newColumns: TableColumn[] = [];
  const keys = new Map<string, string>();
  for (const column of table.columns) {
    const target = own(mapping.targets, column.key) ?? { kind: 'skip' };
    if (target.kind === 'existing') keys.set(column.key, target.key);
    if (target.kind !== 'new') continue;
    const key = columnKey(column.name, taken);
    newColumns.push({ ...column, key });
    keys.set(column.key, key);
  }
  const doubled = doubledTarget([...keys], table, component);
  if (doubled) return { problems: [doubled] };

  const { match } = mapping;
  const incoming = table.rows.map(
    (row, i): Incoming => ({
      row: i + 2,
      cells: bareRecord([...keys].map(([source, key]) => [key, cellAt(row.cells, source)])),
      copies: mapping.copies === undefined ? undefined : row.copies,
      name: match.by === 'likeness' ? '' : cellAt(row.cells, match.source).trim(),
    }),
  );
  const paired =
    match.by === 'likeness'
      ? pairByLikeness(
          incoming,
          cards,
          [...keys.values()].filter((key) => !isNew(key, newColumns)),
          component,
        )
      : pairByName(incoming, cards, match, keys, component);
  if ('problems' in paired) return paired;
  const plan = compare(incoming, paired.pairs, cards, component, newColumns);
  const total = cards.length + plan.added.length;
  if (total > MAX_CARDS) {
    const message = `With ${plan.added.length} more there would be ${total} cards; a component has at most ${MAX_CARDS}. Delete some first, or import the file as a component of its own.`;
    return { problems: [{ message }] };
  }
  return { plan };
}

const isNew = (key: string, columns: readonly TableColumn[]) => columns.some((column) => column.key === key);

function doubledTarget(
  keys: readonly (readonly [string, string])[],
  table: ImportedTable,
  component: WithId<Component>,
): ImportProblem | undefined {
  const seen = new Map<string, string>();
  for (const [source, key] of keys) {
    const first = seen.get(key);
    if (first !== undefined) {
      const nameOf = (one: string) => table.columns.find((column) => column.key === one)?.name ?? one;
      const target = component.columns.find((column) => column.key === key)?.name ?? key;
      return { message: `“${nameOf(first)}” and “${nameOf(source)}” both go to “${target}”. Choose one.` };
    }
    seen.set(key, source);
  }
  return undefined;
}

type Pairs = ReadonlyMap<Incoming, WithId<Card>>;

function pairByName(
  incoming: readonly Incoming[],
  cards: readonly WithId<Card>[],
  match: Exclude<Match, { by: 'likeness' }>,
  keys: ReadonlyMap<string, string>,
  component: WithId<Component>,
): { pairs: Pairs } | { problems: readonly ImportProblem[] } {
  const key = keys.get(match.source) ?? '';
  const byName = new Map<string, WithId<Card>>();
  for (const card of cards) {
    const name = match.by === 'card-id' ? card.id : cellText(card, key, component).trim();
    if (name !== '' && !byName.has(name)) byName.set(name, card);
  }
  const problems: ImportProblem[] = [];
  const rows = new Map<string, number>();
  const pairs = new Map<Incoming, WithId<Card>>();
  for (const one of incoming) {
    const first = rows.get(one.name);
    if (one.name !== '' && first !== undefined) {
      problems.push({
        row: one.row,
        message: `“${isolated(one.name)}” also names row ${first}. Every row needs its own.`,
      });
    }
    rows.set(one.name, first ?? one.row);
    const card = one.name === '' ? undefined : byName.get(one.name);
    if (card) pairs.set(one, card);
  }
  return problems.length > 0 ? { problems } : { pairs };
}

/**
 * Equal rows first, then rows with the same name, then rows most of whose cells are the same, in
 * order. Whatever is left is new.
 */
function pairByLikeness(
  incoming: readonly Incoming[],
  cards: readonly WithId<Card>[],
  keys: readonly string[],
  component: WithId<Component>,
): { pairs: Pairs } {
  const pairs = new Map<Incoming, WithId<Card>>();
  if (keys.length === 0) return { pairs };
  const left = new Set(cards);
  const text = (card: WithId<Card>, key: string) => cellText(card, key, component);
  const pairEqual = (
    ofRow: (row: Incoming) => string,
    ofCard: (card: WithId<Card>) => string,
    unique: boolean,
  ) => {
    const found = new Map<string, WithId<Card>[]>();
    for (const card of left) found.set(ofCard(card), [...(found.get(ofCard(card)) ?? []), card]);
    const counts = new Map<string, number>();
    const rows = incoming.filter((row) => !pairs.has(row));
    for (const row of rows) counts.set(ofRow(row), (counts.get(ofRow(row)) ?? 0) + 1);
    for (const row of rows) {
      const sign = ofRow(row);
      const list = found.get(sign) ?? [];
      if (unique && (sign === '' || list.length !== 1 || counts.get(sign) !== 1)) continue;
      const card = list.shift();
      if (!card) continue;
      pairs.set(row, card);
      left.delete(card);
    }
  };
  pairEqual(
    (row) => JSON.stringify(keys.map((key) => cellAt(row.cells, key))),
    (card) => JSON.stringify(keys.map((key) => text(card, key))),
    false,
  );
  const named =
    component.columns.find(({ key, name }) => keys.includes(key) && /^(name|title)$/i.test(name))?.key ??
    keys[0] ??
    '';
  pairEqual(
    (row) => cellAt(row.cells, named).trim(),
    (card) => text(card, named).trim(),
    true,
  );
  const rows = incoming.filter((row) => !pairs.has(row));
  if (rows.length > MAX_COMPARED || left.size > MAX_COMPARED) return { pairs };
  for (const row of rows) {
    let best: { card: WithId<Card>; share: number } | undefined;
    for (const card of left) {
      const filled = keys.filter((key) => cellAt(row.cells, key) !== '' || text(card, key) !== '');
      const equal = filled.filter((key) => cellAt(row.cells, key) === text(card, key)).length;
      const share = filled.length === 0 ? 0 : equal / filled.length;
      if (share >= LIKENESS && share > (best?.share ?? 0)) best = { card, share };
    }
    if (!best) continue;
    pairs.set(row, best.card);
    left.delete(best.card);
  }
  return { pairs };
}

function compare(
  incoming: readonly Incoming[],
  pairs: Pairs,
  cards: readonly WithId<Card>[],
  component: WithId<Component>,
  newColumns: readonly TableColumn[],
): ImportPlan {
  const added: { cells: Readonly<Record<string, string>>; copies: number }[] = [];
  const changed: ChangedCard[] = [];
  let unchanged = 0;
  for (const row of incoming) {
    const card = pairs.get(row);
    if (!card) {
      added.push({ cells: row.cells, copies: row.copies ?? 1 });
      continue;
    }
    const cells = Object.entries(row.cells).flatMap(([key, after]) => {
      // A different spelling of the same number of copies is not a change.
      if (key === component.copiesColumn) return [];
      const before = cellAt(card.cells, key);
      return before === after ? [] : [{ key, before, after }];
    });
    const copies =
      row.copies !== undefined && row.copies !== card.copies
        ? { before: card.copies, after: row.copies }
        : undefined;
    if (cells.length === 0 && !copies) unchanged++;
    else changed.push({ card, cells, copies });
  }
  const found = new Set([...pairs.values()].map(({ id }) => id));
  return { added, changed, unchanged, missing: cards.filter(({ id }) => !found.has(id)), newColumns };
}

/** Edits that carry out the plan. `remove` deletes the cards that the file does not have. */
export function intentsOf(
  plan: ImportPlan,
  component: WithId<Component>,
  lastOrder: number,
  remove: boolean,
  newId: () => string,
): Intent[] {
  const columns = [...component.columns, ...plan.newColumns];
  const empty = bareRecord(columns.map(({ key }) => [key, '']));
  const copiesKey = component.copiesColumn;
  return [
    ...(plan.newColumns.length > 0
      ? [{ kind: 'component' as const, patch: { columns: columns.map((column) => ({ ...column })) } }]
      : []),
    ...plan.changed.flatMap(({ card, cells, copies }): Intent[] => [
      ...cells.map(({ key, after }) => ({ kind: 'cell' as const, card: card.id, key, text: after })),
      ...(copies
        ? [
            { kind: 'field' as const, card: card.id, field: 'copies' as const, value: copies.after },
            ...(copiesKey === undefined
              ? []
              : [{ kind: 'cell' as const, card: card.id, key: copiesKey, text: String(copies.after) }]),
          ]
        : []),
    ]),
    ...plan.added.map(
      ({ cells, copies }, i): Intent => ({
        kind: 'add',
        card: newId(),
        value: { order: lastOrder + 1 + i, copies, cells: { ...empty, ...cells } },
      }),
    ),
    ...(remove ? plan.missing.map(({ id }): Intent => ({ kind: 'remove', card: id })) : []),
  ];
}
