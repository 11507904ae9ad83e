import * as hb from 'harfbuzzjs';
import { chooseFaces, FALLBACK_FAMILIES, type FaceFile, findFace, findFamily } from './catalogue.ts';

/** A face ready to shape with. All lengths are shares of the em. */
export interface LoadedFace {
  readonly id: string;
  readonly font: hb.Font;
  readonly bytes: Uint8Array;
  readonly unitsPerEm: number;
  readonly ascent: number;
  /** Below the baseline, positive. */
  readonly descent: number;
  readonly capHeight: number;
  /** Its glyphs have colours of their own. */
  readonly colour: boolean;
  has(codePoint: number): boolean;
}

export interface ChainLink {
  readonly face: LoadedFace;
  readonly slant: number;
  readonly embolden: number;
}

/** The faces that set one style of text, in order of preference, and what was shaped with them. */
export interface FontChain {
  readonly key: string;
  readonly links: readonly ChainLink[];
  readonly first: ChainLink;
}

/** Slope of an italic made from an upright face, as browsers use. */
const MADE_UP_SLANT = 0.21;
/** Line around the letters of a bold made from a regular face, as a share of the size. */
const MADE_UP_BOLD = 0.04;

/** The fonts loaded so far. Filled before layout, read during it. */
export class FontBook {
  readonly #faces = new Map<string, LoadedFace>();
  readonly #chains = new Map<string, FontChain>();

  has(faceId: string): boolean {
    return this.#faces.has(faceId);
  }

  face(faceId: string): LoadedFace | undefined {
    return this.#faces.get(faceId);
  }

  /**
   * Takes in a face's TrueType bytes.
   * @throws Error when the catalogue has no such face or the bytes are no font.
   */
  add(faceId: string, bytes: Uint8Array): void {
    const file = findFace(faceId);
    if (!file) throw new Error(`Font face ${faceId} is not in the catalogue.`);
    const face = new hb.Face(new hb.Blob(bytes));
    const codePoints = face.collectUnicodes();
    if (codePoints.length === 0) throw new Error(`Font face ${faceId}: the file is not a readable font.`);
    const font = new hb.Font(face);
    const em = face.upem;
    const extents = font.hExtents();
    const covered = new Set(codePoints);
    this.#faces.set(faceId, {
      id: faceId,
      font,
      bytes,
      unitsPerEm: em,
      ascent: extents.ascender / em,
      descent: -extents.descender / em,
      capHeight: capHeight(font, em),
      colour: file.colour,
      has: (codePoint) => covered.has(codePoint),
    });
    this.#chains.clear();
  }

  /** The loaded faces for a style; undefined when not one of them is loaded. */
  chain(family: string, weight: number, italic: boolean): FontChain | undefined {
    const key = `${family}|${weight}|${italic}`;
    const known = this.#chains.get(key);
    if (known) return known;
    const links: ChainLink[] = [];
    for (const id of [family, ...FALLBACK_FAMILIES]) {
      const found = findFamily(id);
      if (!found) continue;
      const choice = chooseFaces(found, weight, italic);
      for (const file of choice.files) {
        const face = this.#faces.get(file.id);
        if (!face || links.some((link) => link.face === face)) continue;
        const symbols = found.fallbackOnly;
        links.push({
          face,
          slant: choice.madeUpItalic && !symbols ? MADE_UP_SLANT : 0,
          embolden: choice.madeUpBold && !symbols ? MADE_UP_BOLD : 0,
        });
      }
    }
    const first = links[0];
    if (!first) return undefined;
    const chain = { key, links, first };
    this.#chains.set(key, chain);
    return chain;
  }
}

function capHeight(font: hb.Font, em: number): number {
  const glyph = font.nominalGlyph(0x48);
  const extents = glyph === undefined ? undefined : font.glyphExtents(glyph);
  return extents ? extents.yBearing / em : 0.7;
}

/** Brings a face's bytes from wherever they are kept. */
export type FaceReader = (face: FaceFile) => Promise<Uint8Array>;
