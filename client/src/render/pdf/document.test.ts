import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { STARFORGED_COLUMNS, starforgedLayout, starforgedRows } from '../../core/testing/starforged.ts';
import { hasTool, nodePdfTools, printJob, run, withPdfFile } from '../testing/testing.ts';
import { makePdf, type PdfResult } from './document.ts';

const TOOLS = ['pdfinfo', 'pdftotext', 'qpdf'];
const missing = TOOLS.filter((tool) => !hasTool(tool));
if (missing.length > 0)
  console.warn(`PDF CHECKS SKIPPED: install ${missing.join(', ')} (poppler-utils, qpdf).`);

describe('the Starforged deck', () => {
  const rows = starforgedRows();
  let result: PdfResult;

  beforeAll(async () => {
    const layout = starforgedLayout();
    for (const zone of layout.zones) if (zone.kind === 'text') zone.style.hyphenate = 'en-us';
    const cards = rows.map((row) => ({ row, copies: 1 }));
    const job = printJob(layout, cards, { title: 'Starforged assets', columns: STARFORGED_COLUMNS });
    result = await makePdf(job, await nodePdfTools(layout, rows));
    if (process.env.TUCKBOX_KEEP_PDF) writeFileSync(process.env.TUCKBOX_KEEP_PDF, result.bytes);
  });

  test('is 87 cards on ten sheets without trouble', () => {
    expect(rows).toHaveLength(87);
    expect(result.cards).toBe(87);
    expect(result.pages).toBe(10);
    expect(result.issues).toEqual([]);
  });

  test.skipIf(missing.length > 0)('is a sound PDF of ten A4 pages', () => {
    withPdfFile(result.bytes, (file) => {
      const info = run('pdfinfo', [file]);
      expect(info).toMatch(/^Pages:\s+10$/m);
      expect(info).toMatch(/^Page size:\s+595\.\d+ x 841\.\d+ pts \(A4\)$/m);
      expect(info).toMatch(/^Title:\s+Starforged assets$/m);
      expect(run('qpdf', ['--check', file])).toContain('No syntax or stream encoding errors');
    });
  });

  test.skipIf(missing.length > 0)('names its component in the outline, and its title and language', () => {
    const plain = withPdfFile(result.bytes, (file) => run('qpdf', ['--json=2', file]));
    expect(plain).toMatch(/"\/Dest": \[\s+"\d+ 0 R",\s+"\/Fit"[\s\S]*"\/Title": "u:Starforged assets"/);
    expect(plain).toContain('"/DisplayDocTitle": true');
    expect(plain).toContain('"/Lang": "u:en-us"');
  });

  test.skipIf(missing.length > 0)('has every name and sentence as text', () => {
    const text = withPdfFile(result.bytes, (file) => run('pdftotext', ['-raw', file, '-'])).replace(
      /\s+/g,
      ' ',
    );
    for (const { cells } of rows) expect(text).toContain(cells.name);
    expect(text).toContain(
      'Your armed, multipurpose starship is suited for interstellar and atmospheric flight.',
    );
  });
});
