import { describe, expect, test } from 'vitest';
import { plainTraits, SPACE_ROLES } from '../board/space.ts';
import { randomFrom } from '../random.ts';
import { EMPTY_ROW } from '../scene/card/row.ts';
import { applyTo } from '../scene/display/matrix.ts';
import { newLayout } from '../scene/new-layout.ts';
import type { MapZone } from '../scene/zones/map.ts';
import { newZone, type Zone } from '../scene/zones.ts';
import { assetsFor } from '../testing/fonts.ts';
import { layout } from './card.ts';
import { spacesOf } from './laid-spaces.ts';
import { MAX_SPACES, type Space } from './spaces.ts';

const COLUMNS = [{ key: 'c', name: 'Count' }];

function found(zones: readonly Zone[], cells: Readonly<Record<string, string>> = {}): Space[] {
  return spacesOf({ ...newLayout('Board'), zones: [...zones] }, { cells }, COLUMNS);
}
const places = (spaces: readonly Space[]) =>
  spaces.map(({ name, x, y }) => [name, Math.round(x * 1e3) / 1e3, Math.round(y * 1e3) / 1e3]);

function hexes(change: Partial<MapZone>): MapZone {
  return { ...newZone('map', 'm', 'Map', { x: 10, y: 20, w: 90, h: 70 }), cells: 'square', ...change };
}

