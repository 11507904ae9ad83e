import { cardName, nameColumn } from '../../imposition/job/card-name.ts';
import { cellAt } from '../../records.ts';
import type { Column } from '../../scene/card/row.ts';
import type { Layout, Variable } from '../../scene/layout.ts';
import { MAX_TEXT_LENGTH } from '../../scene/limits.ts';
import type { TextZone } from '../../scene/zones/text.ts';
import { allZones } from '../../table/preflight.ts';
import { hasWords, MAX_UNIT } from '../pieces.ts';
import type { TextForm, Unit } from '../unit.ts';
import { markupForm } from './markup-form.ts';
import { wordsOf } from './markup-pieces.ts';
import { cellId, zoneId } from './unit-ids.ts';

/** A column, as far as translating goes. */
export interface TextColumn extends Column {
  readonly type: string;
  /** Translated or not; where nothing is said, a text that a zone shows is. */
  readonly translate?: boolean | undefined;
}

export interface NamedLayout {
  readonly id: string;
  readonly name: string;
  readonly layout: Layout;
}

/** A component with everything of it that is translated. */
export interface CardSet {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly TextColumn[];
  readonly cards: readonly { readonly id: string; readonly cells: Readonly<Record<string, string>> }[];
  /** Layouts that paint a side of its cards. */
  readonly layouts: readonly NamedLayout[];
}

/** Place of the texts of a card, and of a layout: the ids of their units begin with it. */
export const cardPlace = (component: string, card: string): string => placeOf(cellId(component, card, ''));
export const layoutPlace = (layout: string): string => placeOf(zoneId(layout, ''));
const placeOf = (unit: string): string => unit.slice(0, unit.lastIndexOf('.'));

/** Longest translation: what a zone can show. */
const MOST = Math.min(MAX_UNIT, MAX_TEXT_LENGTH);

const textZones = (layout: Layout): TextZone[] =>
  allZones(layout).filter((zone): zone is TextZone => zone.kind === 'text');

/** Names in braces, single and double, that are nothing but a name. */
const NAMED = /\{\s*([^{}:,]{1,200}?)\s*\}/g;
/** Columns that a formula shows in a language: `lang("de").text`, `lang('de').[Card text]`. */
const IN_LANGUAGE = /\blang\s*\([^()]{1,60}\)\s*\.\s*(?:\[([^\]]{1,200})\]|([\p{L}_][\p{L}\p{M}\p{N}_]*))/giu;
const fold = (text: string): string => text.trim().toLowerCase();

/** Keys of the columns that a layout's texts show as they are: bound to a zone, or by a name in braces. */
function shownColumns(layout: Layout, columns: readonly Column[]): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (text: string): void => {
    for (const [, name = ''] of text.matchAll(NAMED)) names.add(fold(name));
    for (const [, quoted, name = ''] of text.matchAll(IN_LANGUAGE)) names.add(fold(quoted ?? name));
  };
  for (const { text, bindings } of textZones(layout)) {
    const bound = bindings['text'];
    if (bound?.mode === 'column') names.add(fold(bound.column));
    else add(bound ? bound.formula : text);
    if (bound?.mode === 'formula' && !bound.formula.includes('{{')) names.add(fold(bound.formula));
  }
  for (const variable of layout.variables) if (variable.kind === 'text') add(variable.value);
  return new Set(
    columns.filter(({ key, name }) => names.has(fold(key)) || names.has(fold(name))).map(({ key }) => key),
  );
}

/** The columns of a component whose cells are translated. */
export function translatedColumns({ columns, layouts }: Pick<CardSet, 'columns' | 'layouts'>): TextColumn[] {
  const shown = new Set(layouts.flatMap(({ layout }) => [...shownColumns(layout, columns)]));
  return columns.filter(({ key, type, translate }) => translate ?? (type === 'text' && shown.has(key)));
}

/** Forms by what they know of: units of a form that stays the same are not compared anew. */
const forms = new Map<string, TextForm>();
/** Most forms that are kept: one for each component and layout of a project or two. */
const MAX_FORMS = 500;

function formOf(variables: readonly Variable[], columns: readonly Column[]): TextForm {
  const key = JSON.stringify([variables, columns.map(({ key: column, name }) => [column, name])]);
  const known = forms.get(key);
  if (known) return known;
  if (forms.size >= MAX_FORMS) forms.clear();
  const form = markupForm({ variables, columns, cells: {} });
  forms.set(key, form);
  return form;
}

/** Texts of a project's cards and their layouts, in the order of the table. */
export function cardUnits(sets: readonly CardSet[]): Unit[] {
  return [...sets.flatMap(cellUnits), ...zoneUnits(sets)];
}

/** Ids of the units that are names of cards. */
export function nameUnits(sets: readonly CardSet[]): ReadonlySet<string> {
  return new Set(
    sets.flatMap(({ id, columns, cards }) => {
      const column = nameColumn(columns);
      return column ? cards.map((card) => cellId(id, card.id, column.key)) : [];
    }),
  );
}

function cellUnits(set: CardSet): Unit[] {
  const { id, name, columns, cards, layouts } = set;
  const translated = translatedColumns(set);
  if (translated.length === 0) return [];
  const form = formOf(
    layouts.flatMap(({ layout }) => layout.variables),
    columns,
  );
  return cards.flatMap((card, at) => {
    const texts = translated.flatMap((column) => {
      const source = cellAt(card.cells, column.key);
      return hasWords(source) && hasWords(wordsOf(form.pieces(source))) ? [{ column, source }] : [];
    });
    if (texts.length === 0) return [];
    const place = cardPlace(id, card.id);
    const heading = `${name} · ${cardName(card, columns, at)}`;
    return texts.map(({ column, source }): Unit => {
      return {
        id: cellId(id, card.id, column.key),
        place,
        heading,
        label: column.name,
        form,
        source,
        most: MOST,
      };
    });
  });
}

/** The words of a layout itself: those of its text zones that no column or formula replaces. */
function zoneUnits(sets: readonly CardSet[]): Unit[] {
  const layouts = new Map<string, { readonly one: NamedLayout; readonly columns: Column[] }>();
  for (const { layouts: used, columns } of sets) {
    for (const one of used) {
      const known = layouts.get(one.id) ?? { one, columns: [] };
      known.columns.push(...columns);
      layouts.set(one.id, known);
    }
  }
  return [...layouts.values()].flatMap(({ one, columns }) => {
    const form = formOf(one.layout.variables, columns);
    return textZones(one.layout).flatMap(({ id, name, text, bindings }): Unit[] => {
      if (bindings['text'] || !hasWords(wordsOf(form.pieces(text)))) return [];
      const place = layoutPlace(one.id);
      const heading = `Layout ${one.name}`;
      return [{ id: zoneId(one.id, id), place, heading, label: name, form, source: text, most: MOST }];
    });
  });
}
