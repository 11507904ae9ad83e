import * as hb from 'harfbuzzjs';
import { isWideText, WIDE_OR_NARROW } from '../fonts/east-asian.ts';
import type { ChainLink, FontChain } from '../fonts/font-registry.ts';

/** Glyphs of one stretch of text in one face. Lengths in em, y up. */
export interface ShapedPiece {
  readonly link: ChainLink;
  readonly text: string;
  readonly width: number;
  readonly glyphs: readonly number[];
  readonly offsets: readonly number[];
  readonly clusters: readonly number[];
}

export interface ShapedText {
  readonly pieces: readonly ShapedPiece[];
  readonly width: number;
  /** Characters no face of the chain has. */
  readonly missing: readonly string[];
}

/** Cached words per chain; a full cache is emptied. */
const MAX_REMEMBERED_WORDS = 20_000;

const remembered = new WeakMap<FontChain, Map<string, ShapedText>>();
/** Cached HarfBuzz features, by their text. */
const features = new Map<string, readonly hb.Feature[]>();
const NO_LIGATURES = 'liga=0,clig=0,dlig=0';

/** Options of shaping besides the face. */
export interface Shaping {
  /** Letter spacing is on: ligatures are off. */
  readonly spaced: boolean;
  /** OpenType features, such as `onum, ss01=2`; invalid ones are ignored. */
  readonly features: string;
  readonly rightToLeft: boolean;
}

export const PLAIN_SHAPING: Shaping = { spaced: false, features: '', rightToLeft: false };

function featuresOf({ spaced, features: text }: Shaping): readonly hb.Feature[] {
  const all = spaced ? `${NO_LIGATURES},${text}` : text;
  const known = features.get(all);
  if (known) return known;
  const read = all.split(/[,;\s]+/).flatMap((part) => {
    const match = /^([a-z][a-z0-9]{3})(?:=(\d{1,3}))?$/i.exec(part);
    return match?.[1] ? [new hb.Feature(match[1], match[2] === undefined ? 1 : Number(match[2]))] : [];
  });
  features.set(all, read);
  return read;
}

/** Invisible characters; no face needs to have them. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;
const JOINS_PREVIOUS = /\p{M}|\p{Default_Ignorable_Code_Point}|\p{Emoji_Modifier}/u;
const EMOJI = /\p{Emoji_Presentation}/u;

/**
 * Shapes text with the first face of the chain that has each character; combining marks stay with their base.
 * Letter-spaced text has no ligatures, as in browsers; the spacing itself is the caller's.
 */
export function shape(chain: FontChain, text: string, shaping: Shaping): ShapedText {
  let words = remembered.get(chain);
  if (!words || words.size > MAX_REMEMBERED_WORDS) {
    words = new Map();
    remembered.set(chain, words);
  }
  const key =
    shaping === PLAIN_SHAPING
      ? text
      : `${shaping.spaced ? 's' : ''}${shaping.rightToLeft ? 'r' : ''}\u0000${shaping.features}\u0000${text}`;
  const known = words.get(key);
  if (known) return known;
  const shaped = shapeFresh(chain, text, shaping);
  words.set(key, shaped);
  return shaped;
}

function shapeFresh(chain: FontChain, text: string, shaping: Shaping): ShapedText {
  const pieces: ShapedPiece[] = [];
  const missing: string[] = [];
  let start = 0;
  let link: ChainLink | undefined;
  let at = 0;
  const flush = (end: number) => {
    if (link && end > start) pieces.push(shapePiece(link, text.slice(start, end), shaping));
    start = end;
  };
  const wide = chain.links.some((one) => one.wide) && isWideText(text);
  for (const character of text) {
    const next = linkFor(chain, character, link, wide);
    if (next.missing) missing.push(character);
    if (link && next.link !== link) flush(at);
    link = next.link;
    at += character.length;
  }
  flush(text.length);
  // Pieces are in visual order, left to right.
  if (shaping.rightToLeft) pieces.reverse();
  return { pieces, width: pieces.reduce((sum, piece) => sum + piece.width, 0), missing };
}

const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;

function linkFor(
  chain: FontChain,
  character: string,
  current: ChainLink | undefined,
  wide: boolean,
): { link: ChainLink; missing: boolean } {
  const codePoint = character.codePointAt(0) ?? 0;
  if (IGNORABLE.test(character)) return { link: current ?? chain.first, missing: false };
  if (current && JOINS_PREVIOUS.test(character) && current.face.has(codePoint)) {
    return { link: current, missing: false };
  }
  // Characters that are emoji by nature are set in colour, the rest as the first face has them.
  const emoji = EMOJI.test(character)
    ? chain.links.find(({ face }) => face.colour && face.has(codePoint))
    : undefined;
  const broad =
    wide && WIDE_OR_NARROW.test(character)
      ? chain.links.find((one) => one.wide && one.face.has(codePoint))
      : undefined;
  // A face without a no-break space uses its space instead.
  const wanted = (link: ChainLink): boolean =>
    link.face.has(codePoint) || (codePoint === NO_BREAK_SPACE && link.face.has(SPACE));
  const found = emoji ?? broad ?? chain.links.find(wanted);
  return found ? { link: found, missing: false } : { link: chain.first, missing: true };
}

function shapePiece(link: ChainLink, text: string, shaping: Shaping): ShapedPiece {
  const buffer = new hb.Buffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  // Words are ordered by line layout; inside a word glyphs are in visual order.
  buffer.setDirection(shaping.rightToLeft ? hb.Direction.RTL : hb.Direction.LTR);
  hb.shape(link.face.font, buffer, [...featuresOf(shaping)]);
  const infos = buffer.getGlyphInfosAndPositions();
  const em = link.face.unitsPerEm;
  const glyphs: number[] = [];
  const offsets: number[] = [];
  const clusters: number[] = [];
  let x = 0;
  for (const info of infos) {
    glyphs.push(info.codepoint);
    offsets.push((x + (info.xOffset ?? 0)) / em, (info.yOffset ?? 0) / em);
    clusters.push(info.cluster);
    x += info.xAdvance ?? 0;
  }
  return { link, text, width: x / em, glyphs, offsets, clusters };
}
