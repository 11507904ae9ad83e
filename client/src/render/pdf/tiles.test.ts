import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { imposeParts } from '../../core/imposition/job/print-job.ts';
import type { PrintSettings } from '../../core/imposition/settings.ts';
import { tilesOn } from '../../core/imposition/tiling/tile.ts';
import type { Rect } from '../../core/scene/display/matrix.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { newLayout } from '../../core/scene/new-layout.ts';
import { newZone } from '../../core/scene/zones.ts';
import type { TracedLine, TracedPage } from '../../core/testing/placed.ts';
import { deg } from '../../core/units.ts';
import { hasTool, nodePdfTools, printJob, run, withPdfFile } from '../testing/testing.ts';
import { makePdf, type PdfJob } from './document.ts';
import { missing, settingsOf, traceJob } from './traced.ts';

const FIELD = '#334455';
const DASHED = '#6e6e6e';

function board(w: number, h: number): Layout {
  const layout = newLayout('Board', { preset: 'custom', w, h, shape: 'rect', radius: 0 });
  layout.bleed = 0;
  layout.base.fill = { kind: 'solid', color: FIELD };
  return layout;
}

/** A board that is nowhere the same: a gradient, leaning shapes over every seam, letters. */
function busyBoard(w: number, h: number): Layout {
  const layout = board(w, h);
  layout.base.fill = {
    kind: 'linear',
    angle: deg(30),
    stops: [
      { at: 0, color: '#ffd9a0' },
      { at: 1, color: '#3060c0' },
    ],
  };
  for (let at = 0; at < 40; at++) {
    const box = { x: ((at * 61) % w) - 10, y: ((at * 83) % h) - 10, w: 30 + at, h: 26 };
    const shape = newZone('shape', `s${at}`, 'Shape', box);
    shape.rotation = deg((at * 37) % 180);
    shape.shape = at % 3 === 0 ? 'ellipse' : 'rect';
    shape.fill = {
      kind: 'solid',
      color: `#${((at * 0x2f1b3d + 0x204060) & 0xffffff).toString(16).padStart(6, '0')}`,
    };
    const text = newZone('text', `t${at}`, 'Text', { ...box, h: 12 });
    text.text = `Space ${at}`;
    layout.zones.push(shape, text);
  }
  return layout;
}

const jobOf = (layout: Layout, settings: PrintSettings): PdfJob =>
  printJob(layout, [{ row: { cells: {} }, copies: 1 }], { settings });

const DPI = 254;
const PX_PER_MM = DPI / 25.4;
const toPixels = (mm: number): number => Math.round(mm * PX_PER_MM);

/** The pages of a job as mupdf draws them. */
async function drawn(job: PdfJob): Promise<PNG[]> {
  const { bytes, pages } = await makePdf(job, await nodePdfTools(job.parts[0]?.layout as Layout, []));
  return withPdfFile(bytes, (file, folder) => {
    run('mutool', ['draw', '-q', '-r', String(DPI), '-o', path.join(folder, 'page%d.png'), file]);
    return Array.from({ length: pages }, (_, page) =>
      PNG.sync.read(readFileSync(path.join(folder, `page${page + 1}.png`))),
    );
  });
}

describe.skipIf(!hasTool('mutool'))('a board over several pages', () => {
  // Sizes that put every window on whole pixels, so that nothing is smoothed differently.
  const [W, H] = [292, 412];
  const page = { size: 'custom' as const, width: 170, height: 240 };

  test('cut by the plan and laid together, it is the whole board to the pixel', async () => {
    const layout = busyBoard(W, H);
    const boards = {
      split: 'overlap' as const,
      overlap: 8,
      fold: 'none' as const,
      overview: false,
      crosses: false,
    };
    const settings = settingsOf({ page, rest: { boards } });
    const job = jobOf(layout, settings);
    const [plan] = imposeParts(job.parts, settings);
    const tiles = tilesOn({ size: { w: W, h: H }, bleed: 0, cells: undefined }, settings, 'portrait')?.tiles;
    expect(plan?.sheets.map(({ name }) => name)).toEqual(['A1', 'A2', 'B1', 'B2']);
    const [whole] = await drawn(jobOf(layout, settingsOf({ rest: { arrangement: 'single' } })));
    const pages = await drawn(job);
    if (!whole || !tiles) throw new Error('nothing was drawn');
    expect([whole.width, whole.height]).toEqual([toPixels(W), toPixels(H)]);

    const put = new PNG({ width: whole.width, height: whole.height });
    const copy = (from: PNG, placement: { x: number; y: number }, { x, y, w, h }: Rect, to: PNG): void => {
      PNG.bitblt(
        from,
        to,
        toPixels(placement.x + x),
        toPixels(placement.y + y),
        toPixels(w),
        toPixels(h),
        toPixels(x),
        toPixels(y),
      );
    };
    for (const part of ['keep', 'window'] as const) {
      for (const [index, tile] of tiles.entries()) {
        const placement = plan?.sheets[index]?.placements[0];
        const drawnPage = pages[index];
        if (!placement || !drawnPage) throw new Error('no page');
        if (part === 'keep') copy(drawnPage, placement, tile.keep, put);
        else {
          // The strip that neighbours share is the same on both.
          const shown = new PNG({ width: whole.width, height: whole.height });
          copy(drawnPage, placement, tile.window, shown);
          expect(differing(shown, whole, tile.window)).toBe(0);
        }
      }
    }
    expect(differing(put, whole, { x: 0, y: 0, w: W, h: H })).toBe(0);
  }, 120_000);
});

