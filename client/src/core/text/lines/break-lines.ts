import type { Part, PreparedParagraph, Unit, WordPart } from './paragraph.ts';
import { shape } from './shape.ts';

/** One line of a paragraph, in em of the zone's type size. */
export interface Line {
  readonly units: readonly Unit[];
  /** Without the space at its end. */
  readonly width: number;
  /** Last of its paragraph, or ended by a line break: not to be justified. */
  readonly last: boolean;
  /** A word did not fit and was broken. */
  readonly breaksWord: boolean;
}

/** Lets a line be longer by rounding noise. */
const TOLERANCE_EM = 1e-6;

/**
 * Breaks a paragraph into lines no wider than `width` em (its indent already subtracted), each as full as it can be. A
 * unit wider than a line is split between letters. There is always progress: a line holds at least one letter.
 * @param firstIndent em by which the first line is shorter
 */
export function breakLines(
  paragraph: PreparedParagraph,
  width: number,
  letterSpacing: number,
  firstIndent = 0,
): Line[] {
  const lines: Line[] = [];
  let units: Unit[] = [];
  let used = 0;
  let gap = 0;
  let breaksWord = false;
  // Letter spacing after a line's last letter is invisible and needs no room.
  const roomNow = () => width - (lines.length === 0 ? firstIndent : 0) + letterSpacing + TOLERANCE_EM;
  const end = (last: boolean) => {
    const room = roomNow();
    let shown = last ? units : showHyphen(units, letterSpacing);
    const moved: Unit[] = [];
    // A hyphen needs room, too: where it has none, the syllable before it goes to the next line.
    while (shown !== units && units.length > 1 && widthOf(shown) > room) {
      moved.unshift(...units.splice(-1));
      shown = showHyphen(units, letterSpacing);
    }
    lines.push({ units: shown, width: widthOf(shown), last, breaksWord });
    units = [];
    used = 0;
    gap = 0;
    breaksWord = false;
    for (const unit of moved) place(unit);
  };
  const place = (unit: Unit) => {
    units.push(unit);
    used += gap + unit.width;
    gap = unit.space;
    if (unit.endsLine) end(true);
  };
  for (const unit of paragraph.units) {
    if (units.length > 0 && used + gap + unit.width > roomNow()) end(false);
    const room = roomNow();
    if (unit.width <= room) place(unit);
    else {
      const pieces = splitToFit(unit, room, letterSpacing);
      for (const [index, piece] of pieces.entries()) {
        breaksWord = pieces.length > 1;
        place(piece);
        if (index < pieces.length - 1) end(false);
      }
    }
  }
  if (units.length > 0) end(true);
  return lines;
}

/** The widest unit: narrower lines must break a word. */
export function widestUnit(paragraph: PreparedParagraph): number {
  return paragraph.units.reduce((widest, unit) => Math.max(widest, unit.width), 0);
}

/** Width of units, without the space at their end. */
const widthOf = (units: readonly Unit[]): number =>
  units.reduce((sum, unit, at) => sum + unit.width + (at < units.length - 1 ? unit.space : 0), 0);

/** A soft hyphen shows only at a line's end. */
function showHyphen(units: readonly Unit[], letterSpacing: number): readonly Unit[] {
  const unit = units.at(-1);
  const part = unit?.parts.at(-1);
  if (!unit || part?.kind !== 'word' || !part.text.endsWith('\u00ad')) return units;
  const hyphenated = reshape(part, `${part.text.slice(0, -1)}-`, letterSpacing);
  const width = unit.width - part.width + hyphenated.width;
  return [...units.slice(0, -1), { ...unit, parts: [...unit.parts.slice(0, -1), hyphenated], width }];
}

/** The line, shortened so that a mark fits at its end. */
export function endWith(line: Line, mark: string, room: number, letterSpacing: number): Line {
  const units = [...line.units];
  const lastWord = units.flatMap(({ parts }) => parts).findLast((part) => part.kind === 'word');
  if (!lastWord) return line;
  const marked = reshape(lastWord, mark, letterSpacing);
  while (units.length > 1 && widthOf(units) + marked.width > room + letterSpacing + TOLERANCE_EM) units.pop();
  const last = units.pop();
  if (!last) return line;
  const rest = room - widthOf(units) - (units.at(-1)?.space ?? 0) - marked.width;
  // The word alone may still be too long: letters are dropped until the mark fits.
  const kept =
    last.width <= rest + TOLERANCE_EM ? last.parts : (splitToFit(last, rest, letterSpacing)[0]?.parts ?? []);
  const parts = [...kept, marked];
  const width = parts.reduce((sum, part) => sum + part.width, 0);
  units.push({ ...last, parts, width, space: 0, endsLine: true });
  return { ...line, units, width: widthOf(units), last: true };
}

let graphemes: Intl.Segmenter | undefined;

function splitToFit(unit: Unit, room: number, letterSpacing: number): Unit[] {
  const pieces: Part[][] = [[]];
  let used = 0;
  for (const part of unit.parts) {
    for (const crumb of part.kind === 'icon' ? [part] : crumbs(part, letterSpacing)) {
      const current = pieces.at(-1);
      if (current && (current.length === 0 || used + crumb.width <= room)) {
        current.push(crumb);
        used += crumb.width;
      } else {
        pieces.push([crumb]);
        used = crumb.width;
      }
    }
  }
  return pieces.map((parts, index) => {
    const lastPiece = index === pieces.length - 1;
    const joined = joinWords(parts, letterSpacing);
    return {
      parts: joined,
      width: joined.reduce((sum, part) => sum + part.width, 0),
      space: lastPiece ? unit.space : 0,
      spaceLevel: unit.spaceLevel,
      spreads: lastPiece && unit.spreads,
      endsLine: lastPiece && unit.endsLine,
    };
  });
}

function crumbs(part: WordPart, letterSpacing: number): WordPart[] {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(graphemes.segment(part.text), ({ segment }) => reshape(part, segment, letterSpacing));
}

function reshape(part: WordPart, text: string, letterSpacing: number): WordPart {
  const shaped = shape(part.style.chain, text, part.shaping);
  const letters = shaped.pieces.reduce((sum, piece) => sum + piece.glyphs.length, 0);
  return { ...part, text, shaped, width: (shaped.width + letters * letterSpacing) * part.style.scale };
}

function joinWords(parts: readonly Part[], letterSpacing: number): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const previous = joined.at(-1);
    if (
      part.kind === 'word' &&
      previous?.kind === 'word' &&
      previous.style === part.style &&
      previous.level === part.level
    ) {
      joined[joined.length - 1] = reshape(part, previous.text + part.text, letterSpacing);
    } else joined.push(part);
  }
  return joined;
}
