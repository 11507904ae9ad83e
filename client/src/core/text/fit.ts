import { breakLines, type Line, widestUnit } from './break-lines.ts';
import type { PreparedParagraph, PreparedText } from './paragraph.ts';

/** Room for text and how it is set, in millimetres and shares of the size. */
export interface TextBox {
  readonly w: number;
  readonly h: number;
  readonly lineHeight: number;
  readonly paragraphGap: number;
}

export interface SetParagraph {
  readonly paragraph: PreparedParagraph;
  readonly lines: readonly Line[];
  /** Line heights in em. */
  readonly heights: readonly number[];
}

export interface SetText {
  /** Em to millimetres. */
  readonly size: number;
  readonly paragraphs: readonly SetParagraph[];
  /** Millimetres. */
  readonly height: number;
  /** Too tall for the box, or a word had to be cut. */
  readonly overflows: boolean;
}

/** Sizes tried by `shrink` are this far apart, in millimetres: a quarter of a point. */
const STEP_MM = (0.25 * 25.4) / 72;
const TOLERANCE_MM = 1e-4;

/** Breaks text at one size. Paragraph gaps inside a list are a third of the usual. */
export function setAt(text: PreparedText, box: TextBox, size: number): SetText {
  let em = 0;
  let cutsWord = false;
  const paragraphs = text.paragraphs.map((paragraph, index) => {
    const lines = breakLines(paragraph, box.w / size - paragraph.indent, text.letterSpacing);
    const heights = lines.map((line) => lineHeight(line, box.lineHeight));
    em += heights.reduce((sum, height) => sum + height, 0);
    if (index < text.paragraphs.length - 1) em += gapAfter(paragraph, text.paragraphs[index + 1], box);
    cutsWord ||= lines.some((line) => line.cutsWord);
    return { paragraph, lines, heights };
  });
  const height = em * size;
  return { size, paragraphs, height, overflows: height > box.h + TOLERANCE_MM || cutsWord };
}

export function gapAfter(
  paragraph: PreparedParagraph,
  next: PreparedParagraph | undefined,
  box: TextBox,
): number {
  const inList = paragraph.bullet !== null && next?.bullet !== null;
  return inList ? box.paragraphGap / 3 : box.paragraphGap;
}

/** The largest size from `size` down to `minSize` at which nothing overflows; else `minSize`. */
export function shrinkToFit(text: PreparedText, box: TextBox, size: number, minSize: number): SetText {
  const first = setAt(text, box, size);
  if (!first.overflows || minSize >= size) return first;
  const widest = text.paragraphs.reduce(
    (most, paragraph) => Math.max(most, widestUnit(paragraph) + paragraph.indent),
    0,
  );
  // Words longer than the line bound the size before a single line is broken.
  const ceiling = widest > 0 ? Math.min(size, box.w / (widest - text.letterSpacing)) : size;
  const steps = Math.max(1, Math.ceil((size - minSize) / STEP_MM));
  const sizeOf = (step: number): number => Math.max(minSize, size - step * STEP_MM);
  let low = Math.max(1, Math.floor((size - ceiling) / STEP_MM));
  let high = steps;
  let best: SetText | undefined;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const tried = setAt(text, box, sizeOf(middle));
    if (tried.overflows) low = middle + 1;
    else {
      best = tried;
      high = middle - 1;
    }
  }
  return best ?? setAt(text, box, minSize);
}

function lineHeight(line: Line, lineHeightEm: number): number {
  let height = lineHeightEm;
  for (const unit of line.units) {
    for (const part of unit.parts) {
      height = Math.max(height, part.kind === 'icon' ? part.height : lineHeightEm * part.style.scale);
    }
  }
  return height;
}
