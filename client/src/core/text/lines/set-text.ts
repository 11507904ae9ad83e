import { parseColour } from '../../scene/colour/colour.ts';
import type { GlyphRun, GlyphWord, Rgba } from '../../scene/display/display-list.ts';
import type { Rect } from '../../scene/display/matrix.ts';
import type { TextStyle } from '../../scene/style/text-style.ts';
import type { ChainLink } from '../fonts/font-registry.ts';
import type { Line } from './break-lines.ts';
import { flow, type SetText, type TextBox } from './fit.ts';
import { visualOrder } from './levels.ts';
import type { IconPart, Part, PartStyle, WordPart } from './paragraph.ts';

/** An image set in a line. */
export interface PlacedIcon {
  readonly source: string;
  readonly box: Rect;
  /** Rotation about a point, on a bent line. */
  readonly turn?: { readonly degrees: number; readonly x: number; readonly y: number };
}

export interface PlacedText {
  readonly runs: readonly GlyphRun[];
  readonly icons: readonly PlacedIcon[];
}

const FALLBACK_COLOUR: Rgba = [0, 0, 0, 1];

/** Places every word and icon of set text in `box` (millimetres). */
export function placeText(text: SetText, box: Rect, layout: TextBox, style: TextStyle): PlacedText {
  const { size } = text;
  const slack = box.h - text.height;
  const shift = style.vAlign === 'top' ? 0 : style.vAlign === 'middle' ? slack / 2 : slack;
  const { columns = 1, columnGap = 0 } = layout;
  const width = (box.w - columnGap * (columns - 1)) / columns;
  const placer = new Placer(size, style);
  for (const { paragraph: index, line: number, column, top } of flow(text.paragraphs, layout, size).lines) {
    const { paragraph, lines, heights } = text.paragraphs[index] ?? NOTHING;
    const line = lines[number];
    if (!paragraph || !line) continue;
    const indent = paragraph.indent * size;
    const left = box.x + column * (width + columnGap);
    const height = (heights[number] ?? layout.lineHeight) * size;
    const baseline = box.y + shift + top + baselineIn(line, height, size);
    const mirrored = paragraph.rightToLeft;
    if (number === 0 && paragraph.bullet) {
      const inset = BULLET_INSET_EM * size;
      const bulletWidth = paragraph.bullet.width * size;
      placer.bullet(paragraph.bullet, mirrored ? left + width - inset - bulletWidth : left + inset, baseline);
    }
    placer.line(line, mirrored ? left : left + indent, width - indent, baseline, mirrored);
  }
  return { runs: placer.runs, icons: placer.icons };
}

/** Room of one line, in millimetres. */
export interface LineRoom {
  readonly x: number;
  readonly w: number;
  readonly baseline: number;
  /** Em to millimetres. */
  readonly size: number;
  /** The line's paragraph runs right to left. */
  readonly rightToLeft: boolean;
}

/** Places one line on a given baseline. */
export function placeLine(line: Line, room: LineRoom, style: TextStyle): PlacedText {
  const placer = new Placer(room.size, style);
  placer.line(line, room.x, room.w, room.baseline, room.rightToLeft);
  return { runs: placer.runs, icons: placer.icons };
}

const NOTHING = { paragraph: undefined, lines: [], heights: [] };
const BULLET_INSET_EM = 0.2;

/** Half of the spare height goes above the letters, half below, as on the web. */
function baselineIn(line: Line, height: number, size: number): number {
  let ascent = 0;
  let descent = 0;
  for (const unit of line.units) {
    for (const { style } of unit.parts) {
      const { face } = style.chain.first;
      ascent = Math.max(ascent, face.ascent * style.scale);
      descent = Math.max(descent, face.descent * style.scale);
    }
  }
  return (height - (ascent + descent) * size) / 2 + ascent * size;
}

class Placer {
  readonly runs: GlyphRun[] = [];
  readonly icons: PlacedIcon[] = [];
  readonly #size: number;
  readonly #style: TextStyle;
  readonly #colours = new Map<string, Rgba>();

  constructor(size: number, style: TextStyle) {
    this.#size = size;
    this.#style = style;
  }

  bullet(part: WordPart, x: number, baseline: number): void {
    this.#word(part, x, baseline);
  }

