import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cardName } from '../core/imposition/job/card-name.ts';
import type { PrintPart } from '../core/imposition/job/print-job.ts';
import { withGroupSizes } from '../core/layout/group-sizes.ts';
import type { Layout } from '../core/scene/layout.ts';
import { familyOf } from '../core/text/fonts/catalogue.ts';
import type { FontLists } from '../core/text/fonts/required-faces.ts';
import { encodePainting } from '../render/painting.ts';
import { type PdfJob, type PdfTools, writePdf } from '../render/pdf/document.ts';
import { RenderContext } from '../render/render-context.ts';
import { writeBundle } from '../workers/export/bundle.ts';
import { writeZippedPdfs } from '../workers/export/zipped-pdfs.ts';
import { type Files, faceReader, imageReader } from './files/files.ts';
import type { Made, Planned } from './format.ts';
import { makeRulebook } from './make-rulebook.ts';
import { type Equipment, fileTools, LackingEffects } from './pdf-tools.ts';
import type { LoadedProject } from './project/project.ts';
import { StoreError } from './project/store.ts';

/** The render context of a project: bundled fonts, custom fonts and images read through `files`. */
export function renderContextOf(
  project: Pick<LoadedProject, 'library'>,
  files: Files,
  folder: string,
): RenderContext {
  const fonts = path.join(folder, '../fonts');
  const pack = process.env['TUCKBOX_FONT_PACK'] ?? path.join(fonts, 'cjk');
  const familiesIn = (file: string) => JSON.parse(readFileSync(file, 'utf8')).families.map(familyOf);
  const lists: FontLists = {
    library: async () => familiesIn(path.join(fonts, 'library.json')),
    eastAsian: async () => {
      const list = path.join(pack, 'families.json');
      return existsSync(list) ? familiesIn(list) : [];
    },
  };
  return new RenderContext(faceReader(files, fonts, pack), imageReader(files, project.library), lists);
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
  planned: Planned,
  project: LoadedProject,
  renderContext: RenderContext,
  equipment: Equipment,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<Made> {
  switch (planned.kind) {
    case 'pdf':
      return makePdf(planned, project, renderContext, equipment, write);
    case 'bundle':
      return makeBundle(planned, renderContext, equipment, write);
    case 'rulebook':
      return makeRulebook(planned.rulebook, renderContext, equipment, write);
  }
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
  equipment: Equipment,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<Made> {
  const lacking = new LackingEffects(equipment);
  const tools: PdfTools = {
    ...(await fileTools(renderContext, equipment)),
    layOut: async (layout, row, columns) => {
      const list = await renderContext.layOut(layout, row, columns);
      lacking.note(list, () => cardName(row, columns, (row.index ?? 1) - 1));
      return list;
    },
  };
  const job: PdfJob = { parts, settings, title: project.name, created: new Date() };
  const summary =
    maxBytes === undefined
      ? await writePdf(job, tools, write)
      : await writeZippedPdfs({ ...job, maxBytes, fileName: project.name }, tools, write);
  lacking.refuse();
  return {
    pages: summary.pages,
    cards: summary.cards,
    remarks: summary.issues.map(({ part, card, issue }) => ({
      where: `${parts[part]?.name ?? ''}, card ${card + 1}`,
      issue,
    })),
  };
}
