import { describe, expect, test } from 'vitest';
import type { DisplayList, Issue } from '../scene/display/display-list.ts';
import { type Layout, layoutSchema } from '../scene/layout.ts';
import { newLayout } from '../scene/new-layout.ts';
import { newZone, type Zone } from '../scene/zones.ts';
import { assetsFor } from '../testing/fonts.ts';
import { layout } from './card.ts';
import { MAX_CARD_CELLS, MAX_SHOWN, type ShownZone } from './card-data.ts';
import { resolveTree } from './resolve-tree.ts';
import { cellBoxes } from './zones/grid.ts';

const BOX = { x: 0, y: 0, w: 60, h: 30 };

async function laid(zones: Zone[], cells: Record<string, string> = {}): Promise<DisplayList> {
  const document: Layout = { ...newLayout('Test'), zones };
  expect(layoutSchema.parse(document)).toEqual(document);
  const row = { cells, index: 2, count: 9 };
  return layout(document, row, await assetsFor(document, [row]));
}

const texts = (list: DisplayList): string[] =>
  list.zones.filter(({ kind }) => kind === 'text').map(({ text }) => text);

function label(text: string): Zone {
  const zone = newZone('text', 'label', 'Label', { x: 0, y: 0, w: 10, h: 5 });
  zone.text = text;
  zone.style.size = 6;
  return zone;
}

describe('iterator', () => {
  const iterate = (list: string, children: Zone[]) => ({
    ...newZone('iterator', 'it', 'Iterator', BOX),
    list,
    itemW: 10,
    itemH: 5,
    children,
  });

  test('repeats its children for each item of a list, knowing the item and its place', async () => {
    const list = await laid(
      [iterate('split(tags)', [label('{{itemIndex}}: {{upper(item)}} of {{index}}')])],
      { tags: 'fire, beast' },
    );
    expect(texts(list)).toEqual(['1: FIRE of 2', '2: BEAST of 2']);
    const frames = list.zones.filter(({ zone }) => zone === 'label');
    expect(frames.map(({ id }) => id)).toEqual(['label#1', 'label#2']);
    expect((frames[1]?.box.x ?? 0) - (frames[0]?.box.x ?? 0)).toBeCloseTo(11);
    expect(list.issues).toEqual([]);
  });

  test('a number repeats so often; 0 and nothing not at all', async () => {
    expect(texts(await laid([iterate('cost', [label('x')])], { cost: '3' }))).toHaveLength(3);
    expect(texts(await laid([iterate('cost', [label('x')])], { cost: '' }))).toHaveLength(0);
    expect(texts(await laid([iterate('0', [label('x')])]))).toHaveLength(0);
  });

  test('beyond a hundred it is cut, and says so once', async () => {
    const list = await laid([iterate('250', [label('x')])]);
    expect(texts(list)).toHaveLength(100);
    expect(list.issues).toEqual([
      expect.objectContaining({
        zone: 'it',
        code: 'too-many-items',
        message: expect.stringContaining('250'),
      }),
    ]);
  });

  test('nests, with the inner names first', async () => {
    const inner = { ...iterate('range(item)', [label('{{item}}')]), id: 'inner', itemW: 5 };
    expect(texts(await laid([iterate('2', [inner])]))).toEqual(['1', '1', '2']);
  });

  test('nesting cannot run away', async () => {
    let zone: Zone = iterate('100', [label('x')]);
    for (let depth = 0; depth < 4; depth++) zone = { ...iterate('100', [zone]), id: `deep${depth}` };
    expect((await laid([zone])).zones.length).toBeLessThan(20_000);
  });

  test('zones that are not shown count among those a card may have', async () => {
    let zone: Zone = iterate('100', [
      { ...label('x'), visibleIf: '1 = 2' },
      { ...label('y'), hidden: true },
    ]);
    for (let depth = 0; depth < 4; depth++) zone = { ...iterate('100', [zone]), id: `deep${depth}` };
    const list = await laid([zone]);
    expect(texts(list)).toEqual([]);
    expect(list.issues.map(({ message }) => message).join()).toContain('A card has at most');
  });

  test('a formula that fails is shown on the zone, at its place', async () => {
    const list = await laid([iterate('split(', [label('x')])]);
    expect(list.issues).toEqual([
      expect.objectContaining({ zone: 'it', code: 'formula', path: 'list', at: 6 }),
    ]);
  });
});

