import type { GlyphRun, GlyphWord } from '../../scene/display/display-list.ts';
import type { Matrix } from '../../scene/display/matrix.ts';
import type { LoadedFace } from './font-registry.ts';

/** A glyph's outline in em, y down. */
export type GlyphCommand =
  | readonly ['M', number, number]
  | readonly ['L', number, number]
  | readonly ['Q', number, number, number, number]
  | readonly ['C', number, number, number, number, number, number]
  | readonly ['Z'];

const remembered = new WeakMap<LoadedFace, Map<number, readonly GlyphCommand[]>>();

/** The outline of a glyph; empty for a blank one. */
export function glyphPath(face: LoadedFace, glyph: number): readonly GlyphCommand[] {
  let paths = remembered.get(face);
  if (!paths) {
    paths = new Map();
    remembered.set(face, paths);
  }
  const known = paths.get(glyph);
  if (known) return known;
  const em = face.unitsPerEm;
  const commands = face.font.glyphToJson(glyph).map(({ type, values }): GlyphCommand => {
    const scaled = values.map((value, index) => (index % 2 === 0 ? value / em : -value / em));
    return [type, ...scaled] as unknown as GlyphCommand;
  });
  paths.set(glyph, commands);
  return commands;
}

/** Maps a glyph's outline (em, y down) to the card. */
export function glyphMatrix(run: GlyphRun, word: GlyphWord, index: number): Matrix {
  const size = run.size as number;
  const dx = (word.offsets[2 * index] ?? 0) * size;
  const dy = -(word.offsets[2 * index + 1] ?? 0) * size;
  const y = word.y ?? run.y;
  if (!word.turn) return [size, 0, -run.slant * size, size, word.x + dx, y + dy];
  const cos = Math.cos(word.turn);
  const sin = Math.sin(word.turn);
  return [
    size * cos,
    size * sin,
    size * (-run.slant * cos - sin),
    size * (cos - run.slant * sin),
    word.x + dx * cos - dy * sin,
    y + dx * sin + dy * cos,
  ];
}
