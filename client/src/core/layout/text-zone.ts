import { printedCells, type Row } from '../scene/card/row.ts';
import type { Issue, Op, TextShadow } from '../scene/display/display-list.ts';
import type { Matrix, Rect } from '../scene/display/matrix.ts';
import type { Variable } from '../scene/layout.ts';
import type { TextZone } from '../scene/zones/text.ts';
import { findFace, findFamily } from '../text/fonts/catalogue.ts';
import { EAST_ASIAN, EAST_ASIAN_FAMILY, type HanForms } from '../text/fonts/east-asian.ts';
import { hyphenate } from '../text/hyphenation/hyphenation.ts';
import { bend } from '../text/lines/bend.ts';
import { type SetText, setAt, shrinkToFit, squashToFit, type TextBox, trimToFit } from '../text/lines/fit.ts';
import { type PreparedText, prepareText } from '../text/lines/paragraph.ts';
import { type PlacedIcon, placeText } from '../text/lines/set-text.ts';
import { type ParsedMarkup, parseMarkup, plainText } from '../text/markup/markup.ts';
import { mmToPt, ptToMm } from '../units.ts';
import type { Assets } from './assets.ts';
import { rasterPush, rgba } from './paints.ts';

/** Text of a zone, parsed and measured but not yet broken into lines. */
export interface ReadText {
  readonly parsed: ParsedMarkup;
  readonly prepared: PreparedText | undefined;
}

export interface LaidText {
  readonly ops: readonly Op[];
  readonly icons: readonly PlacedIcon[];
  /** Squeezes operations and icons into place where text is set narrower; null elsewhere. */
  readonly squeeze: Matrix | null;
  readonly plain: string;
  /** Points. */
  readonly size: number;
  readonly issues: readonly Issue[];
}

/** @param forms of Chinese characters on the card */
export function readText(
  zone: TextZone,
  row: Row,
  variables: readonly Variable[],
  assets: Assets,
  forms: () => HanForms,
): ReadText {
  const parsed = parseMarkup(zone.text, { variables, columns: assets.columns, cells: printedCells(row) });
  const aspect = (source: string): number | undefined => {
    const size = assets.images.size(source);
    return size && size.h > 0 ? size.w / size.h : undefined;
  };
  const { fonts } = assets;
  return { parsed, prepared: prepareText(parsed.paragraphs, zone.style, fonts, aspect, hyphenate, forms) };
}

/** Height the text needs at the zone's own type size in an outer width, padding included. */
export function naturalHeight(zone: TextZone, text: ReadText, width: number): number {
  const [top, right, bottom, left] = zone.padding as readonly [number, number, number, number];
  if (!text.prepared) return top + bottom;
  const box = textBox(zone, {
    x: 0,
    y: 0,
    w: Math.max(0, width - left - right),
    h: Number.POSITIVE_INFINITY,
  });
  return setAt(text.prepared, box, ptToMm(zone.style.size)).height + top + bottom;
}

/** Breaks, fits and places a zone's text inside its box. */
export function layText(zone: TextZone, text: ReadText, box: Rect): LaidText {
  const { parsed, prepared } = text;
  const plain = plainText(parsed.paragraphs);
  const issues: Issue[] = parsed.problems.map((message) => ({ zone: zone.id, code: 'bad-markup', message }));
  if (!prepared) {
    issues.push({
      zone: zone.id,
      code: 'missing-font',
      message: `The font ${zone.style.family} is not loaded and no other could take its place.`,
    });
    return { ops: [], icons: [], squeeze: null, plain, size: 0, issues };
  }
  const inner = inset(box, zone.padding as readonly [number, number, number, number]);
  const room = textBox(zone, inner);
  const size = ptToMm(zone.style.size);
  const { set, squash } = fitted(zone, prepared, room, size);
  const wide = squash === 1 ? inner : { ...inner, w: inner.w / squash };
  const gap = (room.columnGap ?? 0) / squash;
  const straight = placeText(set, wide, { ...room, w: wide.w, columnGap: gap }, zone.style);
  const placed = zone.curve === 0 ? straight : bend(straight, wide, zone.curve);
  issues.push(...troubles(zone, prepared, set, inner));
  const outlineColour = rgba(zone.style.outline.color);
  const outlined = zone.style.outline.width > 0 && outlineColour[3] > 0;
  const shadows = textShadows(zone);
  const outline = outlined ? { color: outlineColour, width: zone.style.outline.width } : null;
  const [coloured, plainRuns] = partition(placed.runs, (run) => findFace(run.face)?.colour === true);
  const ops: Op[] = plainRuns.length === 0 ? [] : [{ op: 'text', runs: plainRuns, shadows, outline }];
  if (coloured.length > 0) {
    const emoji: Op = { op: 'text', runs: coloured, shadows: [], outline: null };
    ops.push(rasterPush('colour-emoji'), emoji, { op: 'pop' });
  }
  // Squashed about the left edge of its room.
  const squeeze: Matrix | null = squash === 1 ? null : [squash, 0, 0, 1, inner.x * (1 - squash), 0];
  return { ops, icons: placed.icons, squeeze, plain, size: round(mmToPt(set.size), 100), issues };
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const yes: T[] = [];
  const no: T[] = [];
  for (const item of items) (test(item) ? yes : no).push(item);
  return [yes, no];
}