/** Smoothed edges of leaning lines differ by a few of 255 levels; a shift by a pixel makes tens. */
const MAX_ROUNDING = 16;

/** Pixels of a box, in millimetres, that differ by more than rounding. */
function differing(one: PNG, other: PNG, box: Rect): number {
  let count = 0;
  for (let y = toPixels(box.y); y < toPixels(box.y + box.h); y++) {
    for (let x = toPixels(box.x); x < toPixels(box.x + box.w); x++) {
      const at = 4 * (y * one.width + x);
      for (let channel = 0; channel < 3; channel++) {
        if (Math.abs((one.data[at + channel] ?? 0) - (other.data[at + channel] ?? 0)) > MAX_ROUNDING) {
          count++;
          break;
        }
      }
    }
  }
  return count;
}

describe.skipIf(missing.length > 0)('a quad-fold board of 18 × 18 inches on A4, read back', () => {
  const SIDE = 18 * 25.4;
  const HALF = 9 * 25.4;
  const WITHIN_MM = 0.1;
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= WITHIN_MM;

  /** The part of the board on a page, and the lines on it, from the board's top left corner. */
  function onBoard({ boxes, lines }: TracedPage): { window: Rect; lines: TracedLine[] } {
    const field = boxes.find(({ whole }) => isNear(whole.w, SIDE) && isNear(whole.h, SIDE));
    if (!field) throw new Error('no board');
    const { x: dx, y: dy } = field.whole;
    return {
      window: { x: field.x - dx, y: field.y - dy, w: field.w, h: field.h },
      lines: lines.map((line) => ({
        ...line,
        x1: line.x1 - dx,
        x2: line.x2 - dx,
        y1: line.y1 - dy,
        y2: line.y2 - dy,
      })),
    };
  }

  const trace = (split: 'overlap' | 'tabs') => {
    const boards = { split, overlap: 8, fold: 'four' as const, overview: false, crosses: false };
    const job = jobOf(board(SIDE, SIDE), settingsOf({ rest: { boards } }));
    return traceJob(job, (pages) => pages.map(onBoard));
  };

  test('every page shows its part at actual size, and all of them the whole', async () => {
    const pages = await trace('overlap');
    expect(pages).toHaveLength(8);
    let area = 0;
    for (const { window } of pages) {
      expect(window.x).toBeGreaterThan(-WITHIN_MM);
      expect(window.x + window.w).toBeLessThan(SIDE + WITHIN_MM);
      const [right, bottom] = [Math.min(SIDE, window.x + window.w), Math.min(SIDE, window.y + window.h)];
      // Half of each shared strip belongs to either page.
      const own = (from: number, to: number): number =>
        to - from - (from > 1 ? 4 : 0) - (to < SIDE - 1 ? 4 : 0);
      area += own(window.x, right) * own(window.y, bottom);
    }
    expect(Math.abs(area - SIDE * SIDE)).toBeLessThan(SIDE * WITHIN_MM);
  });

  test('pages end half a strip past the folds, which are marked at 228.6 mm; the slit has marks of a cut', async () => {
    const pages = await trace('overlap');
    let [folds, slits] = [0, 0];
    for (const { window, lines } of pages) {
      const right = window.x + window.w;
      const bottom = window.y + window.h;
      for (const [from, to] of [
        [window.x, right],
        [window.y, bottom],
      ] as const) {
        // No page lies on two panels.
        const crosses = from < HALF - 4 - WITHIN_MM && to > HALF + 4 + WITHIN_MM;
        expect(crosses).toBe(false);
      }
      const lower = window.y > HALF - 5;
      const upright = lines.filter(({ x1, x2 }) => isNear(x1, HALF) && isNear(x2, HALF));
      if (isNear(right, HALF + 4)) {
        expect(upright.length).toBeGreaterThan(0);
        const dashed = upright.filter(({ color }) => color === DASHED);
        expect(dashed).toHaveLength(lower ? 0 : upright.length);
        if (lower) slits += upright.length;
        else folds += upright.length;
      }
      if (isNear(bottom, HALF + 4)) {
        const level = lines.filter(({ y1, y2 }) => isNear(y1, HALF) && isNear(y2, HALF));
        expect(level.length).toBeGreaterThan(0);
        expect(level.every(({ color }) => color === DASHED)).toBe(true);
        folds += level.length;
      }
    }
    expect(folds).toBeGreaterThan(0);
    expect(slits).toBeGreaterThan(0);
  });

  test('with tabs, the next page begins exactly at the fold', async () => {
    const pages = await trace('tabs');
    const starts = pages
      .flatMap(({ window }) => [window.x, window.y])
      .filter((at) => Math.abs(at - HALF) < 3);
    expect(starts.length).toBeGreaterThan(0);
    for (const at of starts) expect(isNear(at, HALF)).toBe(true);
    for (const { window } of pages) {
      for (const end of [window.x + window.w, window.y + window.h]) {
        if (Math.abs(end - HALF) < 3) expect(isNear(end, HALF + 2)).toBe(true);
      }
    }
  });
});
