import { beforeEach, expect, test, vi } from 'vitest';
import { cellId } from '../../core/translation/cards/unit-ids.ts';
import type { Entry } from '../../core/translation/translation.ts';
import { formerPartOf, partOf } from './translation-parts.ts';
import type { TranslationPlace } from './translation-place.ts';
import { saveEntries } from './translations.ts';

type Units = Record<string, unknown>;
const { stored, GONE } = vi.hoisted(() => ({ stored: new Map<string, Units>(), GONE: Symbol('gone') }));

vi.mock('@sdk/firestore', async (original) => ({
  ...(await original<typeof import('@sdk/firestore')>()),
  deleteField: () => GONE,
  doc: (_: unknown, id: string) => ({ id, path: `parts/${id}` }),
  runTransaction: async (_: unknown, run: (transaction: unknown) => unknown) =>
    run({
      get: async ({ id, path }: { id: string; path: string }) => {
        const units = stored.get(id);
        return { id, ref: { path }, exists: () => units !== undefined, data: () => ({ units }) };
      },
      set: ({ id }: { id: string }, { units }: { units: Units }) => {
        // A part of nothing but deletions is made without texts, which the rules refuse.
        if (!stored.has(id) && Object.values(units).every((one) => one === GONE)) {
          throw new Error('permission-denied');
        }
        const merged = Object.entries({ ...stored.get(id), ...units }).filter(([, one]) => one !== GONE);
        stored.set(id, Object.fromEntries(merged));
      },
    }),
}));

beforeEach(() => stored.clear());

const place = { whole: 'project', id: 'p', db: {}, parts: () => ({}) } as unknown as TranslationPlace;
const moved = (): string => {
  const cards = ['a', 'b', 'c', 'd'].map((card) => cellId('component', card, 'name'));
  const id = cards.find((one) => partOf(one) !== formerPartOf(one));
  if (id === undefined) throw new Error('All of them are where they were.');
  return id;
};
const save = (changes: Record<string, Entry | null>, expected?: Record<string, Entry | null>) =>
  saveEntries(place, 'de', new Map(Object.entries(changes)), expected && new Map(Object.entries(expected)));
const OLD: Entry = { source: 'Ash', text: 'Alt' };
const NEW: Entry = { source: 'Ash', text: 'Neu' };

test('a text that an older version left in another part moves to its own when it is changed', async () => {
  const id = moved();
  stored.set(formerPartOf(id), { [id]: OLD, other: OLD });
  expect(await save({ [id]: NEW }, { [id]: OLD })).toEqual(new Map([[id, OLD]]));
  expect(stored.get(partOf(id))).toEqual({ [id]: NEW });
  expect(stored.get(formerPartOf(id))).toEqual({ other: OLD });
});

test('a text is removed wherever it lies, and no part is made for that', async () => {
  const id = moved();
  stored.set(formerPartOf(id), { [id]: OLD });
  expect(await save({ [id]: null })).toEqual(new Map([[id, OLD]]));
  expect([...stored]).toEqual([[formerPartOf(id), {}]]);
  await save({ [id]: NEW });
  await save({ [id]: null });
  expect(stored.get(partOf(id))).toEqual({});
});

test('what is not as expected is left alone', async () => {
  const id = moved();
  stored.set(formerPartOf(id), { [id]: OLD });
  expect((await save({ [id]: NEW }, { [id]: NEW })).size).toBe(0);
  expect(stored.get(formerPartOf(id))).toEqual({ [id]: OLD });
});
