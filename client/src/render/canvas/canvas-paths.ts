import type { GlyphRun, GlyphWord, Outline } from '../../core/scene/display/display-list.ts';
import type { Matrix, Rect } from '../../core/scene/display/matrix.ts';
import { pathOf } from '../../core/scene/display/outline.ts';
import type { FontRegistry, LoadedFace } from '../../core/text/fonts/font-registry.ts';
import { glyphMatrix, glyphPath } from '../../core/text/fonts/glyph-path.ts';

/** Outlines and letters as canvas paths. Letters are cached: a card is painted many times over. */

export const ruleOf = (outline: Outline): CanvasFillRule =>
  outline.kind === 'path' && outline.evenOdd ? 'evenodd' : 'nonzero';

/** Long paths that were traced, by their outline: layout keeps those of a map from one painting to the next. */
const traced = new WeakMap<Outline, Path2D>();
/** Commands from which a path is worth keeping. */
const LONG = 200;

export function tracePath(outline: Outline): Path2D {
  const known = traced.get(outline);
  if (known) return known;
  const path = new Path2D();
  trace(path, outline);
  if (outline.kind === 'path' && outline.commands.length > LONG) traced.set(outline, path);
  return path;
}

/** Rectangles are added as such: the canvas fills, clips and blurs them several times faster. */
export function trace(path: Path2D, outline: Outline): void {
  if (outline.kind === 'rect') {
    const { x, y, w, h } = outline.box;
    const radii = outline.radii as readonly number[];
    if (radii.every((radius) => radius === 0)) path.rect(x, y, w, h);
    else path.roundRect(x, y, w, h, [...radii]);
    return;
  }
  if (outline.kind === 'ellipse') {
    const { x, y, w, h } = outline.box;
    path.ellipse(x + w / 2, y + h / 2, w / 2, h / 2, 0, 0, 2 * Math.PI);
    path.closePath();
    return;
  }
  for (const command of pathOf(outline)) {
    if (command[0] === 'M') path.moveTo(command[1], command[2]);
    else if (command[0] === 'L') path.lineTo(command[1], command[2]);
    else if (command[0] === 'C') {
      path.bezierCurveTo(command[1], command[2], command[3], command[4], command[5], command[6]);
    } else path.closePath();
  }
}

/** A stretch of letters in em, and the matrix that maps it to the card. */
export interface PlacedPath {
  readonly path: Path2D;
  readonly matrix: Matrix;
}

/** The letters of a run, a word at a time. */
export function* letterPaths(run: GlyphRun, fonts: FontRegistry): Generator<PlacedPath> {
  const face = fonts.face(run.face);
  if (!face) return;
  for (const word of run.words) {
    // A slant shifts raised letters sideways: those of a slanted word are placed one by one.
    if (run.slant !== 0 && word.offsets.some((offset, index) => index % 2 === 1 && offset !== 0)) {
      for (const [index, glyph] of word.glyphs.entries()) {
        const path = glyphPath2d(face, glyph);
        if (path) yield { path, matrix: glyphMatrix(run, word, index) };
      }
      continue;
    }
    const path = wordPath2d(face, word);
    if (path) yield { path, matrix: glyphMatrix(run, AT_ORIGIN(word), 0) };
  }
}

const NO_OFFSET: readonly number[] = [0, 0];
const AT_ORIGIN = (word: GlyphWord): GlyphWord => ({ ...word, offsets: NO_OFFSET });

/** Keyed by the word's offsets: shaping gives the same word of the same face the same array. */
const words = new WeakMap<readonly number[], Path2D | null>();

/** A word's letters as one path in em, null where nothing of it is visible. */
function wordPath2d(face: LoadedFace, { glyphs, offsets }: GlyphWord): Path2D | null {
  const known = words.get(offsets);
  if (known !== undefined) return known;
  let whole: Path2D | null = null;
  for (const [index, glyph] of glyphs.entries()) {
    const path = glyphPath2d(face, glyph);
    if (!path) continue;
    whole ??= new Path2D();
    whole.addPath(path, { e: offsets[2 * index] ?? 0, f: -(offsets[2 * index + 1] ?? 0) });
  }
  words.set(offsets, whole);
  return whole;
}

const glyphPaths = new WeakMap<LoadedFace, Map<number, Path2D | null>>();

/** The outline as a canvas path, null for a blank glyph. */
function glyphPath2d(face: LoadedFace, glyph: number): Path2D | null {
  let known = glyphPaths.get(face);
  if (!known) {
    known = new Map();
    glyphPaths.set(face, known);
  }
  const cached = known.get(glyph);
  if (cached !== undefined) return cached;
  const commands = glyphPath(face, glyph);
  let path: Path2D | null = null;
  if (commands.length > 0) {
    path = new Path2D();
    for (const command of commands) {
      if (command[0] === 'M') path.moveTo(command[1], command[2]);
      else if (command[0] === 'L') path.lineTo(command[1], command[2]);
      else if (command[0] === 'Q') path.quadraticCurveTo(command[1], command[2], command[3], command[4]);
      else if (command[0] === 'C') {
        path.bezierCurveTo(command[1], command[2], command[3], command[4], command[5], command[6]);
      } else path.closePath();
    }
  }
  known.set(glyph, path);
  return path;
}

/** Key of an outline's shape, wherever it lies. */
export function shapeKey(outline: Outline, { x, y }: Rect): string {
  if (outline.kind === 'rect') return `rect ${outline.radii}`;
  if (outline.kind === 'ellipse') return 'ellipse';
  const from = (value: number, origin: number): string => (value - origin).toFixed(3);
  return pathOf(outline)
    .map(([name, ...numbers]) => name + numbers.map((value, at) => from(value, at % 2 === 0 ? x : y)).join())
    .join('');
}
