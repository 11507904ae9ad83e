import type { JsonObject } from '../../archive/bundle.ts';
import { columnsOf } from '../cards.ts';
import { type Place, placeOf } from '../place.ts';
import { type StoredChange, textAt } from '../stored-change.ts';
import { changedCard } from './cards.ts';
import type { BranchChange, BranchChanges } from './change.ts';
import { type ComponentStates, changedComponent, keyOfComponent } from './components.ts';
import { changedImage } from './images.ts';
import { changedLayout, keyOfLayout } from './layouts.ts';
import { type BranchTexts, changedBook, keyOfBook } from './rulebooks.ts';
import { changedPreset, changedSettings } from './settings.ts';
import { changedLanguage } from './translations.ts';

/** The project as it is today, as far as telling changes needs it. */
export interface ProjectToday {
  /** Documents of its components, by id. */
  readonly components: ReadonlyMap<string, JsonObject>;
  /** Names of its layouts, by id. */
  readonly layouts?: ReadonlyMap<string, string>;
  /** Texts of the rulebooks whose text somebody changed, by their ids. */
  readonly texts?: ReadonlyMap<string, BranchTexts>;
}

/** Both comparisons, by the paths of the documents. */
class Sides {
  readonly #theirs: ReadonlyMap<string, StoredChange>;
  readonly #mine: ReadonlyMap<string, StoredChange>;

  constructor(theirs: readonly StoredChange[], mine: readonly StoredChange[]) {
    this.#theirs = new Map(theirs.map((change) => [change.path, change]));
    this.#mine = new Map(mine.map((change) => [change.path, change]));
  }

  /** The project's document at a path where the branch changed one. */
  today({ path, before }: StoredChange): JsonObject | null {
    const noted = this.#mine.get(path);
    return noted ? noted.after : before;
  }

