import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFace } from '../../../scripts/fonts.mjs';
import { newLayout } from '../../core/scene/new-layout.ts';
import { newZone } from '../../core/scene/zones.ts';
import { GALLERY_IMAGES, gallery } from '../../core/testing/gallery.ts';
import { hasTool, nodePdfTools, printJob, run, withPdfFile } from '../testing/testing.ts';
import { makePdf, type PdfResult } from './document.ts';
import { rasterGroups } from './images/raster.ts';

const OWN_FONT = readFileSync(path.join(import.meta.dirname, '../../core/testing/fonts/tuckbox-test.otf'));
const NO_TOOLS = ['pdftotext', 'pdffonts', 'pdfimages', 'qpdf'].filter((tool) => !hasTool(tool));
if (NO_TOOLS.length > 0) console.warn(`PDF FEATURE CHECKS SKIPPED: install ${NO_TOOLS.join(', ')}.`);

function cardNamed(name: string) {
  const card = gallery().find((candidate) => candidate.name === name);
  if (!card) throw new Error(`no card ${name}`);
  return card;
}

async function print(name: string, copies = 1): Promise<PdfResult> {
  const { layout, row } = cardNamed(name);
  const job = printJob(layout, [{ row, copies }], { title: name });
  return makePdf(job, await nodePdfTools(layout, [row], GALLERY_IMAGES));
}

