import { beforeEach, expect, test, vi } from 'vitest';
import { type Component, MAX_CARDS, type WithId } from '../../documents/documents.ts';
import type { Project } from '../../project/open-project.ts';
import { appendRows, MAX_APPENDED } from './append-rows.ts';

const world = vi.hoisted(() => ({ written: [] as unknown[], counted: [] as unknown[] }));

vi.mock('@sdk/firestore', () => ({
  doc: () => 'new',
  query: () => 'last',
  orderBy: () => undefined,
  limit: () => undefined,
  increment: (by: number) => by,
  getDocs: async () => ({ docs: [{ get: () => 7 }] }),
  writeBatch: () => {
    const written: unknown[] = [];
    const counted: unknown[] = [];
    return {
      set: (_: unknown, card: unknown) => written.push(card),
      update: (_: unknown, fields: unknown) => counted.push(fields),
      commit: async () => {
        world.written.push(...written);
        world.counted.push(...counted);
      },
    };
  },
}));

const project = { db: {}, cards: () => 'cards', component: () => 'component' } as unknown as Project;
const component = (of: Partial<Component>): WithId<Component> =>
  ({
    id: 'c',
    cardCount: 3,
    copiesColumn: 'number',
    columns: [
      { key: 'name', name: 'Name', type: 'text' },
      { key: 'number', name: 'Copies', type: 'text' },
    ],
    ...of,
  }) as WithId<Component>;

beforeEach(() => void Object.assign(world, { written: [], counted: [] }));

test('rows are cards like those that the table adds, behind the last one', async () => {
  await appendRows(project, component({}), [{ name: 'Fox' }, { number: '4' }]);
  expect(world.written).toEqual([
    { order: 8, copies: 1, cells: { name: 'Fox', number: '' } },
    { order: 9, copies: 4, cells: { name: '', number: '4' } },
  ]);
  expect(world.counted).toEqual([{ cardCount: 2 }]);
});

test.each([
  ['more than a component has', { cardCount: MAX_CARDS - 1 }, [{}, {}], /at most 10000 cards/],
  ['more than go at once', {}, Array.from({ length: MAX_APPENDED + 1 }, () => ({})), /At most 200 rows/],
  ['copies that are no number', {}, [{ name: 'Fox' }, { number: 'many' }], /“many” is no number of copies/],
])('%s are refused, and nothing is added', async (_, of, rows, words) => {
  await expect(appendRows(project, component(of), rows)).rejects.toThrow(words);
  expect(world).toEqual({ written: [], counted: [] });
});