  /** Documents of a kind that somebody changed, in all three states. */
  *of(wanted: (place: Place) => boolean) {
    for (const path of new Set([...this.#theirs.keys(), ...this.#mine.keys()])) {
      const place = placeOf(path);
      if (wanted(place)) yield { path, place, ...this.all(path, null) };
    }
  }

  /** A document in all three states; `known` is what it is where nobody changed it. */
  all(path: string, known: JsonObject | null) {
    const [theirs, mine] = [this.#theirs.get(path), this.#mine.get(path)];
    const base = (theirs ?? mine)?.before ?? (theirs || mine ? null : known);
    return { base, theirs: theirs ? theirs.after : base, mine: mine ? mine.after : base };
  }
}

function changedNotes(change: StoredChange, mine: JsonObject | null): BranchChange[] {
  const [then, text, was] = [change.before, change.after, mine].map((one) => textAt(one, 'text'));
  if (then === undefined || text === undefined || was === undefined || then === text || text === was)
    return [];
  return [
    {
      ...{ key: 'notes', group: 'Notes', name: 'Notes', what: 'Text', base: then, theirs: text, mine: was },
      ...{ conflict: was !== then, act: { kind: 'notes', text, was } },
    },
  ];
}

/** The rulebooks of which the branch changed something; branches of before gave them other ids. */
function booksOf(theirs: readonly StoredChange[], left: string[]): readonly string[] {
  const books = theirs.flatMap((change) => {
    const place = placeOf(change.path);
    return place.kind === 'rulebook' ? [{ id: place.id, ...change }] : [];
  });
  const ids = theirs.flatMap(({ path }) => {
    const place = placeOf(path);
    return place.kind === 'rulebook' ? [place.id] : place.kind === 'text' ? [place.rulebook] : [];
  });
  const gone = books.filter(({ after }) => after === null);
  const fresh = books.filter(({ before }) => before === null);
  const stayed = new Set(ids).size > gone.length + fresh.length;
  if (gone.length > 0 && fresh.length > 0 && !stayed) {
    left.push('Rulebooks: none of the branch’s is one that the version had.');
    return [];
  }
  return [...new Set(ids)];
}

/** Names of things that the branch has under new ids, whatever else it has. */
const renewed = (theirs: readonly StoredChange[], kind: Place['kind']): ReadonlySet<string> =>
  new Set(
    theirs.flatMap(({ path, before, after }) =>
      placeOf(path).kind === kind && !before && after ? [textAt(after, 'name')] : [],
    ),
  );

/**
 * Changes that a branch has made since it began, for people to choose from. Those that the project has made alike are left
 * out, and so are places in tables.
 * @param theirs from the version that the branch began as to the branch as it is
 * @param mine from the same version to the project as it is
 * @param unchanged documents of components and rulebooks that nobody changed, by their paths
 */
export function branchChanges(
  theirs: readonly StoredChange[],
  mine: readonly StoredChange[],
  today: ProjectToday,
  unchanged: ReadonlyMap<string, JsonObject> = new Map(),
): BranchChanges {
  const told = new Telling(new Sides(theirs, mine), theirs, today, unchanged);
  for (const change of theirs) told.add(change);
  const books = booksOf(theirs, told.left);
  for (const id of books) told.addBook(id);
  told.addLanguages(new Set(books));
  return { changes: told.changes, left: [...new Set(told.left)] };
}

/** The changes as they are found, one part of the project after the other. */
class Telling {
  readonly changes: BranchChange[] = [];
  readonly left: string[] = [];
  readonly #sides: Sides;
  readonly #today: ProjectToday;
  readonly #unchanged: ReadonlyMap<string, JsonObject>;
  readonly #layouts: ReadonlyMap<string, string>;
  readonly #newLayouts = new Map<string, string>();
  readonly #renewed: Readonly<Record<'layout' | 'preset', ReadonlySet<string>>>;

  constructor(
    sides: Sides,
    theirs: readonly StoredChange[],
    today: ProjectToday,
    unchanged: ReadonlyMap<string, JsonObject>,
  ) {
    this.#sides = sides;
    this.#today = today;
    this.#unchanged = unchanged;
    this.#renewed = { layout: renewed(theirs, 'layout'), preset: renewed(theirs, 'preset') };
    const names = new Map(today.layouts);
    for (const change of theirs) {
      const place = placeOf(change.path);
      if (place.kind !== 'layout' || !change.after) continue;
      if (!names.has(place.id)) names.set(place.id, textAt(change.after, 'name'));
      if (!sides.today(change)) this.#newLayouts.set(place.id, keyOfLayout(place.id));
    }
    this.#layouts = names;
  }

  add(change: StoredChange): void {
    const place = placeOf(change.path);
    const now = this.#sides.today(change);
    switch (place.kind) {
      case 'project':
        this.changes.push(...changedSettings(change, now));
        break;
      case 'component':
        this.#component(place.id);
        break;
      case 'card':
        this.#card(place, change, now);
        break;
      case 'layout':
        this.changes.push(...changedLayout(place.id, change, now, this.#renewed.layout, this.left));
        break;
      case 'image':
        this.changes.push(...changedImage(place.id, change, now));
        break;
      case 'notes':
        this.changes.push(...changedNotes(change, now));
        break;
      case 'preset':
        this.changes.push(...changedPreset(place.id, change, now, this.#renewed.preset, this.left));
        break;
      case 'unknown':
        this.left.push('Parts that this program does not know.');
        break;
      default:
        break;
    }
  }

  /** A component's document in all three states. */
  #states(id: string): ComponentStates {
    const path = `components/${id}`;
    return this.#sides.all(path, this.#unchanged.get(path) ?? this.#today.components.get(id) ?? null);
  }

  #component(id: string): void {
    const cards = () => {
      const [base, mine] = [new Map<string, JsonObject>(), new Map<string, JsonObject>()];
      for (const one of this.#sides.of((place) => place.kind === 'card' && place.component === id)) {
        if (one.place.kind !== 'card') continue;
        if (one.base) base.set(one.place.id, one.base);
        if (one.mine) mine.set(one.place.id, one.mine);
      }
      return { base, mine };
    };
    const context = { cards, layouts: this.#layouts, newLayouts: this.#newLayouts };
    this.changes.push(...changedComponent(id, this.#states(id), context, this.left));
  }

  #card(place: Extract<Place, { kind: 'card' }>, change: StoredChange, now: JsonObject | null): void {
    const { base, theirs, mine } = this.#states(place.component);
    const component = mine ?? (base ? null : theirs);
    // Its cards go with it.
    if (base && !theirs) return;
    if (!component) {
      const name = textAt(theirs, 'name');
      this.left.push(
        name
          ? `Cards of ${name}, which the project deleted.`
          : 'Cards of a component that the project does not have.',
      );
      return;
    }
    const group = textAt(component, 'name') || 'A component';
    const columns = columnsOf(component);
    const known = new Set(columns.map(({ key }) => key));
    const of = {
      ...{ component: place.component, card: place.id, group, columns },
      branchColumns: columnsOf(theirs).filter(({ key }) => !known.has(key)),
      needs: mine ? [] : [keyOfComponent(place.component)],
    };
    this.changes.push(...changedCard(of, change, now, this.left));
  }

  #book(id: string) {
    const path = `rulebooks/${id}`;
    return this.#sides.all(path, this.#unchanged.get(path) ?? null);
  }

  addBook(id: string): void {
    const texts = this.#today.texts?.get(id);
    this.changes.push(...changedBook(id, { ...this.#book(id), texts }, this.left));
  }

  /** Translations of the cards, and of rulebooks that the branch has under the ids of its version. */
  addLanguages(books: ReadonlySet<string>): void {
    const found = new Map<string, { path: string; language: string; rulebook: string | undefined }>();
    for (const { path, place } of this.#sides.of(isTranslation)) {
      const rulebook = place.kind === 'translation' ? place.rulebook : undefined;
      if (rulebook !== undefined && !books.has(rulebook) && !this.#book(rulebook).theirs) continue;
      const own = path.split('/parts/')[0] ?? path;
      if (isTranslation(place)) found.set(own, { path: own, language: place.language, rulebook });
    }
    for (const { path, language, rulebook } of found.values()) {
      const book = rulebook === undefined ? undefined : this.#book(rulebook);
      // One that the branch deleted, or the project, has no translation to bring.
      if (book && (!book.theirs || (book.base && !book.mine))) continue;
      const needs = book && !book.mine && rulebook !== undefined ? [keyOfBook(rulebook)] : [];
      if (!needs.every((need) => this.changes.some(({ key }) => key === need))) continue;
      const title = textAt(book?.mine ?? book?.theirs, 'title') || 'A rulebook';
      const parts = [...this.#sides.of(isTranslation)].filter((one) => one.path.startsWith(`${path}/`));
      const changed = changedLanguage(
        {
          ...{ language, rulebook: rulebook === undefined ? undefined : { id: rulebook, title } },
          needs,
        },
        {
          own: this.#sides.all(path, UNSAID),
          parts: {
            ...{ base: parts.map(({ base }) => base), theirs: parts.map((one) => one.theirs) },
            mine: parts.map((one) => one.mine),
          },
        },
        this.left,
      );
      this.changes.push(...changed);
    }
  }
}

/** The document of a language that nobody changed: it is there, or nothing would lie below it. */
const UNSAID: JsonObject = {};

const isTranslation = (place: Place): place is Extract<Place, { kind: 'language' | 'translation' }> =>
  place.kind === 'language' || place.kind === 'translation';
