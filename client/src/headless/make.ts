import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cardName } from '../core/imposition/card-name.ts';
import type { PrintPart } from '../core/imposition/print-job.ts';
import { withGroupSizes } from '../core/layout/group-sizes.ts';
import type { DisplayList, Issue } from '../core/scene/display-list.ts';
import type { Layout } from '../core/scene/layout.ts';
import { familyOf } from '../core/text/catalogue.ts';
import { encodePainting } from '../render/painting.ts';
import { type PdfJob, type PdfTools, writePdf } from '../render/pdf/document.ts';
import { createSubsetter } from '../render/pdf/subset.ts';
import { RenderContext } from '../render/render-context.ts';
import { toPng } from '../render/to-png.ts';
import { writeBundle } from '../workers/bundle.ts';
import { writeZippedPdfs } from '../workers/zipped-pdfs.ts';
import { type Files, faceReader, imageReader } from './files.ts';
import type { Planned } from './format.ts';
import type { LoadedProject } from './project.ts';
import { StoreError } from './store.ts';

/** Most cards named in one message. */
const MAX_NAMED = 20;

/** Program folder, and whether there is a canvas. */
export interface Equipment {
  /** Folder of the program; the fonts are beside it. */
  readonly folder: string;
  /** Reason that there is no canvas, if so. */
  readonly noCanvas: string | undefined;
  /** Most pixels of one painting. */
  readonly maxPixels: number;
  /** Leave out of a PDF the effects that need a canvas, when there is none. */
  readonly withoutEffects: boolean;
}

export interface Remark {
  /** Part, card or file. */
  readonly where: string;
  readonly issue: Pick<Issue, 'message'>;
}

export interface Made {
  /** Pages of a PDF, files of a bundle. */
  readonly pages: number;
  readonly cards: number;
  readonly remarks: readonly Remark[];
}

/** The render context of a project: bundled fonts, custom fonts and images read through `files`. */
export function renderContextOf(
  project: Pick<LoadedProject, 'library'>,
  files: Files,
  folder: string,
): RenderContext {
  const fonts = path.join(folder, '../fonts');
  const readFontList = async () =>
    JSON.parse(readFileSync(path.join(fonts, 'library.json'), 'utf8')).families.map(familyOf);
  return new RenderContext(faceReader(files, fonts), imageReader(files, project.library), readFontList);
}

/** The project's parts with the text sizes that all cards share. */
export async function fitProject(
  project: LoadedProject,
  renderContext: RenderContext,
): Promise<LoadedProject> {
  const fitPart = async (part: PrintPart): Promise<PrintPart> => {
    const rows = part.cards.map(({ row }) => row);
    const fitted = async (layout: Layout): Promise<Layout> =>
      withGroupSizes(layout, await renderContext.fitGroups(layout, rows, part.columns));
    return { ...part, layout: await fitted(part.layout), back: part.back && (await fitted(part.back)) };
  };
  const parts = await Promise.all(
    project.parts.map(async (one) => ({ ...one, part: await fitPart(one.part) })),
  );
  return { ...project, parts };
}

/**
 * Makes the planned files and writes them piece by piece.
 * @throws StoreError naming the feature that needs a canvas, when there is none
 */
export function make(
  planned: Exclude<Planned, { kind: 'rulebook' }>,
  project: LoadedProject,
  renderContext: RenderContext,
  equipment: Equipment,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<Made> {
  return planned.kind === 'pdf'
    ? makePdf(planned, project, renderContext, equipment, write)
    : makeBundle(planned, renderContext, equipment, write);
}

async function makeBundle(
  { entries }: Extract<Planned, { kind: 'bundle' }>,
  renderContext: RenderContext,
  { noCanvas, maxPixels }: Equipment,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<Made> {
  const paintings = entries.filter(({ kind }) => kind === 'painting').length;
  if (noCanvas !== undefined && paintings > 0) {
    throw new StoreError(
      `Pictures need a canvas, and there is none for this machine (${noCanvas}). PDF needs none; pictures can be exported in the application.`,
    );
  }
  for (const entry of entries) {
    if (entry.kind !== 'painting' || entry.painting.width * entry.painting.height <= maxPixels) continue;
    throw new StoreError(
      `${entry.name} would have ${entry.painting.width} × ${entry.painting.height} pixels; the most is ${Math.floor(maxPixels / 1e6)} megapixels. Choose fewer dots per inch, or use the command line.`,
    );
  }
  const { issues } = await writeBundle(entries, {
    // One at a time: painting is synchronous, and one painting in memory is enough.
    ahead: 1,
    created: new Date(),
    encode: (painting, encoding) =>
      encodePainting(
        renderContext,
        painting,
        encoding,
        (width, height) => new OffscreenCanvas(width, height),
      ),
    write,
  });
  return { pages: entries.length, cards: paintings, remarks: issues };
}

async function makePdf(
  { parts, settings, maxBytes }: Extract<Planned, { kind: 'pdf' }>,
  project: LoadedProject,
  renderContext: RenderContext,
  { folder, noCanvas, withoutEffects }: Equipment,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<Made> {
  const lacking = new Map<string, Set<string>>();
  const note = (list: DisplayList, name: string): DisplayList => {
    for (const op of list.ops) {
      if (op.op !== 'push' || !op.raster) continue;
      lacking.set(op.raster, (lacking.get(op.raster) ?? new Set()).add(name));
    }
    return list;
  };
  const tools: PdfTools = {
    fonts: renderContext.fonts,
    layOut: async (layout, row, columns) => {
      const list = await renderContext.layOut(layout, row, columns);
      return noCanvas === undefined ? list : note(list, cardName(row, columns, (row.index ?? 1) - 1));
    },
    subsetter: await createSubsetter(readFileSync(path.join(folder, 'harfbuzz-subset.wasm'))),
    imageBytes: async (source) => renderContext.images.bytes(source),
    drawing: (source) => renderContext.images.drawing(source),
    ...(noCanvas === undefined && { toPng, rasterise: renderContext.rasterise }),
  };
  const job: PdfJob = { parts, settings, title: project.name, created: new Date() };
  const summary =
    maxBytes === undefined
      ? await writePdf(job, tools, write)
      : await writeZippedPdfs({ ...job, maxBytes, fileName: project.name }, tools, write);
  if (!withoutEffects) refuseLacking(lacking, noCanvas);
  return {
    pages: summary.pages,
    cards: summary.cards,
    remarks: summary.issues.map(({ part, card, issue }) => ({
      where: `${parts[part]?.name ?? ''}, card ${card + 1}`,
      issue,
    })),
  };
}

/** Refuses effects that need a canvas where there is none. @throws StoreError naming them and their cards */
export function refuseLacking(lacking: ReadonlyMap<string, Set<string>>, noCanvas: string | undefined): void {
  if (lacking.size === 0) return;
  const lines = [...lacking].map(([reason, cards]) => {
    const names = [...cards].slice(0, MAX_NAMED).join(', ');
    return `  ${reason}: ${names}${cards.size > MAX_NAMED ? ` and ${cards.size - MAX_NAMED} more` : ''}`;
  });
  throw new StoreError(
    `These cards have effects that need a canvas, and there is none for this machine (${noCanvas}):\n${lines.join('\n')}\nExport them in the application, or add --without-effects.`,
  );
}
