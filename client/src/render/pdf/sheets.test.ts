import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { impose } from '../../core/imposition/job/impose.ts';
import { type PrintSettings, pageSize } from '../../core/imposition/settings.ts';
import { calibrationLayouts } from '../../core/imposition/sheets/page-marks.ts';
import { EMPTY_ROW } from '../../core/scene/card/row.ts';
import type { TracedLine, TracedPage } from '../../core/testing/placed.ts';
import { nodePdfTools, printJob, run, withPdfFile } from '../testing/testing.ts';
import { writePdf } from './document.ts';
import {
  back,
  CARD_H,
  CARD_W,
  cardsOf,
  front,
  missing,
  near,
  settingsOf,
  traceCards,
  traceJob,
} from './traced.ts';

const PT_PER_MM = 72 / 25.4;
const copiesOf = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 7 });
const isUpright = ({ x1, x2 }: TracedLine): boolean => near(x1, x2);
/** Places told apart as finely as they are checked. */
const distinct = (values: readonly number[]): number[] =>
  values.toSorted((a, b) => a - b).filter((value, index, all) => !near(all[index - 1], value));

describe.skipIf(missing.length > 0)('crop marks on paper', () => {
  const marks = fc.record({
    kind: fc.constantFrom('corner' as const, 'full' as const, 'cross' as const),
    length: fc.constantFrom(2, 3.5, 5),
    offset: fc.constantFrom(0, 1, 1.5),
    width: fc.constantFrom(0.05, 0.25, 1),
    color: fc.constantFrom('#000000', '#c81e5a', '#3366cc'),
  });
  const page = fc.record({
    gapX: fc.constantFrom(0, 4),
    gapY: fc.constantFrom(0, 9),
    orientation: fc.constantFrom('portrait' as const, 'landscape' as const),
    turn: fc.constantFrom(0 as const, 90 as const),
  });

  /** Left, right, top and bottom of every card's cut on the page. */
  const cutsOf = ({ cards }: TracedPage, bleed: number) => ({
    xs: distinct(cards.flatMap(({ x, w }) => [x + bleed, x + w - bleed])),
    ys: distinct(cards.flatMap(({ y, h }) => [y + bleed, y + h - bleed])),
  });

  test('of every kind, length, offset, width and colour, they lie on the cuts', async () => {
    await fc.assert(
      fc.asyncProperty(
        marks,
        page,
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        async (how, on, bleeds, count) => {
          const settings = settingsOf({ marks: how, page: on, rest: { bleed: bleeds } });
          const { w, h } = pageSize(settings.page);
          const bleed = bleeds ? (front.bleed as number) : 0;
          for (const traced of await traceCards([count], settings, false)) {
            const { xs, ys } = cutsOf(traced, bleed);
            const { lines } = traced;
            expect(lines.length).toBeGreaterThan(0);
            for (const line of lines) {
              expect(line.color).toBe(how.color);
              expect(near(line.width, how.width)).toBe(true);
              const [place, cuts] = isUpright(line) ? [line.x1, xs] : [line.y1, ys];
              expect(cuts.some((cut) => near(cut, place))).toBe(true);
            }
            const ends = (line: TracedLine): [number, number] =>
              isUpright(line)
                ? [Math.min(line.y1, line.y2), Math.max(line.y1, line.y2)]
                : [Math.min(line.x1, line.x2), Math.max(line.x1, line.x2)];
            if (how.kind === 'full') {
              expect(lines).toHaveLength(xs.length + ys.length);
              for (const line of lines) {
                const [from, to] = ends(line);
                expect(near(from, 0) && near(to, isUpright(line) ? h : w)).toBe(true);
              }
            } else if (how.kind === 'cross') {
              for (const line of lines) {
                const [from, to] = ends(line);
                expect(near(to - from, how.length)).toBe(true);
                const across = isUpright(line) ? ys : xs;
                expect(across.some((cut) => near(cut, (from + to) / 2))).toBe(true);
              }
            } else {
              for (const line of lines) {
                const [from, to] = ends(line);
                const across = isUpright(line) ? ys : xs;
                // It begins `offset` beyond the bleed of a card, and is no longer than asked for.
                const reach = bleed + how.offset;
                expect(across.some((cut) => near(to, cut - reach) || near(from, cut + reach))).toBe(true);
                const end = isUpright(line) ? h : w;
                const cutOff = near(from, 0) || near(to, end);
                expect(near(to - from, how.length) || (cutOff && to - from < how.length)).toBe(true);
              }
            }
          }
        },
      ),
      { numRuns: 16 },
    );
  }, 60_000);
});

