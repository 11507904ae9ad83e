import * as hb from 'harfbuzzjs';
import { fontAxesSchema } from '../../scene/style/layout-font.ts';
import { fontBytes, isWoff2, MAX_UNPACKED_BYTES } from '../woff2/woff2.ts';
import type { FontAxis } from './catalogue.ts';
import { MAX_FONT_BYTES } from './font-limits.ts';

/** Accepted font formats, by their usual ending. */
export type FontFormat = 'woff2' | 'ttf' | 'otf';

/** Metadata of a font file. */
export interface FontFileInfo {
  readonly format: FontFormat;
  readonly family: string;
  /** 1 to 1,000, as in CSS. */
  readonly weight: number;
  readonly italic: boolean;
  /** Characters it has glyphs for. */
  readonly characters: number;
  /** Its licence bits forbid embedding. */
  readonly restricted: boolean;
  /** Axes of a variable font; empty for other fonts. */
  readonly axes: readonly FontAxis[];
}

/** A font file that cannot be used; the message says why, and which files can be. */
export class FontFileError extends Error {
  override name = 'FontFileError';
}

/**
 * Reads a font file's metadata.
 * @param fileName shown in messages, and the family's name where the file has none
 * @throws FontFileError when text cannot be set in it
 */
export async function readFontFile(bytes: Uint8Array, fileName: string): Promise<FontFileInfo> {
  const refuse = (why: string): never => {
    throw new FontFileError(`${fileName}: ${why}`);
  };
  if (bytes.length > MAX_FONT_BYTES) refuse(`larger than ${MAX_FONT_BYTES / 1024 / 1024} MB.`);
  const kind = kindOf(bytes);
  if (kind === 'woff') refuse('WOFF 1 is not read here. Use its WOFF 2, TTF or OTF.');
  if (kind === 'collection') refuse('a collection of several fonts. Take the font you want out of it first.');
  if (kind === 'none') refuse('not a font. Fonts are WOFF 2, TTF and OTF files.');
  if (isWoff2(bytes) && unpackedSize(bytes) > MAX_UNPACKED_BYTES) refuse('too large once unpacked.');
  const said = await inspect(bytes).catch((error: unknown) => {
    throw new FontFileError(`${fileName}: the file is damaged, or has no characters.`, { cause: error });
  });
  const { tables, family, style, characters } = said;
  if (!tables.has('glyf') && !tables.has('CFF ') && !tables.has('CFF2')) {
    refuse('it has no outlines, only pictures of its characters.');
  }
  if (tables.has('CFF2'))
    refuse('a variable OpenType font (CFF2). Use its variable TTF, or one of its static cuts.');
  return {
    format: kind as FontFormat,
    family: family ?? (fileName.replace(/\.[^.]*$/, '').trim() || 'Font'),
    ...style,
    characters,
    axes: said.axes,
  };
}

async function inspect(bytes: Uint8Array) {
  const whole = fontBytes(bytes);
  const tables = new Tables(whole);
  const face = new hb.Face(new hb.Blob(whole));
  const characters = face.collectUnicodes().length;
  if (characters === 0 || face.upem < 16) throw new RangeError('no characters');
  return {
    tables,
    family: tables.familyName(),
    style: tables.style(),
    characters,
    axes: axesOf(face, tables),
  };
}

/** Axes with a range; the axes of a malformed table are ignored. */
function axesOf(face: hb.Face, tables: Tables): FontAxis[] {
  if (!tables.has('fvar') || !tables.has('gvar')) return [];
  const axes = Object.entries(face.getAxisInfos())
    .map(([tag, info]) => ({ tag, min: info.min, default: info.default, max: info.max }))
    .filter((axis) => axis.min <= axis.default && axis.default <= axis.max && axis.min < axis.max);
  const read = fontAxesSchema.safeParse(axes);
  return read.success ? read.data : [];
}

function kindOf(bytes: Uint8Array): FontFormat | 'woff' | 'collection' | 'none' {
  const tag = String.fromCharCode(...bytes.subarray(0, 4));
  if (tag === 'wOF2') return 'woff2';
  if (tag === 'wOFF') return 'woff';
  if (tag === 'ttcf') return 'collection';
  if (tag === 'OTTO') return 'otf';
  return tag === '\u0000\u0001\u0000\u0000' || tag === 'true' ? 'ttf' : 'none';
}

/** Size of the tables in a WOFF 2 file, as its header states it. */
function unpackedSize(bytes: Uint8Array): number {
  return bytes.length < 20 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(16);
}

/** Name records of the typographic family, and of the family of four styles. */
const FAMILY_NAMES = [16, 1];
const WINDOWS = 3;
const ENGLISH = 0x409;
/** Longest name taken, in characters. */
const MAX_NAME = 100;

/** The tables of a TrueType or OpenType file; see the OpenType specification. */
class Tables {
  readonly #view: DataView;
  readonly #at = new Map<string, number>();

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const count = this.#view.getUint16(4);
    for (let index = 0; index < count; index++) {
      const entry = 12 + 16 * index;
      const tag = String.fromCharCode(...bytes.subarray(entry, entry + 4));
      this.#at.set(tag, this.#view.getUint32(entry + 8));
    }
  }

  has(tag: string): boolean {
    return this.#at.has(tag);
  }

  style(): { weight: number; italic: boolean; restricted: boolean } {
    const os2 = this.#at.get('OS/2');
    const head = this.#at.get('head');
    const macStyle = head === undefined ? 0 : this.#view.getUint16(head + 44);
    if (os2 === undefined) {
      return { weight: macStyle & 1 ? 700 : 400, italic: (macStyle & 2) !== 0, restricted: false };
    }
    const weight = this.#view.getUint16(os2 + 4);
    return {
      weight: Math.min(1000, Math.max(1, weight || 400)),
      italic: (this.#view.getUint16(os2 + 62) & 1) !== 0,
      restricted: (this.#view.getUint16(os2 + 8) & 0xf) === 2,
    };
  }

  familyName(): string | undefined {
    const name = this.#at.get('name');
    if (name === undefined) return undefined;
    const strings = name + this.#view.getUint16(name + 4);
    const found = new Map<number, string>();
    const count = this.#view.getUint16(name + 2);
    for (let index = 0; index < count; index++) {
      const record = name + 6 + 12 * index;
      const [platform, language, id] = [0, 4, 6].map((at) => this.#view.getUint16(record + at));
      if (platform !== WINDOWS || id === undefined || !FAMILY_NAMES.includes(id)) continue;
      if (found.has(id) && language !== ENGLISH) continue;
      const start = strings + this.#view.getUint16(record + 10);
      const units = Math.min(MAX_NAME, this.#view.getUint16(record + 8) / 2);
      let text = '';
      for (let at = 0; at < units; at++) text += String.fromCharCode(this.#view.getUint16(start + 2 * at));
      if (text.trim()) found.set(id, text.trim());
    }
    return FAMILY_NAMES.map((id) => found.get(id)).find((text) => text !== undefined);
  }
}
