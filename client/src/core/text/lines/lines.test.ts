import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { newLayout } from '../../scene/new-layout.ts';
import { defaultTextStyle, type TextStyle } from '../../scene/style/text-style.ts';
import { newZone } from '../../scene/zones.ts';
import { fontsFor } from '../../testing/fonts.ts';
import type { FontRegistry } from '../fonts/font-registry.ts';
import { parseMarkup } from '../markup/markup.ts';
import { breakLines, type Line } from './break-lines.ts';
import { setAt, shrinkToFit, type TextBox } from './fit.ts';
import { type PreparedText, prepareText } from './paragraph.ts';

const NOTHING = { variables: [], columns: [], cells: {} };
const ALPHABET =
  ' !"#%&\'()*+,-./0123456789:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzäßéł—’…\u00a0\u00ad→★';

let fonts: FontRegistry;

beforeAll(async () => {
  const layout = newLayout('fonts');
  layout.zones = ['eb-garamond', 'inter', 'cinzel'].map((family) => {
    const zone = newZone('text', family, family, { x: 0, y: 0, w: 10, h: 10 });
    return { ...zone, text: ALPHABET, style: { ...zone.style, family } };
  });
  fonts = await fontsFor(layout, []);
});

function prepare(text: string, style: Partial<TextStyle> = {}): PreparedText {
  const { paragraphs } = parseMarkup(text, NOTHING);
  const prepared = prepareText(paragraphs, { ...defaultTextStyle(), ...style }, fonts, () => 1);
  if (!prepared) throw new Error('no fonts');
  return prepared;
}

const words = (line: Line): string =>
  line.units
    .map(
      ({ parts, space }) =>
        parts.map((part) => (part.kind === 'word' ? part.text : '□')).join('') + (space > 0 ? ' ' : ''),
    )
    .join('')
    .trimEnd();

function linesOf(text: string, width: number, style: Partial<TextStyle> = {}): string[] {
  const prepared = prepare(text, style);
  return prepared.paragraphs.flatMap((paragraph) =>
    breakLines(paragraph, width, prepared.letterSpacing).map(words),
  );
}

