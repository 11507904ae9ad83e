/** A code of a font in a document: the glyph that it shows, and the characters that it stands for. */
export interface Code {
  readonly code: number;
  readonly glyph: number;
  readonly text: string;
}

/** Codes from here up are no glyphs' own. */
const FIRST_FREE = 0xf000;
const LAST_CODE = 0xffff;

/**
 * The codes of one face. A glyph has its id as code. Where it stands for other characters as well, as a letter does whose
 * dots or accents are glyphs of their own and as the sign for missing letters does, each further text gets a free code:
 * words would be found and copied with the wrong letters otherwise.
 */
export class Codes {
  readonly #first = new Map<number, string>();
  readonly #further = new Map<string, Code>();
  readonly #free: boolean;

  /** @param font the file of the face */
  constructor(font: Uint8Array) {
    // Only fonts of TrueType outlines have a map from codes to glyphs.
    this.#free = !hasCompactOutlines(font) && glyphCount(font) <= FIRST_FREE;
  }

  /** True if a glyph can stand for several texts. */
  get several(): boolean {
    return this.#free;
  }

  /** True if there are codes that are not the ids of their glyphs. */
  get mapped(): boolean {
    return this.#further.size > 0;
  }

  /** The code of a glyph where it stands for a text. */
  code(glyph: number, text: string): number {
    const first = this.#first.get(glyph);
    if (first === undefined || (!this.#free && first === '')) this.#first.set(glyph, text);
    if (first === undefined || first === text || !this.#free) return glyph;
    const key = `${glyph} ${text}`;
    const known = this.#further.get(key);
    if (known) return known.code;
    const code = FIRST_FREE + this.#further.size;
    if (code > LAST_CODE) return glyph;
    this.#further.set(key, { code, glyph, text });
    return code;
  }

  /** All codes in order. */
  all(): readonly Code[] {
    const own = [...this.#first].map(([glyph, text]): Code => ({ code: glyph, glyph, text }));
    return [...own, ...this.#further.values()].sort((a, b) => a.code - b.code);
  }
}

/** The map from codes to glyphs, as a font states it: two bytes for each code. */
export function glyphMap(codes: readonly Code[]): Uint8Array {
  const map = new DataView(new ArrayBuffer(2 * (LAST_CODE + 1)));
  for (const { code, glyph } of codes) map.setUint16(2 * code, glyph);
  return new Uint8Array(map.buffer);
}

/** True if a font's outlines are in the Compact Font Format (`OTTO`) instead of TrueType. */
export function hasCompactOutlines(font: Uint8Array): boolean {
  return new DataView(font.buffer, font.byteOffset, 4).getUint32(0) === 0x4f54544f;
}

/** Number of glyphs of a font; more than there are codes where its file does not say so. */
function glyphCount(font: Uint8Array): number {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  for (let table = 0; table < view.getUint16(4); table++) {
    const at = 12 + 16 * table;
    // The table `maxp`.
    if (view.getUint32(at) === 0x6d617870) return view.getUint16(view.getUint32(at + 8) + 4);
  }
  return LAST_CODE + 1;
}
