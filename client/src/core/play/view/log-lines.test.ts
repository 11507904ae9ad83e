import { expect, test } from 'vitest';
import { EMPTY_COMMON } from '../protocol/looks.ts';
import type { PublicTable, Say, Shown } from '../protocol/messages.ts';
import { linesOf } from './log-lines.ts';

const at = { surface: 0, x: 0, y: 0, z: 0 };
const pile = (name: string): Shown => ({
  ...at,
  name,
  container: { kind: 'stack', arrangement: 'free', policy: null, size: [0, 0] },
});
const VIEW = {
  pieces: new Map<string, Shown>([
    ['deck', pile('Deck')],
    ['top', { ...at, kind: 'card', holder: 'deck' }],
    ['loose', { ...at, kind: 'card' }],
  ]),
  faces: new Map(),
  backs: new Map(),
  common: EMPTY_COMMON,
  seat: null,
  table: { seats: { 0: { name: 'Ann' } } } as unknown as PublicTable,
};
const said = (...say: readonly Say[]) =>
  linesOf({ n: 1, by: 0, verb: 'run', say }, VIEW, VIEW).map(({ text }) => text);

test('a button says of each step what it did', () => {
  const moved = (change: Partial<Extract<Say, { say: 'moved' }>>): Say => ({
    say: 'moved',
    pieces: [{}, {}],
    ...change,
  });
  expect(
    said(
      moved({ pieces: [], to: 'deck' }),
      moved({ from: 'deck' }),
      moved({ from: 'deck', pieces: [{ handle: 'top' }] }),
      moved({ from: 'deck', pieces: [] }),
      moved({ from: 'deck', pieces: [{ handle: 'loose' }] }),
      moved({ from: 'deck', to: 'deck' }),
      { say: 'text', text: 'A new round' },
    ),
  ).toEqual([
    'Ann shuffles Deck',
    'Ann turns over 2 pieces in Deck',
    'Ann turns over a piece in Deck',
    'Ann turns over nothing in Deck',
    'Ann plays a piece from Deck',
    'Ann puts 2 pieces into Deck',
    'Ann says: A new round',
  ]);
});

test('a button whose steps say nothing is in the log nevertheless', () => {
  expect(said()).toEqual(['Ann presses a button']);
});

test('a button that rolls says the side that lies up', () => {
  const sides = ['1', '2', '3'].map((name) => ({ name, layout: 0, table: 0, cells: {} }));
  const die: Shown = { ...at, kind: 'die', face: 7, facing: 'up', value: 2 };
  const view = {
    ...VIEW,
    pieces: new Map([['die', die]]),
    faces: new Map([[7, { name: 'Red die', sides }]]),
  };
  const say = [{ say: 'rolled', pieces: [{ handle: 'die', face: 7 }] }] as const;
  const lines = linesOf({ n: 1, by: 0, verb: 'run', say }, view, view);
  expect(lines.map(({ text }) => text)).toEqual(['Ann rolls Red die: 2']);
});

test.each([
  [true, 'Ann locks a piece'],
  [false, 'Ann unlocks a piece'],
] as const)('a piece that is locked afterwards was locked: %s', (locked, line) => {
  const after = { ...VIEW, pieces: new Map([['loose', { ...at, ...(locked && { locked }) }]]) };
  const say = [{ say: 'moved', pieces: [{ handle: 'loose' }] }] as const;
  expect(linesOf({ n: 1, by: 0, verb: 'lock', say }, VIEW, after)[0]?.text).toBe(line);
});

test('hands are their owner’s own, and cards that change places in one are not put into it', () => {
  const hand = (owner: number): Shown => ({
    ...at,
    container: { kind: 'hand', owner, arrangement: 'fan', policy: null, size: [0, 0] },
  });
  const table = { seats: { 0: { name: 'Ann' }, 1: { name: 'Ben' } } } as unknown as PublicTable;
  const pieces = new Map([
    ['anns', hand(0)],
    ['bens', hand(1)],
  ]);
  const read = (verb: string, say: object, seat: number | null) => {
    const view = { ...VIEW, table, pieces, seat };
    const one = { say: 'moved', pieces: [{}], ...say } as Say;
    return linesOf({ n: 1, by: 0, verb, say: [one] }, view, view)[0]?.text;
  };
  expect(read('reorder', { to: 'anns' }, 0)).toBe('You rearrange your hand');
  expect(read('reorder', { to: 'anns' }, 1)).toBe('Ann rearranges their hand');
  expect(read('move', { from: 'anns' }, null)).toBe('Ann plays a piece from their hand');
  expect(read('drop', { to: 'bens' }, null)).toBe('Ann puts a piece into the hand of Ben');
  expect(read('drop', { to: 'bens' }, 1)).toBe('Ann puts a piece into your hand');
});

test('a value that is set is told', () => {
  const after = { ...VIEW, pieces: new Map([['loose', { ...at, value: 7 }]]) };
  const say = [{ say: 'moved', pieces: [{ handle: 'loose' }] }] as const;
  expect(linesOf({ n: 1, by: 0, verb: 'set', say }, VIEW, after)[0]?.text).toBe('Ann sets a piece to 7');
});
