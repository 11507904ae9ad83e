import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ImageLibrary, isAddress } from '../core/images/library.ts';
import { cardName } from '../core/imposition/card-name.ts';
import type { PrintPart } from '../core/imposition/print-job.ts';
import { withGroupSizes } from '../core/layout/group-sizes.ts';
import type { DisplayList, Issue } from '../core/scene/display-list.ts';
import type { Layout } from '../core/scene/zone.ts';
import { type FaceFile, familyOf } from '../core/text/catalogue.ts';
import type { ImageReader } from '../render/image-book.ts';
import { type PdfJob, type PdfTools, writePdf } from '../render/pdf/document.ts';
import { createSubsetter } from '../render/pdf/subset.ts';
import { encodePicture, paintPicture } from '../render/picture.ts';
import { Stage } from '../render/stage.ts';
import { toPng } from '../render/to-png.ts';
import { writeBundle } from '../workers/bundle.ts';
import { writeZippedPdfs } from '../workers/zipped-pdfs.ts';
import type { Planned } from './plan.ts';
import type { LoadedProject } from './project.ts';
import { StoreError } from './store.ts';

/** Largest image read, in bytes. */
const MAX_IMAGE_BYTES = 40 * 1024 * 1024;
/** Most cards named in one message. */
const MAX_NAMED = 20;

/** Where the program lies, and whether it has a canvas. */
export interface Equipment {
  /** Folder of the program; the fonts lie beside it. */
  readonly folder: string;
  /** Why there is no canvas, when there is none. */
  readonly noCanvas: string | undefined;
  /** Leave out of a PDF what only a canvas can paint, when there is none. */
  readonly withoutEffects: boolean;
}

export interface Remark {
  /** Which part, card or file. */
  readonly where: string;
  readonly issue: Issue;
}

export interface Made {
  /** Pages of a PDF, files of a bundle. */
  readonly pages: number;
  readonly cards: number;
  readonly remarks: readonly Remark[];
}

/** The stage of a project: fonts beside the program, people's own and images from the server. */
export function stageOf(project: LoadedProject, origin: string, folder: string): Stage {
  const fonts = path.join(folder, '../fonts');
  const readFontList = async () =>
    JSON.parse(readFileSync(path.join(fonts, 'library.json'), 'utf8')).families.map(familyOf);
  return new Stage(faceReader(origin, fonts), imageReader(origin, project.library), readFontList);
}

function faceReader(origin: string, fonts: string) {
  return async ({ file }: FaceFile): Promise<Uint8Array> => {
    if (!file.includes('/')) return readFileSync(path.join(fonts, file));
    const response = await fetch(new URL(file, origin));
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
}

/** Images of the library, which have a path on the server, and others by address. */
function imageReader(origin: string, library: ImageLibrary): ImageReader {
  return async (source) => {
    const found = library.find(source);
    const url = found?.url ?? (isAddress(source) ? source : undefined);
    if (url === undefined) return undefined;
    const response = await fetch(url.startsWith('/') ? `${origin}${url}` : url);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok || bytes.length > MAX_IMAGE_BYTES) return undefined;
    return { bytes, crop: found?.crop, focus: found?.focus };
  };
}

/** The project's parts with the sizes of texts that all cards share. */
export async function fitProject(project: LoadedProject, stage: Stage): Promise<LoadedProject> {
  const fitPart = async (part: PrintPart): Promise<PrintPart> => {
    const rows = part.cards.map(({ row }) => row);
    const fitted = async (layout: Layout): Promise<Layout> =>
      withGroupSizes(layout, await stage.fitGroups(layout, rows, part.columns));
    return { ...part, layout: await fitted(part.layout), back: part.back && (await fitted(part.back)) };
  };
  const parts = await Promise.all(
    project.parts.map(async (one) => ({ ...one, part: await fitPart(one.part) })),
  );
  return { ...project, parts };
}

/**
 * Makes what was planned and writes it piece by piece.
 * @throws StoreError naming what needs a canvas, when there is none
 */
export function make(
  planned: Planned,
  project: LoadedProject,
  stage: Stage,
  equipment: Equipment,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<Made> {
  return planned.kind === 'pdf'
    ? makePdf(planned, project, stage, equipment, write)
    : makeBundle(planned, stage, equipment, write);
}

async function makeBundle(
  { entries }: Extract<Planned, { kind: 'bundle' }>,
  stage: Stage,
  { noCanvas }: Equipment,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<Made> {
  const pictures = entries.filter(({ kind }) => kind === 'picture').length;
  if (noCanvas !== undefined && pictures > 0) {
    throw new StoreError(
      `Pictures need a canvas, and there is none for this machine (${noCanvas}). PDF needs none; pictures can be exported in the application.`,
    );
  }
  const { issues } = await writeBundle(entries, {
    // One after the other: painting waits for nothing, and a picture in hand is enough.
    ahead: 1,
    created: new Date(),
    encode: async (picture, encoding) => {
      const { canvas, issues: found } = await paintPicture(
        stage,
        picture,
        (width, height) => new OffscreenCanvas(width, height),
      );
      return { bytes: await encodePicture(canvas, encoding), issues: found };
    },
    write,
  });
  return { pages: entries.length, cards: pictures, remarks: issues };
}

async function makePdf(
  { parts, settings, maxBytes }: Extract<Planned, { kind: 'pdf' }>,
  project: LoadedProject,
  stage: Stage,
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
    fonts: stage.fonts,
    layOut: async (layout, row, columns) => {
      const list = await stage.layOut(layout, row, columns);
      return noCanvas === undefined ? list : note(list, cardName(row, columns, (row.index ?? 1) - 1));
    },
    subsetter: await createSubsetter(readFileSync(path.join(folder, 'harfbuzz-subset.wasm'))),
    imageBytes: async (source) => stage.images.bytes(source),
    ...(noCanvas === undefined && { toPng, rasterise: stage.rasterise }),
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

function refuseLacking(lacking: ReadonlyMap<string, Set<string>>, noCanvas: string | undefined): void {
  if (lacking.size === 0) return;
  const lines = [...lacking].map(([reason, cards]) => {
    const names = [...cards].slice(0, MAX_NAMED).join(', ');
    return `  ${reason}: ${names}${cards.size > MAX_NAMED ? ` and ${cards.size - MAX_NAMED} more` : ''}`;
  });
  throw new StoreError(
    `These cards have effects that need a canvas, and there is none for this machine (${noCanvas}):\n${lines.join('\n')}\nExport them in the application, or add --without-effects.`,
  );
}
