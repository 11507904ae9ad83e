import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_PRINT_SETTINGS, type PrintSettings, pageSize } from '../../core/imposition/settings.ts';
import { flipLine } from '../../core/imposition/sheets/reflect.ts';
import type { Placement } from '../../core/testing/placed.ts';
import { nodePdfTools, printJob, run, withPdfFile } from '../testing/testing.ts';
import { makePdf, writePdf } from './document.ts';
import {
  back,
  CARD_H,
  CARD_W,
  cardsOf,
  front,
  missing,
  near,
  settingsOf,
  traceCards as trace,
} from './traced.ts';

describe.skipIf(missing.length > 0)('on paper', () => {
  test('cards and crop marks are where they should be', async () => {
    const [page] = await trace([9], DEFAULT_PRINT_SETTINGS, false);
    const left = (210 - 3 * CARD_W) / 2;
    const top = (297 - 3 * CARD_H) / 2;
    expect(page?.cards).toHaveLength(9);
    for (const [index, card] of (page?.cards ?? []).entries()) {
      expect(near(card.x, left + (index % 3) * CARD_W)).toBe(true);
      expect(near(card.y, top + Math.floor(index / 3) * CARD_H)).toBe(true);
      expect(near(card.w, CARD_W) && near(card.h, CARD_H)).toBe(true);
    }
    expect(page?.lines).toHaveLength(16);
    const xs = [0, 1, 2, 3].map((column) => left + column * CARD_W);
    const ys = [0, 1, 2, 3].map((row) => top + row * CARD_H);
    for (const line of page?.lines ?? []) {
      const upright = near(line.x1, line.x2);
      const cuts = upright ? xs : ys;
      expect(cuts.some((cut) => near(upright ? line.x1 : line.y1, cut))).toBe(true);
      const [from, to] = upright ? [line.y1, line.y2] : [line.x1, line.x2];
      expect(near(Math.abs(from - to), 3)).toBe(true);
      // One millimetre away from the outermost cards.
      const [low, high] = upright ? [top, top + 3 * CARD_H] : [left, left + 3 * CARD_W];
      expect(near(Math.max(from, to), low - 1) || near(Math.min(from, to), high + 1)).toBe(true);
    }
  });

  test('bleed is printed whole and marks keep clear of it', async () => {
    const [page] = await trace([4], settingsOf({ rest: { bleed: true } }), false);
    for (const card of page?.cards ?? []) {
      expect(near(card.w, CARD_W + 2 * front.bleed) && near(card.h, CARD_H + 2 * front.bleed)).toBe(true);
      for (const { x1, y1, x2, y2 } of page?.lines ?? []) {
        const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
        expect(x > card.x && x < card.x + card.w && y > card.y && y < card.y + card.h).toBe(false);
      }
    }
  });

  /** Expects a card's head where it must show through the paper, given the front. */
  function expectBehind(
    fronts: readonly Placement[],
    backs: readonly Placement[],
    settings: PrintSettings,
  ): void {
    const page = pageSize(settings.page);
    const mode = settings.backs.mode === 'short-edge' ? 'short-edge' : 'long-edge';
    const line = flipLine(page, mode);
    const { nudgeX, nudgeY } = settings.backs;
    const seen = (x: number, y: number) =>
      line.axis === 'upright'
        ? { x: 2 * line.at - (x - nudgeX), y: y - nudgeY }
        : { x: x - nudgeX, y: 2 * line.at - (y - nudgeY) };
    expect(backs).toHaveLength(fronts.length);
    for (const card of fronts) {
      const match = backs.filter(({ color, x, y, w, h }) => {
        const centre = seen(x + w / 2, y + h / 2);
        return (
          color === card.color && near(centre.x, card.x + card.w / 2) && near(centre.y, card.y + card.h / 2)
        );
      });
      expect(match).toHaveLength(1);
      const head = match[0]?.head;
      const through = seen(head?.x ?? Number.NaN, head?.y ?? Number.NaN);
      // The head of the front, mirrored about the card's own upright middle.
      const [cx, cy] = [card.x + card.w / 2, card.y + card.h / 2];
      const angle = (settings.page.turn * Math.PI) / 180;
      const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
      const along = ((card.head?.x ?? 0) - cx) * ux + ((card.head?.y ?? 0) - cy) * uy;
      expect(near(through.x, (card.head?.x ?? 0) - 2 * along * ux)).toBe(true);
      expect(near(through.y, (card.head?.y ?? 0) - 2 * along * uy)).toBe(true);
    }
  }

  test('backs lie behind their fronts: both edges, odd counts, mixed copies, any turn', async () => {
    const job = fc.record({
      copies: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 6 }),
      mode: fc.constantFrom('long-edge' as const, 'short-edge' as const),
      orientation: fc.constantFrom('portrait' as const, 'landscape' as const),
      turn: fc.constantFrom(0 as const, 90 as const, 180 as const, 270 as const),
      nudgeX: fc.constantFrom(0, 1.25, -0.75),
      nudgeY: fc.constantFrom(0, 0.5, -2),
    });
    await fc.assert(
      fc.asyncProperty(job, async ({ copies, mode, orientation, turn, nudgeX, nudgeY }) => {
        if (copies.every((count) => count === 0)) return;
        const settings = settingsOf({
          page: { orientation, turn, margins: { top: 4, right: 9, bottom: 6, left: 5 } },
          backs: { mode, nudgeX, nudgeY },
          marks: { kind: 'none' },
        });
        const pages = await trace(copies, settings);
        expect(pages.length % 2).toBe(0);
        for (let index = 0; index < pages.length; index += 2) {
          expectBehind(pages[index]?.cards ?? [], pages[index + 1]?.cards ?? [], settings);
        }
      }),
      { numRuns: 12 },
    );
  }, 60_000);

  test('the ruler measures 100 mm', async () => {
    const [page] = await trace([1], settingsOf({ rest: { ruler: true } }), false);
    expect(page?.boxes.some(({ w, h }) => near(w, 100.15) && h < 0.5)).toBe(true);
  });

  test('one card a page: the page is the card with its bleed, trim box inside', async () => {
    const settings = settingsOf({ rest: { arrangement: 'single', bleed: true } });
    const job = printJob(front, cardsOf([1, 2]), { back, settings });
    const { bytes, pages } = await makePdf(job, await nodePdfTools(front, []));
    expect(pages).toBe(6);
    const pt = (mm: number): string => ((mm * 72) / 25.4).toFixed(2);
    withPdfFile(bytes, (file) => {
      const info = run('pdfinfo', ['-box', '-f', '1', '-l', '1', file]).replace(/ +/g, ' ');
      const b = front.bleed as number;
      expect(info).toContain(`MediaBox: 0.00 0.00 ${pt(CARD_W + 2 * b)} ${pt(CARD_H + 2 * b)}`);
      expect(info).toContain(`TrimBox: ${pt(b)} ${pt(b)} ${pt(CARD_W + b)} ${pt(CARD_H + b)}`);
    });
  });

  test('a bookmark for each component leads to its first page', async () => {
    const cards = cardsOf([10]);
    const job = {
      ...printJob(front, cards),
      parts: ['Fuchs & Hase', 'Zażółć'].map((name) => ({
        name,
        layout: front,
        back: null,
        columns: [],
        cards,
      })),
    };
    const { bytes } = await makePdf(job, await nodePdfTools(front, []));
    withPdfFile(bytes, (file) => {
      const outline = run('mutool', ['show', file, 'outline']);
      expect(outline).toMatch(/Fuchs & Hase"\s+#page=1\b/);
      expect(outline).toMatch(/Zażółć"\s+#page=3\b/);
    });
  });

  test('above a size files are split, never between a front and its back', async () => {
    const job = printJob(front, cardsOf([9, 9, 9, 9]), { back, title: 'Parts' });
    const files: Uint8Array[] = [];
    const summary = await writePdf({ ...job, maxBytes: 1 }, await nodePdfTools(front, []), async (bytes) => {
      files.push(bytes);
    });
    expect([summary.files, summary.pages, files.length]).toEqual([4, 8, 4]);
    for (const bytes of files) {
      withPdfFile(bytes, (file) => {
        expect(run('pdfinfo', [file])).toMatch(/^Pages:\s+2$/m);
        expect(run('qpdf', ['--check', file])).toContain('No syntax or stream encoding errors');
      });
    }
  });

  test('saving ink leaves no area filled', async () => {
    const [page] = await trace([2], settingsOf({ rest: { lowInk: true } }), false);
    expect(page?.cards).toEqual([]);
    expect(page?.boxes).toEqual([]);
    expect(page?.lines.length).toBeGreaterThan(0);
  });
});
