import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainTraits } from '../../board/space.ts';
import { flexBoxes } from '../../layout/flex.ts';
import { newLayout } from '../../scene/new-layout.ts';
import { newZone, type ZoneOf } from '../../scene/zones.ts';
import type { PieceKind } from '../protocol/messages.ts';
import type { Placed } from './arrange.ts';
import {
  needsFlex,
  neighbourInOrder,
  nextSpace,
  restingOf,
  restingPlace,
  setFlexBoxes,
  spaceAt,
  spaceUnder,
  type TableSpace,
  tableSpaces,
} from './table-spaces.ts';

/** A board of 200 by 100 mm with a map of 4 by 2 cells of 50 mm, and a loose area over the left half. */
function board(turn: number, x = 0, y = 0) {
  const layout = newLayout('Board', { preset: 'custom', w: 200, h: 100, shape: 'rect', radius: 0 });
  const map = {
    ...newZone('map', 'm', 'Map', { x: 0, y: 0, w: 200, h: 100 }),
    cells: 'square' as const,
    cols: 4,
    rows: 2,
    spaces: [{ id: 's', of: 'all' as const, terrain: '', range: '', ...plainTraits('spot') }],
  };
  layout.zones = [map];
  const face = { name: 'Board', sides: [{ name: 'Board', layout: 0, table: 0, cells: {} }] };
  const placed: Placed = {
    handle: 'b',
    shown: { x, y, z: 0, kind: 'board', face: 0 },
    x,
    y,
    w: 2_000,
    h: 1_000,
    turn,
  };
  const view = { faces: new Map([[0, face]]), common: { layouts: [layout], tables: [[]], pictures: [] } };
  return { layout, placed, view };
}

test('a piece comes to rest in the middle of the cell that it is let go in', () => {
  const { placed, view } = board(0, 500, 300);
  const spaces = tableSpaces(view, [placed]);
  expect(spaces).toHaveLength(8);
  // The board's top left corner lies at -500, -200.
  expect(restingPlace(spaces, { x: -480, y: -190 })).toMatchObject({ name: 'A1', x: -250, y: 50 });
  expect(restingPlace(spaces, { x: 5_000, y: 0 })).toBeUndefined();
});

test('cells of a turned board turn with it: every middle lies in the space of its own name', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 359 }), fc.integer(), fc.integer(), (turn, dx, dy) => {
      const { placed, view } = board(turn, dx % 10_000, dy % 10_000);
      const spaces = tableSpaces(view, [placed]);
      for (const space of spaces) expect(spaceAt(spaces, space.x, space.y)?.name).toBe(space.name);
    }),
  );
});

test('a board that lies face down, or is unknown, has no spaces', () => {
  const { placed, view } = board(0);
  expect(tableSpaces(view, [{ ...placed, shown: { ...placed.shown, facing: 'down' } }])).toEqual([]);
  const { face: _, ...unknown } = placed.shown;
  expect(tableSpaces(view, [{ ...placed, shown: unknown }])).toEqual([]);
});

test('spaces of a flex container are there once that is loaded, and lie where it puts them', () => {
  const { layout, placed, view } = board(0);
  const spot = (id: string) => newZone('space', id, id.toUpperCase(), { x: 150, y: 50, w: 20, h: 20 });
  const row = newZone('container', 'row', 'Row', { x: 10, y: 0, w: 180, h: 100 });
  layout.zones = [{ ...row, arrange: 'flex', children: [spot('a'), spot('b')] }];
  const named = (name: string) => tableSpaces(view, [placed]).find((space) => space.name === name);
  expect(needsFlex(view.common)).toBe(true);
  expect(named('B')).toBeUndefined();
  setFlexBoxes((container) => flexBoxes(container, () => undefined));
  try {
    expect(needsFlex(view.common)).toBe(false);
    expect([named('A')?.x, named('B')?.x]).toEqual([(10 + 10 - 100) * 10, (10 + 30 + row.gap - 100) * 10]);
  } finally {
    setFlexBoxes(undefined);
  }
});

test('the board on top says where a piece lies, and in an area pieces lie loose', () => {
  const under = board(0);
  const over = board(0);
  over.layout.zones = [
    { ...newZone('space', 's', 'Harbour', { x: 0, y: 0, w: 100, h: 100 }), role: 'area' as const },
  ];
  const view = {
    faces: new Map([
      [0, { name: 'Under', sides: [{ name: 'Under', layout: 0, table: 0, cells: {} }] }],
      [1, { name: 'Over', sides: [{ name: 'Over', layout: 1, table: 0, cells: {} }] }],
    ]),
    common: { layouts: [under.layout, over.layout], tables: [[]], pictures: [] },
  };
  const spaces = tableSpaces(view, [
    under.placed,
    { ...over.placed, handle: 'c', shown: { ...over.placed.shown, face: 1 } },
  ]);
  expect(spaceAt(spaces, -700, 0)?.name).toBe('Harbour');
  expect(restingPlace(spaces, { x: -700, y: 0 })).toBeUndefined();
  expect(restingPlace(spaces, { x: 700, y: 100 })?.name).toBe('D2');
});

