import { PDFName, type PDFRef } from '@cantoo/pdf-lib';
import type { MarksSpec, Turn } from '../../core/imposition/settings.ts';
import type { Line } from '../../core/imposition/sheets/marks.ts';
import { parseColour } from '../../core/scene/colour/colour.ts';
import type { Rgba } from '../../core/scene/display/display-list.ts';
import type { Matrix, Rect } from '../../core/scene/display/matrix.ts';
import { Content } from './content.ts';
import type { PdfFile } from './file.ts';

const PT_PER_MM = 72 / 25.4;
const BLACK: Rgba = [0, 0, 0, 1];
const FOLD_GRAY: Rgba = [110, 110, 110, 1];
/** Dashes of a fold, in millimetres. */
const FOLD_DASH = [2, 1.5];

/** A form on a page. */
export interface PlacedForm {
  readonly form: PDFRef;
  /** Top left corner of the trim as it lies, in millimetres from the page's top left. */
  readonly x: number;
  readonly y: number;
  /** Trim size, upright. */
  readonly w: number;
  readonly h: number;
  readonly turn: Turn;
  /** 1 is actual size. */
  readonly scale?: number;
  /** The part of the page on which it shows. */
  readonly clip?: Rect | undefined;
}

export interface PageContent {
  readonly w: number;
  readonly h: number;
  readonly forms: readonly PlacedForm[];
  readonly marks: readonly Line[];
  readonly markStyle: MarksSpec;
  readonly folds: readonly Line[];
  /** Size of the finished piece inside the page, when the page is one piece with its bleed. */
  readonly bleed?: number;
}

/** Adds a page and returns its object. */
export function addPage(file: PdfFile, page: PageContent): PDFRef {
  const { document, resources } = file;
  const content = new Content();
  const height = page.h * PT_PER_MM;
  for (const placed of page.forms) {
    content.save();
    if (placed.clip) {
      const { x, y, w, h } = placed.clip;
      content.op('re', x * PT_PER_MM, height - (y + h) * PT_PER_MM, w * PT_PER_MM, h * PT_PER_MM).raw('W n');
    }
    content
      .transform(placeMatrix(placed, height))
      .use('Do', resources.unique('XObject', placed.form))
      .restore();
  }
  const color = parseColour(page.markStyle.color) ?? BLACK;
  strokes(content, page.marks, color, page.markStyle.width, height);
  strokes(content, page.folds, FOLD_GRAY, 0.15, height, FOLD_DASH);
  const added = document.addPage([page.w * PT_PER_MM, height]);
  added.node.set(PDFName.of('Resources'), resources.ref);
  added.node.set(
    PDFName.of('Contents'),
    document.context.register(document.context.flateStream(content.toString())),
  );
  if (page.bleed !== undefined) {
    const inset = page.bleed * PT_PER_MM;
    const box = [inset, inset, page.w * PT_PER_MM - inset, height - inset];
    added.node.set(PDFName.of('BleedBox'), document.context.obj([0, 0, page.w * PT_PER_MM, height]));
    added.node.set(PDFName.of('TrimBox'), document.context.obj(box));
  }
  return added.ref;
}

/** From the form's space (points, y up, trim's top left corner at the origin) to the page's. */
function placeMatrix({ x, y, w, h, turn, scale = 1 }: PlacedForm, height: number): Matrix {
  const at = (dx: number, dy: number): [number, number] => [
    (x + dx * scale) * PT_PER_MM,
    height - (y + dy * scale) * PT_PER_MM,
  ];
  switch (turn) {
    case 0:
      return [scale, 0, 0, scale, ...at(0, 0)];
    case 90:
      return [0, -scale, scale, 0, ...at(h, 0)];
    case 180:
      return [-scale, 0, 0, -scale, ...at(w, h)];
    case 270:
      return [0, scale, -scale, 0, ...at(0, w)];
  }
}

function strokes(
  content: Content,
  lines: readonly Line[],
  color: Rgba,
  width: number,
  height: number,
  dash: readonly number[] = [],
): void {
  if (lines.length === 0) return;
  content
    .save()
    .strokeColour(color)
    .op('w', width * PT_PER_MM);
  if (dash.length > 0) content.raw(`[${dash.map((part) => (part * PT_PER_MM).toFixed(3)).join(' ')}] 0 d`);
  for (const { x1, y1, x2, y2 } of lines) {
    content
      .op('m', x1 * PT_PER_MM, height - y1 * PT_PER_MM)
      .op('l', x2 * PT_PER_MM, height - y2 * PT_PER_MM)
      .raw('S');
  }
  content.restore();
}
