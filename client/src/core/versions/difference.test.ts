import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../archive/bundle.ts';
import { sameDocument } from '../scene/changes/same-document.ts';
import { newLayout } from '../scene/new-layout.ts';
import { cellsOf } from './cards.ts';
import { differenceOf, isSame, toldPaths } from './difference.ts';
import type { FieldChange } from './field-changes.ts';
import { recordsAt, type StoredChange, textAt } from './stored-change.ts';
import { visible } from './visible.ts';

type Documents = ReadonlyMap<string, JsonObject>;

/** As the server compares. */
function changesOf(before: Documents, after: Documents): StoredChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((path) => {
    const [was, is] = [before.get(path) ?? null, after.get(path) ?? null];
    return sameDocument(was, is) ? [] : [{ path, before: was, after: is }];
  });
}

const text = fc.string({ maxLength: 12 });
const id = fc.constantFrom('a', 'b', 'c', 'd');
const card = fc.record(
  {
    order: fc.integer({ min: 0, max: 3 }),
    copies: fc.integer({ min: 0, max: 3 }),
    status: fc.constantFrom('idea', 'final'),
    cells: fc.dictionary(fc.constantFrom('name', 'cost', 'constructor'), text),
    later: fc.boolean(),
  },
  { requiredKeys: ['order', 'copies', 'cells'] },
);
const column = (key: string) =>
  fc.record(
    { key: fc.constant(key), name: text, type: fc.constantFrom('text', 'number'), formula: text },
    { requiredKeys: ['key', 'name', 'type'] },
  );
const component = fc.record({
  name: text,
  kind: fc.constantFrom('cards', 'tokens'),
  order: fc.integer({ min: 0, max: 3 }),
  columns: fc.shuffledSubarray(['name', 'cost', 'text']).chain((keys) => fc.tuple(...keys.map(column))),
  cardCount: fc.integer({ min: 0, max: 9 }),
});
const layout = fc.record({
  name: text,
  scene: fc.constantFrom(
    newLayout('One'),
    { ...newLayout('One'), name: 'Two' },
    { broken: true },
  ) as fc.Arbitrary<object>,
  tags: fc.array(text, { maxLength: 2 }),
});
const file = fc.record({
  path: fc.constantFrom('A/fox.png', 'owl.png'),
  url: text,
  hash: text,
  credit: text,
});
const plain = fc.record({ title: text, text, deletedAt: fc.constantFrom(0, 5) });

const entry = fc.oneof(
  fc.tuple(
    id.map((one) => `components/${one}`),
    component,
  ),
  fc.tuple(
    fc.tuple(id, id).map(([of, one]) => `components/${of}/cards/${one}`),
    card,
  ),
  fc.tuple(
    id.map((one) => `layouts/${one}`),
    layout,
  ),
  fc.tuple(
    id.map((one) => `images/${one}`),
    file,
  ),
  fc.tuple(
    id.map((one) => `fonts/${one}`),
    file,
  ),
  fc.tuple(
    fc.constantFrom(
      ...[
        '',
        'notes/main',
        'printPresets/p',
        'rulebooks/r',
        'rulebooks/r/steps/0001',
        'rulebooks/r/versions/0002',
      ],
      ...[
        'rulebooks/r/languages/de',
        'rulebooks/r/languages/de/parts/0',
        'languages/de',
        'languages/de/parts/0',
        'later/x',
        'components/a/later/b',
        'a/b/c/d/e/f/g',
      ],
    ),
    plain,
  ),
);
const documents = fc
  .array(entry, { maxLength: 24 })
  .map((entries) => new Map(entries as unknown as [string, JsonObject][]));

/** Fields with the told changes made in them. */
function withFields(before: JsonObject, changes: readonly FieldChange[]): JsonObject {
  const fields: Record<string, Json> = { ...before };
  for (const { field, after } of changes) {
    if (after === undefined) delete fields[field];
    else fields[field] = after;
  }
  return fields;
}

