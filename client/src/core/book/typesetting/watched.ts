import type { Context, Project } from './context.ts';

/** Facts that composing a block may look at, beside the block itself, its place and the style. */
type Fact =
  | 'place'
  | 'page'
  | 'icon'
  | 'absent'
  | 'card'
  | 'value'
  | 'size'
  | 'headings'
  | 'terms'
  | 'components'
  | 'setUp';

/** One look at a fact, and the answer in a form that can be compared. */
export interface Look {
  readonly fact: Fact;
  /** `null` for a look at all of a kind. */
  readonly key: string | null;
  readonly answer: unknown;
}

const text = (value: unknown): string | undefined => JSON.stringify(value);
/** Texts of lists that many blocks look at, by the list. */
const texts = new WeakMap<object, string>();
function textOfList(list: Iterable<unknown> & object): string {
  const known = texts.get(list) ?? JSON.stringify([...list]);
  texts.set(list, known);
  return known;
}
const inMap = (map: ReadonlyMap<string, unknown> | undefined, key: string | null) =>
  map && (key === null ? textOfList(map) : text(map.get(key)));

const ANSWERS: Record<Fact, (context: Context, key: string | null) => unknown> = {
  place: ({ numbering }, key) => inMap(numbering.places, key),
  page: ({ pages }, key) => inMap(pages, key),
  icon: ({ assets }, key) => inMap(assets.project.icons, key),
  absent: ({ assets }, key) => inMap(assets.project.absent, key),
  // Cards and tables are large, and stay the same objects as long as they look the same.
  card: ({ assets }, key) => assets.project.card(key ?? ''),
  setUp: ({ assets }) => assets.project.setUp,
  value: ({ assets }, key) => text(assets.project.value(key ?? '')),
  size: ({ assets }, key) => text(assets.images.size(key ?? '')),
  headings: ({ numbering }) => textOfList(numbering.headings),
  terms: ({ terms }) => textOfList(terms),
  components: ({ assets }) => textOfList(assets.project.components),
};

/** True if everything that was looked at is as it was. */
export const unchanged = (context: Context, looks: readonly Look[]): boolean =>
  looks.every(({ fact, key, answer }) => ANSWERS[fact](context, key) === answer);

/** A context that notes each look at a fact, and reports issues elsewhere. */
export function watched(
  context: Context,
  report: Context['report'],
): { readonly context: Context; readonly looks: readonly Look[] } {
  const looks: Look[] = [];
  const seen = new Set<string>();
  const note = (fact: Fact, key: string | null = null) => {
    const id = `${fact} ${key ?? ''} ${key === null}`;
    if (seen.has(id)) return;
    seen.add(id);
    looks.push({ fact, key, answer: ANSWERS[fact](context, key) });
  };
  const map = <V>(fact: Fact, real: ReadonlyMap<string, V>) => new WatchedMap(real, (key) => note(fact, key));
  const { assets, numbering } = context;
  const { project, images } = assets;
  const watchedProject: Project = {
    icons: map('icon', project.icons),
    ...(project.absent && { absent: map('absent', project.absent) }),
    get components() {
      note('components');
      return project.components;
    },
    get setUp() {
      note('setUp');
      return project.setUp;
    },
    card: (name) => {
      note('card', name);
      return project.card(name);
    },
    value: (formula) => {
      note('value', formula);
      return project.value(formula);
    },
  };
  return {
    looks,
    context: {
      ...context,
      report,
      assets: {
        ...assets,
        images: {
          size: (source) => {
            note('size', source);
            return images.size(source);
          },
        },
        project: watchedProject,
      },
      numbering: {
        places: map('place', numbering.places),
        get headings() {
          note('headings');
          return numbering.headings;
        },
      },
      pages: map('page', context.pages),
      get terms() {
        note('terms');
        return context.terms;
      },
    },
  };
}

/** Notes which keys are asked for, or that all are. */
class WatchedMap<V> implements ReadonlyMap<string, V> {
  readonly #real: ReadonlyMap<string, V>;
  readonly #note: (key: string | null) => void;

  constructor(real: ReadonlyMap<string, V>, note: (key: string | null) => void) {
    this.#real = real;
    this.#note = note;
  }

  get(key: string): V | undefined {
    this.#note(key);
    return this.#real.get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  get #all(): ReadonlyMap<string, V> {
    this.#note(null);
    return this.#real;
  }

  get size(): number {
    return this.#all.size;
  }
  forEach(call: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    this.#all.forEach(call);
  }
  entries(): MapIterator<[string, V]> {
    return this.#all.entries();
  }
  keys(): MapIterator<string> {
    return this.#all.keys();
  }
  values(): MapIterator<V> {
    return this.#all.values();
  }
  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.#all[Symbol.iterator]();
  }
}
