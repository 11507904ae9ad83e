import { describe, expect, test } from 'vitest';
import type { GlyphWord } from '../../core/scene/display/display-list.ts';
import {
  ARABIC,
  JAPANESE,
  POINTED,
  type ScriptCard,
  scriptLayout,
  scriptRows,
} from '../../core/testing/script-decks.ts';
import { hasTool, nodePdfTools, printJob, run, withPdfFile } from '../testing/testing.ts';
import { makePdf } from './document.ts';

const NO_TOOLS = ['pdftotext', 'pdffonts', 'qpdf'].filter((tool) => !hasTool(tool));
if (NO_TOOLS.length > 0) console.warn(`CHECKS OF SCRIPTS IN PDFS SKIPPED: install ${NO_TOOLS.join(', ')}.`);

async function printed(cards: readonly ScriptCard[], layout = scriptLayout()) {
  const rows = scriptRows(cards);
  const tools = await nodePdfTools(layout, rows);
  const lists = await Promise.all(rows.map((row) => tools.layOut(layout, row, [])));
  const jobs = rows.map((row) => makePdf(printJob(layout, [{ row, copies: 1 }]), tools));
  const whole = await makePdf(
    printJob(
      layout,
      rows.map((row) => ({ row, copies: 1 })),
    ),
    tools,
  );
  return { lists, cards: (await Promise.all(jobs)).map(({ bytes }) => bytes), whole: whole.bytes };
}

const words = (lists: Awaited<ReturnType<typeof printed>>['lists']): GlyphWord[] =>
  lists.flatMap(({ ops }) =>
    ops.flatMap((op) => (op.op === 'text' ? op.runs.flatMap((one) => one.words) : [])),
  );

/** Without spaces, line breaks and the marks that say where a direction begins and ends. */
const bare = (text: string): string => text.replace(/[\s\u200e\u200f\u202a-\u202e\u2066-\u2069\f]/g, '');
/** Words in the order that they are read. Poppler misplaces the spaces beside numbers, full stops and Latin among them. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/[\u202a-\u202e]/g, '')
    .replace(/[A-Za-z]+/g, ' $& ')
    .split(/[\s\d.,!،\f]+/)
    .filter(Boolean);
const readBack = (bytes: Uint8Array, ...options: string[]): string =>
  withPdfFile(bytes, (file) => run('pdftotext', [...options, file, '-']));

describe.skipIf(NO_TOOLS.length > 0)('ten cards in another script', () => {
  test('Japanese has all of its glyphs and is read as it was written', async () => {
    const { lists, cards, whole } = await printed(JAPANESE);
    expect(lists.flatMap(({ issues }) => issues)).toEqual([]);
    expect(words(lists).every(({ glyphs }) => glyphs.every((glyph) => glyph !== 0))).toBe(true);
    for (const [at, { title, text }] of JAPANESE.entries()) {
      expect(bare(readBack(cards[at] ?? new Uint8Array()))).toBe(bare(title + text));
    }
    const fonts = withPdfFile(whole, (file) => {
      expect(run('qpdf', ['--check', file])).toContain('No syntax or stream encoding errors');
      return run('pdffonts', [file]).trim().split('\n').slice(2);
    });
    for (const font of fonts) expect(font).toMatch(/Identity-H\s+yes yes yes/);
    expect(fonts.filter((font) => font.includes('noto-sans-jp')).length).toBeGreaterThan(5);
    expect(fonts.join()).not.toMatch(/noto-sans-(sc|tc|kr)/);
    // Ten cards take parts of the fonts, and of those a few glyphs.
    expect(whole.length).toBeLessThan(400_000);
  });

  test('no line of Japanese begins or ends with what may not stand there', async () => {
    const { cards } = await printed(JAPANESE);
    const lines = cards.flatMap((bytes) => readBack(bytes, '-layout').split('\n').map(bare)).filter(Boolean);
    expect(lines.length).toBeGreaterThan(30);
    for (const line of lines) {
      expect(line).not.toMatch(/^[、。，．・：；？！」』）ーっゃゅょぁぃぅぇぉッャュョァィゥェォ々…]/);
      expect(line).not.toMatch(/[「『（]$/);
    }
  });

  test.each([
    ['in fonts of its own', {}],
    ['in a family that has both scripts', { family: 'rubik' }],
  ])('vowel marks of Arabic and Hebrew are read after their letters, %s', async (_, style) => {
    const { lists, cards } = await printed(POINTED, scriptLayout({}, style));
    expect(lists.flatMap(({ issues }) => issues)).toEqual([]);
    for (const [at, { title, text }] of POINTED.entries()) {
      expect(wordsOf(readBack(cards[at] ?? new Uint8Array()))).toEqual(wordsOf(`${title} ${text}`));
    }
  });

  test('Arabic is joined, runs from the right, and is read as it was written', async () => {
    const { lists, cards } = await printed(ARABIC);
    expect(lists.flatMap(({ issues }) => issues)).toEqual([]);
    expect(words(lists).every(({ glyphs }) => glyphs.every((glyph) => glyph !== 0))).toBe(true);
    for (const [at, { title, text }] of ARABIC.entries()) {
      const found = readBack(cards[at] ?? new Uint8Array());
      expect(wordsOf(found)).toEqual(wordsOf(`${title} ${text}`));
      expect([...bare(found)].sort()).toEqual([...bare(title + text)].sort());
    }
    // `start` is the right edge of the zone, 58 mm from that of the card.
    for (const list of lists) {
      const [title] = list.ops.flatMap((op) => (op.op === 'text' ? op.runs : []));
      const right = Math.max(...(title?.words ?? []).map(({ x, width }) => x + width));
      expect(right).toBeCloseTo(58, 3);
    }
  });
});
