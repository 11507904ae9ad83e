import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LIMITS } from '../../book/document/limits.ts';
import { newLayout } from '../../scene/new-layout.ts';
import { presetSize } from '../../scene/sizes.ts';
import { newZone } from '../../scene/zones.ts';
import { PackError, type PackPart } from '../box/pack.ts';
import { setUpPicture } from './set-up-picture.ts';

const COLUMNS = [{ key: 'name', name: 'Name' }];
const poker = presetSize('poker');
if (!poker) throw new Error('the preset is gone');
const FRONT = {
  ...newLayout('Front', poker),
  zones: [
    {
      ...newZone('text', 'title', 'Title', { x: 5, y: 5, w: 40, h: 10 }),
      bindings: { text: { mode: 'column' as const, column: 'name' } },
    },
  ],
};
const BACK = newLayout('Back', poker);

const part = (kind: string, name: string, copies: readonly number[], back = true): PackPart => ({
  component: name,
  name,
  kind,
  ids: copies.map((_, at) => `${name}-${at}`),
  part: {
    name,
    layout: FRONT,
    back: back ? BACK : null,
    columns: COLUMNS,
    cards: copies.map((own, at) => ({ row: { cells: { name: `${name} ${at + 1}` } }, copies: own })),
  },
});
const words = (...parts: PackPart[]) => setUpPicture(parts).legend.map((one) => one.words);

test('a deck lies face down beside its place to discard, boards lie above, tokens below side by side', () => {
  const parts = [
    part('tokens', 'Coins', [2, 1]),
    part('cards', 'Finds', [3, 2]),
    part('boards', 'Beach', [1]),
  ];
  expect(words(...parts)).toEqual(['Beach 1', '5 × Finds', 'Finds discard', '3 × Coins']);
  const { parts: shown } = setUpPicture(parts);
  expect(shown.map(({ kind, look }) => `${kind} ${look?.layout.name ?? 'blank'}`)).toEqual([
    'piece Front',
    'area blank',
    'piece Front',
    'piece Front',
    'piece Front',
    'pile Back',
    'pile blank',
  ]);
  expect(shown.filter(({ kind }) => kind === 'pile').map(({ count }) => count)).toEqual([5, 0]);
  expect(shown.flatMap(({ look }) => look?.row.cells['name'] ?? [])).toEqual([
    'Beach 1',
    'Coins 1',
    'Coins 1',
    'Coins 2',
  ]);
});

test('everything lies in the picture, each number on its part, and no pile tells what lies in it', () => {
  const kinds = fc.constantFrom('cards', 'tokens', 'tiles', 'boards', 'mats');
  const drawn = fc.record({
    kind: kinds,
    copies: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 }),
    back: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(drawn, { minLength: 1, maxLength: 5 }), (all) => {
      const made = all.map(({ kind, copies, back }, at) => part(kind, `C${at}`, copies, back));
      const { w, h, parts, legend } = setUpPicture(made);
      for (const one of parts) {
        expect(one.x).toBeGreaterThanOrEqual(-1e-6);
        expect(one.y).toBeGreaterThanOrEqual(-1e-6);
        expect(one.x + one.w).toBeLessThanOrEqual(w + 1e-6);
        expect(one.y + one.h).toBeLessThanOrEqual(h + 1e-6);
        if (one.kind === 'pile') expect(one.look?.layout.name ?? 'Back').toBe('Back');
      }
      for (const { x, y } of legend) {
        expect(parts.some((one) => Math.abs(one.x - x) < 1e-6 && Math.abs(one.y - y) < 1e-6)).toBe(true);
      }
      expect(new Set(legend.map(({ x, y }) => `${x} ${y}`)).size).toBe(legend.length);
    }),
    { numRuns: 200 },
  );
});

test('a long name is cut to what a published rulebook holds, and no character of it in two', () => {
  for (const name of ['Beach '.repeat(60), `x${'🐚'.repeat(150)}`, `${'🐚'.repeat(150)}`]) {
    for (const kind of ['boards', 'cards']) {
      for (const said of words(part(kind, name, [1, 2]))) {
        expect(said.length).toBeLessThanOrEqual(LIMITS.title);
        expect(() => encodeURIComponent(said)).not.toThrow();
      }
    }
  }
});

test('where nothing can lie on a table, it says so', () => {
  expect(() => setUpPicture([])).toThrow(PackError);
  expect(() => setUpPicture([part('documents', 'Rules', [1])])).toThrow(PackError);
});
