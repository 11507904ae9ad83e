import type { JsonObject } from '../../archive/bundle.ts';
import { columnsOf } from '../cards.ts';
import { fieldChanges } from '../field-changes.ts';
import { placeOf } from '../place.ts';
import { type StoredChange, textAt } from '../stored-change.ts';
import { changedCard } from './cards.ts';
import type { BranchChange, BranchChanges } from './change.ts';
import { changedImage } from './images.ts';
import { changedLayout } from './layouts.ts';
import { type BranchTexts, changedBook } from './rulebooks.ts';

/** The project as it is today, as far as telling changes needs it. */
export interface ProjectToday {
  /** Documents of its components, by id. */
  readonly components: ReadonlyMap<string, JsonObject>;
  /** Texts of the rulebooks whose text somebody changed, by their ids. */
  readonly texts?: ReadonlyMap<string, BranchTexts>;
}

/** Fields of a component that are only its place, or are told by the cards. */
const TOLD: ReadonlySet<string> = new Set(['order', 'cardCount']);

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

/** Says what a branch changed on a component itself, which stays in the branch. */
function componentLeft({ before, after }: StoredChange, mine: JsonObject | null, left: string[]): void {
  const name = textAt(mine ?? after ?? before, 'name') || 'A component';
  if (!before) left.push(`The component ${name}, which is new.`);
  else if (!after) left.push(`The component ${name} was deleted in the branch: it stays in the project.`);
  else if (fieldChanges(before, after, {}, TOLD).length > 0 && fieldChanges(mine, after, {}, TOLD).length > 0)
    left.push(`Columns and settings of ${name}.`);
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

/**
 * Changes that a branch has made since it began, for people to choose from. Those that the project has made alike are left
 * out, and so are places in tables.
 * @param theirs from the version that the branch began as to the branch as it is
 * @param mine from the same version to the project as it is
 * @param unchanged documents of rulebooks that nobody changed, by their paths
 */
export function branchChanges(
  theirs: readonly StoredChange[],
  mine: readonly StoredChange[],
  today: ProjectToday,
  unchanged: ReadonlyMap<string, JsonObject> = new Map(),
): BranchChanges {
  const sides = new Sides(theirs, mine);
  const changes: BranchChange[] = [];
  const left: string[] = [];
  for (const change of theirs) {
    const place = placeOf(change.path);
    const now = sides.today(change);
    switch (place.kind) {
      case 'card': {
        const component = today.components.get(place.component);
        if (!component) {
          left.push('Cards of a component that the project does not have.');
          break;
        }
        const group = textAt(component, 'name') || 'A component';
        const of = { component: place.component, card: place.id, group, columns: columnsOf(component) };
        changes.push(...changedCard(of, change, now, left));
        break;
      }
      case 'layout':
        changes.push(...changedLayout(place.id, change, now, left));
        break;
      case 'image':
        changes.push(...changedImage(place.id, change, now, left));
        break;
      case 'notes':
        changes.push(...changedNotes(change, now));
        break;
      case 'component':
        componentLeft(change, now, left);
        break;
      default:
        break;
    }
  }
  for (const id of booksOf(theirs, left)) {
    const path = `rulebooks/${id}`;
    const book = sides.all(path, unchanged.get(path) ?? null);
    changes.push(...changedBook(id, { ...book, texts: today.texts?.get(id) }, left));
  }
  return { changes, left: [...new Set(left)] };
}
