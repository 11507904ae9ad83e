import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { rulebookAssets } from '../../testing/rulebook-assets.ts';
import { anyRulebook, numbered } from '../../testing/rulebooks.ts';
import type { Block, Rulebook } from '../document/schema.ts';
import { allBlocks, inlinesOf, plainText } from '../document/walk.ts';
import type { FlowAssets } from '../typesetting/context.ts';
import { FlowCache } from '../typesetting/flow-cache.ts';
import { HOUSE_STYLES, type HouseStyle } from '../typesetting/house-style.ts';
import { displayListOf, type Flowed, flow, MAX_PASSES } from './flow.ts';
import { PAGE_FORMATS, type PageFormat } from './formats.ts';

const RUNS = 60;
/** The same documents each time; `FLOW_SEED` looks at others. */
const seed = Number(process.env['FLOW_SEED'] ?? 1);
let assets: FlowAssets;

beforeAll(async () => {
  const [doc] = fc.sample(anyRulebook, 1);
  assets = await rulebookAssets(doc as Rulebook);
});

// Counterexamples name a style and a format by their numbers.
const anyHouse = fc.integer({ min: 0, max: HOUSE_STYLES.length - 1 });
const anyFormat = fc.integer({ min: 0, max: PAGE_FORMATS.length - 1 });
const set = (doc: Rulebook, house: number, format: number): Flowed =>
  flow(doc, HOUSE_STYLES[house] as HouseStyle, PAGE_FORMATS[format] as PageFormat, assets);

const letters = (text: string): string => text.toLowerCase().replace(/[\s\u00ad-]/g, '');

/** The words of the document in the order of their blocks. */
function wordsOf(doc: Rulebook): string {
  return [...allBlocks(doc.blocks)]
    .map(
      (block) => (block.type === 'definition' ? block.term : '') + inlinesOf(block).map(plainText).join(''),
    )
    .join('');
}

/** The words on the pages in the order of the structure, labels and titles of callouts left out. */
function wordsOn({ pages }: Flowed): string {
  const texts = new Map<string, string>();
  for (const { path, ops } of pages.flatMap(({ pieces }) => pieces)) {
    const owner = path.findLast(({ tag }) => tag !== 'Link');
    if (!owner || path.some(({ tag }) => tag === 'Lbl')) continue;
    if (path.some(({ key }) => key.endsWith('/title') || key === 'title')) continue;
    const words = ops.flatMap((op) => (op.op === 'text' ? op.runs.flatMap((run) => run.words) : []));
    texts.set(owner.key, (texts.get(owner.key) ?? '') + words.map((word) => word.text).join(''));
  }
  return [...texts.values()].join('');
}

const said = (text: string) => [{ type: 'text' as const, text }];
const note = (id: string, text: string): Block => ({
  type: 'callout',
  id,
  kind: 'note',
  title: '',
  blocks: [{ type: 'paragraph', id: `${id}p`, content: said(text) }],
});
/** A table of head rows alone, above a section of its own. */
const HEADS_ALONE: Rulebook = {
  version: 1,
  title: 'Title',
  subtitle: '',
  language: 'en-gb',
  blocks: [
    note('a', 'One'),
    { type: 'table', id: 't', caption: [], headRows: 1, rows: [[said('Two'), said('Three')]] },
    { type: 'columns', id: 'c', count: 2, blocks: [note('b', 'Four')] },
    { type: 'rule', id: 'r', depth: 1, content: said('Five') },
  ],
};

/** Marks are of one cache. */
const unmarked = ({ pages, ...flowed }: Flowed) => ({
  ...flowed,
  pages: pages.map(({ mark, ...page }) => page),
});

