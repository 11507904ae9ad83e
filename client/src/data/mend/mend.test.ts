import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newLayout } from '../../core/scene/new-layout.ts';
import { newZone } from '../../core/scene/zones.ts';
import { cardSchema, componentSchema, layoutDocumentSchema, projectSchema } from '../documents/documents.ts';
import { mend } from './mend.ts';

const scene = newLayout('Tide');
scene.zones.push(
  newZone('text', 'a', 'Name', { x: 5, y: 5, w: 20, h: 8 }),
  newZone('text', 'b', 'Cost', { x: 5, y: 20, w: 20, h: 8 }),
);
const plain = (value: object) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;

/** A valid document of each kind. */
const KINDS = {
  project: {
    schema: projectSchema,
    data: plain({ name: 'Tides', owner: 'ann', tags: ['sea'], members: {}, people: {} }),
  },
  component: {
    schema: componentSchema,
    data: plain({
      name: 'Waves',
      kind: 'cards',
      columns: [
        { key: 'name', name: 'Name', type: 'text' },
        { key: 'cost', name: 'Cost', type: 'number', options: ['1'] },
      ],
      order: 1,
      cardCount: 2,
    }),
  },
  card: {
    schema: cardSchema,
    data: plain({ order: 3, copies: 2, cells: { name: 'Ebb', cost: '2' }, status: 'idea' }),
  },
  layout: { schema: layoutDocumentSchema, data: plain({ name: 'Tide', version: 1, scene, tags: [] }) },
} as const;

test('a valid document needs no change', () => {
  for (const { schema, data } of Object.values(KINDS))
    expect(mend(schema, data)).toEqual({ data, changes: [] });
});

test('the colour of a box that is other CSS is not read', () => {
  const { schema, data } = KINDS.project;
  expect(schema.parse({ ...data, coverColor: '#2f5d62' }).coverColor).toBe('#2f5d62');
  expect(schema.parse({ ...data, coverColor: 'url(//evil.test/x.png)' }).coverColor).toBe('#a8361c');
});

test('a name that is a number becomes its text, a missing one is said so, a number in a cell its text', () => {
  const { schema, data } = KINDS.layout;
  expect(mend(schema, { ...data, name: 5 })?.changes).toEqual([{ path: ['name'], before: 5, after: '5' }]);
  const { name: _, ...nameless } = data;
  expect(mend(schema, nameless)?.changes).toEqual([{ path: ['name'], before: undefined, after: 'Unnamed' }]);
  expect(mend(cardSchema, { ...KINDS.card.data, cells: { name: 7, cost: '2' } })?.changes).toEqual([
    { path: ['cells', 'name'], before: 7, after: '7' },
  ]);
  expect(mend(cardSchema, { ...KINDS.card.data, order: '12' })?.changes).toEqual([
    { path: ['order'], before: '12', after: 12 },
  ]);
});

test('of a damaged list the damaged item goes alone', () => {
  const { schema, data } = KINDS.layout;
  const zones = [...scene.zones.map(plain), { type: 'unheard of' }];
  const mended = mend(schema, { ...data, scene: { ...plain(scene), zones } });
  expect(layoutDocumentSchema.parse(mended?.data).scene.zones.map(({ id }) => id)).toEqual(['a', 'b']);
  const columns = [{ key: 'name', name: 'Name', type: 'text' }, 'nonsense'];
  const read = componentSchema.parse(mend(componentSchema, { ...KINDS.component.data, columns })?.data);
  expect(read.columns.map(({ key }) => key)).toEqual(['name']);
});

/** Places of a document, each with its path. */
function placesOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, one]) =>
    placesOf(one, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length === 0 ? inner : [path, ...inner];
}

function damaged(data: Record<string, unknown>, path: readonly (string | number)[], value: unknown) {
  const copy = structuredClone(data);
  let at: Record<string | number, unknown> = copy;
  for (const key of path.slice(0, -1)) at = at[key] as typeof at;
  const last = path.at(-1) ?? '';
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

test('whatever one place is damaged with, the document can be read again, and the other fields are as they were', () => {
  const wrong = fc.oneof(
    fc.constant(undefined),
    fc.constant(null),
    fc.integer(),
    fc.boolean(),
    fc.string({ maxLength: 5 }),
    fc.constant([]),
    fc.constant({}),
    fc.constant([null]),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[])),
      fc.nat(),
      wrong,
      (kind, pick, value) => {
        const { schema, data } = KINDS[kind];
        const like = kind === 'layout' ? plain({ ...data, scene: newLayout('Unnamed') }) : {};
        const places = placesOf(data);
        const path = places[pick % places.length] ?? [];
        const stored = damaged(data, path, value);
        const mended = mend(schema, stored, like);
        if (!mended) throw new Error(`${path.join('.')} = ${JSON.stringify(value)} cannot be mended.`);
        expect(schema.safeParse(mended.data).success).toBe(true);
        for (const field of Object.keys(stored)) {
          if (field !== path[0]) expect(mended.data[field]).toEqual(stored[field]);
        }
        if (schema.safeParse(stored).success) expect(mended.changes).toEqual([]);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('what is no document at all is left alone', () => {
  expect(mend(cardSchema, {})?.data).toMatchObject({ order: 0, cells: {} });
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`c${i}`, i]));
  expect(mend(cardSchema, { order: 1, copies: 1, cells: many })).toBeUndefined();
});
