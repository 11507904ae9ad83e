import { rasterPush } from '../../layout/paints.ts';
import type { GlyphRun, Op } from '../../scene/display/display-list.ts';
import type { TextStyle } from '../../scene/style/text-style.ts';
import { findFace } from '../../text/fonts/catalogue.ts';
import { guessHanForms, hanFormsOf } from '../../text/fonts/east-asian.ts';
import type { FontRegistry } from '../../text/fonts/font-registry.ts';
import { hyphenate } from '../../text/hyphenation/hyphenation.ts';
import { breakLines, type Line } from '../../text/lines/break-lines.ts';
import { type IconAspect, prepareText } from '../../text/lines/paragraph.ts';
import { placeLine } from '../../text/lines/set-text.ts';
import type { Inline as MarkupInline } from '../../text/markup/markup.ts';
import { ptToMm } from '../../units.ts';
import type { Path, Piece } from './box.ts';

/** Text broken into lines of one width. */
export interface SetLines {
  readonly lines: readonly Line[];
  readonly style: TextStyle;
  /** Em to millimetres. */
  readonly size: number;
  readonly rightToLeft: boolean;
  /** Em by which the first line is indented. */
  readonly firstIndent: number;
  readonly missing: readonly string[];
}

/**
 * Breaks text; undefined while no font is loaded.
 * @param language of the text, as a BCP 47 tag
 */
export function setLines(
  inlines: readonly MarkupInline[],
  style: TextStyle,
  width: number,
  firstIndent: number,
  fonts: FontRegistry,
  aspect: IconAspect,
  language = '',
): SetLines | undefined {
  const forms = (texts: readonly string[]) => hanFormsOf(language) ?? guessHanForms(texts);
  const prepared = prepareText([{ inlines, bullet: false }], style, fonts, aspect, hyphenate, forms);
  const paragraph = prepared?.paragraphs[0];
  if (!prepared || !paragraph) return undefined;
  const size = ptToMm(style.size);
  const lines = breakLines(paragraph, width / size, style.letterSpacing, firstIndent);
  return { lines, style, size, rightToLeft: paragraph.rightToLeft, firstIndent, missing: prepared.missing };
}

export interface LinePlace {
  readonly x: number;
  readonly w: number;
  readonly baseline: number;
}

/** Marks name their use and the block they lead to, so that two uses side by side stay two links. */
export const linkMark = (use: string, block: string): string => `${use}>${block}`;

/** Paints a line as pieces: its plain text, and each link in it. */
export function paintLine(set: SetLines, number: number, place: LinePlace, path: Path): Piece[] {
  const line = set.lines[number];
  if (!line) return [];
  const indent = number === 0 ? set.firstIndent * set.size : 0;
  const { runs, icons } = placeLine(
    line,
    {
      x: place.x + (set.rightToLeft ? 0 : indent),
      w: place.w - indent,
      baseline: place.baseline,
      size: set.size,
      rightToLeft: set.rightToLeft,
    },
    set.style,
  );
  const pieces: Piece[] = [];
  for (let start = 0; start < runs.length; ) {
    let end = start + 1;
    while (end < runs.length && runs[end]?.mark === runs[start]?.mark) end++;
    pieces.push(textPiece(runs.slice(start, end), path));
    start = end;
  }
  const images = icons.map(
    ({ source, box }): Op => ({ op: 'image', image: source, box, clip: null, opacity: 1 }),
  );
  if (images.length > 0) pieces.push({ path, ops: images });
  return pieces;
}

function textPiece(runs: readonly GlyphRun[], path: Path): Piece {
  const plain = runs.filter((run) => findFace(run.face)?.colour !== true);
  const coloured = runs.filter((run) => findFace(run.face)?.colour === true);
  const ops: Op[] = [];
  if (plain.length > 0) ops.push({ op: 'text', runs: plain, shadows: [], outline: null });
  if (coloured.length > 0) {
    const emoji: Op = { op: 'text', runs: coloured, shadows: [], outline: null };
    ops.push(rasterPush('colour-emoji'), emoji, { op: 'pop' });
  }
  const mark = runs[0]?.mark;
  if (mark === undefined || path.length === 0) return { path, ops };
  const words = runs.flatMap((run) => run.words);
  const left = Math.min(...words.map(({ x }) => x));
  const right = Math.max(...words.map(({ x, width }) => x + width));
  const { y = 0, size = 0 } = runs[0] ?? {};
  return {
    path: [...path, { tag: 'Link', key: mark }],
    ops,
    link: {
      box: { x: left, y: y - size, w: right - left, h: size * 1.3 },
      block: mark.slice(mark.indexOf('>') + 1),
    },
  };
}
