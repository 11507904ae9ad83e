import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Flowed, flow } from '../../../core/book/paging/flow.ts';
import { pageFormat } from '../../../core/book/paging/formats.ts';
import { EMPTY_PROJECT } from '../../../core/book/typesetting/context.ts';
import { HOUSE_STYLES } from '../../../core/book/typesetting/house-style.ts';
import { rulebookAssets } from '../../../core/testing/rulebook-assets.ts';
import { sampleRulebook } from '../../../core/testing/sample-rulebook.ts';
import { hasTool, run, withPdfFile } from '../../testing/testing.ts';
import type { FileTools } from '../file.ts';
import { createSubsetter } from '../fonts/subset.ts';
import { bookletPdf, rulebookPdf, zinePdf } from './rulebook.ts';

const missing = ['pdfinfo', 'pdftotext', 'qpdf'].filter((tool) => !hasTool(tool));
if (missing.length > 0) console.warn(`RULEBOOKS NOT CHECKED: install ${missing.join(', ')}.`);

const INFO = { title: 'Driftglass', created: new Date(0), language: 'en-gb' };
const PROJECT = {
  ...EMPTY_PROJECT,
  components: [
    { name: 'finds: six each of shells, glass, wood and rope', count: 24 },
    { name: 'tides', count: 6 },
    { name: 'rulebook, this one', count: 1 },
  ],
};

let tools: FileTools;
let flowed: (style: number) => Flowed;

beforeAll(async () => {
  const doc = sampleRulebook();
  const assets = await rulebookAssets(doc, PROJECT);
  const wasm = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm');
  tools = {
    fonts: assets.fonts,
    subsetter: await createSubsetter(readFileSync(wasm)),
    imageBytes: async () => undefined,
  };
  flowed = (style) => flow(doc, HOUSE_STYLES[style] ?? HOUSE_STYLES[0], pageFormat('a5'), assets);
});

describe.skipIf(missing.length > 0).each(HOUSE_STYLES.map(({ name }, style) => ({ name, style })))(
  'the sample rulebook in the style $name',
  ({ name, style }) => {
    let set: Flowed;
    let bytes: Uint8Array;
    const ask = (tool: string, ...args: string[]) => withPdfFile(bytes, (file) => run(tool, [...args, file]));

    beforeAll(async () => {
      set = flowed(style);
      bytes = await rulebookPdf(set, tools, INFO);
      const keep = process.env['TUCKBOX_KEEP_PDF'];
      if (keep) writeFileSync(`${keep}-${name}.pdf`, bytes);
    });

    test('has at least eight pages, settled, without trouble', () => {
      expect(set.issues).toEqual([]);
      expect(set.pages.length).toBeGreaterThanOrEqual(8);
    });

    test('is sound and tagged', () => {
      expect(ask('qpdf', '--check')).toContain('No syntax or stream encoding errors');
      expect(ask('pdfinfo')).toMatch(/Tagged:\s+yes/);
    });

    test('is read in order, with headings, lists, tables and links in its structure', () => {
      const structure = ask('pdfinfo', '-struct-text').replace(/\s+/g, ' ');
      const order = ['The storm has passed', 'Setting up', 'Shuffle all thirty', 'Whoever last', 'Rope'];
      const positions = order.map((words) => structure.lastIndexOf(words));
      expect(positions).not.toContain(-1);
      expect(positions).toEqual([...positions].sort((a, b) => a - b));
      for (const tag of [
        'H1',
        'H2',
        'H3',
        'TOC',
        'L ',
        'LI',
        'Lbl',
        'LBody',
        'Table',
        'TR',
        'TH',
        'TD',
        'Link',
        'Note',
      ]) {
        expect(structure).toContain(tag);
      }
      const words = withPdfFile(bytes, (file) => run('pdftotext', ['-raw', file, '-']));
      expect(words.replace(/-\n/g, '').replace(/\s+/g, ' ')).toContain(
        'Finds never change places unless a card says so',
      );
    });

    test('has every heading as a bookmark and every reference as a link', () => {
      const objects = ask('qpdf', '--json=2');
      expect(
        objects.match(/"\/Dest": \[[^\]]*\],\s+(?:"\/Next"|"\/Parent"|"\/First"|"\/Last"|"\/Prev")/g)?.length,
      ).toBe(set.headings.length);
      const links = set.pages.flatMap(({ pieces }) => pieces.filter(({ link }) => link));
      expect(links.length).toBeGreaterThan(20);
      expect(objects.match(/"\/Subtype": "\/Link"/g)?.length).toBe(links.length);
    });
  },
);

describe.skipIf(missing.length > 0)('the sample rulebook on sheets', () => {
  const settings = { signatureSheets: 0, thickness: 0.1, flip: 'short-edge' } as const;

  test('is a booklet of two sides a sheet, the last page beside the first', async () => {
    const set = flowed(0);
    const bytes = await bookletPdf(set, settings, tools, INFO);
    const [info, first] = withPdfFile(bytes, (file) => [
      run('pdfinfo', [file]),
      run('pdftotext', ['-f', '1', '-l', '1', file, '-']),
    ]);
    expect(info).toMatch(new RegExp(`Pages:\\s+${Math.ceil(set.pages.length / 4) * 2}\n`));
    expect(info).toMatch(/Page size:\s+839\.\d+ x 595\.\d+ pts/);
    expect(first).toContain('The storm has passed');
    expect(withPdfFile(bytes, (file) => run('qpdf', ['--check', file]))).toContain('No syntax');
  });

  test('is too long for a zine, and says so; eight of its pages are one', async () => {
    const set = flowed(1);
    await expect(zinePdf(set, tools, INFO)).rejects.toThrow('A zine has 8 pages');
    const bytes = await zinePdf({ ...set, pages: set.pages.slice(0, 8) }, tools, INFO);
    expect(withPdfFile(bytes, (file) => run('pdfinfo', [file]))).toMatch(/Pages:\s+1\n/);
  });
});

describe.skipIf(missing.length > 0)('the text of a rulebook', () => {
  test('is found and copied with its own letters, where glyphs are shared and where they are missing', async () => {
    const texts = ['هذا نص عربي مع كلمة', 'été ẽẽ e', '\u{10300}\u{10301} \u{10302}'];
    const doc = {
      ...sampleRulebook(),
      blocks: texts.map((text, at) => ({
        type: 'paragraph' as const,
        id: `p${at}`,
        content: [{ type: 'text' as const, text }],
      })),
    };
    const { fonts, ...assets } = await rulebookAssets(doc, PROJECT);
    const set = flow(doc, HOUSE_STYLES[0], pageFormat('a5'), { ...assets, fonts });
    const bytes = await rulebookPdf(set, { ...tools, fonts }, INFO);
    const [words, checked] = withPdfFile(bytes, (file) => [
      run('pdftotext', [file, '-']),
      run('qpdf', ['--check', file]),
    ]);
    // Signs of direction say nothing.
    const read = words.normalize('NFC').replace(/[\u200e\u200f\u202a-\u202e]/g, '');
    for (const text of texts) expect(read.replace(/\s+/g, '')).toContain(text.replace(/\s+/g, ''));
    expect(checked).toContain('No syntax or stream encoding errors');
  });
});