describe('line breaking', () => {
  test.each([
    ['breaks at spaces', 'one two three four', 4.4, ['one two', 'three four']],
    ['one line when there is room', 'one two three', 100, ['one two three']],
    ['keeps forced breaks', 'one\ntwo', 100, ['one', 'two']],
    ['keeps no-break spaces together', 'take 3\u00a0gold now', 3.9, ['take', '3\u00a0gold', 'now']],
    ['breaks after hyphens', 'well-known', 3, ['well-', 'known']],
    ['keeps a sign with its word', 'suffer -cargo now', 4.2, ['suffer', '-cargo', 'now']],
    ['shows soft hyphens only where they break', 'inter\u00adstellar', 3.5, ['inter-', 'stellar']],
    ['keeps punctuation with its word', 'hit (or miss), then', 3.2, ['hit (or', 'miss),', 'then']],
    ['does not begin a line with an icon’s bracket', 'FORCE({a.png}) now', 5.3, ['FORCE(□)', 'now']],
    ['keeps a number with its icon', 'gain 12 {a.png} now', 3.7, ['gain', '12\u00a0□', 'now']],
    ['counts several spaces as one', 'a   b', 100, ['a b']],
    ['cuts a word that fits no line', 'Abracadabra', 2, ['Abra', 'cada', 'bra']],
  ])('%s', (_name, text, width, expected) => {
    expect(linesOf(text, width)).toEqual(expected);
  });

  test('no line is longer than it may be, and nothing is lost', () => {
    const text = fc
      .array(fc.stringMatching(/^[A-Za-zäßé][A-Za-zäßé,.’-]{0,13}$/), { minLength: 1, maxLength: 40 })
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(text, fc.double({ min: 3, max: 30, noNaN: true }), (source, width) => {
        const prepared = prepare(source.replaceAll('*', ''));
        const lines = prepared.paragraphs.flatMap((paragraph) =>
          breakLines(paragraph, width - paragraph.indent, 0),
        );
        for (const line of lines) {
          const letters = words(line).length;
          if (letters > 1) expect(line.width).toBeLessThanOrEqual(width + 0.05);
        }
        const glued = (value: string): string => value.replace(/\s/g, '');
        expect(glued(lines.map(words).join(''))).toBe(glued(source));
      }),
      { numRuns: 60 },
    );
  });

  test('a first word moves up only when it does not fit', () => {
    const prepared = prepare('The quick brown fox jumps over the lazy dog again and again');
    const [paragraph] = prepared.paragraphs;
    if (!paragraph) throw new Error('no paragraph');
    const lines = breakLines(paragraph, 9, 0);
    for (const [index, line] of lines.slice(1).entries()) {
      const before = lines[index];
      const space = before?.units.at(-1)?.space ?? 0;
      expect((before?.width ?? 0) + space + (line.units[0]?.width ?? 0)).toBeGreaterThan(9);
    }
  });

  test('letter spacing widens words and sets ligatures apart', () => {
    const plain = prepare('office');
    const spaced = prepare('office', { letterSpacing: 0.1 });
    const glyphs = (text: PreparedText): number => {
      const part = text.paragraphs[0]?.units[0]?.parts[0];
      return part?.kind === 'word'
        ? part.shaped.pieces.reduce((sum, { glyphs: ids }) => sum + ids.length, 0)
        : 0;
    };
    expect(glyphs(plain)).toBeLessThan(6);
    expect(glyphs(spaced)).toBe(6);
  });

  test('characters come from the family, its other files, then the fallbacks; the rest is reported', () => {
    const prepared = prepare('aŁ→★\u{1F9FF}', { family: 'cinzel' });
    const part = prepared.paragraphs[0]?.units.flatMap(({ parts }) => parts);
    const faces = part?.flatMap((item) =>
      item.kind === 'word' ? item.shaped.pieces.map(({ link }) => link.face.id) : [],
    );
    expect(faces?.[0]).toContain('cinzel-latin-400');
    expect(new Set(faces).size).toBeGreaterThanOrEqual(3);
    expect(prepared.missing).toEqual(['\u{1F9FF}']);
  });
});

describe('fitting', () => {
  const LOREM = 'When you make a move in close quarters, you may draw on your momentum to gain advantage.';
  const box = (w: number, h: number): TextBox => ({ w, h, lineHeight: 1.2, paragraphGap: 0.5 });

  test.each([
    [60, 20, 4],
    [40, 12, 3],
    [20, 10, 2],
  ])('text shrinks into %d × %d mm', (w, h) => {
    const prepared = prepare(LOREM);
    const set = shrinkToFit(prepared, box(w, h), 5, 1);
    expect(set.overflows).toBe(false);
    expect(set.height).toBeLessThanOrEqual(h + 1e-4);
    const larger = setAt(prepared, box(w, h), set.size + 0.0882);
    expect(set.size === 5 || larger.overflows).toBe(true);
  });

  test('text that fits keeps its size', () => {
    expect(shrinkToFit(prepare('Short'), box(40, 10), 4, 1).size).toBe(4);
  });

  test('a long word shrinks rather than being cut', () => {
    const set = shrinkToFit(prepare('Abracadabra'), box(12, 10), 6, 1);
    expect(set.overflows).toBe(false);
    expect(set.paragraphs[0]?.lines).toHaveLength(1);
  });

  test('what does not fit even at the smallest size is flagged there', () => {
    const set = shrinkToFit(prepare(LOREM.repeat(20)), box(20, 5), 5, 2);
    expect(set.size).toBe(2);
    expect(set.overflows).toBe(true);
  });

  test('shrinking never gives a larger size for a smaller box', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 40 }), fc.integer({ min: 1, max: 20 }), (h, less) => {
        const prepared = prepare(LOREM);
        const roomy = shrinkToFit(prepared, box(30, h + less), 5, 0.5).size;
        const tight = shrinkToFit(prepared, box(30, h), 5, 0.5).size;
        expect(tight).toBeLessThanOrEqual(roomy);
      }),
      { numRuns: 40 },
    );
  });
});
