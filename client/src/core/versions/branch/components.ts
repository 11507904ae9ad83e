import type { Json, JsonObject } from '../../archive/bundle.ts';
import { own } from '../../records.ts';
import { sameDocument } from '../../scene/changes/same-document.ts';
import { COMPONENT_LABELS, keyed } from '../components.ts';
import { valueWords } from '../field-changes.ts';
import { recordAt, textAt } from '../stored-change.ts';
import {
  type BranchChange,
  type ChangedPart,
  cardContent,
  columnContent,
  componentContent,
} from './change.ts';

/** A component's document when the branch began, in the branch, and in the project; `null` where there is none. */
export interface ComponentStates {
  readonly base: JsonObject | null;
  readonly theirs: JsonObject | null;
  readonly mine: JsonObject | null;
}

/** Facts beside a component's document that its changes are told by. */
export interface ComponentContext {
  /** Its cards when the branch began and in the project today, by their ids; asked for when the branch deleted it. */
  cards(): { readonly base: Cards; readonly mine: Cards };
  /** Names of layouts by their ids. */
  readonly layouts: ReadonlyMap<string, string>;
  /** Keys of the changes that bring layouts which the project lacks, by the layouts' ids. */
  readonly newLayouts: ReadonlyMap<string, string>;
}
export type Cards = ReadonlyMap<string, JsonObject>;

type Field = Exclude<keyof typeof COMPONENT_LABELS, 'order'>;
const FIELDS = Object.keys(COMPONENT_LABELS).filter((field): field is Field => field !== 'order');
const LAYOUT_FIELDS: ReadonlySet<Field> = new Set(['layoutId', 'backLayoutId']);
const CHOICE_FIELDS: ReadonlySet<Field> = new Set(['frontBy', 'backBy']);
const COLUMN_FIELDS: ReadonlySet<Field> = new Set(['copiesColumn', 'idColumn']);

const orNone = (fields: JsonObject | null, name: string): Json => (fields && own(fields, name)) ?? null;

/** A field without the time at which a table was last taken over. */
function said(fields: JsonObject | null, field: Field): Json {
  const value = orNone(fields, field);
  if (field !== 'source' || value === null) return value;
  const { syncedAt: _, ...source } = recordAt(fields, field);
  return source;
}

/** Layouts that a field names. */
function layoutsIn(field: Field, value: Json): readonly string[] {
  if (LAYOUT_FIELDS.has(field)) return typeof value === 'string' ? [value] : [];
  if (!CHOICE_FIELDS.has(field)) return [];
  return Object.values(recordAt({ value }, 'value')['layouts'] ?? {}).filter((id) => typeof id === 'string');
}

/** Key of the change that brings a whole component, or takes it away. */
export const keyOfComponent = (id: string): string => `component ${id}`;
/** Key of the change that brings a column. */
export const keyOfColumn = (component: string, column: string): string =>
  `component ${component} column ${column}`;

/** A field's value in words. */
function words(field: Field, value: Json, states: ComponentStates, { layouts }: ComponentContext): string {
  const layoutName = (id: string) => layouts.get(id) || 'a layout';
  const columnName = (key: string) => {
    const column = [states.theirs, states.mine].map((one) => keyed(one).get(key)).find(Boolean);
    return textAt(column, 'name') || key;
  };
  if (value === null) return '';
  if (LAYOUT_FIELDS.has(field) && typeof value === 'string') return layoutName(value);
  if (COLUMN_FIELDS.has(field) && typeof value === 'string') return columnName(value);
  if (CHOICE_FIELDS.has(field)) {
    const by = recordAt({ value }, 'value');
    const each = Object.entries(recordAt(by, 'layouts')).map(
      ([cell, id]) => `${cell || 'nothing'}: ${layoutName(String(id))}`,
    );
    return [columnName(textAt(by, 'column')), ...each.sort()].join(', ');
  }
  return field === 'source' ? textAt({ ...recordAt({ value }, 'value') }, 'url') : valueWords(value);
}

/** A column in words: its name, type, formula and options. */
function columnWords(column: JsonObject): string {
  const more = Object.entries(columnContent(column)).flatMap(([field, value]) => {
    if (['key', 'name', 'type'].includes(field)) return [];
    if (field === 'hidden' || field === 'frozen')
      return value === true ? [field === 'hidden' ? 'hidden' : 'kept in view'] : [];
    if (field === 'translate') return [value === true ? 'translated' : 'not translated'];
    return [valueWords(value)];
  });
  return [textAt(column, 'name'), textAt(column, 'type') || 'text', ...more].filter(Boolean).join(' · ');
}

const sameColumn = (one: JsonObject | undefined, other: JsonObject | undefined): boolean =>
  one && other ? sameDocument(columnContent(one), columnContent(other)) : one === other;

const sameFields = (one: JsonObject, other: JsonObject): boolean =>
  FIELDS.every((field) => sameDocument(said(one, field), said(other, field))) &&
  sameColumns(keyed(one), keyed(other));

type Columns = ReadonlyMap<string, JsonObject>;
const sameColumns = (one: Columns, other: Columns): boolean =>
  one.size === other.size && [...one].every(([key, column]) => sameColumn(column, other.get(key)));

