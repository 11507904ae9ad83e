import { PDFHexString, PDFName, type PDFRef } from '@cantoo/pdf-lib';
import type { GlyphWord } from '../../../core/scene/display/display-list.ts';
import type { FontRegistry, LoadedFace } from '../../../core/text/fonts/font-registry.ts';
import type { Resources } from '../resources.ts';
import { textsOfGlyphs } from './clusters.ts';
import { type Code, Codes, glyphMap, hasCompactOutlines } from './glyph-codes.ts';
import type { Subsetter } from './subset.ts';

/** A face as the document uses it: which glyphs, and the characters they stand for. */
export interface UsedFace {
  readonly name: string;
  readonly face: LoadedFace;
  /** Glyph of the space, to separate words; undefined where the face has none. */
  readonly space: number | undefined;
  /** Codes that show the glyphs of a word, which are recorded. */
  codes(word: GlyphWord): readonly number[];
  /** Advance in thousandths of the em, as the document states it. */
  width(glyph: number): number;
}

interface Face extends UsedFace {
  readonly ref: PDFRef;
  readonly glyphCodes: Codes;
}

/** Entries of one bfchar section; the format allows no more. */
const BFCHAR_LIMIT = 100;

/**
 * Embeds the faces of a document: composite fonts whose codes are glyph ids but for those of `Codes`, subset to the glyphs
 * used, with a ToUnicode map so that text can be selected, searched and copied.
 */
export class FontEmbedder {
  readonly #fonts: FontRegistry;
  readonly #resources: Resources;
  readonly #faces = new Map<string, Face>();

  constructor(fonts: FontRegistry, resources: Resources) {
    this.#fonts = fonts;
    this.#resources = resources;
  }

  /** @throws Error when the face is not loaded */
  face(id: string): UsedFace {
    const known = this.#faces.get(id);
    if (known) return known;
    const face = this.#fonts.face(id);
    if (!face) throw new Error(`The font face ${id} is not loaded.`);
    const ref = this.#resources.context.nextRef();
    const glyphCodes = new Codes(face.bytes);
    const space = face.has(0x20) ? face.font.nominalGlyph(0x20) : undefined;
    if (space !== undefined) glyphCodes.code(space, ' ');
    const used: Face = {
      name: this.#resources.unique('Font', ref),
      face,
      ref,
      space,
      glyphCodes,
      codes: (word) => {
        const advance = (glyph: number): number => face.font.glyphHAdvance(glyph);
        const texts = textsOfGlyphs(word, advance, !glyphCodes.several);
        return word.glyphs.map((glyph, index) => glyphCodes.code(glyph, texts[index] ?? ''));
      },
      width: (glyph) => Math.round((face.font.glyphHAdvance(glyph) / face.unitsPerEm) * 1000),
    };
    this.#faces.set(id, used);
    return used;
  }

  /** Writes the font objects. Call once, after the last glyph was recorded. */
  finish(subsetter: Subsetter): void {
    for (const [index, face] of [...this.#faces.values()].entries()) this.#write(face, index, subsetter);
  }

  #write(used: Face, index: number, subsetter: Subsetter): void {
    const { context } = this.#resources;
    const { face, glyphCodes } = used;
    const codes = glyphCodes.all();
    const glyphs = [...new Set(codes.map(({ glyph }) => glyph))].sort((a, b) => a - b);
    const name = `${subsetTag(index)}+${face.id.replace(/[^A-Za-z0-9-]/g, '-')}`;
    const subset = subsetter.subset(face.bytes, glyphs, face.axes);
    const compact = hasCompactOutlines(subset);
    const file = context.register(
      context.flateStream(subset, compact ? { Subtype: PDFName.of('OpenType') } : {}),
    );
    const thousand = (value: number): number => Math.round(value * 1000);
    const descriptor = context.register(
      context.obj({
        Type: 'FontDescriptor',
        FontName: name,
        Flags: 4,
        FontBBox: [-1000, -thousand(face.descent), 2000, thousand(face.ascent)],
        ItalicAngle: face.id.endsWith('italic') ? -12 : 0,
        Ascent: thousand(face.ascent),
        Descent: -thousand(face.descent),
        CapHeight: thousand(face.capHeight),
        StemV: face.id.includes('-700-') ? 140 : 80,
        [compact ? 'FontFile3' : 'FontFile2']: file,
      }),
    );
    const descendant = context.obj({
      Type: 'Font',
      Subtype: compact ? 'CIDFontType0' : 'CIDFontType2',
      BaseFont: name,
      CIDSystemInfo: {
        Registry: PDFHexString.of('41646F6265'),
        Ordering: PDFHexString.of('4964656E74697479'),
        Supplement: 0,
      },
      FontDescriptor: descriptor,
      ...(!compact && !glyphCodes.mapped && { CIDToGIDMap: 'Identity' }),
      DW: 0,
    });
    descendant.set(
      PDFName.of('W'),
      context.obj(codes.flatMap(({ code, glyph }) => [code, [used.width(glyph)]])),
    );
    if (glyphCodes.mapped) {
      const map = context.register(context.flateStream(glyphMap(codes)));
      descendant.set(PDFName.of('CIDToGIDMap'), map);
    }
    context.assign(
      used.ref,
      context.obj({
        Type: 'Font',
        Subtype: 'Type0',
        BaseFont: name,
        Encoding: 'Identity-H',
        DescendantFonts: [context.register(descendant)],
        ToUnicode: context.register(context.flateStream(toUnicode(codes))),
      }),
    );
  }
}

/** Six capitals that distinguish subsets of one font. */
function subsetTag(index: number): string {
  let rest = index;
  return Array.from({ length: 6 }, () => {
    const letter = String.fromCharCode(65 + (rest % 26));
    rest = Math.floor(rest / 26);
    return letter;
  }).join('');
}

/** A code in a content stream. */
export const hex = (glyph: number): string => glyph.toString(16).toUpperCase().padStart(4, '0');

/** Characters in hexadecimal digits of UTF-16. */
export function utf16(text: string): string {
  return Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at))).join('');
}

function toUnicode(codes: readonly Code[]): string {
  const entries = codes
    .filter(({ text }) => text !== '')
    .map(({ code, text }) => `<${hex(code)}> <${utf16(text)}>`);
  const sections: string[] = [];
  for (let at = 0; at < entries.length; at += BFCHAR_LIMIT) {
    const part = entries.slice(at, at + BFCHAR_LIMIT);
    sections.push(`${part.length} beginbfchar\n${part.join('\n')}\nendbfchar`);
  }
  return [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange',
    '<0000> <FFFF>',
    'endcodespacerange',
    ...sections,
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end',
    'end',
  ].join('\n');
}