test('what nobody sees is left out: counts, former names, and other steps to the same text', () => {
  const component = (cardCount: number) => ({ name: 'Events', columns: [], cardCount });
  const image = (former: string[]) => ({ path: 'fox.png', hash: 'h', former });
  const difference = differenceOf([
    { path: 'components/c', before: component(1), after: component(2) },
    { path: 'images/i', before: image([]), after: image(['owl.png']) },
    { path: 'rulebooks/r/steps/1', before: null, after: { s: '[]' } },
    { path: 'rulebooks/s/steps/1', before: null, after: { s: '[]' } },
  ]);
  const shown = visible(difference, new Set(['r']));
  expect(toldPaths(shown)).toEqual(['rulebooks/s/steps/1']);
  expect(isSame(visible(difference, new Set(['r', 's'])))).toBe(true);
});

test('what is seen stays', () => {
  fc.assert(
    fc.property(documents, documents, (before, after) => {
      const difference = differenceOf(changesOf(before, after));
      const told = new Set(toldPaths(visible(difference)));
      const cards = difference.components.flatMap((component) => component.cards);
      for (const { path } of [...cards, ...difference.presets]) expect(told).toContain(path);
      for (const { path, change } of [...difference.layouts, ...difference.images, ...difference.fonts])
        if (change !== 'changed') expect(told).toContain(path);
    }),
  );
});

describe('a language of the cards', () => {
  test('is told with its translated texts that differ, whichever part they lie in', () => {
    const unit = (source: string, text: string) => ({ source, text });
    const difference = differenceOf([
      {
        path: 'languages/de/parts/0',
        before: { units: { 'c.a.name': unit('Ash', 'Esche'), 'c.b.name': unit('Ebb', 'Ebbe') } },
        after: { units: { 'c.a.name': unit('Ash', 'Asche'), 'c.b.name': unit('Ebb', 'Ebbe') } },
      },
      { path: 'languages/de/parts/1', before: null, after: { units: { 'c.d.name': unit('Gale', 'Sturm') } } },
      { path: 'languages/fr', before: null, after: { by: 'eve' } },
    ]);
    expect(difference.unknown).toEqual([]);
    expect(difference.languages).toEqual([
      { language: 'fr', name: 'French', change: 'added', paths: ['languages/fr'], texts: [] },
      {
        language: 'de',
        name: 'German',
        change: 'changed',
        paths: ['languages/de/parts/0', 'languages/de/parts/1'],
        texts: [
          { id: 'c.a.name', source: 'Ash', before: 'Esche', after: 'Asche' },
          { id: 'c.d.name', source: 'Gale', before: '', after: 'Sturm' },
        ],
      },
    ]);
  });
});