describe('the spaces of a card', () => {
  test('one made by hand lies where its zone lies, turned with what holds it', () => {
    const space = newZone('space', 's', 'Draw pile', { x: 10, y: 0, w: 20, h: 10 });
    const holder = {
      ...newZone('container', 'k', 'Side', { x: 100, y: 100, w: 40, h: 40 }),
      arrange: 'free' as const,
      rotation: 90,
      children: [{ ...space, role: 'deck' as const }],
    };
    // The holder turns about its middle at (120, 120): the space's middle at (120, 105) comes to (135, 120).
    expect(found([holder])).toEqual([
      {
        ...{ zone: 's', name: 'Draw pile', role: 'deck', x: 135, y: 120, w: 20, h: 10, turn: 90 },
        ...{ accepts: [], holds: 0, order: 0, links: [], piecesTurn: 90 },
      },
    ]);
  });

  test('in a grid there is one in every cell', () => {
    const space = newZone('space', 's', 'Field', { x: 0, y: 0, w: 4, h: 4 });
    const grid = {
      ...newZone('grid', 'g', 'Grid', { x: 0, y: 0, w: 80, h: 80 }),
      cols: 8,
      rows: 8,
      children: [space],
    };
    const all = found([grid]);
    expect(all).toHaveLength(64);
    expect(new Set(all.map(({ zone }) => zone))).toEqual(new Set(['s']));
    expect(new Set(all.map(({ x, y }) => `${x} ${y}`)).size).toBe(64);
  });

  test('they lie where the layout draws their zones', async () => {
    const random = randomFrom('spaces');
    const below = (most: number) => Math.floor(random() * most);
    const box = () => ({ x: below(60), y: below(60), w: 5 + below(60), h: 5 + below(60) });
    const any = (id: string, depth: number): Zone => {
      const turned = { rotation: below(4) * 37, flipX: below(3) === 0, flipY: below(3) === 0 };
      const kind =
        depth > 2 ? 'space' : (['space', 'container', 'container', 'grid', 'iterator'] as const)[below(5)];
      if (!kind || kind === 'space') return { ...newZone('space', id, id, box()), ...turned };
      const children = [1, 2].map((at) => any(`${id}${at}`, depth + 1));
      const made = { ...newZone(kind, id, id, box()), ...turned, children } as Zone;
      if (made.kind === 'container') made.arrange = below(2) === 0 ? 'free' : 'flex';
      if (made.kind === 'iterator') made.list = '3';
      return made;
    };
    for (let round = 0; round < 15; round++) {
      const document = { ...newLayout('Board'), zones: [any('a', 0), any('b', 0)] };
      const { zones } = layout(document, EMPTY_ROW, await assetsFor(document, [EMPTY_ROW]));
      const drawn = zones
        .filter(({ kind }) => kind === 'space')
        .map(({ zone, box: { x, y, w, h }, matrix }) => {
          const middle = applyTo(matrix, { x: x + w / 2, y: y + h / 2 });
          return [zone, middle.x.toFixed(6), middle.y.toFixed(6)];
        });
      const spaces = spacesOf(document, EMPTY_ROW, []);
      expect(spaces.map(({ zone, x, y }) => [zone, x.toFixed(6), y.toFixed(6)])).toEqual(drawn);
    }
  });

  test('cells of a map are spaces by rule: all, of a terrain, by name', () => {
    const rule = { id: 'r', terrain: '', range: '', ...plainTraits('spot') };
    const all = found([hexes({ cols: 9, rows: 7, spaces: [{ ...rule, of: 'all' }] })]);
    expect(all).toHaveLength(63);
    expect(places(all)[0]).toEqual(['A1', 15, 25]);
    expect(places(all).at(-1)).toEqual(['I7', 95, 85]);
    const data = '3A.2B//C';
    const forest = hexes({ cols: 9, rows: 7, data, spaces: [{ ...rule, of: 'terrain', terrain: 'B' }] });
    expect(places(found([forest])).map(([name]) => name)).toEqual(['E1', 'F1']);
    const named = hexes({ cols: 9, rows: 7, spaces: [{ ...rule, of: 'range', range: 'B2:C3, I7' }] });
    expect(places(found([named])).map(([name]) => name)).toEqual(['B2', 'C2', 'B3', 'C3', 'I7']);
    expect(found([hexes({ spaces: [{ ...rule, of: 'range', range: 'B2:' }] })])).toEqual([]);
  });

  test('pieces take the angle of their space: as its role has it, as they are held, or its own', () => {
    const space = { ...newZone('space', 's', 'S', { x: 0, y: 0, w: 4, h: 4 }), rotation: 350 };
    const turns = (['usual', 'held', 'angle'] as const).map((turning) =>
      SPACE_ROLES.map((role) => found([{ ...space, role, turning, turn: 30 }])[0]?.piecesTurn),
    );
    expect(turns).toEqual([
      [undefined, 350, 350, undefined],
      [undefined, undefined, undefined, undefined],
      [20, 20, 20, undefined],
    ]);
    const path = newZone('path', 'p', 'Track', { x: 0, y: 0, w: 90, h: 10 });
    path.spaces = { ...path.spaces, count: 2, holds: 3, accepts: ['token'], turning: 'angle', turn: 45 };
    expect(
      found([path]).map(({ order, holds, accepts, piecesTurn }) => [order, holds, accepts, piecesTurn]),
    ).toEqual([
      [1, 3, ['token'], 45],
      [2, 3, ['token'], 45],
    ]);
    const all = { id: 'r', of: 'all' as const, terrain: '', range: '', ...plainTraits('slot'), holds: 1 };
    expect(found([hexes({ spaces: [all] })])[0]).toMatchObject({ holds: 1, piecesTurn: 0, order: 0 });
  });

  test('the table can say how many pieces a space holds, and its place in the order', () => {
    const bindings = {
      holds: { mode: 'column' as const, column: 'Count' },
      order: { mode: 'formula' as const, formula: 'count + 1' },
    };
    const space = { ...newZone('space', 's', 'S', { x: 0, y: 0, w: 4, h: 4 }), bindings };
    expect(found([space], { c: '4' })[0]).toMatchObject({ holds: 4, order: 5 });
  });

  test('along a path they lie at equal distances, named in order', () => {
    const path = {
      ...newZone('path', 'p', 'Score', { x: 0, y: 0, w: 100, h: 10 }),
      smooth: false,
      points: [
        { x: 0, y: 0.5 },
        { x: 1, y: 0.5 },
      ],
    };
    path.spaces = { ...path.spaces, count: 5 };
    expect(places(found([path]))).toEqual([0, 25, 50, 75, 100].map((x, at) => [`Score ${at + 1}`, x, 5]));
  });

  test('the table can say what a space holds, and hidden ones are none', () => {
    const space = {
      ...newZone('space', 's', 'Space', { x: 0, y: 0, w: 4, h: 4 }),
      bindings: { role: { mode: 'column' as const, column: 'Count' } },
    };
    expect(found([space], { c: 'Area' })[0]?.role).toBe('area');
    expect(found([{ ...space, hidden: true }])).toEqual([]);
  });

  test('there are at most as many as a map has cells', () => {
    const rules = ['a', 'b'].map((id) => ({
      id,
      of: 'all' as const,
      terrain: '',
      range: '',
      ...plainTraits('spot'),
    }));
    expect(found([hexes({ cols: 140, rows: 140, spaces: rules })])).toHaveLength(MAX_SPACES);
  });
});