  /** @param mirrored the line's paragraph runs right to left */
  line(line: Line, left: number, room: number, baseline: number, mirrored: boolean): void {
    const spacing = line.units.length > 0 ? this.#style.letterSpacing : 0;
    const slack = room - (line.width - spacing) * this.#size;
    const { align } = this.#style;
    const gaps = line.units.slice(0, -1).filter(({ space, spreads }) => space > 0 || spreads).length;
    const stretch = align === 'justify' && !line.last && gaps > 0 && slack > 0 ? slack / gaps : 0;
    const toRight = isAtRight(align, mirrored, stretch > 0);
    let x = left + (align === 'center' ? slack / 2 : toRight ? slack : 0);
    for (const item of inOrder(line)) {
      if (item.kind === 'space') x += item.width * this.#size + stretch;
      else if (item.kind === 'spread') {
        x += stretch;
        // Room inside a word is part of it: a PDF would hold a space.
        this.#widen(stretch);
      } else {
        this.#part(item.part, x, baseline);
        x += item.part.width * this.#size;
      }
    }
  }

  #widen(by: number): void {
    const words = this.runs.at(-1)?.words as GlyphWord[] | undefined;
    const last = words?.pop();
    if (last) words?.push({ ...last, width: last.width + by });
  }

  #part(part: Part, x: number, baseline: number): void {
    if (part.kind === 'word') this.#word(part, x, baseline);
    else this.#icon(part, x, baseline);
  }

  /** Icons are centred at half the capital height. */
  #icon(part: IconPart, x: number, baseline: number): void {
    const { face } = part.style.chain.first;
    const middle = baseline - (face.capHeight / 2) * part.style.scale * this.#size;
    const h = part.height * this.#size;
    this.icons.push({
      source: part.source,
      box: { x, y: middle - h / 2 + part.offset * this.#size, w: part.width * this.#size, h },
    });
  }

  #word(part: WordPart, x: number, baseline: number): void {
    const size = part.style.scale * this.#size;
    const spacing = this.#style.letterSpacing * size;
    let at = x;
    for (const piece of part.shaped.pieces) {
      const spaced = spacing === 0 ? piece.offsets : addSpacing(piece.offsets, this.#style.letterSpacing);
      const width = piece.width * size + piece.glyphs.length * spacing;
      const word: GlyphWord = {
        text: piece.text,
        x: at,
        width,
        glyphs: piece.glyphs,
        offsets: spaced,
        clusters: piece.clusters,
      };
      this.#append(piece.link, part.style, size, baseline, word);
      at += width;
    }
  }

  #append(
    { face, slant, embolden }: ChainLink,
    style: PartStyle,
    size: number,
    y: number,
    word: GlyphWord,
  ): void {
    const color = this.#colour(style.color);
    const last = this.runs.at(-1);
    if (
      last &&
      last.face === face.id &&
      last.size === size &&
      last.y === y &&
      last.color === color &&
      last.slant === slant &&
      last.embolden === embolden &&
      last.mark === style.mark
    ) {
      (last.words as GlyphWord[]).push(word);
      return;
    }
    this.runs.push({
      face: face.id,
      size,
      color,
      y,
      slant,
      embolden,
      letterSpacing: this.#style.letterSpacing * size,
      ...(style.mark !== undefined && { mark: style.mark }),
      words: [word],
    });
  }

  #colour(text: string): Rgba {
    const known = this.#colours.get(text);
    if (known) return known;
    const colour = parseColour(text) ?? FALLBACK_COLOUR;
    this.#colours.set(text, colour);
    return colour;
  }
}

/** True if a line that does not fill its room stands at the right of it. */
function isAtRight(align: TextStyle['align'], mirrored: boolean, fills: boolean): boolean {
  switch (align) {
    case 'start':
      return mirrored;
    case 'end':
      return !mirrored;
    case 'justify':
      // Lines that justification leaves short begin at the paragraph's start edge.
      return mirrored && !fills;
    default:
      return align === 'right';
  }
}

type LineItem =
  | { readonly kind: 'part'; readonly part: Part; readonly level: number }
  | { readonly kind: 'space'; readonly width: number; readonly level: number }
  | { readonly kind: 'spread'; readonly level: number };

/** The parts of a line and the spaces between them in visual order, left to right. */
function inOrder(line: Line): LineItem[] {
  const items: LineItem[] = [];
  for (const [index, unit] of line.units.entries()) {
    for (const part of unit.parts) items.push({ kind: 'part', part, level: part.level });
    if (index === line.units.length - 1) continue;
    if (unit.space > 0) items.push({ kind: 'space', width: unit.space, level: unit.spaceLevel });
    else if (unit.spreads) items.push({ kind: 'spread', level: unit.spaceLevel });
  }
  return items.some(({ level }) => level > 0) ? visualOrder(items) : items;
}

function addSpacing(offsets: readonly number[], spacing: number): number[] {
  return offsets.map((value, index) => (index % 2 === 0 ? value + (index / 2) * spacing : value));
}
