import { breakLines, endWith, type Line, widestUnit } from './break-lines.ts';
import type { PreparedParagraph, PreparedText } from './paragraph.ts';

/** Room for text and how it is set, in millimetres and shares of the size. */
export interface TextBox {
  readonly w: number;
  readonly h: number;
  readonly lineHeight: number;
  readonly paragraphGap: number;
  /** 1 when left out. */
  readonly columns?: number;
  readonly columnGap?: number;
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
  /** Too tall for the box, or a word had to be broken. */
  readonly overflows: boolean;
}

/** Sizes tried by `shrink` are this far apart, in millimetres: a quarter of a point. */
const STEP_MM = (0.25 * 25.4) / 72;
const TOLERANCE_MM = 1e-4;

/** Width of one column. */
const columnWidth = ({ w, columns = 1, columnGap = 0 }: TextBox): number =>
  Math.max(0, (w - columnGap * (columns - 1)) / columns);

/** A line in its place: its column and the top of its room, in millimetres. */
export interface FlowedLine {
  readonly paragraph: number;
  readonly line: number;
  readonly column: number;
  readonly top: number;
}

/** Lines below one another, continued in the next column where one is full. */
export function flow(
  paragraphs: readonly SetParagraph[],
  box: TextBox,
  size: number,
): { lines: FlowedLine[]; height: number } {
  const lines: FlowedLine[] = [];
  let column = 0;
  let top = 0;
  let height = 0;
  for (const [index, { paragraph, heights }] of paragraphs.entries()) {
    for (const [number, lineHeight] of heights.entries()) {
      const room = lineHeight * size;
      if (top > 0 && top + room > box.h + TOLERANCE_MM && column < (box.columns ?? 1) - 1) {
        column++;
        top = 0;
      }
      lines.push({ paragraph: index, line: number, column, top });
      top += room;
      height = Math.max(height, top);
    }
    if (top > 0) top += gapAfter(paragraph, paragraphs[index + 1]?.paragraph, box) * size;
  }
  return { lines, height };
}

/** Breaks text at one size. Paragraph gaps inside a list are a third of the usual. */
export function setAt(text: PreparedText, box: TextBox, size: number): SetText {
  let breaksWord = false;
  const width = columnWidth(box);
  const paragraphs = text.paragraphs.map((paragraph) => {
    const lines = breakLines(paragraph, width / size - paragraph.indent, text.letterSpacing);
    const heights = lines.map((line) => lineHeight(line, box.lineHeight));
    breaksWord ||= lines.some((line) => line.breaksWord);
    return { paragraph, lines, heights };
  });
  const { height } = flow(paragraphs, box, size);
  return { size, paragraphs, height, overflows: height > box.h + TOLERANCE_MM || breaksWord };
}

export function gapAfter(
  paragraph: PreparedParagraph,
  next: PreparedParagraph | undefined,
  box: TextBox,
): number {
  const inList = paragraph.bullet !== null && next?.bullet !== null;
  return inList ? box.paragraphGap / 3 : box.paragraphGap;
}

const ELLIPSIS = '…';

/** The lines that fit, the last with an ellipsis where some do not. */
export function trimToFit(text: PreparedText, box: TextBox, size: number): SetText {
  const set = setAt(text, box, size);
  const { lines } = flow(set.paragraphs, box, size);
  const fits = lines.filter(({ paragraph, line, top }) => {
    const room = (set.paragraphs[paragraph]?.heights[line] ?? 0) * size;
    return top + room <= box.h + TOLERANCE_MM;
  });
  const last = fits.at(-1);
  if (!last || fits.length === lines.length) return set;
  const paragraphs = set.paragraphs
    .slice(0, last.paragraph + 1)
    .map((one, index) =>
      index < last.paragraph
        ? one
        : { ...one, lines: one.lines.slice(0, last.line + 1), heights: one.heights.slice(0, last.line + 1) },
    );
  const final = paragraphs.at(-1);
  const line = final?.lines.at(-1);
  if (final && line) {
    const room = columnWidth(box) / size - final.paragraph.indent;
    const trimmed = {
      ...final,
      lines: [...final.lines.slice(0, -1), endWith(line, ELLIPSIS, room, text.letterSpacing)],
    };
    paragraphs[paragraphs.length - 1] = trimmed;
  }
  return { size, paragraphs, height: flow(paragraphs, box, size).height, overflows: true };
}

/** Narrowest text is squashed to, as a share of its width. */
export const MIN_SQUASH = 0.5;
const SQUASH_STEPS = 10;

/** The widest share, down to `MIN_SQUASH`, at which all letters fit when squashed to it. */
export function squashToFit(
  text: PreparedText,
  box: TextBox,
  size: number,
): { set: SetText; squash: number } {
  const at = (squash: number): SetText =>
    setAt(text, { ...box, w: box.w / squash, columnGap: (box.columnGap ?? 0) / squash }, size);
  let set = at(1);
  if (!set.overflows) return { set, squash: 1 };
  let [low, high] = [MIN_SQUASH, 1];
  let squash = MIN_SQUASH;
  set = at(MIN_SQUASH);
  if (set.overflows) return { set, squash };
  for (let step = 0; step < SQUASH_STEPS; step++) {
    const middle = (low + high) / 2;
    const tried = at(middle);
    if (tried.overflows) high = middle;
    else {
      low = middle;
      squash = middle;
      set = tried;
    }
  }
  return { set, squash };
}

/** The largest size from `size` down to `minSize` at which nothing overflows; else `minSize`. */
export function shrinkToFit(text: PreparedText, box: TextBox, size: number, minSize: number): SetText {
  const first = setAt(text, box, size);
  if (!first.overflows || minSize >= size) return first;
  const widest = text.paragraphs.reduce(
    (most, paragraph) => Math.max(most, widestUnit(paragraph) + paragraph.indent),
    0,
  );
  // Words longer than the line limit the size before any line is broken.
  const ceiling = widest > 0 ? Math.min(size, columnWidth(box) / (widest - text.letterSpacing)) : size;
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