describe.skipIf(NO_TOOLS.length > 0)('PDF features', () => {
  test.each(gallery().map(({ name }) => name))('%s is a sound file', async (name) => {
    const { bytes } = await print(name);
    withPdfFile(bytes, (file) =>
      expect(run('qpdf', ['--check', file])).toContain('No syntax or stream encoding errors'),
    );
  });

  test('a drawing is paths in the file, once for all the places it is shown in', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4z" fill="#123456"/></svg>';
    const [one, two] = [
      newZone('image', 'a', 'A', { x: 5, y: 5, w: 20, h: 20 }),
      newZone('image', 'b', 'B', { x: 30, y: 5, w: 9, h: 9 }),
    ];
    const zones = [one, two].map((zone) => ({ ...zone, source: 'a.svg' }));
    const layout = { ...newLayout('Drawn'), zones };
    const images = new Map([['a.svg', new TextEncoder().encode(svg)]]);
    const row = { cells: {} };
    const { bytes } = await makePdf(
      printJob(layout, [{ row, copies: 1 }]),
      await nodePdfTools(layout, [row], images),
    );
    withPdfFile(bytes, (file) => {
      expect(run('pdfimages', ['-list', file]).trim().split('\n')).toHaveLength(2);
      const plain = run('qpdf', ['--qdf', '--object-streams=disable', file, '-']);
      expect(plain.match(/0\.07059 0\.20392 0\.33725 rg/g)).toHaveLength(1);
    });
  });

  test('text of every script can be copied, with its spaces, ligatures spelled out', async () => {
    const { bytes } = await print('text');
    const text = withPdfFile(bytes, (file) => run('pdftotext', ['-raw', file, '-'])).replace(/\s+/g, ' ');
    expect(text).toContain('When you Finish an Expedition in your');
    expect(text).toContain('Zażółć gęślą jaźń.');
    expect(text).toContain('→ ★');
  });

  test('all fonts are embedded subsets with a map to Unicode', async () => {
    const { bytes } = await print('text');
    const fonts = withPdfFile(bytes, (file) => run('pdffonts', [file]))
      .trim()
      .split('\n')
      .slice(2);
    expect(fonts.length).toBeGreaterThanOrEqual(8);
    for (const font of fonts) expect(font).toMatch(/Identity-H\s+yes yes yes/);
  });

  test('somebody’s own OpenType font is embedded with its outlines as they are', async () => {
    const zone = newZone('text', 't', 'Title', { x: 5, y: 5, w: 50, h: 20 });
    const fonts = [{ family: 'own-test', name: 'Mine', url: '/my.otf', weight: 400, italic: false }];
    const style = { ...zone.style, family: 'own-test' };
    const layout = { ...newLayout('Own'), fonts, zones: [{ ...zone, text: 'Night Owl', style }] };
    const row = { cells: {} };
    const tools = await nodePdfTools(layout, [row], new Map(), async (face) =>
      face.file === '/my.otf' ? OWN_FONT : readFace(face),
    );
    const { bytes } = await makePdf(printJob(layout, [{ row, copies: 1 }]), tools);
    withPdfFile(bytes, (file) => {
      expect(run('pdffonts', [file])).toMatch(/own-test-\S+\s+CID Type 0C \(OT\)\s+Identity-H\s+yes yes yes/);
      expect(run('pdftotext', [file, '-'])).toContain('Night Owl');
      expect(run('qpdf', ['--check', file])).toContain('No syntax or stream encoding errors');
    });
  });

  test('JPEG passes through as it is, PNG keeps its transparency, each once', async () => {
    const { bytes } = await print('images');
    const images = withPdfFile(bytes, (file) => run('pdfimages', ['-list', file]));
    const jpeg = images.split('\n').filter((line) => / jpeg /.test(line));
    expect(new Set(jpeg.map((line) => line.trim().split(/\s+/).slice(10, 12).join(' '))).size).toBe(1);
    expect(images).toMatch(/ smask /);
  });

  test('the rule for what becomes a picture, kept by every card of the gallery', async () => {
    const found: Record<string, string[]> = {};
    for (const { name, layout, row } of gallery()) {
      const tools = await nodePdfTools(layout, [row], GALLERY_IMAGES);
      const list = await tools.layOut(layout, row, []);
      const whole = { x: 0, y: 0, w: list.w as number, h: list.h as number };
      const reasons = [...new Set(rasterGroups(list, whole).map(({ reason }) => reason))].sort();
      if (reasons.length > 0) found[name] = reasons;
    }
    expect(found).toMatchInlineSnapshot(`
      {
        "conic": [
          "conic-gradient",
        ],
        "drawings": [
          "mask",
        ],
        "emoji": [
          "colour-emoji",
        ],
        "filter blur": [
          "filter",
        ],
        "filter colours": [
          "filter",
        ],
        "filter gray": [
          "filter",
        ],
        "filter invert": [
          "filter",
        ],
        "filter sepia": [
          "filter",
        ],
        "masks": [
          "mask",
        ],
      }
    `);
  });

  test('copies are placed, not painted again', async () => {
    const one = await print('text', 1);
    const many = await print('text', 90);
    expect(many.pages).toBe(10);
    expect(many.bytes.length - one.bytes.length).toBeLessThan(10_000);
  });

  test('the same job gives the same bytes', async () => {
    expect(await print('shadows')).toEqual(await print('shadows'));
  });

  test('an image that cannot be read is named', async () => {
    const { layout, row } = cardNamed('images');
    const broken = new Map(GALLERY_IMAGES).set(
      'Art/dusk.jpg',
      GALLERY_IMAGES.get('Icons/drop.png')?.slice(0, 40) ?? new Uint8Array(),
    );
    const job = printJob(layout, [{ row, copies: 1 }]);
    await expect(makePdf(job, await nodePdfTools(layout, [row], broken))).rejects.toThrow(
      /«Art\/dusk.jpg» could not be put into the PDF/,
    );
  });

  test('stops when told to, between cards', async () => {
    const { layout, row } = cardNamed('text');
    const cards = Array.from({ length: 40 }, () => ({ row, copies: 1 }));
    const job = printJob(layout, cards);
    const done: number[] = [];
    const tools = {
      ...(await nodePdfTools(layout, [row], GALLERY_IMAGES)),
      onProgress: (step: number) => done.push(step),
    };
    const stop = () => Promise.reject(new DOMException('stop', 'AbortError'));
    await expect(makePdf(job, { ...tools, yieldToEventLoop: stop })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(done.length).toBeLessThan(40);
  });
});
