import { useRef } from 'react';
import type { OwnSpace } from '../../../../core/board/space.ts';
import { sameDocument } from '../../../../core/scene/changes/same-document.ts';
import type { ZoneFrame } from '../../../../core/scene/display/display-list.ts';
import { applyTo } from '../../../../core/scene/display/matrix.ts';
import type { Layout } from '../../../../core/scene/layout.ts';
import { definitionOf, type Zone } from '../../../../core/scene/zones.ts';
import { allZones, findZone } from '../state/zones/zones.ts';
import css from './canvas.module.css';

/** Most spaces that are outlined. */
const MAX_OUTLINED = 2_000;

/** Outline of a space: a spot is a circle. */
function outlineOf({ role, box: { x, y, w, h } }: OwnSpace, scale: number): string {
  const [left, top, width, height] = [x * scale, y * scale, w * scale, h * scale];
  if (role !== 'spot') return `M${left} ${top}h${width}v${height}h${-width}Z`;
  const radius = Math.min(width, height) / 4;
  const [cx, cy] = [left + width / 2, top + height / 2];
  return `M${cx - radius} ${cy}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
}

interface Outlines {
  readonly zone: Zone;
  readonly frame: ZoneFrame;
  readonly most: number;
  readonly scale: number;
  readonly count: number;
  readonly path: string;
}

/** Outlines of the spaces of each painted zone: a map has thousands, and a stroke changes few of them or none. */
class OutlineCache {
  readonly #kept = new Map<string, Outlines>();

  of(zone: Zone, frame: ZoneFrame, most: number, scale: number): Pick<Outlines, 'count' | 'path'> {
    const known = this.#kept.get(frame.id);
    const same =
      known !== undefined &&
      known.most === most &&
      known.scale === scale &&
      sameDocument(known.frame.box, frame.box) &&
      sameSpaces(known.zone, zone);
    if (same) return known;
    const spaces = definitionOf(zone).spaces?.(zone, frame.box).slice(0, most) ?? [];
    const path = spaces.map((space) => outlineOf(space, scale)).join('');
    const made = { zone, frame, most, scale, count: spaces.length, path };
    this.#kept.set(frame.id, made);
    return made;
  }
}

/** Zones with the same spaces: those of a map follow from its terrains only by a rule that names one. */
function sameSpaces(a: Zone, b: Zone): boolean {
  if (a === b) return true;
  if (a.kind !== 'map' || b.kind !== 'map' || b.spaces.some((rule) => rule.of === 'terrain')) return false;
  return sameDocument({ ...a, data: '', edges: '' }, { ...b, data: '', edges: '' });
}

/** Lines from the selected spaces to those that they lead to, from middle to middle. */
function linkLines(
  scene: Layout,
  frames: readonly ZoneFrame[],
  selection: readonly string[],
  scale: number,
): string {
  const spaces = allZones(scene.zones).flatMap((zone) => (zone.kind === 'space' ? [zone] : []));
  const picked = new Set(selection);
  const pairs = spaces.flatMap(({ id, links }) =>
    links.flatMap((to) => (picked.has(id) || picked.has(to) ? [[id, to] as const] : [])),
  );
  if (pairs.length === 0) return '';
  const middles = new Map(
    frames.map(({ zone, box, matrix }) => [
      zone,
      applyTo(matrix, { x: box.x + box.w / 2, y: box.y + box.h / 2 }),
    ]),
  );
  return pairs
    .map(([from, to]) => {
      const [a, b] = [middles.get(from), middles.get(to)];
      return a && b ? `M${a.x * scale} ${a.y * scale}L${b.x * scale} ${b.y * scale}` : '';
    })
    .join('');
}

/** Places for pieces, which are not painted: those made by hand always, those of a map or a path while it is selected. */
export function SpaceOutlines({
  scene,
  frames,
  selection,
  scale,
}: {
  scene: Layout;
  frames: readonly ZoneFrame[];
  selection: readonly string[];
  scale: number;
}) {
  const outlines = useRef(new OutlineCache());
  let left = MAX_OUTLINED;
  const shown = frames.flatMap((frame) => {
    const zone = frame.kind === 'base' ? undefined : findZone(scene, frame.zone);
    if (!zone || (zone.kind !== 'space' && !selection.includes(zone.id))) return [];
    const { count, path } = outlines.current.of(zone, frame, left, scale);
    left -= count;
    if (count === 0) return [];
    const [a, b, c, d, e, f] = frame.matrix;
    return [{ id: frame.id, path, transform: `matrix(${a} ${b} ${c} ${d} ${e * scale} ${f * scale})` }];
  });
  if (shown.length === 0) return null;
  const links = linkLines(scene, frames, selection, scale);
  return (
    <svg className={css.spaces} aria-hidden data-spaces>
      {links !== '' && (
        <g data-links>
          <path className={css.spaceHalo} d={links} />
          <path className={css.space} d={links} />
        </g>
      )}
      {shown.map(({ id, path, transform }) => (
        <g key={id} transform={transform}>
          <path className={css.spaceHalo} d={path} />
          <path className={css.space} d={path} />
        </g>
      ))}
    </svg>
  );
}
