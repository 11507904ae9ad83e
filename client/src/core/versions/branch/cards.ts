import type { JsonObject } from '../../archive/bundle.ts';
import { nameColumn, plainText } from '../../imposition/job/card-name.ts';
import { cellAt } from '../../records.ts';
import { sameDocument } from '../../scene/changes/same-document.ts';
import { cellsOf, type ToldColumn } from '../cards.ts';
import { fieldChanges } from '../field-changes.ts';
import { numberAt, type StoredChange, textAt } from '../stored-change.ts';
import { type BranchAct, type BranchChange, type ChangedPart, cardContent } from './change.ts';
import { keyOfColumn } from './components.ts';

const NAMELESS = 'A card without a name';
/** Columns whose cells are worked out. */
const COMPUTED = 'formula';
/** Fields that are told by themselves, or are only a place. */
const TOLD: ReadonlySet<string> = new Set(['cells', 'order', 'copies', 'status']);

/** A card, and the columns of its component in the project. */
export interface CardPlace {
  readonly component: string;
  readonly card: string;
  readonly group: string;
  readonly columns: readonly ToldColumn[];
  /** Columns that the branch alone has. */
  readonly branchColumns: readonly ToldColumn[];
  /** Keys of the changes that bring its component, where the project lacks it. */
  readonly needs: readonly string[];
}

const nameOf = (columns: readonly ToldColumn[], ...states: readonly (JsonObject | null)[]): string => {
  const key = nameColumn(columns)?.key;
  const names = states.map((state) => (key === undefined ? '' : plainText(cellAt(cellsOf(state), key))));
  return names.find((name) => name !== '') ?? NAMELESS;
};

/** A card's cells in a line, for changes of whole cards. */
const wordsOf = (columns: readonly ToldColumn[], card: JsonObject): string =>
  columns
    .flatMap(({ key, type }) => (type === COMPUTED ? [] : [cellAt(cellsOf(card), key).trim()]))
    .filter(Boolean)
    .join(' · ');

const noColumn = (name: string): string => `A cell of ${name}: the project does not have its column.`;

const copiesOf = (card: JsonObject): number => ('copies' in card ? numberAt(card, 'copies') : 1);

/** Differences between two states of a card, whatever its place. */
function changedParts(
  columns: readonly ToldColumn[],
  before: JsonObject,
  after: JsonObject,
): readonly ChangedPart[] {
  const [was, is] = [cellsOf(before), cellsOf(after)];
  const known = new Map(columns.map((column) => [column.key, column]));
  const cells = [...new Set([...known.keys(), ...Object.keys(was), ...Object.keys(is)])].flatMap((key) => {
    const column = known.get(key);
    const [then, now] = [cellAt(was, key), cellAt(is, key)];
    if (then === now || column?.type === COMPUTED) return [];
    return [{ what: column?.name || key, before: then, after: now }];
  });
  const fields = [
    { what: 'Copies', before: String(copiesOf(before)), after: String(copiesOf(after)) },
    { what: 'Status', before: textAt(before, 'status'), after: textAt(after, 'status') },
  ];
  return [...cells, ...fields.filter((field) => field.before !== field.after)];
}

const sameCard = (columns: readonly ToldColumn[], one: JsonObject, other: JsonObject): boolean =>
  sameDocument(cardContent(one), cardContent(other)) || changedParts(columns, one, other).length === 0;

