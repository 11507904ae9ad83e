import { describe, expect, test } from 'vitest';
import type { Op } from '../../../core/scene/display/display-list.ts';
import { newLayout } from '../../../core/scene/new-layout.ts';
import { newZone } from '../../../core/scene/zones.ts';
import { hasTool, nodePdfTools, run, withPdfFile } from '../../testing/testing.ts';
import type { PdfTools } from '../document.ts';
import { PdfFile } from '../file.ts';
import { StructureTree } from './structure.ts';
import { addTaggedLink, addTaggedPage, PT_PER_MM } from './tagged-page.ts';

const missing = ['pdfinfo', 'pdftotext', 'qpdf'].filter((tool) => !hasTool(tool));
if (missing.length > 0) console.warn(`PDF STRUCTURE NOT CHECKED: install ${missing.join(', ')}.`);

const W = 100;
const H = 120;
const TEXTS = ['Setting up', 'Shuffle the cards.', 'see The end', '17', 'The end', 'Count.'];

function layoutWith(text: string, y: number) {
  const zone = { ...newZone('text', 't', 'Text', { x: 10, y, w: 80, h: 10 }), text };
  return { ...newLayout('Page'), zones: [zone] };
}

async function opsOf(tools: PdfTools, text: string, y: number): Promise<readonly Op[]> {
  const { ops } = await tools.layOut(layoutWith(text, y), { cells: {} }, []);
  return ops.filter(({ op }) => op === 'text');
}

/** Two pages with headings, a figure, a link to the second page and one outside, and a page number. */
async function document(): Promise<Uint8Array> {
  const tools = await nodePdfTools(layoutWith(TEXTS.join(' '), 0), []);
  const file = await PdfFile.create(tools, 300);
  const tree = new StructureTree(file.document);
  const part = async (text: string, y: number, element: ReturnType<StructureTree['add']> | undefined) => ({
    ops: await opsOf(tools, text, y),
    element,
  });
  const chapter = tree.add('H1');
  const paragraph = tree.add('P');
  const link = tree.add('Link', paragraph);
  const figure = tree.add('Figure', tree.root, { alt: 'Four cards in a row' });
  const square: Op = {
    op: 'path',
    outline: { kind: 'rect', box: { x: 10, y: 60, w: 20, h: 20 }, radii: [0, 0, 0, 0] },
    fill: { kind: 'solid', color: [200, 30, 30, 1] },
    stroke: null,
  };
  const first = await addTaggedPage(file, tree, {
    w: W,
    h: H,
    parts: [
      await part('17', 110, undefined),
      await part('Setting up', 10, chapter),
      await part('Shuffle the cards.', 25, paragraph),
      await part('see The end', 35, link),
      { ops: [square], element: figure },
    ],
  });
  const section = tree.add('H2');
  const second = await addTaggedPage(file, tree, {
    w: W,
    h: H,
    parts: [await part('The end', 10, section), await part('Count.', 25, tree.add('P'))],
  });
  const target = { page: second.ref, top: (H - 10) * PT_PER_MM };
  addTaggedLink(file, tree, first, { box: { x: 10, y: 35, w: 20, h: 5 }, target, element: link });
  const outside = { url: 'https://example.org/größe (1)' };
  addTaggedLink(file, tree, first, { box: { x: 40, y: 35, w: 20, h: 5 }, target: outside, element: link });
  file.bookmark({ title: 'Setting up', page: first.ref, level: 1, top: 100 });
  file.bookmark({ title: 'The end', page: second.ref, level: 2, top: 200 });
  file.bookmark({ title: 'Größe', page: second.ref, level: 4 });
  file.bookmark({ title: 'Last', page: second.ref, level: 1 });
  tree.finish();
  return file.finish({ title: 'Rules', created: new Date(0), language: 'en', actualSize: false });
}

describe.skipIf(missing.length > 0)('a tagged document', async () => {
  const bytes = missing.length > 0 ? new Uint8Array() : await document();
  const ask = (tool: string, ...args: string[]) => withPdfFile(bytes, (file) => run(tool, [...args, file]));

  test('is sound, has a title and a language, and says that it is tagged', () => {
    expect(ask('qpdf', '--check')).toContain('No syntax or stream encoding errors');
    expect(ask('pdfinfo')).toMatch(/Title:\s+Rules\n[\s\S]*Tagged:\s+yes/);
    expect(ask('qpdf', '--json=2')).toMatch(/"\/Lang": "u:en"[\s\S]*"\/DisplayDocTitle": true/);
  });

  test('has its content in the order of its structure, page numbers outside', () => {
    const structure = ask('pdfinfo', '-struct-text');
    const order = [
      'Document',
      'H1',
      'Setting up',
      'P',
      'Shuffle the cards.',
      'Link',
      'see The end',
      'Figure',
    ];
    const positions = [...order, 'H2', 'The end'].map((word) => structure.indexOf(word));
    expect(positions).not.toContain(-1);
    expect(structure).not.toContain('17');
    expect(structure.indexOf('H2')).toBeGreaterThan(structure.indexOf('Figure'));
    // The link holds its text and both its annotations.
    expect(structure).toMatch(/Link[\s\S]*Object \d+ 0\n[\s\S]*Object \d+ 0\n/);
  });

  test('figures have their text, links lead to pages and addresses, the outline is a tree', () => {
    const objects = JSON.parse(ask('qpdf', '--json=2')) as {
      qpdf: [unknown, Record<string, { value?: unknown }>];
    };
    const dicts = Object.values(objects.qpdf[1]).flatMap(({ value }) =>
      typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : [],
    );
    expect(dicts.find((dict) => dict['/S'] === '/Figure')?.['/Alt']).toBe('u:Four cards in a row');
    const links = dicts.filter((dict) => dict['/Subtype'] === '/Link');
    expect(links).toHaveLength(2);
    expect(links.filter((dict) => dict['/StructParent'] !== undefined && dict['/F'] === 4)).toHaveLength(2);
    const outside = links.map((dict) => (dict['/A'] as Record<string, unknown> | undefined)?.['/URI']);
    expect(outside).toContain('u:https://example.org/gr%C3%B6%C3%9Fe%20%281%29');
    const entry = (title: string) => dicts.find((dict) => dict['/Title'] === `u:${title}` && dict['/Parent']);
    expect(entry('Setting up')?.['/Count']).toBe(-1);
    expect(entry('The end')?.['/Count']).toBe(-1);
    expect(entry('Last')?.['/Count']).toBeUndefined();
    expect(entry('Größe')?.['/Parent']).toBe(refOf(objects.qpdf[1], 'The end'));
  });
});

function refOf(objects: Record<string, { value?: unknown }>, title: string): string | undefined {
  const found = Object.entries(objects).find(
    ([, { value }]) => (value as Record<string, unknown> | undefined)?.['/Title'] === `u:${title}`,
  );
  return found?.[0].replace(/^obj:/, '');
}
