import { expect, test } from 'vitest';
import { layout as layOut } from '../layout/card.ts';
import { spacesOf } from '../layout/laid-spaces.ts';
import { layoutSchema } from '../scene/layout.ts';
import { MAX_ZONES } from '../scene/limits.ts';
import { newLayout } from '../scene/new-layout.ts';
import { newZone, type Zone } from '../scene/zones.ts';
import { gallery } from '../testing/gallery.ts';
import { FontRegistry } from '../text/fonts/font-registry.ts';
import { bakedCard, zoneCount } from './baked-card.ts';
import { dealtBoard, MAX_MODULAR_ZONES, type ModularContent, modularZones } from './modular-zones.ts';

let made = 0;
const newId = () => `n${++made}`;
const BOX = { x: 20, y: 20, w: 200, h: 200 };
const STYLE = { line: '#000000', type: {} };
const content: ModularContent = {
  name: 'Tiles',
  seed: 'x',
  cells: 'hex-pointy',
  shape: 'rings',
  rings: 2,
  columns: 3,
  rows: 3,
  gap: 0,
  shuffles: true,
  turns: true,
  size: { w: 30, h: 34.64 },
  tiles: [
    { name: 'Forest', copies: 10, colour: '#00ff00' },
    { name: 'Sea', copies: 9, colour: '#0000ff' },
  ],
};

test('a board of tiles lies about the middle of its box, and every tile is a space with a name of its own', () => {
  const group = modularZones(BOX, content, STYLE, newId);
  expect(group.x + group.w / 2).toBeCloseTo(120);
  expect(group.y + group.h / 2).toBeCloseTo(120);
  const board = { ...newLayout('Board'), zones: [group] };
  expect(layoutSchema.safeParse(board).success).toBe(true);
  const spaces = spacesOf(board, { cells: {} }, []);
  expect(spaces).toHaveLength(19);
  expect(new Set(spaces.map(({ name }) => name)).size).toBe(19);
  expect(spaces.filter(({ name }) => name.startsWith('Forest'))).toHaveLength(10);
});

test('tiles with a look of many zones are as many as a layout holds, and the rest is counted', () => {
  const look: Zone[] = Array.from({ length: 40 }, (_, at) => newZone('shape', `s${at}`, 'Dot', BOX));
  const many = { ...content, tiles: [{ name: 'Busy', copies: 19, colour: '#ffffff', look }] };
  const group = modularZones(BOX, many, STYLE, newId);
  expect(zoneCount([group])).toBeLessThanOrEqual(MAX_MODULAR_ZONES);
  expect(MAX_MODULAR_ZONES).toBeLessThan(MAX_ZONES);
  const { tiles, left, empty } = dealtBoard(many);
  expect(tiles).toHaveLength(group.children.length);
  expect([tiles.length + left, tiles.length + empty]).toEqual([19, 19]);
  const ids = new Set<string>();
  const visit = (zones: readonly Zone[]): void => {
    for (const zone of zones) {
      ids.add(zone.id);
      if ('children' in zone) visit(zone.children as Zone[]);
    }
  };
  visit([group]);
  expect(ids.size).toBe(zoneCount([group]));
});

test.each(gallery().map((card) => [card.name, card] as const))(
  'the zones that a card becomes look as the card does: %s',
  (_, { layout, row }) => {
    const assets = { fonts: new FontRegistry(), images: { size: () => ({ w: 30, h: 20 }) }, columns: [] };
    const bare = { ...layout, base: newLayout('').base };
    const zones = bakedCard({ ...bare, base: { ...bare.base, fill: { kind: 'none' as const } } }, row, []);
    const read = layoutSchema.parse({ ...bare, zones });
    const before = layOut(bare, row, assets);
    expect(layOut(read, { cells: {} }, assets).ops).toEqual(before.ops);
  },
);