/** Cells, copies and status of a card that both the project and the branch have. */
function changedFields(
  place: CardPlace,
  // Without a base, both have a card that the version did not have: it was brought back before, and went on.
  [base, theirs, mine]: readonly [base: JsonObject | null, theirs: JsonObject, mine: JsonObject],
  left: string[],
): BranchChange[] {
  const { component, card, group, columns, branchColumns } = place;
  const name = nameOf(columns, mine, theirs);
  const known = new Map(columns.map((column) => [column.key, column]));
  const change = (
    key: string,
    what: string,
    [then, text, today]: readonly [string, string, string],
    act: BranchAct,
  ): BranchChange[] => {
    if ((base && then === text) || text === today) return [];
    return [
      {
        ...{ key: `${component} ${card} ${key}`, group, name, what, base: base ? then : undefined },
        ...{ theirs: text, mine: today, conflict: !base || today !== then, act },
      },
    ];
  };
  const [was, is, now] = [cellsOf(base), cellsOf(theirs), cellsOf(mine)];
  const keys = new Set([...known.keys(), ...[was, is, now].flatMap(Object.keys)]);
  const cells = [...keys].flatMap((key): BranchChange[] => {
    const [then, text, today] = [cellAt(was, key), cellAt(is, key), cellAt(now, key)];
    const column = known.get(key);
    const fresh = branchColumns.find((one) => one.key === key);
    if (column?.type === COMPUTED || fresh?.type === COMPUTED) return [];
    if (!column && !fresh) {
      if (then !== text && text !== today) left.push(noColumn(name));
      return [];
    }
    const act = { kind: 'cell', component, card, column: key, text, was: today } as const;
    const found = change(`cell ${key}`, column?.name || fresh?.name || key, [then, text, today], act);
    return column ? found : found.map((one) => ({ ...one, needs: [keyOfColumn(component, key)] }));
  });
  const copies = [copiesOf(base ?? mine), copiesOf(theirs), copiesOf(mine)] as const;
  const status = [textAt(base, 'status'), textAt(theirs, 'status'), textAt(mine, 'status')] as const;
  if (fieldChanges(base, theirs, {}, TOLD).length > 0 && fieldChanges(mine, theirs, {}, TOLD).length > 0)
    left.push(`Fields of ${name} that this program does not know.`);
  return [
    ...cells,
    ...change('copies', 'Copies', [String(copies[0]), String(copies[1]), String(copies[2])], {
      ...{ kind: 'copies', component, card, copies: copies[1], was: copies[2] },
    }),
    ...change('status', 'Status', status, {
      ...{ kind: 'status', component, card, status: status[1], was: status[2] },
    }),
  ];
}

/**
 * Changes of a branch on one card.
 * @param mine the card in the project today
 * @param left gets what cannot be brought back, in words
 */
export function changedCard(
  place: CardPlace,
  { before: base, after: theirs }: StoredChange,
  mine: JsonObject | null,
  left: string[],
): BranchChange[] {
  const { component, card, group, columns, branchColumns, needs } = place;
  const whole = (what: string, parts: readonly ChangedPart[], act: BranchAct): BranchChange[] => [
    {
      ...{ key: `${component} ${card}`, group, name: nameOf(columns, theirs, mine, base), what, act },
      ...{ conflict: parts.length > 0, ...(parts.length > 0 && { parts }) },
      base: base ? wordsOf(columns, base) : undefined,
      theirs: theirs ? wordsOf(columns, theirs) : undefined,
      mine: mine ? wordsOf(columns, mine) : undefined,
      ...(needs.length > 0 && { needs }),
    },
  ];
  if (theirs && mine) return changedFields(place, [base, theirs, mine], left);
  if (theirs) {
    if (base && sameCard(columns, base, theirs)) return [];
    const parts = base ? changedParts(columns, base, theirs) : [];
    const known = new Set([...columns, ...branchColumns].map(({ key }) => key));
    const strange = Object.entries(cellsOf(theirs)).some(([key, text]) => text !== '' && !known.has(key));
    if (strange) left.push(noColumn(nameOf(columns, theirs)));
    return whole(base ? 'Changed here, gone from the project' : 'New card', parts, {
      ...{ kind: 'add', component, card, value: theirs },
    });
  }
  if (!mine) return [];
  return whole('Deleted card', base ? changedParts(columns, base, mine) : [], {
    ...{ kind: 'remove', component, card, was: mine },
  });
}