/** Changes of a branch on the columns of a component that both have. */
function changedColumns(id: string, group: string, states: ComponentStates, left: string[]): BranchChange[] {
  const base = keyed(states.base);
  const [theirs, mine] = [keyed(states.theirs), keyed(states.mine)];
  const order = [...theirs.keys()];
  if (states.base && !sameOrder([...base.keys()], order) && !sameOrder([...mine.keys()], order))
    left.push(`The order of the columns of ${group}.`);
  const keys = [...order, ...[...base.keys()].filter((key) => !theirs.has(key))];
  return keys.flatMap((key): BranchChange[] => {
    const [then, is, now] = [base.get(key), theirs.get(key), mine.get(key)];
    if ((states.base && sameColumn(then, is)) || sameColumn(is, now)) return [];
    // Without a base, the project has added it to a component that came back before.
    if (!is && (!now || !states.base)) return [];
    const shown = now ?? is ?? then;
    const missing = then ? 'Column changed here, gone from the project' : 'New column';
    const width = now && own(now, 'width');
    return [
      {
        ...{ key: keyOfColumn(id, key), group, name: textAt(shown, 'name') || key },
        what: is ? (now ? 'Column' : missing) : 'Deleted column',
        ...{ base: then && columnWords(then), theirs: is && columnWords(is), mine: now && columnWords(now) },
        conflict: !sameColumn(then, now),
        act: {
          ...{ kind: 'column', component: id, column: key, was: now ?? null },
          value: is ? { ...columnContent(is), ...(width !== undefined && { width }) } : null,
          behind: is ? order.slice(0, order.indexOf(key)).reverse() : [],
        },
      },
    ];
  });
}

/** True if what both have stands in one order. */
export function sameOrder(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [new Set(one), new Set(other)];
  const both = other.filter((id) => left.has(id));
  return one.filter((id) => right.has(id)).every((id, at) => both[at] === id);
}

/** Changes of a branch on the fields of a component that both have. */
function changedFields(
  id: string,
  group: string,
  states: ComponentStates,
  context: ComponentContext,
): BranchChange[] {
  const { base, theirs, mine } = states;
  return FIELDS.flatMap((field): BranchChange[] => {
    const [then, is, now] = [said(base, field), said(theirs, field), said(mine, field)];
    if ((base && sameDocument(then, is)) || sameDocument(is, now)) return [];
    const told = (value: Json) => words(field, value, states, context);
    const layouts = layoutsIn(field, is).flatMap((layout) => context.newLayouts.get(layout) ?? []);
    const column = COLUMN_FIELDS.has(field)
      ? is
      : CHOICE_FIELDS.has(field)
        ? textAt(recordAt(theirs, field), 'column')
        : null;
    const isNew = typeof column === 'string' && keyed(theirs).has(column) && !keyed(mine).has(column);
    const needs = [...layouts, ...(isNew ? [keyOfColumn(id, column)] : [])];
    return [
      {
        ...{ key: `component ${id} field ${field}`, group, name: group, what: COMPONENT_LABELS[field] },
        ...{ base: base ? told(then) : undefined, theirs: told(is), mine: told(now) },
        ...{ conflict: !sameDocument(then, now), ...(needs.length > 0 && { needs }) },
        act: {
          ...{ kind: 'component', component: id, field },
          ...{ value: orNone(theirs, field), was: orNone(mine, field) },
        },
      },
    ];
  });
}

/** Changes of the project on a component that the branch deleted, for the side that has it. */
function changedSince(
  base: JsonObject,
  mine: JsonObject,
  cards: { readonly base: Cards; readonly mine: Cards },
) {
  const parts: ChangedPart[] = [];
  if (!sameFields(base, mine)) parts.push({ what: 'Columns and settings', before: '', after: 'Changed' });
  const changed = [...cards.mine].filter(([card, fields]) => {
    const then = cards.base.get(card);
    return !then || !sameDocument(cardContent(then), cardContent(fields));
  }).length;
  const gone = [...cards.base.keys()].filter((card) => !cards.mine.has(card)).length;
  if (changed + gone > 0)
    parts.push({ what: 'Cards', before: '', after: `${changed} new or changed, ${gone} deleted` });
  return parts;
}

const counted = (cards: number): string => `${cards} ${cards === 1 ? 'card' : 'cards'}`;

/** Changes of a branch on one component itself. @param left gets what cannot be brought back, in words */
export function changedComponent(
  id: string,
  states: ComponentStates,
  context: ComponentContext,
  left: string[],
): BranchChange[] {
  const { base, theirs, mine } = states;
  const group = textAt(mine ?? theirs ?? base, 'name') || 'A component';
  const whole = { key: keyOfComponent(id), group, name: group };
  if (theirs && mine) {
    return [...changedFields(id, group, states, context), ...changedColumns(id, group, states, left)];
  }
  if (theirs) {
    if (base) {
      if (!sameFields(base, theirs))
        left.push(`Columns and settings of ${group}, which the project deleted.`);
      return [];
    }
    const columns = [...keyed(theirs).values()].map((column) => textAt(column, 'name')).filter(Boolean);
    const layouts = FIELDS.flatMap((field) => layoutsIn(field, orNone(theirs, field)));
    const needs = [...new Set(layouts.flatMap((layout) => context.newLayouts.get(layout) ?? []))];
    return [
      {
        ...{ ...whole, what: 'New component', base: undefined, mine: undefined, conflict: false },
        ...{ theirs: columns.join(', '), ...(needs.length > 0 && { needs }) },
        act: { kind: 'newComponent', component: id, value: componentContent(theirs) },
      },
    ];
  }
  if (!base || !mine) return [];
  const cards = context.cards();
  const parts = changedSince(base, mine, cards);
  return [
    {
      ...{
        ...whole,
        what: 'Deleted component',
        conflict: parts.length > 0,
        ...(parts.length > 0 && { parts }),
      },
      ...{ base: counted(cards.base.size), theirs: undefined, mine: counted(cards.mine.size) },
      act: {
        ...{ kind: 'removeComponent', component: id, was: componentContent(mine) },
        cards: Object.fromEntries(cards.mine),
      },
    },
  ];
}