describe('the flow of any rulebook', () => {
  test('sets every word once and in order', () => {
    fc.assert(
      fc.property(anyRulebook, anyHouse, anyFormat, (doc, house, format) => {
        expect(letters(wordsOn(set(doc, house, format)))).toBe(letters(wordsOf(doc)));
      }),
      { numRuns: RUNS, seed },
    );
  });

  test('is the same with what other texts and styles left in the cache', () => {
    const kept = { ...assets, cache: new FlowCache() };
    fc.assert(
      fc.property(anyRulebook, anyHouse, anyFormat, (doc, house, format) => {
        const style = HOUSE_STYLES[house] as HouseStyle;
        const page = PAGE_FORMATS[format] as PageFormat;
        const fresh = set(doc, house, format);
        // The second time everything comes from the cache.
        for (let time = 0; time < 2; time++)
          expect(unmarked(flow(doc, style, page, kept))).toEqual(unmarked(fresh));
      }),
      { numRuns: RUNS / 3, seed },
    );
  });

  test('sets no line beyond its column, and text on the grid of its page', () => {
    fc.assert(
      fc.property(anyRulebook, anyHouse, anyFormat, (doc, house, format) => {
        const { pages, issues } = set(doc, house, format);
        const grid = ((HOUSE_STYLES[house]?.leading ?? 0) * 25.4) / 72;
        for (const { boxes } of pages) {
          const top = boxes[0]?.column ? (boxes[0].column.bottom ?? 0) : 0;
          for (const { ink, column, area, grid: onGrid, block } of boxes) {
            expect(ink.from).toBeGreaterThanOrEqual(column.from - 1e-6);
            expect(ink.to).toBeLessThanOrEqual(column.to + 1e-6);
            const cut = issues.some((issue) => issue.block === block && issue.code === 'too-tall');
            if (!cut) expect(area.y + area.h).toBeLessThanOrEqual(column.bottom + 1e-6);
            const lines = (top - area.y) / grid;
            if (onGrid) expect(Math.abs(lines - Math.round(lines))).toBeLessThan(1e-6);
          }
        }
      }),
      { numRuns: RUNS, seed },
    );
  });

  test('keeps together what belongs together, or says that it could not', () => {
    fc.assert(
      fc.property(anyRulebook, anyHouse, anyFormat, (any, house, format) => {
        // A page break of the writer's own parts anything.
        const doc = { ...any, blocks: any.blocks.filter(({ type }) => type !== 'pageBreak') };
        const { pages, issues } = set(doc, house, format);
        const chapters = new Set(
          [...allBlocks(doc.blocks)].flatMap((block) =>
            block.type === 'heading' && block.level === 1 ? [block.id] : [],
          ),
        );
        // A heading that ends its columns stands above nothing in them.
        const ends = new Set(
          doc.blocks.map((block) => (block.type === 'columns' ? block.blocks.at(-1)?.id : undefined)),
        );
        const told = new Set(
          issues.filter(({ code }) => /keep-broken|too-tall/.test(code)).map(({ block }) => block),
        );
        const boxes = pages.flatMap((page) =>
          page.boxes.filter(({ repeated }) => !repeated).map((box) => ({ ...box, page: page.number })),
        );
        for (const [at, box] of boxes.entries()) {
          const next = boxes[at + 1];
          // A chapter opens a page even below a heading.
          if (!next || !box.keep || chapters.has(next.block) || ends.has(box.block)) continue;
          const together = box.page === next.page && box.area.x === next.area.x && box.area.y < next.area.y;
          const broken = told.has(next.block) || told.has(box.block);
          const across = box.page === next.page && box.area.w !== next.area.w;
          expect(together || across || broken).toBe(true);
        }
      }),
      { numRuns: RUNS, seed, examples: [[HEADS_ALONE, 0, 0]] },
    );
  });

  test('is the same each time, within three passes', () => {
    fc.assert(
      fc.property(anyRulebook, anyHouse, anyFormat, (doc, house, format) => {
        const [one, other] = [set(doc, house, format), set(doc, house, format)];
        expect(one.passes).toBeLessThanOrEqual(MAX_PASSES);
        expect(JSON.stringify(one.pages.map(displayListOf))).toBe(
          JSON.stringify(other.pages.map(displayListOf)),
        );
      }),
      { numRuns: 15, seed },
    );
  });

  test('never has fewer pages for more blocks', () => {
    fc.assert(
      fc.property(anyRulebook, anyHouse, anyFormat, (doc, house, format) => {
        const counts = doc.blocks.map((_, at) => {
          const blocks = doc.blocks.slice(0, at + 1);
          return set({ ...doc, blocks }, house, format).pages.length;
        });
        expect(counts).toEqual([...counts].sort((a, b) => a - b));
      }),
      { numRuns: 15, seed },
    );
  });
});

describe('references', () => {
  const words = (count: number): Block => ({
    type: 'paragraph',
    id: '',
    content: [{ type: 'text', text: Array.from({ length: count }, () => 'word').join(' ') }],
  });

  test('name the pages that they lead to', () => {
    const filler = numbered({
      version: 1,
      title: 'Title',
      subtitle: '',
      language: 'en-gb',
      blocks: Array.from({ length: 30 }, () => words(120)),
    });
    const doc: Rulebook = {
      ...filler,
      blocks: [
        { type: 'live', id: 'toc', show: 'contents' },
        { type: 'paragraph', id: 'ref', content: [{ type: 'reference', block: 'end', show: 'page' }] },
        { type: 'paragraph', id: 'dead', content: [{ type: 'reference', block: 'gone', show: 'page' }] },
        ...filler.blocks,
        { type: 'heading', id: 'end', level: 1, content: [{ type: 'text', text: 'End' }] },
      ],
    };
    const result = flow(doc, HOUSE_STYLES[0], PAGE_FORMATS[1], assets);
    const link = result.pages.flatMap(({ pieces }) => pieces).find(({ path }) => path[0]?.key === 'ref');
    const text = link?.ops.flatMap((op) => (op.op === 'text' ? op.runs[0]?.words[0]?.text : []));
    expect(result.starts.get('end')).toBeGreaterThan(5);
    expect(text).toEqual([`${result.starts.get('end')}`]);
    expect(link?.link?.block).toBe('end');
    expect(result.issues.map(({ code, block }) => `${block} ${code}`)).toEqual(['dead dead-reference']);
  });
});
