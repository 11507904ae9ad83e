import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DisplayList, GlyphWord, TextOp } from '../scene/display/display-list.ts';
import { layoutSchema } from '../scene/layout.ts';
import { newLayout } from '../scene/new-layout.ts';
import type { TextZone } from '../scene/zones/text.ts';
import { newZone } from '../scene/zones.ts';
import { assetsFor } from '../testing/fonts.ts';
import { visualOrder } from '../text/lines/levels.ts';
import { ptToMm } from '../units.ts';
import { layout } from './card.ts';
import { fittedToDeck } from './fit-groups.ts';

const PROSE =
  'Extraordinary circumstances notwithstanding, responsibility remains undistributed among participants.';

async function laid(
  text: string,
  style: Partial<TextZone['style']> = {},
  change: Partial<TextZone> = {},
): Promise<DisplayList> {
  const zone = newZone('text', 't', 'Text', { x: 10, y: 10, w: 30, h: 20 });
  const document = {
    ...newLayout('Test'),
    zones: [{ ...zone, text, fit: 'none' as const, style: { ...zone.style, ...style }, ...change }],
  };
  expect(layoutSchema.parse(document)).toEqual(document);
  const row = { cells: {} };
  return layout(document, row, await assetsFor(document, [row]));
}

const textOps = (list: DisplayList): TextOp[] => list.ops.filter((op) => op.op === 'text');
const wordsOf = (list: DisplayList): GlyphWord[] =>
  textOps(list).flatMap(({ runs }) => runs.flatMap(({ words }) => words));
/** Words line by line, left to right. */
function linesOf(list: DisplayList): string[] {
  const lines = new Map<number, GlyphWord[]>();
  for (const op of textOps(list)) {
    for (const run of op.runs) lines.set(run.y, [...(lines.get(run.y) ?? []), ...run.words]);
  }
  return [...lines.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, words]) =>
      words
        .sort((a, b) => a.x - b.x)
        .map(({ text }) => text.replaceAll('\u00ad', ''))
        .join(' '),
    );
}

describe('direction', () => {
  test('Hebrew runs right to left, numbers and Latin inside it left to right', async () => {
    expect(linesOf(await laid('שלום 123 abc עולם', { size: 8 }))).toEqual(['עולם abc 123 שלום']);
    expect(linesOf(await laid('go שלום עולם now', { size: 8 }))).toEqual(['go עולם שלום now']);
  });

  test.each([
    ['start', 'שלום', 40],
    ['end', 'שלום', 10],
    ['start', 'abc', 10],
    ['end', 'abc', 40],
  ] as const)('%s of %s is at %d mm', async (align, text, edge) => {
    const words = wordsOf(await laid(text, { size: 8, align }));
    const [left, right] = [
      Math.min(...words.map(({ x }) => x)),
      Math.max(...words.map(({ x, width }) => x + width)),
    ];
    expect(edge === 10 ? left : right).toBeCloseTo(edge, 3);
  });

  test('what justifying leaves short begins at the right', async () => {
    const list = await laid('שלום עולם', { size: 8, align: 'justify' });
    const words = wordsOf(list);
    expect(Math.max(...words.map(({ x, width }) => x + width))).toBeCloseTo(40, 3);
  });

  test('ordering keeps every item, and is its own inverse for one level', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 })), (levels) => {
        const items = levels.map((level, id) => ({ level, id }));
        const order = visualOrder(items);
        expect([...order].sort((a, b) => a.id - b.id)).toEqual(items);
        if (levels.every((level) => level === 0)) expect(order).toEqual(items);
        if (levels.every((level) => level === 1)) expect(order).toEqual([...items].reverse());
      }),
    );
  });
});

