import { beforeEach, expect, test, vi } from 'vitest';
import { transfer, undoTransfer } from './transfer.ts';

interface Request {
  readonly ids?: readonly string[];
  readonly check?: boolean;
  readonly move?: boolean;
  readonly [name: string]: unknown;
}

/** Requests by callable, and the server's words. */
const world = vi.hoisted(() => ({
  asked: [] as [name: string, request: Request][],
  used: {} as Record<string, unknown>,
  shown: [] as { image: string; what: string; copy: boolean }[],
  there: new Set<string>(),
  failing: undefined as string | undefined,
}));
vi.mock('../server/database.ts', () => ({ getCallables: () => undefined }));
vi.mock('../images/project-images.ts', () => ({ readImagesAt: async () => [] }));
vi.mock('../images/uses.ts', () => ({ findUses: async () => world.shown }));
vi.mock('@sdk/functions', () => ({
  httpsCallable: (_: unknown, name: string) => async (request: Request) => {
    world.asked.push([name, request]);
    const { ids = [], kind, check, move } = request;
    if (!check && ids.some((id) => id === world.failing)) throw new Error('full');
    const kept = Object.fromEntries(ids.filter((id) => id in world.used).map((id) => [id, world.used[id]]));
    if (check || name === 'removeUnused') return { data: { ids: {}, kept } };
    const going = ids.filter((id) => !move || !(id in world.used));
    const made = going.filter((id) => !world.there.has(id));
    const pairs = Object.fromEntries(going.map((id) => [id, id]));
    return {
      data: {
        ids: pairs,
        made: { [String(kind)]: made },
        kept: move ? kept : {},
        at: 5 + world.asked.length,
      },
    };
  },
}));

const component = [{ kind: 'component', name: 'Heroes' }];
const from = { project: 'p' };
const to = { project: 'q' };
const calls = () =>
  world.asked.filter(([, { check }]) => !check).map(([name, { ids, move }]) => [name, ids, move]);

beforeEach(() => {
  Object.assign(world, { asked: [], used: {}, shown: [], there: new Set(), failing: undefined });
});

test('very many things go in several calls; what a failed one had stays behind, and is told', async () => {
  const ids = Array.from({ length: 120 }, (_, i) => `l${i}`);
  const all = await transfer({ kind: 'layouts', from, ids }, to, false);
  expect(calls().map(([, some]) => (some as string[]).length)).toEqual([50, 50, 20]);
  expect([all.ids.size, all.made.layouts.length, all.at]).toEqual([120, 120, 8]);
  world.failing = 'l70';
  const part = await transfer({ kind: 'layouts', from, ids }, to, true);
  expect([part.ids.size, part.failure]).toEqual([50, new Error('full')]);
  world.failing = 'l0';
  await expect(transfer({ kind: 'layouts', from, ids }, to, true)).rejects.toThrow('full');
});

test('what the server or a formula keeps is not asked to move', async () => {
  world.used = { a: component };
  world.shown = [
    { image: 'b', what: 'Card “Fox”', copy: false },
    { image: 'c', what: 'Images of “Zoo”', copy: true },
  ];
  const done = await transfer({ kind: 'images', from, ids: ['a', 'b', 'c'] }, to, true);
  expect(calls()).toEqual([['copyAssets', ['c'], true]]);
  expect([...done.kept]).toEqual([
    ['a', component],
    ['b', [{ kind: 'place', name: 'Card “Fox”' }]],
  ]);
  // Copying asks nobody.
  world.asked = [];
  await transfer({ kind: 'images', from, ids: ['a', 'b', 'c'] }, to, false);
  expect(calls()).toEqual([['copyAssets', ['a', 'b', 'c'], undefined]]);
  expect(world.asked.length).toBe(1);
});

test('a copy is taken back as it was made, a move by a move and copies of what stays', async () => {
  world.there = new Set(['b']);
  const copied = await transfer({ kind: 'images', from, ids: ['a', 'b'] }, to, false);
  world.asked = [];
  await undoTransfer(copied);
  expect(world.asked).toEqual([['removeUnused', { ...to, images: ['a'], since: copied.at }]]);

  const moved = await transfer({ kind: 'images', from, ids: ['a', 'b', 'c'] }, to, true);
  world.asked = [];
  world.used = { c: component };
  const kept = await undoTransfer(moved);
  expect(calls()).toEqual([
    ['copyAssets', ['a'], true],
    ['copyAssets', ['b', 'c'], undefined],
  ]);
  expect([...kept]).toEqual([['c', component]]);
});