function fitted(
  zone: TextZone,
  text: PreparedText,
  room: TextBox,
  size: number,
): { set: SetText; squash: number } {
  switch (zone.fit) {
    case 'squash':
      return squashToFit(text, room, size);
    case 'ellipsis':
      return { set: trimToFit(text, room, size), squash: 1 };
    case 'none':
      return { set: setAt(text, room, size), squash: 1 };
    default:
      return { set: shrinkToFit(text, room, size, Math.min(size, ptToMm(zone.minSize))), squash: 1 };
  }
}

function troubles(zone: TextZone, prepared: PreparedText, set: SetText, inner: Rect): Issue[] {
  const issues: Issue[] = [];
  if (set.overflows && zone.fit === 'ellipsis') {
    const message =
      'The text is too long for the zone and ends with an ellipsis: enlarge the zone or shorten the text.';
    issues.push({ zone: zone.id, code: 'text-overflow', message });
  } else if (set.overflows) {
    const needed = round(set.height, 10);
    const size = round(mmToPt(set.size), 100);
    const room = round(inner.h, 10);
    const message =
      set.height > inner.h
        ? `The text needs ${needed} mm at ${size} pt and the zone has ${room} mm: enlarge the zone, shorten the text${
            zone.fit === 'none' ? ' or let it shrink' : ' or lower the smallest size'
          }.`
        : `A word is wider than the zone and was cut at ${size} pt: widen the zone or choose a smaller size.`;
    issues.push({ zone: zone.id, code: 'text-overflow', message });
  }
  if (prepared.missing.length > 0) {
    const shown = prepared.missing.slice(0, 8).map(describe).join(', ');
    const pack = prepared.missing.some((one) => EAST_ASIAN.test(one)) && !findFamily(EAST_ASIAN_FAMILY);
    const remedy = pack ? ` ${NO_PACK}` : '';
    issues.push({ zone: zone.id, code: 'missing-glyph', message: `No loaded font has ${shown}.${remedy}` });
  }
  return issues;
}

const NO_PACK =
  'This server has no fonts for Chinese, Japanese and Korean: choose a font file of your own that has them, or ask who runs the server for the font pack.';

function describe(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `${character} (U+${code.toString(16).toUpperCase().padStart(4, '0')})`;
}

/** The first shadow of the list in front. */
function textShadows(zone: TextZone): TextShadow[] {
  return zone.textShadows
    .map(({ dx, dy, blur, color }) => ({ dx, dy, sigma: (blur as number) / 2, color: rgba(color) }))
    .filter(({ color }) => color[3] > 0)
    .reverse();
}

function textBox(zone: TextZone, inner: Rect): TextBox {
  const { lineHeight, paragraphGap } = zone.style;
  const { columns, columnGap } = zone;
  return { w: inner.w, h: inner.h, lineHeight, paragraphGap, columns, columnGap };
}

function inset(box: Rect, [top, right, bottom, left]: readonly [number, number, number, number]): Rect {
  return {
    x: box.x + left,
    y: box.y + top,
    w: Math.max(0, box.w - left - right),
    h: Math.max(0, box.h - top - bottom),
  };
}

function round(value: number, steps: number): number {
  return Math.round(value * steps) / steps;
}
