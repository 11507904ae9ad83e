import { beforeAll, describe, expect, test } from 'vitest';
import type { DisplayList, ZoneFrame } from '../scene/display/display-list.ts';
import { hitTest, hitTestAll } from '../scene/display/hit-test.ts';
import type { Layout } from '../scene/layout.ts';
import { newLayout } from '../scene/new-layout.ts';
import { newZone, type Zone } from '../scene/zones.ts';
import { assetsFor } from '../testing/fonts.ts';
import { gallery } from '../testing/gallery.ts';
import { STARFORGED_COLUMNS, starforgedLayout, starforgedRows } from '../testing/starforged.ts';
import { summarise } from '../testing/summarise.ts';
import type { Assets } from './assets.ts';
import { layout } from './card.ts';

const IMAGES = { size: (source: string) => (source.includes('missing') ? undefined : { w: 96, h: 64 }) };

async function lay(document: Layout, cells: Record<string, string> = {}): Promise<DisplayList> {
  const row = { cells };
  return layout(document, row, { ...(await assetsFor(document, [row])), images: IMAGES });
}

function withZones(...zones: Zone[]): Layout {
  return { ...newLayout('test'), zones };
}

const frame = (list: DisplayList, id: string): ZoneFrame => {
  const found = list.zones.find((zone) => zone.id === id);
  if (!found) throw new Error(`no frame ${id}`);
  return found;
};

describe('the gallery', () => {
  test.each(gallery().map((card) => [card.name, card] as const))('%s', async (_name, card) => {
    expect(summarise(await lay(card.layout, { ...card.row.cells }))).toMatchSnapshot();
  });
});

test('a zone of which nothing is painted is blank, as is a group of such zones alone', async () => {
  const box = { x: 0, y: 0, w: 20, h: 6 };
  const text = (id: string, words: string): Zone =>
    ({ ...newZone('text', id, id, box), text: words }) as Zone;
  const group = (id: string, child: Zone): Zone => ({
    ...(newZone('container', id, id, box) as Zone & { kind: 'container' }),
    children: [child],
  });
  const filled = { ...text('filled', ''), fill: { kind: 'solid', color: '#ff0000' } } as Zone;
  const list = await lay(
    withZones(
      text('words', 'Fox'),
      text('none', ''),
      filled,
      group('bare', text('in', '')),
      group('full', text('on', 'Ox')),
    ),
  );
  expect(list.zones.filter(({ blank }) => blank).map(({ id }) => id)).toEqual(['none', 'bare', 'in']);
});

describe('the Starforged deck', () => {
  const rows = starforgedRows();
  const document = starforgedLayout();
  let assets: Assets;

  beforeAll(async () => {
    assets = await assetsFor(document, rows, STARFORGED_COLUMNS);
  });

  test('lays out without trouble, every word of every cell in its zone', () => {
    for (const row of rows) {
      const list = layout(document, row, assets);
      expect(list.issues).toEqual([]);
      expect(frame(list, 'name').text).toBe(row.cells.name);
      const placed = list.ops.flatMap((op) =>
        op.op === 'text' ? op.runs.flatMap(({ words }) => words.map(({ text }) => text)) : [],
      );
      const glued = placed.join('').replace(/\s/g, '');
      expect(glued).toContain((row.cells.name ?? '').replace(/\s/g, ''));
    }
  });

  test('is the same list every time, and plain JSON', () => {
    const [row] = rows;
    if (!row) throw new Error('no rows');
    const once = layout(document, row, assets);
    expect(layout(document, row, assets)).toEqual(once);
    expect(JSON.parse(JSON.stringify(once))).toEqual(once);
  });

  test('leaves the document alone', () => {
    const before = structuredClone(document);
    for (const row of rows.slice(0, 5)) layout(document, row, assets);
    expect(document).toEqual(before);
  });
});

describe('zones', () => {
  test('hidden and empty zones are not there', async () => {
    const hidden = { ...newZone('shape', 'hidden', 'H', { x: 0, y: 0, w: 5, h: 5 }), hidden: true };
    const empty = {
      ...newZone('text', 'empty', 'E', { x: 0, y: 0, w: 5, h: 5 }),
      hideIfEmpty: true,
      text: '  ',
    };
    const group = {
      ...newZone('container', 'group', 'G', { x: 0, y: 0, w: 5, h: 5 }),
      hideIfEmpty: true,
      children: [empty],
    };
    expect((await lay(withZones(hidden, empty, group))).zones.map(({ id }) => id)).toEqual(['base']);
  });

  test('a column decides whether a zone shows', async () => {
    const zone = newZone('shape', 's', 'S', { x: 0, y: 0, w: 5, h: 5 });
    zone.bindings = { hidden: { mode: 'column', column: 'secret' } };
    expect((await lay(withZones(zone), { secret: 'yes' })).zones).toHaveLength(1);
    expect((await lay(withZones(zone), { secret: '' })).zones).toHaveLength(2);
  });

  test('overflowing text is flagged with what it needs', async () => {
    const zone = newZone('text', 't', 'T', { x: 0, y: 0, w: 20, h: 6 });
    const list = await lay(
      withZones({ ...zone, fit: 'none', text: 'far too many words for so small a place '.repeat(4) }),
    );
    expect(list.issues).toMatchObject([{ zone: 't', code: 'text-overflow' }]);
    expect(list.issues[0]?.message).toMatch(/needs [\d.]+ mm at 10 pt and the zone has 6 mm/);
  });

  test('a missing image leaves a labelled box and says which', async () => {
    const zone = { ...newZone('image', 'i', 'I', { x: 0, y: 0, w: 20, h: 20 }), source: 'Art/missing.png' };
    const list = await lay(withZones(zone));
    expect(list.issues).toMatchObject([{ zone: 'i', code: 'missing-image' }]);
    const texts = list.ops.flatMap((op) =>
      op.op === 'text' ? op.runs.flatMap(({ words }) => words.map(({ text }) => text)) : [],
    );
    expect(texts.join('')).toBe('missing.png');
  });

  test('nesting deeper than allowed is cut, not followed for ever', async () => {
    let zone: Zone = newZone('shape', 'leaf', 'L', { x: 0, y: 0, w: 1, h: 1 });
    for (let depth = 0; depth < 40; depth++) {
      zone = { ...newZone('container', `c${depth}`, 'C', { x: 0, y: 0, w: 5, h: 5 }), children: [zone] };
    }
    expect((await lay(withZones(zone))).zones.length).toBeLessThan(20);
  });
});