describe('room', () => {
  test('words are hyphenated by the rules of their language, and only when asked', async () => {
    const plain = await laid(PROSE, { size: 11 }, { h: 60 });
    const broken = await laid(PROSE, { size: 11, hyphenate: 'en-us' }, { h: 60 });
    expect(linesOf(plain).some((line) => line.endsWith('-'))).toBe(false);
    expect(linesOf(broken).filter((line) => line.endsWith('-')).length).toBeGreaterThan(0);
    expect(linesOf(broken).length).toBeLessThanOrEqual(linesOf(plain).length);
    // The text for screen readers has no hyphens put in.
    expect(broken.zones[1]?.text).toBe(PROSE);
  });

  test('columns fill one after the other, none wider than its share', async () => {
    const list = await laid(`${PROSE} ${PROSE}`, { size: 6 }, { columns: 2, columnGap: 2, h: 21 });
    expect(list.issues).toEqual([]);
    const words = wordsOf(list);
    const left = words.filter(({ x, width }) => x + width <= 24.01);
    const right = words.filter(({ x }) => x >= 25.99);
    expect(left.length + right.length).toBe(words.length);
    expect(right.length).toBeGreaterThan(0);
  });

  test('an ellipsis ends what does not fit, inside the zone, and it is flagged', async () => {
    const list = await laid(PROSE, { size: 10 }, { fit: 'ellipsis', h: 10 });
    const words = wordsOf(list);
    expect(words.at(-1)?.text.endsWith('…')).toBe(true);
    for (const { x, width } of words) expect(x + width).toBeLessThanOrEqual(40.01);
    expect(list.issues).toEqual([expect.objectContaining({ code: 'text-overflow', zone: 't' })]);
    expect((await laid('Short', { size: 10 }, { fit: 'ellipsis' })).issues).toEqual([]);
  });

  test('squashed text is set narrower, not smaller', async () => {
    const list = await laid('Keeper of the Lantern', { size: 12 }, { fit: 'squash', h: 6 });
    const push = list.ops.find((op) => op.op === 'push');
    expect(push?.matrix[0]).toBeLessThan(1);
    expect(push?.matrix[0]).toBeGreaterThanOrEqual(0.5);
    expect(push?.matrix[3]).toBe(1);
    expect(list.zones[1]?.fittedSize).toBe(12);
    expect(linesOf(list)).toHaveLength(1);
    expect(list.issues).toEqual([]);
  });

  test('a group is set at the size of its longest text', async () => {
    const zone: TextZone = {
      ...newZone('text', 't', 'T', { x: 0, y: 0, w: 30, h: 10 }),
      fit: 'group',
      text: '{{name}}',
    };
    zone.style.size = 20;
    const document = { ...newLayout('Test'), zones: [zone] };
    const rows = ['Ash', 'Keeper of the Ninefold Lantern', 'Ember'].map((name) => ({ cells: { name } }));
    const assets = await assetsFor(document, rows);
    const alone = rows.map((row) => layout(document, row, assets).zones[1]?.fittedSize ?? 0);
    const fitted = fittedToDeck(document, rows, assets);
    const together = rows.map((row) => layout(fitted, row, assets).zones[1]?.fittedSize);
    expect(new Set(alone).size).toBeGreaterThan(1);
    expect(together).toEqual([Math.min(...alone), Math.min(...alone), Math.min(...alone)]);
    expect(fittedToDeck(newLayout('none'), rows, assets)).toMatchObject({ zones: [] });
  });
});

