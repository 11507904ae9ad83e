// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { defaultUserObject, type UserObject } from '../../../data/user-object/schema.ts';
import type { Change } from '../../../data/user-object/store.ts';
import { FIRST_GENERATORS } from './ideas.ts';
import { useLists } from './use-lists.ts';

const world = vi.hoisted(() => ({ object: {} as unknown, saved: [] as unknown[] }));

vi.mock('../../../data/account/session.ts', () => ({ useSession: () => ({ uid: 'ann' }) }));
vi.mock('../../../data/user-object/use-user-object.ts', () => ({
  useUserObject: () => ({
    userObject: world.object,
    save: async (change: unknown) => {
      world.saved.push(change);
      return true;
    },
  }),
}));

test('lists that are added before one’s own are loaded do not take their place', async () => {
  world.object = defaultUserObject();
  const own = { name: 'own', words: ['a'] };
  const added = { name: 'added', words: ['b'] };
  const { change, generators } = renderHook(() => useLists()).result.current;
  expect(generators).toEqual(FIRST_GENERATORS);
  expect(await change((now) => ({ generators: [...now.generators, added] }))).toBe(true);
  const write = world.saved[0] as Extract<Change, (object: UserObject) => unknown>;
  expect(write({ ...defaultUserObject(), generators: [own], promptSentences: ['{own}'] })).toEqual({
    generators: [own, added],
  });
});