describe('grid', () => {
  test.each(['square', 'offset', 'hex-pointy', 'hex-flat'] as const)(
    '%s cells fill the zone and do not overlap',
    (cells) => {
      const boxes = cellBoxes({ ...newZone('grid', 'g', 'G', BOX), cells, cols: 4, rows: 3, gap: 1 });
      expect(boxes).toHaveLength(12);
      expect(Math.max(...boxes.map(({ x, w }) => x + w))).toBeCloseTo(60);
      expect(Math.max(...boxes.map(({ y, h }) => y + h))).toBeCloseTo(30);
      expect(Math.min(...boxes.map(({ x, y }) => Math.min(x, y)))).toBeCloseTo(0);
    },
  );

  test('children know their cell, row and column', async () => {
    const grid = {
      ...newZone('grid', 'g', 'G', BOX),
      cols: 2,
      rows: 2,
      children: [label('{{row}}/{{col}} = {{cell}}')],
    };
    expect(texts(await laid([grid]))).toEqual(['1/1 = 1', '1/2 = 2', '2/1 = 3', '2/2 = 4']);
  });

  test('too many cells are cut and said', async () => {
    const list = await laid([{ ...newZone('grid', 'g', 'G', BOX), cols: 100, rows: 100 }]);
    expect(list.issues).toEqual([expect.objectContaining({ code: 'too-many-items' })]);
  });
});

describe('codes', () => {
  test.each([
    ['qr', 'https://example.org/ž'],
    ['code128', 'CARD-0042'],
    ['code39', 'A-1'],
    ['ean13', '4006381333931'],
    ['ean8', '9638507'],
    ['upc', '03600029145'],
    ['itf14', '1540014128876'],
  ] as const)('%s is one path inside its zone', async (symbology, text) => {
    const zone = { ...newZone('code', 'c', 'Code', { x: 5, y: 5, w: 30, h: 20 }), symbology, text, quiet: 2 };
    const list = await laid([zone]);
    expect(list.issues).toEqual([]);
    const outline = list.ops
      .map((op) => (op.op === 'path' ? op.outline : undefined))
      .find((one) => one?.kind === 'path');
    const numbers = outline?.kind === 'path' ? outline.commands.flatMap(([, ...rest]) => rest) : [];
    expect(numbers.length).toBeGreaterThan(50);
    numbers.forEach((value, at) => {
      expect(value).toBeGreaterThanOrEqual(5);
      expect(value).toBeLessThanOrEqual(at % 2 === 0 ? 35 : 25);
    });
  });

  test('a text the symbology cannot hold is told', async () => {
    const zone = { ...newZone('code', 'c', 'Code', BOX), symbology: 'ean13' as const, text: 'not digits' };
    expect((await laid([zone])).issues).toEqual([
      expect.objectContaining({ code: 'bad-code', message: expect.stringContaining('12 digits') }),
    ]);
    const long = { ...newZone('code', 'c', 'Code', BOX), text: 'x'.repeat(5_000) };
    expect((await laid([long])).issues).toHaveLength(1);
  });
});

