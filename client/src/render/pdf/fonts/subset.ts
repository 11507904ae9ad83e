import type { AxisValues } from '../../../core/text/fonts/catalogue.ts';

/** Subsets fonts to the glyphs a document uses, by the subsetter that ships with harfbuzzjs. */
export interface Subsetter {
  /**
   * The font with only these glyphs (and their components); glyph ids stay as they were.
   * @param axes axis values of a variable font: the result is that one instance
   * @throws Error when the font cannot be subset
   */
  subset(font: Uint8Array, glyphs: Iterable<number>, axes?: AxisValues): Uint8Array;
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  _initialize?(): void;
  malloc(size: number): number;
  free(pointer: number): void;
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number;
  hb_blob_destroy(blob: number): void;
  hb_blob_get_length(blob: number): number;
  hb_blob_get_data(blob: number, length: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_destroy(face: number): void;
  hb_face_get_empty(): number;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_destroy(input: number): void;
  hb_subset_input_glyph_set(input: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_input_pin_all_axes_to_default(input: number, face: number): number;
  hb_subset_input_pin_axis_location(input: number, face: number, tag: number, value: number): number;
  hb_subset_or_fail(face: number, input: number): number;
}

const MEMORY_MODE_WRITABLE = 2;
const NO_HINTING = 1;
const RETAIN_GIDS = 2;

/** @param wasm bytes or compiled module of `harfbuzz-subset.wasm` */
export async function createSubsetter(wasm: BufferSource | WebAssembly.Module): Promise<Subsetter> {
  const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
  const instance = await WebAssembly.instantiate(module, {});
  const hb = instance.exports as unknown as Exports;
  hb._initialize?.();
  return { subset: (font, glyphs, axes) => subset(hb, font, glyphs, axes ?? {}) };
}

function subset(hb: Exports, font: Uint8Array, glyphs: Iterable<number>, axes: AxisValues): Uint8Array {
  const pointer = hb.malloc(font.length);
  if (pointer === 0) throw new Error(`No memory for a font of ${font.length} bytes.`);
  new Uint8Array(hb.memory.buffer).set(font, pointer);
  const blob = hb.hb_blob_create(pointer, font.length, MEMORY_MODE_WRITABLE, 0, 0);
  const face = hb.hb_face_create(blob, 0);
  hb.hb_blob_destroy(blob);
  const input = hb.hb_subset_input_create_or_fail();
  try {
    const set = hb.hb_subset_input_glyph_set(input);
    for (const glyph of glyphs) hb.hb_set_add(set, glyph);
    hb.hb_subset_input_set_flags(input, RETAIN_GIDS | NO_HINTING);
    // PDF readers do not move axes. On a static font this has no effect.
    hb.hb_subset_input_pin_all_axes_to_default(input, face);
    for (const [tag, value] of Object.entries(axes)) {
      hb.hb_subset_input_pin_axis_location(input, face, tagOf(tag), value);
    }
    return runSubset(hb, face, input);
  } finally {
    hb.hb_subset_input_destroy(input);
    hb.hb_face_destroy(face);
    hb.free(pointer);
  }
}

/** A tag as HarfBuzz takes it: four letters in one number. */
const tagOf = (tag: string): number =>
  [...tag].reduce((number, letter) => number * 256 + letter.charCodeAt(0), 0);

function runSubset(hb: Exports, face: number, input: number): Uint8Array {
  const small = hb.hb_subset_or_fail(face, input);
  if (small === 0 || small === hb.hb_face_get_empty()) throw new Error('HarfBuzz could not subset a font.');
  const blob = hb.hb_face_reference_blob(small);
  const length = hb.hb_blob_get_length(blob);
  const data = hb.hb_blob_get_data(blob, 0);
  const bytes = new Uint8Array(hb.memory.buffer).slice(data, data + length);
  hb.hb_blob_destroy(blob);
  hb.hb_face_destroy(small);
  if (bytes.length === 0) throw new Error('HarfBuzz returned an empty font.');
  return bytes;
}
