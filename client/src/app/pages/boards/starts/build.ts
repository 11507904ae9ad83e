import type { SpaceRole } from '../../../../core/board/space.ts';
import type { PrintSettings } from '../../../../core/imposition/settings.ts';
import type { Fill } from '../../../../core/scene/style/paint.ts';
import type { MapZone } from '../../../../core/scene/zones/map.ts';
import type { PathZone } from '../../../../core/scene/zones/path.ts';
import { newZone, type Zone, type ZoneOf } from '../../../../core/scene/zones.ts';
import {
  type Box,
  boxed,
  type Change,
  changed,
  nextId,
  type Template,
  template,
} from '../../layouts/templates/build.ts';

/** A board to begin with. */
export interface BoardStart extends Template {
  /** Folds it is printed with at first. */
  readonly fold: PrintSettings['boards']['fold'];
}

/** Millimetres of an inch: boards come in inches. */
const INCH = 25.4;

/** @param size width and height in inches */
export function board(
  id: string,
  name: string,
  use: string,
  size: { w: number; h: number; fold?: BoardStart['fold'] },
  ground: Fill | string,
  build: (w: number, h: number) => Zone[],
): BoardStart {
  const mm = (inches: number) => Math.round(inches * INCH * 100) / 100;
  const card = {
    size: { preset: 'custom', w: mm(size.w), h: mm(size.h), shape: 'rect' as const, radius: 0 },
    ground,
  };
  return { ...template(id, name, use, card, {}, build), fold: size.fold ?? 'none' };
}

export const map = (name: string, box: Box, change: Change<MapZone>): ZoneOf<'map'> =>
  changed(newZone('map', nextId(), name, boxed(box)), change);

export const path = (name: string, box: Box, change: Change<PathZone>): ZoneOf<'path'> =>
  changed(newZone('path', nextId(), name, boxed(box)), change);

export const space = (
  name: string,
  box: Box,
  role: SpaceRole,
  change: Change<ZoneOf<'space'>> = {},
): ZoneOf<'space'> => changed({ ...newZone('space', nextId(), name, boxed(box)), role }, change);

/** A line between points, given in millimetres of the board. */
export function lineThrough(
  name: string,
  points: readonly (readonly [number, number])[],
  change: Change<PathZone>,
): ZoneOf<'path'> {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const [w, h] = [Math.max(0.5, Math.max(...xs) - x), Math.max(0.5, Math.max(...ys) - y)];
  return path(name, [x, y, w, h], {
    points: points.map(([px, py]) => ({ x: (px - x) / w, y: (py - y) / h })),
    smooth: false,
    ...change,
  });
}