describe('properties by formula', () => {
  test('any property, in text and out of it', async () => {
    const shape = newZone('shape', 's', 'S', BOX);
    shape.bindings = {
      fill: { mode: 'formula', formula: "{{ cost > 3 ? 'red' : 'black' }}" },
      w: { mode: 'formula', formula: 'cost * 2' },
      opacity: { mode: 'formula', formula: 'oops' },
    };
    const text = label('Cost {{cost}} {{ 1 / 0 }}');
    const list = await laid([shape, text], { cost: '5' });
    expect(list.ops[1]).toMatchObject({ fill: { color: [255, 0, 0, 1] }, outline: { box: { w: 10 } } });
    expect(texts(list)).toEqual(['Cost 5 ']);
    expect(list.issues).toEqual([
      expect.objectContaining({ zone: 's', code: 'formula', path: 'opacity', at: 0 }),
      expect.objectContaining({ zone: 'label', code: 'formula', path: 'text', at: 17 }),
    ]);
  });

  test('a zone shows where its formula says yes', async () => {
    const zone = { ...label('here'), visibleIf: 'cost > 3' };
    expect(texts(await laid([zone], { cost: '4' }))).toEqual(['here']);
    expect(texts(await laid([zone], { cost: '3' }))).toEqual([]);
    const broken = await laid([{ ...zone, visibleIf: 'cost >' }], { cost: '4' });
    expect(texts(broken)).toEqual(['here']);
    expect(broken.issues).toEqual([expect.objectContaining({ code: 'formula', path: 'visibleIf' })]);
  });

  test('a container asking to vanish goes with its last child', async () => {
    const child = { ...newZone('image', 'i', 'I', BOX), hideIfEmpty: true };
    child.bindings = { source: { mode: 'formula', formula: "cost > 3 ? 'Art/a.png' : ''" } };
    const container = { ...newZone('container', 'c', 'C', BOX), hideIfEmpty: true, children: [child] };
    expect((await laid([container], { cost: '1' })).zones.map(({ id }) => id)).toEqual(['base']);
  });
});

describe('zones within zones within zones', () => {
  const grid = (id: string, children: Zone[]): Zone => ({
    ...newZone('grid', id, id, { x: 0, y: 0, w: 60, h: 60 }),
    cols: 20,
    rows: 20,
    children,
  });
  const count = (zones: readonly ShownZone[]): number =>
    zones.reduce((sum, zone) => sum + 1 + ('children' in zone ? count(zone.children) : 0), 0);
  const hidden = { ...newZone('text', 't', 'T', { x: 0, y: 0, w: 5, h: 5 }), visibleIf: 'false' };

  test.each([
    ['nothing in their cells', []],
    ['zones that are not shown', [hidden, hidden, hidden]],
  ])('with %s are no more than a card may have', (_, inner) => {
    const issues: Issue[] = [];
    const shown = resolveTree([grid('a', [grid('b', inner)])], { cells: {} }, [], issues);
    // Each cell has its ground.
    expect(count(shown)).toBeLessThanOrEqual(2 * MAX_SHOWN);
    expect(issues).toEqual([expect.objectContaining({ code: 'too-many-items' })]);
  });

  test('hidden zones are counted', () => {
    const issues: Issue[] = [];
    const looked = resolveTree(
      Array.from({ length: MAX_SHOWN + 10 }, () => hidden),
      { cells: {} },
      [],
      issues,
    );
    expect(looked).toEqual([]);
    expect(issues).toEqual([expect.objectContaining({ code: 'too-many-items' })]);
  });

  test('maps share their cells', () => {
    const issues: Issue[] = [];
    const map = (id: string, cols: number): Zone => ({
      ...newZone('map', id, id, { x: 0, y: 0, w: 60, h: 60 }),
      cols,
      rows: 100,
    });
    const maps = ['a', 'b', 'c', 'd', 'e'].map((id) => map(id, 200));
    const shown = resolveTree([...maps, map('small', 1)], { cells: {} }, [], issues);
    expect(shown.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(issues).toEqual([expect.objectContaining({ zone: 'd', code: 'too-many-items' })]);
    const repeated = resolveTree([grid('cells', [map('m', 10)])], { cells: {} }, [], issues);
    expect(JSON.stringify(repeated).match(/"kind":"map"/g)).toHaveLength(MAX_CARD_CELLS / 1_000);
  });

  test('formulas of one card share their steps', () => {
    const issues: Issue[] = [];
    const zones = Array.from({ length: 400 }, () => ({ ...hidden, visibleIf: 'sum(sort(range(1000))) < 0' }));
    resolveTree(zones, { cells: {} }, [], issues);
    expect(issues.length).toBeGreaterThan(100);
    expect(issues[0]?.message).toContain('too long together');
  });
});