describe('flex', () => {
  const square = (id: string, side = 4) => newZone('shape', id, id, { x: 0, y: 0, w: side, h: side });

  test.each([
    ['start', [10, 15, 20]],
    ['center', [23, 28, 33]],
    ['end', [36, 41, 46]],
    ['space-between', [10, 28, 46]],
  ] as const)('justify %s', async (justify, expected) => {
    const container = newZone('container', 'c', 'C', { x: 10, y: 10, w: 40, h: 10 });
    const list = await lay(
      withZones({ ...container, justify, children: [square('a'), square('b'), square('d')] }),
    );
    const xs = ['a', 'b', 'd'].map((id) => frame(list, id).box.x);
    for (const [index, x] of xs.entries()) expect(x).toBeCloseTo(expected[index] ?? 0, 4);
  });

  test('text as tall as it needs pushes what follows down', async () => {
    const text = newZone('text', 't', 'T', { x: 0, y: 0, w: 30, h: 2 });
    const column = newZone('container', 'c', 'C', { x: 0, y: 0, w: 30, h: 60 });
    const children: Zone[] = [{ ...text, autoHeight: true, text: 'word '.repeat(30) }, square('after')];
    const list = await lay(withZones({ ...column, direction: 'column', children }));
    const grown = frame(list, 't').box;
    expect(grown.h).toBeGreaterThan(8);
    expect(frame(list, 'after').box.y).toBeCloseTo(grown.y + grown.h + 1, 4);
    expect(list.issues).toEqual([]);
  });

  test('a container inside a container shares one flow', async () => {
    const inner = {
      ...newZone('container', 'inner', 'I', { x: 0, y: 0, w: 20, h: 9 }),
      autoHeight: true,
      children: [square('a', 6)],
    };
    const outer = {
      ...newZone('container', 'outer', 'O', { x: 5, y: 5, w: 40, h: 40 }),
      direction: 'column' as const,
    };
    const list = await lay(withZones({ ...outer, children: [inner, square('b')] }));
    expect(frame(list, 'inner').box.h).toBeCloseTo(6, 4);
    expect(frame(list, 'b').box.y).toBeCloseTo(12, 4);
    expect(frame(list, 'a').parent).toBe('inner');
  });

  test('zones taken out of the flow stay where they are', async () => {
    const free = { ...square('free'), x: 7, y: 3, flex: { grow: 0, shrink: 0, absolute: true } };
    const list = await lay(
      withZones({
        ...newZone('container', 'c', 'C', { x: 10, y: 10, w: 40, h: 10 }),
        children: [square('a'), free],
      }),
    );
    expect(frame(list, 'free').box).toMatchObject({ x: 17, y: 13 });
  });
});

describe('pointing', () => {
  test('finds the front zone, through rotation and nesting', async () => {
    const back = newZone('shape', 'back', 'B', { x: 10, y: 10, w: 20, h: 20 });
    const bar = { ...newZone('shape', 'bar', 'Bar', { x: 10, y: 18, w: 20, h: 4 }), rotation: 90 };
    const list = await lay(withZones(back, bar));
    expect(hitTest(list, { x: 20, y: 12 })?.id).toBe('bar');
    expect(hitTest(list, { x: 12, y: 20 })?.id).toBe('back');
    expect(hitTest(list, { x: 50, y: 50 })).toBeUndefined();
    expect(hitTestAll(list, { x: 20, y: 20 }).map(({ id }) => id)).toEqual(['bar', 'back', 'base']);
  });

  test('an ellipse is not hit at the corner of its box, a thin line is near it', async () => {
    const round = {
      ...newZone('shape', 'round', 'R', { x: 0, y: 0, w: 20, h: 20 }),
      shape: 'ellipse' as const,
    };
    const line = newZone('shape', 'line', 'L', { x: 30, y: 10, w: 20, h: 0.2 });
    const list = await lay(withZones(round, line));
    expect(hitTest(list, { x: 1, y: 1 })).toBeUndefined();
    expect(hitTest(list, { x: 40, y: 11 })).toBeUndefined();
    expect(hitTest(list, { x: 40, y: 11 }, 1)?.id).toBe('line');
  });
});