describe.skipIf(missing.length > 0)('backs on paper', () => {
  const frontCount = (copies: readonly number[]): number => copies.reduce((sum, count) => sum + count, 0);

  test('folded over, each back meets its front: odd counts, mixed copies, either way of the page', async () => {
    const job = fc.record({
      copies: copiesOf,
      orientation: fc.constantFrom('portrait' as const, 'landscape' as const),
      turn: fc.constantFrom(0 as const, 90 as const),
      bleed: fc.boolean(),
      nudgeX: fc.constantFrom(0, 1.25),
      nudgeY: fc.constantFrom(0, -0.75),
    });
    await fc.assert(
      fc.asyncProperty(job, async ({ copies, orientation, turn, bleed, nudgeX, nudgeY }) => {
        const settings = settingsOf({
          page: { orientation, turn },
          backs: { mode: 'fold', nudgeX, nudgeY },
          marks: { kind: 'none' },
          rest: { bleed },
        });
        const pages = await traceCards(copies, settings);
        let fronts = 0;
        for (const { cards, lines } of pages) {
          if (cards.length === 0) continue;
          const [line] = lines;
          expect(lines).toHaveLength(1);
          if (!line) throw new Error('no line to fold on');
          const upright = isUpright(line);
          const over = (x: number, y: number) =>
            upright ? { x: 2 * line.x1 - x, y } : { x, y: 2 * line.y1 - y };
          expect(cards.length % 2).toBe(0);
          // Fronts are written first.
          const half = cards.length / 2;
          fronts += half;
          for (const card of cards.slice(0, half)) {
            const centre = over(card.x + card.w / 2, card.y + card.h / 2);
            const match = cards
              .slice(half)
              .filter(
                (one) =>
                  one.color === card.color &&
                  near(one.x + one.w / 2 - nudgeX, centre.x) &&
                  near(one.y + one.h / 2 - nudgeY, centre.y),
              );
            expect(match).toHaveLength(1);
            // Heads together: seen through the fold, the back's head is the front's, left and right exchanged.
            const head = over((match[0]?.head?.x ?? 0) - nudgeX, (match[0]?.head?.y ?? 0) - nudgeY);
            const [cx, cy] = [card.x + card.w / 2, card.y + card.h / 2];
            const mirrored =
              turn === 0
                ? { x: 2 * cx - (card.head?.x ?? 0), y: card.head?.y ?? 0 }
                : { x: card.head?.x ?? 0, y: 2 * cy - (card.head?.y ?? 0) };
            expect(near(head.x, mirrored.x) && near(head.y, mirrored.y)).toBe(true);
          }
        }
        expect(fronts).toBe(frontCount(copies));
      }),
      { numRuns: 14 },
    );
  }, 60_000);

  test('on sheets of their own, after all fronts, each lies where its front does, never shifted', async () => {
    await fc.assert(
      fc.asyncProperty(copiesOf, async (copies) => {
        if (frontCount(copies) === 0) return;
        const settings = settingsOf({ backs: { mode: 'separate', nudgeX: 3, nudgeY: -2 } });
        const pages = await traceCards(copies, settings);
        const fronts = pages.slice(0, pages.length / 2);
        const backs = pages.slice(pages.length / 2);
        expect(fronts.flatMap(({ cards }) => cards)).toHaveLength(frontCount(copies));
        for (const [index, page] of fronts.entries()) {
          const behind = backs[index];
          expect(behind?.cards).toHaveLength(page.cards.length);
          for (const [slot, card] of page.cards.entries()) {
            const other = behind?.cards[slot];
            expect(other?.color).toBe(card.color);
            expect(near(other?.x, card.x) && near(other?.y, card.y)).toBe(true);
          }
          expect(behind?.lines).toHaveLength(page.lines.length);
        }
      }),
      { numRuns: 8 },
    );
  }, 60_000);

  test('each card its own back, or one back for all; without backs no page of them', async () => {
    const colors = async (change: Partial<PrintSettings['backs']>) => {
      const pages = await traceCards([1, 2, 1], settingsOf({ backs: change }));
      return { pages: pages.length, backs: new Set(pages[1]?.cards.map(({ color }) => color)).size };
    };
    expect(await colors({ own: true })).toEqual({ pages: 2, backs: 3 });
    expect(await colors({ own: false })).toEqual({ pages: 2, backs: 1 });
    expect(await colors({ mode: 'none' })).toEqual({ pages: 1, backs: 0 });
  });

  test('more cards than a sheet holds: the last, odd sheet has its backs behind it too', async () => {
    const pages = await traceCards([5, 8], settingsOf({ backs: { mode: 'short-edge' } }));
    expect(pages.map(({ cards }) => cards.length)).toEqual([9, 9, 4, 4]);
    const { h } = pageSize(settingsOf({}).page);
    for (const [index, card] of (pages[2]?.cards ?? []).entries()) {
      const other = pages[3]?.cards[index];
      expect(near(other?.x, card.x) && near((other?.y ?? 0) + CARD_H, h - card.y)).toBe(true);
      expect(other?.color).toBe(card.color);
    }
  });
});

