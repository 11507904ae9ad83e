import type { JsonObject } from '../archive/bundle.ts';
import { nameColumn, plainText } from '../imposition/job/card-name.ts';
import { cellAt } from '../records.ts';
import { layoutDifferences } from '../scene/changes/diff.ts';
import { type Layout, layoutSchema } from '../scene/layout.ts';
import { cellsOf, columnsOf, type ToldColumn } from './cards.ts';
import { placeOf } from './place.ts';
import { numberAt, recordAt, type StoredChange, textAt } from './stored-change.ts';

/** A change that a branch has made since it began, and that can be brought back. */
export interface BranchChange {
  readonly key: string;
  /** The component, or the part of the project, that it is of. */
  readonly group: string;
  /** Name of the card or layout. */
  readonly name: string;
  /** The column, or what became of it. */
  readonly what: string;
  /** The value when the branch began, in the branch, and in the project today; `undefined` where there is none. */
  readonly base: string | undefined;
  readonly theirs: string | undefined;
  readonly mine: string | undefined;
  /** The project has changed it too, otherwise. */
  readonly conflict: boolean;
  readonly act: BranchAct;
}

/** The write that brings a change back, and the state of the project that it rests on. */
export type BranchAct =
  | {
      readonly kind: 'cell';
      readonly component: string;
      readonly card: string;
      readonly column: string;
      readonly text: string;
      readonly was: string;
    }
  | {
      readonly kind: 'copies';
      readonly component: string;
      readonly card: string;
      readonly copies: number;
      readonly was: number;
    }
  | { readonly kind: 'add'; readonly component: string; readonly card: string; readonly value: JsonObject }
  | { readonly kind: 'remove'; readonly component: string; readonly card: string; readonly was: JsonObject }
  | { readonly kind: 'layout'; readonly layout: string; readonly scene: JsonObject; readonly was: JsonObject }
  | { readonly kind: 'notes'; readonly text: string; readonly was: string };

export interface BranchChanges {
  readonly changes: readonly BranchChange[];
  /** Changes of the branch that cannot be brought back here, in words. */
  readonly left: readonly string[];
}

/** The project as it is today, as far as telling changes needs it. */
export interface ProjectToday {
  /** Documents of its components, by id. */
  readonly components: ReadonlyMap<string, JsonObject>;
}

const NAMELESS = 'A card without a name';
/** Columns whose cells are worked out. */
const COMPUTED = 'formula';