describe('a difference', () => {
  test('of equal states is empty', () => {
    fc.assert(
      fc.property(documents, (state) => {
        const difference = differenceOf(changesOf(state, new Map(state)));
        expect(isSame(difference)).toBe(true);
        expect(difference).toEqual({
          ...{ components: [], layouts: [], rulebooks: [], images: [], fonts: [], languages: [] },
          ...{ presets: [], unknown: [], settings: undefined, notes: undefined },
        });
      }),
    );
  });

  test('tells of every path that changed, and of each once', () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        const changes = changesOf(before, after);
        expect(toldPaths(differenceOf(changes)).sort()).toEqual(changes.map(({ path }) => path).sort());
      }),
    );
  });

  test('applied to a card as it was makes it what it is', () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        for (const { cards } of differenceOf(changesOf(before, after)).components) {
          for (const { path, change, cells, fields, moved } of cards) {
            const [was, is] = [before.get(path), after.get(path)];
            expect(change === 'added').toBe(!was);
            expect(change === 'removed').toBe(!is);
            const next = cellsOf(was);
            for (const cell of cells) {
              expect(Object.hasOwn(next, cell.key) ? next[cell.key] : '').toBe(cell.before);
              Object.defineProperty(next, cell.key, {
                value: cell.after,
                enumerable: true,
                configurable: true,
                writable: true,
              });
            }
            // An empty cell and a missing one are the same.
            const filled = (all: Record<string, string>) =>
              Object.entries(all)
                .filter(([, one]) => one !== '')
                .sort();
            expect(filled(next)).toEqual(filled(cellsOf(is)));
            if (!was || !is) continue;
            const rest = ({ cells: _, order: __, ...fields }: JsonObject) => fields;
            expect(rest(withFields(was, fields))).toEqual(rest(is));
            expect(moved).toBe(was['order'] !== is['order']);
          }
        }
      }),
    );
  });

  test('applied to a component as it was makes it what it is', () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        for (const { id, fields, columns } of differenceOf(changesOf(before, after)).components) {
          const [was, is] = [before.get(`components/${id}`), after.get(`components/${id}`)];
          if (!was || !is) continue;
          const rest = ({ columns: _, cardCount: __, ...fields }: JsonObject) => fields;
          expect(rest(withFields(was, fields))).toEqual(rest(is));
          const next = new Map(recordsAt(was, 'columns').map((one) => [textAt(one, 'key'), one] as const));
          for (const one of columns) {
            const now = recordsAt(is, 'columns').find((known) => textAt(known, 'key') === one.key);
            if (one.change === 'removed') expect(now).toBeUndefined();
            if (one.change === 'removed') next.delete(one.key);
            else if (one.change === 'added' && now) next.set(one.key, now);
            else next.set(one.key, withFields(next.get(one.key) ?? {}, one.fields));
          }
          const all = (list: Iterable<JsonObject>) =>
            [...list].sort((a, b) => (textAt(a, 'key') < textAt(b, 'key') ? -1 : 1));
          expect(all(next.values())).toEqual(all(recordsAt(is, 'columns')));
          const order = (of: JsonObject) => recordsAt(of, 'columns').map((one) => textAt(one, 'key'));
          if (columns.length === 0) expect(order(was)).toEqual(order(is));
        }
      }),
    );
  });
});

const COLUMNS = [
  { key: 'name', name: 'Name', type: 'text' },
  { key: 'cost', name: 'Cost', type: 'number' },
];
const named = (name: string, cost: string, more: JsonObject = {}): JsonObject => ({
  ...{ order: 1, copies: 1, cells: { name, cost } },
  ...more,
});

test('names and columns come from the context where the component did not change', () => {
  const changes = [{ path: 'components/c/cards/k', before: named('Ash', '3'), after: named('Ash', '2') }];
  const context = [{ path: 'components/c', value: { name: 'Events', order: 0, columns: COLUMNS } }];
  const [events] = differenceOf(changes, context).components;
  expect(events).toMatchObject({ name: 'Events', change: 'same', fields: [], columns: [] });
  expect(events?.cards).toMatchObject([
    { name: 'Ash', change: 'changed', cells: [{ column: 'Cost', before: '3', after: '2' }] },
  ]);
});

test('a card that stands elsewhere and says the same is moved', () => {
  const changes = [
    { path: 'components/c/cards/k', before: named('Ash', '3'), after: named('Ash', '3', { order: 2.5 }) },
  ];
  expect(differenceOf(changes).components[0]?.cards[0]?.change).toBe('moved');
});

test('a rulebook that was put away is gone, and one that was brought back is new', () => {
  const book = (deletedAt: number) => ({ title: 'Rules', head: 3, deletedAt });
  const [gone] = differenceOf([{ path: 'rulebooks/r', before: book(0), after: book(9) }]).rulebooks;
  expect(gone).toMatchObject({ title: 'Rules', change: 'removed' });
  const [back] = differenceOf([{ path: 'rulebooks/r', before: book(9), after: book(0) }]).rulebooks;
  expect(back?.change).toBe('added');
});

test('a picture with the same content in another file has not changed', () => {
  const image = (url: string, hash: string) => ({ path: 'Art/fox.png', url, hash });
  const difference = (after: JsonObject) =>
    differenceOf([{ path: 'images/i', before: image('/one', 'h'), after }]).images[0];
  expect(difference(image('/two', 'h'))).toMatchObject({ name: 'fox.png', content: false });
  expect(difference(image('/one', 'other'))?.content).toBe(true);
});