describe.skipIf(missing.length > 0)('the calibration page', () => {
  const settings = (
    mode: 'long-edge' | 'short-edge',
    orientation: 'portrait' | 'landscape',
    nudgeX: number,
    nudgeY: number,
  ) => settingsOf({ page: { orientation }, backs: { mode, nudgeX, nudgeY } });

  test.each([
    ['long-edge', 'portrait'],
    ['long-edge', 'landscape'],
    ['short-edge', 'portrait'],
    ['short-edge', 'landscape'],
  ] as const)('%s, %s: what is read and added brings the backs home', async (mode, orientation) => {
    // The printer puts backs 5 mm right and 5 mm up of where they should be; 1 and −2 are typed in already.
    const [errorX, errorY] = [5 - 1, -5 + 2];
    const how = settings(mode, orientation, 1, -2);
    const { front: scales, back: cross } = calibrationLayouts(how);
    const job = printJob(scales, [{ row: EMPTY_ROW, copies: 1 }], {
      back: cross,
      settings: settingsOf({ rest: { arrangement: 'single' }, backs: { mode: 'separate' } }),
    });
    await traceJob(job, ([, behind], file) => {
      const { w, h } = pageSize(how.page);
      const level = behind?.boxes.find((box) => near(box.w, 60.15) && box.h < 0.5);
      const upright = behind?.boxes.find((box) => near(box.h, 36.15) && box.w < 0.5);
      const at = { x: (upright?.x ?? 0) + 0.075, y: (level?.y ?? 0) + 0.075 };
      expect(near(at.x, w / 2 + 1) && near(at.y, h / 2 - 2)).toBe(true);
      // Seen through the paper, turned over as the printer turns it.
      const standing = h >= w;
      const aboutUpright = mode === 'long-edge' ? standing : !standing;
      const landed = { x: at.x + errorX, y: at.y + errorY };
      const seen = aboutUpright ? { x: w - landed.x, y: landed.y } : { x: landed.x, y: h - landed.y };
      const words = [
        ...run('pdftotext', ['-bbox', '-f', '1', '-l', '1', file, '-']).matchAll(
          /xMin="([^"]*)" yMin="([^"]*)" xMax="([^"]*)" yMax="([^"]*)">([+−]\d+)</g,
        ),
      ].map(([, x1, y1, x2, y2, text = '']) => ({
        x: (Number(x1) + Number(x2)) / 2 / PT_PER_MM,
        y: (Number(y1) + Number(y2)) / 2 / PT_PER_MM,
        value: Number(text.replace('−', '-')),
      }));
      expect(words).toHaveLength(8);
      // Numbers stand by their lines: half a millimetre is less than to the next line.
      const readX = words.find(({ x, y }) => Math.abs(x - seen.x) < 0.5 && y > h / 2 + 1 && y < h / 2 + 8);
      const readY = words.find(({ x, y }) => Math.abs(y - seen.y) < 0.7 && x > w / 2 + 1 && x < w / 2 + 12);
      expect([readX?.value, readY?.value]).toEqual([-(errorX + 1), -(errorY - 2)]);
    });
  });
});

test('above a size a PDF is split: every part is about as large as asked, and all pages are there', async () => {
  // Colours of their own make every card a form of its own.
  const cards = cardsOf(Array.from({ length: 400 }, () => 1));
  const job = printJob(front, cards, { back, title: 'Parts' });
  const plan = impose(
    { size: { w: CARD_W, h: CARD_H }, bleed: 0, copies: cards.map(() => 1), hasBacks: true },
    job.settings,
  );
  const files: Uint8Array[] = [];
  const tools = await nodePdfTools(front, []);
  const summary = await writePdf(
    { ...job, maxBytes: 30_000 },
    tools,
    async (bytes) => void files.push(bytes),
  );
  expect(summary.pages).toBe(plan.sheets.length);
  expect(files.length).toBeGreaterThan(2);
  for (const bytes of files.slice(0, -1)) {
    expect(bytes.length).toBeGreaterThan(28_000);
    expect(bytes.length).toBeLessThan(40_000);
  }
  if (missing.length > 0) return;
  const pages = files.map((bytes) =>
    withPdfFile(bytes, (file) => Number(/^Pages:\s+(\d+)$/m.exec(run('pdfinfo', [file]))?.[1])),
  );
  expect(pages.reduce((sum, count) => sum + count, 0)).toBe(summary.pages);
  // Never between a front and its back.
  for (const count of pages) expect(count % 2).toBe(0);
});