test('steps go from cell to cell and end at the rim', () => {
  const { placed, view } = board(0);
  const spaces = tableSpaces(view, [placed]);
  let at: { x: number; y: number; name?: string } | undefined = spaces.find(({ name }) => name === 'A1');
  const way: string[] = [];
  while (at) {
    at = nextSpace(spaces, at, [1, 0]);
    if (at?.name) way.push(at.name);
  }
  expect(way).toEqual(['B1', 'C1', 'D1']);
});

test('a piece on a board lies in a space with a name, one in a pile in none', () => {
  const { placed, view } = board(0);
  const backs = new Map([[0, { name: 'Board', size: view.common.layouts[0]?.size as never }]]);
  const pieces = new Map([
    ['b', { ...placed.shown, back: 0 }],
    ['p', { x: -700, y: 200, z: 1, kind: 'token' as const }],
    ['q', { x: -700, y: 200, z: 1, kind: 'token' as const, holder: 'p' }],
  ]);
  const table = { ...view, backs, pieces };
  expect(spaceUnder(table, 'p')?.name).toBe('A2');
  expect(spaceUnder(table, 'q')).toBeUndefined();
  expect(spaceUnder(table, 'b')).toBeUndefined();
});

/** Three spaces in a row on one board, 50 mm apart. */
function row(changes: readonly Partial<ZoneOf<'space'>>[]) {
  const { layout, placed, view } = board(0);
  layout.zones = changes.map((change, at) => ({
    ...newZone('space', `s${at}`, `Place ${at}`, { x: 10 + 50 * at, y: 40, w: 20, h: 20 }),
    ...change,
  }));
  return tableSpaces(view, [placed]);
}
const thing = (handle: string, x: number, change: object = {}): Placed => ({
  handle,
  shown: { x, y: 0, z: 2, kind: 'token', ...change },
  ...{ x, y: 0, w: 100, h: 100, turn: 0 },
});

test('a space takes in the kinds of pieces that it accepts, as many as it holds', () => {
  const spaces = row([{ accepts: ['card'] }, { holds: 2 }]);
  const at = (index: number) => ({ x: spaces[index]?.x ?? 0, y: spaces[index]?.y ?? 0 });
  const rests = (index: number, kinds: PieceKind[], lying: readonly Placed[] = []) =>
    restingPlace(spaces, at(index), { kinds, lying }) !== undefined;
  expect([rests(0, ['card']), rests(0, ['token']), rests(0, ['card', 'token'])]).toEqual([
    true,
    false,
    false,
  ]);
  const one = thing('a', at(1).x);
  const area = thing('z', at(1).x, { container: { kind: 'zone', size: [900, 900], count: 0 } });
  const pile = thing('p', at(1).x, { container: { kind: 'stack', size: [0, 0], count: 2 } });
  expect(rests(1, ['token'], [one, area, thing('far', 5_000)])).toBe(true);
  expect(rests(1, ['token', 'token'], [one])).toBe(false);
  expect(rests(1, ['token'], [pile])).toBe(false);
});

test('a pile is of the kind of its top piece, and what is moved does not lie in its own way', () => {
  const top = { x: 0, y: 0, z: 1, kind: 'card' as const };
  const stack = { kind: 'stack', size: [0, 0], count: 3 };
  const pile: Placed = { ...thing('p', 0, { kind: 'container', container: stack }), top };
  const pieces = new Map([['p', pile.shown]]);
  const { kinds, lying } = restingOf({ pieces }, [pile, thing('a', 0)], ['p']);
  expect(kinds).toEqual(['card', 'card', 'card']);
  expect(lying.map(({ handle }) => handle)).toEqual(['a']);
});

test('pieces take the angle of their space on a board that is turned itself', () => {
  const { layout, placed, view } = board(90);
  const role = 'spot' as const;
  layout.zones = [
    { ...newZone('space', 'a', 'A', { x: 10, y: 40, w: 20, h: 20 }), role, turning: 'angle', turn: 30 },
    { ...newZone('space', 'b', 'B', { x: 60, y: 40, w: 20, h: 20 }), role },
  ];
  expect(tableSpaces(view, [placed]).map(({ piecesTurn }) => piecesTurn)).toEqual([120, undefined]);
});

test('steps keep to links, whichever end they were made at, and to the order of play', () => {
  const spaces = row([{ links: ['s2'], order: 3 }, { order: 1 }, { order: 2 }]);
  const [first, second, third] = spaces;
  if (!first || !second || !third) throw new Error('no spaces');
  expect(nextSpace(spaces, first, [1, 0])?.name).toBe('Place 2');
  expect(nextSpace(spaces, third, [-1, 0])?.name).toBe('Place 0');
  expect(nextSpace(spaces, second, [-1, 0])?.name).toBe('Place 0');
  expect(neighbourInOrder(spaces, second, 1)?.name).toBe('Place 2');
  expect(neighbourInOrder(spaces, first, -1)?.name).toBe('Place 2');
  expect(neighbourInOrder(spaces, first, 1)).toBeUndefined();
  // A full space is passed over.
  const full = row([{ order: 1 }, { order: 2, holds: 1 }, { order: 3 }]);
  const from = full[0] as TableSpace;
  const pieces = { kinds: ['token' as const], lying: [thing('a', full[1]?.x ?? 0)] };
  expect(neighbourInOrder(full, from, 1, pieces)?.name).toBe('Place 2');
  expect(nextSpace(full, from, [1, 0], pieces)?.name).toBe('Place 2');
});
