import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { harfbuzzWasm } from '../../build/harfbuzz.mjs';
import { impose } from '../core/imposition/job/impose.ts';
import { DEFAULT_PRINT_SETTINGS, type PrintSettings } from '../core/imposition/settings.ts';
import { familiesOfFonts } from '../core/scene/style/layout-font.ts';
import { readTestFace } from '../core/testing/fonts.ts';
import { GALLERY_IMAGES, type GalleryCard, gallery } from '../core/testing/gallery.ts';
import { findFace, learnFamilies } from '../core/text/fonts/catalogue.ts';
import { hasTool, printJob, run, withPdfFile } from './testing/testing.ts';

/**
 * Screen, image file and paper: every card of the gallery painted on a browser's canvas and printed through the PDF
 * painter, both at ten pixels a millimetre (so that pages are whole pixels), and exported as PNG at 300 dots per inch,
 * must look alike, each pair of the three. `TUCKBOX_KEEP_PICTURES=DIR` keeps the images.
 */
const DPI = 254;
const PNG_DPI = 300;
/** Root mean square difference per channel, 0 to 1, at half of the first resolution. */
const MAX_RMSE = 0.055;
/** The same between the two results of one painter, at different resolutions. */
const MAX_CANVAS_RMSE = 0.03;
const SETTINGS: PrintSettings = {
  ...DEFAULT_PRINT_SETTINGS,
  marks: { ...DEFAULT_PRINT_SETTINGS.marks, kind: 'none' },
};
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
type Reader = 'mupdf' | 'poppler';
const READERS: readonly Reader[] = (['poppler', 'mupdf'] as const).filter((reader) =>
  hasTool(reader === 'mupdf' ? 'mutool' : 'pdftoppm'),
);
/** Readers take turns from card to card, which halves the time; `TUCKBOX_ALL_READERS=1` asks every one. */
const readersOf = (card: number): readonly Reader[] =>
  process.env.TUCKBOX_ALL_READERS
    ? READERS
    : READERS.slice(card % READERS.length, (card % READERS.length) + 1);
const ready = existsSync(CHROMIUM) && READERS.length > 0;
if (!ready) console.warn(`PAINTERS NOT COMPARED: ${CHROMIUM}, or both mutool and pdftoppm, are missing.`);