interface CardPlace {
  readonly component: string;
  readonly card: string;
  readonly group: string;
  readonly columns: readonly ToldColumn[];
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

const sameCells = (one: JsonObject, other: JsonObject): boolean => {
  const [a, b] = [cellsOf(one), cellsOf(other)];
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return keys.every((key) => cellAt(a, key) === cellAt(b, key)) && copiesOf(one) === copiesOf(other);
};

const copiesOf = (card: JsonObject): number => ('copies' in card ? numberAt(card, 'copies') : 1);

/** Cells and copies of a card that both the project and the branch have. */
function changedCells(
  { component, card, group, columns }: CardPlace,
  [base, theirs, mine]: readonly [base: JsonObject, theirs: JsonObject, mine: JsonObject],
  left: string[],
): BranchChange[] {
  const name = nameOf(columns, mine, theirs);
  const [was, is, now] = [cellsOf(base), cellsOf(theirs), cellsOf(mine)];
  const known = new Map(columns.map((column) => [column.key, column]));
  const cells = [...new Set([...known.keys(), ...Object.keys(was), ...Object.keys(is)])].flatMap(
    (key): BranchChange[] => {
      const [then, text, today] = [cellAt(was, key), cellAt(is, key), cellAt(now, key)];
      const column = known.get(key);
      if (then === text || text === today || column?.type === COMPUTED) return [];
      if (!column) {
        left.push(`A cell of ${name}: the project does not have its column.`);
        return [];
      }
      return [
        {
          ...{ key: `${component} ${card} ${key}`, group, name, what: column.name || key },
          ...{ base: then, theirs: text, mine: today, conflict: today !== then },
          act: { kind: 'cell', component, card, column: key, text, was: today },
        },
      ];
    },
  );
  const [then, copies, today] = [copiesOf(base), copiesOf(theirs), copiesOf(mine)];
  if (then === copies || copies === today) return cells;
  return [
    ...cells,
    {
      ...{ key: `${component} ${card}`, group, name, what: 'Copies' },
      ...{ base: String(then), theirs: String(copies), mine: String(today), conflict: today !== then },
      act: { kind: 'copies', component, card, copies, was: today },
    },
  ];
}

function changedCard(
  place: CardPlace,
  { before: base, after: theirs }: StoredChange,
  mine: JsonObject | null,
  left: string[],
): BranchChange[] {
  const { component, card, group, columns } = place;
  const whole = (what: string, conflict: boolean, act: BranchAct): BranchChange[] => [
    {
      ...{
        key: `${component} ${card}`,
        group,
        name: nameOf(columns, theirs, mine, base),
        what,
        conflict,
        act,
      },
      base: base ? wordsOf(columns, base) : undefined,
      theirs: theirs ? wordsOf(columns, theirs) : undefined,
      mine: mine ? wordsOf(columns, mine) : undefined,
    },
  ];
  if (theirs && mine && base) return changedCells(place, [base, theirs, mine], left);
  if (theirs && mine) return [];
  if (theirs) {
    if (base && sameCells(base, theirs)) return [];
    return whole(base ? 'Changed here, gone from the project' : 'New card', base !== null, {
      ...{ kind: 'add', component, card, value: theirs },
    });
  }
  if (!mine) return [];
  return whole('Deleted card', base !== null && !sameCells(base, mine), {
    ...{ kind: 'remove', component, card, was: mine },
  });
}

const sceneOf = (fields: JsonObject | null): Layout | undefined =>
  fields ? layoutSchema.safeParse(recordAt(fields, 'scene')).data : undefined;

const withFontsOf = ({ fonts }: Layout, { fonts: _, ...layout }: Layout): Layout =>
  fonts ? { ...layout, fonts } : layout;

function withOwnFonts({ fonts: _, ...scene }: JsonObject, fonts: JsonObject[string] | undefined): JsonObject {
  return fonts === undefined ? scene : { ...scene, fonts };
}

/** Zones that differ, in words; fonts lie in a project's own folder, so that their addresses always differ. */
const zonesOf = (before: Layout, after: Layout): string =>
  layoutDifferences(before, withFontsOf(before, after))
    .map(({ name }) => name)
    .join(', ');

function changedLayout(
  id: string,
  { before, after }: StoredChange,
  mine: JsonObject | null,
  left: string[],
): BranchChange[] {
  const [base, theirs, now] = [sceneOf(before), sceneOf(after), sceneOf(mine)];
  const name = textAt(after ?? before, 'name') || 'A layout';
  if (!before || !after || !mine || !base || !theirs || !now) {
    if (after && !before) left.push(`The layout ${name}, which is new.`);
    return [];
  }
  const differs = zonesOf(base, theirs);
  if (differs === '' || zonesOf(now, theirs) === '') return [];
  const fonts = new Set((now.fonts ?? []).map(({ family }) => family));
  const lacking = theirs.fonts?.find(({ family }) => !fonts.has(family));
  if (lacking) {
    left.push(`The layout ${name}: the project does not have the font ${lacking.name}.`);
    return [];
  }
  const today = zonesOf(base, now);
  return [
    {
      ...{ key: `layout ${id}`, group: 'Layouts', name, what: 'Layout', base: '', theirs: differs },
      ...{ mine: today, conflict: today !== '' },
      act: {
        ...{ kind: 'layout', layout: id, was: recordAt(mine, 'scene') },
        scene: withOwnFonts(recordAt(after, 'scene'), recordAt(mine, 'scene')['fonts']),
      },
    },
  ];
}

/**
 * Changes of cards, layouts and notes that a branch has made since it began, for people to choose from. Those that the
 * project has made alike are left out, and so are places in tables.
 * @param theirs from the version that the branch began as to the branch as it is
 * @param mine from the same version to the project as it is
 */
export function branchChanges(
  theirs: readonly StoredChange[],
  mine: readonly StoredChange[],
  today: ProjectToday,
): BranchChanges {
  const own = new Map(mine.map((change) => [change.path, change]));
  const changes: BranchChange[] = [];
  const left: string[] = [];
  for (const change of theirs) {
    const { path, before } = change;
    const place = placeOf(path);
    const noted = own.get(path);
    const now = noted ? noted.after : before;
    switch (place.kind) {
      case 'card': {
        const component = today.components.get(place.component);
        if (!component) {
          left.push('Cards of a component that the project does not have.');
          break;
        }
        const group = textAt(component, 'name') || 'A component';
        const columns = columnsOf(component);
        const of = { component: place.component, card: place.id, group, columns };
        changes.push(...changedCard(of, change, now, left));
        break;
      }
      case 'layout':
        changes.push(...changedLayout(place.id, change, now, left));
        break;
      case 'notes': {
        const [then, text, is] = [change.before, change.after, now].map((one) => textAt(one, 'text'));
        if (then === undefined || text === undefined || is === undefined || then === text || text === is)
          break;
        changes.push({
          ...{
            key: 'notes',
            group: 'Notes',
            name: 'Notes',
            what: 'Text',
            base: then,
            theirs: text,
            mine: is,
          },
          ...{ conflict: is !== then, act: { kind: 'notes', text, was: is } },
        });
        break;
      }
      // Copies of all else have ids, files or settings of their own, so that nothing tells what changed.
      default:
        break;
    }
  }
  return { changes, left: [...new Set(left)] };
}
