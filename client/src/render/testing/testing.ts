import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PrintCard, PrintPart } from '../../core/imposition/job/print-job.ts';
import { DEFAULT_PRINT_SETTINGS, type PrintSettings } from '../../core/imposition/settings.ts';
import type { Row } from '../../core/scene/card/row.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { readTestFace, TEST_FONT_LISTS } from '../../core/testing/fonts.ts';
import type { FaceReader } from '../../core/text/fonts/font-registry.ts';
import type { PdfJob, PdfTools } from '../pdf/document.ts';
import { createSubsetter } from '../pdf/fonts/subset.ts';
import { RenderContext } from '../render-context.ts';

/** Tools of a PDF made in Node, for tests and benchmarks. */
export async function nodePdfTools(
  layout: Layout,
  rows: readonly Row[],
  images: ReadonlyMap<string, Uint8Array> = new Map(),
  read: FaceReader = readTestFace,
): Promise<PdfTools> {
  const renderContext = new RenderContext(read, async (source) => images.get(source), TEST_FONT_LISTS);
  await renderContext.loadFonts(layout, rows);
  const wasm = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm');
  return {
    fonts: renderContext.fonts,
    layOut: (document, row, cols) => renderContext.layOut(document, row, cols),
    subsetter: await createSubsetter(readFileSync(wasm)),
    imageBytes: async (source) => renderContext.images.bytes(source),
    drawing: (source) => renderContext.images.drawing(source),
  };
}

/** A job that prints one set of cards, by default as the print page would. */
export function printJob(
  layout: Layout,
  cards: readonly PrintCard[],
  rest: Partial<PrintPart> & { title?: string; settings?: Partial<PrintSettings> } = {},
): PdfJob {
  const { title = 'Cards', settings, ...part } = rest;
  return {
    parts: [{ name: title, layout, back: null, columns: [], cards, ...part }],
    settings: { ...DEFAULT_PRINT_SETTINGS, ...settings },
    title,
    created: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)),
  };
}

/** True if a command line tool is installed. */
export function hasTool(name: string): boolean {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** Runs `use` with the bytes in a file of a folder that is removed afterwards. */
export function withPdfFile<T>(bytes: Uint8Array, use: (file: string, folder: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'tuckbox-pdf-'));
  try {
    const file = path.join(folder, 'cards.pdf');
    writeFileSync(file, bytes);
    return use(file, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Standard output of a tool; throws its error output when it fails. */
export function run(tool: string, args: readonly string[]): string {
  return execFileSync(tool, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
