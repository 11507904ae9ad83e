import type { JsonObject } from '../archive/bundle.ts';
import { type CardDifference, cardDifference, inOrder } from './cards.ts';
import { type ComponentDifference, columnsOfBoth, componentDifference } from './components.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';
import { type FileDifference, fontDifference, imageDifference } from './files.ts';
import { type LanguageDifference, languageDifference } from './languages.ts';
import { type LayoutDifference, layoutDifference } from './layouts.ts';
import { placeOf } from './place.ts';
import { type RulebookChanges, type RulebookDifference, rulebookDifference } from './rulebooks.ts';
import {
  numberAt,
  type Presence,
  presenceOf,
  type StoredChange,
  type StoredContext,
  textAt,
} from './stored-change.ts';

/** Name, description, tags, cover and language. */
export interface SettingsDifference {
  readonly path: string;
  readonly fields: readonly FieldChange[];
}

export interface PresetDifference {
  readonly path: string;
  readonly id: string;
  readonly name: string;
  readonly change: Presence;
}

export interface NotesDifference {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** All that two states of a project do not have alike, as people read it. Each document that changed is in one place. */
export interface Difference {
  readonly components: readonly ComponentDifference[];
  readonly layouts: readonly LayoutDifference[];
  readonly rulebooks: readonly RulebookDifference[];
  readonly images: readonly FileDifference[];
  readonly fonts: readonly FileDifference[];
  readonly languages: readonly LanguageDifference[];
  readonly presets: readonly PresetDifference[];
  readonly settings: SettingsDifference | undefined;
  readonly notes: NotesDifference | undefined;
  /** Paths of documents that nothing here knows. */
  readonly unknown: readonly string[];
}

/** Facts that a project says of itself, with names for people. */
export const SETTINGS = {
  name: 'Name',
  description: 'Description',
  tags: 'Tags',
  coverColor: 'Colour of the box',
  cover: 'Cover',
  language: 'Language',
} as const;

interface ComponentChanges {
  own?: StoredChange;
  readonly cards: { readonly id: string; readonly change: StoredChange }[];
}

/** Changes by the thing that they are of. */
class Sorted {
  readonly components = new Map<string, ComponentChanges>();
  readonly rulebooks = new Map<string, RulebookChanges>();
  readonly languages = new Map<string, StoredChange[]>();
  readonly layouts: LayoutDifference[] = [];
  readonly images: FileDifference[] = [];
  readonly fonts: FileDifference[] = [];
  readonly presets: PresetDifference[] = [];
  readonly unknown: string[] = [];
  settings: SettingsDifference | undefined;
  notes: NotesDifference | undefined;

  #component(id: string): ComponentChanges {
    const known = this.components.get(id) ?? { cards: [] };
    this.components.set(id, known);
    return known;
  }

  #rulebook(id: string): RulebookChanges {
    const known = this.rulebooks.get(id) ?? { text: [], languages: [] };
    this.rulebooks.set(id, known);
    return known;
  }

  put(change: StoredChange): void {
    const { path, before, after } = change;
    const place = placeOf(path);
    switch (place.kind) {
      case 'project':
        this.settings = { path, fields: fieldChanges(before, after, SETTINGS) };
        break;
      case 'notes':
        this.notes = { path, before: textAt(before, 'text'), after: textAt(after, 'text') };
        break;
      case 'component':
        this.#component(place.id).own = change;
        break;
      case 'card':
        this.#component(place.component).cards.push({ id: place.id, change });
        break;
      case 'layout':
        this.layouts.push(layoutDifference(change, place.id));
        break;
      case 'image':
        this.images.push(imageDifference(change, place.id));
        break;
      case 'font':
        this.fonts.push(fontDifference(change, place.id));
        break;
      case 'preset': {
        const name = textAt(after ?? before, 'name') || 'Print settings';
        this.presets.push({ path, id: place.id, name, change: presenceOf(change) });
        break;
      }
      case 'rulebook':
        this.#rulebook(place.id).own = change;
        break;
      case 'text':
        this.#rulebook(place.rulebook).text.push(change);
        break;
      case 'translation':
        this.#rulebook(place.rulebook).languages.push({ language: place.language, change });
        break;
      case 'language':
        this.languages.set(place.language, [...(this.languages.get(place.language) ?? []), change]);
        break;
      case 'unknown':
        this.unknown.push(path);
    }
  }
}

const byName = (a: { readonly name: string }, b: { readonly name: string }) => a.name.localeCompare(b.name);

/**
 * Changes as a difference that people read.
 * @param context documents of components and rulebooks that did not change themselves
 */
export function differenceOf(
  changes: readonly StoredChange[],
  context: readonly StoredContext[] = [],
): Difference {
  const known = new Map<string, JsonObject>(context.map(({ path, value }) => [path, value]));
  const sorted = new Sorted();
  for (const change of changes) sorted.put(change);
  const components = [...sorted.components].map(([id, { own, cards }]) => {
    const document = known.get(`components/${id}`);
    const columns = columnsOfBoth(own, document);
    const told = cards.map(({ id: card, change }): CardDifference => {
      return cardDifference(change, { component: id, id: card }, columns);
    });
    return componentDifference(id, own, document, inOrder(told));
  });
  const order = ({ before, after }: ComponentDifference) => numberAt(after ?? before, 'order');
  return {
    components: components.sort((a, b) => order(a) - order(b) || (a.id < b.id ? -1 : 1)),
    layouts: sorted.layouts.sort(byName),
    rulebooks: [...sorted.rulebooks].map(([id, of]) =>
      rulebookDifference(id, of, known.get(`rulebooks/${id}`)),
    ),
    images: sorted.images.sort(byName),
    fonts: sorted.fonts.sort(byName),
    languages: [...sorted.languages].map(([tag, of]) => languageDifference(tag, of)).sort(byName),
    presets: sorted.presets.sort(byName),
    settings: sorted.settings,
    notes: sorted.notes,
    unknown: sorted.unknown,
  };
}

/** Nothing differs. */
export const NO_DIFFERENCE: Difference = differenceOf([]);

/** Every path that a difference tells of. */
export function toldPaths(difference: Difference): string[] {
  const { components, layouts, rulebooks, images, fonts, languages, presets, settings, notes, unknown } =
    difference;
  return [
    ...[...components, ...rulebooks, ...languages].flatMap(({ paths }) => paths),
    ...[...layouts, ...images, ...fonts, ...presets].map(({ path }) => path),
    ...[settings, notes].flatMap((one) => (one ? [one.path] : [])),
    ...unknown,
  ];
}

/** True if two states are alike. */
export const isSame = (difference: Difference): boolean => toldPaths(difference).length === 0;
