import type { Outline, PathCommand } from '../scene/display/display-list.ts';
import { applyTo, type Matrix, multiply, type Rect } from '../scene/display/matrix.ts';
import { mapPath } from '../scene/display/outline.ts';
import { NotVector } from './drawing.ts';
import { readLength } from './lengths.ts';
import { pathBounds, SHAPES, shapePath, type Viewport } from './shapes.ts';
import { Style, type StyleSheet } from './style.ts';
import { readTransform } from './transform.ts';
import type { Element } from './xml.ts';

/**
 * The shape of a `clipPath` element.
 * @throws NotVector if one outline cannot express it
 */
export function readClip(
  clip: Element,
  sheet: StyleSheet,
  viewport: Viewport,
  find: (reference: string) => Element | undefined,
): Outline {
  if (clip.attributes.get('clipPathUnits') === 'objectBoundingBox') {
    throw new NotVector('has a clip path in shares of a box');
  }
  if (sheet.of(clip).has('clip-path')) throw new NotVector('has a clip path on a clip path');
  const outer = readTransform(clip.attributes.get('transform') ?? '');
  const parts: PathCommand[][] = [];
  let evenOdd = false;
  for (const child of clip.children) {
    const used = child.name === 'use' ? find(child.attributes.get('href') ?? '') : child;
    if (!used || used.name === 'title' || used.name === 'desc') continue;
    if (!SHAPES.has(used.name) || used.attributes.has('clip-path')) {
      throw new NotVector(`has a clip path made of ${used.name}`);
    }
    const style = new Style(sheet.of(used), new Style(sheet.of(child), new Style(sheet.of(clip))));
    if (style.own('display') === 'none') continue;
    const inner = used === child ? outer : multiply(outer, placeOfUse(child, viewport));
    const matrix = multiply(inner, readTransform(used.attributes.get('transform') ?? ''));
    evenOdd ||= style.inherited('clip-rule') === 'evenodd';
    parts.push(mapPath(shapePath(used, viewport), (x, y) => applyTo(matrix, { x, y })));
  }
  if (parts.length > 1 && overlap(parts)) throw new NotVector('has a clip path of shapes that overlap');
  return { kind: 'path', commands: parts.flat(), evenOdd };
}

/** Matrix of the element that a `use` element repeats. */
export function placeOfUse(use: Element, viewport: Viewport): Matrix {
  const at = (name: string, whole: number): number => readLength(use.attributes.get(name), whole, 0);
  const place: Matrix = [1, 0, 0, 1, at('x', viewport.w), at('y', viewport.h)];
  return multiply(readTransform(use.attributes.get('transform') ?? ''), place);
}

function overlap(parts: readonly PathCommand[][]): boolean {
  const boxes = parts.map(pathBounds);
  const meet = (a: Rect, b: Rect): boolean =>
    a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  return boxes.some((box, index) => boxes.slice(index + 1).some((other) => meet(box, other)));
}