describe('letters', () => {
  test('small capitals are capitals, smaller', async () => {
    const list = await laid('Lantern', { smallCaps: true, size: 10 });
    const sizes = textOps(list).flatMap(({ runs }) => runs.map(({ size }) => size as number));
    expect(
      wordsOf(list)
        .map(({ text }) => text)
        .join(''),
    ).toBe('LANTERN');
    expect(Math.min(...sizes) / Math.max(...sizes)).toBeCloseTo(0.78, 2);
  });

  test('features choose other glyphs; what is no feature is passed over', async () => {
    const glyphs = async (features: string) =>
      wordsOf(await laid('1/2', { family: 'inter', features })).map((word) => word.glyphs);
    expect(await glyphs('frac')).not.toEqual(await glyphs(''));
    expect(await glyphs('nonsense here ; = ,')).toEqual(await glyphs(''));
  });

  test('words stand further apart', async () => {
    const gap = async (wordSpacing: number) => {
      const [a, b] = wordsOf(await laid('a b', { wordSpacing, size: 10 }));
      return (b?.x ?? 0) - (a?.x ?? 0);
    };
    expect((await gap(1)) - (await gap(0))).toBeCloseTo((10 * 25.4) / 72, 3);
  });

  test.each([90, -90, 300])(
    'bent by %i°, letters keep their distance from the centre and all their text',
    async (curve) => {
      const words = wordsOf(await laid('Arching over', { align: 'center', size: 8 }, { curve }));
      expect(words.map(({ text }) => text).join('')).toBe('Archingover');
      const radius = 30 / ((curve * Math.PI) / 180);
      const centres = words.map(({ x, y = 0, turn = 0, width }) => {
        const [mx, my] = [x + (width / 2) * Math.cos(turn), y + (width / 2) * Math.sin(turn)];
        return { x: mx - radius * Math.sin(turn), y: my + radius * Math.cos(turn) };
      });
      for (const { x, y } of centres) {
        expect(x).toBeCloseTo(25, 4);
        expect(y).toBeCloseTo(centres[0]?.y ?? 0, 4);
      }
    },
  );

  test('emoji are set in colour, as a picture on paper; other signs in the text’s colour', async () => {
    const list = await laid('★ 🔥 x', { size: 10 });
    expect(list.ops.filter((op) => op.op === 'push').map(({ raster }) => raster)).toEqual(['colour-emoji']);
    const faces = textOps(list).map(({ runs }) => runs.map(({ face }) => face).join());
    expect(faces[1]).toContain('noto-color-emoji');
    expect(faces[0]).not.toContain('noto-color-emoji');
    expect(list.issues).toEqual([]);
  });
});

describe('East Asian text', () => {
  const JUSTIFIED = '木材・鉄・米のどれか一つを売り、金貨を得る。嵐の間は売れない。';

  test('justified lines are filled between characters, and hold no spaces for it', async () => {
    const list = await laid(JUSTIFIED, { size: 10, align: 'justify' });
    const lines = new Map<number, GlyphWord[]>();
    for (const op of textOps(list))
      for (const { y, words } of op.runs) lines.set(y, [...(lines.get(y) ?? []), ...words]);
    const all = [...lines.values()].map((words) => words.toSorted((a, b) => a.x - b.x));
    expect(all.length).toBeGreaterThan(2);
    for (const words of all.slice(0, -1)) {
      const last = words.at(-1);
      expect((last?.x ?? 0) + (last?.width ?? 0)).toBeCloseTo(40, 3);
      for (const [at, word] of words.slice(1).entries()) {
        const before = words[at];
        expect(word.x - (before?.x ?? 0) - (before?.width ?? 0)).toBeCloseTo(0, 6);
      }
    }
  });

  test('a wide space at the beginning of a paragraph is its indent', async () => {
    const start = async (text: string): Promise<number> => {
      const words = wordsOf(await laid(text, { size: 10 }));
      return words.find((word) => word.text.startsWith('札'))?.x ?? 0;
    };
    expect((await start('　札を引く。')) - (await start('札を引く。'))).toBeCloseTo(ptToMm(10), 3);
  });

  test('quotation marks of Chinese are as wide as its characters, those of English are not', async () => {
    const widthOf = async (text: string): Promise<number> => {
      const words = wordsOf(await laid(text, { size: 10 }));
      return words.find((word) => word.text.startsWith('“'))?.width ?? 0;
    };
    expect(await widthOf('打出“火焰”牌')).toBeCloseTo(ptToMm(10), 3);
    expect(await widthOf('play “a” card')).toBeLessThan(1.5 * ptToMm(10));
  });
});
