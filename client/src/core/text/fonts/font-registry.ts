import * as hb from 'harfbuzzjs';
import {
  type AxisValues,
  axisValues,
  chooseFaces,
  FALLBACK_FAMILIES,
  type FaceFile,
  findFace,
  findFamily,
} from './catalogue.ts';
import { eastAsianFamilies, type HanForms } from './east-asian.ts';

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
  /** Its glyphs are coloured. */
  readonly colour: boolean;
  /** Axis positions of a variable font; undefined for a font at its file's defaults. */
  readonly axes: AxisValues | undefined;
  has(codePoint: number): boolean;
}

export interface ChainLink {
  readonly face: LoadedFace;
  readonly slant: number;
  readonly embolden: number;
  /** Its punctuation is as wide as a Chinese character. */
  readonly wide: boolean;
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

/** Instances of variable fonts cached, room for Japanese and Chinese in four weights; all are dropped when it is full. */
const MAX_INSTANCES = 1_000;
/**
 * Separates the id of a variable font's face from the axis values of an instance, as in `own-x-400@wdth=80,wght=650`.
 */
const INSTANCE_MARK = '@';

/** The fonts loaded so far. Filled before layout, read during it. */
export class FontRegistry {
  readonly #faces = new Map<string, { readonly loaded: LoadedFace; readonly file: hb.Face }>();
  readonly #chains = new Map<string, FontChain>();
  /** Instances of variable fonts, by id. */
  readonly #instances = new Map<string, LoadedFace>();
  #version = 0;

  /** Changes with every face that is added: text set before may be set otherwise now. */
  get version(): number {
    return this.#version;
  }

  has(faceId: string): boolean {
    return this.#faces.has(faceId);
  }

  /** A loaded face, or an instance of a loaded variable font. */
  face(faceId: string): LoadedFace | undefined {
    const known = this.#faces.get(faceId)?.loaded ?? this.#instances.get(faceId);
    if (known) return known;
    const mark = faceId.indexOf(INSTANCE_MARK);
    return mark < 0 ? undefined : this.#instance(faceId.slice(0, mark), valuesOf(faceId.slice(mark + 1)));
  }

  /**
   * Adds a face's TrueType bytes.
   * @throws Error when the catalogue has no such face or the bytes are no font.
   */
  add(faceId: string, bytes: Uint8Array): void {
    const file = findFace(faceId);
    if (!file) throw new Error(`Font face ${faceId} is not in the catalogue.`);
    const face = new hb.Face(new hb.Blob(bytes));
    const codePoints = face.collectUnicodes();
    if (codePoints.length === 0) throw new Error(`Font face ${faceId}: the file is not a readable font.`);
    const covered = new Set(codePoints);
    const loaded: LoadedFace = {
      id: faceId,
      ...measured(new hb.Font(face), face.upem),
      bytes,
      colour: file.colour,
      axes: undefined,
      has: (codePoint) => covered.has(codePoint),
    };
    this.#faces.set(faceId, { loaded, file: face });
    this.#version++;
    this.#instances.clear();
    this.#chains.clear();
  }

  /**
   * The loaded faces for a style; undefined when none of them is loaded.
   * @param axes axes of variable fonts, as a style has them
   * @param forms of Chinese characters; without it the chain has no fonts for them but the family's own
   */
  chain(family: string, weight: number, italic: boolean, axes = '', forms?: HanForms): FontChain | undefined {
    const key = `${family}|${weight}|${italic}|${axes}|${forms ?? ''}`;
    const known = this.#chains.get(key);
    if (known) return known;
    const links: ChainLink[] = [];
    const eastAsian = forms ? eastAsianFamilies(forms) : [];
    for (const id of [family, ...FALLBACK_FAMILIES, ...eastAsian]) {
      const found = findFamily(id);
      if (!found) continue;
      const choice = chooseFaces(found, weight, italic);
      for (const file of choice.files) {
        const values = axisValues(file, weight, italic, axes);
        const face = values ? this.#instance(file.id, values) : this.face(file.id);
        if (!face || links.some((link) => link.face === face)) continue;
        const asDrawn = found.fallbackOnly || found.upright === true;
        links.push({
          face,
          slant: choice.madeUpItalic && !asDrawn ? MADE_UP_SLANT : 0,
          embolden: choice.madeUpBold && !asDrawn ? MADE_UP_BOLD : 0,
          wide: forms !== 'kr' && eastAsian.includes(id),
        });
      }
    }
    const first = links[0];
    if (!first) return undefined;
    const chain = { key, links, first };
    this.#chains.set(key, chain);
    return chain;
  }

  /** An instance of a variable font; undefined while its file is not loaded. */
  #instance(faceId: string, axes: AxisValues): LoadedFace | undefined {
    const id = `${faceId}${INSTANCE_MARK}${Object.entries(axes)
      .map(([tag, value]) => `${tag}=${value}`)
      .join()}`;
    const known = this.#instances.get(id);
    if (known) return known;
    const whole = this.#faces.get(faceId);
    if (!whole) return undefined;
    const font = new hb.Font(whole.file);
    font.setVariations(Object.entries(axes).map(([tag, value]) => new hb.Variation(tag, value)));
    const instance = { ...whole.loaded, id, ...measured(font, whole.loaded.unitsPerEm), axes };
    if (this.#instances.size >= MAX_INSTANCES) {
      this.#instances.clear();
      this.#chains.clear();
    }
    this.#instances.set(id, instance);
    return instance;
  }
}

function valuesOf(text: string): AxisValues {
  return Object.fromEntries(
    text.split(',').flatMap((part) => {
      const [tag = '', value = ''] = part.split('=');
      return Number.isFinite(Number(value)) ? [[tag, Number(value)] as const] : [];
    }),
  );
}

/** Metrics of a font for layout, as shares of the em. */
function measured(font: hb.Font, em: number) {
  const { ascender, descender } = font.hExtents();
  return {
    font,
    unitsPerEm: em,
    ascent: ascender / em,
    descent: -descender / em,
    capHeight: capHeight(font, em),
  };
}

function capHeight(font: hb.Font, em: number): number {
  const glyph = font.nominalGlyph(0x48);
  const extents = glyph === undefined ? undefined : font.glyphExtents(glyph);
  return extents ? extents.yBearing / em : 0.7;
}

/** Reads a face's bytes from wherever they are stored. */
export type FaceReader = (face: FaceFile) => Promise<Uint8Array>;
