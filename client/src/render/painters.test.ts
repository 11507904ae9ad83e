import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { harfbuzzWasm } from '../../build/harfbuzz.mjs';
import { readFace } from '../../scripts/fonts.mjs';
import { impose } from '../core/imposition/impose.ts';
import { DEFAULT_PRINT_SETTINGS, type PrintSettings } from '../core/imposition/settings.ts';
import { GALLERY_IMAGES, type GalleryCard, gallery } from '../core/testing/gallery.ts';
import { findFace } from '../core/text/catalogue.ts';
import { makePdf } from './pdf/document.ts';
import { hasTool, nodePdfTools, printJob, run, withPdfFile } from './testing.ts';

/**
 * Screen and paper: every card of the gallery painted on a browser's canvas and printed through
 * the PDF painter, both at ten pixels a millimetre (so that pages are whole pixels), must look alike. `TUCKBOX_KEEP_PICTURES=DIR` keeps both.
 */
const DPI = 254;
/** Root mean square difference per channel, 0 to 1. Edges of letters differ by their antialiasing. */
const MAX_RMSE = 0.045;
const SETTINGS: PrintSettings = {
  ...DEFAULT_PRINT_SETTINGS,
  marks: { ...DEFAULT_PRINT_SETTINGS.marks, kind: 'none' },
};
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ready = existsSync(CHROMIUM) && hasTool('mutool');
if (!ready) console.warn(`PAINTERS NOT COMPARED: ${CHROMIUM} or mutool (mupdf-tools) is missing.`);

async function openPage(browser: Browser): Promise<Page> {
  const bundle = await esbuild.build({
    entryPoints: [fileURLToPath(new URL('browser-page.ts', import.meta.url))],
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
    return face ? bytesToBase64(await readFace(face)) : null;
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

function placeOf({ layout }: GalleryCard): { x: number; y: number } {
  const cards = { size: layout.size, bleed: 0, copies: [1], hasBacks: false };
  const place = impose(cards, SETTINGS).sheets[0]?.placements[0];
  return { x: (place?.x ?? 0) * PX_PER_MM, y: (place?.y ?? 0) * PX_PER_MM };
}

/** Where the trim's corner lies in the picture cut from the page: pixels are not cut in two. */
function phaseOf(card: GalleryCard): { x: number; y: number } {
  const { x, y } = placeOf(card);
  return { x: x - Math.floor(x), y: y - Math.floor(y) };
}

async function printed(card: GalleryCard): Promise<PNG> {
  const { layout, row } = card;
  const job = printJob(layout, [{ row, copies: 1 }], { settings: SETTINGS });
  const { bytes } = await makePdf(job, await nodePdfTools(layout, [row], GALLERY_IMAGES));
  const place = placeOf(card);
  return withPdfFile(bytes, (file, folder) => {
    const out = path.join(folder, 'page.png');
    run('mutool', ['draw', '-q', '-r', String(DPI), '-o', out, file, '1']);
    const sheet = PNG.sync.read(readFileSync(out));
    const size = {
      width: Math.round(layout.size.w * PX_PER_MM),
      height: Math.round(layout.size.h * PX_PER_MM),
    };
    const cut = new PNG(size);
    PNG.bitblt(sheet, cut, Math.floor(place.x), Math.floor(place.y), size.width, size.height, 0, 0);
    return cut;
  });
}

function rmse(a: PNG, b: PNG): number {
  const width = Math.min(a.width, b.width);
  const height = Math.min(a.height, b.height);
  let sum = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 3; channel++) {
        const difference =
          (a.data[4 * (y * a.width + x) + channel] ?? 0) - (b.data[4 * (y * b.width + x) + channel] ?? 0);
        sum += (difference / 255) ** 2;
      }
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

  test.each(gallery().map((card) => [card.name, card] as const))(
    '%s',
    async (name, card) => {
      const argument = [card.layout, card.row, PX_PER_MM, phaseOf(card)] as const;
      const base64 = await page?.evaluate(
        ([layout, row, scale, origin]) => window.paintPng(layout, row, scale, origin),
        argument,
      );
      const screen = PNG.sync.read(Buffer.from(base64 ?? '', 'base64'));
      const paper = await printed(card);
      const folder = process.env.TUCKBOX_KEEP_PICTURES;
      if (folder) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(path.join(folder, `${name}-screen.png`), PNG.sync.write(screen));
        writeFileSync(path.join(folder, `${name}-paper.png`), PNG.sync.write(paper));
      }
      expect(Math.abs(screen.width - paper.width)).toBeLessThanOrEqual(1);
      const difference = rmse(screen, paper);
      if (folder) console.warn(`${name}: ${difference.toFixed(4)}`);
      expect(difference).toBeLessThan(MAX_RMSE);
    },
    30_000,
  );
});