async function openPage(browser: Browser): Promise<Page> {
  for (const { layout } of gallery()) learnFamilies(familiesOfFonts(layout.fonts ?? []));
  const bundle = await esbuild.build({
    entryPoints: [fileURLToPath(new URL('testing/browser-page.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    write: false,
    plugins: [harfbuzzWasm],
    loader: { '.wasm': 'dataurl' },
  });
  const page = await browser.newPage();
  await page.exposeFunction('readBase64', async (kind: string, name: string) => {
    if (kind === 'image') return bytesToBase64(GALLERY_IMAGES.get(name));
    const face = findFace(name);
    return face ? bytesToBase64(await readTestFace(face)) : null;
  });
  await page.setContent('<!doctype html><title>painter</title>');
  await page.addScriptTag({ type: 'module', content: bundle.outputFiles[0]?.text ?? '' });
  await page.waitForFunction(() => 'paintPng' in window);
  return page;
}

function bytesToBase64(bytes: Uint8Array | undefined): string | null {
  return bytes ? Buffer.from(bytes).toString('base64') : null;
}

const PX_PER_MM = DPI / 25.4;
/**
 * Pixels a millimetre for comparisons: at this resolution antialiasing of letters no longer counts, shapes and places
 * do.
 */
const COMPARED_PX_PER_MM = PX_PER_MM / 2;

function placeOf({ layout }: GalleryCard): { x: number; y: number } {
  const cards = { size: layout.size, bleed: 0, copies: [1], hasBacks: false };
  const place = impose(cards, SETTINGS).sheets[0]?.placements[0];
  return { x: (place?.x ?? 0) * PX_PER_MM, y: (place?.y ?? 0) * PX_PER_MM };
}

/** Position of the trim's corner in the image cropped from the page: pixels are not split. */
function phaseOf(card: GalleryCard): { x: number; y: number } {
  const { x, y } = placeOf(card);
  return { x: x - Math.floor(x), y: y - Math.floor(y) };
}

/** Position of the trim's corner on the grid of samples, where an image file is laid on it. */
function phaseOfFile(card: GalleryCard, file: PNG): { x: number; y: number } {
  const phase = phaseOf(card);
  const { w, h } = card.layout.size;
  // An export rounds to whole pixels and keeps the card in the middle of them.
  const off = (pixels: number, length: number): number => (pixels * 25.4) / PNG_DPI / 2 - length / 2;
  return {
    x: (phase.x / PX_PER_MM - off(file.width, w)) * COMPARED_PX_PER_MM,
    y: (phase.y / PX_PER_MM - off(file.height, h)) * COMPARED_PX_PER_MM,
  };
}

/** The card cropped from the page, as a PDF reader draws it. */
function drawn(file: string, folder: string, card: GalleryCard, reader: Reader): PNG {
  const { x, y } = placeOf(card);
  const { size } = card.layout;
  const cut = { width: Math.round(size.w * PX_PER_MM), height: Math.round(size.h * PX_PER_MM) };
  const [left, top] = [Math.floor(x), Math.floor(y)];
  if (reader === 'poppler') {
    const out = path.join(folder, 'poppler');
    const area = ['-x', left, '-y', top, '-W', cut.width, '-H', cut.height].map(String);
    run('pdftoppm', ['-png', '-r', String(DPI), '-singlefile', ...area, file, out]);
    return PNG.sync.read(readFileSync(`${out}.png`));
  }
  const out = path.join(folder, 'mupdf.png');
  run('mutool', ['draw', '-q', '-r', String(DPI), '-o', out, file, '1']);
  const painting = new PNG(cut);
  PNG.bitblt(PNG.sync.read(readFileSync(out)), painting, left, top, cut.width, cut.height, 0, 0);
  return painting;
}

/** Letters and digits alone: readers differ in how they space what stands apart or runs both ways. */
const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/** The words of a card that run left to right; a reader may show others in either order. */
function wordsOf(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => text.split(/[\s-]+/))
    .map(lettersOf)
    .filter((word) => word !== '' && !/[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(word));
}

interface Samples {
  readonly width: number;
  readonly height: number;
  readonly data: Float64Array;
}

/**
 * An image on the grid for comparisons: every sample is the mean of the pixels under it.
 * @param scale its pixels per millimetre
 * @param phase position of the trim's corner on the grid, in samples
 */
function sampled({ width, height, data }: PNG, scale: number, phase: { x: number; y: number }): Samples {
  const step = scale / COMPARED_PX_PER_MM;
  const across = spans(width, step, phase.x);
  const down = spans(height, step, phase.y);
  const out = new Float64Array(across.length * down.length * 3);
  for (const [y, rows] of down.entries()) {
    for (const [x, columns] of across.entries()) {
      const to = 3 * (y * across.length + x);
      for (const [row, tall] of rows) {
        for (const [column, wide] of columns) {
          const from = 4 * (row * width + column);
          for (let channel = 0; channel < 3; channel++) {
            out[to + channel] = (out[to + channel] ?? 0) + ((data[from + channel] ?? 0) / 255) * tall * wide;
          }
        }
      }
    }
  }
  return { width: across.length, height: down.length, data: out };
}

/** The pixels under each sample, with their shares of it; at the edges, of what there is of it. */
function spans(pixels: number, step: number, phase: number): (readonly [pixel: number, share: number])[][] {
  return Array.from({ length: Math.floor(pixels / step + phase + 1e-6) }, (_, sample) => {
    const start = Math.max(0, (sample - phase) * step);
    const end = Math.min(pixels, (sample + 1 - phase) * step);
    const under: (readonly [number, number])[] = [];
    for (let pixel = Math.floor(start + 1e-9); pixel < end - 1e-9; pixel++) {
      under.push([pixel, (Math.min(end, pixel + 1) - Math.max(start, pixel)) / (end - start)]);
    }
    return under;
  });
}

function rmse(a: Samples, b: Samples): number {
  const width = Math.min(a.width, b.width);
  const height = Math.min(a.height, b.height);
  let sum = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width * 3; x++) {
      sum += ((a.data[3 * y * a.width + x] ?? 0) - (b.data[3 * y * b.width + x] ?? 0)) ** 2;
    }
  }
  return Math.sqrt(sum / (3 * width * height));
}

describe.skipIf(!ready)('screen and paper look alike', () => {
  let browser: Browser | undefined;
  let page: Page | undefined;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    page = await openPage(browser);
  }, 60_000);

  afterAll(() => browser?.close());

  test.each(gallery().map((card, index) => [card.name, card, index] as const))(
    '%s',
    async (name, card, index) => {
      const argument = [card.layout, card.row, PX_PER_MM, phaseOf(card)] as const;
      const { base64 = '', words = [] } =
        (await page?.evaluate(
          ([layout, row, scale, origin]) => window.paintPng(layout, row, scale, origin),
          argument,
        )) ?? {};
      const screen = PNG.sync.read(Buffer.from(base64, 'base64'));
      const exported = PNG.sync.read(
        Buffer.from(
          (await page?.evaluate(([layout, row, dpi]) => window.exportPng(layout, row, dpi), [
            card.layout,
            card.row,
            PNG_DPI,
          ] as const)) ?? '',
          'base64',
        ),
      );
      const pdf = await page?.evaluate(
        (job) => window.paintPdf(job),
        printJob(card.layout, [{ row: card.row, copies: 1 }], { settings: SETTINGS }),
      );
      const keep = process.env.TUCKBOX_KEEP_PICTURES;
      if (keep) {
        mkdirSync(keep, { recursive: true });
        writeFileSync(path.join(keep, `${name}-screen.png`), PNG.sync.write(screen));
        writeFileSync(path.join(keep, `${name}-png.png`), PNG.sync.write(exported));
        writeFileSync(path.join(keep, `${name}.pdf`), Buffer.from(pdf ?? '', 'base64'));
      }
      const onScreen = sampled(screen, PX_PER_MM, { x: 0, y: 0 });
      const inFile = sampled(exported, PNG_DPI / 25.4, phaseOfFile(card, exported));
      const agree = (pair: string, difference: number, most: number): void => {
        if (keep) console.warn(`${name}: ${pair} ${difference.toFixed(4)}`);
        expect.soft(difference, pair).toBeLessThan(most);
      };
      agree('screen and PNG', rmse(onScreen, inFile), MAX_CANVAS_RMSE);
      withPdfFile(Buffer.from(pdf ?? '', 'base64'), (file, folder) => {
        for (const reader of readersOf(index)) {
          const paper = drawn(file, folder, card, reader);
          if (keep) writeFileSync(path.join(keep, `${name}-${reader}.png`), PNG.sync.write(paper));
          expect(Math.abs(screen.width - paper.width)).toBeLessThanOrEqual(1);
          const printed = sampled(paper, PX_PER_MM, { x: 0, y: 0 });
          agree(`screen and PDF (${reader})`, rmse(onScreen, printed), MAX_RMSE);
          agree(`PNG and PDF (${reader})`, rmse(inFile, printed), MAX_RMSE);
        }
        const found = lettersOf(run('pdftotext', ['-raw', file, '-']));
        for (const word of wordsOf(words)) expect.soft(found, `«${word}» can be selected`).toContain(word);
      });
    },
    30_000,
  );

  test('a drawing looks as the browser shows its file', async () => {
    const pictures = await page?.evaluate(() => window.paintDrawing('Icons/badge.svg', 800));
    const [painted, shown] = (pictures ?? []).map((base64) => PNG.sync.read(Buffer.from(base64, 'base64')));
    if (!painted || !shown) throw new Error('no pictures');
    if (process.env.TUCKBOX_KEEP_PICTURES) {
      writeFileSync(
        path.join(process.env.TUCKBOX_KEEP_PICTURES, 'badge-painted.png'),
        PNG.sync.write(painted),
      );
      writeFileSync(path.join(process.env.TUCKBOX_KEEP_PICTURES, 'badge-shown.png'), PNG.sync.write(shown));
    }
    let sum = 0;
    for (const [at, value] of painted.data.entries()) sum += ((value - (shown.data[at] ?? 0)) / 255) ** 2;
    expect(painted.data.some((value) => value > 0)).toBe(true);
    // Edges of clipped shapes are smoothed differently; a shape that is missing or off by a pixel makes ten times the
    // difference.
    expect(Math.sqrt(sum / painted.data.length)).toBeLessThan(0.03);
  });
});
