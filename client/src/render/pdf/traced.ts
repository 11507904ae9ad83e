import type { PrintSettings } from '../../core/imposition/settings.ts';
import { DEFAULT_PRINT_SETTINGS } from '../../core/imposition/settings.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { newLayout } from '../../core/scene/new-layout.ts';
import { newZone } from '../../core/scene/zones.ts';
import { pageOf, type TracedPage } from '../../core/testing/placed.ts';
import { hasTool, nodePdfTools, printJob, run, withPdfFile } from '../testing/testing.ts';
import { makePdf, type PdfJob } from './document.ts';

/**
 * For tests: positions on paper, read back from the file by another program (mupdf's trace), to a twentieth of a
 * millimetre.
 */
export const NEAR_MM = 0.05;
/** Required programs that are not installed. */
export const missing = ['mutool', 'qpdf', 'pdfinfo', 'pdftotext'].filter((tool) => !hasTool(tool));
if (missing.length > 0) console.warn(`PDF GEOMETRY NOT CHECKED: install ${missing.join(', ')}.`);

const HEAD = '#00ff00';

/** A card of one colour with a green square in its top left corner. */
function marked(name: string): Layout {
  const layout = newLayout(name);
  layout.base.bindings = { fill: { mode: 'column', column: 'color' } };
  const head = newZone('shape', 'head', 'Head', { x: 2, y: 3, w: 6, h: 6 });
  head.fill = { kind: 'solid', color: HEAD };
  layout.zones = [head];
  return layout;
}

export const front = marked('Front');
export const back = marked('Back');
export const { w: CARD_W, h: CARD_H } = front.size;
/** Colours that survive rounding to a byte and distinguish cards. */
const colorOf = (index: number): string => `#${(0x400000 + index * 0x000a00).toString(16).padStart(6, '0')}`;
export const cardsOf = (copies: readonly number[]) =>
  copies.map((count, index) => ({ row: { cells: { color: colorOf(index) } }, copies: count }));

export function settingsOf(change: {
  page?: Partial<PrintSettings['page']>;
  backs?: Partial<PrintSettings['backs']>;
  marks?: Partial<PrintSettings['marks']>;
  rest?: Partial<PrintSettings>;
}): PrintSettings {
  const base = DEFAULT_PRINT_SETTINGS;
  return {
    ...base,
    ...change.rest,
    page: { ...base.page, ...change.page },
    backs: { ...base.backs, ...change.backs },
    marks: { ...base.marks, ...change.marks },
  };
}

/** Makes a job's PDF, asserts that it is sound, and passes on its pages as read back. */
export async function traceJob<T>(job: PdfJob, use: (pages: TracedPage[], file: string) => T): Promise<T> {
  const { bytes } = await makePdf(job, await nodePdfTools(job.parts[0]?.layout ?? front, []));
  return withPdfFile(bytes, (file) => {
    const said = run('qpdf', ['--check', file]);
    if (!said.includes('No syntax or stream encoding errors')) throw new Error(said);
    return use(run('mutool', ['draw', '-q', '-F', 'trace', file]).split('<page ').slice(1).map(pageOf), file);
  });
}

export const traceCards = (copies: readonly number[], settings: PrintSettings, withBack = true) =>
  traceJob(printJob(front, cardsOf(copies), { back: withBack ? back : null, settings }), (pages) => pages);

export const near = (a: number | undefined, b: number): boolean => Math.abs((a ?? Number.NaN) - b) <= NEAR_MM;
